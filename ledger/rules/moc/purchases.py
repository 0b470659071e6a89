"""What a character has bought, by the keys of `Character.counts`, and what agreed traits do in numbers.

A name is part of a key only where it says which one it is: Swiftness is Swiftness whatever its player calls it;
contacts, Bits and areas of Martial Arts differ by their names.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from ledger.rules.kernel.chapters import rule
from ledger.rules.kernel.domains import Says
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import AnyElement, AnyPeriod, FractionSent, LevelSent, PurchaseKind, PurchaseName, SkillName
from ledger.rules.moc.words import DICE_ADVANTAGES, ELEMENTS, read_card_value, read_suit


@dataclass(frozen=True, slots=True)
class Purchase:
    """A purchase. `level`: the new level or number. `multiplier`: for dice, their price as a multiple of a skill's
    price.

    `what`: characteristic, skill, dice, action-hero, weapons-master, floating-dice, martial-arts, swiftness, movement,
    extra-secondary, change-secondary, extra-primary, extra-bead-scene, extra-bead-session, superhuman, hand-of-fate,
    fortune, vortex, bits, money, contacts, or an approved trait (`name`: its id).
    `period`: for dice that come back, when they do: scene, session or arc. `element`: the Element bought, or the
    Element of a Superhuman bead. `instead`: the Element given up. `worth`, `loyalty`: for contacts. For a movement,
    `name` is the way to move, `level` its metres a turn (ML) and `worth` the points agreed for it. `skills`: the few
    related skills of Weapons Master dice. For `dice`, `name` is the pool that they join: a skill, or a kind of roll.
    """

    what: PurchaseKind
    name: PurchaseName = ""
    level: Annotated[LevelSent, Says("Level", "The level or number to reach.")] = 1
    element: Annotated[AnyElement, Says("Element", "The Element bought, or the Element of a Superhuman bead.")] = ""
    instead: Annotated[AnyElement, Says("Instead of", "The Element given up.")] = ""
    period: AnyPeriod = ""
    multiplier: Annotated[
        FractionSent, Says("Multiplier", "For dice: their price as a multiple of a skill's price, from `3/2` to 2.")
    ] = 2
    worth: Annotated[
        FractionSent, Says("Worth", "For contacts: their worth. For a way of moving: the price in points, as agreed.")
    ] = 1
    loyalty: Annotated[LevelSent, Says("Loyalty", "For contacts: their level of loyalty.")] = 0
    skills: Annotated[
        tuple[SkillName, ...], Says("Skills", "The few related skills that Weapons Master dice can be used for.")
    ] = ()


AGREED_EFFECT = rule(
    "moc.adv.effect",
    "Once a trait is approved, the ledger applies the numbers that the game master set for it.",
    "Putting It All Together",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of purchase. `by_name`: somebody can have several of it, which differ by their names.

    The keys of `Character.counts` are made and read here, and nowhere else.
    """

    what: str
    by_name: bool = False

    def find_key(self, name: str = "") -> str:
        """Return the key; two purchases with the same key are levels of one."""
        return f"{self.what}:{name}" if name and self.by_name else self.what

    def count(self, who: Character, name: str = "") -> int:
        """Return how many of it somebody has, or at which level."""
        return who.counts.get(self.find_key(name), 0)

    def list_levels(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return what somebody has of it by name; "" is without a name."""
        parts = ((key.partition(":"), level) for key, level in counts.items())
        return {name: level for (what, _, name), level in parts if what == self.what}


SWIFTNESS, MONEY = Kind("swiftness"), Kind("money")
HAND_OF_FATE, FORTUNE, VORTEX = Kind("hand-of-fate"), Kind("fortune"), Kind("vortex")
SCENE_BEAD, SESSION_BEAD = Kind("extra-bead-scene"), Kind("extra-bead-session")


#: The name of dice that come back is their period, and which group of related skills they are for, from the second
#: group on: `weapons-master:scene:2`.
PERIOD_KINDS = tuple(Kind(what, by_name=True) for what in DICE_ADVANTAGES)
POOL_DICE, MARTIAL_ARTS, SUPERHUMAN = Kind("dice", True), Kind("martial-arts", True), Kind("superhuman", True)
BITS, CONTACTS, MOVEMENT = Kind("bits", True), Kind("contacts", True), Kind("movement", True)
KINDS_BOUGHT: Mapping[str, Kind] = {
    kind.what: kind
    for kind in (
        SWIFTNESS,
        MONEY,
        HAND_OF_FATE,
        FORTUNE,
        VORTEX,
        SCENE_BEAD,
        SESSION_BEAD,
        *PERIOD_KINDS,
        POOL_DICE,
        MARTIAL_ARTS,
        SUPERHUMAN,
        BITS,
        CONTACTS,
        MOVEMENT,
    )
}


def find_key(what: str, name: str) -> str:
    """Return the key of a purchase, also of a kind that the game does not know."""
    return KINDS_BOUGHT.get(what, Kind(what)).find_key(name)


def find_key_today(key: str) -> str:
    """Return the key of today for one that an earlier edition made of any name: `money:the farm` is `money`."""
    what, _, name = key.partition(":")
    return find_key(what, name)


def price_bits(number: int) -> int:
    """The points that all Bits together cost: three a point, and a begun point is paid whole."""
    return -(-number // 3)


def count_bits_serving(counts: Mapping[str, int], skills: Container[str], skill: str) -> int:
    """Return how many Bits serve a roll. One with the name of a skill of the table stands for that skill only."""
    return sum(n for name, n in BITS.list_levels(counts).items() if name == skill or name not in skills)


def count_pool_dice(who: Character, *pools: str) -> int:
    """The dice that were bought for any of these pools: skills, kinds of roll."""
    return sum(POOL_DICE.count(who, pool) for pool in pools if pool)


def find_period(advantage: str) -> str:
    """Return the period after which what was used comes back: of `weapons-master:scene:2` the scene."""
    return advantage.split(":")[1] if ":" in advantage else ""


def sum_effects(who: Character, does: str, *of: str) -> int:
    """Return the sum of what approved traits do of this kind, to any of these."""
    traits = who.traits.values()
    return sum(one.number for one in traits if (one.stage, one.does) == ("approved", does) and one.of in of)


def count_own_dice(who: Character, *pools: str) -> int:
    """The dice by which these pools are larger, or smaller: bought, or agreed."""
    named = tuple(pool for pool in pools if pool)
    return count_pool_dice(who, *named) + sum_effects(who, "dice", *named)


def find_shift(who: Character, *pools: str) -> int:
    """By how much the target number of these pools is higher, or lower, as agreed."""
    return sum_effects(who, "difficulty", "", *(pool for pool in pools if pool))


def list_scene_beads(who: Character) -> dict[str, int]:
    """The beads that a scene gives more, or fewer, of each Element."""
    return {element: n for element in ELEMENTS if (n := sum_effects(who, "scene-beads", element))}


def find_worth(who: Character, card: str) -> int:
    """What a card counts for when it is played, with what was agreed."""
    return read_card_value(card) + sum_effects(who, "card-worth", "", read_suit(card))


def list_prices(who: Character) -> tuple[tuple[str, int], ...]:
    """Elements whose beads have a price that was agreed: the lowest of several."""
    traits = (one for one in who.traits.values() if (one.stage, one.does) == ("approved", "bead-price"))
    found: dict[str, int] = {}
    for one in traits:
        found[one.of] = min(one.number, found.get(one.of, one.number))
    return tuple(found.items())


PERIOD_DICE = {
    "action-hero": {"scene": Fraction(2), "session": Fraction(1), "arc": Fraction(1, 4)},
    "weapons-master": {"scene": Fraction(1), "session": Fraction(1, 2), "arc": Fraction(1, 8)},
}


#: advantages at so many points each
FLAT = {
    "swiftness": 5,
    "extra-bead-scene": 2,
    "extra-bead-session": 2,
    "hand-of-fate": 10,
    "fortune": 5,
    "vortex": 5,
    "money": 2,
}
ELEMENTS_COST = {"extra-secondary": 5, "change-secondary": 2, "extra-primary": 15}


def price_steps(each: int, level: int, *, free: int) -> int:
    """Levels bought in turn at `each` times the level; the first `free` cost nothing."""
    return each * (level * (level + 1) - free * (free + 1)) // 2 if level > free else 0


def price_contacts(x: Fraction, worth: Fraction, loyalty: int, doubling: bool) -> int:
    """The least n >= 1 whose pool is worth that much, and the loyalty."""
    n = 1
    while x * (2 ** (n - 1) if doubling else 2**n - 1) < worth:
        n += 1
    return n + loyalty
