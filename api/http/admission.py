"""Check a request's token. It must belong to a seat of the campaign in the path, to any seat, or to the operator."""

from __future__ import annotations

import hmac

from eventsourcing.persistence import PersistenceError
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials

from api.http.parameters import operator_token, seat_token
from ledger.application import Call, Ledger
from ledger.errors import Denied, LedgerError, NotFound


def get_ledger(request: Request) -> Ledger:
    ledger: Ledger = request.app.state.ledger
    return ledger


def read_token(token: HTTPAuthorizationCredentials | None) -> str:
    if token is None:
        raise Denied("Send a seat's token: Authorization: Bearer <token>.")
    return token.credentials


async def must_have_campaign_token(request: Request) -> None:
    """Require a token that is valid for the campaign in the path. Raise Denied or NotFound."""
    campaign = request.path_params.get("campaign")
    if campaign is None:
        await must_have_operator_token(request)
        return
    await _check_token(request, Call(campaign, read_token(await seat_token(request))))


async def must_have_seat_token(request: Request) -> None:
    """Require the token of a seat, in any campaign. Raise Denied."""
    token = read_token(await seat_token(request))
    try:
        await _check_token(request, Call(token.partition(".")[0], token))
    except NotFound:
        raise Denied("This token is not valid, or it was replaced.", code="token-unknown") from None


async def _check_token(request: Request, call: Call) -> None:
    ledger = get_ledger(request)
    if not ledger.has_known_token(call):
        await run_in_threadpool(ledger.check_token, call)


async def must_have_any_token(request: Request) -> None:
    """Require the operator's token, or the token of a seat in any campaign. Raise Denied."""
    if not is_for_operator(request, await operator_token(request)):
        await must_have_seat_token(request)


def is_for_operator(request: Request, token: HTTPAuthorizationCredentials | None) -> bool:
    """Return whether the operator sent the request. In an open service, a request without a token is the operator's."""
    is_open = request.app.state.operator_token is None
    return token is None if is_open else is_operator(request, token)


async def must_have_operator_token(request: Request) -> None:
    """Require the operator's token. Raise Denied."""
    must_be_operator(request, await operator_token(request))


def must_be_operator(request: Request, token: HTTPAuthorizationCredentials | None) -> None:
    """Require the operator, unless the service runs open. Raise Denied."""
    if request.app.state.operator_token is not None and not is_operator(request, token):
        raise Denied("Only the operator can start campaigns. Send the operator's token: Authorization: Bearer <token>.")


def is_operator(request: Request, token: HTTPAuthorizationCredentials | None) -> bool:
    """Return whether the token is the operator's. Return False if the service runs open."""
    valid_token: str | None = request.app.state.operator_token
    return valid_token is not None and token is not None and _is_same_token(token.credentials, valid_token)


def is_token_valid(ledger: Ledger, operator_token: str | None, token: str) -> bool:
    """Return whether the token is the operator's, or a seat's in any campaign. Return False if that cannot be checked
    now.
    """
    if operator_token is not None and _is_same_token(token, operator_token):
        return True
    call = Call(token.partition(".")[0], token)
    try:
        if not ledger.has_known_token(call):
            ledger.check_token(call)
    except (LedgerError, PersistenceError):
        return False
    return True


def _is_same_token(token: str, other_token: str) -> bool:
    return hmac.compare_digest(token.encode(), other_token.encode())
