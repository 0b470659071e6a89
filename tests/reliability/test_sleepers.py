"""A service is stopped between two statements of a transaction, and wakes later. Nobody else waits for that."""

from __future__ import annotations

import signal
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from queue import Empty
from threading import Event
from typing import Any

import httpx
import pytest
from psycopg.conninfo import make_conninfo

from ledger.application import Ledger, make_environment
from ledger.events.database_check import SCHEMA
from ledger.events.lines import make_idle_limit
from ledger.events.migration import MIGRATING
from tests.api.process import Process, process
from tests.desk import Desk
from tests.levels import sampled
from tests.reliability.halting import Halting
from tests.reliability.postgres import Server
from tests.reliability.system import KEY, OPERATOR, PATIENCE, database_on
from tests.reliability.writers import Deed, table

_coins = count(1)


class Pair:
    """Two services on one shelf. `sleeper` reaches the database over `line`, which can halt it."""

    def __init__(self, server: Server, folder: Path, stack: ExitStack) -> None:
        _, database = database_on(server, shelves=1)
        self._pool = stack.enter_context(ThreadPoolExecutor(1))
        self.line = Halting(server.proxy.far)
        stack.callback(self.line.close)
        halted = make_conninfo(database.service_url, host="127.0.0.1", port=self.line.port)
        settings = {"RATE_LIMIT": "off", "ADDRESS_RATE_LIMIT": "off", "HOOK_ALLOW": "127.0.0.1"}
        settings |= {"PROJECTOR_URL": database.projector_url, "DIRECT_URL": database.service_url}
        awake, sleeper = (
            stack.enter_context(process(folder, url, SCHEMA, KEY, OPERATOR, **settings))
            for url in (database.service_url, halted)
        )
        self.sleeper: Process = sleeper
        self.awake = stack.enter_context(httpx.Client(base_url=awake.address, timeout=PATIENCE))
        self.asleep = stack.enter_context(httpx.Client(base_url=sleeper.address, timeout=PATIENCE))
        stack.callback(sleeper.signal, signal.SIGCONT)

    def sit(self) -> None:
        """At new tables. `table` is where the sleeper is asked for something."""
        self.line.let_all_go()
        self.table, self._other = table(self.awake), table(self.awake)

    def ask(self, asks: Callable[[httpx.Client], httpx.Response], halted_at: bytes) -> Future[httpx.Response]:
        """Ask the sleeper, which halts at the statement that holds these bytes and at each after it."""
        self.line.asked = halted_at
        return self._pool.submit(asks, self.asleep)

    def halts(self, asked: Future[httpx.Response]) -> Iterator[Event]:
        """Whenever it halts, until it has answered. Set the event to let it go on."""
        while not asked.done():
            try:
                yield self.line.halts.get(timeout=0.1)
            except Empty:
                continue

    @contextmanager
    def stopped(self, let_go: Event) -> Iterator[None]:
        """The sleeper's process stands still, with an answer of the database that it has not read."""
        self.sleeper.signal(signal.SIGSTOP)
        let_go.set()
        try:
            yield
        finally:
            self.sleeper.signal(signal.SIGCONT)

    def save(self) -> httpx.Response:
        """A ruling at the other service, in another campaign of the shelf: one of the same would come first."""
        return Deed(self._other, next(_coins), "1").ask(self.awake)

    def post(self, path: str, body: dict[str, Any]) -> Callable[[httpx.Client], httpx.Response]:
        """A request of the game master, always under the same key."""
        headers = {**self.table.bearer, "Idempotency-Key": str(uuid.uuid4())}
        return lambda client: client.post(f"/campaigns/{self.table.id}{path}", headers=headers, json=body)


@pytest.fixture(scope="module")
def services(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with ExitStack() as stack:
        yield Pair(server, tmp_path_factory.mktemp("services"), stack)


@pytest.fixture
def pair(services: Pair) -> Pair:
    services.sit()
    return services


def invite(name: str) -> dict[str, Any]:
    return {"name": name, "role": "player"}


def used(link: str) -> Callable[[httpx.Client], httpx.Response]:
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    return lambda client: client.post("/invites/use", json={"secret": link}, headers=headers)


@pytest.mark.nightly
def test_wherever_a_service_is_stopped_while_somebody_sits_down_others_are_answered(pair: Pair) -> None:
    made = pair.post("/invites", invite("Celia"))(pair.awake).raise_for_status().json()
    sits_down = used(made["link"])
    asked, stops = pair.ask(sits_down, made["id"].encode()), 0
    for let_go in pair.halts(asked):
        with pair.stopped(let_go):
            saved = pair.save()
        print("STOP", stops, saved.status_code, saved.elapsed)
        assert saved.status_code == 201, saved.text
        stops += 1
    assert stops and asked.result().status_code == 201, asked.result().text
    assert sits_down(pair.awake).json() == asked.result().json(), "the same key opens the same seat"
    seats = pair.awake.get(f"/campaigns/{pair.table.id}", headers=pair.table.bearer).json()["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "Celia"]


@pytest.mark.parametrize(
    ("path", "body", "halted_at"),
    sampled(
        [
            ("/invites", invite("Dan"), f"{SCHEMA} invites "),
            ("/bookmarks", {"ruling": 1, "note": "Here it began.", "mine": True}, f"{SCHEMA} bookmarks "),
            ("/hooks", {"url": "http://127.0.0.1:9/", "events": ["fact"]}, f"{SCHEMA} hooks "),
        ],
        1,
        several=True,
    ),
)
def test_a_service_that_is_stopped_in_a_transaction_soon_loses_it(
    pair: Pair, path: str, body: dict[str, Any], halted_at: str
) -> None:
    """Another's request that waits for its locks is late, but answered; the stopped one asks again."""
    asks = pair.post(path, body)
    asked = pair.ask(asks, halted_at.encode())
    with pair.stopped(next(pair.halts(asked))):
        assert pair.save().status_code == 201
        late = pair.post(path, body)(pair.awake)
        assert late.status_code == 201, late.text
    for let_go in pair.halts(asked):
        let_go.set()
    assert asked.result().status_code == 503, asked.result().text
    assert asks(pair.awake).status_code == 201
    (listed,) = pair.awake.get(f"/campaigns/{pair.table.id}{path}", headers=pair.table.bearer).json().values()
    assert len(listed) == 2


@pytest.mark.nightly
def test_wherever_a_migration_with_nothing_to_do_is_stopped_saves_are_answered(server: Server) -> None:
    """As at every start of `campaign-ledger up`. What it has to change in a table locks that."""
    _, database = database_on(server, shelves=1)
    line = Halting(server.proxy.far)
    line.asked = make_idle_limit(MIGRATING).encode()  # of a shelf's transaction
    halted = replace(database, owner_url=make_conninfo(database.owner_url, host="127.0.0.1", port=line.port))
    with ThreadPoolExecutor(1) as pool, closing(line), Ledger(make_environment(database.service_url), KEY) as ledger:
        desk, stops = Desk(ledger), 0
        desk.enrol("Ann")
        migrated = pool.submit(halted.migrate)
        while not migrated.done():
            try:
                let_go = line.halts.get(timeout=0.1)
            except Empty:
                continue
            try:
                desk("mint", to="1", coins=1)
            finally:
                let_go.set()
            stops += 1
        migrated.result()
        assert stops == desk.coins("1") > 5
