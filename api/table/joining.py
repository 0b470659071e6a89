"""Joining a table with a link, a code, or a seat's token."""

from __future__ import annotations

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from api.http.problems import BadRequest
from api.inviting.letting_in import Guesses, let_in
from api.table.client import Turned
from api.table.sessions import Seated
from ledger.application import Call, Ledger
from ledger.errors import Denied, NotFound

LONGEST = 4_000  # characters that are looked at


async def open_seat(request: Request, pasted: str, key: str) -> Seated | None:
    """Return the seat that it opens; None if it is wrong, used, or expired. Raises Turned after too many tries.

    `pasted`: a link, its secret, a code, or a seat's token. `key`: of the form.
    """
    secret = pasted[:LONGEST].strip().rpartition("#")[2]
    guesses: Guesses = request.app.state.guesses
    try:
        await guesses.count_try_by_address(request)
        seated = await run_in_threadpool(find_seat, request.app.state.ledger, secret)
        if seated is not None:
            return seated
        entered = await let_in(request, secret, key)  # a link's secret looks like a token
    except BadRequest as problem:
        raise Turned(429, {"title": "Too many attempts", "detail": problem.detail}) from None
    except NotFound:
        return None
    return Seated(entered.campaign, entered.seat, entered.generation)


def find_seat(ledger: Ledger, token: str) -> Seated | None:
    """Return the seat of a token, or None if it is not valid."""
    call = Call(token.partition(".")[0], token)
    try:
        with ledger.open_for_seat(call) as (book, viewer):
            return Seated(call.campaign, viewer.seat, book.tokens[viewer.seat].generation)
    except (Denied, NotFound):
        return None
