"""When the database is away, unfit, or the service itself at fault: said so, briefly and soon."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from api.app import create_app
from ledger.application import Ledger, make_environment
from tests.api.conftest import KEY, SCHEMA, serving
from tests.api.line import Line
from tests.api.table import Service, Table, described
from tests.levels import sampled
from tests.waiting import wait_until

BEARER = {"Authorization": "Bearer aaaaaaaaaaaaa.s1.a-secret-token-of-the-usual-length-or-nearly"}
PATH = "/campaigns/aaaaaaaaaaaaa"


@contextmanager
def service_on(ledger: Any, operator_token: str | None = None) -> Iterator[Service]:
    app = create_app(ledger, operator_token=operator_token)
    with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, "the-token-of-nobody", described(app.openapi))


@pytest.fixture(scope="module")
def line(service_url: str) -> Iterator[Line]:
    given = conninfo_to_dict(service_url)
    line = Line(str(given.get("host") or "127.0.0.1"), int(given.get("port") or 5432))
    yield line
    line.cut()


@pytest.fixture(scope="module")
def table(service_url: str, line: Line) -> Iterator[Table]:
    """A table on a service behind the line."""
    url = make_conninfo(service_url, host="127.0.0.1", port=line.port)
    with Ledger(make_environment(url, schema=SCHEMA, wait=1), KEY) as ledger, service_on(ledger) as service:
        table = Table(service)
        table.fighters()
        yield table


@pytest.fixture
def cut(line: Line, table: Table) -> Iterator[None]:
    """The database is away, and back afterwards."""
    line.cut()
    yield
    line.mend()
    wait_until(lambda: table.gm.get().status_code == 200)


REQUESTS: list[tuple[str, str, Any]] = [
    ("GET", "/readyz", None),
    ("GET", "/campaigns/{}", None),
    ("GET", "/campaigns/{}/rulings/1", None),
    ("GET", "/campaigns/{}?wait=500", None),
    ("POST", "/campaigns/{}/sessions", {}),
    ("POST", "/campaigns/{}/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}),
    ("POST", "/campaigns", {"name": "A table", "system": "toy", "gm": {"name": "Ann"}}),
]


@pytest.mark.parametrize(("method", "path", "body"), sampled(REQUESTS, 3, several=True))
@pytest.mark.usefixtures("cut")
def test_a_database_that_is_away_is_said_so_within_seconds(table: Table, method: str, path: str, body: Any) -> None:
    headers = {**table.gm.bearer, "Idempotency-Key": str(uuid.uuid4())}
    more = {} if body is None else {"json": body}
    answer = table.service.send(method, path.format(table.id), headers, **more)
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert table.service.send("GET", "/healthz").status_code == 200
    assert table.service.send("GET", "/systems").status_code == 200


def test_it_goes_on_where_it_was_once_the_database_is_back(table: Table, line: Line) -> None:
    made = table.gm.declare("mint", to="1", coins=7)
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    line.cut()
    body = {"declare": {"kind": "mint", "to": "1", "coins": 2}}
    assert table.gm.post("/rulings", body, headers).status_code == 503
    line.mend()
    wait_until(lambda: table.gm.post("/rulings", body, headers).status_code != 503)
    assert table.gm.post("/rulings", body, headers).json()["number"] == made["number"] + 1
    assert table.service.send("GET", "/readyz").status_code == 200


def test_an_unfit_database_is_not_ready(postgres: Any, service_url: str) -> None:
    """As its owner the service could change the record."""
    assert service_url
    with Ledger(make_environment(postgres.owner_url, schema=SCHEMA), KEY) as ledger, service_on(ledger) as service:
        answer = service.send("GET", "/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "unfit-database")


def test_without_an_operators_token_the_service_is_open(ledger: Ledger) -> None:
    with service_on(ledger) as service:
        headers = {"Idempotency-Key": "00000000-0000-4000-8000-000000000001"}
        assert service.open(headers).status_code == 201


class Broken:
    """A ledger that fails in a way nobody foresaw, with a secret in its words."""

    store = SimpleNamespace(datastore=SimpleNamespace(schema="ledger"))

    def check_ready(self) -> None:
        return None

    def open_for_seat(self, call: Any) -> Any:
        raise RuntimeError(f"{call.token} was not expected here")


def test_a_fault_tells_nothing_and_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with service_on(Broken()) as service, caplog.at_level(logging.ERROR, "ledger.api"):
        answer = service.client.get(PATH, headers=BEARER)
        assert (answer.status_code, answer.json()["type"]) == (500, "/problems/fault")
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert "a-secret-token" not in answer.text
        assert "RuntimeError" not in answer.text
    told = [record.name for record in caplog.records]  # the request's own line may still be on its way
    assert told[0] == "ledger.api" and set(told) <= {"ledger.api", "ledger.api.requests"}
    assert "RuntimeError" in caplog.text
    assert "a-secret-token" not in caplog.text
