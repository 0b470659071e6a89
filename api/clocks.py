"""The two clocks as a request tells them: `?at=` a ruling's number or a time, `?as=recorded|corrected`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Query
from pydantic import AfterValidator

from projections.subjects import Clock
from projections.views.clocks import When, when
from projections.views.pages import Reader

MOST = 2**31 - 1
TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)
NUMBER = re.compile(r"[1-9][0-9]{0,9}", re.ASCII)


def moment(said: str) -> str:
    """ValueError for what is neither a number nor a time."""
    if not (NUMBER.fullmatch(said) and int(said) <= MOST):
        try:
            _time(said)
        except ValueError:
            raise ValueError("say a ruling's number (1 or more), or a time like 2026-11-21T19:30:00Z") from None
    return said


def _time(said: str) -> datetime:
    if not TIME.fullmatch(said):
        raise ValueError("no time of RFC 3339")
    return datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", said.upper()))


At = Annotated[
    str | None,
    AfterValidator(lambda said: said if said is None else moment(said)),
    Query(
        description="How far in play: a ruling's number, or a time (RFC 3339). Default: now.",
        examples=["12", "2026-11-21T19:30:00Z"],
    ),
]
As = Annotated[
    Literal["recorded", "corrected"],
    Query(alias="as", description="With what was known then, or with every later correction."),
]


def clock(at: str | None, as_: str) -> Clock:
    """What the two clocks say to the record."""
    return Clock(_said(at), as_ == "recorded")


def _said(at: str | None) -> int | datetime | None:
    return at if at is None else int(at) if NUMBER.fullmatch(at) else _time(at)


def looking(at: str | None, as_: str) -> Callable[[Reader, str], When]:
    """What the two clocks say of a campaign, once the views can be asked."""
    moment = _said(at)
    return lambda reader, campaign: when(reader, campaign, moment, recorded=as_ == "recorded")
