"""Parts of sentences: sides of a resolution, Ratings, and things that are ids or names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial

from ledger.rules.kernel.phrases import About, Names, Phrase, Saying, list_fields, listed, sentence, words
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot.tables import STATISTICS
from ledger.rules.scattershot.terms import ACTOR, REACTION

#: What the ledger calls things it numbers, and seats: where a field can hold a name instead.
AN_ID = re.compile(r"\d+(-\d+)?")
A_SEAT = re.compile(r"s\d+")
#: Fields with names of Ratings, of which Statistics are written with capitals.
RATINGS = ("ability", "characteristic", "magnitude", "rating", "resource")
#: Fields with a side of a resolution.
SIDES = ("roll", "side", "target")
#: Fields with a Character's id or a thing's name.
THINGS = ("element", "subject")
OWN = (*RATINGS, *SIDES, *THINGS)
#: On both sides of a field whose value is put in at the end.
OPEN = "\x02"
FREE: Mapping[str, str] = {
    "look-around": "looks around",
    "drop-item": "drops something",
    "fall-down": "drops to the ground",
    "move-a-yard": "moves a yard",
    "soliloquy": "gives a soliloquy",
    "change-ability": "changes the ability in use",
    "last-ditch-dodge": "tries a Last-Ditch Dodge",
}


def called(name: str) -> str:
    """A Rating by name: `hit-points` is Hit Points."""
    return words(name).title() if name in STATISTICS else name.strip()


def side(name: str, names: Names) -> str:
    """Return the Actor, a Resistor by name, or the Character that makes a Reaction roll."""
    if name.startswith(REACTION):
        return f"{names.name(character(name.removeprefix(REACTION)))} (Off-Guard)"
    return "the Actor" if name == ACTOR else names.name(character(name))


def whose(name: str, names: Names) -> str:
    """Return the MIB of the Action or of a Resistor, or a Reaction roll."""
    if name == ACTOR:
        return "the MIB"
    if name.startswith(REACTION):
        return f"{names.name(character(name.removeprefix(REACTION)))}'s Reaction roll"
    return f"{side(name, names)}'s MIB"


def thing(name: str, names: Names) -> str:
    """Return a Character or an element of the campaign by name."""
    return names.name(character(name)) if AN_ID.fullmatch(name) else name.strip()


def anybody(name: str, names: Names) -> str:
    """Return what a vote is for: a seat, a Character, or words."""
    return names.name(seat(name)) if A_SEAT.fullmatch(name) else thing(name, names)


def quoted(text: str) -> str:
    """Return a Player's own words to end a sentence with, or a full stop."""
    return f": “{text.strip()}”" if text.strip() else "."


def because(text: str) -> str:
    said = text.strip().removesuffix(".")
    return f" ({said})" if said else ""


def dice(n: object, one: str, many: str) -> str:
    """Return a number and its noun, or nothing for 0."""
    return f"{n} {one if n == 1 else many}" if n else ""


def signed(amount: object) -> str:
    return f"+{amount}" if isinstance(amount, int) and amount > 0 else str(amount)


def lasting(until: str) -> str:
    """Return how long something lasts, to follow a comma."""
    said = until.strip().rstrip(".")
    if said in ("session", "scene", "campaign"):
        return f"until the end of the {'Session' if said == 'session' else said}"
    return said if said.startswith(("until", "till", "for", "as long")) else f"until this happens: {said}"


def say(phrase: str, done: object, names: Names) -> str:
    """The sentence, with sides, things and Ratings by what people call them.

    These are put in at the end: what is in somebody's own words is no template, whatever brackets it has.
    """
    own = {}
    for field in list_fields(phrase):
        value = getattr(done, field, None)
        if isinstance(value, str) and value and field in OWN:
            place = f"{OPEN}{field}{OPEN}"
            own[place] = _own(field, value, names)
            phrase = phrase.replace(f"{{{field}}}", place)
    made = sentence(phrase, done, names, names.subject if isinstance(names, About) else None)
    for place, value in own.items():
        made = made.replace(place, value)
    return made


def _own(field: str, value: str, names: Names) -> str:
    if field in RATINGS:
        return called(value)
    return side(value, names) if field in SIDES else thing(value, names)


def spoken(phrases: Mapping[type[object], Phrase]) -> Mapping[type[object], Phrase]:
    """The phrases, each with what people call things."""
    return {
        cls: partial(say, one) if isinstance(one, str) and set(OWN) & set(list_fields(one)) else one
        for cls, one in phrases.items()
    }


def by(field: str, phrases: Mapping[object, str]) -> Saying:
    """The phrase for what the field says."""
    return lambda done, names: say(phrases[getattr(done, field)], done, names)


def whether(field: str, holds: str, otherwise: str) -> Saying:
    """The one where the field says something, else the other."""
    return lambda done, names: say(holds if getattr(done, field) else otherwise, done, names)


def people(ids: Iterable[str], names: Names) -> str:
    return listed(names.name(character(id)) for id in ids)


def seats(ids: Iterable[str], names: Names) -> str:
    return listed(names.name(seat(id)) for id in ids)
