"""Arithmetic of the rules: dice, levels, cards, prices. Plain numbers in, plain numbers out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc.tables import CARD_BEADS
from ledger.rules.moc.terms import MOST_DAMAGE, RANKS, RELATED, SUITS, Number, half_up


def check_faces(faces: Iterable[Number], sides: int) -> tuple[int, ...]:
    """`moc.dice.faces`: the faces that were sent. Refuses `unknown-die`, `face-out-of-range`."""
    if sides not in (6, 10):
        raise Refused("moc.dice.faces", "unknown-die", sides=sides)
    found = []
    for face in faces:
        if type(face) is not int or not 1 <= face <= sides:
            raise Refused("moc.dice.faces", "face-out-of-range", face=str(face), sides=sides)
        found.append(face)
    return tuple(found)


def check_bonus(base: Sequence[int], bonus: Sequence[int]) -> None:
    """`moc.dice.open-ended`. Refuses `unearned-bonus-die`, `bonus-die-missing`."""
    owed = base.count(10)
    for face in bonus:
        if owed == 0:
            raise Refused("moc.dice.open-ended", "unearned-bonus-die", face=face)
        owed += (face == 10) - 1
    if owed:
        raise Refused("moc.dice.open-ended", "bonus-die-missing", missing=owed)


def as_read(base: Sequence[int], bonus: Sequence[int]) -> tuple[int, ...]:
    """The natural numbers of all dice: on a bonus die a 1 reads as 2."""
    return (*base, *[max(2, face) for face in bonus]) if bonus else tuple(base)


def effect_number(values: Sequence[int], changed: Sequence[bool], natural_only: bool = True) -> int:
    """`moc.dice.effect-number`. Refuses `empty-pool`."""
    if not values:
        raise Refused("moc.dice.effect-number", "empty-pool")
    shown = [value for value, other in zip(values, changed, strict=True) if not (natural_only and other)]
    return max([value + max(0, shown.count(value) - 1) for value in values])


def method_of(kind: str, resolution: str, split: bool, split_rolls: str) -> str:
    """`moc.dice.successes`: `en` or `count` for this kind of roll."""
    if kind in ("initiative", "damage", "resisting", "healing") or resolution == "count":
        return "count"
    if resolution == "en":
        return "en"
    if split and split_rolls == "count":
        return "count"
    return "count" if kind in ("opposed", "dodge", "to_hit") else "en"


def successes(values: Sequence[int], changed: Sequence[bool], tn: int, method: str, natural_only: bool = True) -> int:
    """`moc.dice.successes`: of no dice, none."""
    if not values:
        return 0
    if method == "en":
        return max(0, effect_number(values, changed, natural_only) - tn + 1)
    return sum(1 for value in values if value >= tn)


def level(total: int, rolled: int, has_one: bool, shifted: bool) -> int:
    """`moc.level.resolve`, step 3."""
    if total > 0:
        return min(4, total)
    return -1 if rolled == 0 and (has_one or shifted) else 0


def number_for(tn: int, level: int) -> int:
    """`moc.level.required`: the number a level takes. Refuses `no-number-for-level` for the two failures."""
    if level < 1:
        raise Refused("moc.level.required", "no-number-for-level", level=level)
    return tn + level - 1


def extended_dice(base: int, spent: int) -> int:
    """`moc.skill.extended`: the greatest n whose time fits. Refuses `time-too-short`."""
    if spent < base:
        raise Refused("moc.skill.extended", "time-too-short", base=base, spent=spent)
    return (spent // base + 1).bit_length() - 2


# --- cards ---


def card_value(card: str) -> int:
    return RANKS[card[:-1]]


def card_element(card: str) -> str:
    return SUITS[card[-1]]


def card_class(suit: str, element: str) -> str:
    """`moc.card.class`, both given as Elements."""
    if suit == element:
        return "suited"
    return "related" if RELATED[suit] == element else "off"


def card_beads(card: str, before_scene: bool, flat: bool) -> int:
    """`moc.card.to-beads`."""
    beads = CARD_BEADS.get(card_value(card), 1)
    if not before_scene:
        return beads
    return 2 if flat else beads + 2


def card_points(value: int, rank: str, related_full: bool) -> int:
    """`moc.card.dice`: the points a card of this class adds to dice."""
    full = rank == "suited" or (rank == "related" and related_full)
    return value if full else half_up(value)


# --- prices ---


def steps_cost(each: int, level: int, *, free: int) -> int:
    """Levels bought in turn at `each` times the level; the first `free` cost nothing."""
    return each * (level * (level + 1) - free * (free + 1)) // 2 if level > free else 0


def contacts_cost(x: Fraction, worth: Fraction, loyalty: int, doubling: bool) -> int:
    """`moc.adv.contacts`: the least n >= 1 whose pool is worth that much, and the loyalty."""
    n = 1
    while x * (2 ** (n - 1) if doubling else 2**n - 1) < worth:
        n += 1
    return n + loyalty


# --- beads ---


def allowance(rate: Fraction, body: int, mind: int, spirit: int) -> int:
    return ceil(rate * (body + mind + spirit))


def bead_cost(allowed: int, secondary: int, other: int) -> int:
    """`moc.bead.allocate`: a third to secondary Elements for one each, more for two; any other for three."""
    free = min(secondary, floor(Fraction(allowed, 3)))
    return free + 2 * (secondary - free) + 3 * other


# --- bodies ---


def active(rating: int, damage: int, pain_this_turn: int, fatigue: int) -> int:
    """`moc.char.active`."""
    return max(0, min(rating, max(0, MOST_DAMAGE - damage - pain_this_turn)) - fatigue)


def pain_capacity(ratings: Mapping[str, int]) -> int:
    return 2 * ratings["body"] + ratings["T"] + ratings["L"]


def daze_limit(ratings: Mapping[str, int]) -> int:
    return ratings["body"] + ratings["T"]


def check_pool(
    count: int, faces: Iterable[Number], bonus: Iterable[Number], sides: int = 10
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Typed dice. Refuses `unknown-die`, `face-out-of-range`, `wrong-dice-count`, and bonus dice that do not fit."""
    sent = tuple(faces)
    both = check_faces((*sent, *bonus), sides)
    base, more = both[: len(sent)], both[len(sent) :]
    if count and not base:
        raise Refused("moc.dice.effect-number", "empty-pool", expected=count)
    if len(base) != count:
        raise Refused("moc.dice.faces", "wrong-dice-count", expected=count, given=len(base))
    if sides == 10:
        check_bonus(base, more)
    elif more:
        raise Refused("moc.dice.open-ended", "unearned-bonus-die", sides=sides)
    return base, more
