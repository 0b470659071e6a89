"""Limit the rate of requests for each seat, and for each address if the token is not known to be valid.

The counts are in the database, because all processes of the service share them. For a frequent caller, a process
borrows permits for about a second, so that it seldom asks the database. Borrowed permits count as used and expire, so
the rate is never exceeded.

A request with an unknown token counts for its address. If the token is valid, it then counts for its seat. So made-up
tokens share the permits of their address, and nobody can use up a seat's permits without its token.
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
SHARE = 20  # one process may borrow at most this fraction of the permits: one in this many
MOST_KNOWN = 20_000
PAUSE = 5.0  # seconds for which requests are not counted after the database failed
CLEARED = 60.0  # seconds
log = logging.getLogger("ledger.api")


@dataclass(slots=True)
class Loan:
    """The permits that this process has borrowed for one holder. `missing_seconds`: the time from `borrowed_at` until
    the bucket in the database is full again.
    """

    free_count: int = 0
    size: int = 0
    borrowed_at: float = -math.inf
    missing_seconds: float = 0.0
    refused_until: float = -math.inf


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a holder's limit. `may_pass`: whether this request passes. `left`: how many more would pass.
    `until_next`: the seconds until one more passes. `until_full`: the seconds until all permits are available again.
    """

    may_pass: bool
    left: int
    until_next: float
    until_full: float


class Meter:
    """Counts the requests of many holders against one rate."""

    def __init__(self, permits: Permits, name: str, rate: Rate) -> None:
        self.name = name
        self.rate = rate
        self._permits = permits
        self._loans: OrderedDict[str, Loan] = OrderedDict()
        self._most_lent = max(1, rate.most // SHARE)
        self._paused_until = self._clear_at = -math.inf

    async def take_permit(self, holder: str) -> Standing | None:
        """Take a permit and return the holder's standing. Return None if the database does not answer."""
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
        """Return the rate-limit headers (IETF draft): the policy, how many requests are left, and when all are
        available again.
        """
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.rate.most};w={self.rate.seconds}',
            "RateLimit": f'"{self.name}";r={standing.left};t={math.ceil(standing.until_full)}',
        }


def _choose_loan_size(loan: Loan, age: float) -> int:
    """Return how many permits to borrow: twice the last number if those were used quickly, else the number used, at
    least one.
    """
    if age < LENT / 2:
        return max(1, loan.size * 2)
    return max(1, loan.size - loan.free_count) if age < LENT * 2 else 1


class Rates:
    """Middleware that limits rates. A rate of None means no limit. Health checks are never refused.

    `is_valid` returns whether a token is valid. It never raises an error.
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
        """Return whether the token is valid. A valid token is remembered."""
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
    """Return the campaign and seat of a known token, or `operator`. All tokens of a seat share one count."""
    return token.rpartition(".")[0] if TOKEN.fullmatch(token) else "operator"


def find_address(scope: Scope) -> str:
    """Return the caller's address. For IPv6, return its network, which belongs to one household."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    mapped_address = address.ipv4_mapped  # an IPv4 address as a socket for both versions shows it
    return str(mapped_address) if mapped_address is not None else str(ipaddress.ip_network((address, 64), strict=False))
