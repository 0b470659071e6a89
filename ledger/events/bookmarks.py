"""The table of the bookmarks that seats keep for themselves, beside the record: in no journal and under no seal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import TupleRow, tuple_row
from psycopg.sql import SQL, Identifier

MOST = 300  # of one seat
REMEMBERED = 100  # removed ones of a seat, so that a repeated request makes none of them anew


@dataclass(frozen=True, slots=True)
class OwnBookmark:
    """A row. `request`: the digest of the request that made it. `at`: as the record writes times."""

    id: str
    campaign: str
    seat: str
    ruling: int
    note: str
    at: str
    request: str
    removed: bool = False


COLUMNS = [field.name for field in fields(OwnBookmark)]


class BookmarkStore:
    """Of one schema. Raises the library's errors when the database is away."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._names = {
            "bookmarks": Identifier(datastore.schema, "bookmarks"),
            "columns": SQL(", ").join(map(Identifier, COLUMNS)),
        }
        self._lock_prefix = f"{datastore.schema} bookmarks "

    @contextmanager
    def _open_cursor(self) -> Iterator[psycopg.Cursor[TupleRow]]:
        """A statement is a transaction, unless `add` opens one."""
        with self._datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            yield cursor

    def _run_query(
        self, cursor: psycopg.Cursor[TupleRow], query: str, values: Mapping[str, object]
    ) -> list[OwnBookmark]:
        cursor.execute(SQL(query).format(**self._names), values)
        return [_make_bookmark(row) for row in cursor.fetchall()] if cursor.description is not None else []

    def list_of_seat(self, campaign: str, seat: str) -> list[OwnBookmark]:
        """Return those that a seat keeps, the oldest first."""
        with self._open_cursor() as cursor:
            return self._run_query(cursor, OF_SEAT, {"campaign": campaign, "seat": seat})

    def add(self, bookmark: OwnBookmark) -> OwnBookmark | None:
        """Add a bookmark; return the one under its id: this one, or the first, even if removed. None: too many."""
        values = {name: getattr(bookmark, name) for name in COLUMNS}
        with self._open_cursor() as cursor, cursor.connection.transaction():
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtext(%s))",
                (f"{self._lock_prefix}{bookmark.campaign} {bookmark.seat}",),
            )
            existing_bookmarks = self._run_query(cursor, f"{ALL} WHERE id = %(id)s", values)
            if existing_bookmarks:
                return existing_bookmarks[0]
            if len(self._run_query(cursor, OF_SEAT, values)) >= MOST:
                return None
            self._run_query(cursor, FORGET, values | {"kept": REMEMBERED})
            placeholders = ", ".join(f"%({name})s" for name in COLUMNS)
            self._run_query(cursor, f"INSERT INTO {{bookmarks}} ({{columns}}) VALUES ({placeholders})", values)
            return bookmark

    def remove(self, campaign: str, seat: str, id: str) -> OwnBookmark | None:
        """Remove a bookmark and return it, however often; None if the seat kept none under the id."""
        values = {"campaign": campaign, "seat": seat, "id": id}
        with self._open_cursor() as cursor:
            return next(iter(self._run_query(cursor, REMOVE, values)), None)


ALL = "SELECT {columns} FROM {bookmarks}"
OF_SEAT = f"{ALL} WHERE campaign = %(campaign)s AND seat = %(seat)s AND NOT removed ORDER BY at, id"
REMOVE = """UPDATE {bookmarks} SET removed = true
    WHERE campaign = %(campaign)s AND seat = %(seat)s AND id = %(id)s RETURNING {columns}"""
FORGET = """DELETE FROM {bookmarks} WHERE campaign = %(campaign)s AND seat = %(seat)s AND removed AND id NOT IN (
    SELECT id FROM {bookmarks} WHERE campaign = %(campaign)s AND seat = %(seat)s AND removed
    ORDER BY at DESC LIMIT %(kept)s)"""


def _make_bookmark(row: tuple[Any, ...]) -> OwnBookmark:
    return OwnBookmark(*row)
