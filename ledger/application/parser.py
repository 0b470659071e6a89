"""Parse requests into the records that a game declares. This is the only parser. It accepts exactly what the schema
allows.

It reports all mistakes together. Each mistake has its place, the given value, the allowed values, and the value that
was probably meant. A word is accepted with other capitals, spaces, underscores or hyphens if it is still unique.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from ledger.errors import Malformed
from ledger.rules.kernel.domains import (
    MOST_ITEMS,
    MOST_TEXT,
    MOST_WHOLE,
    OPEN,
    Between,
    Mark,
    OneOf,
    Prose,
    load_marked_hints,
    split_marks,
)
from ledger.rules.kernel.json_types import join_pointer

#: The form of the given value in a mistake.
Scalar: TypeAlias = str | int | float | bool | None
MOST_TOLD = 50  # the most allowed words that a message lists
MOST_MISTAKES = 50  # mistakes described; the rest are only counted, because finding the intended word takes a long time
LONGEST_GIVEN = 100  # characters of the given value that are repeated


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake. `pointer`: its place, a JSON Pointer (RFC 6901). `type`: a stable name. `given`: the value that was
    sent, shortened.

    `allowed`: up to 50 of the possible values. `did_you_mean`: the nearest of them.
    """

    pointer: str
    message: str
    type: str
    given: Scalar = None
    allowed: tuple[Any, ...] = ()
    did_you_mean: str | None = None


class Mistaken(Malformed):
    """The value sent is not valid. `mistake_count`: the number of all mistakes. `mistakes`: the first of them."""

    def __init__(self, mistakes: Iterable[Mistake], count: int | None = None) -> None:
        self.mistakes = tuple(mistakes)
        self.mistake_count = len(self.mistakes) if count is None else count
        count_sentence = f" There are {self.mistake_count} mistakes." if self.mistake_count > 1 else ""
        super().__init__(f"{self.mistakes[0].pointer}: {self.mistakes[0].message}{count_sentence}")


class _Missing:
    """Stands for a value that could not be parsed."""


MISSING: Final = _Missing()


def parse(
    cls: type[object], sent_value: object, pointer: str = "", open_types: Mapping[str, object] | None = None
) -> Any:
    """Return the record. Raise Mistaken with every mistake. `open_types`: the types of fields that the class leaves
    open.
    """
    reading = _Reading()
    record = reading.parse_record(cls, sent_value, pointer, open_types or {})
    if reading.mistake_count:
        raise Mistaken(reading.mistakes, reading.mistake_count)
    return record


def parse_value(hint: object, sent_value: object, pointer: str = "") -> Any:
    """Return a value of this type. Raise the same errors as `parse`."""
    reading = _Reading()
    value = reading.parse_value(sent_value, hint, pointer)
    if reading.mistake_count:
        raise Mistaken(reading.mistakes, reading.mistake_count)
    return value


class _Reading:
    """Parses one value. `mistake_count`: the number of mistakes in it. `mistakes`: the first of these mistakes."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.mistake_count = 0

    def parse_record(self, cls: type, sent_value: object, pointer: str, open_types: Mapping[str, object]) -> object:
        if not isinstance(sent_value, Mapping):
            return self._report_mistake(
                pointer, f"This must be an object, not {_describe_kind(sent_value)}.", "model_type", sent_value
            )
        hints = {**load_marked_hints(cls), **open_types}
        fields = {field.name: field for field in dataclasses.fields(cls)}
        for name in sent_value:
            if name not in fields:
                self._add_mistake(
                    partial(make_unknown_mistake, _point_at_name(pointer, name), "field", str(name), [*fields])
                )
        values = {}
        for name, field in fields.items():
            if name in sent_value:
                values[name] = self.parse_value(sent_value[name], hints[name], _point_at_name(pointer, name))
            elif _is_needed(field):
                self._report_mistake(_point_at_name(pointer, name), f"{name!r} is missing.", "missing", MISSING)
        return MISSING if self.mistake_count else cls(**values)

    def parse_value(self, sent_value: object, hint: object, pointer: str, marks: Sequence[Mark] = ()) -> object:
        plain_type, own_marks = split_marks(hint)
        marks = (*marks, *own_marks)
        origin, type_arguments = get_origin(plain_type), get_args(plain_type)
        if origin in (Union, types.UnionType):
            return self._parse_union(sent_value, type_arguments, pointer, marks)
        if origin is Literal:
            return self._parse_word(sent_value, type_arguments, pointer)
        if dataclasses.is_dataclass(plain_type) and isinstance(plain_type, type):
            return self.parse_record(plain_type, sent_value, pointer, {})
        if origin in (tuple, frozenset, list):
            return self._parse_items(sent_value, origin, type_arguments, pointer)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._parse_pairs(sent_value, type_arguments, pointer)
        return self._parse_plain_value(sent_value, plain_type, pointer, marks)

    def _parse_plain_value(self, sent_value: object, plain_type: object, pointer: str, marks: Sequence[Mark]) -> object:
        limits = next((mark for mark in marks if isinstance(mark, Between)), None)
        if plain_type is int or (plain_type in OPEN and limits is not None):
            return self._parse_integer(sent_value, limits or Between(), pointer)
        if plain_type is bool:
            return (
                sent_value
                if isinstance(sent_value, bool)
                else self._report_type(pointer, "true or false", "bool_type", sent_value)
            )
        if plain_type is type(None):
            return None if sent_value is None else self._report_type(pointer, "null", "none_required", sent_value)
        if plain_type is str or (plain_type in OPEN and any(isinstance(mark, OneOf | Prose) for mark in marks)):
            return self._parse_text(sent_value, marks, pointer)
        if plain_type in OPEN or isinstance(plain_type, TypeVar):
            return sent_value
        raise TypeError(f"no domain: {plain_type!r}")

    def _parse_integer(self, sent_value: object, limits: Between, pointer: str) -> object:
        if type(sent_value) is not int:
            return self._report_type(pointer, "a whole number", "int_type", sent_value)
        least = -MOST_WHOLE if limits.least is None else limits.least
        most = MOST_WHOLE if limits.most is None else limits.most
        if not least <= sent_value <= most:
            allowed_range = f"from {least} to {most}" if limits.most is not None else f"of at least {least}"
            kind = "greater_than_equal" if sent_value < least else "less_than_equal"
            return self._report_mistake(pointer, f"Enter a number {allowed_range}, not {sent_value}.", kind, sent_value)
        return sent_value

    def _parse_text(self, sent_value: object, marks: Sequence[Mark], pointer: str) -> object:
        if type(sent_value) is not str:
            return self._report_type(pointer, "text", "string_type", sent_value)
        for mark in marks:
            if isinstance(mark, OneOf):
                return self._parse_word(sent_value, mark.words, pointer)
        most = min([MOST_TEXT, *(mark.most for mark in marks if isinstance(mark, Prose))])
        if len(sent_value) > most:
            return self._report_mistake(pointer, f"Enter at most {most} characters.", "text-too-long", sent_value)
        return sent_value

    def _parse_word(self, sent_value: object, words: Sequence[object], pointer: str) -> object:
        for word in words:
            if type(word) is type(sent_value) and word == sent_value:
                return word
        alike_words = (
            _index_by_fold(_select_texts(words)).get(fold_word(sent_value), ()) if isinstance(sent_value, str) else ()
        )
        if len(alike_words) == 1:
            return alike_words[0]
        self._add_mistake(partial(make_not_among_mistake, pointer, sent_value, words))
        return MISSING

    def _parse_union(
        self, sent_value: object, branches: Sequence[object], pointer: str, marks: Sequence[Mark]
    ) -> object:
        """Return the value, parsed as the first of these types that it fits. If it fits none, report the mistakes for
        the closest type.
        """
        attempts: list[tuple[bool, _Reading]] = []
        for branch in branches:
            reading = _Reading()
            value = reading.parse_value(sent_value, branch, pointer, marks)
            if not reading.mistake_count:
                return value
            is_of_other_type = any(
                mistake.pointer == pointer and mistake.type.endswith(("_type", "_required"))
                for mistake in reading.mistakes
            )
            attempts.append((is_of_other_type, reading))
        _, nearest_reading = min(attempts, key=lambda attempt: (attempt[0], attempt[1].mistake_count))
        if all(is_of_other_type for is_of_other_type, _ in attempts):
            kinds = " or ".join(dict.fromkeys(_describe_type(branch) for branch in branches))
            return self._report_mistake(
                pointer, f"This must be {kinds}, not {_describe_kind(sent_value)}.", "union_type", sent_value
            )
        self.mistakes += nearest_reading.mistakes[: MOST_MISTAKES - len(self.mistakes)]
        self.mistake_count += nearest_reading.mistake_count
        return MISSING

    def _parse_items(self, sent_value: object, origin: object, item_types: Sequence[object], pointer: str) -> object:
        if not isinstance(sent_value, list | tuple):
            return self._report_type(pointer, "a list", "list_type", sent_value)
        has_fixed_length = origin is tuple and item_types[-1] is not Ellipsis
        if has_fixed_length and len(sent_value) != len(item_types):
            return self._report_mistake(
                pointer, f"This list must have {len(item_types)} items, not {len(sent_value)}.", "length", sent_value
            )
        if len(sent_value) > MOST_ITEMS:
            return self._report_mistake(
                pointer, f"A list can have at most {MOST_ITEMS} items here.", "too_long", len(sent_value)
            )
        hints = item_types if has_fixed_length else [item_types[0]] * len(sent_value)
        items = [
            self.parse_value(item, hint, f"{pointer}/{place}")
            for place, (item, hint) in enumerate(zip(sent_value, hints, strict=True))
        ]
        return MISSING if self.mistake_count else (frozenset(items) if origin is frozenset else tuple(items))

    def _parse_pairs(self, sent_value: object, type_arguments: Sequence[object], pointer: str) -> object:
        if not isinstance(sent_value, Mapping):
            return self._report_type(pointer, "an object", "dict_type", sent_value)
        if len(sent_value) > MOST_ITEMS:
            return self._report_mistake(
                pointer, f"An object can have at most {MOST_ITEMS} fields here.", "too_long", len(sent_value)
            )
        key_type, value_type = type_arguments
        pairs = {}
        for name, value in sent_value.items():
            key = self.parse_value(name, key_type, _point_at_name(pointer, name))
            pairs[name if key is MISSING else key] = self.parse_value(value, value_type, _point_at_name(pointer, name))
        return MISSING if self.mistake_count else pairs

    # --- mistakes ---

    def _report_type(self, pointer: str, expected_text: str, kind: str, sent_value: object) -> _Missing:
        return self._report_mistake(
            pointer, f"This must be {expected_text}, not {_describe_kind(sent_value)}.", kind, sent_value
        )

    def _report_mistake(
        self,
        pointer: str,
        message: str,
        kind: str,
        sent_value: object,
        allowed: tuple[object, ...] = (),
        nearest_word: str | None = None,
    ) -> _Missing:
        self._add_mistake(
            lambda: Mistake(pointer, message, kind, shorten_sent_value(sent_value), allowed, nearest_word)
        )
        return MISSING

    def _add_mistake(self, describe: Callable[[], Mistake]) -> None:
        self.mistake_count += 1
        if len(self.mistakes) < MOST_MISTAKES:
            self.mistakes.append(describe())


def make_not_among_mistake(pointer: str, sent_value: object, words: Sequence[object]) -> Mistake:
    """Return the mistake for a value that is not one of the allowed words."""
    nearest_word = find_nearest_word(sent_value, _select_texts(words))
    suggestion = f" Did you mean {nearest_word!r}?" if nearest_word else ""
    listing = "the allowed values: " + ", ".join("null" if word is None else repr(word) for word in words)
    if len(words) > MOST_TOLD:
        listing = f"the {len(words)} allowed values"
    message = f"{shorten_sent_value(sent_value)!r} is not one of {listing}.{suggestion}"
    return Mistake(
        pointer, message, "literal_error", shorten_sent_value(sent_value), tuple(words[:MOST_TOLD]), nearest_word
    )


def make_unknown_mistake(pointer: str, noun: str, name: str, known_names: Sequence[str]) -> Mistake:
    """Return the mistake for an unknown name. `noun`: the kind of name, such as a field or a parameter."""
    nearest_name = find_nearest_word(name, known_names)
    suggestion = (
        f"Did you mean {nearest_name!r}?"
        if nearest_name
        else f"Use one of these: {', '.join(known_names[:MOST_TOLD])}."
    )
    message = f"There is no {noun} {shorten_sent_value(name)!r}. {suggestion if known_names else ''}".rstrip()
    return Mistake(
        pointer, message, "extra_forbidden", shorten_sent_value(name), tuple(known_names[:MOST_TOLD]), nearest_name
    )


def fold_word(word: str) -> str:
    """Return a word in lower case, without spaces, underscores and hyphens."""
    return "".join(letter for letter in word.casefold() if letter not in " _-")


def find_nearest_word(sent_value: object, words: Sequence[str]) -> str | None:
    """Return the word that was probably meant, or None if none is similar."""
    if not isinstance(sent_value, str) or len(sent_value) > LONGEST_GIVEN:
        return None
    words_by_fold = _index_by_fold(tuple(words))
    matches = get_close_matches(fold_word(sent_value), list(words_by_fold), 1, 0.6)
    return words_by_fold[matches[0]][0] if matches else None


@lru_cache(1000)
def _index_by_fold(words: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Group the words by their form in `fold_word`."""
    words_by_fold: dict[str, tuple[str, ...]] = {}
    for word in words:
        words_by_fold[fold_word(word)] = (*words_by_fold.get(fold_word(word), ()), word)
    return words_by_fold


def _select_texts(words: Iterable[object]) -> tuple[str, ...]:
    return tuple(word for word in words if isinstance(word, str))


def _is_needed(field: dataclasses.Field[object]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _point_at_name(pointer: str, name: object) -> str:
    """Return the pointer to a field of the object at the pointer."""
    return pointer + join_pointer([name])


def shorten_sent_value(sent_value: object) -> Scalar:
    """Return the value to show in a mistake: a number or text (shortened if long), or else a description of
    its type.
    """
    if sent_value is MISSING:
        return None
    if sent_value is None or isinstance(sent_value, bool | int | float):
        return sent_value
    if isinstance(sent_value, str):
        return sent_value if len(sent_value) <= LONGEST_GIVEN else f"{sent_value[:LONGEST_GIVEN]}…"
    return _describe_kind(sent_value)


def _describe_kind(sent_value: object) -> str:
    kinds = ((bool, "true or false"), (int, "a number"), (float, "a decimal number"), (str, "text"))
    if sent_value is None:
        return "null"
    kind_name = next((name for cls, name in kinds if isinstance(sent_value, cls)), None)
    return kind_name or ("an object" if isinstance(sent_value, Mapping) else "a list")


def _describe_type(hint: object) -> str:
    plain_type, marks = split_marks(hint)
    if plain_type in OPEN and any(isinstance(mark, Between) for mark in marks):
        plain_type = int
    names_by_type: dict[object, str] = {bool: "true or false", int: "a whole number", str: "text", type(None): "null"}
    origin = get_origin(plain_type) or plain_type
    if plain_type in names_by_type:
        return names_by_type[plain_type]
    if origin is Literal:
        return "one of the allowed values"
    return "a list" if origin in (tuple, frozenset, list) else "an object"
