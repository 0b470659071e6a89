"""Descriptions of the API's answers for the OpenAPI document: shapes, headers, problems."""

from __future__ import annotations

from collections.abc import Mapping

from api.http import problem_kinds
from api.http.problem_kinds import Kind
from api.http.problems import MEDIA_TYPE

Json = dict[str, object]

POSITION = {
    "Ledger-Position": {
        "description": "The number of the last save that this answer includes.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    }
}
TAG = {"ETag": {"description": "The version of the resource, for If-Match.", "schema": {"type": "string"}}}
ETAG = {"ETag": {"description": "The version of this answer, for If-None-Match.", "schema": {"type": "string"}}}
UNCHANGED: Json = {"description": "Not modified: If-None-Match has the current ETag."}
LOCATION = {"Location": {"description": "The address of the new resource.", "schema": {"type": "string"}}}
LINK = {"Link": {"description": "The address of the next page, with rel=next.", "schema": {"type": "string"}}}
RECEIPT = {
    "Idempotency-Key": {
        "description": "The key that was sent or generated.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Idempotency-Replayed": {
        "description": "`true` if this repeats the answer of an earlier request with this key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
}
ANYWHERE = (
    problem_kinds.NOT_FOUND,
    problem_kinds.NOT_ACCEPTABLE,
    problem_kinds.MALFORMED,
    problem_kinds.TOO_MANY,
    problem_kinds.FAULT,
    problem_kinds.UNAVAILABLE,
    problem_kinds.VIEWS_BEHIND,
)
READING = (problem_kinds.DENIED, *ANYWHERE, problem_kinds.GAME_AT_FAULT)
SENDING = (*READING, problem_kinds.TOO_LARGE, problem_kinds.NOT_JSON)
ACTING = (
    *SENDING,
    problem_kinds.NOT_YOURS,
    problem_kinds.WRONG_STATUS,
    problem_kinds.STALE,
    problem_kinds.CHANGED,
    problem_kinds.KEY_REUSED,
    problem_kinds.REFUSED,
)


def describe_answer(model: object, description: str, *headers: Mapping[str, object]) -> Json:
    """Return the description of a successful answer."""
    return {
        "model": model,
        "description": description,
        "headers": {name: header for group in headers for name, header in group.items()},
    }


def describe_answers(kinds: tuple[Kind, ...], successes: dict[int, Json]) -> dict[int | str, Json]:
    """Return a route's answers by status: the successful ones and the problems."""
    answers: dict[int | str, Json] = {}
    answers.update(successes.items())
    for status in sorted({kind.status for kind in kinds}):
        kinds_of_status = [kind for kind in kinds if kind.status == status]
        answers[status] = _describe_problem(kinds_of_status)
    return answers


def describe_reading_answers(model: object, description: str, *headers: Mapping[str, object]) -> dict[int | str, Json]:
    """Return the answers of a GET about a campaign."""
    return describe_answers(
        READING, {200: describe_answer(model, description, POSITION, ETAG, *headers), 304: UNCHANGED}
    )


def describe_acting_answers(successes: dict[int, Json]) -> dict[int | str, Json]:
    """Return the answers of a POST about a campaign."""
    return describe_answers(ACTING, successes)


def _describe_problem(kinds: list[Kind]) -> Json:
    examples = {
        kind.name: {
            "value": {
                "type": f"/problems/{kind.name}",
                "title": kind.title,
                "status": kind.status,
                "detail": f"{kind.title}.",
                "code": kind.name,
            }
        }
        for kind in kinds
    }
    headers = {name: {"schema": {"type": "string"}} for kind in kinds for name in kind.headers}
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}}
    titles = "; or: ".join(kind.title for kind in kinds)
    return {"description": f"{titles}.", "content": content, **({"headers": headers} if headers else {})}
