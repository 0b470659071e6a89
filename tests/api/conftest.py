"""A service on a schema of its own, over HTTP on 127.0.0.1."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Event, Thread
from typing import Any

import httpx
import pytest
import typer.testing
import uvicorn
from psycopg.conninfo import make_conninfo

from api.app import create_app
from api.http import examples
from api.run import demo
from api.run.serve import IDLE
from ledger.application import Ledger, make_environment
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from ledger.rules import systems
from projections.views.projector import Projector
from tests.api.table import Player, Service, Table, described
from tests.schemas import made_anew

SCHEMA = "api_tests"
KEY = b"a key for the tests only"
OPERATOR = "the-operators-own-token"
#: The systems that have a demonstration.
PLAYED = sorted(name for name in systems() if examples.list_examples(name))


#: The command line is the same in every test: it is assembled once.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def service_url(postgres: Any) -> str:
    """How the service connects to a freshly migrated schema."""
    made_anew(postgres.owner_url, SCHEMA)
    return make_conninfo(postgres.owner_url, user=SERVICE_ROLE, password="for-tests")


@pytest.fixture(scope="session")
def ledger(service_url: str) -> Iterator[Ledger]:
    with Ledger(make_environment(service_url, schema=SCHEMA), KEY) as ledger:
        yield ledger


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The address of the application, served by a thread of its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()  # who asks before the thread runs is answered when it does
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", timeout_keep_alive=IDLE))
        thread = Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        app.state.stopping.set()  # who still listens is told so, as by the service itself
        server.should_exit = True
        thread.join(120)


@pytest.fixture(scope="session")
def views(postgres: Any, service_url: str) -> Iterator[Projector]:
    """The projector, following."""
    url = make_conninfo(postgres.owner_url, user=PROJECTOR_ROLE, password="for-tests")
    stop = Event()
    with Projector(url, SCHEMA) as projector:
        thread = Thread(target=projector.follow, args=(stop,), daemon=True)
        thread.start()
        yield projector
        stop.set()
        thread.join(120)


@pytest.fixture(scope="session")
def service(ledger: Ledger, views: Projector) -> Iterator[Service]:
    app = create_app(ledger, operator_token=OPERATOR)
    with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, OPERATOR, described(app.openapi), app)


@pytest.fixture
def table(service: Service) -> Table:
    return Table(service)


@pytest.fixture(scope="session")
def played(service: Service) -> Callable[[str], Table]:
    """The demonstration of a system, with somebody who only watches. Each is played once, when it is first wanted."""

    @cache
    def play(system: str) -> Table:
        (one,) = demo.play_demonstrations(
            str(service.client.base_url), service.operator_token, with_examples=True, only_system=system
        )
        table = object.__new__(Table)
        table.service, table.id = service, one.campaign
        master, *players = one.token_by_person.values()
        table.gm = Player(table, "s1", master)
        table.ben, table.cleo = (Player(table, f"s{number}", token) for number, token in enumerate(players, 2))
        table.dora = table.seat("Dora", "observer")
        return table

    return play
