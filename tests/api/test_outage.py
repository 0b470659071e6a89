"""A PostgreSQL that is stopped, killed and frozen beneath a running service, and comes back."""

from __future__ import annotations

import re
import shutil
import signal
import tempfile
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from api.embedded import EmbeddedPostgres, server
from api.embedded.process import find_free_port, find_postmaster
from api.service.database import find_logins
from api.service.environment import Settings
from ledger.events.database_check import SCHEMA, name_views_schema
from ledger.events.shelves import find_shelf_number, name_schema
from projections.views.projector import Projector
from tests.api.conftest import KEY, OPERATOR
from tests.api.process import Process, process, service_of
from tests.api.table import HIT, Json, Service, Table
from tests.conftest import memory
from tests.levels import sampled
from tests.waiting import wait_until

SHELVES = 2


@pytest.fixture(scope="module")
def database() -> Iterator[EmbeddedPostgres]:
    """A server of our own that comes back on the same port, as servers do. Every test leaves it running."""
    port = find_free_port()
    folder = Path(tempfile.mkdtemp(prefix="ledger-", dir=memory()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "find_free_port", lambda: port)
        with EmbeddedPostgres(folder / "data") as embedded:
            yield embedded
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def running(database: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    found = find_logins(Settings.model_construct(shelves=SHELVES), lambda: KEY, database.owner_url)
    found.migrate()
    stop, folder = Event(), tmp_path_factory.mktemp("service")
    with (
        Projector(found.projector_url, found.schema) as projector,
        process(folder, found.service_url, found.schema, KEY, OPERATOR, PROJECTOR_URL=found.projector_url) as one,
    ):
        thread = Thread(target=projector.follow, args=(stop,), daemon=True)
        thread.start()
        yield one
        stop.set()
        thread.join(120)


@pytest.fixture(scope="module")
def service(running: Process) -> Iterator[Service]:
    with service_of(running, OPERATOR) as service:
        yield service


@pytest.fixture
def table(service: Service) -> Table:
    table = Table(service)
    table.fighters()
    table.gm.does("/scenes", {"title": "The bridge"})
    return table


def requests(table: Table, waiting: str) -> list[tuple[str, str, Json | None, int]]:
    """Every kind: method, path below the campaign, body, and what it answers when all is well."""
    reason = {"reason": "hm"}
    return [
        ("GET", "", None, 200),
        ("GET", "/seats/s2", None, 200),
        ("GET", "/rulings", None, 200),
        ("GET", "/rulings/1", None, 200),
        ("GET", "/waiting", None, 200),
        ("GET", "/what-if?without=1", None, 200),
        ("GET", "/findings", None, 200),
        ("GET", "/characters/1", None, 200),
        ("GET", "/characters/1?at=1&as=recorded", None, 200),
        ("GET", "/scenes/3", None, 200),
        ("GET", "/state", None, 200),
        ("GET", "/rulings?kind=hit", None, 200),
        ("GET", "/accounts", None, 200),
        ("GET", "?wait=1", None, 200),
        ("POST", "/seats", {"name": "Eve", "role": "player"}, 201),
        ("PATCH", "/seats/s4", {"name": "Dorothy"}, 200),
        ("POST", "/seats/s4/token", {}, 200),
        ("POST", "/characters", {"name": "Xena", "seat": "s2", "sheet": {"health": 3}}, 201),
        ("POST", "/sessions", {}, 201),
        ("POST", "/dials", {"die": 8, "reason": "bigger"}, 201),
        ("POST", "/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}, 201),
        ("POST", f"/waiting/{waiting}/withdraw", reason, 200),
        ("POST", "/rulings/1/overturn", {**reason, "preview": True}, 200),
        ("POST", "/rulings/1/dispute", reason, 200),
        ("POST", "/scenes/3/close", {}, 201),
    ]


def ask(table: Table, one: tuple[str, str, Json | None, int], key: str) -> httpx.Response:
    method, path, body, _ = one
    more: dict[str, Any] = {} if body is None else {"json": body}
    return table.gm.send(method, path, {"Idempotency-Key": key}, **more)


def must_heal(table: Table, before: int) -> None:
    """By itself."""
    wait_until(lambda: table.gm.get().status_code != 503)
    answer = table.gm.get()
    assert (answer.status_code, int(answer.headers["Ledger-Position"])) == (200, before)
    wait_until(lambda: table.service.send("GET", "/readyz").json() == {"status": "ready"})


def test_every_kind_of_request_hears_that_the_database_is_away_and_goes_on_when_it_is_back(
    database: EmbeddedPostgres, running: Process, table: Table
) -> None:
    waiting = table.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
    wanted = [(one, str(uuid.uuid4())) for one in requests(table, waiting)]
    before = table.position
    database.stop()
    with ThreadPoolExecutor(len(wanted)) as pool:
        for answer in pool.map(lambda one: ask(table, *one), wanted):
            assert (answer.status_code, answer.json()["code"]) == (503, "database-away"), answer.text
            assert 0 < int(answer.headers["Retry-After"]) < 60
    outside = [table.service.send("GET", "/me", table.gm.bearer)]
    outside += [table.service.send("GET", "/campaigns", table.service.operator), table.service.open()]
    assert {(one.status_code, one.json()["code"]) for one in outside} == {(503, "database-away")}
    unready = table.service.send("GET", "/readyz")
    assert (unready.status_code, unready.json()["context"]["failed"][0]) == (503, "database")
    for path in ("/healthz", "/systems", "/metrics", "/openapi.json", "/docs/api"):
        assert table.service.client.get(path).status_code == 200
    database.start()
    must_heal(table, before)
    for one, key in wanted:  # the same requests again, as everybody would send them
        answer = ask(table, one, key)
        assert answer.status_code == one[3], answer.text
    away = [one for one in running.log("answered") if one.get("problem") == "database-away"]
    assert len(away) >= len(wanted) and {one["level"] for one in away} == {"WARNING"}
    assert "ledger_database_away_total 0.0" not in table.service.client.get("/metrics").text


def test_a_killed_server_loses_nothing_that_was_answered(database: EmbeddedPostgres, table: Table) -> None:
    table.gm.declare("mint", to="1", coins=7)
    before = table.position
    found = find_postmaster(database.cluster)
    assert found is not None
    main = psutil.Process(found[0])
    # Kill every process: the others may go on answering until they notice that the first is gone.
    signalled([main, *main.children(recursive=True)], signal.SIGKILL)
    body = {"declare": {"kind": "mint", "to": "1", "coins": 2}}
    key = {"Idempotency-Key": "interrupted"}
    assert table.gm.post("/rulings", body, key).status_code == 503
    database.stop()
    database.start()
    must_heal(table, before)
    assert table.gm.post("/rulings", body, key).status_code == 201
    assert table.gm.look("/characters/1")["balances"][0]["balance"] == 9


def test_a_restart_nobody_noticed_costs_at_most_one_answer(database: EmbeddedPostgres, table: Table) -> None:
    with ThreadPoolExecutor(8) as pool:  # so that there are connections to go dead
        assert {one.status_code for one in pool.map(lambda _: table.gm.get(), range(40))} == {200}
    database.stop()
    database.start()
    assert [table.gm.get().status_code for _ in range(20)].count(503) <= 1


def signalled(family: list[psutil.Process], number: signal.Signals) -> None:
    """A helper of the server may have ended meanwhile."""
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.send_signal(number)


def test_a_server_that_hangs_is_not_waited_for_by_who_asks_whether_all_is_well(
    database: EmbeddedPostgres, table: Table
) -> None:
    found = find_postmaster(database.cluster)
    assert found is not None
    main = psutil.Process(found[0])
    family = [main, *main.children(recursive=True)]
    signalled(family, signal.SIGSTOP)
    try:
        assert table.service.send("GET", "/healthz").status_code == 200
        answer = table.service.send("GET", "/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "check-too-slow")
    finally:
        signalled(family, signal.SIGCONT)
    must_heal(table, table.position)
    table.gm.declare("mint", to="1", coins=1)


@contextmanager
def failing(database: EmbeddedPostgres, table: str, said: str, code: str = "internal_error") -> Iterator[None]:
    """Whatever is written into it meets this error."""
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            f" RAISE EXCEPTION '{said}' USING ERRCODE = '{code}'; END $$"
        )
        owner.execute(f"CREATE TRIGGER fails BEFORE INSERT ON {table} EXECUTE FUNCTION fails()".encode())
        try:
            yield
        finally:
            owner.execute(f"DROP TRIGGER fails ON {table}; DROP FUNCTION fails()".encode())


@contextmanager
def read_only(database: EmbeddedPostgres) -> Iterator[None]:
    """As a standby is, and a primary that is about to be one."""

    def all_is(only: str) -> None:
        with psycopg.connect(database.owner_url, autocommit=True) as owner:
            owner.execute(f"ALTER SYSTEM SET default_transaction_read_only = {only}".encode())
            owner.execute("SELECT pg_reload_conf()")

    all_is("on")
    try:
        yield
    finally:
        with psycopg.connect(database.owner_url, autocommit=True) as owner:
            owner.execute("SET default_transaction_read_only = off")
            owner.execute("ALTER SYSTEM RESET default_transaction_read_only")
            owner.execute("SELECT pg_reload_conf()")


def test_a_database_that_can_only_be_read_just_now_is_away_to_who_writes(
    database: EmbeddedPostgres, table: Table
) -> None:
    before = table.position
    with read_only(database):

        def is_refused() -> bool:
            nonlocal before
            before = table.position  # the server's settings arrive within a moment
            answer = table.gm.tries("mint", to="1", coins=1)
            return answer.status_code == 503 and answer.json()["code"] == "database-away"

        wait_until(is_refused)
        assert int(table.gm.get().headers["Ledger-Position"]) == before
    must_heal_and_be_told(table, before)


@pytest.mark.parametrize(
    "said", sampled(["failure on connection marked as essential: worker:5432", "SSL SYSCALL error: EOF detected"], 1)
)
def test_a_worker_of_a_cluster_that_went_away_is_away_to_who_writes_and_to_the_views(
    database: EmbeddedPostgres, table: Table, said: str
) -> None:
    before = table.position
    shelf = name_schema(SCHEMA, find_shelf_number(table.id, SHELVES))
    with failing(database, f"{shelf}.ledger_events", said):
        answer = table.gm.tries("mint", to="1", coins=1)
        assert (answer.status_code, answer.json()["code"]) == (503, "database-away")
    must_heal(table, before)
    with failing(database, f"{name_views_schema(shelf)}.timeline", said):
        table.gm.declare("mint", to="1", coins=1)
        assert table.gm.get("/timeline", wait=1).status_code in (200, 503)
    must_heal_and_be_told(table, before + 1)


@pytest.mark.parametrize(("code", "state"), [("disk_full", "full"), ("io_error", "full or failing")])
def test_a_disk_that_takes_nothing_is_named_in_answers_and_the_log_without_its_paths(
    database: EmbeddedPostgres,
    running: Process,
    table: Table,
    caplog: pytest.LogCaptureFixture,
    code: str,
    state: str,
) -> None:
    before = table.position
    shelf = name_schema(SCHEMA, find_shelf_number(table.id, SHELVES))
    sentence = f"A disk of the database is {state}. Nothing can be saved until there is space."
    said = 'could not write to file "base/16385/16667": No space left on device'
    with failing(database, f"{shelf}.ledger_events", said, code):
        for _ in range(2):
            answer = table.gm.tries("mint", to="1", coins=1)
            assert (answer.status_code, answer.json()["code"]) == (503, "database-away")
            assert answer.json()["detail"] == sentence
    assert [line["level"] for line in running.log(sentence)] == ["ERROR"]
    table.gm.declare("mint", to="1", coins=1)
    must_heal(table, before + 1)
    with failing(database, f"{name_views_schema(shelf)}.timeline", said, code):
        table.gm.declare("mint", to="1", coins=1)
        waiting = re.compile(rf"The views of shelf \d+ are waiting for the database \(its disk is {state}\)")
        wait_until(lambda: waiting.search(running.said + caplog.text))  # either process may be the one that keeps them
    assert "16667" not in running.said + caplog.text
    must_heal_and_be_told(table, before + 2)


def must_heal_and_be_told(table: Table, before: int) -> None:
    """And the views go on."""
    must_heal(table, before)
    table.gm.declare("mint", to="1", coins=1)

    def position() -> int:
        return int(table.gm.get("/timeline", order="desc", limit=1).headers.get("Ledger-Position", 0))

    wait_until(lambda: position() > before)
    assert position() == before + 1
