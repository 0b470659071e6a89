"""Sentences in a game's own words, and sentences that depend on a field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, get_args

from ledger.rules.kernel.domains import OneOf, load_marked_hints, split_marks
from ledger.rules.kernel.phrases import Names, Phrase, Saying, Teller, list_fields, sentence


@dataclass(frozen=True, slots=True)
class Speech:
    """A game's own words in sentences.

    `fields`: tellers by field name. `words`: the teller of fields with words of the game (`OneOf`). A teller can return
    an empty text for the default wording. It is not called for empty values.
    """

    fields: Mapping[str, Teller] = field(default_factory=dict)
    words: Teller | None = None

    def say(self, phrase: str, record: object, names: Names) -> str:
        """Return the sentence in the game's own words."""
        return sentence(phrase, record, names, own_words=self._word_field)

    def by_value(self, name: str, phrases: Mapping[object, str]) -> Saying:
        """Return a `Saying` with one phrase for each value of the field."""
        return lambda record, names: self.say(phrases[getattr(record, name)], record, names)

    def whether(self, name: str, holds: str, otherwise: str) -> Saying:
        """Return a `Saying` with the first phrase if the field has a value, else the second. Blank text counts as no
        value.
        """
        return lambda record, names: self.say(holds if _has_value(getattr(record, name)) else otherwise, record, names)

    def word_phrases(self, phrases: Mapping[type[object], Phrase]) -> Mapping[type[object], Phrase]:
        """Return the phrases by class, with templates that use the game's own words."""
        return {
            cls: partial(self.say, phrase) if isinstance(phrase, str) and self._has_own_words(cls, phrase) else phrase
            for cls, phrase in phrases.items()
        }

    def _has_own_words(self, cls: type[object], phrase: str) -> bool:
        return any(self._find_teller(cls, name) is not None for name in list_fields(phrase))

    def _word_field(self, record: object, name: str, names: Names) -> str:
        value, tell = getattr(record, name, None), self._find_teller(type(record), name)
        return tell(value, names) if value and tell is not None else ""

    def _find_teller(self, cls: Any, name: str) -> Teller | None:
        if name in self.fields:
            return self.fields[name]
        return self.words if self.words is not None and name in _list_fields_of_words(cls) else None


def _has_value(value: object) -> bool:
    return bool(value.strip() if isinstance(value, str) else value)


@cache
def _list_fields_of_words(cls: type[object]) -> frozenset[str]:
    return frozenset(name for name, hint in load_marked_hints(cls).items() if _has_listed_words(hint))


def _has_listed_words(hint: object) -> bool:
    plain_type, marks = split_marks(hint)
    return any(isinstance(mark, OneOf) for mark in marks) or any(map(_has_listed_words, get_args(plain_type)))
