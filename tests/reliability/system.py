"""The whole system under test: a server, a service of its own process, and a line to each that can lose answers."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import httpx
import psycopg

from api.service.database import Database, find_logins
from api.service.environment import Settings
from ledger.events.database_check import SCHEMA
from ledger.events.shelves import name_schemas, read_shelf_count
from tests.api.process import Process, process
from tests.reliability.postgres import Server
from tests.reliability.proxy import Proxy
from tests.reliability.record import Row

KEY = b"a key for the tests of reliability"
OPERATOR = "the-operators-own-token"
SHELVES = 4  # of a database that is tried: fewer than usual are made sooner
PATIENCE = 180.0  # seconds until a system that was struck must answer again
_databases = count(1)


class Unreliable(AssertionError):
    """What was promised does not hold."""


class Databases(Protocol):
    """A server, or what stands for one: of a database the owner's login, and how that of others gets there."""

    def new_database(self, name: str) -> None: ...

    def owner_of(self, database: str) -> str: ...

    def through(self, url: str) -> str: ...

    def execute(self, statement: str, database: str = ...) -> None: ...


def database_on(server: Databases, shelves: int = SHELVES) -> tuple[str, Database]:
    """A new database, migrated: its name and its logins. The service's leads over the server's proxy."""
    name = f"reliable_{next(_databases)}"
    server.new_database(name)
    database = logins_of(server, name)
    replace(database, shelf_count=shelves).migrate()
    return name, database


def logins_of(server: Databases, name: str) -> Database:
    database = find_logins(Settings.model_construct(LEDGER_OWNER_URL=server.owner_of(name)), lambda: KEY)
    service, projector = map(server.through, (database.service_url, database.projector_url))
    return Database(database.owner_url, service, projector)


class System:
    """`planted`: the name of a fault in `planted.py`; `before`: what is done to the database first, its name filled in.

    `database`: one that is there already; a new one otherwise. `client` leads over `front`, whatever process serves.
    `crashes`: how each service ended that nobody here ended.
    """

    def __init__(self, server: Databases, planted: str = "", before: str = "", database: str = "") -> None:
        self.databases = server
        self.database, self.logins = (database, logins_of(server, database)) if database else database_on(server)
        if before:
            server.execute(before.format(role="ledger_service", database=self.database))
        self.front = Proxy(b"POST /campaigns/", b"\r\n\r\n")
        self._stack = ExitStack()
        self._folder = Path(self._stack.enter_context(TemporaryDirectory()))
        self._process = ExitStack()
        self.crashes: list[str] = []
        plant = f"from tests.reliability import planted; planted.{planted}();" if planted else ""
        self._program = f"import tests; {plant} from api.cli.main import main; main()"
        self.service: Process
        try:
            self.start_service()
        except BaseException:
            self.close()
            raise

    @property
    def server(self) -> Server:
        """To be killed and started again, where it is one alone."""
        assert isinstance(self.databases, Server)
        return self.databases

    def close(self) -> None:
        self._process.close()
        self.front.close()
        self._stack.close()

    def start_service(self) -> None:
        self._process.close()
        settings = {"RATE_LIMIT": "off", "ADDRESS_RATE_LIMIT": "off", "PROJECTOR_URL": self.logins.projector_url}
        starting = process(
            self._folder, self.logins.service_url, SCHEMA, KEY, OPERATOR, program=self._program, **settings
        )
        self.service = self._process.enter_context(starting)
        host, _, port = self.service.address.removeprefix("http://").rpartition(":")
        self.front.far = (host, int(port))

    @contextmanager
    def client(self) -> Iterator[httpx.Client]:
        with httpx.Client(base_url=f"http://127.0.0.1:{self.front.port}", timeout=PATIENCE) as client:
            yield client

    def revive(self) -> None:
        """Start the service again if it has ended by itself."""
        if self.service.popen.poll() is not None:
            self._note_end()
            self.start_service()

    def _note_end(self) -> None:
        """Wait until the service has ended. Any end but by `kill` is a crash, even if `kill` came right after it."""
        code = self.service.popen.wait()
        if code != -signal.SIGKILL:
            end = signal.Signals(-code).name if code < 0 else f"the exit code {code}"
            self.crashes.append(f"A service ended by {end}: {self.service.said[-2000:]}")

    # --- what strikes it ---

    def kill_service(self) -> None:
        """kill -9, and a new process."""
        self.service.popen.kill()
        self._note_end()
        self.start_service()

    def kill_database(self) -> None:
        """kill -9 of the server's every process, and a new start, which replays its log."""
        self.server.kill()
        self.server.start()

    def kill_both(self) -> None:
        self.service.popen.kill()
        self.server.kill()
        self._note_end()
        self.server.start()
        self.start_service()

    # --- what it holds ---

    def require_no_crash(self) -> None:
        if self.service.popen.poll() is not None:
            self._note_end()
        if self.crashes:
            raise Unreliable("\n".join(self.crashes))

    def rows(self) -> list[Row]:
        """The record as it is stored, past the service."""
        with psycopg.connect(self.databases.owner_of(self.database)) as connection:
            number = read_shelf_count(connection, SCHEMA) or 1
            query = " UNION ALL ".join(
                "SELECT notification_id, split_part(originator_id, '/', 1), split_part(originator_id, '/', 2),"
                " split_part(originator_id, '/', 3), originator_version, topic, convert_from(state, 'utf8')::jsonb"
                f" FROM {schema}.ledger_events"
                for schema in name_schemas(SCHEMA, number)
            )
            return [Row(*row) for row in connection.execute(f"{query} ORDER BY 1".encode())]


@contextmanager
def running(server: Databases, planted: str = "", before: str = "", database: str = "") -> Iterator[System]:
    """A system. Unreliable, at the end of the block, if a service of it crashed."""
    system = System(server, planted, before, database)
    try:
        yield system
        system.require_no_crash()
    finally:
        system.close()
