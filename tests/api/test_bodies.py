"""Everything that can be wrong with a request: a clear problem each time, never a 500, and nothing recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from api.http.forms import load_forms
from api.http.problems import BadRequest
from tests.api.table import HIT, STAND, Json, Service, Table, rolled

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def table(service: Service) -> Table:
    """1, 2: characters of Ben's and Cleo's. 3: a scene, closed. w9 waits for Cleo's choice."""
    table = Table(service)
    table.fighters()
    table.gm.does("/scenes", {"title": "Over"})
    table.gm.does("/scenes/3/close", {})
    table.ben.declare("hit", status=202, char="1", target="2")
    return table


@pytest.fixture(autouse=True)
def nothing_is_recorded(table: Table) -> Iterator[None]:
    before = table.position
    yield
    assert table.position == before


def mint(**more: Any) -> Json:
    return {"declare": {"kind": "mint", "to": "1", "coins": 1, **more}}


MALFORMED: list[tuple[Any, str]] = [
    # body, pointer of the first mistake
    (None, ""),
    ([], ""),
    ("declare", ""),
    (7, ""),
    ({}, "/declare"),
    ({"declare": None}, "/declare"),
    ({"declare": []}, "/declare"),
    ({"declare": "mint"}, "/declare"),
    ({"declare": {"kind": "mint", "to": "1"}}, "/declare/coins"),
    (mint(more=1), "/declare/more"),
    (mint(coins="1"), "/declare/coins"),
    (mint(coins=True), "/declare/coins"),
    (mint(coins=1.0), "/declare/coins"),
    (mint(coins=None), "/declare/coins"),
    (mint(coins=[1]), "/declare/coins"),
    (mint(to=1), "/declare/to"),
    (mint(hidden="yes"), "/declare/hidden"),
    (mint(hidden=0), "/declare/hidden"),
    (
        {"declare": {"kind": "enrol", "name": "X", "seat": "s1", "sheet": {"health": 1, "luck": 1}}},
        "/declare/sheet/luck",
    ),
    ({"declare": {"kind": "enrol", "name": "X", "seat": "s1", "sheet": 5}}, "/declare/sheet"),
    ({"declare": {"kind": "enrol", "name": "X", "seat": "s1"}}, "/declare/sheet"),
    ({"declare": {"kind": "open-scene", "title": "X", "cast": "1"}}, "/declare/cast"),
    ({"declare": {"kind": "open-scene", "title": "X", "cast": [1]}}, "/declare/cast/0"),
    ({**mint(), "dice": "loaded"}, "/dice"),
    ({**mint(), "scene": 3}, "/scene"),
    ({**mint(), "answers": STAND}, "/answers"),
    ({**mint(), "answers": [7]}, "/answers/0"),
    ({**mint(), "more": 1}, "/more"),
    ({"declare": HIT, "answers": [STAND, {"dice": {"sides": 6}}]}, "/answers/1/dice/faces"),
    ({"declare": HIT, "answers": [STAND, {"dice": {"sides": 6, "faces": ["4"]}}]}, "/answers/1/dice/faces/0"),
    ({"declare": HIT, "answers": [STAND, {"dice": {"sides": 6, "faces": 4}}]}, "/answers/1/dice/faces"),
    (
        {"declare": HIT, "answers": [STAND, {"dice": {"sides": 6, "faces": [6], "source": "ledger"}}]},
        "/answers/1/dice/source",
    ),
    (
        {"declare": HIT, "answers": [STAND, {"dice": {"sides": 6, "faces": [6], "proof": "trust me"}}]},
        "/answers/1/dice/proof",
    ),
    ({"declare": HIT, "answers": [{"coins": {"coins": ["edge"]}}]}, "/answers/0/coins/coins/0"),
    ({"declare": HIT, "answers": [{"choice": {"kind": "stand", "tall": True}}]}, "/answers/0/choice/tall"),
    # names that mean something to those who made the pointer, and those that a pointer writes otherwise
    ({**mint(), "body": 1}, "/body"),
    ({**mint(), "query": 1}, "/query"),
    (mint(body=1), "/declare/body"),
    (mint(**{"a/b~c": 1}), "/declare/a~1b~0c"),
    (mint(**{"~1": 1}), "/declare/~01"),
    (mint(**{"": 1}), "/declare/"),
    (
        {"declare": {"kind": "enrol", "name": "X", "seat": "s1", "sheet": {"health": 1, "body": 1}}},
        "/declare/sheet/body",
    ),
    ({"declare": HIT, "answers": [STAND, {"dice": {"sides": 6, "faces": [6], "body": 1}}]}, "/answers/1/dice/body"),
    ({"declare": HIT, "answers": [STAND, {"choice": {"kind": "stand", "body": 1}}]}, "/answers/1/choice/body"),
]


@pytest.mark.parametrize(("body", "pointer"), MALFORMED, ids=lambda value: str(value)[:60])
def test_a_malformed_body_is_told_where(table: Table, body: Any, pointer: str) -> None:
    refused = table.gm.send("POST", "/rulings", json=body)
    assert refused.status_code == 422
    problem = refused.json()
    assert problem["type"] == "/problems/malformed"
    assert problem["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("name", ["body", "query", "a/b~c", "~1", "0", ""])
def test_a_name_in_a_mapping_is_told_as_it_is(name: str) -> None:
    forms = load_forms("moc")
    with pytest.raises(BadRequest) as met:
        forms.parse_answer({"choice": {"kind": "allocate", "beads": {name: "many"}}}, "/answers/3")
    within = {one["pointer"].rpartition("/beads/") for one in met.value.errors if "/beads/" in one["pointer"]}
    assert within == {("/answers/3/choice", "/beads/", name.replace("~", "~0").replace("/", "~1"))}


UNKNOWN: list[tuple[Json, str]] = [
    ({"declare": {}}, "unknown-kind"),
    ({"declare": {"kind": "explode"}}, "unknown-kind"),
    ({"declare": {"kind": 7}}, "unknown-kind"),
    ({"declare": {"kind": ["mint"]}}, "unknown-kind"),
    ({"declare": HIT, "answers": [{}]}, "answer-kind"),
    ({"declare": HIT, "answers": [{"luck": 1}]}, "answer-kind"),
    ({"declare": HIT, "answers": [{**STAND, **rolled(1)}]}, "answer-kind"),
    ({"declare": HIT, "answers": [{"choice": {"kind": "flee"}}]}, "unknown-kind"),
    ({"declare": HIT, "answers": [{"choice": "stand"}]}, "answer-kind"),
]


@pytest.mark.parametrize(("body", "code"), UNKNOWN, ids=lambda value: str(value)[:60])
def test_what_the_system_does_not_know(table: Table, body: Json, code: str) -> None:
    refused = table.gm.post("/rulings", body)
    assert (refused.status_code, refused.json()["code"]) == (422, code)


REFUSED: list[tuple[str, Json, str, str]] = [
    # who, body, code, rule
    ("gm", mint(coins=0), "coins-short", "toy.coins"),
    ("gm", mint(to="99"), "unknown-character", "ledger.subject"),
    ("gm", mint(to=""), "unknown-character", "ledger.subject"),
    ("gm", mint(to="1/coin"), "unknown-character", "ledger.subject"),
    ("ben", {"declare": {"kind": "hit", "char": "1", "target": "99"}}, "unknown-character", "ledger.subject"),
    ("ben", {"declare": {"kind": "give", "char": "1", "to": "2", "coins": 5}}, "coins-short", "toy.coins"),
    (
        "gm",
        {"declare": {"kind": "enrol", "name": " ", "seat": "s1", "sheet": {"health": 1}}},
        "name-blank",
        "ledger.enrol",
    ),
    (
        "gm",
        {"declare": {"kind": "enrol", "name": "X", "seat": "s9", "sheet": {"health": 1}}},
        "unknown-seat",
        "ledger.enrol",
    ),
    (
        "gm",
        {"declare": {"kind": "enrol", "name": "X", "seat": "s1", "sheet": {"health": 0}}},
        "health-range",
        "toy.being",
    ),
    ("gm", {"declare": {"kind": "close-scene", "scene": "3"}}, "scene-closed", "ledger.scene"),
    ("gm", {"declare": {"kind": "close-scene", "scene": "99"}}, "unknown-scene", "ledger.scene"),
    ("gm", {"declare": {"kind": "close-session", "session": "1"}}, "session-not-open", "ledger.session"),
    ("gm", {"declare": {"kind": "open-scene", "title": "X", "cast": ["1", "1"]}}, "duplicate", "ledger.scene"),
    ("gm", {"declare": {"kind": "set-dial", "name": "die", "value": 7, "reason": "x"}}, "dial-value", "toy.hit"),
    ("gm", {"declare": {"kind": "set-dial", "name": "x", "value": 7, "reason": "x"}}, "unknown-dial", "ledger.dial"),
    (
        "gm",
        {"declare": {"kind": "amend", "subject": "dragon:1", "field": "harm", "value": 1, "reason": "x"}},
        "unknown-subject",
        "ledger.subject",
    ),
    ("gm", {**mint(), "scene": "3"}, "scene-closed", "ledger.scene"),
    ("gm", {**mint(), "scene": "1"}, "unknown-scene", "ledger.scene"),
    ("gm", {**mint(), "answers": [STAND]}, "not-asked", "ledger.answer"),
]


@pytest.mark.parametrize(("who", "body", "code", "rule"), REFUSED, ids=lambda value: str(value)[:50])
def test_the_rules_refuse_with_the_rule(table: Table, who: str, body: Json, code: str, rule: str) -> None:
    refused = getattr(table, who).post("/rulings", body)
    problem = refused.json()
    assert (refused.status_code, problem["type"]) == (422, "/problems/refused")
    assert (problem["code"], problem["rule"]) == (code, rule)
    assert problem["statement"]
    assert problem["statement"] in problem["detail"]
    assert refused.headers["Ledger-Position"] == str(table.position)


DICE: list[tuple[Json, str]] = [
    (rolled(7), "face-range"),
    (rolled(0), "face-range"),
    (rolled(-1), "face-range"),
    (rolled(), "dice-count"),
    (rolled(1, 2), "dice-count"),
    (rolled(*[1] * 500), "dice-count"),
    (rolled(4, sides=8), "dice-count"),
    ({"cards": {"cards": ["ace"]}}, "answer-kind"),
    ({"order": {"cards": ["ace"]}}, "answer-kind"),
    ({"coins": {"coins": ["heads"]}}, "answer-kind"),
    (STAND, "answer-kind"),
]


@pytest.fixture(scope="module")
def players_only(service: Service) -> Table:
    table = Table(service, deciders="all_players")
    table.fighters()
    return table


@pytest.mark.parametrize(("answer", "code"), DICE, ids=lambda value: str(value)[:50])
def test_dice_that_cannot_be(players_only: Table, answer: Json, code: str) -> None:
    before = players_only.position
    refused = players_only.ben.post("/rulings", {"declare": HIT, "answers": [STAND, answer]})
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert refused.json()["type"] == "/problems/refused"
    assert players_only.position == before


RAW: list[tuple[bytes, str]] = [
    (b"{", "not-json"),
    (b"\xef\xbb\xbf{}", "not-json"),
    (b"{'declare': 1}", "not-json"),
    (b'{"declare": NaN}', "not-json"),
    (b'{"declare": -Infinity}', "not-json"),
    (b'{"declare": 1} {}', "not-json"),
    (b'{"declare": "\xff"}', "not-utf-8"),
    (b"\xff\xfe{\x00}\x00", "not-utf-8"),
    (b'{"declare": "\\u0000"}', "nul-character"),
    (b'{"a\\u0000b": 1}', "nul-character"),
    (b'{"declare": {"kind": "mint", "to": ["\\u0000"]}}', "nul-character"),
    (b'{"declare": "\\ud800"}', "half-character"),
    (b'{"\\udc00": 1}', "half-character"),
    (b'{"declare": {}, "declare": {}}', "duplicate-name"),
    (b'{"declare": {"kind": "mint", "kind": "give"}}', "duplicate-name"),
    (b'{"declare": 9007199254740992}', "out-of-range"),
    (b'{"declare": -99999999999999999999999999}', "out-of-range"),
    (b'{"declare": ' + b"9" * 100_000 + b"}", "out-of-range"),
    (b'{"declare": 1e400}', "out-of-range"),
    (b"[" * 33 + b"]" * 33, "too-deep"),
    (b"[" * 400_000, "too-deep"),
    (b'{"a":' * 100_000, "too-deep"),
    (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "too-deep"),
]


@pytest.mark.parametrize(("body", "code"), RAW, ids=lambda value: repr(value)[:40])
def test_bodies_not_everybody_reads_the_same_way(table: Table, body: bytes, code: str) -> None:
    refused = table.gm.send("POST", "/rulings", JSON, content=body)
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert refused.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "", "json"])
def test_other_content_types(table: Table, kind: str) -> None:
    body = b'{"declare": {"kind": "mint", "to": "1", "coins": 1}}'
    assert table.gm.send("POST", "/rulings", {"Content-Type": kind}, content=body).status_code == 415
    zipped = {**JSON, "Content-Encoding": "gzip"}
    assert table.gm.send("POST", "/rulings", zipped, content=body).status_code == 415


BIG = b'{"reason": "' + b"x" * 1_100_000 + b'"}'


def chunks() -> Iterator[bytes]:
    """Without a Content-Length."""
    for start in range(0, len(BIG), 50_000):
        yield BIG[start : start + 50_000]


@pytest.mark.parametrize("content", [BIG, chunks, BIG * 8], ids=["length", "chunked", "much more"])
def test_over_a_megabyte(table: Table, content: Any) -> None:
    body = content() if callable(content) else content
    refused = table.gm.send("POST", "/rulings/1/dispute", JSON, content=body)
    assert (refused.status_code, refused.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize(("content", "status"), [(BIG, 413), (chunks, 404)], ids=["length", "chunked"])
def test_what_nothing_here_would_take_is_not_read(table: Table, content: Any, status: int) -> None:
    url = f"/campaigns/{table.id}/no-such-route"
    body = content() if callable(content) else content
    assert table.service.client.post(url, headers={**table.gm.bearer, **JSON}, content=body).status_code == status


def test_just_under_a_megabyte_is_read(table: Table) -> None:
    body = b'{"reason": "' + b"x" * 999_980 + b'"}'
    told = table.gm.send("POST", "/rulings/1/dispute", JSON, content=body).json()
    assert told["errors"][0]["type"] == "text-too-long"


ENDPOINTS: list[tuple[str, Json, int]] = [
    ("/dials", {"reason": "none"}, 422),
    ("/dials", {"die": 8}, 422),
    ("/dials", {"die": 8, "dice": "table", "reason": "two"}, 422),
    ("/dials", {"die": "8", "reason": "text"}, 422),
    ("/dials", {"die": True, "reason": "bool"}, 422),
    ("/characters", {"name": "X", "seat": "s1", "sheet": {"health": "5"}}, 422),
    ("/characters", {"name": "X", "seat": "s1"}, 422),
    ("/characters", {"name": "X" * 201, "seat": "s1", "sheet": {"health": 5}}, 422),
    ("/characters/99/retire", {"reason": "x"}, 422),
    ("/characters/1/retire", {"reason": " "}, 422),
    ("/characters/1/hand-over", {"seat": "s99"}, 422),
    ("/characters/1/hand-over", {"seat": 2}, 422),
    ("/sessions", {"title": 7}, 422),
    ("/sessions/1/close", {}, 422),
    ("/sessions/1/close", {"more": 1}, 422),
    ("/scenes", {"title": "  "}, 422),
    ("/scenes", {"title": "X", "cast": ["99"]}, 422),
    ("/scenes/3/close", {}, 422),
    ("/scenes/99/close", {}, 422),
    ("/seats", {"name": "Eve", "role": "king"}, 422),
    ("/seats", {"name": "Eve"}, 422),
    ("/seats/s99/token", {}, 404),
    ("/waiting/w9/answers", {"answer": {}}, 422),
    ("/waiting/w9/answers", {}, 422),
    ("/waiting/7/answers", {"answer": STAND}, 404),
    ("/waiting/%00/answers", {"answer": STAND}, 404),
    ("/waiting/w9/withdraw", {"reason": ""}, 422),
    ("/characters/%F0%9F%90%89/retire", {"reason": "x"}, 422),
    ("/nothing/here", {}, 404),
]


@pytest.mark.parametrize(("path", "body", "status"), ENDPOINTS)
def test_every_endpoint_refuses_what_makes_no_sense(table: Table, path: str, body: Json, status: int) -> None:
    refused = table.gm.post(path, body)
    assert refused.status_code == status, refused.text
    assert refused.json()["type"].startswith("/problems/")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("PUT", "/campaigns", 405),
        ("DELETE", "/systems", 405),
        ("PUT", "/campaigns/x", 405),
        ("GET", "/systems/", 404),
        ("GET", "/%00", 404),
        ("POST", "/nowhere", 404),
        ("TRACE", "/healthz", 405),
    ],
)
def test_routes_that_are_not_there_are_problems_too(service: Service, method: str, path: str, status: int) -> None:
    answer = service.client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (status == 405) == ("Allow" in answer.headers)
