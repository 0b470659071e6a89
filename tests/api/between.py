"""A service whose requests are interrupted between any two of their statements, and another that saves meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import GeneratorType
from typing import Any, ClassVar

import httpx
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.pq import TransactionStatus

from api.app import create_app
from ledger.application import Ledger, make_environment
from ledger.events import lines
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from projections.views.projector import Projector
from tests.api.conftest import KEY, OPERATOR, serving
from tests.api.table import Service, described
from tests.schemas import PASSWORD, made_anew


@dataclass
class Interruption:
    """Runs an act once, after so many round trips to the database."""

    trips: int = 0
    act: Callable[[], None] | None = None

    def after(self, trips: int, act: Callable[[], None]) -> None:
        self.trips, self.act = trips, act

    def count(self) -> None:
        self.trips -= 1
        if self.trips == 0 and self.act is not None:
            act, self.act = self.act, None
            act()

    def cancel(self) -> bool:
        """Whether the act was still to come."""
        waiting, self.act = self.act is not None, None
        return waiting


class InterruptedLine(lines.Line):
    """A connection of the service that is interrupted."""

    interruption: ClassVar[Interruption] = Interruption()

    def wait(self, gen: Any, *given: Any, **more: Any) -> Any:
        idle = self.info.transaction_status is TransactionStatus.IDLE
        is_trip = not (idle and isinstance(gen, GeneratorType) and gen.__name__ in ("_commit_gen", "_rollback_gen"))
        answer = super().wait(gen, *given, **more)
        if is_trip:
            self.interruption.count()
        return answer


@dataclass
class Pair:
    """`reading` answers the requests that are interrupted. `writing` is another process, as far as they know.

    Nothing but `catch_up` moves the views.
    """

    reading: Service
    writing: Service
    projector: Projector
    interruption: Interruption = field(default_factory=lambda: InterruptedLine.interruption)

    def catch_up(self) -> None:
        self.projector.catch_up()

    def read(self, url: str, headers: dict[str, str]) -> httpx.Response:
        return self.reading.send("GET", url, headers)

    def read_interrupted(
        self, url: str, headers: dict[str, str], trips: int, act: Callable[[], None]
    ) -> httpx.Response | None:
        """The answer to a request in the midst of which something is saved, and the views follow.

        None where it takes fewer round trips: then nothing was done.
        """

        def act_and_follow() -> None:
            act()
            self.catch_up()

        self.interruption.after(trips, act_and_follow)
        answer = self.read(url, headers)
        return None if self.interruption.cancel() else answer


@contextmanager
def paired(owner_url: str, schema: str) -> Iterator[Pair]:
    """Two services on one database made anew."""
    made_anew(owner_url, schema)
    service_url, projector_url = (
        make_conninfo(owner_url, user=role, password=PASSWORD) for role in (SERVICE_ROLE, PROJECTOR_ROLE)
    )
    env = make_environment(service_url, schema=schema)
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(lines, "Line", InterruptedLine)
            interrupted = stack.enter_context(Ledger(env, KEY))
        reading, writing = (
            stack.enter_context(_serving(one)) for one in (interrupted, stack.enter_context(Ledger(env, KEY)))
        )
        keeper = stack.enter_context(Projector(projector_url, schema))
        keeper.prepare()
        yield Pair(reading, writing, keeper)


@contextmanager
def _serving(ledger: Ledger) -> Iterator[Service]:
    app = create_app(ledger, operator_token=OPERATOR)
    with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, OPERATOR, described(app.openapi), app)
