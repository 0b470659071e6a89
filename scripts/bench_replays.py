"""Looking back in a long session: what a few frames of it cost, wherever in it they are."""

from __future__ import annotations

import statistics
from collections.abc import Callable

from ledger.application import Call
from projections.documents.replays import Replay, Selection, make_replay
from projections.redaction import LiveLens
from scripts.bench_play import Bench, Play, measure_each

FRAMES = 5


def measure_replays(bench: Bench, game: str, rulings: int) -> None:
    """Five frames in a session of so many rulings, by both clocks; and what they cost on a book read for them alone."""
    play = Play(bench.ledger, game)
    session = play.declare({"kind": "open-session", "title": "A long evening"})
    play.play_until(rulings)
    places = {"middle": rulings // 2, "end": play.numbers[-1] - FRAMES}
    for clock in ("corrected", "recorded"):
        start = _make_replayer(bench, play, session, int(session) + 1, clock)
        assert len(start().frames) == FRAMES
        for name, first in places.items():
            replay_there = _make_replayer(bench, play, session, first, clock)
            replay_there()
            times = [(measure_each(10, replay_there), measure_each(10, start)) for _ in range(9)]
            ratio = statistics.median(left / right for left, right in times)
            taken, begun = (statistics.median(side) * 1000 for side in zip(*times, strict=True))
            what = f"{game}: {FRAMES} frames at the {name} of {rulings:,}, as {clock}, over its beginning"
            bench.at_most(what, ratio, 1.5, f"{taken:.1f} ms, beginning {begun:.1f} ms")


def _make_replayer(bench: Bench, play: Play, session: str, first: int, clock: str) -> Callable[[], Replay]:
    wanted = Selection(first, first + FRAMES - 1, clock == "recorded")

    def replay_frames() -> Replay:
        with bench.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, viewer):
            return make_replay(LiveLens(book, viewer), session, wanted)

    return replay_frames
