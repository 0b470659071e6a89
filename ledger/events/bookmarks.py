"""The table of private bookmarks. It is not part of the record: no journal names the bookmarks, and no seal covers
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import TupleRow, tuple_row
from psycopg.sql import SQL, Identifier

MOST = 300  # the most private bookmarks of one seat
REMEMBERED = 100  # removed bookmarks that are kept for a seat, so that a repeated request does not add them again


@dataclass(frozen=True, slots=True)
class OwnBookmark:
    """A row of the table. `request`: the digest of the request that added the bookmark. `at`: formatted as in the
    record.
    """

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
    """The private bookmarks of one schema. Methods raise the library's errors if the database does not answer."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._names = {
            "bookmarks": Identifier(datastore.schema, "bookmarks"),
            "columns": SQL(", ").join(map(Identifier, COLUMNS)),
        }
        self._lock_prefix = f"{datastore.schema} bookmarks "

    @contextmanager
    def _open_cursor(self) -> Iterator[psycopg.Cursor[TupleRow]]:
        """Yield a cursor. Each statement is its own transaction, except in `add`."""
        with self._datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            yield cursor

    def _run_query(
        self, cursor: psycopg.Cursor[TupleRow], query: str, values: Mapping[str, object]
    ) -> list[OwnBookmark]:
        cursor.execute(SQL(query).format(**self._names), values)
        return [_make_bookmark(row) for row in cursor.fetchall()] if cursor.description is not None else []

    def list_of_seat(self, campaign: str, seat: str) -> list[OwnBookmark]:
        """Return the private bookmarks of a seat, the oldest first."""
        with self._open_cursor() as cursor:
            return self._run_query(cursor, OF_SEAT, {"campaign": campaign, "seat": seat})

    def add(self, bookmark: OwnBookmark) -> OwnBookmark | None:
        """Add the bookmark and return it. If a bookmark with this id is already stored, return that bookmark, even if
        it was removed. Return None if the seat has too many bookmarks.
        """
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
        """Remove a bookmark and return it. Return None if the seat never had a bookmark with this id."""
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
