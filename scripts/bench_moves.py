"""How long it takes to say what can be declared: with twenty characters, and in a long campaign beside a young one."""

from __future__ import annotations

import statistics
import time

from ledger.application import Call
from projections.documents import moves as documents
from projections.redaction import LiveLens, text
from scripts.bench_games import first_enrolment
from scripts.bench_play import Bench, Play

CHARACTERS = 20
STEPS = 40  # of play, the moves looked at before each
MOST = 10.0  # milliseconds at the median


def moves(bench: Bench, game: str, long: Play) -> None:
    """The whole answer of `GET /moves`, for a game master, as text."""
    crowd = Play(bench.ledger, game)
    for _ in range(CHARACTERS - 2):
        crowd.declare(first_enrolment(game))
    taken = _looked_at(bench, crowd)
    size = len(_answer(bench, crowd))
    bench.at_most(
        f"{game}: milliseconds for moves, {CHARACTERS} characters", taken * 1000, MOST, f"{size:,} characters"
    )
    young = Play(bench.ledger, game)
    young.until(100)
    ratios = [_looked_at(bench, long) / _looked_at(bench, young) for _ in range(5)]
    count = f"{long.numbers[-1]:,}"
    bench.at_most(f"{game}: moves in a campaign of {count} over one of 100", statistics.median(ratios), 1.2)


def _looked_at(bench: Bench, play: Play) -> float:
    """The median, over some steps of play."""
    taken = []
    for _ in range(STEPS):
        play.step()
        began = time.perf_counter()
        _answer(bench, play)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def _answer(bench: Bench, play: Play) -> str:
    with bench.ledger.reading(Call(play.campaign, play.token)) as (book, viewer):
        lens = LiveLens(book, viewer)
        seen = documents.seen_by(lens)
        return text(documents.moves(lens, seen, lambda do: f"/{do.__name__}", with_blocked=False))
