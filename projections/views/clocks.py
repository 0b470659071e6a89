"""The two clocks: how far in play, and with what was known then or with every later correction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ledger.errors import NotFound
from projections.views.pages import NEVER, Reader


@dataclass(frozen=True, slots=True)
class When:
    """`ruling`: up to this one in play. `position`: what was recorded up to there. None: everything.

    Recorded: nothing after `position` counts. Corrected: facts in play up to there, with what stands today.
    """

    ruling: int | None = None
    position: int | None = None
    recorded: bool = False


NOW = When()


def find_when(reader: Reader, at: int | datetime | None, *, recorded: bool) -> When:
    """Return the moment. `at`: the number of a ruling, or a time (the last save by then). NotFound otherwise."""
    if at is None:
        return NOW
    values = {"at": at}
    if isinstance(at, int):
        rows = reader.ask(
            "SELECT number, position FROM {views}.rulings WHERE campaign = %(campaign)s AND number = %(at)s", values
        )
        if not rows:
            raise NotFound(f"There is no ruling {at}.", code="ruling-not-found", ruling=at)
        return When(rows[0][0], rows[0][1], recorded)
    rows = reader.ask(
        "SELECT max(position), max(ruling) FILTER (WHERE did = 'ruled') FROM {views}.saves"
        " WHERE campaign = %(campaign)s AND at <= %(at)s",
        values,
    )
    return When(rows[0][1] or 0, rows[0][0] or 0, recorded)


@dataclass(frozen=True, slots=True)
class Span:
    """What was recorded between two positions, both included; the same as rulings. None: no limit."""

    first: int | None = None
    last: int | None = None
    first_ruling: int | None = None
    last_ruling: int | None = None


ALWAYS = Span()


def find_span(reader: Reader, start: int | datetime | None, end: int | datetime | None) -> Span:
    """Return the span between two moments: a ruling's number, or a time. NotFound for a ruling that does not exist."""
    first_position, first_ruling = _find_bound(reader, start, is_last=False)
    last_position, last_ruling = _find_bound(reader, end, is_last=True)
    return Span(first_position, last_position, first_ruling, last_ruling)


def _find_bound(reader: Reader, moment: int | datetime | None, *, is_last: bool) -> tuple[int | None, int | None]:
    if moment is None:
        return None, None
    if isinstance(moment, int):
        when = find_when(reader, moment, recorded=True)
        return when.position, when.ruling
    aggregate, operator, default = ("max", "<=", 0) if is_last else ("min", ">=", NEVER)
    query = (
        f"SELECT {aggregate}(position), {aggregate}(ruling) FILTER (WHERE did = 'ruled') FROM {{views}}.saves"
        f" WHERE campaign = %(campaign)s AND at {operator} %(at)s"
    )
    ((position, ruling),) = reader.ask(query, {"at": moment})
    return (default if position is None else position), (default if ruling is None else ruling)
