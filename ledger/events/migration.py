"""Migrate a database to the schema that this version needs.

The owner of the schemas migrates. The service's role owns nothing. It can read events, and append them only through a
function. The projector's role can only read events. Each shelf is a schema, with one schema for its views and one for
views that are being rebuilt. Only one process migrates at a time. Another process waits, and then finds nothing to do.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier, Literal

from ledger.errors import Fault
from ledger.events import cluster
from ledger.events.database_check import (
    PROJECTOR_ROLE,
    REVISION,
    SCHEMA,
    SERVICE_ROLE,
    Role,
    name_next_schema,
    name_views_schema,
    read_schema_version,
)
from ledger.events.lines import IDLE, LONG_IDLE, connect_outside_pool, make_idle_limit
from ledger.events.shelves import MOST, USUAL, check_shelf_count, name_common_schema, name_schemas, read_shelf_count
from ledger.events.statements import split_statements

#: How long the service waits for a database that hangs. Answers are due within seconds; a replay may take longer.
PATIENCE = {"statement_timeout": "60s", "lock_timeout": "5s"}
#: How long the server waits for a stopped client. The workers of a cluster must wait longer, because the coordinator
#: may be waiting for a slow client.
IDLE_LIMIT = "idle_in_transaction_session_timeout"
STOPPED, STOPPED_OF_CLUSTER = {IDLE_LIMIT: f"{IDLE}s"}, {IDLE_LIMIT: f"{LONG_IDLE}s"}
#: The same for a client whose host is gone. `tcp_user_timeout` works only on Linux.
GONE = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
GONE_ON_LINUX = {"tcp_user_timeout": "10s"}
#: Seconds until the server ends the transaction of a stopped migration, which locks whole tables.
MIGRATING = 30
#: The settings of the transaction that holds the migration lock. It can last for hours.
HOLDING = {IDLE_LIMIT: "0", "transaction_timeout": "0", **GONE}
LIMITED = """SELECT set_config(name, value, true) FROM unnest(%s::text[], %s::text[]) AS limits(name, value)
    WHERE name IN (SELECT name FROM pg_settings)"""
TRIES = 10  # attempts to change a role that other processes also change
log = logging.getLogger("ledger.migration")
FOLDER = Path(__file__).parent / "migrations"
PROJECTOR = Role(PROJECTOR_ROLE)


def migrate(
    owner_url: str,
    *,
    schema: str = SCHEMA,
    role: str = SERVICE_ROLE,
    password: str | None = None,
    projector: Role = PROJECTOR,
    shelf_count: int | None = None,
) -> None:
    """Create or upgrade the schemas, the roles (with these passwords) and their rights. It is safe to call this again.

    `owner_url`: a libpq URL of a login that may create roles and schemas, or that owns them already. `shelf_count`: the
    number of shelves for a new database (default `USUAL`). Raise Fault if an existing database has a different number.
    """
    with connect_outside_pool(owner_url) as connection, hold_migration_lock(connection, schema):
        _migrate_under_lock(owner_url, schema, Role(role, password), projector, shelf_count)


def _migrate_under_lock(owner_url: str, schema: str, service: Role, projector: Role, wanted_count: int | None) -> None:
    with connect_outside_pool(owner_url) as connection:
        if cluster.has_citus(connection):
            cluster.allow_triggers(connection)
        ensure_role(connection, service)
        ensure_role(connection, projector)
        names = {"common": name_common_schema(schema), "role": service.name, "projector": projector.name}
        _run_script(connection, COMMON, names)
        shelf_count = _settle_shelf_count(connection, schema, wanted_count)
        shelf_schemas = name_schemas(schema, shelf_count)
        outdated_schemas = [
            shelf_schema for shelf_schema in shelf_schemas if read_schema_version(connection, shelf_schema) != REVISION
        ]
    logins = {"role": service.name, "projector": projector.name}
    if outdated_schemas:
        from ledger.events.upgrading import upgrade  # importing SQLAlchemy takes as long as everything else here

        upgrade(owner_url, outdated_schemas, logins)
    with connect_outside_pool(owner_url) as connection:
        for shelf_schema in shelf_schemas:
            _run_script(connection, NUMBERING, {"schema": shelf_schema})
            with connection.transaction():
                connection.execute(make_idle_limit(MIGRATING).encode())
                for views_schema in (name_views_schema(shelf_schema), name_next_schema(shelf_schema)):
                    _run_script(connection, VIEWS, {"schema": shelf_schema, "views": views_schema, **logins})
        if cluster.has_citus(connection):
            cluster.distribute_schemas(
                connection,
                [
                    name_of(schema_name)
                    for schema_name in shelf_schemas
                    for name_of in (str, name_views_schema, name_next_schema)
                ],
            )
            cluster.create_guards(connection, shelf_schemas)


def is_upgrade_due(owner_url: str, schema: str = SCHEMA) -> bool:
    """Return whether migrating would change the schema of a database that holds campaigns."""
    with connect_outside_pool(owner_url) as connection:
        shelf_schemas = name_schemas(schema, read_shelf_count(connection, schema) or 1)
        versions_by_schema = {
            shelf_schema: read_schema_version(connection, shelf_schema) for shelf_schema in shelf_schemas
        }
        if not any(version and version < REVISION for version in versions_by_schema.values()):
            return False
        template = "SELECT EXISTS (SELECT 1 FROM {})"
        queries = [
            SQL(template).format(Identifier(shelf_schema, "ledger_events"))
            for shelf_schema, version in versions_by_schema.items()
            if version
        ]
        return any(connection.execute(query).fetchone() == (True,) for query in queries)


@contextmanager
def hold_migration_lock(connection: psycopg.Connection[Any], schema: str) -> Iterator[None]:
    """Wait until no other process migrates this ledger, then keep others out.

    A transaction holds the lock, so the lock also works through a PgBouncer that shares connections by transaction. The
    wait consists of many short attempts, so time limits of the owner's role do not end it.
    """
    key, has_warned = zlib.crc32(f"{schema} migration".encode()), False
    while True:
        with connection.transaction(), connection.cursor(row_factory=tuple_row) as cursor:
            if cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", (key,), prepare=False).fetchone() == (True,):
                cursor.execute(LIMITED, (list(HOLDING), list(HOLDING.values())))
                yield
                return
        if not has_warned:
            log.warning("Another process is migrating this database. Waiting for it to finish.")
            has_warned = True
        time.sleep(0.5)


def _settle_shelf_count(connection: psycopg.Connection[object], schema: str, wanted_count: int | None) -> int:
    """Return the number of shelves. In a new database, store it first. Raise Fault if a different number is wanted."""
    if wanted_count is not None and not 1 <= wanted_count <= MOST:
        raise Fault(f"A database can have 1 to {MOST} shelves, not {wanted_count}.", code="other-shelves")
    shelf_count = read_shelf_count(connection, schema)
    if shelf_count is None:
        sql_parts = {
            "shelves": Identifier(name_common_schema(schema), "shelves"),
            "number": Literal(wanted_count or USUAL),
        }
        connection.execute(SQL("INSERT INTO {shelves} VALUES ({number}) ON CONFLICT DO NOTHING").format(**sql_parts))
        shelf_count = read_shelf_count(connection, schema)
        assert shelf_count is not None
    check_shelf_count(shelf_count, wanted_count)
    return shelf_count


def _run_script(connection: psycopg.Connection[object], script: str, names: Mapping[str, object]) -> None:
    identifiers = {name: Identifier(str(value)) for name, value in names.items()}
    for statement in split_statements(script):
        connection.execute(SQL(statement).format(**identifiers), prepare=True)


#: Tables outside the shelves. A crash may empty the table of permits.
COMMON = """
CREATE SCHEMA IF NOT EXISTS {common};
GRANT USAGE ON SCHEMA {common} TO {role}, {projector};
CREATE TABLE IF NOT EXISTS {common}.shelves (
    number integer NOT NULL CHECK (number BETWEEN 1 AND 256),
    one boolean PRIMARY KEY DEFAULT true CHECK (one)
);
CREATE UNLOGGED TABLE IF NOT EXISTS {common}.permits (
    holder text COLLATE "C" PRIMARY KEY,
    whole_at timestamptz NOT NULL,
    granted integer NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT ON {common}.shelves TO {role}, {projector};
GRANT SELECT, INSERT, UPDATE, DELETE ON {common}.permits TO {role};
"""

#: Raises the counter to the highest id, because before version 0011 an event could get an id far ahead of the others.
#: This is one statement in its own transaction, so a stopped process does not hold the counter.
NUMBERING = """
DO $$ BEGIN
    PERFORM last FROM {schema}.counter FOR UPDATE;
    UPDATE {schema}.counter SET last = newest.id
      FROM (SELECT coalesce(max(notification_id), 0) AS id FROM {schema}.ledger_events) AS newest
     WHERE last < newest.id;
END $$;
"""

#: The projector owns everything made from the record; the service reads it.
VIEWS = """
CREATE SCHEMA IF NOT EXISTS {views};
GRANT USAGE, CREATE ON SCHEMA {views} TO {projector};
GRANT USAGE ON SCHEMA {views} TO {role};
GRANT USAGE ON SCHEMA {schema} TO {projector};
GRANT SELECT ON {schema}.ledger_events, {schema}.alembic_version TO {projector};
"""


def ensure_role(connection: psycopg.Connection[object], role: Role) -> None:
    """Create the login with this password, or set its password. Rights are granted where the tables are created.

    Try again if a migration of another database changes the same role, because roles belong to the whole server.
    """
    for _ in range(TRIES - 1):
        try:
            return _create_or_change_role(connection, role)
        except (psycopg.errors.InternalError_, psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            continue  # "tuple concurrently updated", or another process has made it
    return _create_or_change_role(connection, role)


def _create_or_change_role(connection: psycopg.Connection[object], role: Role) -> None:
    name = Identifier(role.name)
    with connection.cursor(row_factory=tuple_row) as cursor:
        query = "SELECT coalesce(rolconfig, '{}') FROM pg_roles WHERE rolname = %s"
        row = cursor.execute(query, (role.name,)).fetchone()
        if row is None:
            cursor.execute(SQL("CREATE ROLE {} LOGIN").format(name))
        for setting, value in _make_settings(connection).items():
            if row is None or f"{setting}={value}" not in row[0]:
                cursor.execute(SQL("ALTER ROLE {} SET {} = {}").format(name, Identifier(setting), Literal(value)))
        if role.password is not None:
            cursor.execute(SQL("ALTER ROLE {} PASSWORD {}").format(name, Literal(role.password)))


def _make_settings(connection: psycopg.Connection[object]) -> dict[str, str]:
    """Return the settings of every connection of the service and the projector."""
    with connection.cursor(row_factory=tuple_row) as cursor:
        is_on_linux = cursor.execute("SELECT version() LIKE '%%linux%%'", ()).fetchone() == (True,)
    stop_settings = STOPPED_OF_CLUSTER if cluster.has_citus(connection) else STOPPED
    return PATIENCE | stop_settings | GONE | (GONE_ON_LINUX if is_on_linux else {})
