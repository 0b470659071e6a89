"""The table of snapshots, with the latest snapshot of each campaign. They are not part of the record: no journal names
them, and no seal covers them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.events.shelves import Shelves


class Stored(NamedTuple):
    """A stored snapshot. `position`: the position of its latest journal entry. `state`: the signed bytes."""

    position: int
    state: bytes


SELECT = "SELECT position, state FROM {} WHERE campaign = %s"
KEEP = """INSERT INTO {} AS there (campaign, position, state) VALUES (%s, %s, %s)
    ON CONFLICT (campaign) DO UPDATE SET position = EXCLUDED.position, state = EXCLUDED.state
    WHERE there.position < EXCLUDED.position"""
DROP = "DELETE FROM {} WHERE campaign = %s"


class SnapshotStore:
    """The snapshots of all shelves. Raises the library's errors if the database does not answer."""

    def __init__(self, shelves: Shelves) -> None:
        self._shelves = shelves

    def load(self, campaign: str) -> Stored | None:
        shelf = self._shelves.get_shelf_of(campaign)
        with shelf.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute(
                _fill_in_schema(SELECT, shelf.schema), (campaign,), prepare=True, binary=True
            ).fetchone()
            return Stored(row[0], row[1]) if row is not None else None

    def keep(self, campaign: str, snapshot: Stored) -> None:
        """Store a snapshot in place of an earlier one, unless the stored snapshot is later."""
        shelf = self._shelves.get_shelf_of(campaign)
        with shelf.get_connection() as connection:
            connection.execute(_fill_in_schema(KEEP, shelf.schema), (campaign, *snapshot), prepare=True)

    def drop(self, campaign: str) -> None:
        shelf = self._shelves.get_shelf_of(campaign)
        with shelf.get_connection() as connection:
            connection.execute(_fill_in_schema(DROP, shelf.schema), (campaign,))


@cache
def _fill_in_schema(query: str, schema: str) -> bytes:
    return SQL(query).format(Identifier(schema, "snapshots")).as_bytes(None)
