"""Dice that open others: one roll, whatever falls."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.kernel.answers import trim_answer_to
from ledger.rules.kernel.open_dice import is_complete_roll, roll_open_dice, select_first_dice
from ledger.rules.kernel.questions import Dice, Roll


@given(seed=st.integers(0, 2**32), count=st.integers(0, 12), opens=st.sampled_from([None, 1, 3]))
def test_what_falls_is_all_there_is_and_less_of_it_is_a_roll_too(seed: int, count: int, opens: int | None) -> None:
    rng = Random(seed)
    faces = roll_open_dice(count, opens, lambda: rng.randint(1, 3))
    assert is_complete_roll(faces, count, opens)
    for fewer in range(count + 1):
        kept = select_first_dice(faces, fewer, opens)
        assert is_complete_roll(kept, fewer, opens) and kept[:fewer] == faces[:fewer]
    assert select_first_dice(faces, count + 3, opens) == faces, "what was not rolled is missing"


@pytest.mark.parametrize(
    ("faces", "count", "kept"),
    [
        ((10, 4, 10, 7, 8), 3, (10, 4, 10, 7, 8)),
        ((10, 4, 10, 7, 8), 1, (10, 7)),
        ((4, 10, 7), 1, (4,)),
        ((10, 10, 10, 8, 9), 1, (10, 10, 9)),
        ((10, 4, 10, 7, 8), 0, ()),
    ],
)
def test_a_die_keeps_those_it_opened(faces: tuple[int, ...], count: int, kept: tuple[int, ...]) -> None:
    assert select_first_dice(faces, count, 10) == kept
    assert trim_answer_to(Roll(None, count, 10, opens=10), Dice(10, faces)) == Dice(10, kept)
