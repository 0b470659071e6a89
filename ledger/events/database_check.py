"""Check that the database of the record gives the necessary guarantees, before the service uses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Fault, Unavailable
from ledger.events.cluster import Inspection, has_citus, inspect_nodes
from ledger.events.guard import GUARD, make_body_condition
from ledger.events.shelves import name_schemas, read_shelf_count

SCHEMA = "ledger"
REVISION = "0012"  # the version of the schema that this version of the ledger needs; a later schema works, too
SERVICE_ROLE = "ledger_service"
PROJECTOR_ROLE = "ledger_projector"


@dataclass(frozen=True, slots=True)
class Role:
    """A login of the database, and the password to set for it, if any."""

    name: str
    password: str | None = None


def name_views_schema(schema: str) -> str:
    """Return the schema of the views that are built from this schema's events."""
    return f"{schema}_views"


def name_next_schema(schema: str) -> str:
    """Return the schema for rebuilding views while the old ones are still in use."""
    return f"{schema}_views_next"


def check_database(connection: psycopg.Connection[object], schema: str = SCHEMA, table: str = "ledger_events") -> None:
    """Raise Fault unless writes are durable, the schemas have this version, and the service cannot change stored events
    and owns nothing.

    In a cluster, every node is checked. Raise Unavailable if a node does not answer.
    """
    shelf_count = read_shelf_count(connection, schema)
    if shelf_count is None:
        raise _make_fault([f"the schema {schema!r} is not migrated (campaign-ledger migrate)"])
    schemas = name_schemas(schema, shelf_count)
    parameters = {
        "schemas": schemas,
        "table": table,
        "guard": GUARD,
        "powers": POWERS,
        "appends": [APPEND.format(schema=shelf_schema, table=table) for shelf_schema in schemas],
    }
    with connection.cursor(row_factory=tuple_row) as cursor:
        rows = cursor.execute(_CONDITIONS.encode(), parameters).fetchall()
    schemas_by_problem: dict[str, list[str]] = {}
    for shelf_schema, is_migrated, *condition_results in rows:
        for problem in _list_problems(connection, shelf_schema, is_migrated, condition_results):
            schemas_by_problem.setdefault(problem, []).append(shelf_schema)
    sentences = [
        _add_affected_schemas(problem, affected_schemas, schemas)
        for problem, affected_schemas in schemas_by_problem.items()
    ]
    inspection = inspect_nodes(connection, schemas, table) if has_citus(connection) else Inspection()
    if sentences or inspection.problems:
        raise _make_fault([*sentences, *inspection.problems])
    if inspection.away:
        raise Unavailable(
            f"{inspection.away} of the cluster's nodes are not responding. Please try again in a few seconds."
        )


def _list_problems(
    connection: psycopg.Connection[object], schema: str, is_migrated: bool, condition_results: Sequence[bool]
) -> list[str]:
    if not is_migrated:
        return [f"the schema {schema!r} is not migrated (campaign-ledger migrate)"]
    problems = [sentence for is_met, (_, sentence) in zip(condition_results, CONDITIONS, strict=True) if is_met]
    version = read_schema_version(connection, schema)
    if version < REVISION:
        present_version = f"the schema {schema!r} is at version {version or 'none'}"
        problems.append(f"{present_version}, and {REVISION} is needed (campaign-ledger migrate)")
    return problems


def _add_affected_schemas(problem_text: str, affected_schemas: Sequence[str], schemas: Sequence[str]) -> str:
    """Return the problem, followed by the affected schemas unless all are affected or the problem names one of them."""
    if len(affected_schemas) == len(schemas) or any(
        repr(schema_name) in problem_text for schema_name in affected_schemas
    ):
        return problem_text
    return f"{problem_text} (in {', '.join(affected_schemas)})"


def _make_fault(problems: Sequence[str]) -> Fault:
    return Fault("The database is not set up safely: " + "; ".join(problems) + ".", code="unfit-database")


def waits_for_standby(connection: psycopg.Connection[object]) -> bool:
    """Return whether every commit waits until a standby has it."""
    query = (
        "SELECT current_setting('synchronous_standby_names') <> ''"
        " AND current_setting('synchronous_commit') NOT IN ('off', 'local')"
    )
    with connection.cursor(row_factory=tuple_row) as cursor:
        (is_waiting,) = cursor.execute(query).fetchone() or (False,)
    return bool(is_waiting)


def read_schema_version(connection: psycopg.Connection[object], schema: str) -> str:
    """Return the version of the schema, or an empty string if it has none or we may not read it."""
    with connection.cursor(row_factory=tuple_row) as cursor:
        query = "SELECT coalesce(has_table_privilege(to_regclass(%s), 'SELECT'), false)"
        (is_readable,) = cursor.execute(query, (f'"{schema}".alembic_version',)).fetchone() or (False,)
        if not is_readable:
            return ""
        version_query = SQL("SELECT coalesce(max(version_num), '') FROM {}.alembic_version").format(Identifier(schema))
        (version,) = cursor.execute(version_query).fetchone() or ("",)
        return str(version)


#: The body of the function `append()`, and the condition that it runs as its owner with a fixed search path.
APPEND = (
    "DECLARE before bigint; BEGIN -- One writer a shelf at a time: ids are given in commit order, so a follower never"
    " passes over a late one. UPDATE {schema}.counter SET last = last + cardinality(ids) RETURNING last -"
    " cardinality(ids) INTO STRICT before; RETURN QUERY INSERT INTO {schema}.{table}"
    " (originator_id, originator_version, topic, state, notification_id) SELECT id, version, topic, state, before +"
    " place FROM unnest(ids, versions, topics, states) WITH ORDINALITY AS given(id, version, topic, state, place) ORDER"
    " BY place RETURNING notification_id; END"
)
APPENDS_AS = "p.prosecdef AND p.proconfig = ARRAY['search_path=pg_catalog, pg_temp']"
#: PostgreSQL's own roles with dangerous powers. A member of any of them can become a superuser or write anything.
POWERS = ["pg_execute_server_program", "pg_write_server_files", "pg_read_server_files", "pg_write_all_data"]

_OURS = "('append_only', 27), ('append_only_truncate', 34)"  # before UPDATE or DELETE of a row; before TRUNCATE
_TRIGGERS = f"""
    (SELECT count(*) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE t.tgrelid = events.oid
      AND t.tgenabled = 'A' AND t.tgqual IS NULL AND t.tgattr::text = ''
      AND (t.tgname, t.tgtype) IN ({_OURS}) {{more}})"""
_GUARDED = _TRIGGERS.format(more=f"AND {make_body_condition('p.prosrc', '%(guard)s')}")
_COUNTER = "to_regclass(format('%%I.counter', shelf.schema))"
_MINE = "FROM pg_roles AS r WHERE pg_has_role(me.oid, r.oid, 'MEMBER')"

#: The faults to look for, each as an SQL condition and as a sentence. In a condition, `events` has the table's oid, `c`
#: is its row in pg_class, and `me` is our role.
CONDITIONS: tuple[tuple[str, str], ...] = (
    ("current_setting('fsync') <> 'on'", "fsync is off: a crash would lose answered rulings"),
    ("current_setting('synchronous_commit') = 'off'", "synchronous_commit is off: a crash would lose answered rulings"),
    (
        "current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> ''",
        "synchronous_commit is local: commits do not wait for a standby, so a failover would lose answered rulings",
    ),
    (f"{_TRIGGERS.format(more='')} <> 2", "the triggers that keep the record append-only are missing or disabled"),
    (
        f"{_TRIGGERS.format(more='')} = 2 AND {_GUARDED} <> 2",
        "the function of the triggers that keep the record append-only was replaced",
    ),
    (
        "EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = events.oid AND NOT t.tgisinternal"
        " AND t.tgname NOT IN ('append_only', 'append_only_truncate'))",
        "the table of events has triggers that the ledger did not create",
    ),
    (
        "NOT EXISTS (SELECT 1 FROM pg_proc p WHERE p.pronamespace = c.relnamespace AND p.proname = 'append'"
        " AND p.proargtypes::regtype[]::text = '[0:3]={text[],bigint[],text[],bytea[]}'"
        f" AND {APPENDS_AS} AND {make_body_condition('p.prosrc', 'shelf.append')})",
        "the function that appends events is missing or was replaced",
    ),
    (
        "NOT EXISTS (SELECT 1 FROM pg_constraint k JOIN pg_index i ON i.indexrelid = k.conindid"
        " WHERE k.conrelid = events.oid AND k.contype = 'p' AND k.conname = 'ledger_events_pkey' AND i.indisvalid"
        " AND NOT k.condeferrable"
        " AND ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS key(num, at)"
        " JOIN pg_attribute a ON a.attrelid = events.oid AND a.attnum = key.num ORDER BY key.at)"
        " = ARRAY['originator_id', 'originator_version'])",
        "the primary key of the events is gone: two saves could have the same place",
    ),
    (
        "c.relkind <> 'r' OR c.relpersistence <> 'p'",
        "the events are not in an ordinary table: a crash could delete them",
    ),
    ("EXISTS (SELECT 1 FROM pg_rewrite w WHERE w.ev_class = events.oid)", "the table of events has rewrite rules"),
    ("c.relrowsecurity", "row security is on for the events: some of them could be hidden"),
    (
        f"EXISTS (SELECT 1 {_MINE} AND r.rolsuper)",
        "the service is connected as a superuser, or may become one; give it a role of its own",
    ),
    (
        f"EXISTS (SELECT 1 {_MINE} AND r.rolcreaterole)",
        "the service's role may create roles, or become a role that may",
    ),
    (
        f"EXISTS (SELECT 1 {_MINE} AND (r.rolreplication OR r.rolbypassrls OR r.rolname = ANY(%(powers)s)))",
        "the service's role has powers over the whole server",
    ),
    (
        "pg_has_role(me.oid, c.relowner, 'MEMBER')",
        "the service's role owns the events; give the service a different role",
    ),
    (
        "EXISTS (SELECT 1 FROM pg_namespace n"
        " WHERE n.oid = c.relnamespace AND pg_has_role(me.oid, n.nspowner, 'MEMBER'))"
        " OR EXISTS (SELECT 1 FROM pg_proc p"
        " WHERE p.pronamespace = c.relnamespace AND pg_has_role(me.oid, p.proowner, 'MEMBER'))"
        " OR EXISTS (SELECT 1 FROM pg_database d WHERE d.datname = current_database()"
        " AND pg_has_role(me.oid, d.datdba, 'MEMBER'))",
        "the service's role owns the schema, its functions or the database",
    ),
    (
        f"EXISTS (SELECT 1 {_MINE} AND (has_table_privilege(r.oid, events.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')"
        " OR has_any_column_privilege(r.oid, events.oid, 'UPDATE')))",
        "the service's role may change events; it needs only SELECT and the function that appends",
    ),
    (
        f"EXISTS (SELECT 1 {_MINE} AND (has_any_column_privilege(r.oid, events.oid, 'INSERT')"
        f" OR has_table_privilege(r.oid, {_COUNTER}, 'DELETE, TRUNCATE, TRIGGER')"
        f" OR has_any_column_privilege(r.oid, {_COUNTER}, 'INSERT, UPDATE')))",
        "the service's role can choose the ids of events, so it can hide events; run campaign-ledger migrate",
    ),
    (
        f"NOT EXISTS (SELECT 1 FROM pg_class k WHERE k.oid = {_COUNTER}"
        " AND k.relkind = 'r' AND k.relpersistence = 'p'"
        " AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = k.oid AND NOT t.tgisinternal))",
        "the counter that gives events their ids is missing or not in an ordinary table: events could share an id",
    ),
    (
        "NOT EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = events.oid AND a.attnum = i.indkey[0]"
        " WHERE i.indrelid = events.oid AND i.indisunique AND i.indisvalid AND i.indnatts = 1 AND i.indpred IS NULL"
        " AND a.attname = 'notification_id')",
        "the events' ids are not kept unique: a follower could miss some of them",
    ),
    (
        "NOT (has_table_privilege(events.oid, 'SELECT') AND EXISTS (SELECT 1 FROM pg_proc p"
        " WHERE p.pronamespace = c.relnamespace AND p.proname = 'append'"
        " AND has_function_privilege(p.oid, 'EXECUTE')))",
        "the service's role may not append events (campaign-ledger migrate)",
    ),
)
_CONDITIONS = f"""
SELECT shelf.schema, events.oid IS NOT NULL, {", ".join(f"coalesce({condition}, false)" for condition, _ in CONDITIONS)}
  FROM unnest(%(schemas)s::text[], %(appends)s::text[]) WITH ORDINALITY AS shelf(schema, append, place)
  CROSS JOIN LATERAL (SELECT to_regclass(format('%%I.%%I', shelf.schema, %(table)s::text)) AS oid OFFSET 0) AS events
  JOIN pg_roles AS me ON me.rolname = current_user
  LEFT JOIN pg_class AS c ON c.oid = events.oid
 ORDER BY shelf.place
"""
