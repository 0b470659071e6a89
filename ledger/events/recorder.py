"""The library's Postgres recorder, with an SQL function in place of its insert, and with reads by stream and by range.

The library's insert locks the table, needs UPDATE rights for that lock, and can hang on a few thousand events. `append`
locks the shelf's counter, takes ids from it and inserts in order.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import count
from struct import Struct
from typing import TypeAlias

import psycopg
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.adapt import Dumper
from psycopg.pq import Format, TransactionStatus
from psycopg.rows import DictRow, tuple_row
from psycopg.sql import SQL, Identifier

from ledger.events.invites import NotOpen, Use
from ledger.events.lines import LONG_IDLE, make_idle_limit
from ledger.events.read_transaction import ReadTransaction
from ledger.events.sealing import UNSEALED

Row: TypeAlias = tuple[str, int, str, bytes]
#: A row with its notification id in front.
Numbered: TypeAlias = tuple[int, str, int, str, bytes]
NO_END = 2**63 - 1
JOURNAL = "journal/journal"  # the stream with a campaign's journal entries, one for each save
#: Numbers for the names of cursors on the server, which must be unique within a transaction.
CURSORS = count()
TEXT, BIGINT, BYTEA = (psycopg.postgres.types[name].oid for name in ("text", "bigint", "bytea"))
SIZE = Struct("!i").pack
HEADER = Struct("!5i").pack
#: A save is stored as a whole and ends with its journal entry, so it begins after the previous entry.
SAVES = (
    "SELECT e.notification_id, e.originator_id, e.originator_version, e.topic, e.state"
    " FROM (SELECT entry.originator_version AS save, entry.notification_id AS last,"
    " (SELECT max(notification_id) FROM {schema}.{table} WHERE notification_id < entry.notification_id"
    " AND split_part(originator_id, '/', 2) = 'journal') AS before"
    " FROM {schema}.{table} AS entry WHERE entry.originator_id = %b"
    " AND entry.originator_version > %b AND entry.originator_version < %b) AS saves"
    " JOIN {schema}.{table} AS e"
    " ON e.notification_id > coalesce(saves.before, 0) AND e.notification_id <= saves.last"
    " AND split_part(e.originator_id, '/', 1) = %b AND split_part(e.originator_id, '/', 2) <> ALL (%b::text[])"
    " ORDER BY saves.save, e.notification_id"
)


class _Array(bytes):
    """A column in PostgreSQL's binary form, so that psycopg does not inspect every element."""


class _ArrayDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: _Array) -> _Array:
        return obj


psycopg.adapters.register_dumper(_Array, _ArrayDumper)


def _make_array(type_oid: int, values: Sequence[bytes]) -> _Array:
    """Return the values as a one-dimensional array. `type_oid`: the oid of the element type."""
    parts = [HEADER(1, 0, type_oid, len(values), 1)]
    for value in values:
        parts += (SIZE(len(value)), value)
    return _Array(b"".join(parts))


def is_version_taken(problem: IntegrityError) -> bool:
    """Return whether the error means that a version already exists. For a distributed table, only the error's text
    names the constraint.
    """
    cause = problem.__cause__
    constraint_text = isinstance(cause, psycopg.errors.UniqueViolation) and (cause.diag.constraint_name or str(cause))
    return "ledger_events_pkey" in (constraint_text or "")


def sort_by_save(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield one campaign's events save by save, in the journal's order. Events that belong to no entry come last.

    Before version 0011 of the schema, an event could be stored after the events of later saves.
    """
    expected_version, save, early_saves = 1, list[Row](), dict[int, list[Row]]()
    for row in rows:
        save.append(row)
        stream, version, _, _ = row
        if not stream.endswith(f"/{JOURNAL}"):
            continue
        early_saves[version], save = save, []
        while expected_version in early_saves:
            yield from early_saves.pop(expected_version)
            expected_version += 1
    for version in sorted(early_saves):
        yield from early_saves[version]
    yield from save


class LedgerRecorder(PostgresApplicationRecorder):
    """Reads and appends rows of (stream, version, topic, state). It never retries: only the caller knows whether that
    is safe.
    """

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._append_statement = self._make_statement("SELECT {schema}.append(%b, %b, %b, %b)")
        self._append_with_invite_statement = self._make_statement(
            "SELECT {schema}.append_with_invite(%s, %s, %s, %s, %s, %s, %b, %b, %b, %b)"
        )
        # OFFSET 0 makes PostgreSQL search once for each stream. A planner without statistics would read the whole table
        # instead.
        self._streams_statement = self._make_statement(
            "SELECT e.originator_id, e.originator_version, e.topic, e.state"
            " FROM unnest(%b::text[], %b::bigint[]) WITH ORDINALITY AS wanted(id, after, place)"
            " CROSS JOIN LATERAL (SELECT * FROM {schema}.{table}"
            ' WHERE originator_id = wanted.id COLLATE "C" AND originator_version > wanted.after OFFSET 0) AS e'
            " ORDER BY wanted.place, e.originator_version"
        )
        self._spans_statement = self._make_statement(
            "SELECT e.originator_id, e.originator_version, e.topic, e.state"
            " FROM unnest(%b::text[], %b::bigint[], %b::bigint[]) WITH ORDINALITY AS wanted(id, after, last, place)"
            " CROSS JOIN LATERAL (SELECT * FROM {schema}.{table}"
            ' WHERE originator_id = wanted.id COLLATE "C" AND originator_version > wanted.after'
            " AND originator_version <= wanted.last OFFSET 0) AS e"
            " ORDER BY wanted.place, e.originator_version"
        )
        # From PostgreSQL 15 on, these statistics are in shared memory. Earlier versions read a file every time.
        self._news_statement = self._make_statement(
            "SELECT id, version, topic, state FROM (SELECT 0 AS place, 0::bigint AS version, '' AS id,"
            " CASE WHEN current_setting('server_version_num')::int < 150000 THEN '0' ELSE"
            " (pg_stat_get_tuples_deleted(events) + pg_stat_get_tuples_updated(events))::text || ' ' ||"
            " pg_relation_filenode(events) END AS topic, ''::bytea AS state"
            " FROM (SELECT '{schema}.{table}'::regclass) AS the(events)"
            " UNION ALL SELECT wanted.place, e.originator_version, e.originator_id, e.topic, e.state"
            " FROM unnest(%b::text[], %b::bigint[]) WITH ORDINALITY AS wanted(id, after, place)"
            " CROSS JOIN LATERAL (SELECT * FROM {schema}.{table}"
            ' WHERE originator_id = wanted.id COLLATE "C" AND originator_version > wanted.after OFFSET 0) AS e'
            ") AS news ORDER BY place, version"
        )
        self._stream_statement = self._make_statement(
            "SELECT topic, state FROM {schema}.{table} WHERE originator_id = %b AND originator_version > %b"
            " ORDER BY originator_version"
        )
        self._latest_statement = self._make_statement(
            "SELECT coalesce(max(originator_version), 0) FROM {schema}.{table} WHERE originator_id = %b"
        )
        self._at_statement = self._make_statement(
            "SELECT e.originator_id, e.originator_version, e.topic, e.state"
            " FROM unnest(%b::text[], %b::bigint[]) WITH ORDINALITY AS wanted(id, version, place)"
            " JOIN {schema}.{table} AS e"
            ' ON e.originator_id = wanted.id COLLATE "C" AND e.originator_version = wanted.version'
            " ORDER BY wanted.place"
        )
        self._sealed_statement = self._make_statement(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM {schema}.{table}"
            " WHERE notification_id > %b AND notification_id <= %b"
            " AND split_part(originator_id, '/', 2) <> ALL (%b::text[]) ORDER BY notification_id LIMIT %b"
        )
        self._saves_statement = self._make_statement(SAVES)
        self._range_statement = self._make_statement(
            "SELECT originator_id, originator_version, topic, state FROM {schema}.{table}"
            ' WHERE originator_id >= %b COLLATE "C" AND originator_id < %b COLLATE "C" ORDER BY notification_id'
        )

        self._range_by_stream_statement = self._make_statement(
            "SELECT originator_id, originator_version, topic, state FROM {schema}.{table}"
            ' WHERE originator_id >= %b COLLATE "C" AND originator_id < %b COLLATE "C"'
            " ORDER BY originator_id, originator_version"
        )

    def _make_statement(self, text: str) -> bytes:
        """Return the statement for this schema and table."""
        schema, table = Identifier(self.datastore.schema), Identifier(self.events_table_name)
        return SQL(text).format(schema=schema, table=table).as_bytes(None)

    def bind_to(self, transaction: ReadTransaction) -> LedgerRecorder:
        """Return a recorder that reads its shelf as of the transaction's moment."""
        recorder = copy(self)
        recorder.datastore = transaction
        return recorder

    def append(self, rows: Sequence[Row], use: Use | None = None) -> list[int]:
        """Append all rows or none, in order. Return their notification ids. Raise IntegrityError if a version exists
        already.

        `use`: the use of an invite, which is stored together with the rows. If the invite is not open, raise NotOpen
        and store nothing.

        One statement is the whole transaction, so a stopped process or a lost host holds no lock.
        """
        streams, versions, topics, states = zip(*rows, strict=True)
        columns = (
            _make_array(TEXT, [stream.encode() for stream in streams]),
            _make_array(BIGINT, [version.to_bytes(8, "big") for version in versions]),
            _make_array(TEXT, [topic.encode() for topic in topics]),
            _make_array(BYTEA, states),
        )
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            if use is None:
                cursor.execute(self._append_statement, columns, prepare=True)
            else:
                use_values = (use.invite, use.at, use.key, use.seat, use.generation, use.signature)
                cursor.execute(self._append_with_invite_statement, (*use_values, *columns))
            ids = [row[0] for row in cursor.fetchall()]
        if use is not None and not ids:
            raise NotOpen
        return ids

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: object) -> Sequence[int] | None:
        """Append events. The library calls this method. See `append`."""
        return self.append(
            [(str(event.originator_id), event.originator_version, event.topic, event.state) for event in stored_events]
        )

    def select_streams(self, starts: Sequence[tuple[str, int]]) -> list[Row]:
        """Return the events of each stream after the given version, in the order of `starts`."""
        parameters = ([stream for stream, _ in starts], [after for _, after in starts])
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(self._streams_statement, parameters, prepare=True)
            rows: list[Row] = cursor.fetchall()
            return rows

    def select_spans(self, spans: Sequence[tuple[str, int, int]]) -> list[Row]:
        """Return the events of each stream after one version and up to another, in the order of `spans`."""
        parameters = tuple(map(list, zip(*spans, strict=True))) or ([], [], [])
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(self._spans_statement, parameters, prepare=True)
            rows: list[Row] = cursor.fetchall()
            return rows

    def select_news(self, starts: Sequence[tuple[str, int]]) -> tuple[str, list[Row]]:
        """Return a mark, and events as `select_streams` does. The mark changes whenever rows are removed or changed. It
        begins with a zero if this has never happened.
        """
        parameters = ([stream for stream, _ in starts], [after for _, after in starts])
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(self._news_statement, parameters, prepare=True)
            (_, _, mark, _), *rows = cursor.fetchall()
            return mark, rows

    def select_stream(self, stream: str, after: int = 0) -> list[tuple[str, bytes]]:
        """Return the topic and state of each event of the stream after the given version, in order. Versions have no
        gaps.
        """
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(self._stream_statement, (stream, after), prepare=True)
            rows: list[tuple[str, bytes]] = cursor.fetchall()
            return rows

    def select_latest_version(self, stream: str) -> int:
        """Return the version of the stream's last event, or 0 if there is none."""
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            ((version,),) = cursor.execute(self._latest_statement, (stream,), prepare=True).fetchall()
            return int(version)

    def select_at(self, addresses: Sequence[tuple[str, int]]) -> list[Row]:
        """Return the events at these places, in the given order."""
        parameters = ([stream for stream, _ in addresses], [version for _, version in addresses])
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(self._at_statement, parameters, prepare=True)
            rows: list[Row] = cursor.fetchall()
            return rows

    def select_sealed(self, after: int, limit: int, stop: int | None = None) -> list[Numbered]:
        """Return the next sealed events of all campaigns, in stored order, up to the id `stop`."""
        parameters = (after, NO_END if stop is None else stop, [*UNSEALED], limit)
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(self._sealed_statement, parameters, prepare=True)
            rows: list[Numbered] = cursor.fetchall()
            return rows

    def select_saves(self, campaign: str, after: int, before: int) -> list[Numbered]:
        """Return the sealed events of the campaign's saves between two positions, save by save."""
        parameters = (f"{campaign}/{JOURNAL}", after, before, campaign, [*UNSEALED])
        with self.datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(self._saves_statement, parameters, prepare=True)
            rows: list[Numbered] = cursor.fetchall()
            return rows

    def select_range(self, first: str, end: str, chunk: int = 5000) -> Generator[Row]:
        """Yield events of all streams from `first` up to but not including `end`, in stored order, as one snapshot."""
        yield from sort_by_save(self._stream_rows(self._range_statement, first, end, chunk))

    def select_range_by_stream(self, first: str, end: str, chunk: int = 5000) -> Generator[Row]:
        """Yield events as `select_range` does, but stream by stream."""
        return self._stream_rows(self._range_by_stream_statement, first, end, chunk)

    def _stream_rows(self, query: bytes, first: str, end: str, chunk: int) -> Generator[Row]:
        """Yield rows through a cursor on the server."""
        cursor_name = f"range_{next(CURSORS)}".encode()
        with (
            self.datastore.get_connection() as conn,
            _open_transaction(conn),
            conn.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            cursor.execute(b"DECLARE %b CURSOR FOR %b" % (cursor_name, query), (first, end), prepare=False)
            while rows := cursor.execute(b"FETCH FORWARD %d FROM %b" % (chunk, cursor_name), prepare=False).fetchall():
                yield from rows
            cursor.execute(b"CLOSE %b" % cursor_name)


@contextmanager
def _open_transaction(conn: psycopg.Connection[DictRow]) -> Iterator[None]:
    """Use the open transaction, or open one with a long limit between two statements."""
    if conn.info.transaction_status != TransactionStatus.IDLE:
        yield
        return
    with conn.transaction():
        conn.execute(make_idle_limit(LONG_IDLE).encode())
        yield
