"""`campaign-ledger doctor`: each thing that can be wrong with an installation is said in a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from api.cli import doctoring
from api.cli.main import app
from ledger import rules
from ledger.application import Ledger, make_environment
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE, name_views_schema
from projections.views.projector import Projector
from tests.desk import Desk
from tests.schemas import made_anew

RUNNER = CliRunner()
SCHEMA = "doctor_tests"
KEY = "a key for the tests only"


@pytest.fixture(scope="module")
def installed(postgres: Any) -> Iterator[str]:
    """A database with views and no campaigns."""
    made_anew(postgres.owner_url, SCHEMA)
    with Projector(make_conninfo(postgres.owner_url, user=PROJECTOR_ROLE, password="for-tests"), SCHEMA) as projector:
        projector.make_tables()
    yield make_conninfo(postgres.owner_url, user=SERVICE_ROLE, password="for-tests")


@pytest.fixture
def examined(installed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("LEDGER_DATABASE_URL", installed)
    monkeypatch.setenv("LEDGER_OWNER_URL", installed)
    monkeypatch.setenv("LEDGER_SCHEMA", SCHEMA)
    monkeypatch.setenv("LEDGER_SERVER_KEY", KEY)

    def run(*words: str, ends: int = 1) -> str:
        result = RUNNER.invoke(app, ["doctor", "--data", str(tmp_path), *words])
        assert result.exit_code == ends, (result.output, result.exception)
        return result.stdout

    return run


def change(postgres: Any, statement: str) -> None:
    with psycopg.connect(postgres.owner_url) as connection:
        connection.execute(statement.encode())


def test_a_sound_installation(examined: Any) -> None:
    assert examined(ends=0) == "No problems found.\n"
    told = json.loads(examined("--json", ends=0))["data"]
    assert told == {
        "checks": ["games", "disk", "settings", "key", "database", "schema", "tokens", "records", "views"],
        "problems": [],
    }


def test_a_game_that_is_not_offered(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules._unfit, "chess", ("Its package has no `RULESET`.",))
    assert examined() == "The game chess is not available. Its package has no `RULESET`.\n"


def test_a_full_disk(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctoring, "LEAST_ROOM", 2**80)
    assert "MB left" in examined()


def test_a_setting_that_is_wrong(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGER_LOG_LEVEL", "loud")
    assert "LEDGER_LOG_LEVEL" in examined()


def test_a_missing_key(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEDGER_SERVER_KEY")
    assert "LEDGER_SERVER_KEY" in examined()


def test_a_database_that_does_not_answer(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGER_DATABASE_URL", "postgresql://nobody@127.0.0.1:9/none")
    assert "The database can't be used" in examined()


def test_a_database_that_is_not_migrated(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGER_SCHEMA", "nothing_here")
    assert "campaign-ledger migrate" in examined()


def test_an_older_schema(examined: Any, postgres: Any) -> None:
    change(postgres, f"UPDATE {SCHEMA}.alembic_version SET version_num = '0011'")
    try:
        told = examined()
        assert "version 0011" in told and "campaign-ledger migrate" in told
    finally:
        change(postgres, f"UPDATE {SCHEMA}.alembic_version SET version_num = '0012'")


def test_views_that_other_code_made(examined: Any, postgres: Any) -> None:
    forms = f"{name_views_schema(SCHEMA)}.forms"
    change(postgres, f"UPDATE {forms} SET version = version - 1 WHERE view = 'seal'")
    try:
        told = examined()
        assert "made by another version (seal)" in told and "campaign-ledger rebuild" in told
    finally:
        change(postgres, f"UPDATE {forms} SET version = version + 1 WHERE view = 'seal'")


def test_a_campaign_whose_views_have_stopped(examined: Any, postgres: Any) -> None:
    stopped = f"{name_views_schema(SCHEMA)}.stopped"
    with psycopg.connect(postgres.owner_url) as connection:
        columns = [one.name for one in connection.execute(f"SELECT * FROM {stopped}".encode()).description or ()]
    values = {"campaign": "'k3v7q2mzt5a4c'", "code": "'gap'", "detail": "'Something is missing.'", "at": "now()"}
    given = ", ".join(values.get(name, "0") for name in columns)
    change(postgres, f"INSERT INTO {stopped} ({', '.join(columns)}) VALUES ({given})")
    try:
        told = examined()
        assert "k3v7q2mzt5a4c have stopped: Something is missing." in told
    finally:
        change(postgres, f"DELETE FROM {stopped}")


def test_a_game_that_is_not_installed_and_one_of_a_later_edition(examined: Any, postgres: Any) -> None:
    views = name_views_schema(SCHEMA)
    change(
        postgres,
        f"INSERT INTO {views}.campaigns (campaign, name, system, edition, opened_at, at, position, rulings, named)"
        " VALUES ('k3v7q2mzt5a4c', 'Old', 'chess', 1, now(), now(), 1, 0, 1)",
    )
    change(postgres, f"INSERT INTO {views}.editions (system, edition) VALUES ('toy', 99)")
    try:
        told = examined()
        assert "1 campaign is of the game chess, which is not installed" in told
        assert "edition 99" in told
    finally:
        change(postgres, f"DELETE FROM {views}.campaigns")
        change(postgres, f"DELETE FROM {views}.editions WHERE edition = 99")


def test_another_key_and_views_that_nobody_keeps(
    examined: Any, postgres: Any, installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = f"{SCHEMA}_played"
    made_anew(postgres.owner_url, schema)
    with Projector(make_conninfo(installed, user=PROJECTOR_ROLE), schema) as projector:
        projector.make_tables()
    with Ledger(make_environment(installed, schema=schema), b"quite another key") as ledger:
        Desk(ledger)
    monkeypatch.setenv("LEDGER_SCHEMA", schema)
    told = examined()
    assert "a different server key" in told
    assert "events behind. Check that a service or projector is running." in told
