"""A record changed behind the ledger's back: with the service's own login, which may only add, and with an owner's."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

Row = tuple[int, str, int, str, bytes]
COLUMNS = "notification_id, originator_id, originator_version, topic, state"


class Tampering:
    """One campaign's events in one schema. `url`: a login."""

    def __init__(self, url: str, schema: str, campaign: str) -> None:
        self.url = url
        self.schema = schema
        self.events = f"{schema}.ledger_events"
        self.campaign = campaign

    def rows(self) -> list[Row]:
        """In stored order."""
        with psycopg.connect(self.url) as connection:
            query = f"SELECT {COLUMNS} FROM {self.events} WHERE split_part(originator_id, '/', 1) = %s"
            return connection.execute(f"{query} ORDER BY notification_id".encode(), (self.campaign,)).fetchall()

    def stream(self, name: str) -> list[Row]:
        return [row for row in self.rows() if row[1] == f"{self.campaign}/{name}"]

    def add(self, name: str, version: int, topic: str, state: bytes) -> None:
        """As everybody may who has the service's password."""
        with psycopg.connect(self.url) as connection:
            query = f"SELECT {self.schema}.append(ARRAY[%s], ARRAY[%s::bigint], ARRAY[%s], ARRAY[%s::bytea])"
            connection.execute(query.encode(), (f"{self.campaign}/{name}", version, topic, state))

    def copy(self, name: str, version: int, to: str | None = None, **other: Any) -> int:
        """An event once more, at the end of its stream or of another; with other fields where some are given."""
        (_, _, _, topic, state) = self.stream(name)[version - 1]
        last = len(self.stream(to or name)) + 1
        told = json.dumps({**json.loads(state), **other}, separators=(",", ":")).encode() if other else state
        self.add(to or name, last, topic, told)
        return last

    @contextmanager
    def altered(self, rows: Sequence[Row]) -> Iterator[None]:
        """These rows instead of those of the campaign, as only an owner can; put back at the end."""
        before = self.rows()
        self.put(rows)
        try:
            yield
        finally:
            self.put(before)

    def put(self, rows: Sequence[Row]) -> None:
        taken = self._taken()
        self._put(rows)
        deadline = time.monotonic() + 30
        while self._taken() == taken and time.monotonic() < deadline:
            time.sleep(0.01)  # a server tells of what it did when it has leisure

    def _taken(self) -> int:
        with psycopg.connect(self.url) as connection:
            query = "SELECT pg_stat_get_tuples_deleted(%s::regclass)"
            (count,) = connection.execute(query, (self.events,)).fetchone() or (0,)
            return int(count)

    def _put(self, rows: Sequence[Row]) -> None:
        with psycopg.connect(self.url) as connection, connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {self.events} DISABLE TRIGGER append_only".encode())
            cursor.execute(
                f"DELETE FROM {self.events} WHERE split_part(originator_id, '/', 1) = %s".encode(), (self.campaign,)
            )
            values = "VALUES (%s,%s,%s,%s,%s)"
            query = f"INSERT INTO {self.events} ({COLUMNS}) {values}"
            cursor.executemany(query.encode(), rows)
            cursor.execute(f"ALTER TABLE {self.events} ENABLE ALWAYS TRIGGER append_only".encode())


def in_earlier_form(rows: Sequence[Row]) -> list[Row]:
    """As they were written before entries named versions."""
    return [_earlier(row) if row[3] == "ledger.entry@4" else row for row in rows]


def _earlier(row: Row) -> Row:
    body = json.loads(row[4])
    body["fact"]["streams"] = list(body["fact"]["streams"])
    del body["fact"]["edition"], body["fact"]["follows"]
    return (*row[:3], "ledger.entry@1", json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode())
