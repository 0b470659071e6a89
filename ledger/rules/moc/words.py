"""The game's words, how they are read, and reasons to refuse that many rules share.

Elements, characteristics, cards, chips, levels.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

from ledger.rules.kernel.kit import MOST_WHOLE, RuleId, SharedRefusal

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
    "S": ("body",),
    "T": ("body",),
    "Sp": ("body",),
    "R": ("mind",),
    "K": ("mind",),
    "P": ("mind",),
    "W": ("spirit",),
    "E": ("spirit",),
    "L": ("spirit",),
    "C": ("body", "mind"),
    "At": ("body", "mind"),
    "W2": ("mind", "spirit"),
    "Co": ("mind", "spirit"),
    "En": ("body", "spirit"),
    "Re": ("body", "spirit"),
    "Pr": PRIMARIES,
    "Li": PRIMARIES,
}
SECONDARIES = ("S", "T", "Sp", "R", "K", "P", "W", "E", "L")
CHARACTERISTICS = (*PRIMARIES, *CASCADE)
CHIPS = {"white": 1, "red": 3, "blue": 5}
LEVELS = {"spectacular_failure": -1, "failure": 0, "near": 1, "marginal": 2, "success": 3, "outstanding": 4}
LEVEL_NAMES = {number: name for name, number in LEVELS.items()}
KINDS = ("skill", "extended", "movement", "opposed", "dodge", "to_hit", "initiative", "damage", "resisting", "healing")
USES = (
    "add_successes",
    "reduce_difficulty",
    "add_dice",
    "free_marginal",
    "storytelling",
    "archetype",
    "other",
    "superhuman",
    "martial_arts",
)
PERIODS = ("scene", "session", "arc")


#: Advantages whose dice come back after a period.
DICE_ADVANTAGES = ("action-hero", "weapons-master", "floating-dice")


#: What a negotiated trait can do in numbers.
EFFECTS = ("dice", "difficulty", "scene-beads", "bead-price", "bead-return", "card-worth", "forced-discard")


#: Effects that can be a bonus or a penalty.
EITHER_WAY = ("dice", "difficulty", "scene-beads")


#: Who discards by force: one chosen character, or everybody else.
FORCED = ("one", "all")


#: Kinds of roll, besides skills, for which dice can be bought.
POOL_KINDS = ("movement", "dodge", "to_hit", "initiative", "damage", "resisting", "healing")


#: Kinds of roll, besides skills, whose target numbers can be shifted. Initiative has one target number for everybody.
SHIFTED_KINDS = ("movement", "dodge", "to_hit", "resisting", "healing")


#: The most groups of related skills that a Weapons Master can have for each period.
MOST_GROUPS = 4
PURCHASES = (
    "characteristic",
    "skill",
    "dice",
    *DICE_ADVANTAGES,
    "martial-arts",
    "swiftness",
    "movement",
    "extra-secondary",
    "change-secondary",
    "extra-primary",
    "extra-bead-scene",
    "extra-bead-session",
    "superhuman",
    "hand-of-fate",
    "fortune",
    "vortex",
    "bits",
    "money",
    "contacts",
)
TRAIT_KINDS = ("advantage", "disadvantage", "background")


#: tier -> how far a change of the story reaches
SCOPES = {1: "turn", 2: "scene", 3: "session", 4: "world"}
CLASSES = {"suited": 2, "related": 1, "off": 0}


#: The statuses of characters who can no longer act.
GONE = ("dead", "sacrificed", "retired")
MOST_DAMAGE = 6
STANDARD_TN = 7


#: A fraction like `1e999999999` would have too many digits.
ENDLESS = re.compile(r"[eE][+-]?[\d_]{3,}")


#: Points are counted in 120ths, so that halves, thirds, quarters, fifths and eighths are whole.
POINT = 120


#: A number, a name or a card as sent: it can be anything until a rule has read it.
Number: TypeAlias = object
UNKNOWN_ELEMENT = SharedRefusal("unknown-element", "That Element is not possible here[: {element}].")
UNKNOWN_CHARACTERISTIC = SharedRefusal(
    "unknown-characteristic", "That characteristic is not possible here[: {characteristic}][: {others}]."
)
UNKNOWN_CHIP = SharedRefusal("unknown-chip", "A chip is white, red or blue, not {chip}.")
UNKNOWN_CARD_CLASS = SharedRefusal("unknown-card-class", "A card is suited, related or off, not {card_class}.")
UNKNOWN_LEVEL = SharedRefusal("unknown-level", "{level} is not a level of success.")
COST_NOT_EXACT = SharedRefusal(
    "cost-not-exact",
    "A cost is a whole number or a fraction such as 3/2[, not {given}][. The ledger cannot count {cost}].",
)


def read_whole(value: Number, refusal: SharedRefusal, rule: RuleId, least: int = 0) -> int:
    """Return a whole number of at least `least`, else refuse it."""
    if type(value) is not int or value < least:
        raise refusal.under(rule, given=str(value), least=least)
    return value


def read_element(name: Number, rule: RuleId) -> str:
    """Return an Element by its name or its suit's. Refuses `unknown-element`."""
    element = SUIT_NAMES.get(str(name).lower(), str(name).lower())
    if element not in ELEMENTS:
        raise UNKNOWN_ELEMENT.under(rule, element=str(name))
    return element


def read_primary(name: Number, rule: RuleId) -> str:
    if str(name).lower() not in PRIMARIES:
        raise UNKNOWN_CHARACTERISTIC.under(rule, characteristic=str(name))
    return str(name).lower()


def read_characteristic(name: Number, rule: RuleId) -> str:
    """Return any of the twenty: `body`, `S`, `W2` ... Refuses `unknown-characteristic`."""
    if name in CASCADE:
        return str(name)
    return read_primary(name, rule)


def read_chip(name: Number, rule: RuleId) -> str:
    if name not in CHIPS:
        raise UNKNOWN_CHIP.under(rule, chip=str(name))
    return str(name)


def read_card_class(name: Number, rule: RuleId) -> str:
    if name not in CLASSES:
        raise UNKNOWN_CARD_CLASS.under(rule, card_class=str(name))
    return str(name)


def read_level(value: Number, rule: RuleId) -> int:
    """Return a level by its name (`near`) or number (1). Refuses `unknown-level`."""
    if type(value) is int and value in LEVEL_NAMES:
        return value
    if isinstance(value, str) and value.lower() in LEVELS:
        return LEVELS[value.lower()]
    raise UNKNOWN_LEVEL.under(rule, level=str(value))


def read_fraction(value: Number, rule: RuleId, refusal: SharedRefusal = COST_NOT_EXACT) -> Fraction:
    """Return a fraction, sent as a whole number or as text (`3/2`, `0.5`)."""
    try:
        if type(value) is int or (isinstance(value, str) and len(value) <= 40 and not ENDLESS.search(value)):
            return Fraction(value)
    except (ValueError, ZeroDivisionError):
        pass
    raise refusal.under(rule, given=str(value))


def read_points(cost: Fraction, rule: RuleId) -> int:
    """Return a cost in 120ths of a point. Refuses `cost-not-exact` if it is not whole, or larger than JSON can hold."""
    counted = cost * POINT
    if counted.denominator != 1 or abs(counted) > MOST_WHOLE:
        raise COST_NOT_EXACT.under(rule, cost=str(cost))
    return int(counted)


def halve(number: int) -> int:
    return (number + 1) // 2


def read_card_value(card: str) -> int:
    return RANKS[card[:-1]]


def read_suit(card: str) -> str:
    return SUITS[card[-1]]


def find_class(suit: str, element: str) -> str:
    """Return the class of a card. Both arguments are Elements."""
    if suit == element:
        return "suited"
    return "related" if RELATED[suit] == element else "off"


FLOATING, MASTER = "floating-dice", "weapons-master"
NEGATIVE_BEADS = SharedRefusal("negative-beads", "Enter a whole number of beads: {least} or more[, not {given}].")
TN_BELOW_FLOOR = SharedRefusal(
    "tn-below-floor", "Enter a whole number as the target number[, {floor} or more][, not {tn}][, not {given}]."
)
TIME_NOT_POSITIVE = SharedRefusal(
    "time-not-positive", "Enter a whole number as the time: {least} or more[, not {given}]."
)
UNKNOWN_SKILL = SharedRefusal("unknown-skill", "This campaign has no skill {skill}.")
VALUE_NOT_POSITIVE = SharedRefusal(
    "value-not-positive", "Enter a value above 0[, not {given}][, not {worth}][, for {disadvantage}]."
)
UNKNOWN_POOL = SharedRefusal(
    "unknown-pool",
    "[{name} is not a pool of dice. ]Name a skill of the campaign or one of these rolls: movement, dodge, to_hit,"
    " resisting or healing. For dice, initiative and damage are also possible.",
)
NO_BEADS_PLAYED = SharedRefusal("no-beads-played", "Play at least one bead.")
UNKNOWN_ARCHETYPE = SharedRefusal("unknown-archetype", "There is no archetype {archetype}.")
NEGATIVE_HARM = SharedRefusal("negative-harm", "Enter a whole number: 0 or more[, not {given}][, for {field}].")
FACE_OUT_OF_RANGE = SharedRefusal(
    "face-out-of-range", "[A d{sides} cannot show {face}][A d10 cannot show {low} to {high}]."
)
NOT_IN_INTERVAL = SharedRefusal("not-in-interval", "[{character}: ]that is possible only between scenes.")
NOT_ENOUGH_BEADS = SharedRefusal(
    "not-enough-beads",
    "[{character}: ]there are not enough beads[ of {element}][, only {held}][. This takes {needed}][ because"
    " {primary} is at 0][. The allocation costs {cost}, and the allowance is {allowance}].",
)
NEGATIVE_CHIPS = SharedRefusal("negative-chips", "Enter a whole number of chips: {least} or more[, not {given}].")
CHIPS_NOT_HELD = SharedRefusal(
    "chips-not-held",
    "[{source} left no chips][{character} does not have enough {chip} chips: this takes {needed}][This "
    "takes a {chip} chip, not a {given} one].",
)
GM_APPROVAL_NEEDED = SharedRefusal(
    "gm-approval-needed",
    "[For {character}, ]this needs the game master's approval[ ({purpose})][ ({use})][ ({location})].",
)
UNKNOWN_PLAY = SharedRefusal("unknown-play", "There is no such play, roll or story change.")
UNKNOWN_ACTION = SharedRefusal("unknown-action", "This scene has no such action.")
NO_SCENE = SharedRefusal("no-scene", "No scene is running. Open one first.")
NOT_A_PLAYERS_CHARACTER = SharedRefusal(
    "not-a-players-character", "[{character}][{nominee}] is a villain. Villains get no chips."
)
VILLAINS_SHARE_CARDS = SharedRefusal("villains-share-cards", "{character} is a villain. Villains share their cards.")
DECK_EMPTY = SharedRefusal("deck-empty", "The deck does not have enough cards left.")
CARD_NOT_IN_HAND = SharedRefusal(
    "card-not-in-hand",
    "[{card} is not in that hand][{cards} are not in that hand][{target} has no card to discard][No {who} "
    "has a card to discard].",
)
WRONG_ELEMENT = SharedRefusal(
    "wrong-element", "[{element} does not fit this roll][. The roll needs {action}][. The roll needs {roll}]."
)
UNKNOWN_PURCHASE = SharedRefusal(
    "unknown-purchase",
    "[For {character}, ]that is not available[: {what}][ {name}][: {martial_arts}][: {allows}][: {background}].",
)
NOT_AN_ATTACK = SharedRefusal("not-an-attack", "Only an attack can hit. Declare the action as a roll to hit.")
NEGATIVE_DICE = SharedRefusal("negative-dice", "Enter a whole number of dice: {least} or more[, not {given}].")
CHARACTERISTIC_NOT_OF_SKILL = SharedRefusal(
    "characteristic-not-of-skill", "{characteristic} does not belong to this roll."
)
ALREADY_ACTIVATED = SharedRefusal("already-activated", "{characteristic} is already in the pool.")
ALREADY_ROLLED = SharedRefusal("already-rolled", "The dice have already been rolled.")
SETTLED = SharedRefusal(
    "settled",
    "[{character}: ]the character has been hurt or has recovered since that roll, so the roll can no longer change.",
)
ROLL_NOT_COMPLETED = SharedRefusal("roll-not-completed", "The dice have not been rolled yet.")
NEGATIVE_SUCCESSES = SharedRefusal(
    "negative-successes",
    "That is not a valid number of successes[: it must be a whole number, {least} or more, not {given}][: a"
    " Storytelling bead adds or removes one, so it must be 1 or -1, not {successes}].",
)
DAMAGE_ABOVE_SIX = SharedRefusal("damage-above-six", "Damage can be at most 6, not {damage}.")
NOTHING_DECLARED = SharedRefusal(
    "nothing-declared",
    "The declaration is incomplete[ for {character}][ for {card}][: no successes have been declared against"
    " {target}]. Fill in what is missing, such as the text, the place or a number above 0.",
)
