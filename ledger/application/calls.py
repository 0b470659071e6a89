"""Calls to the ledger, and replies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ledger.application.book import Book
from ledger.application.save import Save
from ledger.errors import Denied, NotFound, Stale
from ledger.rules.kernel.subjects import CAMPAIGN, Subject


@dataclass(frozen=True, slots=True)
class Call:
    """A request: the campaign, the seat's token, and for a POST its route, idempotency key and the digest of its body.

    `expects`: a subject and the version that the caller saw. For the campaign, the version is its position. `position`:
    the campaign's position that the caller saw, in addition to `expects`.
    """

    campaign: str
    token: str
    route: str = ""
    key: str = ""
    request: str = ""
    expects: tuple[Subject, int] | None = None
    position: int | None = None

    @property
    def seat(self) -> str:
        """Return the seat named in the token. Raise Denied if there is no token, or NotFound if it belongs to another
        campaign.
        """
        campaign, _, seat_and_secret = self.token.partition(".")
        seat = seat_and_secret.partition(".")[0]
        if not seat:
            raise Denied("Send a seat's token: Authorization: Bearer <token>.")
        if campaign != self.campaign:
            raise NotFound("There is no campaign with this id.", code="campaign-not-found")
        return seat


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a POST. A repeated request gets the same bytes. `position`: the position of the request's save."""

    status: int
    body: str
    position: int
    is_repeated: bool = False
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """The result of an act: the status and body of the answer. `token_of`: the seat and generation of the token in the
    body, if there is one.
    """

    status: int
    body: str
    token_of: tuple[str, int] | None = None


Act: TypeAlias = Callable[[Save], Done]


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def must_be_as_expected(book: Book, call: Call) -> None:
    """Raise Stale (412) if the caller saw another version or another position."""
    if call.position is not None and call.position != book.campaign.position:
        detail = "The campaign has changed since you last loaded it."
        raise Stale(detail, code="precondition-failed", position=book.campaign.position)
    if call.expects is not None:
        subject, version = call.expects
        is_recorded = subject in book.campaign.subjects
        current_version = (
            book.campaign.position if subject == CAMPAIGN else book.load_stream(subject).version if is_recorded else 0
        )
        if current_version != version:
            raise Stale(
                "This has changed since you last loaded it.", code="precondition-failed", version=current_version
            )
