"""A roll as it is shown: the dice, the number to reach, and the result in a word.

A game makes it from the facts of a ruling (`Ruleset.rolls`), so it shows no more than those facts do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.subjects import Subject

Bound: TypeAlias = Literal["at-least", "at-most"]


@quick
@dataclass(frozen=True, slots=True)
class Die:
    """A die as it fell. `sides`: None if the fact does not say. `counts`: whether it counts for the result; None if the
    roll does not count single dice. `name`: what the game calls the die, if it has several kinds.
    """

    sides: int | None
    face: int
    counts: bool | None = None
    name: str = ""


@quick
@dataclass(frozen=True, slots=True)
class Roll:
    """The result of one roll. Values that the facts do not give are None or empty.

    `who`: the character or seat that rolled. `name`: what was rolled. `total` and `target`: the number that counts, and
    the number it was compared with. `bound`: whether each die must show at least or at most the target. `word`: the
    result in the game's word ("Telling Blow"). `effect`: what it led to, in a few words ("Effect 3").
    """

    who: Subject | None = None
    name: str = ""
    dice: tuple[Die, ...] = ()
    total: int | None = None
    target: int | None = None
    success: bool | None = None
    word: str = ""
    effect: str = ""
    bound: Bound | None = None


def format_count(number: int, singular: str, several: str = "") -> str:
    """Return "1 success", "3 successes"."""
    return f"{number} {singular if number == 1 else several or singular + 's'}"
