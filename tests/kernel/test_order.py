"""A campaign is read save by save, also where ids of events once ran ahead of saves that came later."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.events.recorder import Row, sort_by_save


def save(position: int, events: int) -> list[Row]:
    facts = [("c/character/1", 100 * position + number, "fact", b"") for number in range(events)]
    return [*facts, ("c/journal/journal", position, "entry", b"")]


@given(st.permutations(range(1, 7)), st.lists(st.integers(0, 3), min_size=6, max_size=6), st.integers(0, 2))
def test_saves_follow_each_other_wherever_they_stand(order: list[int], events: list[int], left_over: int) -> None:
    saves = {position: save(position, number) for position, number in enumerate(events, 1)}
    rest = [("c/character/1", 1000 + number, "fact", b"") for number in range(left_over)]
    stored = [row for position in order for row in saves[position]] + rest
    assert list(sort_by_save(stored)) == [row for position in sorted(saves) for row in saves[position]] + rest


def test_what_follows_a_save_that_is_missing_comes_last() -> None:
    first, third, fourth = (save(position, 1) for position in (1, 3, 4))
    assert list(sort_by_save([*fourth, *first, *third])) == [*first, *third, *fourth]
