"""Measure how long listing the moves takes: for twenty different characters who can all act, and in a long campaign.

The figures are milliseconds of this thread's CPU time, so other work of the machine is not counted.
"""

from __future__ import annotations

import asyncio
import statistics
import time

import httpx

from api.app import create_app
from ledger.application import Call
from projections.documents import moves as documents
from projections.redaction import LiveLens, to_text
from scripts.bench_crowds import COUNT, CROWDS
from scripts.bench_play import Bench, Play
from scripts.bench_told import measure_feed

STEPS = 40  # steps of play; the moves are listed before each one
MOST = 10.0  # the most milliseconds, at the median


def measure_moves(bench: Bench, game: str, long_play: Play) -> None:
    """Measure the whole answer of `GET /moves` for a game master, as text and over HTTP."""
    crowd = Play(bench.ledger, game, exchange=CROWDS[game])
    milliseconds = 1000 * _measure_moves(bench, crowd)
    size_text = f"{len(_list_moves(bench, crowd)):,} characters"
    bench.at_most(
        f"{game}: milliseconds to list the moves of {COUNT} different characters", milliseconds, MOST, size_text
    )
    request_milliseconds = 1000 * asyncio.run(_measure_over_http(bench, crowd))
    bench.at_most(
        f"{game}: milliseconds for the whole request", request_milliseconds, MOST, "HTTP in one process, not compressed"
    )
    young_play = Play(bench.ledger, game)
    young_play.play_until(100)
    ratios = [_measure_moves(bench, long_play) / _measure_moves(bench, young_play) for _ in range(5)]
    count_text = f"{len(long_play.numbers):,}"
    bench.at_most(
        f"{game}: time to list moves (after {count_text} rulings / after 100)", statistics.median(ratios), 1.2
    )
    measure_feed(bench, game)


def _measure_moves(bench: Bench, play: Play) -> float:
    """Return the median over several steps of play."""
    durations = []
    for _ in range(STEPS):
        play.step()
        start_time = time.thread_time()
        _list_moves(bench, play)
        durations.append(time.thread_time() - start_time)
    return statistics.median(durations)


def _list_moves(bench: Bench, play: Play) -> str:
    with bench.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, viewer):
        lens = LiveLens(book, viewer)
        seen = documents.make_seen(lens)
        return to_text(documents.list_moves(lens, seen, lambda do: f"/{do.__name__}", with_blocked=False))


async def _measure_over_http(bench: Bench, play: Play) -> float:
    """Return the median CPU time of the process, which includes the application's threads."""
    transport = httpx.ASGITransport(create_app(bench.ledger, operator_token="measuring-only"))
    headers = {"Authorization": f"Bearer {play.token}", "Accept-Encoding": "identity"}
    durations = []
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
        for _ in range(STEPS):
            play.step()
            start_time = time.process_time()
            answer = await client.get(f"/campaigns/{play.campaign}/moves")
            durations.append(time.process_time() - start_time)
            assert answer.status_code == 200, answer.text
    return statistics.median(durations)
