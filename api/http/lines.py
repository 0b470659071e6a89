"""JSON Lines, sent and received line by line as one of two media types.

`application/jsonl` is the precise type. `application/octet-stream` is for programs that can send or save only a file.
"""

from __future__ import annotations

from fastapi import Request

from api.http.answers import Json

LINES = "application/jsonl"
FILE = "application/octet-stream"
AS_FILE: Json = {"schema": {"type": "string", "format": "binary"}}


def describe_lines(example: str) -> Json:
    """Return the OpenAPI description of an answer in JSON Lines."""
    return {LINES: {"schema": {"type": "string"}, "example": example}, FILE: AS_FILE}


def choose_media_type(request: Request) -> str:
    """Return `application/octet-stream` if the client accepts it but not `application/jsonl`, else
    `application/jsonl`.
    """
    accept_header = request.headers.get("accept", "")
    return FILE if FILE in accept_header and LINES not in accept_header else LINES
