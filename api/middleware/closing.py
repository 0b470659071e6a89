"""Announce the last answer on a connection, so that no client sends another request while the connection closes.

An answer is the last one if the service is about to stop, if the answer is an endless stream, or if the unread rest of
the request's body is long or of unknown length.
"""

from __future__ import annotations

import asyncio
from threading import Event

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_LEFT = 256_000  # how many bytes of an unread body are skipped to keep the connection
LINGER = 0.5  # seconds; if a connection ended while its client is still sending, the answer would be lost
FEED = "text/event-stream"


class Closing:
    """Outermost middleware that closes connections properly. `stopping` is set when the service is about to stop."""

    def __init__(self, app: ASGIApp, stopping: Event) -> None:
        self.app = app
        self.stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _Body(Headers(scope=scope), receive)
        is_too_long = False  # the rest of the body is too long to skip
        last_message: Message | None = None

        async def send_marked(message: Message) -> None:
            nonlocal is_too_long, last_message
            if message["type"] == "http.response.start":
                is_too_long = body.is_too_long_to_skip()
                headers = MutableHeaders(scope=message)
                if is_too_long or self.stopping.is_set() or headers.get("content-type", "").startswith(FEED):
                    headers["Connection"] = "close"
            elif is_too_long and not message.get("more_body", False):
                message, last_message = {**message, "more_body": True}, {"type": "http.response.body"}
            await send(message)

        await self.app(scope, body.receive, send_marked)
        if last_message is not None:
            await body.skip_rest()
            await send(last_message)


class _Body:
    """The body of a request. The number of unread bytes is known if the length is known."""

    def __init__(self, headers: Headers, receive: Receive) -> None:
        length = headers.get("content-length", "")
        self._receive = receive
        self._is_whole = not length and "transfer-encoding" not in headers
        self._is_awaited = headers.get("expect", "").lower() == "100-continue"
        self._bytes_left = int(length) if length.isdecimal() else None

    async def receive(self) -> Message:
        self._is_awaited = False  # now the server asks the client for the body
        message = await self._receive()
        if self._bytes_left is not None:
            self._bytes_left -= len(message.get("body", b""))
        self._is_whole |= not message.get("more_body", False)
        return message

    def is_too_long_to_skip(self) -> bool:
        """Return whether the unread rest of the body is too long or of unknown length."""
        return not self._is_whole and (self._is_awaited or self._bytes_left is None or self._bytes_left > MOST_LEFT)

    async def skip_rest(self) -> None:
        """Skip arriving bytes for a while, so that the client notices that nobody reads them."""
        skipped_bytes = 0
        try:
            async with asyncio.timeout(LINGER):
                while not self._is_whole and skipped_bytes < MOST_LEFT:
                    skipped_bytes += len((await self.receive()).get("body", b""))
        except TimeoutError:
            pass
