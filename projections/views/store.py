"""The storage of views: their schema, their tables, and their place in the record (the library's tracking)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing.persistence import OperationalError, Tracking
from eventsourcing.postgres import PostgresDatastore, PostgresTrackingRecorder
from psycopg.rows import TupleRow, tuple_row
from psycopg.sql import SQL, Identifier

from ledger.events.lines import make_idle_limit
from ledger.events.statements import split_statements
from projections.views.balances import Balances
from projections.views.campaigns import Campaigns
from projections.views.rulings import Rulings
from projections.views.saves import Stop
from projections.views.seal import Seals
from projections.views.sheets import Sheets
from projections.views.timeline import Timeline
from projections.views.view import View, compute_code_version, make_storable

VIEWS: tuple[type[View], ...] = (Campaigns, Timeline, Rulings, Balances, Sheets, Seals)
#: The name under which the library tracks the place in the record.
FOLLOWING = "Ledger"
CHANNEL = "ledger_views"
#: Campaigns whose views have stopped, because an event is invalid. A newer version may read this event when it rebuilds
#: the views.
STOPPED = b"""CREATE TABLE IF NOT EXISTS stopped (
    campaign text COLLATE "C" PRIMARY KEY,
    code text NOT NULL,
    detail text NOT NULL,
    at timestamptz NOT NULL DEFAULT now())"""

#: A campaign that stopped in one view has stopped in all.
CARRY_ON = "INSERT INTO {here}.stopped SELECT * FROM {there}.stopped ON CONFLICT DO NOTHING"


class Tables(PostgresTrackingRecorder):
    """A set of views in one schema, all at the same place in the record, with the versions of their forms.

    `datastore`: its schema is that of the views, and its login may create tables there. `durable`: whether a commit
    waits for the disk. If not, a crash of the server loses the last commits, and the views continue from there.
    """

    def __init__(
        self,
        datastore: PostgresDatastore,
        *,
        durable: bool = True,
        tracking_table_name: str = "tracking",
        **options: object,
    ) -> None:
        super().__init__(datastore, tracking_table_name=tracking_table_name, **options)
        self._durable = durable
        self.schema = datastore.schema

    @contextmanager
    def open_transaction(
        self, idle_seconds: int | None = None, *first_statements: str
    ) -> Iterator[psycopg.Cursor[TupleRow]]:
        """Begin a transaction with this schema as the default for table names. `idle_seconds`: how long it may wait
        between two statements, if not the usual time. `first_statements`: sent together with the statements that begin
        the transaction.
        """
        statements = [f"SET LOCAL search_path TO {Identifier(self.schema).as_string(None)}"]
        if idle_seconds is not None:
            statements.append(make_idle_limit(idle_seconds))
        if not self._durable:
            statements.append("SET LOCAL synchronous_commit TO off")
        with (
            self.datastore.get_connection() as conn,
            conn.transaction(),
            conn.cursor(row_factory=tuple_row) as cursor,
        ):
            cursor.execute("; ".join([*statements, *first_statements]).encode(), prepare=False)
            yield cursor

    def ensure_base_tables(self) -> None:
        """Make the tables for tracking, for the views' forms and for stopped campaigns, if there are none yet."""
        self.tracking_table_exists = (
            False  # the library assumes that a table exists that `drop_tables` or `take_over` has dropped since
        )
        self.tracking_migration_previous = self.tracking_migration_current = None
        self.create_table()
        with self.open_transaction() as cursor:
            cursor.execute(b"CREATE TABLE IF NOT EXISTS forms (view text PRIMARY KEY, version integer NOT NULL)")
            cursor.execute(STOPPED)
            cursor.execute(b"GRANT SELECT ON forms, tracking, stopped TO PUBLIC")

    def has_tables(self) -> bool:
        """Return whether the tables of `ensure_base_tables` and of at least one view exist."""
        query = "SELECT count(to_regclass(name)) = 3 FROM unnest(ARRAY['forms', 'tracking', 'stopped']) AS name"
        with self.open_transaction() as cursor:
            (have_all,) = cursor.execute(query.encode()).fetchone() or (False,)
        return bool(have_all and self.load_forms())

    def load_forms(self) -> dict[str, int]:
        """Return the version of each existing view's form."""
        with self.open_transaction() as cursor:
            return dict(cursor.execute(b"SELECT view, version FROM forms").fetchall())

    def create_tables(self, view_classes: Sequence[type[View]], *, with_all_indexes: bool = True) -> None:
        """Create empty tables for the views, at the beginning of the record.

        `with_all_indexes`: whether to make the indexes that only readers need. It is faster to add them with
        `add_indexes` after the rows.
        """
        version = compute_code_version()  # this loads the games, which must not happen within a transaction
        with self.open_transaction() as cursor:
            for view_class in view_classes:
                for table, definition in view_class.tables.items():
                    columns, _, _ = definition.partition(";")
                    cursor.execute(f"CREATE TABLE {table} ({columns}\n)".encode())
                    for index in _list_indexes(view_class, table):
                        if with_all_indexes or _is_built_with(view_class, index):
                            cursor.execute(index.encode(), prepare=True)
                    cursor.execute(f"GRANT SELECT ON {table} TO PUBLIC".encode())
                cursor.execute(b"INSERT INTO forms VALUES (%s, %s)", (view_class.name, version))

    def add_indexes(self, view_classes: Sequence[type[View]]) -> None:
        """Make the indexes that were left out."""
        for view_class in view_classes:
            for table in view_class.tables:
                indexes = _list_indexes(view_class, table)
                with self.open_transaction() as cursor:
                    query = b"SELECT count(*) FROM pg_indexes WHERE schemaname = %s AND tablename = %s"
                    ((index_count,),) = cursor.execute(query, (self.schema, table)).fetchall()
                    if index_count < 1 + len(indexes):  # the key is an index, too
                        for index in indexes:
                            if not _is_built_with(view_class, index):
                                cursor.execute(index.encode())

    def analyze_tables(self) -> None:
        """Collect statistics for the planner. Without them, the planner would read whole tables for a page."""
        with self.open_transaction() as cursor:
            for table in self._list_tables(cursor):
                cursor.execute(SQL("ANALYZE {}").format(Identifier(table)))

    def drop_tables(self) -> None:
        """Drop all tables."""
        with self.open_transaction() as cursor:
            for table in self._list_tables(cursor):
                cursor.execute(SQL("DROP TABLE {}").format(Identifier(table)))

    def _list_tables(self, cursor: psycopg.Cursor[TupleRow]) -> list[str]:
        rows = cursor.execute(b"SELECT tablename FROM pg_tables WHERE schemaname = %s", (self.schema,))
        return [table for (table,) in rows.fetchall()]

    def take_over(self, view_classes: Sequence[type[View]], other_tables: Tables) -> bool:
        """Replace our tables of these views with the other set's, in one transaction. Drop the rest of that set.

        Return False without changing anything if a long transaction is reading our tables, because new readers would
        have to wait, too.
        """
        try:
            with self.open_transaction() as cursor:
                cursor.execute(b"SET LOCAL lock_timeout TO '1s'")
                # this table is locked first, because every document reads it first
                cursor.execute(b"LOCK TABLE forms IN ACCESS EXCLUSIVE MODE")
                self._take_over(cursor, view_classes, other_tables)
        except OperationalError as problem:
            if isinstance(problem.__cause__, psycopg.errors.LockNotAvailable):
                return False
            raise
        return True

    def _take_over(
        self, cursor: psycopg.Cursor[TupleRow], view_classes: Sequence[type[View]], other_tables: Tables
    ) -> None:
        own_tables = self._list_tables(cursor)
        for table in (table for view_class in view_classes for table in view_class.tables):
            names = {
                "table": Identifier(table),
                "here": Identifier(self.schema),
                "there": Identifier(other_tables.schema),
            }
            if table in own_tables:
                cursor.execute(SQL("DROP TABLE {here}.{table}").format(**names))
            cursor.execute(SQL("ALTER TABLE {there}.{table} SET SCHEMA {here}").format(**names))
        for view_class in view_classes:
            cursor.execute(
                b"INSERT INTO forms VALUES (%s, %s) ON CONFLICT (view) DO UPDATE SET version = excluded.version",
                (view_class.name, compute_code_version()),
            )
        names = {"here": Identifier(self.schema), "there": Identifier(other_tables.schema)}
        if set(view_classes) == set(VIEWS):
            cursor.execute(b"DELETE FROM stopped")
        cursor.execute(SQL(CARRY_ON).format(**names))
        for table in other_tables._list_tables(cursor):
            cursor.execute(SQL("DROP TABLE {}.{}").format(Identifier(other_tables.schema), Identifier(table)))

    def list_stopped_campaigns(self) -> set[str]:
        """Return the campaigns whose views have stopped."""
        with self.open_transaction() as cursor:
            return {campaign for (campaign,) in cursor.execute(b"SELECT campaign FROM stopped")}

    def note_stops(self, cursor: psycopg.Cursor[TupleRow], stops: Iterable[Stop]) -> None:
        """Note stopped campaigns, in the transaction that writes the rows."""
        for stop in stops:
            values = (stop.campaign, stop.code, make_storable(stop.detail))
            cursor.execute(b"INSERT INTO stopped (campaign, code, detail) VALUES (%s, %s, %s)", values)

    def find_positions(self, campaigns: Sequence[str]) -> dict[str, int]:
        """Return each campaign's position here; 0 for a campaign that is not kept yet."""
        query = b"SELECT campaign, position FROM campaigns WHERE campaign = ANY(%s)"
        with self.open_transaction() as cursor:
            return dict.fromkeys(campaigns, 0) | dict(cursor.execute(query, (list(campaigns),)).fetchall())

    def find_reached_id(self) -> int:
        """Return the id of the last notification processed, or 0 at the beginning."""
        return self.max_tracking_id(FOLLOWING) or 0

    def note_reached_id(self, cursor: psycopg.Cursor[Any], reached_id: int) -> None:
        """Note the place, in the transaction that writes the rows. Raise IntegrityError if another process got
        further.
        """
        self._insert_tracking(cursor, Tracking(FOLLOWING, reached_id))


def _list_indexes(view_class: type[View], table: str) -> list[str]:
    return list(split_statements(view_class.tables[table].partition(";")[2].format(table=table)))


def _is_built_with(view_class: type[View], index: str) -> bool:
    return any(index.endswith(columns) for columns in view_class.built_with)
