"""Planted faults in entering late. The law that it is as if entered in time finds each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from ledger.aggregates import subject_stream
from ledger.aggregates.campaign import Campaign
from ledger.application import Ledger
from ledger.application.commands import consequences, entering_late
from ledger.application.reading import comparisons, pasts, stretches
from ledger.application.save import Place
from ledger.events.records import RuledLate
from ledger.rules.kernel import chronicle, world
from ledger.rules.kernel.comparison import compare_from
from ledger.rules.kernel.places import RULING_AND_STEP, place_of
from ledger.rules.kernel.refusals import Refused
from tests.kernel.in_time import Tally, compare_with_in_time
from tests.kernel.test_late_laws import CAMPAIGNS, WORDS
from tests.levels import sampled

Fault: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def fold_by_number(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(subject_stream, "get_fold_key", RULING_AND_STEP)


def look_back_by_number(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stretches, "get_fold_key", RULING_AND_STEP)


def place_by_number(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(world, "place_of", lambda number, after=0: place_of(number))


def index_by_number(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(chronicle, "place_of", lambda number, after=0: place_of(number))


def leave_out_at_its_base(patch: pytest.MonkeyPatch) -> None:
    """Looking back at a ruling does not show what was entered late after it."""
    patch.setattr(Campaign, "find_end", Campaign.find_place)


def rule_on_the_present(patch: pytest.MonkeyPatch) -> None:
    load_past_before = pasts.load_past_before
    patch.setattr(
        entering_late, "load_past_before", lambda book, history, _: load_past_before(book, history, place_of(9999))
    )


def enter_in_the_session_of_today(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(entering_late, "find_open_session", lambda past: None)


def follow_the_ruling_before(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(entering_late, "_find_base", lambda book, after, viewer: after - 1)


def rule_nothing_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(entering_late, "make_rulings_again", lambda *_: None)


def rule_again_by_number(patch: pytest.MonkeyPatch) -> None:
    """A ruling entered late loses its place when it is ruled again."""
    patch.setattr(consequences, "Place", lambda ruling, revision=0, after=0: Place(ruling, revision))


def find_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(comparisons, "_list_findings", lambda comparison, cause: ())


def compare_as_if_it_stood_before(patch: pytest.MonkeyPatch) -> None:
    """The ruling counts in both pasts, so nothing comes out differently."""

    def compare(start: Any, number: int, standing: Any, other: Any) -> Any:
        return compare_from(start, number, {**standing, number: 0}, other)

    patch.setattr(comparisons, "compare_from", compare)


def record(patch: pytest.MonkeyPatch, **changes: Any) -> None:
    patch.setattr(entering_late, "RuledLate", lambda **fields: replace(RuledLate(**fields), **changes))


def record_nothing_read(patch: pytest.MonkeyPatch) -> None:
    record(patch, reads=())


def record_no_steps(patch: pytest.MonkeyPatch) -> None:
    record(patch, because=())


#: Each with a game, and the first seed that is tried.
FAULTS: list[tuple[Fault, str, int]] = [
    (fold_by_number, "mongrel", 3),
    (look_back_by_number, "mongrel", 3),
    (place_by_number, "mongrel", 0),
    (index_by_number, "mongrel", 3),
    (leave_out_at_its_base, "mongrel", 0),
    (rule_on_the_present, "mongrel", 0),
    (enter_in_the_session_of_today, "mongrel", 0),
    (follow_the_ruling_before, "mongrel", 0),
    (rule_nothing_again, "mongrel", 3),
    (rule_again_by_number, "mongrel", 10),
    (find_nothing, "scattershot", 1),
    (compare_as_if_it_stood_before, "mongrel", 3),
    (record_nothing_read, "mongrel", 1),
    (record_no_steps, "mongrel", 0),
]


@pytest.mark.parametrize("planted", sampled(FAULTS, 3, salt="late"), ids=lambda planted: planted[0].__name__)
def test_a_fault_is_found(ledger: Ledger, monkeypatch: pytest.MonkeyPatch, planted: tuple[Fault, str, int]) -> None:
    fault, name, seed = planted
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        for number in range(CAMPAIGNS):
            try:
                compare_with_in_time(ledger, name, seed + number, WORDS, Tally())
            except Refused:  # its dials do not go together
                continue
