"""Everything a seat may see in one document: each part of it is what its own route tells, wherever one looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from api.http.examples import ExampleAnswer, list_examples
from ledger.rules import systems
from tests.api.table import Json, Player, Service, Table
from tests.api.test_examples import HttpPlayer
from tests.levels import sampled
from tests.rules.examples import Outcome, play

ONLY_NOW = ("waiting", "awaited", "disputes", "findings")
CLOCKS = ("recorded", "corrected")


class Keeping(HttpPlayer):
    """Plays, and keeps what everybody was shown after each ruling."""

    def __init__(self, service: Service, system: str, dials: Json) -> None:
        super().__init__(service, system, dials)
        self.kept: dict[int, dict[str, Json]] = {}

    def seats(self) -> Iterator[Player]:
        yield self.gm
        yield from self.players.values()

    def declare(self, declared: Json, answers: Sequence[ExampleAnswer], by: str) -> Outcome:
        outcome = super().declare(declared, answers, by)
        if outcome.number == self.rulings:
            self.kept[outcome.number] = {seat.id: seat.look("/state") for seat in self.seats()}
        return outcome


@pytest.fixture(
    scope="module", params=sampled([name for name in sorted(systems()) if list_examples(name)], 3, salt="states")
)
def played(request: Any, service: Service) -> Keeping:
    """The longest worked example of a system."""
    example = max(list_examples(request.param), key=lambda one: len(one["step"]))
    player = Keeping(service, request.param, example.get("dials", {}))
    play(player, example, "s1")
    assert len(player.kept) > 3
    return player


def one_by_one(seat: Player, ids: dict[str, list[str]], **place: Any) -> dict[str, list[Json]]:
    """Characters and scenes by their own routes, those that are there."""
    found: dict[str, list[Json]] = {}
    for kind, those in ids.items():
        answers = [seat.get(f"/{kind}/{id}", **place) for id in those]
        assert {one.status_code for one in answers} <= {200, 404}
        found[kind] = [one.json() for one in answers if one.status_code == 200]
    found["scenes"] = [one for one in found["scenes"] if one["open"]]
    return found


def everybody(seat: Player) -> dict[str, list[str]]:
    campaign = seat.look()
    return {kind: [one["id"] for one in campaign[kind]] for kind in ("characters", "scenes")}


def test_now_it_is_what_the_single_documents_tell(played: Keeping) -> None:
    for seat in played.seats():
        state, campaign = seat.look("/state"), seat.look()
        assert state["campaign"] == {name: campaign[name] for name in state["campaign"]}
        assert {kind: state[kind] for kind in ("characters", "scenes")} == one_by_one(seat, everybody(seat))
        waiting = seat.look("/waiting")
        assert (state["waiting"], state["awaited"]) == (waiting["waiting"], waiting["awaited"])
        assert state["findings"] == seat.look("/findings")["findings"]
        assert (state["at"], state["as"]) == (None, "corrected")


def test_at_each_place_it_is_what_the_single_documents_tell(played: Keeping) -> None:
    last = played.gm.look()["rulings"]
    for number in sorted({1, last // 3, 2 * last // 3, last - 1, last}):
        for clock in CLOCKS:
            for seat in played.seats():
                place = {"at": number, "as": clock}
                state = seat.look("/state", **place)
                assert {kind: state[kind] for kind in ("characters", "scenes")} == one_by_one(
                    seat, everybody(seat), **place
                )
                assert [state[name] for name in ONLY_NOW] == [None] * len(ONLY_NOW)
                assert (state["at"], state["as"]) == (number, clock)


def test_what_was_shown_then_is_shown_again(played: Keeping) -> None:
    """As long as nobody decides otherwise the past is what it was, whole; by both clocks."""
    names = {one["id"]: one["name"] for one in played.gm.look()["seats"]}
    assert names
    for number, shown in list(played.kept.items())[:: max(1, len(played.kept) // 6)]:
        for seat in played.seats():
            if seat.id in shown:
                for clock in CLOCKS:
                    past = seat.look("/state", at=number, **{"as": clock})
                    assert past["characters"] == [at(one, number, clock) for one in shown[seat.id]["characters"]]
                    assert past["scenes"] == [at(one, number, clock) for one in shown[seat.id]["scenes"]]
                    then = shown[seat.id]["campaign"]
                    assert {**past["campaign"], "seats": then["seats"]} == then


def at(document: Json, number: int, clock: str) -> Json:
    return {**document, "at": number, "as": clock}


def test_an_overturned_ruling_is_there_as_recorded_and_gone_as_corrected(table: Table) -> None:
    table.fighters()
    table.gm.does("/scenes", {"title": "The bridge", "cast": ["1", "2"]})
    table.gm.declare("mint", to="1", coins=5)
    table.gm.does("/scenes/3/close", {})
    table.gm.does("/rulings/4/overturn", {"reason": "no"}, 200)

    def coins(**place: Any) -> list[int]:
        (bruno, _) = table.ben.look("/state", **place)["characters"]
        return [one["balance"] for one in bruno["balances"]]

    assert coins(at=4, **{"as": "recorded"}) == [5] and coins(at=4) != [5]
    assert table.ben.look("/state")["scenes"] == []
    assert [one["id"] for one in table.ben.look("/state", at=4)["scenes"]] == ["3"]
    assert [one["id"] for one in table.ben.look("/state", at=1)["characters"]] == ["1"]
    assert table.ben.get("/state", at="2001-01-01T00:00:00Z").json()["code"] == "not-open-yet"
    assert table.ben.get("/state", at=99).json()["code"] == "ruling-not-found"


def test_what_waits_and_is_to_be_settled_is_in_it(table: Table) -> None:
    table.fighters()
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=3)
    table.ben.declare("hit", status=202, char="1", target="2")
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    state = table.gm.look("/state")
    assert len(state["waiting"]) == 1 and state["findings"]
    assert table.dora.look("/state")["waiting"] == table.dora.look("/waiting")["waiting"]


def test_characters_are_listed_with_who_plays_them(table: Table) -> None:
    table.fighters()
    table.gm.does("/characters/2/retire", {"reason": "He goes home."})
    table.ben.enrol("Late")
    table.gm.does("/rulings/4/overturn", {"reason": "He never came."}, 200)
    told = table.dora.look("/characters")["characters"]
    assert told == [
        {"id": "1", "name": "Bruno", "seat": "s2", "player": "Ben", "retired": False},
        {"id": "2", "name": "Celia", "seat": "s3", "player": "Cleo", "retired": True},
    ]
    assert [one["id"] for one in table.dora.look("/state")["characters"]] == ["1", "2"]
