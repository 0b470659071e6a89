"""Bad manners cost others nothing: what nobody vouches for is not read, what is too much is told so in few words."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi._compat.v2 import ModelField
from fastapi.routing import APIRoute
from hypothesis import given
from hypothesis import strategies as st

from api.app import ROUTE_MODULES
from api.http import bodies, problems, strict_json
from api.http.bodies import AT_ONCE, Bodied
from api.http.description import Words
from api.http.problems import MOST_ERRORS, BadRequest
from api.http.strict_json import MOST_DEEP, MOST_PARTS, SMALL
from api.routes.export import import_campaign, verify_export
from ledger.application import Ledger, parser
from ledger.rules.kernel.domains import MOST_TEXT
from projections.documents.refusals import describe_refusal
from tests.api.table import HIT, STAND, Json, Player, Service, Table
from tests.waiting import wait_until

JSON = {"Content-Type": "application/json"}
#: Wide as well as deep: 960 kB of lists, each within what may be nested.
BRACKETS = b"[" + b",".join([b"[" * 31 + b"]" * 31] * 15_000) + b"]"


@pytest.fixture(scope="module")
def table(service: Service) -> Table:
    table = Table(service)
    table.fighters()
    return table


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[threading.Thread]]:
    """The threads in which bodies were parsed, one for each."""
    threads: list[threading.Thread] = []
    parse = strict_json.parse

    def noticed(body: bytes) -> Any:
        threads.append(threading.current_thread())
        return parse(body)

    monkeypatch.setattr(bodies, "parse", noticed)
    yield threads


# --- who is nobody is not listened to ---


HOSTILE = [b"{", b'{"a":1,"a":2}', b"[" * 900_000, BRACKETS, b'"\xff"', b'{"declare": NaN}']


def tokens(table: Table) -> dict[str, dict[str, str]]:
    mine = table.ben.token
    return {
        "none": {},
        "made up": {"Authorization": f"Bearer {mine[:-6]}AAAAAA"},
        "no seat of this table": {"Authorization": f"Bearer {table.id}.s99.{mine.rpartition('.')[2]}"},
        "another scheme": {"Authorization": f"Basic {mine}"},
    }


@pytest.mark.parametrize("who", ["none", "made up", "no seat of this table", "another scheme"])
@pytest.mark.parametrize("body", HOSTILE, ids=lambda body: repr(body[:12]))
def test_nothing_is_parsed_before_the_token_is_known(
    table: Table, parsed: list[threading.Thread], who: str, body: bytes
) -> None:
    headers = {**JSON, **tokens(table)[who]}
    for method, path in (("POST", "/rulings"), ("POST", "/rulings/1/dispute"), ("PATCH", "/seats/s2")):
        answer = table.service.send(method, f"/campaigns/{table.id}{path}", headers, content=body)
        assert (answer.status_code, answer.json()["type"]) == (401, "/problems/denied")
    assert parsed == []


@pytest.mark.parametrize("body", HOSTILE, ids=lambda body: repr(body[:12]))
def test_nobody_but_the_operator_has_a_campaign_read(table: Table, parsed: list[threading.Thread], body: bytes) -> None:
    for headers in ({}, table.ben.bearer):
        answer = table.service.client.post("/campaigns", headers={**JSON, **headers}, content=body)
        assert answer.status_code == 401
    assert parsed == []


def test_a_seat_of_another_table_is_told_that_there_is_none(table: Table, parsed: list[threading.Thread]) -> None:
    other = Table(table.service)
    parsed.clear()
    answer = table.service.send("POST", f"/campaigns/{table.id}/rulings", {**JSON, **other.gm.bearer}, content=b"{")
    assert answer.status_code == 404
    assert parsed == []


def test_a_token_that_was_replaced_has_nothing_parsed_any_more(table: Table, parsed: list[threading.Thread]) -> None:
    seat = table.seat("Eve", "player")
    old = Player(table, seat.id, seat.token)
    assert old.post("/rulings/1/dispute", {"reason": "x"}).status_code == 200
    table.gm.does(f"/seats/{seat.id}/token", {}, 200)
    parsed.clear()
    assert old.send("POST", "/rulings/1/dispute", JSON, content=b"{").status_code == 401
    assert parsed == []


@pytest.mark.parametrize("authorization", ["", "Authorization: Bearer {id}.s2.made-up\r\n"])
@pytest.mark.parametrize("path", ["/campaigns", "/campaigns/{id}/rulings", "/campaigns/{id}/no-such-route"])
def test_nobodys_body_is_not_waited_for(table: Table, path: str, authorization: str) -> None:
    """It is announced and never sent: the answer comes all the same."""
    address = urlsplit(str(table.service.client.base_url))
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{authorization}"
        "Idempotency-Key: 7f8de6b4-5c1a-4b7e-9a51-0d8a6c7e2f10\r\nContent-Length: 900000\r\n\r\n"
    ).replace("{id}", table.id)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=10) as line:
        line.sendall(head.encode() + b"[" * 1000)
        status = line.recv(65536).split(b" ", 2)[1]
    assert status == (b"404" if "no-such" in path else b"401")


def test_every_route_with_a_body_reads_it_in_this_way() -> None:
    routes = [one for part in ROUTE_MODULES for one in part.router.routes if isinstance(one, APIRoute)]
    posting = [one for one in routes if "GET" not in (one.methods or ())]
    assert len(posting) > 15
    files = (import_campaign, verify_export)
    assert [one for one in posting if not isinstance(one, Bodied) and one.endpoint not in files] == []


# --- off the loop, and bounded ---


def test_what_is_large_is_parsed_beside_the_loop(table: Table, parsed: list[threading.Thread]) -> None:
    """The loop has a thread of its own, in which nothing larger than a few kilobytes is parsed."""
    body = json.dumps({"reason": "x", "more": ["y" * 1000] * 100}).encode()
    assert len(body) > SMALL
    assert table.ben.send("POST", "/rulings/1/dispute", JSON, content=body).status_code == 422
    (thread,) = parsed
    assert thread.name.startswith("bodies")


def test_a_body_is_parsed_once(
    service: Service, parsed: list[threading.Thread], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor by the framework, which would do so in the loop."""
    other = Table(service)
    other.fighters()
    loaded: list[Any] = []
    loads = json.loads

    def noticed(text: Any, **how: Any) -> Any:
        loaded.append(text)
        return loads(text, **how)

    monkeypatch.setattr(json, "loads", noticed)
    parsed.clear()
    assert other.ben.send("POST", "/rulings/1/dispute", JSON, content=b'{"reason":"once"}').status_code == 200
    assert len(parsed) == 1
    assert [text for text in loaded if text in (b'{"reason":"once"}', '{"reason":"once"}')] == ['{"reason":"once"}']


DEEP = [
    b"[" * (MOST_DEEP + 1) + b"]" * (MOST_DEEP + 1),
    b"[" * 900_000,
    b'{"a":' * 150_000,
    b'{"a":[' * (MOST_DEEP // 2 + 1) + b"1" + b"]}" * (MOST_DEEP // 2 + 1),
]


@pytest.mark.parametrize("body", DEEP, ids=lambda body: repr(body[:12]))
def test_what_is_nested_too_deep_is_never_given_to_the_parser(
    table: Table, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    def never(*given: Any, **more: Any) -> Any:
        raise AssertionError("it was given to the parser")

    monkeypatch.setattr(strict_json, "_decode", never)
    answer = table.gm.send("POST", "/rulings", JSON, content=body)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "too-deep")
    assert str(MOST_DEEP) in problem["detail"]


def by_hand(body: bytes, most_deep: int, most_parts: int) -> bool:
    """Whether a body is within these limits, looked at byte by byte."""
    depth = parts = 0
    quoted = escaped = False
    for byte in body:
        if escaped and byte in b'"\\':
            parts += 1
            escaped = False
            continue
        escaped = byte == ord("\\")
        parts += byte in b'"[]{},'
        if byte == ord('"'):
            quoted = not quoted
        elif not quoted:
            depth += (byte in b"[{") - (byte in b"]}")
        if depth > most_deep:
            return False
    return parts <= most_parts


@given(st.lists(st.sampled_from([bytes([byte]) for byte in b'"[]{},\\a']), max_size=60).map(b"".join))
def test_what_is_refused_for_its_parts_or_depth_is_what_somebody_counts_by_hand(body: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_json, "MOST_DEEP", 4)
        patch.setattr(strict_json, "MOST_PARTS", 25)
        if by_hand(body, 4, 25):
            strict_json._must_have_few_parts(body)
        else:
            with pytest.raises(BadRequest):
                strict_json._must_have_few_parts(body)


def test_brackets_in_a_text_are_not_nested(table: Table) -> None:
    title = "[" * 60 + '"' + "{\\" * 60
    made = table.gm.does("/scenes", {"title": title})["scene"]
    assert table.gm.look(f"/scenes/{made}")["title"] == title


MANY = [
    BRACKETS,
    b"[" + b"1," * 400_000 + b"1]",
    b"[" + b'"",' * 300_000 + b"1]",
    b"{" + b",".join(b'"%d":1' % number for number in range(80_000)) + b"}",
    b'"' * 900_000,
    b'["' + b'\\"' * 30_000 + b'"]',
]


@pytest.mark.parametrize("body", MANY, ids=lambda body: repr(body[:12]))
def test_what_has_too_many_parts_is_never_given_to_the_parser(
    table: Table, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    def never(*given: Any, **more: Any) -> Any:
        raise AssertionError("it was given to the parser")

    monkeypatch.setattr(strict_json, "_decode", never)
    answer = table.gm.send("POST", "/rulings", JSON, content=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "too-many-parts")
    assert str(MOST_PARTS) in answer.json()["detail"]


ELSEWHERE_MANY = [b'["' + b"\\n" * 450_000 + b'"]', b"{" + b",".join(b'"%d":1' % n for n in range(1_001)) + b"}"]


@pytest.mark.parametrize("body", ELSEWHERE_MANY, ids=lambda body: repr(body[:12]))
def test_escapes_and_names_have_a_bound_too(table: Table, body: bytes) -> None:
    answer = table.gm.send("POST", "/rulings", JSON, content=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "too-many-parts")


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/scenes", {"title": "X", "cast": [1] * 3000}, "/cast"),
        ("/rulings", {"declare": {"kind": "open-scene", "title": "X", "cast": [1] * 3000}}, "/declare/cast"),
        ("/rulings", {"declare": HIT, "answers": [{"cards": {"cards": [1] * 3000}}]}, "/answers/0/cards/cards"),
        ("/rulings/1/overturn", {"reason": "x", "also": ["1"] * 3000}, "/also"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_of_a_list_without_end_it_is_told_that_it_has_none(table: Table, path: str, body: Json, pointer: str) -> None:
    """Not of three thousand items each."""
    errors = table.gm.post(path, body).json()["errors"]
    assert [(one["pointer"], one["type"]) for one in errors] == [(pointer, "too_long")]


# --- one table's requests, and everybody else's ---


def waiting(table: Table) -> int:
    """How many of its requests wait for their turn."""
    turn = bodies._semaphores.get(table.id)
    return len(turn._waiters or ()) if turn is not None else 0


def test_however_many_ask_at_one_table_others_are_answered(ledger: Ledger, service: Service, table: Table) -> None:
    """The first two take a thread each, and there are forty threads for all."""
    other = Table(service)
    other.fighters()
    body = {"declare": {"kind": "mint", "to": "1", "coins": 1}}
    with ThreadPoolExecutor(60) as pool:
        with ledger.get_book(table.id).lock:  # as somebody has it who asks for something that takes long
            asked = [pool.submit(table.gm.post, "/rulings", body) for _ in range(60)]
            wait_until(
                lambda: (
                    table.id in bodies._semaphores and len(bodies._semaphores[table.id]._waiters or ()) == 60 - AT_ONCE
                )
            )
            other.gm.declare("mint", to="1", coins=1)
            assert not any(one.done() for one in asked)
        assert {one.result().status_code for one in asked} == {201}
    wait_until(lambda: table.id not in bodies._semaphores, "the turns of a table are forgotten once nobody asks there")


# --- few words about much ---


def test_a_body_of_little_but_unknown_fields_is_refused_before_its_form_describes_them(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    described: list[object] = []
    validate = ModelField.validate

    def noticed(field: ModelField, value: Any, *given: Any, **more: Any) -> Any:
        described.append(value)
        return validate(field, value, *given, **more)

    monkeypatch.setattr(ModelField, "validate", noticed)
    body = {f"nam{number}": 1 for number in range(900)}
    problem = table.gm.post("/seats", body).json()
    assert (problem["code"], len(problem["errors"]), problem["more_errors"]) == ("malformed", 50, 850)
    assert problem["errors"][0]["did_you_mean"] == "name" and problem["errors"][0]["allowed"] == ["name", "role"]
    assert body not in described
    few = {f"nam{number}": 1 for number in range(3)}
    assert len(table.gm.post("/seats", few).json()["errors"]) == 5, "and what is missing"
    assert few in described


def test_what_was_meant_is_looked_for_in_the_first_mistakes_only(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    nearest = parser.find_nearest_word

    def noticed(given: object, words: Any) -> str | None:
        looked.append(given)
        return nearest(given, words)

    monkeypatch.setattr(parser, "find_nearest_word", noticed)
    problem = table.gm.tries("mint", to="1", coins=1, **{f"x{number}": 1 for number in range(900)}).json()
    assert (len(problem["errors"]), problem["more_errors"]) == (50, 850)
    assert len(looked) == 50


def test_of_a_sheet_with_many_faults_the_first_are_told_and_the_rest_counted(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []

    def noticed(lens: Any, fault: Any) -> Any:
        told.append(fault)
        return describe_refusal(lens, fault)

    monkeypatch.setattr(problems, "describe_refusal", noticed)
    made = service.open(system="intensity").json()
    traits = [{"name": "Bold", "base": 8}] * 900
    answer = service.send(
        "POST",
        f"/campaigns/{made['id']}/characters",
        {"Authorization": f"Bearer {made['seat']['token']}"},
        json={"name": "Ada", "seat": "s1", "sheet": {"kind": "main", "traits": traits}},
    )
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (422, "/problems/refused")
    assert len(problem["errors"]) == len(told) == 50 and problem["more_errors"] >= 850


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/scenes", {"title": "X", "cast": [1] * 400}),
        ("/rulings", {"declare": {"kind": "open-scene", "title": "X", "cast": [1] * 400}}),
        ("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1, **{f"x{n}": n for n in range(400)}}}),
        ("/rulings/1/dispute", {"reason": "x", **{f"x{n}": n for n in range(400)}}),
        ("/rulings", {"declare": HIT, "answers": [STAND, {"dice": {"sides": 6, "faces": ["1"] * 400}}]}),
        ("/rulings", {"declare": HIT, "answers": ["stand"] * 400}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_only_so_many_mistakes_are_told_and_how_many_more_there_are(table: Table, path: str, body: Json) -> None:
    answer = table.gm.post(path, body)
    problem = answer.json()
    assert answer.status_code == 422
    assert len(problem["errors"]) == MOST_ERRORS == 50
    assert problem["more_errors"] == 350
    assert problem["detail"].endswith("There are 399 more mistakes.")


def test_few_mistakes_are_all_told(table: Table) -> None:
    problem = table.gm.post("/scenes", {"title": "X", "cast": [1] * 50}).json()
    assert len(problem["errors"]) == 50
    assert "more_errors" not in problem and problem["detail"].endswith("There are 49 more mistakes.")


@pytest.mark.parametrize(
    "declare",
    [
        {"kind": "x" * 3000},
        {"kind": ["x" * 3000] * 60},
        {"kind": [[[["deep"] * 50] * 50]]},
        {"kind": "open-scene", "title": "X", "cast": ["99" * 1000] * 400},
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_problem_is_short_whatever_it_is_about(table: Table, declare: Json) -> None:
    answer = table.gm.post("/rulings", {"declare": declare})
    assert answer.status_code == 422
    assert len(answer.content) < 30_000


# --- texts have a length ---


LONG = "x" * (MOST_TEXT + 1)
TEXTS: list[tuple[str, Json, str]] = [
    # path, body with a text too long, pointer
    ("/rulings/1/dispute", {"reason": LONG}, "/reason"),
    ("/rulings/1/overturn", {"reason": LONG, "preview": True}, "/reason"),
    ("/findings/1/settle", {"how": "let-stand", "reason": LONG}, "/reason"),
    ("/waiting/w9/withdraw", {"reason": LONG}, "/reason"),
    ("/characters/1/retire", {"reason": LONG}, "/reason"),
    ("/scenes", {"title": LONG}, "/title"),
    ("/scenes", {"title": "X", "cast": ["1", LONG]}, "/cast/1"),
    ("/dials", {"die": 8, "reason": LONG}, "/reason"),
    ("/dials", {"die": {"deep": [LONG]}, "reason": "x"}, "/die/deep/0"),
    ("/dials", {LONG: 8, "reason": "x"}, f"/{LONG}"),
    ("/characters", {"name": "X", "seat": "s1", "sheet": {"health": 1, "nick": LONG}}, "/sheet/nick"),
    ("/rulings", {"declare": {"kind": "retire", "character": "1", "reason": LONG}}, "/declare/reason"),
    ("/rulings", {"declare": {"kind": "open-session", "title": LONG}}, "/declare/title"),
    ("/rulings", {"declare": {"kind": "enrol", "name": LONG, "seat": "s1", "sheet": {"health": 1}}}, "/declare/name"),
    (
        "/rulings",
        {"declare": {"kind": "amend", "subject": "character:1", "field": "a/b", "value": {"~/": LONG}, "reason": "x"}},
        "/declare/value/~0~1",
    ),
    ("/rulings", {"declare": HIT, "answers": [STAND, {"cards": {"cards": [LONG]}}]}, "/answers/1/cards/cards/0"),
    ("/rulings", {"declare": HIT, "answers": [{"choice": {"kind": "stand", "why": LONG}}]}, "/answers/0/choice/why"),
    ("/rulings/1/revise", {"reason": "x", "code": "entry", "declare": {"kind": LONG}}, "/declare/kind"),
    ("/waiting/w9/answers", {"answer": {"choice": {"kind": "stand", "why": LONG}}}, "/answer/choice/why"),
]


@pytest.mark.parametrize(("path", "body", "pointer"), TEXTS, ids=lambda value: str(value)[:60])
def test_a_text_that_is_too_long_is_told_where(table: Table, path: str, body: Json, pointer: str) -> None:
    before = table.position
    answer = table.gm.post(path, body)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "text-too-long")
    told = problem["errors"][0]
    assert told["type"] == "text-too-long"
    assert pointer.startswith(told["pointer"].rstrip("…")) and told["pointer"][:300] == pointer[:300]
    assert f"{MOST_TEXT}" in told["message"]
    assert table.position == before


def test_a_name_that_is_too_long_is_a_text_too_long(table: Table) -> None:
    for body in ({"name": "x" * 201, "role": "player"}, {"name": LONG, "role": "player"}):
        problem = table.gm.post("/seats", body).json()
        assert (problem["code"], problem["errors"][0]["pointer"]) == ("text-too-long", "/name")


def test_a_text_as_long_as_it_may_be_is_kept(table: Table) -> None:
    reason = "ä" * MOST_TEXT
    table.cleo.does("/rulings/2/dispute", {"reason": reason}, 200)
    assert table.gm.look("/rulings/2")["decisions"][-1]["reason"] == reason


def test_what_was_recorded_longer_before_is_still_read(ledger: Ledger, table: Table) -> None:
    """As earlier versions took it: the record is read by another way than requests."""
    from ledger.application import Call, json_form
    from projections.documents.presenting import present

    title = "x" * (3 * MOST_TEXT)
    call = Call(table.id, table.gm.token, "as before", "a key of before", "")
    with ledger.open_for_seat(call) as (book, _):
        do = json_form.declaration_from_json(book.ruleset, {"kind": "open-scene", "title": title, "cast": []})
    number = json.loads(ledger.declare(call, do, present).body)["number"]
    assert table.gm.look(f"/rulings/{number}")["declared"]["title"] == title
    assert table.gm.does(f"/rulings/{number}/overturn", {"reason": "x", "preview": True}, 200)
    assert table.gm.does(f"/rulings/{number}/overturn", {"reason": "x"}, 200)
    assert table.gm.does(f"/rulings/{number}/reinstate", {"reason": "x"}, 200)
    assert table.gm.look("/audit")["differences"] == []


def _texts(schema: Any, at: str = "") -> Iterator[tuple[str, Json]]:
    """Every place of a schema that takes free text."""
    if isinstance(schema, list):
        for place, one in enumerate(schema):
            yield from _texts(one, f"{at}/{place}")
    if isinstance(schema, dict):
        if schema.get("type") == "string" and not {"enum", "const"} & set(schema):
            yield at, schema
        for name, one in schema.items():
            if name not in ("default", "examples", "const", "enum"):
                yield from _texts(one, f"{at}/{name}")


def test_the_description_says_how_long_every_text_may_be(service: Service) -> None:
    schemas = service.description.document["components"]["schemas"]
    told = set(Words().schemas)
    sent = {
        one["requestBody"]["content"]["application/json"]["schema"].get("$ref", "").rpartition("/")[2]
        for methods in service.description.document["paths"].values()
        for one in methods.values()
        if "application/json" in one.get("requestBody", {}).get("content", {})
    }
    places = [found for name in told | (sent - {""}) for found in _texts(schemas[name], name)]
    assert len(places) > 200
    assert [at for at, schema in places if not 0 < schema.get("maxLength", 0) <= MOST_TEXT] == []
