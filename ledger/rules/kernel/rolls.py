"""A roll as people at a table see it: the dice, the number to reach, and whether it succeeded, in a word. Pure.

A game says it of the facts of a ruling (`Ruleset.rolls`), so it says no more than the facts that somebody is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.subjects import Subject


@quick
@dataclass(frozen=True, slots=True)
class Die:
    """A die as it fell. `sides`: None if the fact does not say. `counts`: whether it counts for the result; None: this
    roll does not count dice one by one. `name`: what the game calls the die, if it has several kinds.
    """

    sides: int | None
    face: int
    counts: bool | None = None
    name: str = ""


@quick
@dataclass(frozen=True, slots=True)
class Roll:
    """What became of one roll. What is not known from the facts is None or empty.

    `who`: the character or seat that rolled. `name`: what was rolled. `total` and `target`: the number that counts, and
    the number it was held against. `word`: the result as the game says it ("Telling Blow"). `effect`: what came of it,
    in a few words ("Effect 3").
    """

    who: Subject | None = None
    name: str = ""
    dice: tuple[Die, ...] = ()
    total: int | None = None
    target: int | None = None
    success: bool | None = None
    word: str = ""
    effect: str = ""


def plural(number: int, singular: str, several: str = "") -> str:
    """Return "1 success", "3 successes"."""
    return f"{number} {singular if number == 1 else several or singular + 's'}"
