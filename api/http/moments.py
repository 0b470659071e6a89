"""Moments of a campaign as people and programs say them: a ruling's number, or a time."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time

MOST = 2**31 - 1
TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
NUMBER = re.compile(r"[1-9][0-9]{0,9}", re.ASCII)


def moment(said: str) -> str:
    """ValueError for what is neither a number nor a time."""
    if not (NUMBER.fullmatch(said) and int(said) <= MOST):
        try:
            _time(said)
        except ValueError:
            raise ValueError("enter a ruling's number (1 or more) or a time such as 2026-11-21T19:30:00Z") from None
    return said


def read_moment(said: str | None) -> int | datetime | None:
    """What a `moment` means; None: now."""
    return said if said is None else int(said) if NUMBER.fullmatch(said) else _time(said)


def bound(said: str) -> str:
    """As `moment`, or a date. ValueError."""
    if not DATE.fullmatch(said):
        try:
            return moment(said)
        except ValueError:
            about = (
                "enter a ruling's number (1 or more), a date such as 2026-11-21, or a time such as 2026-11-21T19:30:00Z"
            )
            raise ValueError(about) from None
    try:
        date.fromisoformat(said)
    except ValueError:
        raise ValueError(f"there is no date {said}") from None
    return said


def read_bound(said: str | None, *, last: bool) -> int | datetime | None:
    """What a `bound` means. A date is its first moment, or its `last` one, in UTC."""
    if said is None or not DATE.fullmatch(said):
        return read_moment(said)
    return datetime.combine(date.fromisoformat(said), time.max if last else time.min, UTC)


def _time(said: str) -> datetime:
    if not TIME.fullmatch(said):
        raise ValueError("not an RFC 3339 time")
    try:
        return datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", said.upper())).astimezone(UTC)
    except OverflowError:
        raise ValueError("not a time in UTC") from None
