"""One made-up event of every kind a version can store: play meets but some of them, and all must stay readable."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

from ledger.events.codec import load_codec
from ledger.events.envelope import Body
from ledger.rules.kernel.json_types import load_hints

PLAIN: dict[Any, Any] = {bool: True, int: 1, str: "x", type(None): None}


def made_up(system: str) -> dict[str, str]:
    """State by topic, of the system's own facts and of the kernel's: no field empty that can be filled."""
    codec = load_codec()
    found = {}
    for cls, topic in codec.topics.items():
        if topic.startswith((f"{system}.", "ledger.")):
            body = Body(position=1, by="s1", at="2026-11-22T12:00:00.000000Z", salt="x" * 24, fact=filled(cls))
            found[topic] = codec.encode(body).decode()
    return found


def filled(hint: Any) -> Any:
    """A value of the type, the same each time."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return parts[0]
    if origin in (Union, types.UnionType):
        return filled(next(part for part in parts if part is not type(None)))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return hint(**{field.name: filled(load_hints(hint)[field.name]) for field in dataclasses.fields(hint)})
    if origin is tuple:
        return (filled(parts[0]),) if parts[1:] == (Ellipsis,) else tuple(map(filled, parts))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"x": filled(parts[1])}
    return PLAIN.get(hint, "x")
