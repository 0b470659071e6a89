"""Whether an input is something that a character does. Each input says so itself, above its declaration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from ledger.rules.kernel.contract import Table

#: Finds the character that acts.
Doer: TypeAlias = Callable[[Table[object], Any], str | None]
C = TypeVar("C", bound=type)


def acts(of: str | Doer) -> Callable[[C], C]:
    """Somebody acts, plays or answers: the character named in this field, or found by this function."""
    doer: Doer = (lambda table, do: getattr(do, of)) if isinstance(of, str) else of

    def marked(cls: C) -> C:
        setattr(cls, "acting", doer)  # noqa: B010  (mypy knows no such attribute)
        return cls

    return marked


def nobody_acts(cls: C) -> C:
    """No character does it, but the table, a game master or a player; or it follows from what was done before."""
    setattr(cls, "acting", None)  # noqa: B010
    return cls


def doer_of(kind: type) -> Doer | None:
    """AttributeError where the input does not say whether somebody acts."""
    if "acting" not in vars(kind):
        raise AttributeError(f"{kind.__name__} does not say whether somebody acts: mark it with acts or nobody_acts")
    doer: Doer | None = vars(kind)["acting"]
    return doer
