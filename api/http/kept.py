"""A document that never changes while the service runs: rendered and compressed once, identified by its ETag."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from threading import Lock

from fastapi import Request, Response

BEST = 9  # the highest level, because the document is compressed only once


class Kept:
    """A document that is rendered once, when it is first needed. `render` returns its content."""

    def __init__(self, render: Callable[[], bytes], media_type: str) -> None:
        self._render = render
        self._media_type = media_type
        self._lock = Lock()
        self._content, self._gzipped, self._tag = b"", b"", ""

    def prepare(self) -> None:
        """Render the document now, unless it was rendered before."""
        with self._lock:
            if not self._tag:
                self._store_content(self._render())

    def answer(self, request: Request) -> Response:
        """Return the document, or 304 if the client already has it."""
        self.prepare()
        headers = {"ETag": f'W/"{self._tag}"', "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if self._has_known_tag(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self._gzipped, media_type=self._media_type, headers=headers)
        return Response(self._content, media_type=self._media_type, headers=headers)

    def _store_content(self, content: bytes) -> None:
        self._content, self._gzipped = content, gzip.compress(content, BEST, mtime=0)
        self._tag = hashlib.sha256(content).hexdigest()[:32]

    def _has_known_tag(self, tags: str) -> bool:
        """Return whether one of the tags is the document's, compared weakly (RFC 9110) because compression must not
        matter.
        """
        return any(tag.strip() in ("*", f'"{self._tag}"', f'W/"{self._tag}"') for tag in tags.split(","))
