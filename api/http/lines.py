"""JSON Lines: what is sent and taken a line at a time, under either of two names.

`application/jsonl` is what it is; `application/octet-stream` what every program can send and keep as a file.
"""

from __future__ import annotations

from fastapi import Request

from api.http.answers import Json

LINES = "application/jsonl"
FILE = "application/octet-stream"
AS_FILE: Json = {"schema": {"type": "string", "format": "binary"}}


def given(example: str) -> Json:
    """Return the content of an answer."""
    return {LINES: {"schema": {"type": "string"}, "example": example}, FILE: AS_FILE}


def kind_for(request: Request) -> str:
    """Return the answer's media type: a file for a client that accepts a file and no lines, else lines."""
    accepted = request.headers.get("accept", "")
    return FILE if FILE in accepted and LINES not in accepted else LINES
