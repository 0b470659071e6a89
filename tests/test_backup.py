"""Backed up while eight people write, restored elsewhere: the same record, as well guarded, and it goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from api.embedded import EmbeddedPostgres
from api.embedded.programs import find_program_folder
from api.service.database import find_logins
from api.service.environment import Settings
from ledger.application import Ledger, make_environment
from ledger.events.database_check import check_database
from ledger.events.shelves import find_shelf_number, name_schema, name_schemas, read_shelf_count
from tests.desk import Desk
from tests.reliability.postgres import Server
from tests.reliability.record import flaws
from tests.reliability.system import KEY, database_on, running
from tests.reliability.writers import Deed, writing

ROOT = Path(__file__).parent.parent
EVENTS = (
    "SELECT originator_id, originator_version, topic, state, notification_id FROM {}.ledger_events"
    " ORDER BY notification_id"
)
#: By shelf.
Events = list[list[tuple[Any, ...]]]


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def another(server: Server) -> Iterator[Server]:
    """Where nothing of the ledger has ever been: no database, no roles."""
    another = Server()
    another.new_database("restored")
    yield another
    another.close()


def run(command: str, *arguments: str | Path, **settings: str) -> str:
    """What it said, after the exit code."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
    programs = find_program_folder(Path("none"))
    path = {"PATH": f"{programs}{os.pathsep}{kept['PATH']}"}
    line = [sys.executable, "-P", "-m", "api.cli.main", command, *map(str, arguments)]
    ended = subprocess.run(
        line, cwd=ROOT, env={**kept, **path, **settings}, capture_output=True, text=True, check=False
    )
    return f"{ended.returncode} {ended.stderr}"


def events(url: str) -> Events:
    with psycopg.connect(url) as connection:
        shelves = name_schemas("ledger", read_shelf_count(connection, "ledger") or 1)
        return [connection.execute(EVENTS.format(schema).encode()).fetchall() for schema in shelves]


def count(found: Events) -> int:
    return sum(map(len, found))


def rights(url: str) -> list[tuple[Any, ...]]:
    """Who may do what, and which triggers are always on; names of the owners aside."""
    query = """
        SELECT 'table', table_name, grantee, privilege_type, '' FROM information_schema.role_table_grants
         WHERE table_schema = 'ledger' AND grantee LIKE 'ledger\\_%' AND grantee <> 'ledger_owner'
        UNION ALL SELECT 'column', table_name, grantee, privilege_type, column_name
          FROM information_schema.role_column_grants
         WHERE table_schema = 'ledger' AND grantee LIKE 'ledger\\_%' AND grantee <> 'ledger_owner'
        UNION ALL SELECT 'function', routine_name, grantee, privilege_type, ''
          FROM information_schema.routine_privileges WHERE routine_schema = 'ledger' AND grantee <> 'ledger_owner'
        UNION ALL SELECT 'trigger', tgname, tgenabled::text, tgrelid::regclass::text, '' FROM pg_trigger
         WHERE tgrelid = 'ledger.ledger_events'::regclass
        ORDER BY 1, 2, 3, 4, 5"""
    with psycopg.connect(url) as connection:
        return connection.execute(query.encode()).fetchall()


def test_a_record_backed_up_under_writers_goes_on_elsewhere(server: Server, another: Server, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    with running(server) as system:
        with psycopg.connect(system.logins.projector_url, autocommit=True) as connection:
            connection.execute("CREATE TABLE ledger_views.kept (id bigint)")
        with writing(system) as writers:
            writers.wait(30)
            before = count(events(system.logins.owner_url))
            said = run("backup", file, LEDGER_OWNER_URL=system.logins.owner_url)
            writers.wait(30)
        assert said.startswith("0 "), said
        original, wanted_rights = events(system.logins.owner_url), rights(system.logins.owner_url)
    assert file.stat().st_mode & 0o077 == 0, "it holds everybody's secrets"

    url = another.owner_of("restored")
    said = run("restore", file, LEDGER_OWNER_URL=url, LEDGER_SERVER_KEY=KEY.decode())
    assert said.startswith("0 "), said
    restored = events(url)
    assert before <= count(restored) < count(original), "as of a moment while they wrote"
    for there, here in zip(restored, original, strict=True):
        assert there == here[: len(there)], "whole saves, byte for byte"
    assert len(wanted_rights) > 10 and rights(url) == wanted_rights

    with running(another, database="restored") as system:
        assert flaws(system.rows()) == []
        with psycopg.connect(system.logins.service_url) as connection:
            check_database(connection)
        kept = (
            f"{name_schema('ledger', max(range(len(restored)), key=lambda shelf: len(restored[shelf])))}.ledger_events"
        )
        for change in (f"UPDATE {kept} SET topic = 'x'", f"DELETE FROM {kept}"):
            with psycopg.connect(url) as owner, pytest.raises(psycopg.errors.InsufficientPrivilege):
                owner.execute(change.encode())
        goes_on(system, writers.deeds, restored)
        with psycopg.connect(url) as connection:
            found = connection.execute("SELECT to_regclass('ledger_views.kept')").fetchone()
            assert found == (None,), "views are made anew"


def goes_on(system: Any, deeds: list[Deed], restored: Events) -> None:
    """What was answered before is answered so again; the next ruling, position and notification follow the last."""
    where = deeds[0].table
    shelf = restored[find_shelf_number(where.id, len(restored))]
    rulings = sum(stream.startswith(f"{where.id}/ruling/") for stream, *_ in shelf)
    with system.client() as client:
        first = next(deed for deed in deeds if deed.table == where and deed.answer is not None)
        assert first.answer is not None
        assert first.ask(client).content == first.answer.content
        made = Deed(where, 10**6, "1").ask(client)
        assert (made.status_code, made.json()["number"]) == (201, rulings + 1)
    assert (
        min(row[4] for row in events(system.logins.owner_url)[find_shelf_number(where.id, len(restored))][len(shelf) :])
        > (shelf[-1][4])
    )


@pytest.mark.nightly
def test_the_ledgers_own_database_in_a_folder(tmp_path: Path, data_folder: Path) -> None:
    file, restored = tmp_path / "backup", data_folder.with_name("restored")
    with EmbeddedPostgres(data_folder) as own:
        found = find_logins(Settings.model_construct(LEDGER_OWNER_URL=own.owner_url, shelves=2), lambda: KEY)
        found.migrate()
        with Ledger(make_environment(found.service_url), KEY) as ledger:
            desk = Desk(ledger)
            desk.enrol("A")
        original = events(own.owner_url)
        assert run("backup", file, "--data", data_folder).startswith("0 "), "while it runs"
    assert run("backup", tmp_path / "later", "--data", data_folder).startswith("0 "), "while it does not"
    assert "never overwrites a file" in run("backup", file, "--data", data_folder)
    assert "no database" in run("backup", tmp_path / "none", "--data", data_folder / "none")

    said = run("restore", file, "--data", restored)
    assert said.startswith("3 ") and f"{restored / 'server-key'}" in said
    assert not restored.exists(), "nothing was begun"
    restored.mkdir()
    (restored / "server-key").write_bytes(KEY)
    assert run("restore", file, "--data", restored).startswith("0 ")
    assert "already" in run("restore", file, "--data", restored)
    with EmbeddedPostgres(restored) as own:
        assert events(own.owner_url) == original
        found = find_logins(Settings.model_construct(LEDGER_OWNER_URL=own.owner_url), lambda: KEY)
        with Ledger(make_environment(found.service_url), KEY) as ledger:
            ledger.check()
            desk.ledger = ledger
            assert desk("mint", to="1", coins=1) == 2


@pytest.mark.nightly
def test_a_file_that_is_none_and_a_key_of_another_ledger_are_said(server: Server, tmp_path: Path) -> None:
    file, nonsense = tmp_path / "backup", tmp_path / "nonsense"
    nonsense.write_text("nothing")
    _, found = database_on(server)
    with Ledger(make_environment(found.service_url), KEY) as ledger:
        Desk(ledger)
    assert run("backup", file, LEDGER_OWNER_URL=found.owner_url).startswith("0 ")
    server.new_database("empty")
    url, key = server.owner_of("empty"), KEY.decode()
    assert run("restore", tmp_path / "missing", LEDGER_OWNER_URL=url, LEDGER_SERVER_KEY=key).startswith("3 ")
    said = run("restore", nonsense, LEDGER_OWNER_URL=url, LEDGER_SERVER_KEY=key)
    assert said.startswith("3 ") and "pg_restore" in said
    assert run("restore", file, LEDGER_OWNER_URL=url, LEDGER_SERVER_KEY=key).startswith("0 "), "nothing was left of it"
    server.new_database("other")
    said = run("restore", file, LEDGER_OWNER_URL=server.owner_of("other"), LEDGER_SERVER_KEY="another key altogether")
    assert said.startswith("3 ") and "a different server key" in said
