"""Parses what people send into the records a game declares. This is the only parser. It accepts exactly what the schema
allows.

It reports every mistake at once: where it is, what was given, what is allowed, what was probably meant. Differences in
capitals, spaces and underscores are ignored where the word stays clear.
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

#: What a mistake tells of what was given.
Scalar: TypeAlias = str | int | float | bool | None
MOST_TOLD = 50  # words that are listed where one of them is allowed
MOST_MISTAKES = 50  # mistakes described; the rest are counted, because finding what was meant takes long
LONGEST_GIVEN = 100  # characters of the given value that are repeated


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake. `pointer`: its place, a JSON Pointer (RFC 6901). `type`: stable. `given`: what was sent, cut short.

    `allowed`: up to 50 of the possible values. `did_you_mean`: the nearest of them.
    """

    pointer: str
    message: str
    type: str
    given: Scalar = None
    allowed: tuple[Any, ...] = ()
    did_you_mean: str | None = None


class Mistaken(Malformed):
    """What was sent does not fit. `mistakes`: the first `MOST_MISTAKES` of `count`."""

    def __init__(self, mistakes: Iterable[Mistake], count: int | None = None) -> None:
        self.mistakes = tuple(mistakes)
        self.count = len(self.mistakes) if count is None else count
        more = f" There are {self.count} mistakes." if self.count > 1 else ""
        super().__init__(f"{self.mistakes[0].pointer}: {self.mistakes[0].message}{more}")


class _Missing:
    """Stands for a value that was a mistake."""


MISSING: Final = _Missing()


def parse(cls: type[object], given: object, at: str = "", open_types: Mapping[str, object] | None = None) -> Any:
    """Return the record. Mistaken with every mistake. `open_types`: types of fields that the class leaves open."""
    reading = _Reading()
    record = reading.parse_record(cls, given, at, open_types or {})
    if reading.count:
        raise Mistaken(reading.mistakes, reading.count)
    return record


def parse_value(hint: object, given: object, at: str = "") -> Any:
    """Return a value of this type. As `parse`."""
    reading = _Reading()
    value = reading.parse_value(given, hint, at)
    if reading.count:
        raise Mistaken(reading.mistakes, reading.count)
    return value


class _Reading:
    """The parsing of one value. `count`: the mistakes in it. `mistakes`: the first of them."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.count = 0

    def parse_record(self, cls: type, given: object, at: str, open_types: Mapping[str, object]) -> object:
        if not isinstance(given, Mapping):
            return self._report_mistake(
                at, f"This must be an object, not {_describe_kind(given)}.", "model_type", given
            )
        hints = {**load_marked_hints(cls), **open_types}
        fields = {field.name: field for field in dataclasses.fields(cls)}
        for name in given:
            if name not in fields:
                self._add(partial(report_unknown, _point_at_name(at, name), "field", str(name), [*fields]))
        values = {}
        for name, field in fields.items():
            if name in given:
                values[name] = self.parse_value(given[name], hints[name], _point_at_name(at, name))
            elif _is_needed(field):
                self._report_mistake(_point_at_name(at, name), f"{name!r} is missing.", "missing", MISSING)
        return MISSING if self.count else cls(**values)

    def parse_value(self, given: object, hint: object, at: str, marks: Sequence[Mark] = ()) -> object:
        plain, own = split_marks(hint)
        marks = (*marks, *own)
        origin, parts = get_origin(plain), get_args(plain)
        if origin in (Union, types.UnionType):
            return self._parse_union(given, parts, at, marks)
        if origin is Literal:
            return self._parse_word(given, parts, at)
        if dataclasses.is_dataclass(plain) and isinstance(plain, type):
            return self.parse_record(plain, given, at, {})
        if origin in (tuple, frozenset, list):
            return self._parse_items(given, origin, parts, at)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._parse_pairs(given, parts, at)
        return self._parse_plain(given, plain, at, marks)

    def _parse_plain(self, given: object, plain: object, at: str, marks: Sequence[Mark]) -> object:
        limits = next((mark for mark in marks if isinstance(mark, Between)), None)
        if plain is int or (plain in OPEN and limits is not None):
            return self._parse_integer(given, limits or Between(), at)
        if plain is bool:
            return given if isinstance(given, bool) else self._report_type(at, "true or false", "bool_type", given)
        if plain is type(None):
            return None if given is None else self._report_type(at, "null", "none_required", given)
        if plain is str or (plain in OPEN and any(isinstance(mark, OneOf | Prose) for mark in marks)):
            return self._parse_text(given, marks, at)
        if plain in OPEN or isinstance(plain, TypeVar):
            return given
        raise TypeError(f"no domain: {plain!r}")

    def _parse_integer(self, given: object, limits: Between, at: str) -> object:
        if type(given) is not int:
            return self._report_type(at, "a whole number", "int_type", given)
        least = -MOST_WHOLE if limits.least is None else limits.least
        most = MOST_WHOLE if limits.most is None else limits.most
        if not least <= given <= most:
            allowed = f"from {least} to {most}" if limits.most is not None else f"of at least {least}"
            kind = "greater_than_equal" if given < least else "less_than_equal"
            return self._report_mistake(at, f"Enter a number {allowed}, not {given}.", kind, given)
        return given

    def _parse_text(self, given: object, marks: Sequence[Mark], at: str) -> object:
        if type(given) is not str:
            return self._report_type(at, "a text", "string_type", given)
        for mark in marks:
            if isinstance(mark, OneOf):
                return self._parse_word(given, mark.words, at)
        most = min([MOST_TEXT, *(mark.most for mark in marks if isinstance(mark, Prose))])
        if len(given) > most:
            return self._report_mistake(at, f"A text can have at most {most} characters here.", "text-too-long", given)
        return given

    def _parse_word(self, given: object, words: Sequence[object], at: str) -> object:
        for word in words:
            if type(word) is type(given) and word == given:
                return word
        alike = _index_by_fold(_select_texts(words)).get(fold_word(given), ()) if isinstance(given, str) else ()
        if len(alike) == 1:
            return alike[0]
        self._add(partial(report_not_among, at, given, words))
        return MISSING

    def _parse_union(self, given: object, branches: Sequence[object], at: str, marks: Sequence[Mark]) -> object:
        """Parse as the first of several types that fits; else report the mistakes of the type that came nearest."""
        attempts: list[tuple[bool, _Reading]] = []
        for branch in branches:
            reading = _Reading()
            value = reading.parse_value(given, branch, at, marks)
            if not reading.count:
                return value
            is_of_other_type = any(
                mistake.pointer == at and mistake.type.endswith(("_type", "_required")) for mistake in reading.mistakes
            )
            attempts.append((is_of_other_type, reading))
        _, nearest = min(attempts, key=lambda attempt: (attempt[0], attempt[1].count))
        if all(is_of_other_type for is_of_other_type, _ in attempts):
            kinds = " or ".join(dict.fromkeys(_describe_type(branch) for branch in branches))
            return self._report_mistake(at, f"This must be {kinds}, not {_describe_kind(given)}.", "union_type", given)
        self.mistakes += nearest.mistakes[: MOST_MISTAKES - len(self.mistakes)]
        self.count += nearest.count
        return MISSING

    def _parse_items(self, given: object, origin: object, parts: Sequence[object], at: str) -> object:
        if not isinstance(given, list | tuple):
            return self._report_type(at, "a list", "list_type", given)
        fixed = origin is tuple and parts[-1] is not Ellipsis
        if fixed and len(given) != len(parts):
            return self._report_mistake(
                at, f"This list must have {len(parts)} items, not {len(given)}.", "length", given
            )
        if len(given) > MOST_ITEMS:
            return self._report_mistake(at, f"A list can have at most {MOST_ITEMS} items here.", "too_long", len(given))
        hints = parts if fixed else [parts[0]] * len(given)
        items = [
            self.parse_value(item, hint, f"{at}/{place}")
            for place, (item, hint) in enumerate(zip(given, hints, strict=True))
        ]
        return MISSING if self.count else (frozenset(items) if origin is frozenset else tuple(items))

    def _parse_pairs(self, given: object, parts: Sequence[object], at: str) -> object:
        if not isinstance(given, Mapping):
            return self._report_type(at, "an object", "dict_type", given)
        if len(given) > MOST_ITEMS:
            return self._report_mistake(
                at, f"An object can have at most {MOST_ITEMS} fields here.", "too_long", len(given)
            )
        pairs = {}
        for name, value in given.items():
            key = self.parse_value(name, parts[0], _point_at_name(at, name))
            pairs[name if key is MISSING else key] = self.parse_value(value, parts[1], _point_at_name(at, name))
        return MISSING if self.count else pairs

    # --- mistakes ---

    def _report_type(self, at: str, wanted: str, kind: str, given: object) -> _Missing:
        return self._report_mistake(at, f"This must be {wanted}, not {_describe_kind(given)}.", kind, given)

    def _report_mistake(
        self, at: str, message: str, kind: str, given: object, allowed: tuple[object, ...] = (), near: str | None = None
    ) -> _Missing:
        self._add(lambda: Mistake(at, message, kind, shorten_given(given), allowed, near))
        return MISSING

    def _add(self, describe: Callable[[], Mistake]) -> None:
        self.count += 1
        if len(self.mistakes) < MOST_MISTAKES:
            self.mistakes.append(describe())


def report_not_among(at: str, given: object, words: Sequence[object]) -> Mistake:
    """Report that the value is none of the possible words."""
    nearest = find_nearest(given, _select_texts(words))
    suggestion = f" Did you mean {nearest!r}?" if nearest else ""
    listing = "the allowed values: " + ", ".join("null" if word is None else repr(word) for word in words)
    if len(words) > MOST_TOLD:
        listing = f"the {len(words)} allowed values"
    message = f"{shorten_given(given)!r} is not one of {listing}.{suggestion}"
    return Mistake(at, message, "literal_error", shorten_given(given), tuple(words[:MOST_TOLD]), nearest)


def report_unknown(at: str, what: str, name: str, known: Sequence[str]) -> Mistake:
    """Report an unknown name: of a field, or a parameter (`what`)."""
    nearest = find_nearest(name, known)
    suggestion = f"Did you mean {nearest!r}?" if nearest else f"There are {', '.join(known[:MOST_TOLD])}."
    message = f"There is no {what} {shorten_given(name)!r}. {suggestion if known else ''}".rstrip()
    return Mistake(at, message, "extra_forbidden", shorten_given(name), tuple(known[:MOST_TOLD]), nearest)


def fold_word(word: str) -> str:
    """Return a word without differences in capitals, spaces, underscores and hyphens."""
    return "".join(letter for letter in word.casefold() if letter not in " _-")


def find_nearest(given: object, words: Sequence[str]) -> str | None:
    """Return what was probably meant, or None if nothing is near."""
    if not isinstance(given, str) or len(given) > LONGEST_GIVEN:
        return None
    by_fold = _index_by_fold(tuple(words))
    matches = get_close_matches(fold_word(given), list(by_fold), 1, 0.6)
    return by_fold[matches[0]][0] if matches else None


@lru_cache(1000)
def _index_by_fold(words: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Return the words in the form of `fold_word`, in order. Cached: every word sent is looked up in a game's words."""
    folds: dict[str, tuple[str, ...]] = {}
    for word in words:
        folds[fold_word(word)] = (*folds.get(fold_word(word), ()), word)
    return folds


def _select_texts(words: Iterable[object]) -> tuple[str, ...]:
    return tuple(word for word in words if isinstance(word, str))


def _is_needed(field: dataclasses.Field[object]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _point_at_name(at: str, name: object) -> str:
    """Return the pointer of a name in the object there."""
    return f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}"


def shorten_given(given: object) -> Scalar:
    """Return what was given for repeating it: numbers and short texts; for anything else its type."""
    if given is MISSING:
        return None
    if given is None or isinstance(given, bool | int | float):
        return given
    if isinstance(given, str):
        return given if len(given) <= LONGEST_GIVEN else f"{given[:LONGEST_GIVEN]}…"
    return _describe_kind(given)


def _describe_kind(given: object) -> str:
    kinds = ((bool, "true or false"), (int, "a number"), (float, "a decimal number"), (str, "a text"))
    if given is None:
        return "null"
    named = next((name for cls, name in kinds if isinstance(given, cls)), None)
    return named or ("an object" if isinstance(given, Mapping) else "a list")


def _describe_type(hint: object) -> str:
    plain, marks = split_marks(hint)
    if plain in OPEN and any(isinstance(mark, Between) for mark in marks):
        plain = int
    names: dict[object, str] = {bool: "true or false", int: "a whole number", str: "a text", type(None): "null"}
    origin = get_origin(plain) or plain
    if plain in names:
        return names[plain]
    if origin is Literal:
        return "one of its words"
    return "a list" if origin in (tuple, frozenset, list) else "an object"
