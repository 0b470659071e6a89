"""What is delivered: everything its hook may see, from its making on, in order, signed, and nothing anew."""

from __future__ import annotations

import json
from typing import Any

import pytest
from psycopg.conninfo import make_conninfo
from standardwebhooks import Webhook

from api.hooks.sending import Sender
from ledger.application import Ledger
from ledger.events.database_check import PROJECTOR_ROLE
from projections.views.projector import Projector
from tests.api.conftest import SCHEMA
from tests.api.hooks.conftest import HERE, Clock, Delivery, caught_up
from tests.api.hooks.receiver import Receiver
from tests.api.table import Json, Player, Table


def hook(player: Player, receiver: Receiver, *events: str, seat: str | None = None) -> Json:
    body: Json = {"url": receiver.url, "events": list(events) or ["fact", "decision"]}
    return player.does("/hooks", body if seat is None else {**body, "seat": seat})


def mint(table: Table, coins: int, *, hidden: bool = False) -> None:
    """For Ben's character; hidden from everybody but Ben and the game master."""
    table.gm.declare("mint", to="1", coins=coins, hidden=hidden)


def coins(receiver: Receiver) -> list[int]:
    """Of the facts received, in order."""
    data = [one.said["data"] for one in receiver.received]
    return [one["fact"]["coins"] for one in data if one.get("kind") == "toy.coins-moved"]


def as_it_is(table: Table, id: str) -> Json:
    return table.gm.look(f"/hooks/{id}")


def test_what_becomes_true_is_delivered_signed_and_in_order(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    mint(table, 1)
    before = len(table.dora.look("/timeline")["facts"])
    made = hook(table.gm, receiver)
    for number in (2, 3, 4):
        mint(table, number)
    number = table.gm.look("/rulings")["rulings"][-1]["number"]
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "no such thing"}, 200)
    caught_up(table, ledger)
    delivery.turn()
    facts = table.dora.look("/timeline")["facts"][before:]
    said = [one.said for one in receiver.received]
    assert [one["data"] for one in said if one["type"] == "fact"] == facts, "as an observer reads them, from then on"
    assert [one["type"] for one in said] == ["fact", "fact", "fact", "decision"]
    assert said[-1]["data"]["decision"] == "overturned" and {one["campaign"] for one in said} == {table.id}
    assert [one["id"] for one in said[:-1]] == [one["id"] for one in facts]
    assert [one["timestamp"] for one in said[:-1]] == [one["at"] for one in facts]
    ids = [one.headers["webhook-id"] for one in receiver.received]
    assert len(set(ids)) == 4 and not any("." in id for id in ids)
    for one in receiver.received:
        assert Webhook(made["secret"]).verify(one.body, one.headers) == one.said
    told = as_it_is(table, made["id"])
    assert told["last_delivery"] == delivery.clock.now.isoformat().replace("+00:00", "Z") and not told["last_problem"]
    delivery.turn()
    assert len(receiver.received) == 4 and delivery.counted == ["delivered"] * 4


def test_what_is_entered_late_is_delivered_when_it_is_entered(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    mint(table, 1)
    mint(table, 2)
    hook(table.gm, receiver)
    table.gm.does("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 3}, "after": 3})
    caught_up(table, ledger)
    delivery.turn()
    said = {one.said["type"]: one.said["data"] for one in receiver.received}
    assert len(receiver.received) == 2 and coins(receiver) == [3]
    assert (said["fact"]["ruling"], said["fact"]["after"]) == (5, 3)
    assert (said["decision"]["decision"], said["decision"]["ruling"]) == ("entered-late", 5)


def test_only_the_events_asked_for_are_delivered(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    hook(table.gm, receiver, "decision")
    mint(table, 2)
    table.gm.does("/rulings/3/overturn", {"reason": "no such thing"}, 200)
    caught_up(table, ledger)
    delivery.turn()
    assert [one.said["type"] for one in receiver.received] == ["decision"]


def test_a_program_that_posts_rulings_gets_each_once(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    hook(table.gm, receiver, "ruling")
    mint(table, 2)
    mint(table, 3)
    caught_up(table, ledger)
    delivery.turn()
    mint(table, 4)
    caught_up(table, ledger)
    delivery.turn()
    assert [one.said["type"] for one in receiver.received] == ["ruling"] * 3
    assert [one.said["data"]["ruling"] for one in receiver.received] == table.dora.look("/rulings")["rulings"][-3:]


def test_many_rows_are_more_than_one_page(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.hooks.deliverer.PAGE", 3)
    table.fighters()
    hook(table.gm, receiver)
    for number in range(1, 9):
        mint(table, number, hidden=number in (3, 6, 7, 8))
    caught_up(table, ledger)
    for _ in range(5):
        delivery.turn()
    assert coins(receiver) == [1, 2, 4, 5]


def test_who_starts_anew_goes_on_where_it_was(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, clock: Clock
) -> None:
    table.fighters()
    hook(table.gm, receiver)
    for number in (1, 2):
        mint(table, number)
        caught_up(table, ledger)
        Delivery(ledger, Sender(HERE), clock).turn()
    assert coins(receiver) == [1, 2]


def test_nothing_is_delivered_anew_once_views_are_rebuilt(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, postgres: Any
) -> None:
    table.fighters()
    hook(table.gm, receiver)
    mint(table, 1)
    caught_up(table, ledger)
    delivery.turn()
    url = make_conninfo(postgres.owner_url, user=PROJECTOR_ROLE, password="for-tests")
    with Projector(url, SCHEMA) as projector:
        projector.rebuild()
    delivery.turn()
    assert coins(receiver) == [1]
    mint(table, 2)
    caught_up(table, ledger)
    delivery.turn()
    assert coins(receiver) == [1, 2]


# --- secrets ---


def test_without_a_seat_it_hears_what_an_observer_sees(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    made = hook(table.gm, receiver)
    mint(table, 4100417, hidden=True)
    caught_up(table, ledger)
    quiet = as_it_is(table, made["id"])
    delivery.turn()
    assert not receiver.received and as_it_is(table, made["id"]) == quiet, "and the list does not tell that there was"
    mint(table, 5)
    caught_up(table, ledger)
    delivery.turn()
    assert coins(receiver) == [5] and not any(b"4100417" in one.body for one in receiver.received)


def test_a_seat_that_agreed_lets_its_sight_be_told_from_then_on(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    made = hook(table.gm, receiver, seat="s2")
    mint(table, 11, hidden=True)
    caught_up(table, ledger)
    delivery.turn()
    assert not receiver.received, "it waits"
    table.ben.does(f"/hooks/{made['id']}/agree", {}, 200)
    mint(table, 12, hidden=True)
    caught_up(table, ledger)
    delivery.turn()
    assert coins(receiver) == [12], "what came before it agreed is not told"


def test_a_game_masters_own_hook_hears_what_he_sees_and_a_players_does_not(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    hook(table.gm, receiver, seat="s1")
    cleo = table.gm.does("/hooks", {"url": f"{receiver.url}/cleo", "events": ["fact"], "seat": "s3"})
    table.cleo.does(f"/hooks/{cleo['id']}/agree", {}, 200)
    mint(table, 21, hidden=True)
    mint(table, 22)
    caught_up(table, ledger)
    delivery.turn()
    paths = [(one.path, one.said["data"]["fact"]["coins"]) for one in receiver.received]
    assert sorted(paths) == [("/hook", 21), ("/hook", 22), ("/hook/cleo", 22)]


@pytest.mark.parametrize("how", ["removed", "replaced", "deleted"])
def test_nothing_is_delivered_once_it_has_ended(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, how: str
) -> None:
    """Also where it ends between the first row of what waits for it and the second."""
    table.fighters()
    made = hook(table.gm, receiver, seat="s2")
    table.ben.does(f"/hooks/{made['id']}/agree", {}, 200)
    for number in (1, 2, 3):
        mint(table, number, hidden=True)
    caught_up(table, ledger)

    def end() -> None:
        if how == "removed":
            table.gm.send("PATCH", "/seats/s2", json={"removed": True})
        elif how == "replaced":
            table.ben.does("/seats/s2/token", {}, 200)
        else:
            table.gm.send("DELETE", f"/hooks/{made['id']}")

    receiver.before_answering = end
    delivery.turn()
    receiver.before_answering = None
    mint(table, 4, hidden=True)
    caught_up(table, ledger)
    delivery.turn()
    assert coins(receiver) == [1]
    statuses = [one["status"] for one in table.gm.look("/hooks")["hooks"]]
    assert statuses == ([] if how == "deleted" else ["ended"])


def test_one_that_ended_since_it_was_looked_for_is_sent_nothing(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.fighters()
    made = hook(table.gm, receiver)
    mint(table, 1)
    caught_up(table, ledger)
    store = delivery.deliverer.get_store_of(table.id)
    found = store.list_due(delivery.clock.now)
    table.gm.send("DELETE", f"/hooks/{made['id']}")
    monkeypatch.setattr(store, "list_due", lambda now: found)
    delivery.turn()
    assert [one.id for one in found] == [made["id"]] and not receiver.received


def test_nothing_in_a_delivery_is_more_than_the_feed_tells(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    """Not the seat, the rows withheld, the secret: another's headers and body are the same but for ids and times."""
    table.fighters()
    made = hook(table.gm, receiver)
    mint(table, 1, hidden=True)
    mint(table, 2)
    caught_up(table, ledger)
    delivery.turn()
    (one,) = receiver.received
    assert set(one.said) == {"type", "timestamp", "campaign", "id", "data"}
    assert made["secret"] not in json.dumps([one.headers, one.said])
    assert set(one.headers) == {
        "host",
        "content-type",
        "content-length",
        "user-agent",
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
    }
