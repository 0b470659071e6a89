"""The log on stderr: one JSON object on each line, without secrets.

A request's line has only named fields (`api.middleware.access_log`). Errors are logged without their messages, which
may contain data from requests. Everything that looks like a secret is removed from every line.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import TypeAlias

from asgi_correlation_id import correlation_id
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.msgspec import MsgspecFormatter

TOKEN = re.compile(r"[a-z2-7]{13}(?:[a-z2-7]{2})?\.\w+\.[\w-]{20,}")
SECRETS = re.compile(
    rf"{TOKEN.pattern}|(?<=bearer )[^\s\"]+|(?<=://)[^\s/@\"]+(?=@)|(?<=password=)[^\s\"]+", re.IGNORECASE
)
BLOT = "(secret)"
FIELDS = {"levelname": "level", "name": "logger"}

Exception_: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def describe_without_message(error: BaseException) -> str:
    """Return the types and places of an error and its causes, with Postgres codes but without their messages."""
    parts = []
    cause: BaseException | None = error
    while cause is not None:
        sqlstate = getattr(cause, "sqlstate", None)
        class_name = f"{type(cause).__module__}.{type(cause).__qualname__}"
        trace_text = "".join(traceback.format_list(traceback.extract_tb(cause.__traceback__)))
        parts.append(f"{trace_text}{class_name}{f' ({sqlstate})' if sqlstate else ''}")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\nbecause of:\n".join(parts)


class Line(MsgspecFormatter):
    """A record as one line of JSON: time, level, logger, message, request, and any other fields."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        reserved_names = [*RESERVED_ATTRS, "color_message"]
        super().__init__(
            ["levelname", "name", "message"], rename_fields=FIELDS, timestamp="time", reserved_attrs=reserved_names
        )
        self._secrets = [secret for secret in secrets if secret]

    def formatException(self, ei: Exception_) -> str:  # noqa: N802  (the library's name)
        return describe_without_message(ei[1]) if ei[1] is not None else ""

    def format(self, record: logging.LogRecord) -> str:
        if (id := correlation_id.get()) is not None and not hasattr(record, "request"):
            record.request = id
        line = SECRETS.sub(BLOT, super().format(record))
        for secret in self._secrets:
            line = line.replace(secret, BLOT)
        return line


def log_to_stderr(level: str, secrets: Iterable[str] = ()) -> None:
    """Set up logging for this process: messages of the service from `level` on, and messages of libraries from warnings
    on.

    `secrets`: texts that must never appear in the log.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Line(secrets))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in ("ledger", "uvicorn"):
        logging.getLogger(name).setLevel(level.upper())
    # as warnings, this library would log each id that it does not accept
    logging.getLogger("asgi_correlation_id").setLevel(logging.ERROR)
