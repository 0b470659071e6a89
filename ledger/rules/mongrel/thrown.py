"""Whose the dice are that were typed in with an input, or with a choice."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.thrown import Thrown, Told
from ledger.rules.mongrel.facts import DiceRolled

SIDES = 6


def thrown(do: object, told: Told) -> Iterator[Thrown]:
    """Every roll says who rolls, and whether its dice were typed in."""
    for about in told.facts:
        fact = about.fact
        if isinstance(fact, DiceRolled) and fact.source == "typed":
            yield Thrown(character(fact.actor), SIDES, fact.faces, about.audience)
