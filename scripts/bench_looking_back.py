"""Measure looking back over a whole long campaign: past states, differences and what-ifs."""

from __future__ import annotations

import statistics
from collections.abc import Callable

from ledger.application import Call, find_moment, load_rulings_at, load_stretches, load_subjects_at
from ledger.application.commands.previewing import preview_what_if
from ledger.rules.kernel.subjects import CAMPAIGN, parse_subject
from projections.documents.comparisons import Selection
from projections.documents.differences import Interval, describe_differences
from projections.documents.doings import find_steps_between
from projections.documents.presenting import make_presenter
from projections.documents.states import describe_state
from projections.documents.subjects import Clock
from projections.redaction import LiveLens, to_text
from scripts.bench_play import Bench, Play, measure_each

LARGEST = 100_000  # the most bytes in the answer to a what-if, unless the caller asks for more
ROUNDS = 9


def measure_looking_back(bench: Bench, game: str, long_play: Play) -> None:
    with bench.ledger.open_for_seat(Call(long_play.campaign, long_play.token)) as (book, viewer):
        lens = LiveLens(book, viewer)
        ruling_count = book.campaign.rulings
        fact_count = sum(book.load_stream(subject).version for subject in book.campaign.subjects)
        title = f"{game}, {ruling_count:,} rulings, {fact_count:,} events about subjects"
        middle = ruling_count // 2
        for name, clock in _name_clocks(middle).items():
            _compare_with_reading(bench, f"{title}: state {name}", lens, clock)
        for name, interval in _name_intervals(middle, ruling_count).items():
            _compare_with_states(bench, f"{title}: diff {name}", lens, interval)
        for number in (1, 3, middle):
            answer = make_presenter(Selection())(book, viewer, preview_what_if(book, viewer, [number]))
            bench.at_most(
                f"{title}: bytes in the answer to a what-if without ruling {number}", len(answer.encode()), LARGEST
            )


def _name_clocks(middle: int) -> dict[str, Clock]:
    return {"at the middle": Clock(middle), "at the middle, as recorded": Clock(middle, recorded=True)}


def _name_intervals(middle: int, last: int) -> dict[str, Interval]:
    return {
        "over a few rulings": Interval(Clock(middle), Clock(middle + 5)),
        "over the whole campaign": Interval(Clock(2), Clock(last)),
        "between the two clocks": Interval(Clock(middle, recorded=True), Clock(middle)),
    }


def _compare_with_reading(bench: Bench, name: str, lens: LiveLens, clock: Clock) -> None:
    """Compare the time to make the document as text with the time to read its subjects."""
    moment = find_moment(lens.book, clock.at, recorded=clock.recorded)
    state = describe_state(lens, clock)
    subjects = [subject for subject in lens.book.campaign.subjects if subject.kind != "scene"]
    subjects += [
        subject
        for subject in lens.book.campaign.subjects
        if subject.id in {document["id"] for document in state["scenes"]}
    ]

    def read() -> None:
        load_subjects_at(lens.book, [CAMPAIGN], moment)
        load_subjects_at(lens.book, subjects, moment)

    _measure_ratio(bench, name, "its reading", 2, lambda: to_text(describe_state(lens, clock)), read)


def _compare_with_states(bench: Bench, name: str, lens: LiveLens, interval: Interval) -> None:
    """Compare the time to make the document of the differences with the time to read its sources: the two states, the
    subjects that differ, and the rulings.
    """
    book, difference = lens.book, describe_differences(lens, interval)
    start, steps, _ = find_steps_between(
        book.campaign, *(clock.find_moment(book) for clock in (interval.start, interval.end))
    )
    subjects = dict.fromkeys([CAMPAIGN, *(parse_subject(document["subject"]) for document in difference["subjects"])])
    wanted_rulings = [(document["number"], book.campaign.position) for document in difference["rulings"]]

    def read() -> None:
        for clock in (interval.start, interval.end):
            describe_state(lens, clock)
        between = load_stretches(book, subjects, start, max((step.moment.place for step in steps), default=0))
        for step in steps:
            for stretch in between.values():
                stretch.fold_at(step.moment)
        load_rulings_at(book, wanted_rulings)

    _measure_ratio(
        bench,
        f"{name} ({len(steps)} rulings between)",
        "its reading",
        2,
        lambda: to_text(describe_differences(lens, interval)),
        read,
    )


def _measure_ratio(
    bench: Bench, name: str, base: str, most: float, ours: Callable[[], object], theirs: Callable[[], object]
) -> None:
    for act in (ours, theirs):
        measure_each(3, act)
    times = [(measure_each(10, ours), measure_each(10, theirs)) for _ in range(ROUNDS)]
    our_milliseconds, their_milliseconds = (statistics.median(side) * 1000 for side in zip(*times, strict=True))
    ratio = statistics.median(left / right for left, right in times)
    bench.at_most(f"{name}, over {base}", ratio, most, f"{our_milliseconds:.2f} ms, bare {their_milliseconds:.2f} ms")
