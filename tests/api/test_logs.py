"""The log: one line a request, all of it JSON, and nothing in it that opens or tells anything."""

from __future__ import annotations

import io
import json
import logging
import uuid
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from asgi_correlation_id import correlation_id
from psycopg.conninfo import conninfo_to_dict

from api.service.logs import Line
from tests.api.conftest import KEY, OPERATOR, SCHEMA
from tests.api.process import Process, process, service_of
from tests.api.table import Json, Service, Table
from tests.api.test_session_mnemonic import LADDER, Evening


@pytest.fixture(scope="module")
def running(service_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("logs")
    with process(folder, service_url, SCHEMA, KEY, OPERATOR, LOG_LEVEL="debug", RATE_LIMIT="off") as one:
        yield one


@pytest.fixture(scope="module")
def service(running: Process) -> Iterator[Service]:
    with service_of(running, OPERATOR) as service:
        yield service


def line_of(running: Process, id: str) -> Json:
    running.wait_for(rf'"request":"{id}"')
    (found,) = [one for one in running.log("answered") if one["request"] == id]
    return found


def test_a_request_is_one_line_of_named_fields(running: Process, service: Service) -> None:
    table = Table(service)
    table.ben.enrol("Bruno")
    answer = table.gm.post(
        "/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 41}}, {"X-Request-ID": "from-the-proxy-1"}
    )
    assert answer.headers["X-Request-ID"] == "from-the-proxy-1"
    told = line_of(running, "from-the-proxy-1")
    assert 0 < told.pop("seconds") < 10
    assert told.pop("time").endswith("Z")
    assert told == {
        "level": "INFO",
        "logger": "ledger.api.requests",
        "message": "answered",
        "request": "from-the-proxy-1",
        "method": "POST",
        "route": "/campaigns/{campaign}/rulings",
        "status": 201,
        "campaign": table.id,
        "seat": "s1",
        "ruling": 2,
    }


@pytest.mark.parametrize(
    ("method", "path", "wanted"),
    [
        ("GET", "", {"status": 200, "route": "/campaigns/{campaign}", "seat": "s2"}),
        ("GET", "/rulings/77", {"status": 404, "problem": "ruling-not-found"}),
        ("POST", "/sessions", {"status": 403, "problem": "gm-only"}),
        ("GET", "/nowhere", {"status": 404, "route": "unknown", "problem": "not-found"}),
        ("DELETE", "", {"status": 405, "problem": "method-not-allowed"}),
    ],
)
def test_what_went_wrong_is_in_the_line(
    running: Process, service: Service, method: str, path: str, wanted: Json
) -> None:
    table = Table(service)
    answer = service.client.request(method, f"/campaigns/{table.id}{path}", headers=table.ben.bearer)
    told = line_of(running, answer.headers["X-Request-ID"])
    if "problem" in wanted:
        wanted = {**wanted, "problem": answer.json()["code"]}
    assert told | wanted == told
    assert "ruling" not in told


def test_a_repeated_request_makes_no_ruling(running: Process, service: Service) -> None:
    table = Table(service)
    headers = {"Idempotency-Key": "the-same"}
    body = {"name": "Bruno", "seat": "s2", "sheet": {"health": 3}}
    first, again = (table.gm.post("/characters", body, headers) for _ in range(2))
    assert line_of(running, first.headers["X-Request-ID"])["ruling"] == 1
    assert "ruling" not in line_of(running, again.headers["X-Request-ID"])


def test_a_seat_is_named_only_if_its_token_opens_something(running: Process, service: Service) -> None:
    table = Table(service)
    forged = {"Authorization": f"Bearer {table.id}.s1.{'x' * 43}"}
    answer = service.send("GET", f"/campaigns/{table.id}", forged)
    told = line_of(running, answer.headers["X-Request-ID"])
    assert (told["status"], told["problem"]) == (401, "token-unknown")
    assert "seat" not in told


@pytest.mark.parametrize("sent", ["short", "with space 12", "a.b.c.d.e.f.g", "x" * 65, "ä" * 10, "new\tline-1234"])
def test_an_id_that_is_not_sane_is_replaced(running: Process, service: Service, sent: str) -> None:
    answer = service.client.get("/healthz", headers=[(b"X-Request-ID", sent.encode("latin-1"))])
    assert answer.headers["X-Request-ID"] != sent
    assert answer.headers["X-Request-ID"] == str(uuid.UUID(answer.headers["X-Request-ID"]))
    line_of(running, answer.headers["X-Request-ID"])
    assert not [one for one in running.log() if one["logger"] == "asgi_correlation_id"]  # nothing is said beside it


def test_probes_are_logged_only_for_who_looks_for_everything(running: Process, service: Service) -> None:
    answer = service.send("GET", "/healthz")
    assert line_of(running, answer.headers["X-Request-ID"])["level"] == "DEBUG"


def test_bytes_that_are_no_request_are_logged_as_json_too(running: Process, service: Service) -> None:
    import socket

    with socket.create_connection(("127.0.0.1", int(running.address.rpartition(":")[2]))) as line:
        line.sendall(b"\x00\x01 hello\r\n\r\n")
        assert b"400" in line.recv(1000)
    running.wait_for("Invalid HTTP request received")
    assert running.log("Invalid HTTP request received.")[-1]["logger"] == "uvicorn.error"


def test_the_log_of_a_whole_evening_holds_no_secret(running: Process, service: Service, service_url: str) -> None:
    """Tokens, also where none belongs; ratings nobody may see, names, sheets, what was typed; the service's own."""
    evening = Evening(service)
    evening.plays()
    tokens = [one.token for one in (evening.ann, *evening.others)]
    leaked = tokens[0]
    for path in (f"/campaigns/{leaked}", f"/{leaked}", f"/campaigns/{evening.id}/seats/{leaked}", f"/?t={leaked}"):
        service.client.get(path, headers={**evening.ann.bearer, "X-Request-ID": leaked, "User-Agent": leaked})
    service.client.post(f"/campaigns/{evening.id}/rulings", content=f'{{"{leaked}": 1', headers=evening.ann.bearer)
    service.client.get(f"/campaigns/{evening.id}/rulings", params={"after": leaked}, headers=evening.ann.bearer)
    answer = service.client.get("/healthz")
    line_of(running, answer.headers["X-Request-ID"])

    text = unquote(running.said)
    lines = text.splitlines()
    assert len([one for one in running.log("answered") if one.get("campaign") == evening.id]) > 80
    assert all(line.startswith("{") for line in lines if not line.startswith("Campaign Ledger listens")), lines[:3]
    mac = [token.rpartition(".")[2] for token in tokens]
    password = str(conninfo_to_dict(service_url)["password"])
    people = ("Bruno", "Celia", "Rocco", "Boxer", "quarry", "baton", "Ann", "Dora")
    for secret in (*tokens, *mac, OPERATOR, KEY.decode(), password, *people, *LADDER, "Bearer", "Authorization"):
        assert secret not in text, secret


# --- the formatter itself ---


@pytest.fixture
def logger() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Line(["the-key"]))
    logger = logging.getLogger("tests.logs")
    logger.propagate = False
    logger.addHandler(handler)
    yield logger, stream
    logger.removeHandler(handler)


SECRETS = [
    "k3v7q2mzt5a4c.s12.Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6",
    "postgresql://ledger_service:hunter2@db:5432/ledger",
    "host=db user=x password=hunter2 dbname=y",
    "Authorization: Bearer hunter2",
    "it was the-key",
]


@pytest.mark.parametrize("said", SECRETS)
def test_what_looks_like_a_secret_is_blotted_out(logger: tuple[logging.Logger, io.StringIO], said: str) -> None:
    log, stream = logger
    log.warning("said %s", said, extra={"more": said})
    told = json.loads(stream.getvalue())
    for text in (told["message"], told["more"]):
        assert "(secret)" in text
        assert not any(secret in text for secret in ("hunter2", "the-key", "Zm9v"))


def test_an_error_is_told_by_its_places_not_by_its_words(logger: tuple[logging.Logger, io.StringIO]) -> None:
    log, stream = logger
    name, card = "Celia", "an ace"
    token = correlation_id.set("request-7")
    try:
        try:
            raise KeyError(name)
        except KeyError as error:
            raise RuntimeError(card) from error
    except RuntimeError:
        log.exception("broke")
    finally:
        correlation_id.reset(token)
    told = json.loads(stream.getvalue())
    assert told["request"] == "request-7"
    for known in ("KeyError", "RuntimeError", "test_logs.py"):
        assert known in told["exc_info"]
    assert name not in stream.getvalue() and card not in stream.getvalue()
