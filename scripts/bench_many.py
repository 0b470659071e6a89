"""Many campaigns played in turn by one process: its memory, and whether the last is as quick as the first."""

from __future__ import annotations

import statistics
from functools import partial

import psutil

from scripts.bench_play import Bench, Play, measure_seconds

RULINGS = 5  # of each campaign
MEGABYTE = 1 << 20


def _step_all(plays: list[Play]) -> None:
    for play in plays:
        play.step()


def measure_many(bench: Bench, game: str, campaigns: int) -> None:
    """Each opened and played on a little; then as many rulings in those that were left longest ago."""
    process, tenth = psutil.Process(), max(1, campaigns // 10)
    took: list[float] = []
    grown: list[int] = []
    first: list[Play] = []

    def play_some(tables: list[Play]) -> None:
        for _ in range(tenth):
            play = Play(bench.ledger, game)
            play.play_until(RULINGS)
            tables.append(play)

    for _ in range(10):
        tables = list[Play]()
        took.append(measure_seconds(partial(play_some, tables)))
        first = first or tables
        grown.append(process.memory_info().rss // MEGABYTE)
    rate = f"{RULINGS} rulings each; {tenth / statistics.median(took):,.0f} campaigns/s"
    bench.at_most(f"{game}: the last of {campaigns:,} campaigns over the first", took[-1] / took[0], 1.2, rate)
    bench.at_most(f"{game}: megabytes after {campaigns:,} campaigns", grown[-1], 1000, f"{grown[1]:,} after a fifth")
    again = 1000 * measure_seconds(lambda: _step_all(first)) / len(first)
    bench.note(f"{game}: milliseconds of a ruling in a campaign that was put away", again, f"{len(first):,} of them")
