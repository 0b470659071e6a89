"""What somebody has who wants to sit down: a seat's token, or what they were sent to be let in with."""

from __future__ import annotations

from fastapi import FastAPI

from api.table.sessions import Seated
from ledger.application import Call, Ledger
from ledger.errors import Denied, NotFound

LONGEST = 4_000  # characters that are looked at


def opened_by(app: FastAPI, said: str) -> Seated | None:
    """Which seat it opens; None alike for what is wrong, was used or has expired. Unavailable.

    `said`: a link, its secret alone, or a seat's token, as people paste it.
    """
    secret = said[:LONGEST].strip().rpartition("#")[2]
    ledger: Ledger = app.state.ledger
    return _by_token(ledger, secret)


def _by_token(ledger: Ledger, token: str) -> Seated | None:
    call = Call(token.partition(".")[0], token)
    try:
        with ledger.reading(call) as (book, viewer):
            return Seated(call.campaign, viewer.seat, book.tokens[viewer.seat].generation)
    except (Denied, NotFound):
        return None
