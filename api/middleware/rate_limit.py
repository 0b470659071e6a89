"""Rate limits: requests for each seat, and for each address if the token is not known to be valid.

The count is kept in the database, so that it holds over all processes of the service. A frequent caller is lent as many
permits at once as it uses in about a second, so that the database is seldom asked. Lent permits are counted first, and
expire. So the rate is never exceeded, and an occasional caller loses nothing.

A token that is not known here counts for its address, is then looked up and, if valid, counts for its seat before
anything else is done. So made-up tokens share their address's permits, and nobody can use up those of a seat without
its token.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import psycopg
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.problem_kinds import TOO_MANY
from api.http.problems import make_problem
from api.middleware.access_log import PROBES
from api.service.logs import TOKEN
from api.service.options import Rate
from ledger.events.away import describe_trouble
from ledger.events.rate_limit import Permits

LENT = 1.0  # seconds
SHARE = 20  # the largest part of the rate lent to one process: one in this many
MOST_KNOWN = 20_000
PAUSE = 5.0  # seconds without counting after the database failed to count
CLEARED = 60.0  # seconds
log = logging.getLogger("ledger.api")


@dataclass(slots=True)
class Loan:
    """The permits of one holder here. `missing_seconds`: until the stored bucket is full, as of `borrowed_at`."""

    free_count: int = 0
    size: int = 0
    borrowed_at: float = -math.inf
    missing_seconds: float = 0.0
    refused_until: float = -math.inf


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether the request passes; how many more would, and the seconds until the next one and all do."""

    may_pass: bool
    left: int
    until_next: float
    until_full: float


class Meter:
    """One rate, for many holders."""

    def __init__(self, permits: Permits, name: str, rate: Rate) -> None:
        self.name = name
        self.rate = rate
        self._permits = permits
        self._loans: OrderedDict[str, Loan] = OrderedDict()
        self._most_lent = max(1, rate.most // SHARE)
        self._paused_until = self._clear_at = -math.inf

    async def take_permit(self, holder: str) -> Standing | None:
        """Take a permit. None if nobody counts: a database that does not answer is reported elsewhere."""
        now = time.monotonic()
        loan = self._loans.setdefault(holder, Loan())
        self._loans.move_to_end(holder)
        if len(self._loans) > MOST_KNOWN:
            self._loans.popitem(last=False)
        if loan.free_count > 0 and now - loan.borrowed_at < LENT:
            loan.free_count -= 1
            return self._make_standing(loan, now, may_pass=True)
        if now < loan.refused_until:
            return self._make_standing(loan, now, may_pass=False)
        if now < self._paused_until:
            return None
        try:
            return await self._borrow(f"{self.name}:{holder}", loan, now)
        except psycopg.Error as error:
            self._paused_until = time.monotonic() + PAUSE
            log.warning("Requests are not being counted at the moment", extra={"because": describe_trouble(error)})
            return None

    async def _borrow(self, holder: str, loan: Loan, now: float) -> Standing:
        loan_size = min(_choose_loan_size(loan, now - loan.borrowed_at), self._most_lent)
        if now - loan.borrowed_at >= LENT:
            loan.free_count = 0
        grant = await run_in_threadpool(
            self._permits.take_permits, holder, loan_size, self.rate.most, self.rate.seconds
        )
        now = time.monotonic()
        loan.borrowed_at, loan.size, loan.missing_seconds = now, grant.count, grant.missing
        if grant.count == 0:
            loan.refused_until = now + min(self._count_seconds_to_next(grant.missing), LENT)
            return self._make_standing(loan, now, may_pass=False)
        loan.free_count += grant.count - 1
        if now > self._clear_at:
            self._clear_at = now + CLEARED
            await run_in_threadpool(self._permits.delete_full_buckets)
        return self._make_standing(loan, now, may_pass=True)

    def _count_seconds_to_next(self, missing_seconds: float) -> float:
        return max(0.0, missing_seconds + self.rate.seconds / self.rate.most - self.rate.seconds)

    def _make_standing(self, loan: Loan, now: float, *, may_pass: bool) -> Standing:
        missing_seconds = max(0.0, loan.missing_seconds - (now - loan.borrowed_at))
        free_permits = math.floor((self.rate.seconds - missing_seconds) / (self.rate.seconds / self.rate.most) + 1e-6)
        return Standing(
            may_pass,
            max(0, free_permits) + loan.free_count if may_pass else 0,
            self._count_seconds_to_next(missing_seconds),
            missing_seconds,
        )

    def make_headers(self, standing: Standing) -> dict[str, str]:
        """Return the headers of the IETF draft: the policy, what is left, and when all of it is available again."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.rate.most};w={self.rate.seconds}',
            "RateLimit": f'"{self.name}";r={standing.left};t={math.ceil(standing.until_full)}',
        }


def _choose_loan_size(loan: Loan, age: float) -> int:
    """Return how many to take: twice as many as last time if those were used quickly, else as many as were used, else
    one.
    """
    if age < LENT / 2:
        return max(1, loan.size * 2)
    return max(1, loan.size - loan.free_count) if age < LENT * 2 else 1


class Rates:
    """Middleware. A rate of None limits nobody. Probes are never refused.

    `is_valid`: whether a token is valid, by the record; never raises.
    """

    def __init__(
        self,
        app: ASGIApp,
        permits: Permits,
        is_valid: Callable[[str], bool],
        seat_rate: Rate | None,
        address_rate: Rate | None,
    ) -> None:
        self.app = app
        self._check_token = is_valid
        self._seats = Meter(permits, "seat", seat_rate) if seat_rate is not None else None
        self._addresses = Meter(permits, "address", address_rate) if address_rate is not None else None
        self._known_tokens: OrderedDict[bytes, None] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self.app(scope, receive, send)
            return
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        digest = hashlib.sha256(token.encode()).digest() if token and scheme.lower() == "bearer" else None
        meter, standing = self._addresses, None
        is_known = digest in self._known_tokens
        if not is_known and meter is not None:
            standing = await meter.take_permit(find_address(scope))
        may_look_up = meter is None or (standing is not None and standing.may_pass)
        if is_known or (digest is not None and may_look_up and await self._admit_token(digest, token)):
            meter = self._seats
            standing = await meter.take_permit(_find_seat(token)) if meter is not None else None
        limit_headers = meter.make_headers(standing) if meter is not None and standing is not None else {}

        async def send_with_limits(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(limit_headers)
                if message["status"] == 401:
                    self._known_tokens.pop(digest or b"", None)
            await send(message)

        if standing is None or standing.may_pass:
            await self.app(scope, receive, send_with_limits)
        else:
            assert meter is not None
            await _make_refusal(meter, standing)(scope, receive, send_with_limits)

    async def _admit_token(self, digest: bytes, token: str) -> bool:
        """Return whether the token is valid. A valid one is known from then on."""
        if not await run_in_threadpool(self._check_token, token):
            return False
        self._known_tokens[digest] = None
        self._known_tokens.move_to_end(digest)
        if len(self._known_tokens) > MOST_KNOWN:
            self._known_tokens.popitem(last=False)
        return True


def _make_refusal(meter: Meter, standing: Standing) -> ASGIApp:
    holder = "This seat" if meter.name == "seat" else "This address"
    detail = f"{holder} can send {meter.rate.most} requests in {meter.rate.seconds} seconds."
    answer = make_problem(TOO_MANY, TOO_MANY.name, detail)
    answer.headers["Retry-After"] = str(max(1, math.ceil(standing.until_next)))
    return answer


def _find_seat(token: str) -> str:
    """Return the campaign and seat of a known token, so that a new token gets no new count; else the operator's."""
    return token.rpartition(".")[0] if TOKEN.fullmatch(token) else "operator"


def find_address(scope: Scope) -> str:
    """Return the caller's address; for IPv6 its network, which belongs to one household."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    mapped_address = address.ipv4_mapped  # the form of an IPv4 address on a socket for both
    return str(mapped_address) if mapped_address is not None else str(ipaddress.ip_network((address, 64), strict=False))
