"""Log and count every request. This is outside all other middleware, so it sees the final answer."""

from __future__ import annotations

import json
import logging
import re
import time
from dataclasses import dataclass, field
from typing import Any

from asgi_correlation_id import correlation_id
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.problems import MEDIA_TYPE, answer_fault
from api.service.metrics import Metrics
from ledger.errors import LedgerError
from ledger.events.shelves import ID

HEADER = "X-Request-ID"
#: A request id accepted from the caller. It has no dots, so a token is never logged as an id.
SANE = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{7,63}")
PROBES = ("/healthz", "/readyz", "/metrics")
UNKNOWN = "unknown"
log = logging.getLogger("ledger.api.requests")


@dataclass(slots=True)
class AnswerNotes:
    """The data about an answer that the log and the metrics need."""

    status: int | None = None
    has_position: bool = False  # the answer has a position, which is shown only to valid tokens of the campaign
    is_problem: bool = False
    body: list[bytes] = field(default_factory=list)

    def note_message(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = Headers(raw=message["headers"])
            self.status = message["status"]
            self.has_position = "ledger-position" in headers
            self.is_problem = headers.get("content-type") == MEDIA_TYPE
        elif self.is_problem:
            self.body.append(message.get("body", b""))

    @property
    def code(self) -> str | None:
        return str(json.loads(b"".join(self.body))["code"]) if self.is_problem and any(self.body) else None


class Observing:
    """Reports each request's id, route, status, seconds, campaign, seat and ruling to the log and the metrics.

    It never reports the path, the query, a header or a body.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        notes = AnswerNotes()

        async def notice_and_send(message: Message) -> None:
            notes.note_message(message)
            await send(message)

        started_at = time.perf_counter()
        try:
            await self.app(scope, receive, notice_and_send)
        except Exception as error:  # noqa: BLE001  an error that even the innermost middleware did not catch
            answer = answer_fault(error)
            if notes.status is None:
                await answer(scope, receive, notice_and_send)
        finally:
            self._report(scope, notes, time.perf_counter() - started_at)

    def _report(self, scope: Scope, notes: AnswerNotes, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", UNKNOWN)
        caller = scope.get("state", {}).get("caller")
        ruling_number = getattr(caller, "ruling_number", None)
        code = notes.code
        self.metrics.count_answer(route, scope["method"], notes.status, seconds)
        if ruling_number is not None:
            self.metrics.rulings.inc()
        if code == "database-away":
            self.metrics.database_away.inc()
        if code is not None:
            self.metrics.count_refusal(code)
        level = logging.DEBUG if route in PROBES and notes.status == 200 else logging.INFO
        if notes.status is not None and notes.status >= 500:
            level = logging.WARNING
        fields: dict[str, object] = {
            "request": correlation_id.get(),
            "method": scope["method"],
            "route": route,
            "status": notes.status,
            "seconds": round(seconds, 6),
            "campaign": _find_campaign(scope),
            "seat": _find_seat(caller) if notes.has_position else None,
            "ruling": ruling_number,
            "problem": code,
        }
        log.log(level, "answered", extra={name: value for name, value in fields.items() if value is not None})


def _find_campaign(scope: Scope) -> str | None:
    """Return the campaign id in the path, or None if the text there is not an id."""
    path_params = scope.get("path_params", {})
    id = str(path_params.get("campaign", path_params.get("fork", "")))
    return id if ID.fullmatch(id) else None


def _find_seat(caller: Any) -> str | None:
    try:
        return caller.call.seat if caller is not None and caller.call.token else None
    except LedgerError:  # not a seat's token, so the operator's
        return None
