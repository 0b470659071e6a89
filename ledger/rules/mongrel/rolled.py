"""The rolls of a ruling, to be shown as dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.rules.kernel.rolls import Die, Roll
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.facts import DiceRolled, TaskDeclared, TaskResolved
from ledger.rules.mongrel.facts_of_dealings import PurchaseRolled
from ledger.rules.mongrel.facts_of_strife import DefenceChosen
from ledger.rules.mongrel.labels import LABELS
from ledger.rules.mongrel.resolution import meets
from ledger.rules.mongrel.terms import Side, Special

SIDES = 6
PURCHASES = {"acquired": "Acquired", "sacrifice-offered": "Offered for a sacrifice", "refused-by-seller": "Refused"}
#: Results that did not come of counting the dice one by one.
AS_A_WHOLE: frozenset[Special] = frozenset({"zero-expertise", "sevens-succeed", "low-longshot"})


def rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """Dice come first in a ruling, then what was rolled against, then the result."""
    side: Side | None = None
    rolled: DiceRolled | None = None
    for fact in facts:
        match fact:
            case TaskDeclared() | DefenceChosen():
                side = fact.side
            case DiceRolled():
                if rolled is not None:
                    yield Roll(character(rolled.actor), _named(rolled.expertise), _dice(rolled, None, None))
                rolled = fact
            case TaskResolved():
                counted = None if fact.special in AS_A_WHOLE else side
                yield Roll(
                    character(fact.actor),
                    _named(fact.expertise),
                    _dice(rolled, fact.tn, counted),
                    target=fact.tn,
                    success=fact.success,
                    word="Success" if fact.success else "Failure",
                    effect=f"Effect {fact.effect}" if fact.success else "",
                )
                rolled = None
            case PurchaseRolled():
                yield Roll(
                    character(fact.buyer),
                    fact.item,
                    _dice(rolled, fact.tn, None),
                    target=fact.tn,
                    success=fact.outcome == "acquired",
                    word=PURCHASES[fact.outcome],
                    effect=f"Effect {fact.effect}" if fact.effect else "",
                )
                rolled = None
            case _:
                pass
    if rolled is not None:
        yield Roll(character(rolled.actor), _named(rolled.expertise), _dice(rolled, None, None))


def _named(expertise: str) -> str:
    return LABELS.get(expertise, expertise.replace("-", " ").capitalize())


def _dice(rolled: DiceRolled | None, tn: int | None, side: Side | None) -> tuple[Die, ...]:
    if rolled is None:
        return ()
    counts = [meets(face, tn, side) if tn is not None and side is not None else None for face in rolled.faces]
    return tuple(Die(SIDES, face, each) for face, each in zip(rolled.faces, counts, strict=True))
