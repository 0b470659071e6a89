"""Announces which shelves have new events, after they are committed.

Within a transaction, `NOTIFY` makes every other transaction that notifies wait until this one is on disk: all writers
of a database would queue, on however many shelves they write. After the commit, nobody waits. If a crash prevents an
announcement, followers find the events by looking from time to time.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Lock, Thread

import psycopg
from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore

CHANNEL = "ledger_events"
PAUSE = 0.05  # seconds between announcements: each makes every follower read the record while others write
SAY = f"SELECT pg_notify('{CHANNEL}', shelf) FROM unnest(%s::text[]) AS shelf".encode()


class Herald:
    """The announcer of one process. Announcements that come while it sends or pauses are sent together, next."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._due_shelves: set[int] = set()
        self._is_needed, self._lock = Event(), Lock()
        self._thread: Thread | None = None
        self._ending = Event()

    def announce(self, shelf: int) -> None:
        """Announce it soon, from another thread."""
        with self._lock:
            self._due_shelves.add(shelf)
            if self._thread is None:
                self._thread = Thread(target=self._announce_until_closed, name="herald", daemon=True)
                self._thread.start()
        self._is_needed.set()

    def close(self) -> None:
        """Close after the last announcement."""
        self._ending.set()
        self._is_needed.set()
        if self._thread is not None:
            self._thread.join(5)

    def _announce_until_closed(self) -> None:
        while not (self._ending.is_set() and not self._due_shelves):
            self._is_needed.wait()
            self._is_needed.clear()
            with self._lock:
                due_shelves, self._due_shelves = self._due_shelves, set()
            if due_shelves:
                with (
                    suppress(PersistenceError, psycopg.Error),
                    self._datastore.get_connection() as connection,
                ):
                    connection.execute(SAY, ([str(number) for number in sorted(due_shelves)],), prepare=True)
                self._ending.wait(PAUSE)
