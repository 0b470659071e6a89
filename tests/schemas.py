"""A ledger in schemas of its own on the tests' server, made anew."""

from __future__ import annotations

import psycopg
from psycopg.sql import SQL, Identifier

from ledger.events.database_check import PROJECTOR_ROLE, Role, next_of, views_of
from ledger.events.migration import migrate
from ledger.events.shelves import common_of, schemas_of

PASSWORD = "for-tests"
MOST = 4  # shelves of any ledger here


def drop(owner_url: str, schema: str) -> None:
    """Whatever is there of a ledger."""
    stands = [name for one in schemas_of(schema, MOST) for name in (one, views_of(one), next_of(one))]
    named = SQL(", ").join(map(Identifier, (*stands, common_of(schema))))
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(named))


def made_anew(owner_url: str, schema: str, shelves: int = 1) -> None:
    """Whatever was there is gone."""
    drop(owner_url, schema)
    projector = Role(PROJECTOR_ROLE, PASSWORD)
    migrate(owner_url, schema=schema, password=PASSWORD, projector=projector, shelves=shelves)
