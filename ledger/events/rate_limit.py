"""Permits to ask for something: a bucket for each holder that refills steadily, shared by all processes of the service.

A row says when the bucket will be whole again; a bucket that is whole has no row, or one that means nothing any more.
"""

from __future__ import annotations

from dataclasses import dataclass

from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.events.shelves import common_of

PATIENCE = 0.5  # seconds for a connection: whoever is to be limited waits longer for the ledger itself


@dataclass(frozen=True, slots=True)
class Grant:
    """`count`: how many were granted. `missing`: seconds until the bucket is whole again."""

    count: int
    missing: float


class Permits:
    """Raises psycopg's errors when the database is away, or not migrated."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        table = SQL("{}.permits").format(Identifier(common_of(datastore.schema)))
        self._take = SQL(_TAKE).format(table=table).as_bytes(None)
        self._clear = SQL("DELETE FROM {table} WHERE whole_at < now()").format(table=table).as_bytes(None)

    def take(self, holder: str, wanted: int, most: int, seconds: int) -> Grant:
        """Take as many of the wanted as are left of `most`, which come back steadily over `seconds`."""
        given = {"holder": holder, "wanted": min(wanted, most), "step": seconds / most, "seconds": float(seconds)}
        self._datastore.pool.open()
        with (
            self._datastore.pool.connection(PATIENCE) as connection,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            row = cursor.execute(self._take, given, prepare=True).fetchone()
        assert row is not None
        return Grant(row[0], row[1])

    def clear(self) -> None:
        """Forget the buckets that are whole."""
        with self._datastore.pool.connection(PATIENCE) as connection:
            connection.execute(self._clear)


_LEFT = "floor((%(seconds)s - greatest(extract(epoch FROM p.whole_at - now())::float8, 0)) / %(step)s + 1e-6)::int"
_COUNT = f"greatest(least(%(wanted)s, {_LEFT}), 0)"
_TAKE = f"""
INSERT INTO {{table}} AS p (holder, whole_at, granted)
VALUES (%(holder)s, now() + make_interval(secs => %(wanted)s * %(step)s), %(wanted)s)
ON CONFLICT (holder) DO UPDATE
   SET granted = {_COUNT}, whole_at = greatest(p.whole_at, now()) + make_interval(secs => {_COUNT} * %(step)s)
RETURNING granted, greatest(extract(epoch FROM whole_at - now())::float8, 0)
"""
