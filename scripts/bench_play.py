"""The tools of the benchmarks: a fresh database, a campaign that plays itself, a clock, and the list of figures."""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from api.embedded import EmbeddedPostgres
from api.service.database import Database, find_logins
from api.service.environment import Settings
from ledger.application import Call, Ledger, hash_text, json_form
from ledger.events.codec import plain
from ledger.events.decoders import build_decoder
from ledger.rules import systems
from projections.documents.presenting import present
from scripts.bench_games import GAMES, Exchange

KEY = b"a key for measuring only"


@dataclass
class Figure:
    """A measured number, with its target."""

    what: str
    value: float
    target: str = ""
    met: bool | None = None
    detail: str = ""


@dataclass
class Bench:
    database: Database
    ledger: Ledger
    figures: list[Figure] = field(default_factory=list)

    def at_least(self, what: str, value: float, least: float, detail: str = "") -> None:
        self.figures.append(Figure(what, value, f">= {least:g}", value >= least, detail))

    def at_most(self, what: str, value: float, most: float, detail: str = "") -> None:
        self.figures.append(Figure(what, value, f"<= {most:g}", value <= most, detail))

    def note(self, what: str, value: float, detail: str = "") -> None:
        self.figures.append(Figure(what, value, detail=detail))

    def skip(self, what: str, why: str) -> None:
        self.figures.append(Figure(what, 0, "skipped", detail=why))

    def fail(self, what: str, problem: Exception) -> None:
        """Report a broken measurement as a figure that misses its target."""
        self.figures.append(Figure(what, 0, "no error", met=False, detail=f"{type(problem).__name__}: {problem}"))


class Numbered(msgspec.Struct):
    """The part of an answer that the client parses. Parsing more would measure the client, not the ledger."""

    number: int


NUMBERED = build_decoder(Numbered)


class Play:
    """A campaign played by one client: `play.step()` makes one ruling, with its receipt and the body of its answer.

    `exchange`: the exchange that is played repeatedly, by default the game's most common one.
    """

    def __init__(
        self, ledger: Ledger, game: str, campaign: str = "", token: str = "", exchange: Exchange | None = None
    ) -> None:
        self.ledger, self.system = ledger, systems()[game]
        self.campaign, self.token = campaign, token
        if not campaign:
            key = str(uuid.uuid4())
            self.campaign = ledger.keys.make_campaign_id(key)
            call = Call(self.campaign, "", "POST /campaigns", key, "")
            reply = ledger.open_campaign(call, "Bench", game, {}, "Ann", lambda book, viewer, shown: "{}")
            assert reply.status == 201
            self.token = ledger.keys.make_token(self.campaign, "s1", 1)
        self._moves = (exchange or GAMES[game])(self.declare)
        self.numbers: list[int] = []

    def declare(self, declaration: dict[str, object], answers: Sequence[dict[str, object]] = ()) -> str:
        text = msgspec.json.encode({"declare": declaration, "answers": answers}).decode()
        call = Call(self.campaign, self.token, "POST /rulings", uuid.uuid4().hex, hash_text(text))
        sent = plain(text)
        table_answers = [json_form.answer_from_json(self.system, answer) for answer in sent["answers"]]
        reply = self.ledger.declare(
            call, json_form.declaration_from_json(self.system, sent["declare"]), present, answers=table_answers
        )
        number = NUMBERED.decode(reply.body).number
        self.numbers.append(number)
        return str(number)

    def step(self) -> None:
        next(self._moves)

    def play_until(self, ruling_count: int) -> None:
        while len(self.numbers) < ruling_count:
            self.step()


def measure_seconds(act: Callable[[], object]) -> float:
    start_time = time.perf_counter()
    act()
    return time.perf_counter() - start_time


def measure_each(count: int, act: Callable[[], object]) -> float:
    """Return the average seconds per call."""
    return measure_seconds(lambda: [act() for _ in range(count)]) / count


@contextmanager
def open_fresh_database() -> Iterator[Database]:
    """Yield a fresh embedded Postgres with its default durability."""
    with (
        tempfile.TemporaryDirectory(prefix="ledger-bench-") as folder,
        EmbeddedPostgres(Path(folder) / "data") as server,
    ):
        database = find_logins(Settings.model_construct(LEDGER_SCHEMA="bench"), lambda: KEY, server.owner_url)
        database.migrate()
        yield database
