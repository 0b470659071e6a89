"""Headers and parts of the path, with their checks and descriptions."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Header, Path, Query, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AfterValidator, BeforeValidator, Field

from projections.views import pages

UUID = r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"

TAGS = r'^(\*|(W/)?"[^"]*")$'

seat_token = HTTPBearer(scheme_name="seat", description="A seat's token.", auto_error=False)

operator_token = HTTPBearer(
    scheme_name="operator",
    description="The operator's token. Not needed if the service runs without one.",
    auto_error=False,
)

SeatToken = Annotated[HTTPAuthorizationCredentials | None, Security(seat_token)]

OperatorToken = Annotated[HTTPAuthorizationCredentials | None, Security(operator_token)]

CampaignId = Annotated[str, Path(description="The campaign's id.", examples=["k3v7q2mzt5a4c"])]

ForkId = Annotated[str, Path(description="The fork's id.", examples=["k3v7q2mzt5a4c"])]

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="Repeating a request with the same key and body returns the same answer. If you leave"
        " it out, the service generates one.",
        min_length=1,
        max_length=255,
        pattern=r"^[\x21-\x7e]+$",
    ),
]

UuidKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description=(
            "A UUID. Repeating a request with the same key and body returns the same answer. If you leave it out, the"
            " service generates one, but then you can't repeat the request."
        ),
        pattern=UUID,
        examples=["7f8de6b4-5c1a-4b7e-9a51-0d8a6c7e2f10"],
    ),
]

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        description="The ETag of the ruling, character or scene in the path, or of the campaign. The status is 412"
        " if the version has changed.",
        pattern=TAGS,
    ),
]

Seen = Annotated[
    int | None,
    Header(
        alias="Ledger-Position",
        description="The position at which you last loaded the campaign. The status is 412 if the campaign"
        " has changed.",
        ge=0,
        le=2**53 - 1,
    ),
]

Wait = Annotated[
    int | None,
    Query(
        description="Wait until the answer includes the save with this number, for at most 5 seconds.",
        ge=0,
        le=2**53 - 1,
    ),
]

Order = Annotated[pages.Order, Query(description="The order: oldest or newest first. `after` continues in this order.")]


def check_words(text: str) -> str:
    """Return the words to search for. Raise ValueError for text without a word."""
    if not any(character.isalnum() for character in text):
        raise ValueError("enter at least one word")
    return text


Words = Annotated[
    Annotated[str, AfterValidator(check_words), Field(min_length=1, max_length=200)] | None,
    Query(
        description="Words in declarations, answers, reasons, names and titles. All of them must match. Use"
        ' `"a phrase"`, `this or that` and `-not`. Case does not matter.',
        examples=["rumour host"],
    ),
]


def check_plain_number(value: object) -> object:
    """Return the number. Raise ValueError unless it is plain: not `+1`, `01`, `1.0`, `1_000` or digits of other
    scripts.
    """
    if isinstance(value, str) and re.fullmatch("0|[1-9][0-9]*", value, re.ASCII) is None:
        raise ValueError("enter the number in digits only")
    return value


Number = Annotated[
    int, BeforeValidator(check_plain_number), Path(ge=1, le=2**31 - 1, description="The ruling's number.")
]
