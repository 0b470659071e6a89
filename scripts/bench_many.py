"""Measure many campaigns played in turn by one process: its memory, and whether the last campaign is as fast as the
first."""

from __future__ import annotations

import statistics
from functools import partial

import psutil

from scripts.bench_play import Bench, Play, measure_seconds

RULINGS = 5  # rulings of each campaign
MEGABYTE = 1 << 20


def _step_all(plays: list[Play]) -> None:
    for play in plays:
        play.step()


def measure_many(bench: Bench, game: str, campaign_count: int) -> None:
    """Open campaigns and play a little in each. Then make one more ruling in the first ones, which have to be loaded
    again.
    """
    process, tenth_of_them = psutil.Process(), max(1, campaign_count // 10)
    durations: list[float] = []
    megabytes: list[int] = []
    first_plays: list[Play] = []

    def play_tenth(plays: list[Play]) -> None:
        for _ in range(tenth_of_them):
            play = Play(bench.ledger, game)
            play.play_until(RULINGS)
            plays.append(play)

    for _ in range(10):
        plays = list[Play]()
        durations.append(measure_seconds(partial(play_tenth, plays)))
        first_plays = first_plays or plays
        megabytes.append(process.memory_info().rss // MEGABYTE)
    rate = f"{RULINGS} rulings each; {tenth_of_them / statistics.median(durations):,.0f} campaigns/s"
    bench.at_most(
        f"{game}: time for the last tenth of {campaign_count:,} campaigns, divided by the first tenth",
        durations[-1] / durations[0],
        1.2,
        rate,
    )
    bench.at_most(
        f"{game}: megabytes after {campaign_count:,} campaigns", megabytes[-1], 1000, f"{megabytes[1]:,} after a fifth"
    )
    milliseconds = 1000 * measure_seconds(lambda: _step_all(first_plays)) / len(first_plays)
    bench.note(
        f"{game}: milliseconds for a ruling in a campaign that has to be loaded first",
        milliseconds,
        f"{len(first_plays):,} of them",
    )
