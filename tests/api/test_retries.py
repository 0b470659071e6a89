"""Idempotency keys, versions expected, positions waited for: what keeps a shaky line from doing harm."""

from __future__ import annotations

import socket
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import pytest

from api.http import reading
from tests.api.table import HIT, STAND, Json, Player, Service, Table


def keyed() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


def same(one: httpx.Response, other: httpx.Response) -> bool:
    """Equal bytes, status and position; the second is marked."""
    skipped = {"idempotency-replayed", "date", "x-request-id"}
    headers = [{name: value for name, value in each.headers.items() if name not in skipped} for each in (one, other)]
    assert "Idempotency-Replayed" not in one.headers
    assert other.headers["Idempotency-Replayed"] == "true"
    return (one.content, one.status_code, headers[0]) == (other.content, other.status_code, headers[1])


def test_a_campaign_opened_twice_is_one_with_one_token(service: Service) -> None:
    headers = service.operator
    first, second = service.open(headers), service.open(headers)
    assert same(first, second)
    upper = {**headers, "Idempotency-Key": headers["Idempotency-Key"].upper()}
    assert service.open(upper).content == first.content
    other = service.open(headers, name="Another")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


POSTS: list[tuple[str, Json]] = [
    ("/seats", {"name": "Eve", "role": "player"}),
    ("/seats/s3/token", {}),
    ("/characters", {"name": "X", "seat": "s1", "sheet": {"health": 3}}),
    ("/sessions", {}),
    ("/dials", {"die": 8, "reason": "more"}),
    ("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 2}}),
    ("/rulings/1/dispute", {"reason": "why"}),
    ("/rulings/1/overturn", {"reason": "so"}),
]


@pytest.mark.parametrize(("path", "body"), POSTS)
def test_a_repeated_post_gets_equal_bytes_and_appends_nothing(table: Table, path: str, body: Json) -> None:
    table.fighters()
    headers = keyed()
    first = table.gm.post(path, body, headers)
    table.gm.declare("mint", to="2", coins=1)
    before = table.position
    assert same(first, table.gm.post(path, body, headers))
    assert table.position == before
    assert first.headers["Idempotency-Key"] == headers["Idempotency-Key"]


@pytest.mark.parametrize("path", ["/sessions", "/seats/s2/token"])
@pytest.mark.parametrize(("length", "sent"), [(500, ""), (500, "{}"), (None, "2\r\n{}\r\n"), (None, "zz\r\n")])
def test_half_a_request_is_none(table: Table, path: str, length: int | None, sent: str) -> None:
    """The line is lost before the body is complete, where an empty body would do."""
    before, key = table.position, str(uuid.uuid4())
    size = f"Content-Length: {length}" if length is not None else "Transfer-Encoding: chunked"
    lines = (
        f"POST /campaigns/{table.id}{path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {table.gm.token}",
        "Content-Type: application/json",
        f"Idempotency-Key: {key}",
        size,
        "",
        sent,
    )
    url = table.service.client.base_url
    with socket.create_connection((url.host, url.port or 0)) as line:
        line.sendall("\r\n".join(lines).encode())
        line.shutdown(socket.SHUT_WR)
        line.settimeout(10)
        with suppress(ConnectionError):
            assert b" 20" not in line.recv(65536)[:12]
    assert table.position == before
    whole = table.gm.post(path, {"title": "All of it"} if path == "/sessions" else {}, {"Idempotency-Key": key})
    assert whole.status_code in (200, 201), "the key is as good as new"


def test_a_retry_may_be_spelled_differently_but_must_say_the_same(table: Table) -> None:
    table.fighters()
    headers = {**keyed(), "Content-Type": "application/json"}
    first = table.gm.send("POST", "/rulings", headers, content=b'{"declare":{"kind":"mint","to":"1","coins":2}}')
    spaced = b'{ "declare": {"coins": 2, "to": "\\u0031", "kind": "mint"} }'
    assert same(first, table.gm.send("POST", "/rulings", headers, content=spaced))
    other = table.gm.post("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 3}}, headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    assert table.cleo.post("/rulings/1/dispute", {"reason": "x"}, headers).status_code == 200, "keys are a seat's own"
    elsewhere = table.gm.post("/rulings/1/uphold", {"reason": "x"}, headers)
    assert elsewhere.status_code == 200, "and a route's own"
    other_number = table.gm.post("/rulings/2/dispute", {"reason": "x"}, {**headers})
    assert other_number.status_code == 200
    assert table.gm.post("/rulings/1/dispute", {"reason": "x"}, headers).json()["code"] == "idempotency-key-reused"


def test_a_refused_request_leaves_its_key_free(table: Table) -> None:
    table.fighters()
    headers = keyed()
    assert table.gm.post("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 0}}, headers).status_code == 422
    assert table.gm.post("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}, headers).status_code == 201


def test_a_waiting_declaration_is_repeated_too(table: Table) -> None:
    table.fighters()
    headers = keyed()
    first = table.ben.post("/rulings", {"declare": HIT}, headers)
    assert same(first, table.ben.post("/rulings", {"declare": HIT}, headers))
    answering = keyed()
    path = f"/waiting/{first.json()['id']}/answers"
    rolled = table.cleo.post(path, {"answer": STAND}, answering)
    assert same(rolled, table.cleo.post(path, {"answer": STAND}, answering)), "the same dice"


def test_the_service_makes_a_key_when_there_is_none(table: Table) -> None:
    table.fighters()
    first, second = (table.gm.tries("mint", to="1", coins=1) for _ in range(2))
    assert first.headers["Idempotency-Key"] != second.headers["Idempotency-Key"]
    again = table.gm.post(
        "/rulings",
        {"declare": {"kind": "mint", "to": "1", "coins": 1}, "answers": []},
        {"Idempotency-Key": first.headers["Idempotency-Key"]},
    )
    assert same(first, again)


@pytest.mark.parametrize("key", ["", "with space", "tab\there", "x" * 256, "é"])
def test_a_key_is_visible_ascii(table: Table, key: str) -> None:
    before = table.position
    headers = [
        (b"Authorization", table.gm.bearer["Authorization"].encode()),
        (b"Idempotency-Key", key.encode("latin-1")),
    ]
    refused = table.service.client.post(f"/campaigns/{table.id}/sessions", headers=headers, json={})
    table.service.description.judge(refused)
    assert refused.status_code == 422
    assert table.position == before
    assert table.gm.post("/sessions", {}, {"Idempotency-Key": "x" * 255}).status_code == 201


def test_sixteen_at_once_under_one_key_are_one(table: Table) -> None:
    table.fighters()
    before = table.position
    headers = keyed()

    def mint(_: int) -> httpx.Response:
        return table.gm.post("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 2}}, headers)

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(mint, range(16)))
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert table.position == before + 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1


def test_sixteen_at_once_open_one_campaign(service: Service) -> None:
    headers = service.operator
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: service.open(headers), range(16)))
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}


def test_sixteen_different_ones_at_once_all_count(table: Table) -> None:
    table.fighters()
    before = table.position
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: table.gm.declare("mint", to="1", coins=1), range(16)))
    assert sorted(answer["number"] for answer in answers) == list(range(3, 19))
    assert table.position == before + 16


# --- versions expected ---


@pytest.mark.parametrize(
    ("method", "path", "body", "resource"),
    [
        ("POST", "/rulings/1/dispute", {"reason": "x"}, "/rulings/1"),
        ("POST", "/rulings/1/overturn", {"reason": "x"}, "/rulings/1"),
        ("POST", "/characters/1/retire", {"reason": "x"}, "/characters/1"),
        ("POST", "/characters/1/hand-over", {"seat": "s3"}, "/characters/1"),
        ("POST", "/scenes/3/close", {}, "/scenes/3"),
        ("POST", "/seats", {"name": "Eve", "role": "player"}, ""),
        ("PATCH", "/seats/s3", {"name": "Clio"}, ""),
        ("POST", "/sessions", {}, ""),
        ("POST", "/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}, ""),
    ],
)
def test_if_match_is_honoured(table: Table, method: str, path: str, body: Json, resource: str) -> None:
    table.fighters()
    table.gm.does("/scenes", {"title": "The bridge"})
    seen = table.gm.get(resource).headers["ETag"]
    before = table.position
    for wrong in ('"999"', '"x"', f"W/{seen}", '""'):
        stale = table.gm.send(method, path, {"If-Match": wrong}, json=body)
        assert (stale.status_code, stale.json()["code"]) == (412, "precondition-failed")
    assert table.position == before
    headers = {"If-Match": seen, **keyed()}
    done = table.gm.send(method, path, headers, json=body)
    assert done.is_success, done.text
    assert table.gm.send(method, path, headers, json=body).content == done.content, "a retry is answered as before"
    late = table.gm.send(method, path, {"If-Match": seen}, json=body)
    assert late.status_code == 412


def test_a_decision_can_expect_the_campaign_where_it_was_seen(table: Table) -> None:
    """Whatever was saved since, even about another ruling: what was seen beforehand may be otherwise."""
    first, _ = table.fighters()
    seen = {"Ledger-Position": str(table.position), **keyed()}
    table.cleo.does("/rulings/2/dispute", {"reason": "x"}, 200)
    moved = table.gm.post(f"/rulings/{first}/overturn", {"reason": "x"}, seen)
    assert (moved.status_code, moved.json()["code"]) == (412, "precondition-failed")
    headers = {"Ledger-Position": str(table.position), **keyed()}
    done = table.gm.post(f"/rulings/{first}/overturn", {"reason": "x"}, headers)
    assert done.status_code == 200
    assert table.gm.post(f"/rulings/{first}/overturn", {"reason": "x"}, headers).content == done.content
    assert table.gm.post("/sessions", {}, {"Ledger-Position": "-1"}).status_code == 422


@pytest.mark.parametrize("tag", ["5", "x", '"1", "2"', '"'])
def test_if_match_takes_one_tag(table: Table, tag: str) -> None:
    before = table.position
    assert table.gm.post("/sessions", {}, {"If-Match": tag}).status_code == 422
    assert table.position == before
    assert table.gm.post("/sessions", {}, {"If-Match": "*"}).status_code == 201


# --- positions ---


def test_a_read_can_wait_for_a_position(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waited to the end here would hear nothing in time."""
    monkeypatch.setattr(reading, "MOST_WAIT", 600.0)
    here = table.position
    assert table.gm.get("", wait=here).status_code == 200
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(table.dora.get, "", wait=here + 1)
        table.gm.does("/sessions", {})
        assert waiting.result().headers["Ledger-Position"] == str(here + 1)


def test_waiting_for_what_never_comes_ends(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_WAIT", 0.2)
    seen = table.dora.get("/findings", wait=10**6)
    assert (seen.status_code, seen.headers["Ledger-Position"]) == (200, str(table.position))
    assert Player(table, "s1", f"{table.id}.s1.nonsense").get("", wait=10**6).status_code == 401
    assert table.dora.get("", wait=-1).status_code == 422


def test_a_preview_honours_if_match(table: Table) -> None:
    number = int(table.ben.enrol("Bruno"))
    body = {"reason": "Seeing.", "preview": True}
    assert table.gm.post(f"/rulings/{number}/overturn", body, {"If-Match": '"1"'}).status_code == 200
    table.cleo.does(f"/rulings/{number}/dispute", {"reason": "No."}, 200)
    assert table.gm.post(f"/rulings/{number}/overturn", body, {"If-Match": '"1"'}).status_code == 412
