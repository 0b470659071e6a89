"""Whose the dice are that were typed in with an input."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.thrown import Thrown, Told, made
from ledger.rules.mnemonic.facts import CheckRolled, CheckRuled
from ledger.rules.mnemonic.inputs import EnterRoll
from ledger.rules.mnemonic.tables import HIGHEST
from ledger.rules.mnemonic.terms import Method

DICE: frozenset[Method] = frozenset({"one_dice", "three_dice"})


def thrown(do: object, told: Told) -> Iterator[Thrown]:
    """Numbers that dice showed. Cards, and what voices arrive at, are no dice."""
    if not isinstance(do, EnterRoll) or do.numbers is None:
        return
    for about in told.facts:
        rolled = about.fact
        if isinstance(rolled, CheckRolled) and rolled.method in DICE:
            for ruled in made(told, rolled.check):
                if isinstance(ruled.fact, CheckRuled) and ruled.fact.check == rolled.check:
                    yield Thrown(character(ruled.fact.character), HIGHEST, rolled.faces, about.audience)
