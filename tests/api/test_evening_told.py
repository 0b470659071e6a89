"""What an evening tells each seat, live: everything once and in order, and what waits until it waits no more.

Held in every game: the feed knows none.
"""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import ExitStack
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any, TypeAlias

import httpx
import pytest

from api.cli.playing.evening import Evening
from api.cli.playing.filling import Json
from api.cli.playing.table import Record, Seat, Table
from api.service import feed_hub
from api.service.feed_hub import FeedSubscription
from tests.api.conftest import OPERATOR
from tests.api.table import Service
from tests.api.test_evening import with_moves
from tests.api.test_feed import Feed, listening
from tests.levels import sampled
from tests.waiting import wait_until

THE_END = "the end"
Told: TypeAlias = tuple[str, str, Json]


class Asking(Evening):
    """Keeps what each seat was asked: by what waits."""

    def play(self, least_count: int) -> Record:
        self.asked: dict[str, set[tuple[str, str]]] = defaultdict(set)
        return super().play(least_count)

    def _answer_question(self, id: str, seat: Seat, declarer: Seat, waiting: Json) -> None:
        self.asked[seat.id].add((id, waiting["question"]["text"]))
        super()._answer_question(id, seat, declarer, waiting)


def hearing(seat: Seat, last: str | None = None) -> Any:
    """The feed of a seat, from now on or from a place."""
    table: Any = SimpleNamespace(id=seat.table.id, service=SimpleNamespace(client=seat.table.client))
    player: Any = SimpleNamespace(bearer={"Authorization": f"Bearer {seat.token}"}, table=table)
    return listening(player, last)


def whole(feed: Feed) -> list[Told]:
    """All events up to the last of the evening; whether a fact was struck since is as it was when it was read."""
    told = feed.until_it_says(lambda data: data.get("reason") == THE_END)
    return [(id, event, {**data, "struck": False}) for id, event, data in told]


FOLLOWS = {
    "waiting": ("answered", "ruled", "withdrawn"),
    "answered": ("waiting", "withdrawn"),
    "withdrawn": ("waiting",),  # only what lapsed, and was declared again
    "ruled": (),
}


def each_ends_once(told: list[Told]) -> None:
    """Every question is answered or taken back before another one is asked of it, and nothing follows its end."""
    stories: dict[str, list[str]] = defaultdict(list)
    for _, event, data in told:
        if event in ("waiting", "answered", "withdrawn"):
            over = event == "answered" and data["status"] != "waiting"
            stories[data["waiting"]].append("ruled" if over else event)
    for id, story in stories.items():
        assert story[0] == "waiting", f"{id} goes {story}"
        for before, after in pairwise(story):
            assert after in FOLLOWS[before], f"{id} goes {story}"


def places(told: list[Told]) -> list[tuple[int, ...]]:
    return [tuple(map(int, id.split("."))) for id, _, _ in told]


def heard_live(live: list[Told], afterwards: list[Told], handed_over: bool) -> None:
    """Each once and in order, and all that can be read afterwards: but who plays whom now decides about facts."""
    there = places(live)
    assert there == sorted(set(there)), "each once, in order"
    missed = {*there} ^ {place for place in places(afterwards) if place >= there[0]}
    kinds = {event for (_, event, _), place in zip(afterwards, places(afterwards), strict=True) if place in missed}
    assert not missed or (handed_over and kinds <= {"fact"}), f"missed {missed}"


def questions(told: list[Told]) -> set[tuple[str, str]]:
    asked = [data for _, event, data in told if event == "waiting" and data["question"] is not None]
    return {(data["waiting"], data["question"]["text"]) for data in asked}


def told_of_turns(heard: Feed, seat: Seat) -> None:
    """The last word about whose turn it is: what the game waits for of this seat now."""
    awaited = [one for one in seat.get("/waiting", mine="true")["awaited"] if one["seat"]["seat"] == seat.id]
    wait_until(lambda: (heard.moves[-1][1]["awaited"] if heard.moves else []) == awaited)


def the_end(table: Table) -> None:
    """Something that everybody is told: that somebody's joining is disputed."""
    (joined, *_) = table.gm.get("/rulings", view="brief", kind="enrol", status="standing")["rulings"]
    assert table.gm.post(f"/rulings/{joined['number']}/dispute", {"reason": THE_END}).status_code == 200


def told_of(service: Service, name: str) -> None:
    """AssertionError where anything is lost, told again, or kept from whom it concerns."""
    with httpx.Client(base_url=service.client.base_url, timeout=120) as client, ExitStack() as stack:
        rng = Random(1)
        table = Table(client, OPERATOR, name, rng, 3)
        feeds = {seat.id: stack.enter_context(hearing(seat)) for seat in table.seats}
        evening = Asking(table, lambda _: None, ("table",))
        evening.play(30)
        assert not evening.record.faults, evening.record.faults
        the_end(table)
        for seat in table.seats:
            live = whole(feeds[seat.id])
            with hearing(seat, "0.0") as anew:
                afterwards = whole(anew)
            heard_live(live, afterwards, bool(evening.record.kinds["hand-over"]))
            assert evening.asked[seat.id] <= questions(live), "who is asked hears it"
            each_ends_once(live)
            place = rng.randrange(len(afterwards) - 1)
            with hearing(seat, afterwards[place][0]) as anew:
                assert whole(anew) == afterwards[place + 1 :], "nothing lost, nothing told again"
            told_of_turns(feeds[seat.id], seat)


@with_moves
def test_an_evening_is_told_once_and_in_order_to_whom_it_concerns(service: Service, name: str) -> None:
    told_of(service, name)


# --- planted faults ---


def but_the_first(own: Any) -> Any:
    """Who goes on after a place misses what came next."""

    def after(self: FeedSubscription, place: Any) -> Any:
        rows = own(self, place)
        return rows[1:] if rows and len(rows) > 1 else rows

    return after


def but_answers(own: Any) -> Any:
    return lambda lens, row: None if row.what == "answered" else own(lens, row)


def but_who_is_asked(own: Any) -> Any:
    """A question is told to all but who is asked."""

    def told(lens: Any, row: Any) -> str | None:
        said: str | None = own(lens, row)
        asked = json.loads(said).get("question") if said and row.what == "waiting" else None
        return None if asked and asked["asked"]["seat"] == lens.viewer.seat else said

    return told


@pytest.mark.parametrize(
    "planted",
    sampled(
        [
            (FeedSubscription, "list_after", but_the_first, "missed"),
            (feed_hub, "render_row", but_answers, "goes"),
            (feed_hub, "render_row", but_who_is_asked, "hears|missed"),
        ],
        1,
    ),
)
def test_a_feed_that_does_otherwise_is_found(
    monkeypatch: pytest.MonkeyPatch, service: Service, planted: tuple[Any, str, Any, str]
) -> None:
    where, what, fault, found = planted
    monkeypatch.setattr(where, what, fault(getattr(where, what)))
    with pytest.raises(AssertionError, match=found):
        told_of(service, "toy")
