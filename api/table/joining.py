"""Join a table with a link, a code, or a seat's token."""

from __future__ import annotations

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from api.http.problems import BadRequest
from api.inviting.letting_in import Guesses, let_in
from api.table.client import Rejection
from api.table.sessions import SeatAccess
from ledger.application import Call, Ledger
from ledger.errors import Denied, NotFound

LONGEST = 4_000  # how many characters of the text are read


async def open_seat(request: Request, pasted_text: str, key: str) -> SeatAccess | None:
    """Return the seat that the text gives access to, or None if the text is wrong, already used or expired. Raise
    Rejection after too many tries.

    `pasted_text`: a link, its secret, a code, or a seat's token. `key`: the form's key.
    """
    secret = pasted_text[:LONGEST].strip().rpartition("#")[2]
    guesses: Guesses = request.app.state.guesses
    try:
        await guesses.count_try_by_address(request)
        seat_access = await run_in_threadpool(find_seat_by_token, request.app.state.ledger, secret)
        if seat_access is not None:
            return seat_access
        admission = await let_in(request, secret, key)  # a link's secret looks like a token
    except BadRequest as problem:
        raise Rejection(429, {"title": "Too many attempts", "detail": problem.detail}) from None
    except NotFound:
        return None
    return SeatAccess(admission.campaign, admission.seat, admission.generation)


def find_seat_by_token(ledger: Ledger, token: str) -> SeatAccess | None:
    """Return the seat of a token, or None if it is not valid."""
    call = Call(token.partition(".")[0], token)
    try:
        with ledger.open_for_seat(call) as (book, viewer):
            return SeatAccess(call.campaign, viewer.seat, book.tokens[viewer.seat].generation)
    except (Denied, NotFound):
        return None
