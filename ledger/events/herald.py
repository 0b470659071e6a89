"""Says which shelves have new events, once they are committed.

Said within the transaction, `NOTIFY` makes every other one that says anything wait until this one is on the disk: all
writers of a database would be one queue again, on however many shelves they write. Said after it, nobody waits; what a
crash leaves unsaid, whoever follows finds by looking from time to time.

What is said costs this process, the database and all who hear it, so busy tables are told of together: news are said at
once where nothing was said just before, and the next a moment later.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Lock, Thread

import psycopg
from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore

CHANNEL = "ledger_events"
PAUSE = 0.01  # seconds
SAY = f"SELECT pg_notify('{CHANNEL}', shelf) FROM unnest(%s::text[]) AS shelf".encode()


class Herald:
    """Of one process. What comes while it is speaking, or pauses, is said together, next."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._news: set[int] = set()
        self._something, self._ending, self._lock = Event(), Event(), Lock()
        self._thread: Thread | None = None

    def say(self, shelf: int) -> None:
        """Soon, by another thread."""
        with self._lock:
            self._news.add(shelf)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="herald", daemon=True)
                self._thread.start()
        self._something.set()

    def close(self) -> None:
        """Once all of it is said."""
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
                    connection.execute(SAY, ([str(one) for one in sorted(news)],), prepare=True)
                self._ending.wait(PAUSE)
