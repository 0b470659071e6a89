"""The texts that people wrote themselves in a declaration, a choice or a fact: fields whose domain is prose."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, Union

from ledger.rules.kernel.domains import OPEN, Mark, Prose, load_marked_hints, open_hint


def list_prose(
    cls: type[object], record: Mapping[str, object], open_field_types: Mapping[str, object] | None = None
) -> Iterator[str]:
    """Yield the texts that people wrote in a record of the class, given as JSON. Skip values that do not fit the class.

    `open_field_types`: the types of fields that the class leaves open (a sheet).
    """
    record_class: Any = cls
    fields, open_fields = list_prose_fields(record_class), open_field_types or {}
    for name, value in record.items():
        hint = open_fields.get(name) or fields.get(name)
        if hint is not None:
            yield from _list_prose_in_value(value, hint)


@cache
def list_prose_fields(cls: Any) -> Mapping[str, object]:
    """Return the fields of a record that can hold texts that people wrote, with their types."""
    return {name: hint for name, hint in _load_field_hints(cls).items() if _may_hold_prose(hint)}


def _load_field_hints(cls: Any) -> Mapping[str, object]:
    hints = load_marked_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _may_hold_prose(hint: Any, outer_records: tuple[object, ...] = ()) -> bool:
    """Return whether a value of the type can hold a text that somebody wrote. `outer_records`: the records already
    being examined.
    """
    plain_type, marks, _, parts = open_hint(hint)
    if any(isinstance(mark, Prose) for mark in marks):
        return True
    if isinstance(plain_type, type) and dataclasses.is_dataclass(plain_type) and plain_type not in outer_records:
        parts = (*parts, *_load_field_hints(plain_type).values())
    return any(_may_hold_prose(part, (*outer_records, plain_type)) for part in parts)


def _list_prose_in_value(value: object, hint: object, marks: tuple[Mark, ...] = ()) -> Iterator[str]:
    plain_type, own_marks, origin, parts = open_hint(hint)
    marks = (*marks, *own_marks)
    if origin in (Union, types.UnionType):
        yield from dict.fromkeys(text for part in parts for text in _list_prose_in_value(value, part, marks))
    elif isinstance(value, str):
        if (plain_type is str or plain_type in OPEN or isinstance(plain_type, TypeVar)) and any(
            isinstance(mark, Prose) for mark in marks
        ):
            yield value
    elif isinstance(value, list):
        item_types = parts[:1] * len(value) if len(parts) == 1 or Ellipsis in parts else parts
        for item, part in zip(value, item_types, strict=False):
            yield from _list_prose_in_value(item, part)
    elif isinstance(value, Mapping):
        yield from _list_prose_in_mapping(value, plain_type, parts)


def _list_prose_in_mapping(value: Mapping[str, Any], plain_type: object, parts: tuple[object, ...]) -> Iterator[str]:
    """Yield the texts that people wrote in a record, or in the keys and values of an object."""
    if dataclasses.is_dataclass(plain_type) and isinstance(plain_type, type):
        yield from list_prose(plain_type, value)
    elif len(parts) == 2:
        for name, item in value.items():
            yield from _list_prose_in_value(name, parts[0])
            yield from _list_prose_in_value(item, parts[1])
