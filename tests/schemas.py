"""A ledger in schemas of its own on the tests' server, made anew."""

from __future__ import annotations

import psycopg
from psycopg.sql import SQL, Identifier

from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE, Role, name_next_schema, name_views_schema
from ledger.events.migration import migrate
from ledger.events.shelves import name_common_schema, name_schemas

PASSWORD = "for-tests"
MOST = 4  # shelves of any ledger here


def drop(owner_url: str, schema: str) -> None:
    """Whatever is there of a ledger."""
    stands = [
        name for one in name_schemas(schema, MOST) for name in (one, name_views_schema(one), name_next_schema(one))
    ]
    named = SQL(", ").join(map(Identifier, (*stands, name_common_schema(schema))))
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(named))


def made_anew(owner_url: str, schema: str, shelves: int = 1) -> None:
    """Whatever was there is gone."""
    drop(owner_url, schema)
    projector = Role(PROJECTOR_ROLE, PASSWORD)
    migrate(owner_url, schema=schema, password=PASSWORD, projector=projector, shelf_count=shelves)


def as_version_9(schema: str) -> str:
    """SQL: a shelf with the rights and the function of version 0009, whose service gave events their ids itself."""
    columns = "originator_id, originator_version, topic, state, notification_id"
    return f"""
        UPDATE {schema}.alembic_version SET version_num = '0009';
        ALTER FUNCTION {schema}.append(text[], bigint[], text[], bytea[]) SECURITY INVOKER RESET search_path;
        DROP FUNCTION {schema}.append_with_invite;
        DROP TABLE {schema}.hooks_of_before;
        ALTER TABLE {schema}.invites DROP COLUMN signature;
        ALTER TABLE {schema}.hooks DROP COLUMN signature;
        GRANT INSERT ({columns}) ON {schema}.ledger_events TO {SERVICE_ROLE};
        GRANT UPDATE (last) ON {schema}.counter TO {SERVICE_ROLE}"""
