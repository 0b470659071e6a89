"""Compress answers, except those with a token: the compressed length could reveal the token (BREACH).

No answer to a GET contains a token, so only answers to GET are compressed. The feed is not compressed, because each
event must be sent at once. Problems are not compressed, because they quote the request and the log reads their code.
"""

from __future__ import annotations

from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.problems import MEDIA_TYPE

LEAST = 1_000  # bytes: a shorter answer fits into one packet uncompressed
EFFORT = 5  # level 9 takes three times as long and saves only a fourteenth


class Compressed(GZipMiddleware):
    """Middleware that compresses large answers to GET requests."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, LEAST, EFFORT, exclude_content_types=(*DEFAULT_EXCLUDED_CONTENT_TYPES, MEDIA_TYPE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET":
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)
