"""The views beside the service: kept in a thread of it, or by a process of their own; and how far behind they are."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from eventsourcing.persistence import PersistenceError

from api.run.beside import views_beside
from api.service.metrics import Metrics
from api.service.readiness import Check
from ledger.application import Ledger
from ledger.errors import Fault, Unavailable
from projections.views.everywhere import Everywhere
from projections.views.pages import Views
from projections.views.projector import Projector
from projections.views.store import VIEWS

MOST_BEHIND = 5000  # events


@contextmanager
def keeping_views(url: str, schema: str) -> Iterator[Projector]:
    """Views are kept until the end of the block, at a whole save."""
    stop = threading.Event()
    with Projector(url, schema) as projector:
        thread = threading.Thread(target=_follow, args=(projector, stop), name="views", daemon=True)
        thread.start()
        try:
            yield projector
        finally:
            stop.set()
            thread.join(10)


def _follow(projector: Projector, stop: threading.Event) -> None:
    try:
        projector.follow(stop)
    except Exception:  # noqa: BLE001  it is logged, and said by `projector.problem`: the service tells it is not ready
        return


@dataclass(frozen=True, slots=True)
class ViewsHere:
    """`url`: the login that keeps the views. `beside`: in a process of their own, that lives as long as this one."""

    url: str
    beside: bool = False


def keeping(views: ViewsHere, schema: str, log_level: str) -> AbstractContextManager[Keeper]:
    """Views are kept until the end of the block, at a whole save."""
    return views_beside(views.url, schema, log_level) if views.beside else keeping_views(views.url, schema)


class Keeper(Protocol):
    """`problem`: why the views have stopped for good, if they have."""

    @property
    def problem(self) -> str | None: ...


def kept_views(ledger: Ledger, projector: Keeper | None = None) -> Check:
    """Passes where the views follow the record; answers how many campaigns they do not follow, if there are any.

    `projector`: of this process, or beside it, if that keeps them.
    """

    def pass_() -> dict[str, int]:
        if projector is not None and projector.problem is not None:
            raise Fault(f"The views have stopped: {projector.problem}", code="views-stopped")
        try:
            views = Everywhere(ledger.shelves)
            outdated, behind, stopped = views.outdated(), views.sum(Views.behind), views.sum(Views.stopped)
        except PersistenceError as problem:
            raise Unavailable("The database does not answer; please try again in a few seconds.") from problem
        if outdated:
            raise Unavailable(f"Views are built in a new form: {', '.join(outdated)}.", code="views-behind")
        if behind > MOST_BEHIND:
            raise Unavailable(f"The views are {behind} events behind.", code="views-behind", behind=behind)
        return {"stopped_campaigns": stopped} if stopped else {}

    return Check("views", pass_)


def measure_views(ledger: Ledger, metrics: Metrics) -> None:
    """All views are at the same place of the record, so they have the same lag; unknown while the database is away."""

    def look(count: Callable[[Views], int]) -> float:
        try:
            return Everywhere(ledger.shelves).sum(count)
        except (PersistenceError, Unavailable):
            return math.nan

    for view in VIEWS:
        metrics.view_lag.labels(view.name).set_function(lambda: look(Views.behind))
    metrics.stopped.set_function(lambda: look(Views.stopped))
