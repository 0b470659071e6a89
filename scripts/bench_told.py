"""Measure how soon the feed reports waiting questions, answers, withdrawals and turns, compared with facts."""

from __future__ import annotations

import json
import statistics
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Thread

import httpx

from scripts.bench_asking import answer_roll, split_typed_dice
from scripts.bench_client import OPERATOR
from scripts.bench_games import GAMES, Json
from scripts.bench_play import Bench, open_fresh_database
from scripts.bench_service import make_environment_of_service, run_service

KINDS = ("waiting", "answered", "withdrawn", "moves")
ENOUGH = 50  # events of each kind that must arrive
MOST = 400  # the most rulings in which they must arrive
APART = 0.03  # seconds between two requests, so that each event arrives on its own
PATIENCE = 20.0  # seconds, on a busy machine
WAITS = 202


def measure_feed(bench: Bench, game: str) -> None:
    """Measure the time from each answer to its event, one at a time. The figures are medians, divided by the median for
    facts in the same run.

    It uses a database of its own, so that the views are up to date.
    """
    with (
        open_fresh_database() as database,
        run_service(make_environment_of_service(replace(bench, database=database))) as running,
        httpx.Client(base_url=running.address, timeout=60) as client,
    ):
        feed_client = FeedClient(client, game)
        with feed_client.listen():
            feed_client.play()
    fact_median, count = feed_client.find_median("fact")
    assert count, "nothing was heard"
    detail = f"{1000 * fact_median:.1f} ms, of {count}"
    for kind in KINDS:
        median, count = feed_client.find_median(kind)
        assert count, f"nobody heard `{kind}`"
        text = f"{1000 * median:.1f} ms, of {count}; facts {detail}"
        bench.note(f"{game}: delay of `{kind}` in the feed, divided by the delay of facts", median / fact_median, text)


class FeedClient:
    """Plays the game's exchange over HTTP. A declaration that asks a question waits, is withdrawn, is declared again
    and is answered.

    `heard`: the time at which an event first arrived, by its kind and position. `answered`: the time of each answer, by
    its position.
    """

    def __init__(self, client: httpx.Client, game: str) -> None:
        self.client, self.moves = client, GAMES[game](self.declare)
        body: Json = {"name": "Bench", "system": game, "gm": {"name": "Ann"}}
        campaign = self._send("/campaigns", body, OPERATOR).json()
        self.path, self.token = f"/campaigns/{campaign['id']}", campaign["seat"]["token"]
        self.heard: dict[tuple[str, int], float] = {}
        self.answered: dict[int, float] = {}
        self.ready = Event()

    def play(self) -> None:
        for _ in range(MOST):
            next(self.moves)
            if min(self.find_median(kind)[1] for kind in ("fact", *KINDS)) >= ENOUGH:
                break
        deadline = time.monotonic() + PATIENCE
        while ("fact", max(self.answered)) not in self.heard and time.monotonic() < deadline:
            time.sleep(APART)

    def declare(self, do: Json, answers: Sequence[Json] = ()) -> str:
        """Send the declaration, and enter dice only when the rules ask for them. A declaration that asks a question is
        declared twice.
        """
        bare, faces = split_typed_dice(do)
        remaining_answers, reply = iter(answers), self._declare(bare)
        if reply.status_code == WAITS:
            self._send(f"{self.path}/waiting/{reply.json()['id']}/withdraw", {"reason": "Once more."})
            reply = self._declare(bare)
        while reply.status_code == WAITS:
            waiting = reply.json()
            answer = next(remaining_answers) if answers else answer_roll(waiting["question"], faces)
            reply = self._send(f"{self.path}/waiting/{waiting['id']}/answers", {"answer": answer})
        assert not faces, f"{faces} were not asked for by {bare}"
        return str(reply.json()["number"])

    def _declare(self, do: Json) -> httpx.Response:
        return self._send(f"{self.path}/rulings", {"declare": do, "dice": "table"})

    def find_median(self, kind: str) -> tuple[float, int]:
        """Return the median in seconds, and the number of events."""
        heard, answered = dict(self.heard), self.answered
        lags = [
            heard_at - answered[place]
            for (what, place), heard_at in heard.items()
            if what == kind and place in answered
        ]
        return (statistics.median(lags) if lags else 0.0), len(lags)

    def _send(self, path: str, body: Json, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token or self.token}", "Idempotency-Key": str(uuid.uuid4())}
        reply = self.client.post(path, json=body, headers=headers)
        assert reply.is_success, reply.text
        if not token:
            self.answered[int(reply.headers["Ledger-Position"])] = time.perf_counter()
            time.sleep(APART)
        return reply

    @contextmanager
    def listen(self) -> Iterator[None]:
        """Listen in a separate thread with its own client. The block starts once the feed has reported its place."""
        headers = {"Authorization": f"Bearer {self.token}"}
        deadline = time.monotonic() + PATIENCE
        while self.client.get("/readyz").status_code != 200 and time.monotonic() < deadline:
            time.sleep(APART)
        with (
            httpx.Client(base_url=self.client.base_url, timeout=None) as client,
            client.stream("GET", f"{self.path}/feed", headers=headers) as reply,
        ):
            assert reply.status_code == 200, reply.read()
            Thread(target=self._listen, args=(reply,), daemon=True).start()
            assert self.ready.wait(PATIENCE)
            yield

    def _listen(self, reply: httpx.Response) -> None:
        fields: dict[str, str] = {}
        try:
            for line in reply.iter_lines():
                name, _, value = line.partition(": ")
                if line:
                    fields[name] = value
                    continue
                if "event" in fields:
                    position = (
                        fields["id"].partition(".")[0] if "id" in fields else json.loads(fields["data"])["position"]
                    )
                    self.heard.setdefault((fields["event"], int(position)), time.perf_counter())
                self.ready.set()
                fields = {}
        except (httpx.StreamError, httpx.TransportError):
            return  # it has listened long enough
