"""The game's words for people, and sentences that depend on a field.

Text that people wrote is never part of a template: it is filled in, or follows the finished sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import get_args

from ledger.rules.kernel.kit import (
    ENDS,
    About,
    Names,
    OneOf,
    Saying,
    character,
    list_fields,
    listed,
    load_marked_hints,
    sentence,
    split_marks,
    words,
)
from ledger.rules.moc.state import Play
from ledger.rules.moc.words import (
    ARCHETYPES,
    CHIPS,
    DECK,
    ELEMENTS,
    LEVEL_NAMES,
    MOST_GROUPS,
    PERIODS,
    PRIMARIES,
    SUIT_NAMES,
)

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


#: The source names eleven in full. The others are named by their letters and Primaries.
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


#: The game's words as people say them. Nobody can add to them, so a template can contain them.
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


#: Those in refusals and derivations: cards, terms of the source, Advantages.
SAID: Mapping[str, str] = {
    **{word: spoken for word, spoken in SPOKEN.items() if word not in (*LEVEL_WORDS, *CLASS_WORDS, *SUIT_NAMES)},
    "hand-of-fate": "Hand of Fate",
    "fortune": "Fortune",
    "vortex": "Vortex",
}


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def say_word(word: object) -> str:
    return SPOKEN.get(str(word), words(str(word)))


def say_count(number: object, single: str, many: str) -> str:
    return f"{'no' if number == 0 else number} {single if number == 1 else many}"


def say_chips(held: Mapping[str, object]) -> str:
    """Return the chips: `1 white chip and 2 red chips`."""
    return _say_each(held, "chip")


def _say_each(held: Mapping[str, object], what: str) -> str:
    counts = [say_count(number, f"{kind} {what}", f"{kind} {what}s") for kind, number in held.items() if number]
    return listed(counts) if counts else f"no {what}s"


def say_beads(held: Mapping[str, object]) -> str:
    """Return the beads: `7 Action beads and 1 Plot bead`."""
    return _say_each({say_word(element): number for element, number in held.items()}, "bead")


def say_tokens(held: Mapping[str, object]) -> str:
    """Return the tokens: `2 tokens of Body`."""
    counts = [
        f"{say_count(number, 'token', 'tokens')} of {say_word(primary)}" for primary, number in held.items() if number
    ]
    return listed(counts) if counts else "no tokens"


def say_points(cost: str) -> str:
    """Return a cost in points: `3/2` is `1 1/2 points`."""
    try:
        exact = abs(Fraction(cost))
    except (ValueError, ZeroDivisionError):
        return f"{cost} points"
    whole, rest = divmod(exact, 1)
    if rest and not whole:
        return f"{rest} of a point"
    return f"{whole}{f' {rest}' if rest else ''} {'point' if exact == 1 else 'points'}"


def say_level(number: object) -> str:
    """Return a level by its name or number."""
    return LEVEL_WORDS.get(LEVEL_NAMES.get(number, "") if isinstance(number, int) else str(number).lower(), str(number))


def say_who(names: Names, id: str) -> str:
    return names.name(character(id))


def say_whom(names: Names) -> str:
    """Return the name of the fact's subject."""
    return names.name(names.subject) if isinstance(names, About) else "somebody"


def say_people(names: Names, ids: Iterable[str]) -> str:
    return listed(say_who(names, id) for id in ids)


def say_with(beginning: str, text: str) -> str:
    """Return the sentence with the text that somebody added. The text can have its own full stop."""
    own = text.strip()
    return f"{beginning}: {own}{'' if own.endswith(ENDS) else '.'}" if own else f"{beginning}."


def say_dice(what: str) -> tuple[str, str]:
    """Return the name of an Advantage's dice, singular and plural."""
    many = ADVANTAGE_WORDS[what]
    return f"{many.removesuffix('dice')}die", many


_KNOWN: dict[type[object], Mapping[str, frozenset[str]]] = {}


def say(phrase: str, fact: object, names: Names) -> str:
    """Return the sentence, with the game's words as people say them."""
    for field in list_fields(phrase):
        spoken_ = _say_field(fact, field)
        if spoken_:
            phrase = phrase.replace(f"{{{field}}}", spoken_)
    return sentence(phrase, fact, names)


def _say_field(fact: object, field: str) -> str:
    """Return a field that holds or counts the game's words; empty for any other."""
    value, kept = getattr(fact, field, None), _find_words(type(fact)).get(field, frozenset())
    if not value or not kept:
        return ""
    if isinstance(value, str):
        return SPOKEN.get(value, "")
    if isinstance(value, Mapping):
        if not all(isinstance(number, int) and key in kept for key, number in value.items()):
            return ""
        return say_chips(value) if kept <= {*CHIPS} else say_tokens(value) if kept <= {*PRIMARIES} else say_beads(value)
    return listed(map(SPOKEN.__getitem__, value)) if all(word in SPOKEN for word in value) else ""


def _find_words(cls: type[object]) -> Mapping[str, frozenset[str]]:
    """Return the game's words that fields of a class can hold."""
    if cls not in _KNOWN:
        _KNOWN[cls] = _read_off(cls)
    return _KNOWN[cls]


def _read_off(cls: type[object]) -> Mapping[str, frozenset[str]]:
    return {field: frozenset(_list_words(hint)) for field, hint in load_marked_hints(cls).items()}


def _list_words(hint: object) -> Iterable[str]:
    plain, marks = split_marks(hint)
    for mark in marks:
        if isinstance(mark, OneOf):
            yield from mark.words
    for part in get_args(plain):
        yield from _list_words(part)


def _has_game_words(cls: type[object], phrase: str) -> bool:
    return any(_find_words(cls).get(field) for field in list_fields(phrase))


def by(field: str, phrases: Mapping[object, str]) -> Saying:
    """Return a saying whose phrase depends on the field's value."""
    return lambda fact, names: say(phrases[getattr(fact, field)], fact, names)


def whether(field: str, holds: str, otherwise: str) -> Saying:
    """Return a saying with the first phrase if the field has a value, else with the second."""
    return lambda fact, names: say(holds if getattr(fact, field) else otherwise, fact, names)


def spoken(phrase: str) -> Saying:
    """Return a saying with the game's words as people say them."""
    return partial(say, phrase)


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def say_place(place: object) -> str:
    """Return an ordinal. 0 is the first."""
    return ORDINALS[place] if isinstance(place, int) and 0 <= place < len(ORDINALS) else f"{place}."


def say_part(place: object) -> str:
    """Return which part of a split pool. The first has no name, because it can be the only one."""
    return f" of the {say_place(place)} part" if place else ""


def say_play(play: Play) -> str:
    """Return what is played: a card, beads or a chip."""
    if play.kind == "card":
        return say_card(play.card)
    return say_beads({play.element: play.number}) if play.kind == "beads" else f"a {play.colour} chip"


def say_dice_shown(faces: Iterable[int], bonus: Iterable[int]) -> str:
    fell, opened = [*faces], [*bonus]
    if not fell:
        return "no dice"
    bonus_dice = f", plus bonus {'die' if len(opened) == 1 else 'dice'} {listed(map(str, opened))}" if opened else ""
    return listed(map(str, fell)) + bonus_dice


#: Dice by the kind of roll.
DICE_OF = {
    "roll": "roll",
    "damage": "damage",
    "resisting": "resistance",
    "initiative": "initiative",
    "healing": "healing",
    "dice": "roll",
}
