"""How the dice of a purchase come out. Heading: Character wealth and social status. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.resolution import Count, count, meets
from ledger.rules.mongrel.tasks import Pool
from ledger.rules.mongrel.terms import PurchaseOutcome


@dataclass(frozen=True, slots=True)
class Bargain:
    """How the dice of a purchase came out. `flat`: an Effect of 1 whatever the Identity."""

    outcome: PurchaseOutcome
    good: int
    social: Count
    credit: Count
    flat: bool


def bargain(faces: tuple[int, ...], pool: Pool, tn: int, credit: int, dials: Dials) -> Bargain:
    """`mongrel.credit.purchase`: both tests with their special cases, and the dice that meet both numbers."""
    if pool.value:
        return _one_roll(faces, tn, credit, dials)
    rolls = [_one_roll((face,), tn, credit, dials) for face in faces]
    outcome: PurchaseOutcome = "refused-by-seller"
    if all(one.outcome == "acquired" for one in rolls):
        outcome = "acquired"
    elif all(one.credit.success for one in rolls):
        outcome = "sacrifice-offered"
    flat = Count(outcome == "acquired", 0, "zero-expertise", flat=True)
    kept = Count(outcome != "refused-by-seller", 0, "zero-expertise", flat=True)
    return Bargain(outcome, sum(one.good for one in rolls), flat, kept, flat=True)


def _one_roll(faces: tuple[int, ...], tn: int, credit: int, dials: Dials) -> Bargain:
    social, own = count(faces, tn, "target", dials), count(faces, credit, "own", dials)
    over = [face for face in faces if meets(face, tn, "target")]
    good = len([face for face in over if meets(face, credit, "own")])
    both = social.success and own.success
    flat = social.flat or own.flat
    if not dials.purchase_same_die:
        good = len(over)
        acquired = both
    else:
        acquired = both and good > 0
    outcome: PurchaseOutcome = "acquired" if acquired else "sacrifice-offered" if own.success else "refused-by-seller"
    return Bargain(outcome, good, social, own, flat)
