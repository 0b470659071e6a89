"""Frozen records with some fields anew, fast: what every fold does for every fact."""

from __future__ import annotations

from typing import Any, TypeVar, cast

D = TypeVar("D")
_new = object.__new__
_places: dict[type, tuple[tuple[str, Any, Any], ...]] = {}


def changed(record: D, **new: Any) -> D:
    """The frozen, slotted record with some fields anew: `dataclasses.replace` at a third of its cost."""
    cls = type(record)
    made = _new(cls)
    for name, get, put in _places.get(cls) or _places_of(cls):
        put(made, new[name] if name in new else get(record))
    return made


def _places_of(cls: type) -> tuple[tuple[str, Any, Any], ...]:
    """Each field with the reader and writer of its slot."""
    slots: tuple[str, ...] = cast(Any, cls).__slots__
    places = tuple((name, getattr(cls, name).__get__, getattr(cls, name).__set__) for name in slots)
    return _places.setdefault(cls, places)
