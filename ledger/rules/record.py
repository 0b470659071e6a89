"""Frozen records with some fields anew, fast: what every fold does for every fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

D = TypeVar("D")
_changers: dict[type, Callable[..., Any]] = {}


def changed(record: D, **new: Any) -> D:
    """The frozen, slotted record with some fields anew: `dataclasses.replace` at a third of its cost."""
    cls = type(record)
    return cast(D, (_changers.get(cls) or _changer(cls))(record, **new))


def _changer(cls: type) -> Callable[..., Any]:
    """A function written for the class, as `dataclasses` writes its own: each field into its slot, old or new."""
    slots: tuple[str, ...] = cast(Any, cls).__slots__
    known: dict[str, Any] = {f"_put_{name}": getattr(cls, name).__set__ for name in slots}
    fields = "".join(f", {name}=_SAME" for name in slots)
    puts = "".join(f"    _put_{name}(_made, _old.{name} if {name} is _SAME else {name})\n" for name in slots)
    source = f"def _changer(_old{fields}):\n    _made = _new(_class)\n{puts}    return _made\n"
    made: dict[str, Any] = {}
    exec(source, known | {"_SAME": object(), "_new": object.__new__, "_class": cls}, made)
    return _changers.setdefault(cls, made["_changer"])
