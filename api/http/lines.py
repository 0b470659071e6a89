"""JSON Lines, sent and received line by line, under either of two media types.

`application/jsonl` is the precise one; `application/octet-stream` is one that every program can send and save as a
file.
"""

from __future__ import annotations

from fastapi import Request

from api.http.answers import Json

LINES = "application/jsonl"
FILE = "application/octet-stream"
AS_FILE: Json = {"schema": {"type": "string", "format": "binary"}}


def describe_lines(example: str) -> Json:
    """Return the content of an answer."""
    return {LINES: {"schema": {"type": "string"}, "example": example}, FILE: AS_FILE}


def choose_media_type(request: Request) -> str:
    """Return the answer's media type: a file for a client that accepts files and not lines, else lines."""
    accept_header = request.headers.get("accept", "")
    return FILE if FILE in accept_header and LINES not in accept_header else LINES
