"""Says which shelves have new events, once they are committed.

Said within the transaction, `NOTIFY` makes every other one that says anything wait until this one is on the disk: all
writers of a database would be one queue again, on however many shelves they write. Said after it, nobody waits; what a
crash leaves unsaid, whoever follows finds by looking from time to time.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Lock, Thread

import psycopg
from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore

CHANNEL = "ledger_events"
PAUSE = 0.01  # seconds between two times it speaks: whoever is told looks at the record each time, beside who writes
SAY = f"SELECT pg_notify('{CHANNEL}', shelf) FROM unnest(%s::text[]) AS shelf".encode()


class Herald:
    """Of one process. What comes while it is speaking, or pausing after that, is said together, next."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._news: set[int] = set()
        self._something, self._lock = Event(), Lock()
        self._thread: Thread | None = None
        self._ending = Event()

    def say(self, shelf: int) -> None:
        """Say it soon, by another thread."""
        with self._lock:
            self._news.add(shelf)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="herald", daemon=True)
                self._thread.start()
        self._something.set()

    def close(self) -> None:
        """Close once all of it is said."""
        self._ending.set()
        self._something.set()
        if self._thread is not None:
            self._thread.join(5)

    def _run(self) -> None:
        while not (self._ending.is_set() and not self._news):
            self._something.wait()
            self._something.clear()
            with self._lock:
                news, self._news = self._news, set()
            if news:
                with (
                    suppress(PersistenceError, psycopg.Error),
                    self._datastore.get_connection() as connection,
                ):
                    connection.execute(SAY, ([str(number) for number in sorted(news)],), prepare=True)
                self._ending.wait(PAUSE)
