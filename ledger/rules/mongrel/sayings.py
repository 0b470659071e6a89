"""How the sentences of this game choose their words: by a field, by the name of a House or a trait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ledger.rules.kernel.phrases import Names, Saying, listed, sentence
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.terms import called

#: Fields that hold words of the game, which people write with a capital.
GAME_WORDS = (
    "against", "attribute", "expertise", "feature", "features", "house", "identity", "imitates", "primary", "reduce",
)  # fmt: skip


def say(phrase: str, fact: object, names: Names, fields: tuple[str, ...] = GAME_WORDS) -> str:
    """The sentence, with words of the game as people write them."""
    for field in fields:
        value = getattr(fact, field, None)
        if value and f"{{{field}}}" in phrase:
            values = [value] if isinstance(value, str) else value
            phrase = phrase.replace(f"{{{field}}}", listed(called(word) for word in values))
    return sentence(phrase, fact, names)


def spoken(phrase: str) -> Saying:
    """Return the phrase, with words of the game as people write them."""
    return partial(say, phrase)


def by(field: str, phrases: Mapping[object, str]) -> Saying:
    """The phrase for what the field says."""
    return lambda fact, names: say(phrases[getattr(fact, field)], fact, names)


def whether(field: str, holds: str, otherwise: str) -> Saying:
    """Return the one where the field says something, else the other: a blank text says nothing."""
    return lambda fact, names: say(holds if str(getattr(fact, field) or "").strip() else otherwise, fact, names)


def in_turn(queue: Iterable[str], names: Names) -> str:
    return ", then ".join(names.name(character(id)) for id in queue)


def add_difficulty(word: Any) -> str:
    """Return how a sentence goes on where there is a difficulty."""
    return " at difficulty {difficulty}" if word.difficulty else ""
