"""Update the views, in a thread of the service or in a second process, and check how far behind they are."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from eventsourcing.persistence import PersistenceError

from api.run.beside import run_views_process
from api.service.metrics import Metrics
from api.service.readiness import Check
from ledger.application import Ledger
from ledger.errors import Fault, Unavailable
from projections.views.everywhere import Everywhere
from projections.views.pages import Views
from projections.views.projector import Projector
from projections.views.store import VIEWS

MOST_BEHIND = 5000  # events
LONGEST_PAUSE = 60.0  # seconds within which views that are behind must make progress
FRESH = 1.0  # seconds for which the result of a check is reused


@contextmanager
def keep_views(url: str, schema: str) -> Iterator[Projector]:
    """Update the views until the end of the block. The current save is finished first."""
    stop = threading.Event()
    with Projector(url, schema) as projector:
        thread = threading.Thread(target=_run_projector, args=(projector, stop), name="views", daemon=True)
        thread.start()
        try:
            yield projector
        finally:
            stop.set()
            thread.join(10)


def _run_projector(projector: Projector, stop: threading.Event) -> None:
    try:
        projector.follow(stop)
    except Exception:  # noqa: BLE001  it is logged, and `projector.problem` makes the service report that it is not ready
        return


@dataclass(frozen=True, slots=True)
class ViewsHere:
    """How this process updates the views. `url`: the projector's login. `beside`: whether a second process, which ends
    with this one, updates them.
    """

    url: str
    beside: bool = False


def make_keeper(views: ViewsHere, schema: str, log_level: str) -> AbstractContextManager[Keeper]:
    """Update the views until the end of the block. The current save is finished first."""
    return run_views_process(views.url, schema, log_level) if views.beside else keep_views(views.url, schema)


class Keeper(Protocol):
    """Updates the views. `problem`: why the views have stopped permanently, or None."""

    @property
    def problem(self) -> str | None: ...


def make_views_check(
    ledger: Ledger, keeper: Keeper | None = None, clock: Callable[[], float] = time.monotonic
) -> Check:
    """Return a check that passes if the views follow the record. The check reports the number of campaigns with stopped
    views.

    `keeper`: what updates the views in this service, or None if another process updates them.
    """
    follower = Following(clock)

    def check_views() -> dict[str, int]:
        if keeper is not None and keeper.problem is not None:
            raise Fault(f"The views have stopped: {keeper.problem}", code="views-stopped")
        try:
            views = Everywhere(ledger.shelves)
            if outdated_views := views.list_outdated():
                raise Unavailable(f"Building views in a new format: {', '.join(outdated_views)}.", code="views-behind")
            for shelf_views in views.shelf_views:
                shelf_views.check_edition()
            follower.check(views.shelf_views)
            stopped_count = views.sum_over_shelves(Views.count_stopped)
        except PersistenceError as problem:
            raise Unavailable("The database is not responding. Please try again in a few seconds.") from problem
        return {"stopped_campaigns": stopped_count} if stopped_count else {}

    return Check("views", check_views)


class Following:
    """Checks whether the views keep up with the record.

    The ids of events show how far the views are, because ids follow the order of commits. In a database from before
    version 0011 some ids may not, so each save is compared until none is missing.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._complete_schemas: set[str] = set()
        self._progress: dict[str, tuple[int, float]] = {}

    def check(self, all_views: Sequence[Views]) -> None:
        """Check the views. Raise Fault or Unavailable, or the library's error if the database does not answer."""
        count_behind = 0
        for views in all_views:
            self._check_ids(views)
            if views.schema not in self._complete_schemas:
                self._check_saves(views)
            count_behind += self._check_progress(views)
        if count_behind > MOST_BEHIND:
            raise Unavailable(f"The views are {count_behind} events behind.", code="views-behind", behind=count_behind)

    def _check_ids(self, views: Views) -> None:
        last_id, newest_id = views.find_newest_ids()
        if last_id < newest_id:
            self._complete_schemas.discard(views.schema)
            message = f"The id counter of {views.schema} is at {last_id}, but there is already an event {newest_id}"
            message += ". The views would miss new saves. Run campaign-ledger migrate."
            raise Fault(message, code="ids-ahead")

    def _check_saves(self, views: Views) -> None:
        if campaigns_missing := views.list_campaigns_passed_over():
            message = f"{views.schema} is missing saves of {len(campaigns_missing)} campaigns"
            raise Unavailable(
                f"{message}. Restart the service or projector, or run campaign-ledger rebuild.",
                code="views-behind",
                campaigns=len(campaigns_missing),
            )
        self._complete_schemas.add(views.schema)

    def _check_progress(self, views: Views) -> int:
        """Return how many events the views are behind. Raise Unavailable if they have made no progress for too long."""
        newest_id, taken_id = views.find_newest_and_taken()
        now = self._clock()
        last_taken_id, taken_since = self._progress.get(views.schema, (taken_id, now))
        self._progress[views.schema] = taken_id, (taken_since if last_taken_id == taken_id < newest_id else now)
        if last_taken_id == taken_id < newest_id and now - taken_since > LONGEST_PAUSE:
            backlog = f"{newest_id - taken_id} events are waiting"
            message = f"{views.schema} has made no progress for {now - taken_since:.0f} seconds, and {backlog}"
            raise Unavailable(
                f"{message}. No process is updating the views.", code="views-behind", behind=newest_id - taken_id
            )
        return newest_id - taken_id


def measure_views(ledger: Ledger, metrics: Metrics) -> None:
    """Set the metrics of the views. The lag is NaN while the database does not answer.

    All metrics share one reading of the lag, because a reading can take seconds.
    """
    lock = threading.Lock()
    lag_and_stopped, fresh_until = (math.nan, math.nan), -math.inf

    def get_lag_and_stopped() -> tuple[float, float]:
        nonlocal lag_and_stopped, fresh_until
        with lock:
            if time.monotonic() > fresh_until:
                lag_and_stopped = _count_lag_and_stopped(ledger)
                fresh_until = time.monotonic() + FRESH
            return lag_and_stopped

    for view in VIEWS:
        metrics.view_lag.labels(view.name).set_function(lambda: get_lag_and_stopped()[0])
    metrics.stopped.set_function(lambda: get_lag_and_stopped()[1])


def _count_lag_and_stopped(ledger: Ledger) -> tuple[float, float]:
    views = Everywhere(ledger.shelves)
    try:
        return views.sum_over_shelves(Views.count_behind), views.sum_over_shelves(Views.count_stopped)
    except (PersistenceError, Unavailable):
        return math.nan, math.nan
