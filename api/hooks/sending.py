"""Make one delivery attempt to a checked address, signed as in Standard Webhooks.

For security, it ignores the environment's proxy, follows no redirects and reads only the status of the answer. Each
attempt looks up the name again.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

import httpcore
import httpx
from standardwebhooks import Webhook

from api.service.hook_addresses import (
    Allowed,
    Resolve,
    Unfit,
    explain_unfit_name,
    parse_target,
    resolve,
    resolve_allowed,
)

PATIENCE = 10.0  # seconds that a whole attempt may take
LOOKING_UP = 64  # names looked up at the same time: a thread hangs as long as the system's resolver does
SocketOption: TypeAlias = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


@dataclass(frozen=True, slots=True)
class Message:
    """A message to deliver. `id`: the same at every attempt. `secret`: `whsec_...`."""

    url: str
    id: str
    body: str
    secret: str = field(repr=False)

    def make_headers(self, attempted_at: datetime) -> dict[str, str]:
        """Return the headers with the signature. `attempted_at`: the time of the attempt, in UTC."""
        return {
            "Content-Type": "application/json",
            "User-Agent": "campaign-ledger",
            "webhook-id": self.id,
            "webhook-timestamp": str(int(attempted_at.timestamp())),
            "webhook-signature": Webhook(self.secret).sign(self.id, attempted_at, self.body),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an attempt. `problem`: a sentence that says why the attempt failed, or None. `is_gone`: the
    receiver wants no more events.
    """

    problem: str | None = None
    is_gone: bool = False


class _CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects only to the checked addresses, even if the host name now has others."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        for address in self._addresses[:-1]:
            try:
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._backend.connect_tcp(self._addresses[-1], port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[SocketOption] | None = None
    ) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("webhooks need the network")

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)


class Sender:
    """Sends messages. `patience`: the seconds for one attempt. `tls`: the trusted certificates; None means httpx's
    default.
    """

    def __init__(
        self,
        allowed: Allowed,
        *,
        resolve: Resolve = resolve,
        patience: float = PATIENCE,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.allowed = allowed
        self.resolve = resolve
        self._patience = patience
        self._given_tls = tls
        self._resolver_threads = ThreadPoolExecutor(LOOKING_UP, "hooks-names")

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return self._given_tls or httpx.create_ssl_context()

    def check_address(self, url: str) -> None:
        """Check that webhooks may be sent to the address now. Raise Unfit if not."""
        target = parse_target(url)
        lookup = self._resolver_threads.submit(resolve_allowed, target, self.allowed, self.resolve)
        try:
            lookup.result(self._patience / 2)
        except TimeoutError:
            raise Unfit(explain_unfit_name(target)) from None

    async def send(self, message: Message, attempted_at: datetime) -> Outcome:
        """Send the message and return the outcome. No error of the receiver is raised."""
        try:
            async with asyncio.timeout(self._patience):
                return _make_outcome(await self._post(message, message.make_headers(attempted_at)))
        except TimeoutError:
            return Outcome(f"The address did not respond within {self._patience:g} seconds.")
        except Unfit as problem:
            return Outcome(str(problem))
        except (httpcore.ConnectError, httpcore.ReadError, httpcore.WriteError) as problem:
            return Outcome(
                "The certificate is not trusted." if _is_tls_error(problem) else "The address can't be reached."
            )
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError):
            return Outcome("The address does not use HTTP.")

    async def _post(self, message: Message, headers: dict[str, str]) -> int:
        """Post the message and return the status of the answer."""
        target = parse_target(message.url)
        loop = asyncio.get_running_loop()
        addresses = await loop.run_in_executor(
            self._resolver_threads, resolve_allowed, target, self.allowed, self.resolve
        )
        url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)
        original_url = httpx.URL(message.url)
        sent_headers: list[tuple[bytes | str, bytes | str]] = [("Host", original_url.netloc), *headers.items()]
        async with (
            httpcore.AsyncConnectionPool(ssl_context=self._tls, network_backend=_CheckedBackend(addresses)) as pool,
            pool.stream("POST", url, headers=sent_headers, content=message.body.encode()) as answer,
        ):
            return answer.status


def _is_tls_error(problem: BaseException) -> bool:
    cause: BaseException | None = problem
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


def _make_outcome(status: int) -> Outcome:
    if 200 <= status < 300:
        return Outcome()
    if status == 410:
        return Outcome("The address returned 410 (gone), so delivery stopped.", is_gone=True)
    if 300 <= status < 400:
        return Outcome(f"The address returned {status}. Redirects are not followed.")
    return Outcome(f"The address returned {status}.")
