"""The arithmetic of a resolution, from what its sides have: used by the rules, and by the fold.

So a die, a modifier or a Challenge that is struck changes every number that came of it.
"""

from __future__ import annotations

from ledger.rules.scattershot.state import Reached, Resolution, Side
from ledger.rules.scattershot.terms import ACTOR, Adjusting


def opposers(one: Resolution) -> tuple[str, ...]:
    """The Resistors who roll."""
    return tuple(name for name in one.sides if name != ACTOR)


def basic(one: Resolution, side: Side) -> int:
    """`mib.basic`: a plot device, or dice in place of the roll, are Experience Dice alone."""
    alone = one.actor is None or side.replaced
    return side.experience if alone else side.modified - sum(side.dice) + side.experience


def resultant(actor: int, resistor: int) -> int:
    """`contest.rmib`: a Resistor who missed is not subtracted."""
    return actor - resistor if resistor >= 0 else actor


def raised(side: Side) -> int:
    """The basic MIB with its Challenges."""
    return side.basic + side.challenges


def lead(one: Resolution, resistor: str, adjusting: Adjusting) -> int:
    """The RMIB against this Resistor after all Challenges, before any Benefit."""
    actor, other = one.sides[ACTOR], one.sides[resistor]
    if adjusting == "rmib":
        return resultant(actor.basic, other.basic) + actor.challenges - other.challenges
    return resultant(raised(actor), raised(other))


def final(one: Resolution, resistor: str | None, adjusting: Adjusting) -> int:
    """The MIB, or the RMIB against this Resistor, after everything: `apply.contested`."""
    actor = one.sides[ACTOR]
    if resistor is None:
        return raised(actor) - actor.benefits
    other = one.sides[resistor]
    if adjusting == "rmib":
        return lead(one, resistor, adjusting) - actor.benefits + other.benefits
    return resultant(raised(actor) - actor.benefits, raised(other) - other.benefits)


def reached(one: Resolution, resistor: str | None, cj: int, adjusting: Adjusting, resistors: bool) -> Reached:
    """The cap, and what a Resistor has of it: `apply.automatic-benefit`, `contest.resistor-results`.

    `resistors`: whether Resistors have results of their own at all.
    """
    adjusted = final(one, resistor, adjusting)
    number, extra = None, 0
    if resistor is not None and adjusted < 0 and resistors:
        other = one.sides[resistor]
        own = other.basic if adjusting == "rmib" else raised(other) - other.benefits
        if own >= 0:
            number, extra = min(-adjusted, cj), max(0, -adjusted - cj)
    return Reached(resistor, adjusted, min(adjusted, cj), max(0, adjusted - cj), number, extra)
