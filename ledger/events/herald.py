"""Announce which shelves have new events, once the events are committed.

A transaction that sends `NOTIFY` waits until the previous one is on disk, so all writers of a database would queue.
After the commit, nobody waits. If a crash prevents an announcement, followers still find the events, because they also
look from time to time.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Lock, Thread

import psycopg
from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore

CHANNEL = "ledger_events"
PAUSE = 0.05  # seconds between announcements, because each one makes every follower read the record
SAY = f"SELECT pg_notify('{CHANNEL}', shelf) FROM unnest(%s::text[]) AS shelf".encode()


class Herald:
    """The announcer of one process. Announcements made while it sends or pauses are sent together."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._due_numbers: set[int] = set()
        self._wake_event, self._lock = Event(), Lock()
        self._thread: Thread | None = None
        self._ending_event = Event()

    def announce(self, shelf_number: int) -> None:
        """Announce the shelf soon, from another thread."""
        with self._lock:
            self._due_numbers.add(shelf_number)
            if self._thread is None:
                self._thread = Thread(target=self._announce_until_closed, name="herald", daemon=True)
                self._thread.start()
        self._wake_event.set()

    def close(self) -> None:
        """Send the remaining announcements, then stop."""
        self._ending_event.set()
        self._wake_event.set()
        if self._thread is not None:
            self._thread.join(5)

    def _announce_until_closed(self) -> None:
        while not (self._ending_event.is_set() and not self._due_numbers):
            self._wake_event.wait()
            self._wake_event.clear()
            with self._lock:
                due_numbers, self._due_numbers = self._due_numbers, set()
            if due_numbers:
                with (
                    suppress(PersistenceError, psycopg.Error),
                    self._datastore.get_connection() as connection,
                ):
                    connection.execute(SAY, ([str(number) for number in sorted(due_numbers)],), prepare=True)
                self._ending_event.wait(PAUSE)
