"""The rolls of a ruling as dice, from the facts that the viewer may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from ledger.rules import systems
from ledger.rules.kernel import json_types
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.kernel.rolls import Bound, Die, Roll
from projections.documents.shape import Document, give_example
from projections.redaction import MadeFact

DIE: RolledDie = {"sides": 6, "face": 4, "counts": True, "name": ""}


@give_example(**DIE)
class RolledDie(Document):
    """A die, with the face that it shows. `sides`: null if the record does not say. `counts`: whether it counts for the
    result; null if this roll does not count dice one by one. `name`: what the game calls the die.
    """

    sides: int | None
    face: int
    counts: bool | None
    name: str


ROLL: RollResult = {
    "who": "character:1",
    "name": "To hit",
    "dice": [DIE],
    "total": None,
    "target": 3,
    "success": True,
    "word": "Success",
    "effect": "Effect 1",
    "bound": "at-least",
}


@give_example(**ROLL)
class RollResult(Document):
    """A roll and its result. Values that the record does not contain are null or empty.

    `who`: the character or seat that rolled. `name`: what was rolled. `total`: the number that counts. `target`: the
    number it was compared with. `bound`: whether each die must show at least or at most the target; null if the roll
    compares something else, or the record does not say. `word`: the result in the game's own words. `effect`: what the
    roll caused.
    """

    who: str | None
    name: str
    dice: list[RolledDie]
    total: int | None
    target: int | None
    success: bool | None
    word: str
    effect: str
    bound: Bound | None


def list_rolls(facts: Sequence[MadeFact]) -> list[RollResult]:
    """Return the rolls in these facts of one ruling."""
    ruleset = systems().get(facts[-1]["kind"].partition(".")[0]) if facts else None
    if ruleset is None:
        return []
    classes = _index_classes(ruleset.name)
    fact_records = [
        json_types.convert(fact["fact"], cls)
        for fact in facts
        if (cls := classes.get((fact["kind"], fact["version"]))) is not None
    ]
    return [_describe_roll(roll) for roll in ruleset.rolls(fact_records)]


@cache
def _index_classes(system: str) -> dict[tuple[str, int], type[Any]]:
    """Return the game's classes of facts by stored name and version."""
    classes = {}
    for cls in systems()[system].facts:
        kind, _, version = find_fact_kind(cls).partition("@")
        classes[f"{system}.{kind}", int(version)] = cls
    return classes


def _describe_roll(roll: Roll) -> RollResult:
    return {
        "who": str(roll.who) if roll.who is not None else None,
        "name": roll.name,
        "dice": _describe_dice(roll.dice),
        "total": roll.total,
        "target": roll.target,
        "success": roll.success,
        "word": roll.word,
        "effect": roll.effect,
        "bound": roll.bound,
    }


def _describe_dice(dice: Iterable[Die]) -> list[RolledDie]:
    return [{"sides": die.sides, "face": die.face, "counts": die.counts, "name": die.name} for die in dice]
