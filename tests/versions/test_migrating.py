"""Two processes migrate a database at once: one waits, finds nothing to do, and says so by its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from api.embedded.programs import find_program_folder
from api.service.database import Database
from ledger.events.database_check import REVISION, SCHEMA, check_database, read_schema_version
from ledger.events.shelves import name_common_schema
from tests.levels import examples, sampled
from tests.versions.database import KEY, load, new_database
from tests.versions.test_versions import KEPT, unpacked

ROOT = Path(__file__).parents[2]
ROUNDS = examples(1, 1, 3)
OLDEST = min(KEPT, key=lambda file: tuple(map(int, file.parent.name.split("."))))
PATIENCE = 300


def migrating(logins: Database, *options: str) -> subprocess.Popen[str]:
    """The command, as an operator and `docker compose` run it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
    environment = {
        **kept,
        "LEDGER_OWNER_URL": logins.owner_url,
        "LEDGER_DATABASE_URL": logins.service_url,
        "LEDGER_PROJECTOR_URL": logins.projector_url,
        "LEDGER_SERVER_KEY": KEY.decode(),
        "LEDGER_SHELVES": "2",
    }
    environment["PATH"] = os.pathsep.join([str(find_program_folder(Path("none"))), environment["PATH"]])
    command = [sys.executable, "-c", "from api.cli.main import main; main()", "migrate", *options]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)


def all_succeed(processes: Sequence[subprocess.Popen[str]]) -> list[str]:
    said = [process.communicate(timeout=PATIENCE)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), "\n".join(said)
    return said


def is_fit(logins: Database) -> None:
    with psycopg.connect(logins.service_url) as connection:
        check_database(connection, SCHEMA)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "kept", sampled([None, OLDEST], 1), ids=["empty", f"{OLDEST.parent.name}-{OLDEST.name.split('.')[0]}"]
)
def test_two_processes_migrate_one_database_at_once(kept: Path | None, postgres: Any) -> None:
    for number in range(ROUNDS):
        with new_database(postgres.owner_url, f"migrated_{number}") as logins:
            if kept is not None:
                load(unpacked(kept, "sql.gz").decode(), logins)
            all_succeed([migrating(logins, "--no-backup") for _ in range(2)])
            is_fit(logins)


@pytest.mark.nightly
def test_whoever_waits_for_another_migration_says_so(postgres: Any) -> None:
    """The first has begun, and is held up in the middle of it."""
    with new_database(postgres.owner_url, "migrated_slowly") as logins:
        with psycopg.connect(logins.owner_url) as owner:
            owner.execute(f"CREATE SCHEMA {name_common_schema(SCHEMA)}".encode())
            first = migrating(logins)
            wait_for_a_waiting(logins)
            second = migrating(logins)
            assert second.stderr is not None
            assert "Waiting for it to finish" in second.stderr.readline()
            owner.rollback()
        all_succeed([first, second])
        is_fit(logins)


def wait_for_a_waiting(logins: Database) -> None:
    query = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with psycopg.connect(logins.owner_url, autocommit=True) as connection:
        while connection.execute(query).fetchone() is None:
            time.sleep(0.05)


def test_a_database_with_campaigns_is_not_changed_without_a_backup(postgres: Any, tmp_path: Path) -> None:
    with new_database(postgres.owner_url, "migrated_unsaved") as logins:
        load(unpacked(OLDEST, "sql.gz").decode(), logins)
        before = version_of_database(logins)
        refused = migrating(logins)
        (said,) = [refused.communicate(timeout=PATIENCE)[1]]
        assert refused.returncode == 3
        assert said == (
            "campaign-ledger: This version changes the database. Back it up first, because it has campaigns:"
            " run campaign-ledger migrate with --backup FILE, or with --no-backup.\n"
        )
        assert version_of_database(logins) == before < REVISION
        file = tmp_path / "before.backup"
        (said,) = all_succeed([migrating(logins, "--backup", str(file))])
        assert f"Writing a backup to {file} first" in said and file.read_bytes().startswith(b"PGDMP")
        is_fit(logins)
        all_succeed([migrating(logins)])  # nothing is to be changed any more


def version_of_database(logins: Database) -> str:
    with psycopg.connect(logins.owner_url) as connection:
        return read_schema_version(connection, SCHEMA)
