"""Compresses answers, except those with a token: their length would reveal it (BREACH).

No answer to a GET holds one, so only those are compressed. The feed is not (an event must not wait for others), and
problems are not: they quote what was sent, and the log reads their code on the way out.
"""

from __future__ import annotations

from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.problems import MEDIA_TYPE

LEAST = 1_000  # bytes: less fits into one packet uncompressed
EFFORT = 5  # of 9; level 9 takes three times as long and saves a fourteenth


class Compressed(GZipMiddleware):
    """Middleware: gzip for large answers to reads."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, LEAST, EFFORT, exclude_content_types=(*DEFAULT_EXCLUDED_CONTENT_TYPES, MEDIA_TYPE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET":
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)
