"""Faults of sheets, for each game: one field otherwise, the code of its refusal, and where it is said to be."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from api.http.forms import load_forms
from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.refusals import Refused
from tests.laws.drawn import drawn
from tests.rules.anything import PEOPLE
from tests.rules.world import World

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Planted:
    """`path`: the field of the declaration; `places`: where the fault is told to be, if not there.

    `apart`: of those that hide each other, or come together, only one is planted at a time.
    """

    path: tuple[str | int, ...]
    value: Any
    code: str
    place: str = ""
    apart: str = ""

    @property
    def pointer(self) -> str:
        return self.place or "".join(f"/{part}" for part in self.path)

    def into(self, declared: Json) -> None:
        *way, last = self.path
        node: Any = declared
        for part in way:
            node = node[part]
        if isinstance(node, list) and last == len(node):
            node.append(self.value)
        else:
            node[last] = self.value

    def __str__(self) -> str:
        return f"{self.code} at {self.pointer}"


def _sheet(*path: str | int, is_: Any, code: str, place: str = "", apart: str = "") -> Planted:
    return Planted(("sheet", *path), is_, code, place and f"/sheet/{place}", apart or str(path[:2]))


#: Of every game: nobody's name, nobody's seat.
EVERYWHERE = (
    Planted(("name",), " ", "name-blank"),
    Planted(("seat",), "nobody", "unknown-seat"),
)
#: By game: whose sheet it is, and what is planted in it.
PLANTED: Mapping[str, tuple[str, tuple[Planted, ...]]] = {
    "toy": ("Ann Arrow", (_sheet("health", is_=0, code="health-range"),)),
    "intensity": (
        "Sarah",
        (
            _sheet("kind", is_="hero", code="unknown-kind", apart="dice"),
            _sheet("traits", 0, "base", is_=7, code="trait-dice", place="traits", apart="dice"),
            _sheet("traits", 1, "name", is_=" ", code="trait-name"),
            _sheet("traits", 2, "name", is_="Smooth Talker", code="trait-name"),
        ),
    ),
    "mnemonic": ("Andrea Kovac", (_sheet("rate_importance", is_=True, code="dramatic-off"),)),
    "mongrel": (
        "Oriel",
        (
            _sheet("house", is_="nowhere", code="house-unknown"),
            _sheet("demon", is_=3, code="identity-sum", place="man"),
            _sheet("body", is_="quadruped", code="body-form"),
            _sheet("attributes", "beauty", is_=5, code="physique-beauty-sum", place="attributes/physique"),
            _sheet("attributes", "social", is_=5, code="speed-social-sum", place="attributes/speed"),
            _sheet("plus_one", is_=["information"], code="expertise-two-per-step"),
            _sheet("plus_three", 0, is_="knitting", code="expertise-unknown", apart="picks"),
            _sheet("plus_three", 1, is_="convince", code="expertise-repeated", place="plus_two/0", apart="picks"),
            _sheet("power", "wings", is_=0, code="power-option-unknown"),
            _sheet("vows", 0, "object", is_=" ", code="vow-object", place="vows/0"),
            _sheet("vows", 1, is_={"object": "nowhere", "about": "house"}, code="house-unknown", apart="vows"),
        ),
    ),
    "scattershot": (
        "Mirabel Thorne",
        (
            _sheet("statistics", "agility", is_=2, code="rating-below-minimum"),
            _sheet("skills", 0, "difficulty", is_="odd", code="unknown-difficulty", place="skills/0"),
            _sheet("skills", 1, "training", is_=0, code="rating-below-minimum", place="skills/1"),
            _sheet("advantages", 0, "value", is_=0, code="rating-below-minimum", place="advantages/0"),
            _sheet("disadvantages", 0, "value", is_=-1, code="bad-number", place="disadvantages/0"),
            _sheet("protection", 0, "static", is_=None, code="protection-is-static-or-bought", place="protection/0"),
            _sheet("resources", 0, is_="luck", code="unknown-statistic"),
            _sheet("raises", "swimming", is_=1, code="no-such-free-skill"),
        ),
    ),
    "moc": (
        "Tomas Brandt",
        (
            _sheet("archetype", is_="nobody", code="unknown-archetype"),
            _sheet("characteristics", "body", is_=0, code="level-too-low"),
            _sheet("skills", "Nonsense", is_=2, code="unknown-purchase"),
            _sheet("purchases", 0, "worth", is_=0, code="value-not-positive", place="purchases/0"),
            _sheet("purchases", 4, is_={"what": "action-hero"}, code="unknown-period"),
            _sheet("disadvantages", "owes the wrong people", is_=-3, code="value-not-positive"),
            _sheet("budget", is_=5, code="over-budget"),
        ),
    ),
}


def declared(name: str) -> Json:
    """An enrolment that is taken, as JSON: of somebody who is ready to be played, or as the sheet's schema allows."""
    people = systems()[name].people
    who = PLANTED[name][0] if name in PLANTED else next(iter(people), "")
    sheet = json_form.to_json(people[who]) if people else _drawn(name)
    return {"kind": "enrol", "name": who or "Somebody", "seat": "ann", "sheet": copy.deepcopy(sheet)}


@cache
def _drawn(name: str) -> Json:
    """The first sheet that is taken, of those its schema allows."""
    schema, rng = load_forms(name).sheet.model_json_schema(), Random(name)
    for _ in range(2_000):
        sheet: Json = drawn(schema, rng)
        with suppress(Refused):
            do = enrolment(name, {"kind": "enrol", "name": "Somebody", "seat": "ann", "sheet": sheet})
            World(systems()[name], {}, PEOPLE).begin(do, "gm")
            return sheet
    pytest.fail(f"no sheet of {name} is taken")


def with_faults(name: str, planted: tuple[Planted, ...]) -> Json:
    found = declared(name)
    for one in planted:
        one.into(found)
    return found


def enrolment(name: str, given: Json) -> Enrol[Any]:
    found = json_form.declaration_from_json(systems()[name], given)
    assert isinstance(found, Enrol)
    return found
