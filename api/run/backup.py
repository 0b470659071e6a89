"""Back up the record into one file, and restore it into an empty database, with PostgreSQL's programs.

The backup is one snapshot of the record's schemas: events, triggers that keep them append-only, rights and counters. It
does not contain the server's key, or the views, which can be rebuilt.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from api.embedded import EmbeddedPostgres, find_data_folder
from api.embedded.programs import find_program_folder
from api.service.database import Database, find_logins, find_or_make_server_key
from api.service.environment import Settings, read_settings
from ledger.application import Keys
from ledger.application.keys import hash_token, is_same_hash
from ledger.errors import Fault
from ledger.events import codec
from ledger.events.database_check import check_database
from ledger.events.shelves import name_common_schema, name_schemas, read_shelf_count

KEYLESS = (
    "Tokens are made with the server's key, which is not part of a backup. Put the key of the original ledger into"
    " {}, or set LEDGER_SERVER_KEY to it. With a different key, no token works."
)


@dataclass(frozen=True, slots=True)
class DatabaseAccess:
    """A database, and the folder with the programs for it. A folder of None means the programs on the PATH."""

    owner_url: str
    program_folder: Path | None

    def run(self, program: str, *arguments: str | Path) -> None:
        """Run the program. Raise a Fault with its message if it fails."""
        folder = str(self.program_folder) if self.program_folder is not None else None
        executable = shutil.which(program, path=folder)
        if executable is None:
            raise Fault(f"{program} is not on the PATH. Install the PostgreSQL client programs.")
        parameters = conninfo_to_dict(self.owner_url)
        password_variable = {"PGPASSWORD": str(parameters.pop("password"))} if "password" in parameters else {}
        command = [executable, f"--dbname={make_conninfo('', **parameters)}", "--no-password", *arguments]
        result = subprocess.run(
            command, check=False, capture_output=True, text=True, env={**os.environ, **password_variable}
        )
        if result.returncode != 0:
            raise Fault(f"{program} failed: {result.stderr.strip()}", code="program-failed")


@contextmanager
def _open_database(env: Settings, data: Path, *, must_be_alone: bool) -> Iterator[DatabaseAccess]:
    """Yield the database in the environment, else the ledger's own. `must_be_alone`: raise an error if another program
    uses the ledger's own database.
    """
    url_in_settings = env.owner_url or env.database_url
    if url_in_settings:
        yield DatabaseAccess(url_in_settings, None)
        return
    server = EmbeddedPostgres(data)
    url = None if must_be_alone else server.find_url_if_running()
    if url is not None:
        yield DatabaseAccess(url, find_program_folder(server.cluster))
    elif not must_be_alone and not server.cluster.exists():
        raise Fault(f"There is no database in {data}. Set the database's folder with --data.")
    else:
        with server:
            yield DatabaseAccess(server.owner_url, find_program_folder(server.cluster))


def back_up(file: Path, data: Path | None) -> int:
    """Write the whole record into a new file. Return the file's size in bytes. Raise a Fault if that fails."""
    folder = (data or find_data_folder()).resolve()
    env = read_settings(Settings)
    with _open_database(env, folder, must_be_alone=False) as access:
        write_backup(access, env.schema_name, file)
    return file.stat().st_size


def write_backup(access: DatabaseAccess, schema: str, file: Path) -> None:
    """Write the whole record as it is at one moment. Raise a Fault if the file exists."""
    _dump(access, _list_schemas(access, schema), file)


def _list_schemas(access: DatabaseAccess, base: str) -> list[str]:
    """Return the names of the shelves' schemas and of the shared schema. An old record without shelves has only one
    schema.
    """
    with psycopg.connect(access.owner_url) as connection:
        shelf_count = read_shelf_count(connection, base)
    return [base] if shelf_count is None else [*name_schemas(base, shelf_count), name_common_schema(base)]


def _dump(access: DatabaseAccess, schemas: Sequence[str], file: Path) -> None:
    """Write the schemas into the file, which only its owner may read. The file gets its name only when it is
    complete.
    """
    if file.exists():
        raise Fault(f"{file} already exists. A backup never overwrites a file.")
    unfinished_file = file.with_name(f"{file.name}.unfinished")
    try:
        os.close(os.open(unfinished_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        schema_options = ['--schema="' + schema.replace('"', '""') + '"' for schema in schemas]
        access.run(
            "pg_dump", "--format=custom", *schema_options, "--no-unlogged-table-data", f"--file={unfinished_file}"
        )
        with unfinished_file.open("rb+") as backup_file:
            os.fsync(backup_file.fileno())
        unfinished_file.rename(file)
    except OSError as problem:
        raise Fault(f"{file} can't be written ({problem.strerror}).") from problem
    finally:
        unfinished_file.unlink(missing_ok=True)


def restore_backup(file: Path, data: Path | None) -> int:
    """Restore the record in the file into a database without a record. Return the number of events. Raise a Fault if
    that fails.
    """
    folder = (data or find_data_folder()).resolve()
    if not file.is_file():
        raise Fault(f"There is no file {file}.")
    env = read_settings(Settings)
    key = _read_key(env, folder)
    with _open_database(env, folder, must_be_alone=True) as access:
        database = find_logins(env, lambda: key, access.owner_url)
        _restore(access, database, file)
        return _check_restored_record(database, Keys(key))


def _read_key(env: Settings, folder: Path) -> bytes:
    """Return the server's key. Raise a Fault if there is none, because a new key would not fit the record."""
    path = folder / "server-key"
    if env.server_key is None and not path.exists():
        raise Fault(KEYLESS.format(path), code="no-server-key")
    return find_or_make_server_key(env, folder)


def _restore(access: DatabaseAccess, database: Database, file: Path) -> None:
    """Load the whole backup or nothing, migrate to this version's schema, and add the schemas of the views."""
    with psycopg.connect(database.owner_url) as connection:
        query = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
        if connection.execute(query, (database.schema,)).fetchone() is not None:
            raise Fault(f"The database already has a schema {database.schema}. Restore into an empty database.")
    database.make_roles()
    access.run("pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", file)
    database.migrate()


def _check_restored_record(database: Database, keys: Keys) -> int:
    """Return the number of events. Raise a Fault if the service cannot use the record, or if its tokens need another
    key.
    """
    with psycopg.connect(database.service_url) as connection:
        check_database(connection, database.schema)
        shelf_results = _examine_shelves(connection, database.schema, keys)
    if not all(has_key for _, has_key in shelf_results):
        raise Fault("The record is restored, but its tokens were made with a different server key.", code="other-key")
    return sum(event_count for event_count, _ in shelf_results)


def has_other_key(database: Database, keys: Keys) -> bool:
    """Return whether the record's tokens were made with a different key."""
    with psycopg.connect(database.service_url) as connection:
        return not all(has_key for _, has_key in _examine_shelves(connection, database.schema, keys))


def _examine_shelves(
    connection: psycopg.Connection[tuple[object, ...]], schema: str, keys: Keys
) -> list[tuple[int, bool]]:
    """Return the result of `_examine_shelf` for each shelf."""
    schemas = name_schemas(schema, read_shelf_count(connection, schema) or 1)
    return [_examine_shelf(connection, Identifier(shelf_schema, "ledger_events"), keys) for shelf_schema in schemas]


def _examine_shelf(
    connection: psycopg.Connection[tuple[object, ...]], table: Identifier, keys: Keys
) -> tuple[int, bool]:
    """Return how many events a shelf has, and whether one of its tokens fits the key. A shelf without tokens fits any
    key.
    """
    (event_count,) = connection.execute(SQL("SELECT count(*) FROM {}").format(table)).fetchone() or (0,)
    query = "SELECT originator_id, topic, state FROM {} WHERE topic LIKE 'ledger.token-issued@%' LIMIT 1"
    issued_row = connection.execute(SQL(query).format(table)).fetchone()
    return int(str(event_count)), issued_row is None or _is_made_with(keys, *issued_row)  # type: ignore[arg-type]


def _is_made_with(keys: Keys, stream: str, topic: str, state: bytes) -> bool:
    campaign, _, seat = stream.split("/", 2)
    issue_record = codec.load_codec().decode(topic, state).fact
    return is_same_hash(issue_record.hash, hash_token(keys.make_token(campaign, seat, issue_record.generation)))
