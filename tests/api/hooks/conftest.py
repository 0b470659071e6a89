"""A service that may send to the loopback, and its deliverer, whose clock the tests keep."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import psycopg
import pytest

from api.app import create_app
from api.hooks.deliverer import Deliverer
from api.hooks.sending import Sender
from api.service.hook_addresses import parse_allowed
from api.service.options import Options
from ledger.application import Ledger
from ledger.application.tokens import sign_hook
from ledger.events.hooks import HookStore
from projections.views.pages import Views
from projections.views.projector import Projector
from tests.api.conftest import OPERATOR, SCHEMA, serving
from tests.api.hooks.receiver import Receiver, receiving
from tests.api.table import Service, Table, described
from tests.waiting import wait_until

HERE = parse_allowed("127.0.0.1")


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **how_far: float) -> None:
        self.now += timedelta(**how_far)


class Delivery:
    """A deliverer that looks when it is told to."""

    def __init__(self, ledger: Ledger, sender: Sender, clock: Clock, **lanes: int) -> None:
        self.clock = clock
        self.counted: list[str] = []
        self.deliverer = Deliverer(
            ledger, sender, clock=clock, chance=lambda: 0.5, count_outcome=self.counted.append, **lanes
        )

    def turn(self) -> None:
        """One look, and all that comes of it."""

        async def look() -> None:
            await self.deliverer.start_due_deliveries()
            await self.deliverer.wait_until_settled()

        asyncio.run(look())


def sign_anew(ledger: Ledger, owner: psycopg.Connection[Any]) -> None:
    """Hooks whose rows a test has changed."""
    for hook in HookStore(ledger.shelves.get_shelf(0)).list_all():
        values = (sign_hook(hook, ledger.keys).signature, hook.id)
        owner.execute(f"UPDATE {SCHEMA}.hooks SET signature = %s WHERE id = %s", values)


def caught_up(table: Table, ledger: Ledger) -> None:
    """The views hold all that was saved."""
    position = table.position
    wait_until(lambda: Views(ledger.shelves.get_shelf(0)).find_position(table.id) >= position)


@pytest.fixture(scope="session")
def hooked_service(ledger: Ledger, views: Projector) -> Iterator[Service]:
    app = create_app(ledger, operator_token=OPERATOR, options=Options(hook_allow=HERE))
    with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, OPERATOR, described(app.openapi))


@pytest.fixture
def table(hooked_service: Service) -> Table:
    return Table(hooked_service)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def delivery(ledger: Ledger, clock: Clock, postgres: Any) -> Iterator[Delivery]:
    """No hooks but the test's own are there."""
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}.hooks")
    yield Delivery(ledger, Sender(HERE), clock)
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}.hooks")
