"""A hot standby of the database. Views are read there if they are as recent as the primary's, else on the primary.

Only the primary decides who may see what, and which position its views have. So a page is never older than one from the
primary. A standby that is behind or does not answer costs only the time to notice this once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

import psycopg
from eventsourcing.persistence import PersistenceError
from eventsourcing.utils import Environment
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row

from ledger.application import Ledger, make_environment
from ledger.errors import Fault, Unavailable
from ledger.events.away import is_away
from ledger.events.lines import Line, make_factory
from ledger.events.shelves import Shelves
from projections.views.everywhere import Everywhere, EverywhereReader
from projections.views.pages import Place, Reader, Views

PATIENCE = 2.0  # seconds for a statement; also for a connection, the minimum of libpq
RESPITE = 1.0  # seconds until it is tried again
#: The outcome of a read: the standby answered; or the primary did, because the standby was behind, away or failed.
Outcome: TypeAlias = Literal["standby", "behind", "away", "failed"]
T = TypeVar("T")
RV = TypeVar("RV")
P = TypeVar("P")
log = logging.getLogger("ledger.standby")

WHO = (
    b"SELECT pg_is_in_recovery(),"
    b" (SELECT system_identifier FROM pg_control_system())::text || ' ' || current_database()"
)
WRITTEN = b"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
REPLAYED = b"SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint"


class Bounded(Line):
    """A connection that closes with an OperationalError if a statement is not answered in time.

    A server that hangs keeps its connections open, so nothing else would end the wait.
    """

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        deadline = time.monotonic() + PATIENCE
        try:
            return super().wait(gen, interval, PATIENCE if timeout is None else timeout)
        except psycopg.OperationalError:
            if time.monotonic() >= deadline:
                self.close()  # otherwise a rollback would wait for the server once more
            raise


class Standby:
    """The standby of one ledger. `count_outcome` is called for every read with its outcome.

    `is_usable`: whether reads use the standby. It is False after a failure, until a thread reaches the standby again.
    """

    def __init__(
        self, ledger: Ledger, url: str, count_outcome: Callable[[Outcome], None], *, prepare: bool = True
    ) -> None:
        if "," in str(conninfo_to_dict(url).get("host") or ""):
            message = "LEDGER_READ_URL must name a single standby, because several could be at different positions."
            raise Fault(message, code="several-standbys")
        settings = make_environment(url, schema=ledger.store.datastore.schema, wait=1, prepare=prepare)
        self._ledger = ledger
        self._count_outcome = count_outcome
        self._datastore = make_factory(Environment("Ledger", settings)).datastore
        pool: Any = self._datastore.pool
        pool.connection_class = Bounded
        pool.kwargs = {**pool.kwargs, "connect_timeout": int(PATIENCE)}
        self._connect_options = {**pool.kwargs, "autocommit": True}
        self._shelves = Shelves(self._datastore)
        self.is_usable = False
        self._last_reason = ""
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._watch_standby, name="standby", daemon=True)

    def __enter__(self) -> Standby:
        """Check the standby now, and start the thread that watches it. Raise a Fault if it belongs to another
        database.
        """
        self._datastore.pool.open()
        self._check_standby()
        self._thread.start()
        return self

    def __exit__(self, *unused: object) -> None:
        self._ending.set()
        self._thread.join(2 * PATIENCE)
        self._datastore.close()

    # --- reading ---

    def ask(self, campaign: str, query: Callable[[Reader], T]) -> T:
        """Run a query on views that are at least as recent as the primary's are now, and return its result.

        `query` may be called twice, because the primary is asked after any error of the standby.
        """
        primary = Views(self._ledger.shelves.get_shelf_of(campaign))

        def ask_standby(primary_place: Place) -> tuple[T] | None:
            with Views(self._shelves.get_shelf_of(campaign)).open_reader(campaign) as reader:
                return (query(reader),) if self._check_recency(reader.place, primary_place) else None

        if (answer := self._ask_standby(lambda: primary.find_place(campaign), ask_standby)) is not None:
            return answer[0]
        with primary.open_reader(campaign) as reader:
            return query(reader)

    def ask_everywhere(self, only_campaign: str | None, query: Callable[[EverywhereReader], T]) -> T:
        """Run a query as `ask` does, on the views of all shelves or of one campaign's shelf."""
        primary = Everywhere(self._ledger.shelves)

        def ask_standby(primary_places: list[Place]) -> tuple[T] | None:
            with Everywhere(self._shelves).open_reader() as reader:
                return (
                    (query(reader),)
                    if all(map(self._check_recency, reader.list_places(only_campaign), primary_places))
                    else None
                )

        if (
            answer := self._ask_standby(
                lambda: [views.find_followed_place() for views in primary.list_views(only_campaign)], ask_standby
            )
        ) is not None:
            return answer[0]
        with primary.open_reader() as reader:
            return query(reader)

    def _ask_standby(self, find_place: Callable[[], P], ask_standby: Callable[[P], tuple[T] | None]) -> tuple[T] | None:
        """Return the standby's answer, or None if the primary must be asked. Count the outcome.

        `find_place` returns the place that the primary has reached. `ask_standby` returns None if the standby's views
        are too old. An error of `ask_standby` counts as a failure of the standby.
        """
        place = find_place() if self.is_usable else None
        outcome: Outcome = "away"
        if self.is_usable and place is not None:
            try:
                answer = ask_standby(place)
                if answer is not None:
                    self._count_outcome("standby")
                    return answer
                outcome = self._name_refusal()
            except Exception as problem:  # noqa: BLE001  if the caller caused it, the primary raises it, too
                outcome = self._handle_failure(problem)
        self._count_outcome(outcome)
        return None

    def _check_recency(self, place: Place, primary_place: Place) -> bool:
        """Return whether the standby has reached the primary's place. Return False if it has become a primary."""
        if not place.is_copy:
            self._stop_using("is no longer a standby")
        return place.is_copy and place.built == primary_place.built and place.position >= primary_place.position

    def _name_refusal(self) -> Outcome:
        return "behind" if self.is_usable else "away"

    def _handle_failure(self, problem: Exception) -> Outcome:
        if isinstance(problem, PersistenceError | psycopg.Error) and is_away(problem):
            self._stop_using("does not answer")
            return "away"
        return "behind" if isinstance(problem, Unavailable) else "failed"

    def measure_lag(self) -> dict[str, int]:
        """Return how many bytes the standby is behind in the primary's log, or an empty dict if that is unknown."""
        if not self.is_usable:
            return {}
        try:
            with (
                self._ledger.store.datastore.get_connection() as primary_connection,
                primary_connection.cursor(row_factory=tuple_row) as cursor,
            ):
                written_row = cursor.execute(WRITTEN).fetchone()
            with (
                self._datastore.get_connection() as standby_connection,
                standby_connection.cursor(row_factory=tuple_row) as cursor,
            ):
                replayed_row = cursor.execute(REPLAYED).fetchone()
        except PersistenceError:
            return {}
        if written_row is None or replayed_row is None or replayed_row[0] is None:
            return {}
        return {"standby_bytes_behind": max(0, written_row[0] - replayed_row[0])}

    # --- watching the standby ---

    def _stop_using(self, reason: str) -> None:
        self.is_usable = False
        self._log_change(reason)

    def _log_change(self, reason: str) -> None:
        """Log the reason if it has changed."""
        if reason != self._last_reason:
            log.warning("The standby %s. Reading from the primary instead.", reason)
        self._last_reason = reason

    def _watch_standby(self) -> None:
        while not self._ending.wait(RESPITE):
            if not self.is_usable:
                try:
                    self._check_standby()
                except Fault:
                    self._log_change("belongs to another database")

    def _check_standby(self) -> None:
        """Check whether the standby answers, and use it if it does. Raise a Fault if it belongs to another database."""
        try:
            with (
                Bounded.connect(**self._connect_options) as connection,
                connection.cursor(row_factory=tuple_row) as cursor,
            ):
                is_copy, standby_id = cursor.execute(WHO).fetchone() or (False, "")
            with (
                self._ledger.store.datastore.get_connection() as primary_connection,
                primary_connection.cursor(row_factory=tuple_row) as cursor,
            ):
                _, primary_id = cursor.execute(WHO).fetchone() or (False, "")
        except (psycopg.Error, PersistenceError):
            return self._log_change("does not answer")
        if standby_id != primary_id:
            message = "LEDGER_READ_URL names another database: it must be a standby of the one in LEDGER_DATABASE_URL."
            raise Fault(message, code="other-database")
        if not is_copy:
            return self._log_change("is a primary, not a standby")
        if self._last_reason:
            log.warning("The standby is responding again.")
        self._last_reason = ""
        self._datastore.pool.check()  # connections from before the outage
        self.is_usable = True
        return None
