"""The holdings of characters: the accounts of everything countable, and purchases and agreed traits.

Chips, cards, beads, tokens, points, period dice and the arc's purse are in accounts. Purchases are in
`Character.counts`. The key of a purchase contains its name only if the name distinguishes purchases: contacts, Bits and
areas of Martial Arts differ by their names, but Swiftness is the same whatever its player calls it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from ledger.rules.kernel.kit import Account, Posting, RuleId, Says, rule, unit_of
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import AnyElement, AnyPeriod, FractionSent, LevelSent, PurchaseKind, PurchaseName, SkillName
from ledger.rules.moc.words import (
    DICE_ADVANTAGES,
    ELEMENTS,
    NEGATIVE_BEADS,
    PERIODS,
    Sent,
    capitalise,
    read_card_element,
    read_card_value,
    read_element,
    read_whole,
)

ACCOUNTS: tuple[Account, ...] = (
    Account(
        "bank/chip:<colour>",
        "chip",
        "The bank of chips: awarded chips come from it, and spent chips return to it. It never runs out.",
    ),
    Account(
        "character:<id>/chip:<colour>",
        "chip",
        "White, red or blue chips that a player holds for a character.",
        title="<colour> chips",
    ),
    Account(
        "campaign/xp:<arc>",
        "xp",
        "The value of chips that can still be awarded in the arc.",
        title="Value left for the arc",
    ),
    Account("bank/xp", "xp", "The source of the value in an arc's purse. Unused value returns to it."),
    Account("bank/card", "card", "The deck between sessions."),
    Account("campaign/card:deck", "card", "Cards not drawn in this session.", counted=True, title="Cards in the deck"),
    Account("campaign/card:discard", "card", "Cards used or discarded in this session.", title="Discarded cards"),
    Account("character:<id>/card:hand", "card", "Cards in a hand.", counted=True, title="Cards in hand"),
    Account(
        "scene:<id>/card:villains", "card", "Cards that the villains of a scene share.", title="The villains' cards"
    ),
    Account("bank/bead:source", "bead", "The source of beads."),
    Account("character:<id>/bead:<element>", "bead", "A character's beads of one Element.", title="<element> beads"),
    Account("bank/bead:spent", "bead", "Beads that are spent, trumped or left at the end of a scene."),
    Account(
        "character:<id>/token:<primary>", "token", "Tokens left in the pool of a Primary.", title="<primary> tokens"
    ),
    Account("bank/token:spent", "token", "Spent and lost tokens, and the source of recovered ones."),
    Account("bank/point:budget", "point", "The source of points, in 120ths of a point."),
    Account(
        "character:<id>/point",
        "point",
        "Points not yet spent, in 120ths of a point.",
        title="Points to spend, in 120ths",
    ),
    Account("bank/point:spent", "point", "Points spent, in 120ths of a point."),
    Account("bank/die:<period>", "die", "The source of period dice."),
    Account("character:<id>/die:<advantage>", "die", "Period dice not yet used.", title="Dice of <advantage>"),
    Account("bank/die:spent", "die", "Period dice that were used."),
)
XP = "bank/xp"
DECK = "campaign/card:deck"
DISCARD = "campaign/card:discard"
CARDS = "bank/card"
SOURCE = "bank/bead:source"
SPENT = "bank/bead:spent"
TOKENS = "bank/token:spent"
BUDGET = "bank/point:budget"
PAID = "bank/point:spent"
USED = "bank/die:spent"


def name_chip_account(char_id: str, colour: str) -> str:
    return f"character:{char_id}/chip:{colour}"


def name_chip_bank_account(colour: str) -> str:
    return f"bank/chip:{colour}"


def name_purse_account(arc_id: str) -> str:
    return f"campaign/xp:{arc_id}"


def name_hand_account(char_id: str) -> str:
    return f"character:{char_id}/card:hand"


def name_villains_cards_account(scene_id: str) -> str:
    return f"scene:{scene_id}/card:villains"


def read_beads(counts_sent: Mapping[str, Sent], rule: RuleId) -> dict[str, int]:
    """Return how many beads each Element gets. An Element can be named twice, by its own name and by its suit's.

    Refuses `unknown-element`, `negative-beads`.
    """
    counts: dict[str, int] = {}
    for name, count_sent in counts_sent.items():
        element = read_element(name, rule)
        counts[element] = counts.get(element, 0) + read_whole(count_sent, NEGATIVE_BEADS, rule)
    return counts


def name_bead_account(char_id: str, element: str) -> str:
    return f"character:{char_id}/bead:{element}"


def name_token_account(char_id: str, primary: str) -> str:
    return f"character:{char_id}/token:{primary}"


def name_point_account(char_id: str) -> str:
    return f"character:{char_id}/point"


def name_die_account(char_id: str, advantage: str) -> str:
    return f"character:{char_id}/die:{advantage}"


def make_posting(source: str, target: str, amount: int) -> Posting | None:
    """Return the posting, or None if the amount is 0. A negative amount moves the other way."""
    if amount < 0:
        return make_posting(target, source, -amount)
    return Posting(source, target, unit_of(source), amount) if amount else None


def list_chip_postings(char_id: str, counts: Mapping[str, int], *, is_to_bank: bool) -> Iterable[Posting | None]:
    """Yield the postings of chips between a character and the bank."""
    for colour, count in counts.items():
        own_account, bank_account = name_chip_account(char_id, colour), name_chip_bank_account(colour)
        source, target = (own_account, bank_account) if is_to_bank else (bank_account, own_account)
        yield make_posting(source, target, count)


# --- purchases ---


@dataclass(frozen=True, slots=True)
class Purchase:
    """A purchase. `level`: the new level or number. `multiplier`: for dice, their price as a multiple of a skill's
    price.

    `what`: characteristic, skill, dice, action-hero, weapons-master, floating-dice, martial-arts, swiftness, movement,
    extra-secondary, change-secondary, extra-primary, extra-bead-scene, extra-bead-session, superhuman, hand-of-fate,
    fortune, vortex, bits, money, contacts, or an approved trait (`name`: its id). `period`: for dice that come back,
    the period after which they do: scene, session or arc. `element`: the Element bought, or the Element of a Superhuman
    bead. `instead`: the Element given up. `worth`, `loyalty`: for contacts. For a movement, `name` is the way to move,
    `level` its metres per turn (ML) and `worth` the points agreed for it. `skills`: the few related skills of Weapons
    Master dice. For `dice`, `name` is the pool that they join: a skill, or a kind of roll.
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
    """A kind of purchase. `is_by_name`: whether a character can have several purchases of this kind, which differ by
    their names.

    Only this class makes and reads the keys of `Character.counts`.
    """

    what: str
    is_by_name: bool = False

    def make_key(self, name: str = "") -> str:
        """Return the key. Purchases with the same key raise the same level."""
        return f"{self.what}:{name}" if name and self.is_by_name else self.what

    def count(self, state: Character, name: str = "") -> int:
        """Return how many purchases of this kind the character has, or their level."""
        return state.counts.get(self.make_key(name), 0)

    def find_levels(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return the number or level by name; "" stands for no name."""
        entries = ((key.partition(":"), level) for key, level in counts.items())
        return {name: level for (what, _, name), level in entries if what == self.what}


SWIFTNESS, MONEY = Kind("swiftness"), Kind("money")
HAND_OF_FATE, FORTUNE, VORTEX = Kind("hand-of-fate"), Kind("fortune"), Kind("vortex")
SCENE_BEAD, SESSION_BEAD = Kind("extra-bead-scene"), Kind("extra-bead-session")


#: The names of dice that come back contain their period. Those of Weapons Master dice also contain their group, from
#: the second group on: `weapons-master:scene:2`.
PERIOD_KINDS = tuple(Kind(what, is_by_name=True) for what in DICE_ADVANTAGES)
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


def make_key(what: str, name: str) -> str:
    """Return the key of a purchase, even of an unknown kind."""
    return KINDS_BOUGHT.get(what, Kind(what)).make_key(name)


def update_key(key: str) -> str:
    """Return the current form of a key. Keys of an earlier edition contained every name: `money:the farm` becomes
    `money`.
    """
    kind, _, name = key.partition(":")
    return make_key(kind, name)


def say_points(cost: str) -> str:
    """Put a cost in points into words: `3/2` is `1 1/2 points`."""
    try:
        points = abs(Fraction(cost))
    except (ValueError, ZeroDivisionError):
        return f"{cost} points"
    whole, fraction = divmod(points, 1)
    if fraction and not whole:
        return f"{fraction} of a point"
    return f"{whole}{f' {fraction}' if fraction else ''} {'point' if points == 1 else 'points'}"


def price_bits(bit_count: int) -> int:
    """Return the points that all Bits together cost: one for every three, rounded up."""
    return -(-bit_count // 3)


def count_bits_serving(counts: Mapping[str, int], skills: Container[str], skill: str) -> int:
    """Return how many Bits help a roll. A Bit with the name of a skill in the table helps only that skill."""
    return sum(n for name, n in BITS.find_levels(counts).items() if name == skill or name not in skills)


def count_pool_dice(state: Character, *pools: str) -> int:
    """Return the number of dice bought for these pools, which are skills or kinds of roll."""
    return sum(POOL_DICE.count(state, pool) for pool in pools if pool)


def find_period(advantage: str) -> str:
    """Return the period after which used dice come back: the scene for `weapons-master:scene:2`."""
    return advantage.split(":")[1] if ":" in advantage else ""


def sum_effects(state: Character, effect: str, *targets: str) -> int:
    """Return the sum of this effect over all approved traits."""
    traits = state.traits.values()
    return sum(
        trait.number for trait in traits if (trait.stage, trait.does) == ("approved", effect) and trait.of in targets
    )


def count_own_dice(state: Character, *pools: str) -> int:
    """Return the number of dice bought or agreed for these pools. The number can be negative."""
    named_pools = tuple(pool for pool in pools if pool)
    return count_pool_dice(state, *named_pools) + sum_effects(state, "dice", *named_pools)


def find_shift(state: Character, *pools: str) -> int:
    """Return how much agreed traits add to the target number of these pools."""
    return sum_effects(state, "difficulty", "", *(pool for pool in pools if pool))


def count_scene_beads(state: Character) -> dict[str, int]:
    """Return the agreed number of extra beads in each scene, by Element. The number can be negative."""
    return {element: n for element in ELEMENTS if (n := sum_effects(state, "scene-beads", element))}


def find_worth(state: Character, card: str) -> int:
    """Return the value of a card when it is played, with agreed changes."""
    return read_card_value(card) + sum_effects(state, "card-worth", "", read_card_element(card))


def list_bead_prices(state: Character) -> tuple[tuple[str, int], ...]:
    """Return the agreed prices of beads by Element, the lowest for each."""
    traits = (trait for trait in state.traits.values() if (trait.stage, trait.does) == ("approved", "bead-price"))
    prices: dict[str, int] = {}
    for trait in traits:
        prices[trait.of] = min(trait.number, prices.get(trait.of, trait.number))
    return tuple(prices.items())


EXTRA_BEADS: Mapping[str, str] = {
    "extra-bead-scene": "extra beads per scene",
    "extra-bead-session": "extra beads per session",
}
#: The names of purchases in the maker and on sheets, by their keys.
PURCHASE_NAMES: Mapping[str, str] = {
    **{what: what.capitalize() for what in ("swiftness", "fortune", "vortex", "money")},
    **{what: capitalise(name) for what, name in EXTRA_BEADS.items()},
    "hand-of-fate": "Hand of Fate",
    "martial-arts": "Martial Arts",
    **{
        key: label
        for what, name in (
            ("action-hero", "Action Hero"),
            ("weapons-master", "Weapons Master"),
            ("floating-dice", "Floating dice"),
        )
        for key, label in ((what, name), *((f"{what}:{period}", f"{name}, per {period}") for period in PERIODS))
    },
}
PERIOD_DICE = {
    "action-hero": {"scene": Fraction(2), "session": Fraction(1), "arc": Fraction(1, 4)},
    "weapons-master": {"scene": Fraction(1), "session": Fraction(1, 2), "arc": Fraction(1, 8)},
}


#: Advantages with a flat price in points.
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


def price_steps(unit_price: int, level: int, *, free_levels: int) -> int:
    """Return the price of levels bought one after another, each at `unit_price` times the level, except the first
    `free_levels`.
    """
    return unit_price * (level * (level + 1) - free_levels * (free_levels + 1)) // 2 if level > free_levels else 0


def price_contacts(unit_worth: Fraction, worth: Fraction, loyalty: int, is_doubling: bool) -> int:
    """Return the lowest price, in points, for contacts of this worth, plus the loyalty."""
    points = 1
    while unit_worth * (2 ** (points - 1) if is_doubling else 2**points - 1) < worth:
        points += 1
    return points + loyalty
