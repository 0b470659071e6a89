"""PostgreSQL with Citus: we connect to the coordinator, and each shelf is stored as a whole on one of its workers.

The schemas of a shelf and of its views are distributed schemas; everything else stays on the coordinator. The service
checks the settings and triggers of every node that stores rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier, Literal

from ledger.errors import Fault
from ledger.events.guard import GUARD, make_body_condition

TRIGGERS = "citus.enable_unsafe_triggers"


def has_citus(connection: psycopg.Connection[Any]) -> bool:
    """Return whether the database has Citus."""
    return bool(_select_rows(connection, "SELECT 1 FROM pg_extension WHERE extname = 'citus'"))


# --- installation, as the owner ---


def allow_triggers(connection: psycopg.Connection[Any]) -> None:
    """Allow the record's triggers on distributed tables of the database, from the next connection on.

    Raise Fault if this login may not do so. The message has the statement that the owner must run.
    """
    ((triggers_value, database_name),) = _select_rows(
        connection, f"SELECT current_setting('{TRIGGERS}', true), current_database()"
    )
    if triggers_value == "on":
        return
    statement = SQL("ALTER DATABASE {} SET citus.enable_unsafe_triggers = on").format(Identifier(database_name))
    try:
        connection.execute(statement)
    except psycopg.errors.InsufficientPrivilege as problem:
        reason = f"Triggers keep the record append-only, and Citus allows them only if {TRIGGERS} is on."
        sql = statement.as_string(connection)
        raise Fault(f"{reason} The owner of the database must run: {sql}", code="triggers-not-allowed") from problem


def distribute_schemas(connection: psycopg.Connection[Any], schemas: Sequence[str]) -> None:
    """Move each schema as a whole onto a worker, unless it is already on one.

    `connection`: the owner's connection to the coordinator, in autocommit mode.
    """
    rows = _select_rows(connection, "SELECT nspname FROM pg_dist_schema JOIN pg_namespace ON oid = schemaid")
    distributed_schemas = {name for (name,) in rows}
    for schema in schemas:
        if schema not in distributed_schemas:
            name = Identifier(schema).as_string(None)
            _select_rows(connection, "SELECT citus_schema_distribute(%s::regnamespace)::text", name)


def create_guards(connection: psycopg.Connection[Any], schemas: Sequence[str], table: str = "ledger_events") -> None:
    """Create the record's triggers on shards that lack them. Citus creates triggers for TRUNCATE only when it moves a
    shard.
    """
    for schema in sorted({shard.schema for shard in inspect_nodes(connection, schemas, table).unguarded}):
        function_name = SQL("{}.append_only()").format(Identifier(schema)).as_string(None)
        table_name = SQL("{}.{}").format(Identifier(schema), Identifier(table)).as_string(None)
        for command in GUARDING:
            query = "SELECT success, result FROM run_command_on_shards(%s::regclass, %s)"
            for success, result in _select_rows(
                connection, query, table_name, command.replace("FUNCTION", f"FUNCTION {function_name}")
            ):
                if not success:
                    raise Fault(f"The record of {schema} can't be protected: {result}", code="unguarded-shard")


#: Citus fills in the shard for `%s`.
GUARDING = (
    "CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION",
    "CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION",
    "ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only",
    "ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only_truncate",
)


# --- checks, as the service ---


@dataclass(frozen=True, slots=True)
class Shard:
    """The table with a schema's events, and the number of its node."""

    schema: str
    name: str
    node: int


@dataclass(slots=True)
class Inspection:
    """The result of an inspection. `unguarded`: the shards whose events can be changed. `away`: the number of nodes
    that do not answer.
    """

    problems: list[str] = field(default_factory=list)
    unguarded: list[Shard] = field(default_factory=list)
    away: int = 0


def inspect_nodes(
    connection: psycopg.Connection[Any], schemas: Sequence[str], table: str = "ledger_events"
) -> Inspection:
    """Inspect every node, with the caller's rights. Nodes that do not answer are only counted."""
    inspection = Inspection()
    ((triggers_value,),) = _select_rows(connection, f"SELECT current_setting('{TRIGGERS}', true)")
    if triggers_value != "on":
        inspection.problems.append(
            f"{TRIGGERS} is off: Citus could not move the record together with its triggers (campaign-ledger migrate)"
        )
    addresses = {id: f"{name}:{port}" for id, name, port in _select_rows(connection, NODES)}
    guarded_by_node: dict[int, set[str]] = {}
    for id, success, result in _select_rows(connection, "SELECT * FROM run_command_on_all_nodes(%s)", SAYS):
        if not success:
            inspection.away += 1
            continue
        answer = json.loads(result)
        guarded_by_node[id] = set(answer["guarded"])
        for setting in SETTINGS:
            if answer[setting] == "off":
                problem = (
                    f"{setting} is off on {addresses.get(id, 'the coordinator')}: a crash would lose answered rulings"
                )
                inspection.problems.append(problem)
    shards = [Shard(*row) for row in _select_rows(connection, SHARDS, table, list(schemas))]
    inspection.unguarded = [
        shard for shard in shards if shard.node in guarded_by_node and shard.name not in guarded_by_node[shard.node]
    ]
    for shard in inspection.unguarded:
        problem = "lacks the triggers that keep the record append-only (campaign-ledger migrate)"
        inspection.problems.append(f"the shard {shard.name} on {addresses[shard.node]} {problem}")
    return inspection


SETTINGS = ("fsync", "synchronous_commit")
NODES = "SELECT nodeid, nodename, nodeport FROM pg_dist_node"
SHARDS = """
SELECT n.nspname, shard_name(c.oid, h.shardid), d.nodeid
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_dist_shard h ON h.logicalrelid = c.oid
  JOIN pg_dist_placement p ON p.shardid = h.shardid JOIN pg_dist_node d ON d.groupid = p.groupid
 WHERE c.relname = %s AND n.nspname = ANY(%s) ORDER BY 1
"""
#: Asks a node for its settings, and for the tables that have both of the record's triggers, unmodified.
SAYS = f"""
SELECT json_build_object('fsync', current_setting('fsync'), 'synchronous_commit', current_setting('synchronous_commit'),
  'guarded', ARRAY(SELECT t.tgrelid::regclass::text FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE t.tgenabled = 'A' AND t.tgqual IS NULL AND t.tgattr::text = '' AND t.tgtype IN (27, 34)
      AND {make_body_condition("p.prosrc", Literal(GUARD).as_string(None))}
    GROUP BY t.tgrelid HAVING count(DISTINCT t.tgtype) = 2))
"""


def _select_rows(connection: psycopg.Connection[Any], query: str, *parameters: object) -> list[tuple[Any, ...]]:
    with connection.cursor(row_factory=tuple_row) as cursor:
        return cursor.execute(query.encode(), parameters).fetchall()
