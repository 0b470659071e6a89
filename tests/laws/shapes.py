"""Random instances of a system's words, from their types alone: what the laws are tried on."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from hypothesis import strategies as st

from ledger.rules.kernel.json_types import load_hints

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
JSON = st.one_of(st.none(), st.booleans(), st.integers(-99, 99), TEXT)


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of the type. TypeError for one that facts and inputs may not have (sets, floats, unions of records)."""
    origin, parts = get_origin(hint), get_args(hint)
    plain = {bool: st.booleans(), int: st.integers(-99, 99), str: TEXT, Any: JSON, type(None): st.none(), object: JSON}
    if isinstance(hint, TypeVar):
        return JSON
    if hint in plain:
        return plain[hint]
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, types.UnionType):
        if sum(1 for part in parts if dataclasses.is_dataclass(part)) > 1:
            raise TypeError(f"a union of records: {hint}")
        return st.one_of(*map(of, parts))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return st.builds(hint, **{field.name: of(load_hints(hint)[field.name]) for field in dataclasses.fields(hint)})
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        return st.lists(of(parts[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of, parts))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(TEXT, of(parts[1]), max_size=3)
    raise TypeError(f"not allowed in a fact, input or choice: {hint}")
