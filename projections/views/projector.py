"""Update all views in one process, which follows every shelf."""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial

import psycopg
from eventsourcing.utils import Environment
from psycopg.rows import TupleRow

from ledger.application import make_environment
from ledger.errors import LedgerError
from ledger.events.away import describe_trouble, is_away
from ledger.events.herald import CHANNEL
from ledger.events.lines import connect_outside_pool, make_factory
from ledger.events.shelves import Shelves
from projections.views.keeping import BATCH, Keeper
from projections.views.shelf_views import Progress, ShelfViews, fetch_value
from projections.views.side_by_side import Build, Sharing, count_processes, start_helpers
from projections.views.store import VIEWS
from projections.views.view import View

PATIENCE = 1.0  # seconds between two attempts while the database does not answer or another process updates the views
LOOK = 0.5  # seconds between checks of up to eight shelves without announcements; longer for more shelves
log = logging.getLogger("ledger.views")


class Projector:
    """Updates the views of a ledger. `url`: the projector's own login.

    `is_leading`: whether this process updates the views now. `problem`: why it has stopped permanently, or None.
    """

    def __init__(self, url: str, schema: str) -> None:
        self.is_leading = False
        self.problem: str | None = None
        self._url = url
        self._lock_key = zlib.crc32(f"{schema} views".encode()) + 1
        settings = make_environment(url, schema=schema, pool_size=1)
        self._shelves = Shelves(make_factory(Environment("Ledger", settings)).datastore)

    def close(self) -> None:
        self._shelves.datastore.close()

    def __enter__(self) -> Projector:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @cached_property
    def shelves(self) -> list[ShelfViews]:
        """Return the shelves, by number. Raise Unavailable if their number is not known yet."""
        return [ShelfViews(shelf, self._url) for shelf in self._shelves.list_shelves()]

    # --- following ---

    def follow(self, stop: threading.Event) -> None:
        """Update the views until stopped. Wait while the database does not answer, or another process updates the
        views.

        A campaign with an invalid record is stopped. Any other error is put into `problem`, logged and raised, so no
        event is skipped.
        """
        while not stop.is_set():
            try:
                with self._try_to_lead() as listener:
                    if listener is not None:
                        self._lead(stop, listener)
            except Exception as problem:
                if not is_away(problem):
                    self.problem = problem.detail if isinstance(problem, LedgerError) else repr(problem)
                    log.critical("The views have stopped: %s", self.problem)
                    raise
                log.warning("The views are waiting for the database (%s).", describe_trouble(problem))
            finally:
                self.is_leading = False
            stop.wait(PATIENCE)

    def _lead(self, stop: threading.Event, listener: psycopg.Connection[TupleRow]) -> None:
        followers = [Following(shelf) for shelf in self.shelves]
        interval = LOOK * max(1.0, len(followers) / 8)
        while not stop.is_set():
            if not sum(follower.take_next_saves(interval) for follower in followers if follower.is_due()):
                self.is_leading = all(follower.is_ready for follower in followers) or self.is_leading
                for announcement in listener.notifies(timeout=LOOK, stop_after=1):
                    _mark_followers_due(followers, announcement.payload)

    @contextmanager
    def _try_to_lead(self) -> Iterator[psycopg.Connection[TupleRow] | None]:
        """Yield a connection that hears of new events, or None if another process updates the views."""
        with connect_outside_pool(self._url) as connection:
            is_leader = fetch_value(connection, "SELECT pg_try_advisory_lock(%s)", self._lock_key)
            connection.execute(f"LISTEN {CHANNEL}".encode())
            yield connection if is_leader else None

    def is_led(self) -> bool:
        """Return whether some process is updating the views now."""
        with connect_outside_pool(self._url) as connection:
            return not fetch_value(connection, "SELECT pg_try_advisory_lock(%s)", self._lock_key)

    def count_behind(self) -> int:
        """Return how many events the views have not processed yet."""
        return sum(shelf.count_behind() for shelf in self.shelves)

    def list_stopped_campaigns(self) -> set[str]:
        """Return the campaigns whose views have stopped."""
        return set[str]().union(*(shelf.live_tables.list_stopped_campaigns() for shelf in self.shelves))

    def make_tables(self) -> None:
        """Make the views' tables if there are none yet."""
        for shelf in self.shelves:
            if not shelf.live_tables.has_tables():  # only in this case must it wait for a connection and a lock
                shelf.make_tables()

    def prepare(self) -> None:
        """Make the views' tables, and rebuild the views of another version."""
        for shelf in self.shelves:
            shelf.prepare()

    def catch_up(self) -> None:
        """Update the views in use up to the end of the record."""
        for shelf in self.shelves:
            shelf.catch_up()

    def rebuild(
        self,
        view_classes: Sequence[type[View]] = VIEWS,
        progress: Progress = lambda count, total: None,
        shelf: int | None = None,
        processes: int | None = None,
    ) -> None:
        """Rebuild the views of all shelves, or of one shelf, beside the views in use. Then replace the views in use.

        To continue after a crash, call it again. `progress`: called with the number of events processed so far, and the
        total. `processes`: how many processes build (default: one for each core, if there are enough shelves).
        """
        ends = {
            shelf_views.number: shelf_views.find_end()
            for shelf_views in self.shelves
            if shelf in (None, shelf_views.number)
        }
        event_counts = dict.fromkeys(ends, 0)

        def report_progress(number: int, count: int, end: int) -> None:
            event_counts[number], ends[number] = count, max(ends[number], end)
            progress(sum(event_counts.values()), sum(ends.values()))

        if processes is None:
            processes = count_processes(sum(end > 0 for end in ends.values()), sum(ends.values()))
        sharing = Sharing(sorted(ends, key=lambda number: -ends[number]), report_progress)
        build = Build(self._url, self._shelves.datastore.schema, [view_class.name for view_class in view_classes])
        with start_helpers(sharing, build, processes - 1) as helpers:
            self._build_shelves(sharing, view_classes)
            for helper in helpers:
                helper.join()
            self._build_shelves(sharing, view_classes)  # a helper process failed on this shelf

    def _build_shelves(self, sharing: Sharing, view_classes: Sequence[type[View]]) -> None:
        while (number := sharing.take_shelf()) is not None:
            self.shelves[number].rebuild(view_classes, partial(sharing.report_progress, number))


class Following:
    """A shelf that is followed. It has a keeper once its views are made."""

    def __init__(self, views: ShelfViews) -> None:
        self.number = views.number
        self.next_look = 0.0
        self.is_ready = False
        self._views = views
        self._keeper: Keeper | None = None

    def is_due(self) -> bool:
        return time.monotonic() >= self.next_look

    def take_next_saves(self, interval: float) -> int:
        """Process the next saves, and return the number of notifications: 0 if the shelf's server does not answer.

        `interval`: seconds until the shelf is checked again, unless new events are announced.
        """
        try:
            if self._keeper is None:
                self._views.prepare()
                self._keeper = self._views.make_keeper()
            notification_count = self._keeper.take_next_saves()
        except Exception as problem:
            if not is_away(problem):
                raise
            log.warning(
                "The views of shelf %d are waiting for the database (%s).", self.number, describe_trouble(problem)
            )
            self.next_look = time.monotonic() + PATIENCE
            return 0
        self.is_ready = True
        if notification_count < BATCH:  # the record has no further events: new ones will be announced
            self.next_look = time.monotonic() + interval
        return notification_count


def _mark_followers_due(followers: Sequence[Following], payload: str) -> None:
    """Mark the announced shelf for an immediate check, or all shelves if the announcement names none."""
    followers_by_number = {str(follower.number): follower for follower in followers}
    for follower in [followers_by_number[payload]] if payload in followers_by_number else followers:
        follower.next_look = 0.0
