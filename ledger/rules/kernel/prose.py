"""What people wrote in their own words in an input, a choice or a fact: the texts whose domain is prose."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin

from ledger.rules.kernel.domains import OPEN, Mark, Prose, marked_hints, marks_of


def prose_in(
    cls: type[object], record: Mapping[str, object], instead: Mapping[str, object] | None = None
) -> Iterator[str]:
    """Every such text in a record of the class, given as JSON. What is not as the class says is passed over.

    `instead`: the types of fields that the class leaves open (a sheet).
    """
    hints = {**marked_hints(cls), **(instead or {})}
    for name, value in record.items():
        if name in hints:
            yield from _in(value, hints[name])


def _in(value: object, hint: object, marks: tuple[Mark, ...] = ()) -> Iterator[str]:
    plain, own, origin, parts = _opened(hint)
    marks = (*marks, *own)
    if origin in (Union, types.UnionType):
        yield from dict.fromkeys(text for part in parts for text in _in(value, part, marks))
    elif isinstance(value, str):
        if (plain is str or plain in OPEN or isinstance(plain, TypeVar)) and any(isinstance(m, Prose) for m in marks):
            yield value
    elif isinstance(value, list):
        of = parts[:1] * len(value) if len(parts) == 1 or Ellipsis in parts else parts
        for one, part in zip(value, of, strict=False):
            yield from _in(one, part)
    elif isinstance(value, Mapping):
        yield from _in_names(value, plain, parts)


@cache
def _opened(hint: object) -> tuple[Any, tuple[Mark, ...], object, tuple[Any, ...]]:
    """A type without its marks, these, and what it is made of: looked at once, since it is asked of every record."""
    plain, own = marks_of(hint)
    return plain, own, get_origin(plain), get_args(plain)


def _in_names(value: Mapping[str, Any], plain: object, parts: tuple[object, ...]) -> Iterator[str]:
    """Of a record, or of an object whose names may be people's words, too."""
    if dataclasses.is_dataclass(plain) and isinstance(plain, type):
        yield from prose_in(plain, value)
    elif len(parts) == 2:
        for name, one in value.items():
            yield from _in(name, parts[0])
            yield from _in(one, parts[1])
