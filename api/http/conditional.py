"""Content negotiation and caching: 406 if a client does not accept the type, 304 if it already has the answer."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from fastapi import Request, Response

from api.http.problem_kinds import NOT_ACCEPTABLE
from api.http.problems import BadRequest

JSON = "application/json"
#: The headers that a 304 repeats from the full answer.
KEPT = ("ledger-position", "link", "vary", "cache-control")


class Range(NamedTuple):
    """A part of an Accept header: a media type or range, and its weight."""

    type: str
    subtype: str
    quality: float


def must_accept(request: Request, media_type: str) -> None:
    """Raise BadRequest `not-acceptable` if the client does not accept this type."""
    accept = ",".join(request.headers.getlist("accept"))
    if not is_accepted(accept, media_type):
        raise BadRequest(NOT_ACCEPTABLE, NOT_ACCEPTABLE.name, f"This address only returns {media_type}.")


def is_accepted(accept: str, media_type: str) -> bool:
    """Return whether an Accept header allows the media type. The most specific matching range decides (RFC 9110)."""
    ranges = [media_range for part in accept.split(",") if (media_range := _parse_range(part)) is not None]
    if not ranges:
        return True
    type_name, _, subtype_name = media_type.partition(";")[0].strip().lower().partition("/")
    fitting_ranges = [
        media_range
        for media_range in ranges
        if media_range.type in (type_name, "*") and media_range.subtype in (subtype_name, "*")
    ]
    best_range = max(
        fitting_ranges, key=lambda media_range: (media_range.type != "*", media_range.subtype != "*"), default=None
    )
    return best_range is not None and best_range.quality > 0


def _parse_range(part: str) -> Range | None:
    """Return the media range, or None if the text is not a media range."""
    range_name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    type_name, slash, subtype_name = range_name.partition("/")
    if not (type_name and slash and subtype_name):
        return None
    quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
    try:
        return Range(type_name, subtype_name, float(quality))
    except ValueError:
        return Range(type_name, subtype_name, 1)


def add_etag(request: Request, answer: Response) -> Response:
    """Return the answer to a GET with an ETag of its content, or 304 if the client already has the same content.

    A document with a version gets the tag `"<version>.<digest>"`, because names in it can change without a new version.
    """
    body = getattr(answer, "body", None)
    if answer.status_code != 200 or not isinstance(body, bytes) or answer.headers.get("etag", "").startswith("W/"):
        return answer
    digest, version = hashlib.sha256(body).hexdigest(), answer.headers.get("etag")
    tag = f'"{version.strip(chr(34))}.{digest}"' if version is not None else f'W/"{digest}"'
    answer.headers["ETag"] = tag
    answer.headers["Vary"] = ", ".join(filter(None, (answer.headers.get("vary"), "Authorization")))
    known_tags = [part.strip() for part in request.headers.get("if-none-match", "").split(",")]
    if not any(candidate == "*" or candidate.removeprefix("W/") == tag.removeprefix("W/") for candidate in known_tags):
        return answer
    headers = {name: answer.headers[name] for name in KEPT if name in answer.headers}
    return Response(status_code=304, headers={**headers, "ETag": tag})
