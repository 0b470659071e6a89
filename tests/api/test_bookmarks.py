"""Bookmarks: the table's are part of the record, a seat's own are nobody else's."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from ledger.events import bookmarks as own
from tests.api.table import Json, Player, Service, Table
from tests.api.test_export import bring, elsewhere, keep_views

__all__ = ["elsewhere"]


@pytest.fixture
def coins(table: Table) -> Table:
    """3: coins everybody sees."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)
    return table


def listed(player: Player, **query: Any) -> list[Json]:
    found: list[Json] = player.look("/bookmarks", **query)["bookmarks"]
    return found


def notes(player: Player, **query: Any) -> list[tuple[int, str]]:
    return [(one["ruling"], one["note"]) for one in listed(player, **query)]


def mark(player: Player, ruling: int, note: str, *, mine: bool = False, status: int = 201) -> Json:
    return player.does("/bookmarks", {"ruling": ruling, "note": note, "mine": mine}, status)


def test_the_tables_bookmarks_are_everybodys_and_stay(coins: Table) -> None:
    before = coins.position
    made = mark(coins.ben, 3, "Here it began.")
    assert coins.position == before + 1 and made["by"]["name"] == "Ben" and not made["mine"]
    coins.gm.does("/rulings/3/overturn", {"reason": "a mistake"}, 200)
    for player in (coins.gm, coins.cleo, coins.dora):
        (one,) = listed(player)
        assert one == {**made, "status": "overturned"}
        assert one["text"] == player.look("/rulings/3")["text"]
    assert coins.gm.look("/audit")["healthy"]


def test_ones_own_are_told_to_nobody_and_move_nothing(coins: Table) -> None:
    before, sealed = coins.position, coins.gm.look("/seal")["root"]
    made = mark(coins.ben, 3, "Ask Ann about this \U0001f600", mine=True)
    assert made["mine"] and made["note"] == "Ask Ann about this \U0001f600"
    assert (coins.position, coins.gm.look("/seal")["root"]) == (before, sealed)
    assert listed(coins.ben) == listed(coins.ben, mine=True) == [made]
    assert coins.gm.send("DELETE", f"/bookmarks/{made['id']}").status_code == 404
    for player in (coins.gm, coins.cleo, coins.dora):
        assert listed(player) == []
        assert "Ask Ann" not in player.get("/export").text
    header, *rest = coins.ben.get("/export").text.splitlines()
    assert json.loads(header)["bookmarks"] == [{name: made[name] for name in ("id", "ruling", "note", "at")}]
    assert not [line for line in rest if "Ask Ann" in line]
    assert coins.ben.send("DELETE", f"/bookmarks/{made['id']}").json() == made
    assert coins.ben.send("DELETE", f"/bookmarks/{made['id']}").status_code == 200, "a retry finds it done"
    assert listed(coins.ben) == [] and "bookmarks" not in coins.ben.get("/export").text.splitlines()[0]


@pytest.mark.parametrize("mine", [True, False])
def test_a_repeated_request_marks_once(coins: Table, mine: bool) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    body = {"ruling": 3, "note": "once", "mine": mine}
    first, again = (coins.ben.post("/bookmarks", body, key) for _ in range(2))
    assert (first.status_code, first.text) == (again.status_code, again.text) == (201, first.text)
    assert again.headers["Idempotency-Replayed"] == "true" and "Idempotency-Replayed" not in first.headers
    assert coins.ben.post("/bookmarks", {**body, "note": "else"}, key).json()["code"] == "idempotency-key-reused"
    assert notes(coins.ben) == [(3, "once")]
    coins.ben.send("DELETE", f"/bookmarks/{first.json()['id']}")
    assert coins.ben.post("/bookmarks", body, key).status_code == 201
    assert notes(coins.ben) == [], "it is not made anew"


def test_who_removes_what(coins: Table) -> None:
    one, other = mark(coins.ben, 3, "one")["id"], mark(coins.ben, 2, "other")["id"]
    refused = coins.cleo.send("DELETE", f"/bookmarks/{one}")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-yours")
    assert coins.ben.send("DELETE", f"/bookmarks/{one}").status_code == 200
    assert coins.ben.send("DELETE", f"/bookmarks/{one}").json()["code"] == "bookmark-not-found"
    assert coins.gm.send("DELETE", f"/bookmarks/{other}").status_code == 200
    assert listed(coins.gm) == [] and coins.gm.look("/audit")["healthy"]


@pytest.mark.parametrize("mine", [True, False])
def test_what_cannot_be_marked(coins: Table, mine: bool) -> None:
    for ruling in (4, 2**31 - 1):
        refused = coins.ben.post("/bookmarks", {"ruling": ruling, "note": "?", "mine": mine})
        assert (refused.status_code, refused.json()["code"]) == (404, "ruling-not-found")
    for note in ("", "  ", "x" * 1001):
        assert coins.ben.post("/bookmarks", {"ruling": 3, "note": note, "mine": mine}).status_code == 422
    assert listed(coins.ben) == []


@pytest.mark.parametrize("mine", [True, False])
def test_there_are_not_too_many(monkeypatch: pytest.MonkeyPatch, coins: Table, mine: bool) -> None:
    monkeypatch.setattr(own, "MOST", 2)
    monkeypatch.setattr("ledger.application.commands.bookmarking.MOST", 2)
    for note in ("a", "b"):
        last = mark(coins.ben, 3, note, mine=mine)
    assert mark(coins.ben, 3, "c", mine=mine, status=409)["code"] == "too-many-bookmarks"
    mark(coins.cleo, 3, "hers", mine=mine)
    coins.ben.send("DELETE", f"/bookmarks/{last['id']}")
    mark(coins.ben, 3, "c", mine=mine)


def test_the_tables_survive_export_and_import(coins: Table, elsewhere: Service, postgres: Any) -> None:
    """With the seal; a seat's own do not come along."""
    made = mark(coins.gm, 3, "for all")
    mark(coins.gm, 3, "for me", mine=True)
    coins.gm.does("/rulings/3/overturn", {"reason": "a mistake"}, 200)
    sealed = coins.gm.look("/seal")["root"]
    brought = bring(elsewhere, coins.gm.get("/export").content)
    assert brought.status_code == 201, brought.text
    there = object.__new__(Table)
    there.service, there.id = elsewhere, coins.id
    master = Player(there, "s1", brought.json()["seat"]["token"])
    assert listed(master) == [{**made, "status": "overturned"}]
    keep_views(postgres)
    assert master.look("/seal")["root"] == sealed and master.look("/audit")["healthy"]
