"""Moments of a campaign in requests: a ruling's number, or a time."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time

MOST = 2**31 - 1
TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
NUMBER = re.compile(r"[1-9][0-9]{0,9}", re.ASCII)


def check_moment(text: str) -> str:
    """Return the text if it is a number or a time. Raise ValueError otherwise."""
    if not (NUMBER.fullmatch(text) and int(text) <= MOST):
        try:
            _parse_time(text)
        except ValueError:
            raise ValueError("enter a ruling's number (1 or more) or a time such as 2026-11-21T19:30:00Z") from None
    return text


def read_moment(text: str | None) -> int | datetime | None:
    """Return the ruling's number or the time in the text. None means now."""
    return text if text is None else int(text) if NUMBER.fullmatch(text) else _parse_time(text)


def check_bound(text: str) -> str:
    """Return the text if it is a ruling's number, a time or a date. Raise ValueError otherwise."""
    if not DATE.fullmatch(text):
        try:
            return check_moment(text)
        except ValueError:
            message = (
                "enter a ruling's number (1 or more), a date such as 2026-11-21, or a time such as 2026-11-21T19:30:00Z"
            )
            raise ValueError(message) from None
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"there is no date {text}") from None
    return text


def read_bound(text: str | None, *, is_last: bool) -> int | datetime | None:
    """Return the ruling's number or the time. A date means its first moment in UTC, or its last one if `is_last`."""
    if text is None or not DATE.fullmatch(text):
        return read_moment(text)
    return datetime.combine(date.fromisoformat(text), time.max if is_last else time.min, UTC)


def _parse_time(text: str) -> datetime:
    if not TIME.fullmatch(text):
        raise ValueError("not an RFC 3339 time")
    try:
        return datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text.upper())).astimezone(UTC)
    except OverflowError:
        raise ValueError("not a time in UTC") from None
