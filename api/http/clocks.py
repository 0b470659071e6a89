"""The two clocks in a request: `?at=` (a ruling's number or a time) and `?as=recorded|corrected`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import Query
from pydantic import AfterValidator

from api.http.moments import check_bound, check_moment, read_bound, read_moment
from projections.documents.subjects import Clock
from projections.views.clocks import Span, When, find_span, find_when
from projections.views.pages import Reader

At = Annotated[
    str | None,
    AfterValidator(lambda value: value if value is None else check_moment(value)),
    Query(
        description="The point in play: a ruling's number or a time (RFC 3339). Default: now.",
        examples=["12", "2026-11-21T19:30:00Z"],
    ),
]
As = Annotated[
    Literal["recorded", "corrected"],
    Query(alias="as", description="As known at the time, or with all later corrections."),
]


_BOUND = AfterValidator(lambda value: value if value is None else check_bound(value))
Since = Annotated[
    str | None,
    _BOUND,
    Query(
        description="Only what was recorded at or after this date (UTC), time or ruling.",
        examples=["2026-11-21", "2026-11-21T19:30:00Z", "12"],
    ),
]
Until = Annotated[
    str | None,
    _BOUND,
    Query(
        description="Only what was recorded at or before this date (UTC), time or ruling.",
        examples=["2026-11-21", "2026-11-21T23:00:00Z", "20"],
    ),
]


def make_span_finder(since: str | None, until: str | None) -> Callable[[Reader], Span]:
    """Return a function that finds the two bounds in a campaign's views."""
    first_bound, last_bound = read_bound(since, is_last=False), read_bound(until, is_last=True)
    return lambda reader: find_span(reader, first_bound, last_bound)


def make_clock(at: str | None, as_: str) -> Clock:
    """Return the `Clock` for `?at=` and `?as=`."""
    return Clock(read_moment(at), as_ == "recorded")


def make_moment_finder(at: str | None, as_: str) -> Callable[[Reader], When]:
    """Return a function that finds the moment in a campaign's views."""
    point = read_moment(at)
    return lambda reader: find_when(reader, point, recorded=as_ == "recorded")
