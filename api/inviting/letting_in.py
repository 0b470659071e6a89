"""Join with a link or a code. Attempts are limited for each address. Attempts with codes are also limited in total.

A code has forty bits and is valid for a quarter of an hour. Even with a hundred open codes and 300 guesses a minute, a
guess succeeds only about once in two million such periods. The secret in a link cannot be guessed. Attempts with links
have no total limit, so nobody can use up the attempts of other people.
"""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from api.http.bodies import Bodied
from api.http.problem_kinds import TOO_MANY
from api.http.problems import BadRequest
from api.middleware.rate_limit import Meter, find_address
from api.service.options import Rate
from ledger.application.commands import inviting
from ledger.application.commands.inviting import Entered
from ledger.errors import Unavailable
from ledger.events.rate_limit import Permits

OF_AN_ADDRESS = Rate(30, 60)
OF_CODES = Rate(300, 60)
TOLD = "Too many attempts. Please wait a minute. A link still works."


class Guesses:
    """Counts attempts to join. The counts are in the database, because all processes of the service share them."""

    def __init__(self, permits: Permits, address_rate: Rate = OF_AN_ADDRESS, code_rate: Rate = OF_CODES) -> None:
        self._addresses = Meter(permits, "join", address_rate)
        self._codes = Meter(permits, "join codes", code_rate)

    async def count_try_by_address(self, request: Request) -> None:
        """Count another attempt. Raise BadRequest (429) if none is left, or Unavailable if attempts cannot be
        counted.
        """
        await self._take_permit(
            self._addresses, find_address(request.scope), "Too many attempts. Please wait a minute."
        )

    async def count_try_by_code(self) -> None:
        await self._take_permit(self._codes, "all", TOLD)

    async def _take_permit(self, meter: Meter, holder: str, detail: str) -> None:
        standing = await meter.take_permit(holder)
        if standing is None:
            raise Unavailable("The database is not responding. Please try again in a few seconds.")
        if not standing.may_pass:
            raise BadRequest(TOO_MANY, "too-many-tries", detail)


class Welcoming(Bodied):
    """A route for callers without a token. The limit for their address is checked before the body is read."""

    async def admit(self, request: Request) -> None:
        guesses: Guesses = request.app.state.guesses
        await guesses.count_try_by_address(request)


async def let_in(request: Request, link_or_code: str, key: str) -> Entered:
    """Redeem a link, its secret or a code, and return the seat. The caller must have counted this attempt for the
    address.

    `key`: a random key from the request. A repeated request has the same key.
    """
    state = request.app.state
    guesses: Guesses = state.guesses
    if inviting.is_code(link_or_code):
        await guesses.count_try_by_code()
    return await run_in_threadpool(inviting.redeem_invite, state.ledger, link_or_code, key, datetime.now(UTC))
