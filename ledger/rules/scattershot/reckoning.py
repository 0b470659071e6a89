"""The arithmetic of a resolution, from what its sides have: used by the rules, and by the fold.

So a die, a modifier or a Challenge that is struck changes every number that came of it.
"""

from __future__ import annotations

from ledger.rules.scattershot.state import Reached, Resolution
from ledger.rules.scattershot.terms import ACTOR, Adjusting


def opposers(one: Resolution) -> tuple[str, ...]:
    """The Resistors who roll."""
    return tuple(name for name in one.sides if name != ACTOR)


def modified(one: Resolution, name: str) -> int:
    """`resolve.modifiers`: the Rating with everything that was fixed with the Opportunity Phase."""
    side = one.sides[name]
    return side.rating + side.modifier + one.situation.get(name, 0)


def basic(one: Resolution, name: str) -> int:
    """`mib.basic`: a plot device, or dice in place of the roll, are Experience Dice alone."""
    side = one.sides[name]
    if one.actor is None or side.replaced:
        return side.experience
    return modified(one, name) - sum(side.dice) + side.experience


def resultant(actor: int, resistor: int) -> int:
    """`contest.rmib`: a Resistor who missed is not subtracted."""
    return actor - resistor if resistor >= 0 else actor


def raised(one: Resolution, name: str) -> int:
    """The basic MIB with its Challenges."""
    return basic(one, name) + one.sides[name].challenges


def altered(one: Resolution, name: str) -> int:
    """And without its Benefits."""
    return raised(one, name) - one.sides[name].benefits


def lead(one: Resolution, resistor: str, adjusting: Adjusting) -> int:
    """The RMIB against this Resistor after all Challenges, before any Benefit."""
    if adjusting == "rmib":
        bought = one.sides[ACTOR].challenges - one.sides[resistor].challenges
        return resultant(basic(one, ACTOR), basic(one, resistor)) + bought
    return resultant(raised(one, ACTOR), raised(one, resistor))


def final(one: Resolution, resistor: str | None, adjusting: Adjusting) -> int:
    """The MIB, or the RMIB against this Resistor, after everything: `apply.contested`."""
    if resistor is None:
        return altered(one, ACTOR)
    if adjusting == "rmib":
        return lead(one, resistor, adjusting) - one.sides[ACTOR].benefits + one.sides[resistor].benefits
    return resultant(altered(one, ACTOR), altered(one, resistor))


def reached(one: Resolution, resistor: str | None, cj: int, adjusting: Adjusting, resistors: bool) -> Reached:
    """The cap, and what a Resistor has of it: `apply.automatic-benefit`, `contest.resistor-results`.

    `resistors`: whether Resistors have results of their own at all.
    """
    adjusted = final(one, resistor, adjusting)
    number, extra = None, 0
    if resistor is not None and adjusted < 0 and resistors:
        own = basic(one, resistor) if adjusting == "rmib" else altered(one, resistor)
        if own >= 0:
            number, extra = min(-adjusted, cj), max(0, -adjusted - cj)
    return Reached(resistor, adjusted, min(adjusted, cj), max(0, adjusted - cj), number, extra)
