"""What is wrong with a sheet, over HTTP: all of it at once, each fault where the body has it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.table import Json, Player, Service, Table
from tests.laws.sheet_faults import EVERYWHERE, PLANTED, Planted, declared, with_faults

#: Those that a parser lets through, two of a game: words that no field takes never come so far.
CHOSEN: dict[str, tuple[str, ...]] = {
    "toy": ("name-blank",),
    "mongrel": ("identity-sum", "physique-beauty-sum", "expertise-repeated"),
    "scattershot": ("rating-below-minimum", "no-such-free-skill"),
    "moc": ("unknown-period", "over-budget"),
    "intensity": ("trait-dice", "trait-name"),
    "mnemonic": ("dramatic-off", "name-blank"),
}
game = pytest.mark.parametrize("system", sorted(CHOSEN))


def planted(system: str) -> tuple[Planted, ...]:
    there = {one.code: one for one in (*EVERYWHERE, *PLANTED[system][1])}
    return tuple(there[code] for code in CHOSEN[system])


def opened(service: Service, system: str) -> Any:
    table = object.__new__(Table)
    table.service = service
    made = service.open(system=system).json()
    table.id = made["id"]
    return Player(table, "s1", made["seat"]["token"])


def sent(system: str, *faults: Planted) -> Json:
    return {**(with_faults(system, faults) if faults else declared(system)), "seat": "s1"}


@game
def test_each_fault_is_told_with_its_place_and_its_sentence(service: Service, system: str) -> None:
    gm, faults = opened(service, system), planted(system)
    body = sent(system, *faults)
    sheet = {name: value for name, value in body.items() if name != "kind"}
    for path, within, said in (("/characters", "", sheet), ("/rulings", "/declare", {"declare": body})):
        problem = gm.does(path, said, 422)
        assert problem["type"] == "/problems/refused"
        told = problem["errors"]
        assert {(one["pointer"], one["code"]) for one in told} == {(within + one.pointer, one.code) for one in faults}
        assert (told[0]["code"], told[0]["rule"]) == (problem["code"], problem["rule"])
        assert problem["detail"].startswith(told[0]["text"])
        assert all(one["text"].endswith(".") and one["rule"].startswith((system, "ledger")) for one in told)
    taken = gm.post("/characters", {**{name: value for name, value in sent(system).items() if name != "kind"}})
    assert taken.status_code in (201, 202), "and mended it is taken"


def test_any_other_refusal_has_none(service: Service) -> None:
    table = Table(service)
    assert "errors" not in table.gm.tries("hit", char="1", target="2").json()
