"""What is compressed, for whom, and what never is."""

from __future__ import annotations

import asyncio
import gzip
import uuid
from typing import Any

import httpx
import pytest
from starlette.responses import Response

from api.http.problem_kinds import MALFORMED
from api.http.problems import make_problem
from api.middleware.compression import LEAST, Compressed
from tests.api.conftest import OPERATOR
from tests.api.table import Json, Service, Table

GZIP = {"Accept-Encoding": "gzip"}


def asked(service: Service, path: str, headers: dict[str, str]) -> tuple[bytes, httpx.Headers]:
    """The body as it came over the line."""
    with service.client.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200
        return b"".join(answer.iter_raw()), answer.headers


def test_a_large_answer_is_compressed_for_who_asks(service: Service) -> None:
    path = "/systems/toy/guide"
    plain, how = asked(service, path, {"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in how and "Accept-Encoding" in how["Vary"] and len(plain) > LEAST
    packed, how = asked(service, path, GZIP)
    assert how["Content-Encoding"] == "gzip" and "Accept-Encoding" in how["Vary"]
    assert gzip.decompress(packed) == plain and len(packed) < len(plain) / 2
    assert int(how["Content-Length"]) == len(packed)


def test_a_small_answer_is_not(service: Service) -> None:
    body, how = asked(service, "/healthz", GZIP)
    assert len(body) < LEAST and "Content-Encoding" not in how


def test_an_export_is_compressed_as_it_streams(table: Table) -> None:
    path = f"/campaigns/{table.id}/export"
    packed, how = asked(table.service, path, {**table.gm.bearer, **GZIP})
    assert how["Content-Encoding"] == "gzip"
    plain, _ = asked(table.service, path, {**table.gm.bearer, "Accept-Encoding": "identity"})
    assert gzip.decompress(packed).splitlines()[0] == plain.splitlines()[0]


def test_the_feed_is_not(table: Table) -> None:
    table.fighters()
    url = f"/campaigns/{table.id}/feed?after=0.0"
    with table.service.client.stream("GET", url, headers={**table.gm.bearer, **GZIP}) as answer:
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert "Content-Encoding" not in answer.headers
        assert next(line for line in answer.iter_lines() if line.startswith("data:"))


def test_no_answer_with_a_token_is(service: Service) -> None:
    """Large ones, by the names in them that whoever asks may choose."""
    told = {"name": "€" * 200, "system": "toy", "gm": {"name": "€" * 200}}
    headers = {"Authorization": f"Bearer {OPERATOR}", "Idempotency-Key": str(uuid.uuid4()), **GZIP}
    opened = service.send("POST", "/campaigns", headers, json=told)
    assert opened.json()["seat"]["token"] in opened.text
    assert len(opened.content) > LEAST and "Content-Encoding" not in opened.headers


@pytest.mark.slow
def test_who_reads_is_told_no_token(service: Service) -> None:
    """What `Compressed` rests on."""
    document = service.client.get("/openapi.json").json()
    telling = {
        method
        for methods in document["paths"].values()
        for method, operation in methods.items()
        for answer in operation["responses"].values()
        if "token" in names_in(answer, document)
    }
    assert "post" in telling and "get" not in telling


def names_in(part: Any, document: Json, seen: frozenset[str] = frozenset()) -> set[str]:
    """The names of all properties in a schema, and in those that it refers to."""
    if isinstance(part, list):
        return set().union(*(names_in(inner, document, seen) for inner in part))
    if not isinstance(part, dict):
        return set()
    found = set(part["properties"]) if isinstance(part.get("properties"), dict) else set()
    name = str(part.get("$ref", "")).rpartition("/")[2]
    if name and name not in seen:
        found |= names_in(document["components"]["schemas"][name], document, seen | {name})
    return found.union(*(names_in(inner, document, seen) for inner in part.values()))


@pytest.mark.parametrize(
    ("answer", "packed"),
    [
        (Response("x" * 2 * LEAST, media_type="application/json"), True),
        (Response("x" * 2 * LEAST, media_type="text/event-stream"), False),
        (make_problem(MALFORMED, "malformed", "x" * 300, context={"a": "x" * 400, "b": "x" * 400}), False),
    ],
    ids=["json", "events", "problem"],
)
def test_by_what_it_is(answer: Response, packed: bool) -> None:
    assert len(answer.body) > LEAST

    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(Compressed(answer)), base_url="http://x") as client:
            return await client.get("/", headers=GZIP)

    assert ("Content-Encoding" in asyncio.run(asked()).headers) is packed
