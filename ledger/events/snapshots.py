"""The table of snapshots: of each campaign the latest, beside the record. No journal names it and no seal covers it."""

from __future__ import annotations

from typing import NamedTuple

from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier


class Stored(NamedTuple):
    """`position`: of the journal's latest entry that it knows. `state`: as it was sealed."""

    position: int
    state: bytes


class SnapshotStore:
    """Of one schema. Raises the library's errors when the database is away."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        table = Identifier(datastore.schema, "snapshots")
        self._select = SQL("SELECT position, state FROM {} WHERE campaign = %s").format(table).as_bytes(None)
        self._keep = (
            SQL(
                "INSERT INTO {table} AS there (campaign, position, state) VALUES (%s, %s, %s)"
                " ON CONFLICT (campaign) DO UPDATE SET position = EXCLUDED.position, state = EXCLUDED.state"
                " WHERE there.position < EXCLUDED.position"
            )
            .format(table=table)
            .as_bytes(None)
        )
        self._drop = SQL("DELETE FROM {} WHERE campaign = %s").format(table).as_bytes(None)

    def of(self, campaign: str) -> Stored | None:
        with self._datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute(self._select, (campaign,), prepare=True, binary=True).fetchone()
            return Stored(row[0], row[1]) if row is not None else None

    def keep(self, campaign: str, snapshot: Stored) -> None:
        """In place of an earlier one; a later one stays."""
        with self._datastore.get_connection() as connection:
            connection.execute(self._keep, (campaign, *snapshot), prepare=True)

    def drop(self, campaign: str) -> None:
        with self._datastore.get_connection() as connection:
            connection.execute(self._drop, (campaign,))
