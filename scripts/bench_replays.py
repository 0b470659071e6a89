"""Measure replays of a long session: the cost of a few frames anywhere in it."""

from __future__ import annotations

import statistics
from collections.abc import Callable

from ledger.application import Call
from projections.documents.replays import Replay, Selection, make_replay
from projections.redaction import LiveLens
from scripts.bench_play import Bench, Play, measure_each

FRAMES = 5


def measure_replays(bench: Bench, game: str, ruling_count: int) -> None:
    """Measure five frames in a session of this many rulings, on both clocks."""
    play = Play(bench.ledger, game)
    session = play.declare({"kind": "open-session", "title": "A long evening"})
    play.play_until(ruling_count)
    first_by_place = {"middle": ruling_count // 2, "end": play.numbers[-1] - FRAMES}
    for clock in ("corrected", "recorded"):
        replay_beginning = _make_replayer(bench, play, session, int(session) + 1, clock)
        assert len(replay_beginning().frames) == FRAMES
        for name, first in first_by_place.items():
            replay_there = _make_replayer(bench, play, session, first, clock)
            replay_there()
            times = [(measure_each(10, replay_there), measure_each(10, replay_beginning)) for _ in range(9)]
            ratio = statistics.median(left / right for left, right in times)
            milliseconds, beginning_milliseconds = (statistics.median(side) * 1000 for side in zip(*times, strict=True))
            what = (
                f"{game}: {FRAMES} frames at the {name} of {ruling_count:,} rulings ({clock}), divided by the beginning"
            )
            bench.at_most(what, ratio, 1.5, f"{milliseconds:.1f} ms, beginning {beginning_milliseconds:.1f} ms")


def _make_replayer(bench: Bench, play: Play, session: str, first: int, clock: str) -> Callable[[], Replay]:
    selection = Selection(first, first + FRAMES - 1, clock == "recorded")

    def replay_frames() -> Replay:
        with bench.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, viewer):
            return make_replay(LiveLens(book, viewer), session, selection)

    return replay_frames
