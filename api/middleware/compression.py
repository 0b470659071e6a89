"""Answers are compressed for whoever asks, but none that holds a token: its length would tell of it (BREACH).

No answer to a GET holds one, so what is read is compressed and nothing besides. The feed is
not (Starlette leaves event streams alone: an event must not wait for others), and problems are not: they quote what was
sent, and the log reads their code on the way out.
"""

from __future__ import annotations

from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.problems import MEDIA_TYPE

LEAST = 1_000  # bytes: less fits into one packet as it is
EFFORT = 5  # of 9, which takes three times as long for a fourteenth less


class Compressed(GZipMiddleware):
    """Middleware: gzip for what is read and large."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, LEAST, EFFORT, exclude_content_types=(*DEFAULT_EXCLUDED_CONTENT_TYPES, MEDIA_TYPE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET":
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)
