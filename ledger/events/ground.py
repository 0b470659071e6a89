"""The ground the record stands on: what the database must guarantee before anything is served on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Fault

SCHEMA = "ledger"
REVISION = "0004"  # of the schema, that this version needs; a later one, of a higher number, serves it too
SERVICE_ROLE = "ledger_service"
PROJECTOR_ROLE = "ledger_projector"


@dataclass(frozen=True, slots=True)
class Role:
    """A login of the database, and its password where one is to be set."""

    name: str
    password: str | None = None


def views_of(schema: str) -> str:
    """The schema of the views kept from the events of this one."""
    return f"{schema}_views"


def next_of(schema: str) -> str:
    """The schema in which views are built anew, beside those in use."""
    return f"{schema}_views_next"


def check_ground(connection: psycopg.Connection[Any], schema: str = SCHEMA, table: str = "ledger_events") -> None:
    """Fault unless: writes are durable, the schema is this version's, nothing can be changed, and we own nothing."""
    row = connection.execute(_GROUND, {"schema": schema, "table": f'"{schema}".{table}'}).fetchone()
    assert row is not None
    version = _version(connection, schema)
    fsync, commits, exists, triggers, superuser, owns, may_change, may_write = (
        tuple(row.values()) if isinstance(row, dict) else row
    )
    problems = [
        sentence
        for wrong, sentence in (
            (fsync != "on", "fsync is off: a crash would lose answered rulings"),
            (commits == "off", "synchronous_commit is off: a crash would lose answered rulings"),
            (not exists, f"the schema {schema!r} is not migrated (campaign-ledger migrate)"),
            (
                exists and version < REVISION,
                f"the schema {schema!r} is at version {version or 'none'}, and {REVISION} is needed"
                " (campaign-ledger migrate)",
            ),
            (exists and triggers != 2, "the triggers that keep the record append-only are missing or disabled"),
            (superuser, "the service is connected as a superuser; use its own role"),
            (owns, "the service's role owns the events; use a role of its own"),
            (may_change, "the service's role may change events; it needs INSERT and SELECT only"),
            (exists and not may_write, "the service's role may not append events; migrate grants that"),
        )
        if wrong
    ]
    if problems:
        raise Fault("The database is not fit to serve: " + "; ".join(problems) + ".", code="unfit-database")


def _version(connection: psycopg.Connection[Any], schema: str) -> str:
    """Of the schema; empty where it has none that we may read."""
    with connection.cursor(row_factory=tuple_row) as cursor:
        there = "SELECT coalesce(has_table_privilege(to_regclass(%s), 'SELECT'), false)"
        (known,) = cursor.execute(there, (f'"{schema}".alembic_version',)).fetchone() or (False,)
        if not known:
            return ""
        latest = SQL("SELECT coalesce(max(version_num), '') FROM {}.alembic_version").format(Identifier(schema))
        (version,) = cursor.execute(latest).fetchone() or ("",)
        return str(version)


_GROUND = """
SELECT current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS commits,
       events.oid IS NOT NULL AS present,
       (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = events.oid AND t.tgenabled = 'A'
          AND t.tgname IN ('append_only', 'append_only_truncate')) AS triggers,
       me.rolsuper AS superuser,
       coalesce(pg_has_role(me.oid, c.relowner, 'MEMBER'), false) AS owns,
       coalesce(has_table_privilege(events.oid, 'UPDATE, DELETE, TRUNCATE')
          OR has_any_column_privilege(events.oid, 'UPDATE'), false) AS changes,
       coalesce(has_column_privilege(events.oid, 'state', 'INSERT')
          AND has_table_privilege(events.oid, 'SELECT'), false) AS writes
  FROM (SELECT to_regclass(%(table)s) AS oid) AS events
  JOIN pg_roles AS me ON me.rolname = current_user
  LEFT JOIN pg_class AS c ON c.oid = events.oid
"""
