"""The two clocks: how far in play is looked, and with what was known then or with every later correction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ledger.errors import NotFound
from projections.views.pages import Reader


@dataclass(frozen=True, slots=True)
class When:
    """`ruling`: in play, up to this one. `position`: what was recorded up to there. None: all there is.

    Recorded: nothing after `position` counts. Corrected: facts in play up to there, with what stands today.
    """

    ruling: int | None = None
    position: int | None = None
    recorded: bool = False


NOW = When()


def when(reader: Reader, at: int | datetime | None, *, recorded: bool) -> When:
    """`at`: the number of a ruling, or a time (the last save at or before it). NotFound for what never was."""
    if at is None:
        return NOW
    values = {"at": at}
    if isinstance(at, int):
        found = reader.ask(
            "SELECT number, position FROM {views}.rulings WHERE campaign = %(campaign)s AND number = %(at)s", values
        )
        if not found:
            raise NotFound(f"There is no ruling {at}.", code="ruling-not-found", ruling=at)
        return When(found[0][0], found[0][1], recorded)
    found = reader.ask(
        "SELECT max(position), max(ruling) FILTER (WHERE did = 'ruled') FROM {views}.saves"
        " WHERE campaign = %(campaign)s AND at <= %(at)s",
        values,
    )
    return When(found[0][1] or 0, found[0][0] or 0, recorded)
