"""The game's own words: Elements, characteristics, levels, and what malformed numbers and names are refused with."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

from ledger.rules.kernel.domains import MOST_WHOLE
from ledger.rules.kernel.refusals import Refused

ELEMENTS = ("action", "storytelling", "plot", "drama")
SUITS = {"C": "action", "D": "storytelling", "S": "plot", "H": "drama"}
#: Elements by the names of their suits.
SUIT_NAMES = {"clubs": "action", "diamonds": "storytelling", "spades": "plot", "hearts": "drama"}
RANKS = {**{str(n): n for n in range(2, 11)}, "J": 11, "Q": 12, "K": 13, "A": 14}
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
RELATED = {"action": "plot", "plot": "action", "storytelling": "drama", "drama": "storytelling"}
#: archetype -> (primary Elements, secondary Elements)
ARCHETYPES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "wildcard": ((), ELEMENTS),
    "hero": (("action",), ("plot",)),
    "enigma": (("storytelling",), ("drama",)),
    "protagonist": (("plot",), ("action",)),
    "architect": (("drama",), ("storytelling",)),
}
PRIMARIES = ("body", "mind", "spirit")
#: characteristic -> the Primaries above it
CASCADE: dict[str, tuple[str, ...]] = {
    "S": ("body",), "T": ("body",), "Sp": ("body",),
    "R": ("mind",), "K": ("mind",), "P": ("mind",),
    "W": ("spirit",), "E": ("spirit",), "L": ("spirit",),
    "C": ("body", "mind"), "At": ("body", "mind"),
    "W2": ("mind", "spirit"), "Co": ("mind", "spirit"),
    "En": ("body", "spirit"), "Re": ("body", "spirit"),
    "Pr": PRIMARIES, "Li": PRIMARIES,
}  # fmt: skip
SECONDARIES = ("S", "T", "Sp", "R", "K", "P", "W", "E", "L")
CHARACTERISTICS = (*PRIMARIES, *CASCADE)
CHIPS = {"white": 1, "red": 3, "blue": 5}
LEVELS = {
    "spectacular_failure": -1, "failure": 0, "near": 1, "marginal": 2, "success": 3, "outstanding": 4,
}  # fmt: skip
LEVEL_NAMES = {number: name for name, number in LEVELS.items()}
KINDS = (
    "skill", "extended", "movement", "opposed", "dodge", "to_hit", "initiative", "damage", "resisting", "healing",
)  # fmt: skip
USES = (
    "add_successes", "reduce_difficulty", "add_dice", "free_marginal", "storytelling", "archetype", "other",
    "superhuman", "martial_arts",
)  # fmt: skip
PERIODS = ("scene", "session", "arc")
#: Advantages whose dice come back when a period is over.
DICE_ADVANTAGES = ("action-hero", "weapons-master", "floating-dice")
#: What a negotiated trait does by numbers.
EFFECTS = ("dice", "difficulty", "scene-beads", "bead-price", "bead-return", "card-worth", "forced-discard")
#: Those that can be a bonus or a penalty.
EITHER_WAY = ("dice", "difficulty", "scene-beads")
#: Who throws cards away by a forced discard: one that is chosen, or everybody else.
FORCED = ("one", "all")
#: Kinds of roll whose dice can be bought up, beside the skills.
POOL_KINDS = ("movement", "dodge", "to_hit", "initiative", "damage", "resisting", "healing")
#: Kinds of roll whose target numbers can be shifted, beside the skills. Initiative is rolled against one for all.
SHIFTED_KINDS = ("movement", "dodge", "to_hit", "resisting", "healing")
#: How many groups of related skills somebody can be a Weapons Master of, for each period.
MOST_GROUPS = 4
PURCHASES = (
    "characteristic", "skill", "dice", *DICE_ADVANTAGES, "martial-arts", "swiftness", "movement", "extra-secondary",
    "change-secondary", "extra-primary", "extra-bead-scene", "extra-bead-session", "superhuman", "hand-of-fate",
    "fortune", "vortex", "bits", "money", "contacts",
)  # fmt: skip
TRAIT_KINDS = ("advantage", "disadvantage", "background")
#: tier -> how far a told change reaches
SCOPES = {1: "turn", 2: "scene", 3: "session", 4: "world"}
CLASSES = {"suited": 2, "related": 1, "off": 0}
#: Who neither acts nor plays any more.
GONE = ("dead", "sacrificed", "retired")
MOST_DAMAGE = 6
STANDARD_TN = 7
#: `1e999999999` would be written out digit by digit.
ENDLESS = re.compile(r"[eE][+-]?[\d_]{3,}")
#: Points are counted in 120ths, so that halves, thirds, quarters, fifths and eighths are whole.
POINT = 120
#: A number, a name or a card as it was sent: anything, until a rule has found it to be one.
Number: TypeAlias = object


def whole(value: Number, code: str, rule: str, least: int = 0) -> int:
    """A whole number of at least `least`, else refused with this code."""
    if type(value) is not int or value < least:
        raise Refused(rule, code, given=str(value), least=least)
    return value


def element(name: Number, rule: str) -> str:
    """An Element by its name or by its suit's. Refuses `unknown-element`."""
    found = SUIT_NAMES.get(str(name).lower(), str(name).lower())
    if found not in ELEMENTS:
        raise Refused(rule, "unknown-element", element=str(name))
    return found


def primary(name: Number, rule: str) -> str:
    if str(name).lower() not in PRIMARIES:
        raise Refused(rule, "unknown-characteristic", characteristic=str(name))
    return str(name).lower()


def characteristic(name: Number, rule: str) -> str:
    """Any of the twenty: `body`, `S`, `W2` ... Refuses `unknown-characteristic`."""
    if name in CASCADE:
        return str(name)
    return primary(name, rule)


def chip(name: Number, rule: str) -> str:
    if name not in CHIPS:
        raise Refused(rule, "unknown-chip", chip=str(name))
    return str(name)


def card_class(name: Number, rule: str) -> str:
    if name not in CLASSES:
        raise Refused(rule, "unknown-card-class", card_class=str(name))
    return str(name)


def level_of(value: Number, rule: str) -> int:
    """A level by its name (`near`) or number (1). Refuses `unknown-level`."""
    if type(value) is int and value in LEVEL_NAMES:
        return value
    if isinstance(value, str) and value.lower() in LEVELS:
        return LEVELS[value.lower()]
    raise Refused(rule, "unknown-level", level=str(value))


def fraction(value: Number, rule: str, code: str = "cost-not-exact") -> Fraction:
    """A fraction as an integer or as text (`3/2`, `0.5`)."""
    try:
        if type(value) is int or (isinstance(value, str) and len(value) <= 40 and not ENDLESS.search(value)):
            return Fraction(value)
    except (ValueError, ZeroDivisionError):
        pass
    raise Refused(rule, code, given=str(value))


def points(cost: Fraction, rule: str) -> int:
    """A cost in 120ths of a point. Refuses `cost-not-exact` where that is no whole number, or more than JSON has."""
    counted = cost * POINT
    if counted.denominator != 1 or abs(counted) > MOST_WHOLE:
        raise Refused(rule, "cost-not-exact", cost=str(cost))
    return int(counted)


def half_up(number: int) -> int:
    return (number + 1) // 2
