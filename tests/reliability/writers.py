"""Writers who never give up: each asks under one key until it is answered, and then for the next thing."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Thread
from typing import Protocol

import httpx

from tests.reliability.record import Row
from tests.reliability.system import OPERATOR, PATIENCE

WRITERS, TABLES = 8, 2
PAUSE = 0.01  # seconds: what is being started needs the processor, too
AGAIN = {409, 503}  # others were faster; the database is away


class Served(Protocol):
    """A service that may die, and the record behind it."""

    def client(self) -> AbstractContextManager[httpx.Client]: ...

    def rows(self) -> list[Row]: ...


@dataclass(frozen=True, slots=True)
class Table:
    """A campaign with two rich characters."""

    id: str
    token: str

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def table(client: httpx.Client) -> Table:
    headers = {"Authorization": f"Bearer {OPERATOR}", "Idempotency-Key": str(uuid.uuid4())}
    asked = {"name": "A table", "system": "toy", "gm": {"name": "Ann"}}
    opened = client.post("/campaigns", headers=headers, json=asked).raise_for_status().json()
    found = Table(opened["id"], opened["seat"]["token"])
    people = [{"name": name, "seat": "s1", "sheet": {"health": 9}} for name in ("Bruno", "Celia")]
    mints = [{"declare": {"kind": "mint", "to": id, "coins": 10**12}} for id in ("1", "2")]
    for path, bodies in (("characters", people), ("rulings", mints)):
        for body in bodies:
            client.post(f"/campaigns/{found.id}/{path}", headers=found.bearer, json=body).raise_for_status()
    return found


@dataclass(slots=True)
class Deed:
    """A gift that nobody else makes: `coins` are its name in the record. `answer`: the first it got, if any, and when.

    `began`, `at`: by the clock that only goes on, in seconds: when it was first asked for, and when it was answered.
    """

    table: Table
    coins: int
    giver: str
    key: str = field(default_factory=lambda: str(uuid.uuid4()))
    answer: httpx.Response | None = None
    at: float = 0.0
    tries: int = 0
    began: float = field(default_factory=time.monotonic)

    def ask(self, client: httpx.Client) -> httpx.Response:
        self.tries += 1
        taker = "2" if self.giver == "1" else "1"
        declared = {"declare": {"kind": "give", "char": self.giver, "to": taker, "coins": self.coins}}
        headers = {**self.table.bearer, "Idempotency-Key": self.key}
        return client.post(f"/campaigns/{self.table.id}/rulings", headers=headers, json=declared)


class Writers:
    """`deeds`: what they asked for. `complaints`: answers that should never be given; `away`: how often it was 503.

    `writers`: how many there are, at so many `tables`, each for a `pause` of so many seconds behind each deed.
    """

    def __init__(self, system: Served, writers: int = WRITERS, tables: int = TABLES, pause: float = PAUSE) -> None:
        self.system = system
        self.pause = pause
        self.deeds: list[Deed] = []
        self.complaints: list[str] = []
        self.away = 0
        with system.client() as client:
            self.tables = [table(client) for _ in range(tables)]
        self._coins = count(1)
        self._stop = Event()
        self._threads = [Thread(target=self._write, args=(number,), daemon=True) for number in range(writers)]

    @property
    def answered(self) -> int:
        return sum(deed.answer is not None for deed in list(self.deeds))

    def wait(self, more: int, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Until so many more deeds are answered, or there is a complaint."""
        wanted = self.answered + more
        while self.answered < wanted and not self.complaints:
            meanwhile()
            time.sleep(0.01)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Nobody begins anew; what is under way is asked for until it is answered."""
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in self._threads), "somebody never got an answer"

    def _write(self, number: int) -> None:
        with ExitStack() as stack:
            client = stack.enter_context(self.system.client())
            while not self._stop.is_set():
                around, place = divmod(number, len(self.tables))
                deed = Deed(self.tables[place], next(self._coins), "12"[around % 2])
                self.deeds.append(deed)
                self._until_answered(client, deed)
                self._stop.wait(self.pause)

    def _until_answered(self, client: httpx.Client, deed: Deed) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                answer = deed.ask(client)
            except httpx.TransportError:
                time.sleep(0.02)
                continue
            if answer.status_code == 201:
                deed.answer, deed.at = answer, time.monotonic()
                return
            if answer.status_code not in AGAIN:
                self._complain(f"{answer.status_code} {answer.text}")
                return
            self.away += answer.status_code == 503
            time.sleep(0.02)
        self._complain(f"{deed.coins} was not answered within {PATIENCE:g} seconds")

    def _complain(self, complaint: str) -> None:
        self.complaints.append(complaint)
        self._stop.set()


@contextmanager
def writing(system: Served) -> Iterator[Writers]:
    writers = Writers(system)
    writers.start()
    try:
        yield writers
    finally:
        writers.finish()
