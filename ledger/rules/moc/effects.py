"""What negotiated traits do by numbers, once they are approved."""

from __future__ import annotations

from ledger.rules.moc import numbers
from ledger.rules.moc.purchases import pool_dice
from ledger.rules.moc.state import Character
from ledger.rules.moc.terms import ELEMENTS


def total(who: Character, does: str, *of: str) -> int:
    """Return the sum of what approved traits do of this kind, to any of these."""
    traits = who.traits.values()
    return sum(one.number for one in traits if (one.stage, one.does) == ("approved", does) and one.of in of)


def dice_of(who: Character, *pools: str) -> int:
    """`moc.adv.pool`: the dice by which these pools are larger, or smaller: bought, or agreed."""
    named = tuple(pool for pool in pools if pool)
    return pool_dice(who.counts, *named) + total(who, "dice", *named)


def shift_of(who: Character, *pools: str) -> int:
    """`moc.adv.effect`: by how much the target number of these pools is higher, or lower, as agreed."""
    return total(who, "difficulty", "", *(pool for pool in pools if pool))


def scene_beads(who: Character) -> dict[str, int]:
    """`moc.adv.effect`: the beads that a scene gives more, or fewer, of each Element."""
    return {element: n for element in ELEMENTS if (n := total(who, "scene-beads", element))}


def worth_of(who: Character, card: str) -> int:
    """`moc.card.value`: what a card counts for when it is played, with what was agreed."""
    return numbers.card_value(card) + total(who, "card-worth", "", numbers.card_element(card))


def prices_of(who: Character) -> tuple[tuple[str, int], ...]:
    """`moc.bead.allocate`: Elements whose beads have a price that was agreed: the lowest of several."""
    traits = (one for one in who.traits.values() if (one.stage, one.does) == ("approved", "bead-price"))
    found: dict[str, int] = {}
    for one in traits:
        found[one.of] = min(one.number, found.get(one.of, one.number))
    return tuple(found.items())
