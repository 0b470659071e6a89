"""Check whether a seat may declare something."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import find_declarer
from ledger.rules.kernel.refusals import Refused


def may_declare(do: object, table: Table[Any], decides: bool, roster: Collection[str]) -> bool | None:
    """Return whether the declaring seat may make the declaration. Return None if the declaration's owner cannot be
    found; the rules must then refuse it.

    `decides`: whether the seat may do what a game master may. `roster`: all characters.
    """
    declarer, by = find_declarer(do), table.by
    if by.role == "observer":
        return False
    if declarer.who == "anyone" or (declarer.who != "owner" and decides):
        return True
    if declarer.of is None:
        return False
    try:
        owner = declarer.of(table, do)
    except Refused:
        return None
    if owner is None or (declarer.who != "seat" and owner not in roster):
        return None
    return owner == by.seat if declarer.who == "seat" else owner in by.characters
