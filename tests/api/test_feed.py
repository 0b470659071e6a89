"""The live feed: everything once and in order, nothing that is not for the seat, until the seat may listen no more."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx
import pytest

from api.http.request import Caller
from ledger.application import Call, Ledger, make_environment
from projections.documents.presenting import present
from tests.api.conftest import KEY, SCHEMA
from tests.api.table import Json, Player, Table, rolled
from tests.waiting import wait_until

PATIENCE = 120.0


class Feed:
    """An open feed, read in a thread. `events`: (id, event, data) in order. `farewell`: why it ended, if it said.

    `moves`: what was awaited of the seat, each with how many events there were before.
    """

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.events: list[tuple[str, str, Json]] = []
        self.moves: list[tuple[int, Json]] = []
        self.comments: list[str] = []
        self.first_id = ""
        self.farewell: Json = {}
        self.ended = 0.0
        self.thread = Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        fields: dict[str, str] = {}
        try:
            for line in self.response.iter_lines():
                if line.startswith(":"):
                    self.comments.append(line)
                elif line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif fields:
                    self.first_id = self.first_id or fields.get("id", "")
                    if fields.get("event") == "ended":
                        self.farewell = json.loads(fields["data"])
                    elif fields.get("event") == "moves":
                        assert "id" not in fields
                        self.moves.append((len(self.events), json.loads(fields["data"])))
                    elif "data" in fields:
                        self.events.append((fields["id"], fields["event"], json.loads(fields["data"])))
                    fields = {}
        except (httpx.HTTPError, httpx.StreamError):
            pass
        self.ended = time.monotonic()

    def until(self, count: int) -> list[tuple[str, str, Json]]:
        """At least so many events."""
        wait_until(lambda: len(self.events) >= count, lambda: self.events)
        return self.events

    def until_facts(self, count: int) -> list[tuple[str, str, Json]]:
        """All events, once there are so many facts."""
        wait_until(lambda: sum(event == "fact" for _, event, _ in self.events) >= count, lambda: self.events)
        return self.events

    def until_it_says(self, what: Callable[[Json], bool]) -> list[tuple[str, str, Json]]:
        """All events up to the first such one."""

        def events_so_far() -> list[tuple[str, str, Json]]:
            events = list(self.events)
            return next((events[:place] for place, (_, _, data) in enumerate(events, 1) if what(data)), [])

        return wait_until(events_so_far, lambda: self.events)

    def kinds(self) -> list[str]:
        return [data.get("kind") or data.get("decision") or event for _, event, data in self.events]


@contextmanager
def listening(player: Player, last: str | None = None, **query: Any) -> Iterator[Feed]:
    client = player.table.service.client
    headers = {**player.bearer, **({"Last-Event-ID": last} if last is not None else {})}
    url = f"/campaigns/{player.table.id}/feed"
    with client.stream("GET", url, headers=headers, params=query) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Feed(response)


def test_what_becomes_true_is_told_as_in_the_timeline(table: Table) -> None:
    table.fighters()
    before = len(table.dora.look("/timeline")["facts"])
    with listening(table.dora) as feed:
        table.gm.declare("mint", to="1", coins=2)
        table.hit(6)
        number = table.gm.look("/rulings")["rulings"][-1]["number"]
        table.gm.does(f"/rulings/{number}/overturn", {"reason": "no such thing"}, 200)
        told = feed.until_it_says(lambda data: "decision" in data)
    facts = [data for _, event, data in told if event == "fact"]
    written = table.dora.look("/timeline")["facts"][before:]
    assert [{**fact, "struck": False} for fact in written] == [{**fact, "struck": False} for fact in facts]
    assert [event for _, event, _ in told][-1] == "decision"
    assert (told[-1][2]["decision"], told[-1][2]["ruling"], told[-1][2]["by"]["name"]) == ("overturned", number, "Ann")


def moved(told: list[tuple[str, str, Json]]) -> list[int]:
    return [data["postings"][0]["amount"] for _, _, data in told if data.get("kind") == "toy.coins-moved"]


def test_a_ruling_is_told_whole_once_and_before_its_facts(table: Table) -> None:
    table.fighters()
    with listening(table.dora) as feed:
        table.gm.declare("mint", to="1", coins=2)
        table.hit(6)
        table.gm.declare("mint", to="1", coins=1)
        told = feed.until_it_says(lambda data: (data["position"], data.get("step")) == (table.position, 0))
    rulings = [(id, data) for id, event, data in told if event == "ruling"]
    assert [data["ruling"] for _, data in rulings] == table.dora.look("/rulings")["rulings"][-3:]
    assert [id for id, _ in rulings] == [data["id"] for _, data in rulings]
    for _, data in rulings:
        first = next(fact for _, event, fact in told if event == "fact" and fact["ruling"] == data["ruling"]["number"])
        assert (data["id"], first["id"]) == (f"{data['position']}.0", f"{data['position']}.1")


def test_a_ruling_is_told_as_it_was_made_whatever_was_decided_since(table: Table) -> None:
    table.fighters()
    table.hit(6)
    made = table.dora.look("/rulings")["rulings"][-1]
    number = made["number"]
    table.gm.does(f"/rulings/{number}/revise", {"reason": "a typo", "code": "entry", "answers": [None, rolled(2)]}, 200)
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "no such thing"}, 200)
    with listening(table.dora, after="0.0") as feed:
        told = feed.until_it_says(lambda data: data.get("decision") == "overturned")
    assert [data["ruling"] for _, event, data in told if event == "ruling"][number - 1] == made


def test_a_ruling_is_told_to_those_who_may_know_it(table: Table) -> None:
    table.fighters()
    with listening(table.dora) as doras, listening(table.ben) as bens:
        table.ben.declare("sneak", char="1")
        table.gm.declare("mint", to="1", coins=2)
        everybodys, bens_own = (feed.until_it_says(lambda data: bool(data.get("postings"))) for feed in (doras, bens))
    for feed, player in ((everybodys, table.dora), (bens_own, table.ben)):
        told = [data["ruling"] for _, event, data in feed if event == "ruling"]
        assert told == player.look("/rulings")["rulings"][2:]
    assert bens_own != everybodys


def test_it_goes_on_where_it_was_left_without_loss_or_repetition(table: Table) -> None:
    table.fighters()
    with listening(table.ben) as feed:
        table.gm.declare("mint", to="1", coins=1)
        first = feed.until_facts(1)[-1][0]
    for coins in range(2, 30):
        table.gm.declare("mint", to="1", coins=coins)
    with listening(table.ben, last=first) as feed:
        feed.until_facts(28)
        table.gm.declare("mint", to="1", coins=30)
        told = feed.until_facts(29)
    assert moved(told) == list(range(2, 31))
    assert len({id for id, _, _ in told}) == len(told)


def test_who_was_told_nothing_yet_misses_nothing_either(table: Table) -> None:
    table.fighters()
    with listening(table.ben) as feed:
        wait_until(lambda: feed.first_id)
    table.gm.declare("mint", to="1", coins=7)
    with listening(table.ben, last=feed.first_id) as again:
        assert moved(again.until_facts(1)) == [7]


def test_the_beginning_can_be_asked_for(table: Table) -> None:
    table.fighters()
    facts = table.dora.look("/timeline", limit=500)["facts"]
    with listening(table.dora, after="0.0") as feed:
        told = feed.until_facts(len(facts))
    assert [data for _, event, data in told if event == "fact"] == facts


def test_a_removed_seat_hears_no_more(table: Table) -> None:
    table.fighters()
    with listening(table.ben) as feed, listening(table.cleo) as other:
        table.gm.declare("mint", to="1", coins=1)
        feed.until_facts(1)
        assert table.gm.send("PATCH", "/seats/s2", json={"removed": True}).status_code == 200
        feed.thread.join(PATIENCE)
        assert feed.ended, "it is still open"
        table.gm.declare("mint", to="2", coins=1)
        other.until_facts(3)
    assert moved(feed.events) == [1]


def test_a_new_token_ends_the_feeds_of_the_old_one(table: Table) -> None:
    table.fighters()
    with listening(table.ben) as feed:
        table.ben.does("/seats/s2/token", {}, 200)
        feed.thread.join(PATIENCE)
        assert feed.ended
    assert feed.farewell["code"] == "token-unknown"


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "by another process"])
@pytest.mark.parametrize("last", [None, "0.0"], ids=["from now on", "from the beginning"])
def test_an_old_feed_hears_nothing_after_its_token_was_replaced(
    table: Table, service_url: str, elsewhere: bool, last: str | None
) -> None:
    table.fighters()
    with (
        Ledger(make_environment(service_url, schema=SCHEMA), KEY) as other,
        listening(table.ben, last=last) as feed,
        listening(table.cleo) as beside,
    ):
        table.gm.declare("mint", to="1", coins=1001)
        feed.until_it_says(lambda data: data.get("kind") == "toy.coins-moved" and data["postings"][0]["amount"] == 1001)
        if elsewhere:
            other.renew_token(Call(table.id, table.gm.token, "a test", str(uuid.uuid4())), "s2", present)
        else:
            table.gm.does("/seats/s2/token", {}, 200)
        for coins in range(2001, 2006):
            table.gm.declare("mint", to="1", coins=coins)
        feed.thread.join(PATIENCE)
        assert feed.ended, "it is still open"
        beside.until_facts(6)
    assert max(moved_at_all(feed)) == 1001
    assert feed.farewell == {"code": "token-unknown", "detail": "This token is not valid, or it was replaced."}
    assert not beside.farewell


def moved_at_all(feed: Feed) -> list[int]:
    told = [data for _, event, data in feed.events if event == "fact" and data["kind"] == "toy.coins-moved"]
    return [data["postings"][0]["amount"] for data in told]


def test_a_feed_opened_while_its_token_is_replaced_hears_nothing_either(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the token and the first word."""
    table.fighters()
    seen = Caller.load_view_lens_and_position

    def then_replaced(caller: Caller) -> Any:
        found = seen(caller)
        if caller.call.token == old and not renewed:
            renewed.append(table.gm.does("/seats/s2/token", {}, 200))
        return found

    old, renewed = table.ben.token, list[Json]()
    monkeypatch.setattr(Caller, "load_view_lens_and_position", then_replaced)
    with listening(table.ben, last="0.0") as feed:
        feed.thread.join(PATIENCE)
        assert feed.ended and renewed
    assert feed.events == []
    assert feed.farewell["code"] == "token-unknown"


@pytest.mark.parametrize("last", ["x", "1", "-1.2", "1.2.3", "01.1"])
def test_a_place_that_is_none_is_refused(table: Table, last: str) -> None:
    assert table.ben.send("GET", "/feed", {"Last-Event-ID": last}).status_code == 422


def test_nobody_listens_without_a_token(table: Table) -> None:
    assert table.service.send("GET", f"/campaigns/{table.id}/feed").status_code == 401
