"""Whether the views beside the service follow the record, and how far behind they are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from eventsourcing.persistence import PersistenceError

from api.service.metrics import Metrics
from api.service.readiness import Check
from ledger.application import Ledger
from ledger.errors import Fault, Unavailable
from projections.views.pages import Reader
from projections.views.store import VIEWS

MOST_BEHIND = 5000  # events


class Keeps(Protocol):
    """What keeps them. `problem`: why they have stopped for good, if they have."""

    problem: str | None


def kept_views(ledger: Ledger, keeper: Keeps | None = None) -> Check:
    """Passes where the views follow the record; answers how many campaigns they do not follow, if there are any.

    `keeper`: of this process, if it keeps them.
    """

    def pass_() -> dict[str, int]:
        if keeper is not None and keeper.problem is not None:
            raise Fault(f"The views have stopped: {keeper.problem}", code="views-stopped")
        try:
            reader = Reader(ledger.store.datastore)
            outdated, behind, stopped = reader.outdated(), reader.behind(), reader.stopped()
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

    def look(count: Callable[[Reader], int]) -> float:
        try:
            return count(Reader(ledger.store.datastore))
        except (PersistenceError, Unavailable):
            return math.nan

    for view in VIEWS:
        metrics.view_lag.labels(view.name).set_function(lambda: look(Reader.behind))
    metrics.stopped.set_function(lambda: look(Reader.stopped))
