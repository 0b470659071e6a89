"""A set of views and the saves they take: up to 500 notifications a transaction, always whole saves."""

from __future__ import annotations

from collections.abc import Sequence

from eventsourcing.persistence import IntegrityError, Notification

from ledger.events.codec import Codec
from ledger.events.recorder import LedgerRecorder
from projections.views.saves import Saved, whole_saves
from projections.views.store import CHANNEL, Tables
from projections.views.view import Ground, View

BATCH = 500  # notifications a transaction, more only where a single save has more


class Keeping:
    """Views of these kinds on their tables. `lock`: of the database, shared while rows are written (None: no need)."""

    def __init__(
        self,
        tables: Tables,
        kinds: Sequence[type[View]],
        recorder: LedgerRecorder,
        codec: Codec,
        lock: int | None = None,
    ) -> None:
        self.tables = tables
        self.kinds = kinds
        self._recorder = recorder
        self._codec = codec
        self._lock = lock
        self._views: list[View] = []
        self._reached = -1

    def step(self, stop: int | None = None) -> int:
        """Take the next whole saves, none beyond `stop`. How many notifications: 0 at the end."""
        reached = self.tables.reached()
        if reached != self._reached:  # at first, and when another process got further
            self._views, self._reached = [kind() for kind in self.kinds], reached
        saves, last, count = self._next(reached, stop)
        if last is None:
            return 0
        try:
            with self.tables.transaction() as cursor:
                if self._lock is not None:
                    cursor.execute(b"SELECT pg_advisory_xact_lock_shared(%s)", (self._lock,))
                ground = Ground(cursor, self._recorder, self._codec)
                for view in self._views:
                    view.take(ground, saves)
                self.tables.track(cursor, last)
                cursor.execute(f"NOTIFY {CHANNEL}".encode())
            self._reached = last
        except BaseException as problem:
            self._reached = -1  # what the views remember may be more than what was written
            if not isinstance(problem, IntegrityError) or self.tables.reached() == reached:
                raise  # else another process took them
        return count

    def _next(self, reached: int, stop: int | None) -> tuple[list[Saved], int | None, int]:
        """The next saves, the id of the last one's entry, and how many notifications were read for them."""
        limit = BATCH
        while True:
            found: Sequence[Notification] = self._recorder.select_notifications(
                reached, limit, stop, inclusive_of_start=False
            )
            saves, last = whole_saves(self._codec, found)
            if last is not None or len(found) < limit:
                return saves, last, len(found)
            limit *= 4
