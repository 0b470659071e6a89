"""The two clocks: the place in play, and the time of recording."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import TupleRow

from ledger.errors import NotFound
from ledger.rules.kernel.places import find_base, place_of, place_of_end
from projections.views.pages import NEVER, Reader


@dataclass(frozen=True, slots=True)
class When:
    """A moment. `place`: everything up to this place in play. `position`: only what was recorded up to this position.
    None means no limit.

    As recorded, nothing after `position` counts. As corrected, the facts in play up to `place` count if they stand
    today.
    """

    place: int | None = None
    position: int | None = None
    recorded: bool = False


NOW = When()


def find_when(reader: Reader, at: int | datetime | None, *, recorded: bool) -> When:
    """Return the moment of a ruling, or of the last save by a time. Raise NotFound if there is no such ruling."""
    if at is None:
        return NOW
    values = {"at": at}
    if isinstance(at, int):
        ((in_play, position),) = _find_ruling(reader, at)
        after = find_base(in_play) if in_play != place_of(at) else 0
        if recorded or not after:
            return When(place_of_end(at), position, recorded)
        ((_, position_there),) = _find_ruling(reader, after)
        return When(in_play, position_there, recorded)
    rows = reader.ask(
        "SELECT max(position), max(ruling) FILTER (WHERE did = 'ruled') FROM {views}.saves"
        " WHERE campaign = %(campaign)s AND at <= %(at)s",
        values,
    )
    return When(place_of_end(rows[0][1] or 0), rows[0][0] or 0, recorded)


def _find_ruling(reader: Reader, number: int) -> list[TupleRow]:
    """Return the place of a ruling in play, and its position. Raise NotFound if there is none."""
    query = "SELECT in_play, position FROM {views}.rulings WHERE campaign = %(campaign)s AND number = %(at)s"
    rows = reader.ask(query, {"at": number})
    if not rows:
        raise NotFound(f"There is no ruling {number}.", code="ruling-not-found", ruling=number)
    return list(rows)


@dataclass(frozen=True, slots=True)
class Span:
    """Everything recorded from one position to another, both included, and the first and last ruling in between. None
    means no limit.
    """

    first: int | None = None
    last: int | None = None
    first_ruling: int | None = None
    last_ruling: int | None = None


ALWAYS = Span()


def find_span(reader: Reader, start: int | datetime | None, end: int | datetime | None) -> Span:
    """Return the span between two moments: a ruling's number, or a time. Raise NotFound if there is no such ruling."""
    first_position, first_ruling = _find_bound(reader, start, is_last=False)
    last_position, last_ruling = _find_bound(reader, end, is_last=True)
    return Span(first_position, last_position, first_ruling, last_ruling)


def _find_bound(reader: Reader, moment: int | datetime | None, *, is_last: bool) -> tuple[int | None, int | None]:
    if moment is None:
        return None, None
    if isinstance(moment, int):
        return find_when(reader, moment, recorded=True).position, moment
    aggregate, operator, default = ("max", "<=", 0) if is_last else ("min", ">=", NEVER)
    query = (
        f"SELECT {aggregate}(position), {aggregate}(ruling) FILTER (WHERE did = 'ruled') FROM {{views}}.saves"
        f" WHERE campaign = %(campaign)s AND at {operator} %(at)s"
    )
    ((position, ruling),) = reader.ask(query, {"at": moment})
    return (default if position is None else position), (default if ruling is None else ruling)
