"""What a declaration or an answer names by its id, and the same with another id in its place."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Union

from ledger.rules.kernel.domains import Ref, load_marked_hints, open_hint

_ID = re.compile(r"(?:[a-z]+:)?([1-9][0-9]*)(?:-[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Named:
    """A text in a record that names something. `field`: the path without the places in lists.

    `is_own`: a field beside it says whose it is.
    """

    path: tuple[str | int, ...]
    to: str
    id: str
    is_own: bool

    @property
    def field(self) -> str:
        return ".".join("[]" if isinstance(part, int) else part for part in self.path)


def named_in(record: Any) -> Iterator[Named]:
    """Every text in the record whose type says that it refers to something."""
    yield from _named(type(record), record, ())


def _named(hint: object, value: Any, path: tuple[str | int, ...]) -> Iterator[Named]:
    plain, marks, origin, parts = open_hint(hint)
    if isinstance(value, str):
        for mark in marks:
            if isinstance(mark, Ref):
                yield Named(path, mark.to, value, mark.of is not None)
    if origin in (Union, types.UnionType):
        found = {one: None for part in parts for one in _named(part, value, path)}
        yield from found
    elif origin is tuple and isinstance(value, tuple):
        each = [parts[0]] * len(value) if parts[1:] == (Ellipsis,) else parts
        for place, (part, item) in enumerate(zip(each, value, strict=False)):
            yield from _named(part, item, (*path, place))
    elif isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, Mapping):
        for key, item in value.items():
            yield from _named(parts[1], item, (*path, key))
    elif isinstance(plain, type) and dataclasses.is_dataclass(plain) and type(value) is plain:
        for field in dataclasses.fields(plain):
            yield from _named(load_marked_hints(plain)[field.name], getattr(value, field.name), (*path, field.name))


def with_other(record: Any, path: tuple[str | int, ...], id: str) -> Any:
    """The record with this id at the path."""
    if not path:
        return id
    first, *rest = path
    if isinstance(record, tuple):
        return tuple(with_other(item, tuple(rest), id) if place == first else item for place, item in enumerate(record))
    if isinstance(record, Mapping):
        return {**record, first: with_other(record[first], tuple(rest), id)}
    return dataclasses.replace(record, **{str(first): with_other(getattr(record, str(first)), tuple(rest), id)})


def ruling_in(id: str) -> int | None:
    """The number of the ruling that made what has this id, by the id alone; None where it is no id."""
    found = _ID.fullmatch(id)
    return int(found[1]) if found is not None else None
