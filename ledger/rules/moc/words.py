"""The game's words, how they are read and put into sentences, and refusals that many rules share.

The words are those for Elements, characteristics, cards, chips and levels. Text that people wrote is never part of a
template: it is filled in, or follows the finished sentence.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from ledger.rules.kernel.kit import (
    ENDS,
    MOST_WHOLE,
    About,
    Names,
    Refusal,
    RuleId,
    SharedRefusal,
    Speech,
    character,
    listed,
    words,
)

ELEMENTS = ("action", "storytelling", "plot", "drama")
SUITS = {"C": "action", "D": "storytelling", "S": "plot", "H": "drama"}


#: Elements by the names of their suits.
SUIT_NAMES = {"clubs": "action", "diamonds": "storytelling", "spades": "plot", "hearts": "drama"}
RANKS = {**{str(n): n for n in range(2, 11)}, "J": 11, "Q": 12, "K": 13, "A": 14}
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
RELATED = {"action": "plot", "plot": "action", "storytelling": "drama", "drama": "storytelling"}


#: The primary and secondary Elements of each archetype.
ARCHETYPES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "wildcard": ((), ELEMENTS),
    "hero": (("action",), ("plot",)),
    "enigma": (("storytelling",), ("drama",)),
    "protagonist": (("plot",), ("action",)),
    "architect": (("drama",), ("storytelling",)),
}
PRIMARIES = ("body", "mind", "spirit")


#: The Primaries of each characteristic.
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
#: The source names these characteristics only by letters.
NAMELESS = ("At", "W2", "Co", "En", "Re", "Li")
NAMED = tuple(name for name in CASCADE if name not in NAMELESS)
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


#: The numerical effects that a negotiated trait can have.
EFFECTS = ("dice", "difficulty", "scene-beads", "bead-price", "bead-return", "card-worth", "forced-discard")


#: Effects that can be a bonus or a penalty.
EITHER_WAY = ("dice", "difficulty", "scene-beads")


#: The characters who are forced to discard: one chosen character, or all others.
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


#: How far a change of the story reaches, by tier.
SCOPES = {1: "turn", 2: "scene", 3: "session", 4: "world"}
CLASSES = {"suited": 2, "related": 1, "off": 0}


#: The statuses of characters who can no longer act.
GONE = ("dead", "sacrificed", "retired")
MOST_DAMAGE = 6
STANDARD_TN = 7


#: Matches a text like `1e999999999`, whose fraction would have too many digits.
ENDLESS = re.compile(r"[eE][+-]?[\d_]{3,}")


#: Points are counted in 120ths, so that halves, thirds, quarters, fifths and eighths are whole.
POINT = 120


#: A number, a name or a card as it was sent. It can be anything until a rule has read it.
Sent: TypeAlias = object
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


def read_whole(number: Sent, refusal: SharedRefusal, rule: RuleId, least: int = 0) -> int:
    """Return a whole number of at least `least`. Refuses any other value with `refusal`."""
    if type(number) is not int or number < least:
        raise refusal.under(rule, given=str(number), least=least)
    return number


def read_element(sent_name: Sent, rule: RuleId) -> str:
    """Return the Element with this name, or the Element whose suit has this name. Refuses `unknown-element`."""
    element = SUIT_NAMES.get(str(sent_name).lower(), str(sent_name).lower())
    if element not in ELEMENTS:
        raise UNKNOWN_ELEMENT.under(rule, element=str(sent_name))
    return element


def read_primary(sent_name: Sent, rule: RuleId) -> str:
    if str(sent_name).lower() not in PRIMARIES:
        raise UNKNOWN_CHARACTERISTIC.under(rule, characteristic=str(sent_name))
    return str(sent_name).lower()


def read_characteristic(sent_name: Sent, rule: RuleId) -> str:
    """Return one of the twenty characteristics, by its name or its letters: `body`, `S`, `W2` and so on. Refuses
    `unknown-characteristic`.
    """
    if sent_name in CASCADE:
        return str(sent_name)
    return read_primary(sent_name, rule)


def read_chip_colour(sent_name: Sent, rule: RuleId) -> str:
    if sent_name not in CHIPS:
        raise UNKNOWN_CHIP.under(rule, chip=str(sent_name))
    return str(sent_name)


def read_card_class(sent_name: Sent, rule: RuleId) -> str:
    if sent_name not in CLASSES:
        raise UNKNOWN_CARD_CLASS.under(rule, card_class=str(sent_name))
    return str(sent_name)


def read_level(level: Sent, rule: RuleId) -> int:
    """Return the level with this name (`near`) or number (1). Refuses `unknown-level`."""
    if type(level) is int and level in LEVEL_NAMES:
        return level
    if isinstance(level, str) and level.lower() in LEVELS:
        return LEVELS[level.lower()]
    raise UNKNOWN_LEVEL.under(rule, level=str(level))


def read_fraction(number: Sent, rule: RuleId, refusal: Refusal | SharedRefusal = COST_NOT_EXACT) -> Fraction:
    """Return a fraction, sent as a whole number or as text (`3/2`, `0.5`)."""
    try:
        if type(number) is int or (isinstance(number, str) and len(number) <= 40 and not ENDLESS.search(number)):
            return Fraction(number)
    except (ValueError, ZeroDivisionError):
        pass
    raise refusal.under(rule, given=str(number))


def read_points(cost: Fraction, rule: RuleId) -> int:
    """Return a cost in 120ths of a point. Refuses `cost-not-exact` if it is not whole, or larger than JSON can hold."""
    amount = cost * POINT
    if amount.denominator != 1 or abs(amount) > MOST_WHOLE:
        raise COST_NOT_EXACT.under(rule, cost=str(cost))
    return int(amount)


def halve(number: int) -> int:
    return (number + 1) // 2


def read_card_value(card: str) -> int:
    return RANKS[card[:-1]]


def read_card_element(card: str) -> str:
    return SUITS[card[-1]]


def find_card_class(card_element: str, element: str) -> str:
    """Return the class of a card, from the card's Element and the Element of the roll."""
    if card_element == element:
        return "suited"
    return "related" if RELATED[card_element] == element else "off"


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
    "value-not-positive",
    "[For {disadvantage}, enter 0 or more points][Enter a whole number: {least} or more, not {given}].",
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


# --- in sentences -----------------------------------------------------------------------------------------------------

LEVEL_WORDS: Mapping[str, str] = {
    "spectacular_failure": "a Spectacular Failure",
    "failure": "a Failure",
    "near": "a Near Success",
    "marginal": "a Marginal Success",
    "success": "a Success",
    "outstanding": "an Outstanding Success",
}
RANK_WORDS: Mapping[str, str] = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUIT_WORDS: Mapping[str, str] = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}
CLASS_WORDS: Mapping[str, str] = {"suited": "suited", "related": "related", "off": "off suit"}
#: The source names eleven characteristics in full. The others are named by their letters and Primaries.
CHARACTERISTIC_WORDS: Mapping[str, str] = {
    "S": "Strength",
    "T": "Toughness",
    "Sp": "Speed",
    "R": "Reasoning",
    "K": "Knowledge",
    "P": "Perception",
    "W": "Will",
    "E": "Essence",
    "L": "Luck",
    "C": "Coordination",
    "Pr": "Presence",
    "At": "At (Body-Mind)",
    "W2": "W (Mind-Spirit)",
    "Co": "Co (Mind-Spirit)",
    "En": "En (Body-Spirit)",
    "Re": "Re (Body-Spirit)",
    "Li": "Li (Body-Mind-Spirit)",
}
SCOPE_WORDS: Mapping[str, str] = {
    "turn": "for this turn",
    "scene": "for this scene",
    "session": "for this session",
    "world": "beyond this session",
}
ADVANTAGE_WORDS: Mapping[str, str] = {
    "action-hero": "Action Hero dice",
    "weapons-master": "Weapons Master dice",
    "floating-dice": "floating dice",
}


def say_card(name: str) -> str:
    """Return a card's name: `8C` is the 8 of clubs, `KS` the king of spades."""
    return f"the {RANK_WORDS.get(name[:-1], name[:-1])} of {SUIT_WORDS[name[-1]]}" if name in DECK else name


#: The game's words, as people say them.
SPOKEN: Mapping[str, str] = {
    **{card: say_card(card) for card in DECK},
    **{word: word.title() for word in (*ELEMENTS, *PRIMARIES, *ARCHETYPES)},
    **{suit: element.title() for suit, element in SUIT_NAMES.items()},
    **LEVEL_WORDS,
    **CHARACTERISTIC_WORDS,
    **CLASS_WORDS,
    **{
        f"{what}:{period}": f"{phrase} for the {period}"
        for what, phrase in ADVANTAGE_WORDS.items()
        for period in PERIODS
    },
    **{
        f"weapons-master:{period}:{n}": f"Weapons Master dice for the {period} (group {n})"
        for period in PERIODS
        for n in range(2, MOST_GROUPS + 1)
    },
}
#: The words in refusals and derivations: cards, terms of the source, Advantages.
REASON_WORDS: Mapping[str, str] = {
    **{word: spoken for word, spoken in SPOKEN.items() if word not in (*LEVEL_WORDS, *CLASS_WORDS, *SUIT_NAMES)},
    "hand-of-fate": "Hand of Fate",
    "fortune": "Fortune",
    "vortex": "Vortex",
}


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def say_word(word: object) -> str:
    return SPOKEN.get(str(word), words(str(word)))


def say_count(count: object, singular: str, plural: str) -> str:
    return f"{'no' if count == 0 else count} {singular if count == 1 else plural}"


def say_chips(counts: Mapping[str, object]) -> str:
    """Return the chips in words: `1 white chip and 2 red chips`."""
    phrases = [say_count(number, f"{colour} chip", f"{colour} chips") for colour, number in counts.items() if number]
    return listed(phrases or ["no chips"])


def say_beads(counts: Mapping[str, object]) -> str:
    """Return the beads in words: `7 Action beads and 1 Plot bead`."""
    pairs = [(say_word(element), number) for element, number in counts.items() if number]
    return listed([say_count(number, f"{kind} bead", f"{kind} beads") for kind, number in pairs] or ["no beads"])


def say_tokens(counts: Mapping[str, object]) -> str:
    """Return the tokens in words: `2 tokens of Body`."""
    pairs = [(say_word(primary), number) for primary, number in counts.items() if number]
    return listed([f"{say_count(number, 'token', 'tokens')} of {kind}" for kind, number in pairs] or ["no tokens"])


def say_words(value: object, names: Names) -> str:
    """Put into words a word of the game, several words, or how many there are of each. Return ""
    for any other value.
    """
    if isinstance(value, str):
        return SPOKEN.get(value, "")
    if isinstance(value, Mapping):
        sayers_by_kinds = ((CHIPS, say_chips), (PRIMARIES, say_tokens), (ELEMENTS, say_beads))
        return next((say_counts(value) for kinds, say_counts in sayers_by_kinds if _is_count_of(value, kinds)), "")
    if isinstance(value, tuple) and all(isinstance(word, str) and word in SPOKEN for word in value):
        return listed(map(say_word, value))
    return ""


def _is_count_of(counts: Mapping[str, object], kinds: Container[str]) -> bool:
    return all(kind in kinds and isinstance(number, int) for kind, number in counts.items())


SPEECH = Speech(words=say_words)
by_value, whether = SPEECH.by_value, SPEECH.whether


def say_level(level: object) -> str:
    return LEVEL_WORDS.get(LEVEL_NAMES.get(level, "") if isinstance(level, int) else str(level).lower(), str(level))


def say_who(names: Names, char_id: str) -> str:
    return names.name(character(char_id))


def say_subject(names: Names) -> str:
    return names.name(names.subject) if isinstance(names, About) else "somebody"


def say_people(names: Names, ids: Iterable[str]) -> str:
    return listed(say_who(names, char_id) for char_id in ids)


def say_with(beginning: str, text: str) -> str:
    """Return the sentence, followed by text that a person added. The text can have its own full stop."""
    addition = text.strip()
    return f"{beginning}: {addition}{'' if addition.endswith(ENDS) else '.'}" if addition else f"{beginning}."
