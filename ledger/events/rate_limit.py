"""Rate limits: one bucket for each holder, refilled steadily, shared by all processes of the service.

A row says when the bucket will be full again. A full bucket has no row, or an outdated one.
"""

from __future__ import annotations

from dataclasses import dataclass

from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.events.shelves import name_common_schema

PATIENCE = 0.5  # seconds to wait for a connection


@dataclass(frozen=True, slots=True)
class Grant:
    """The answer to a request for permits. `count`: how many were granted. `missing`: seconds until the bucket is full
    again.
    """

    count: int
    missing: float


class Permits:
    """The buckets of permits. Methods raise psycopg's errors if the database does not answer, or is not migrated."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        table = SQL("{}.permits").format(Identifier(name_common_schema(datastore.schema)))
        self._take_statement = SQL(_TAKE).format(table=table).as_bytes(None)
        self._clear_statement = SQL("DELETE FROM {table} WHERE whole_at < now()").format(table=table).as_bytes(None)

    def take_permits(self, holder: str, wanted_count: int, capacity: int, seconds: int) -> Grant:
        """Take the wanted number of permits, or as many as are left. A full bucket has `capacity` permits, and an empty
        one is full again after `seconds`.
        """
        parameters = {
            "holder": holder,
            "wanted": min(wanted_count, capacity),
            "step": seconds / capacity,
            "seconds": float(seconds),
        }
        self._datastore.pool.open()
        with (
            self._datastore.pool.connection(PATIENCE) as connection,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            row = cursor.execute(self._take_statement, parameters, prepare=True).fetchone()
        assert row is not None
        return Grant(row[0], row[1])

    def delete_full_buckets(self) -> None:
        """Delete the rows of full buckets."""
        with self._datastore.pool.connection(PATIENCE) as connection:
            connection.execute(self._clear_statement)


_LEFT = "floor((%(seconds)s - greatest(extract(epoch FROM p.whole_at - now())::float8, 0)) / %(step)s + 1e-6)::int"
_COUNT = f"greatest(least(%(wanted)s, {_LEFT}), 0)"
_TAKE = f"""
INSERT INTO {{table}} AS p (holder, whole_at, granted)
VALUES (%(holder)s, now() + make_interval(secs => %(wanted)s * %(step)s), %(wanted)s)
ON CONFLICT (holder) DO UPDATE
   SET granted = {_COUNT}, whole_at = greatest(p.whole_at, now()) + make_interval(secs => {_COUNT} * %(step)s)
RETURNING granted, greatest(extract(epoch FROM whole_at - now())::float8, 0)
"""
