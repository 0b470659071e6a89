"""A ruling of any game that is entered late is as if it had been entered in time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.application import Ledger
from ledger.rules import systems
from ledger.rules.kernel.refusals import Refused
from tests.kernel.in_time import Tally, compare_with_in_time
from tests.kernel.test_taking_back import with_lanterns
from tests.levels import examples

WORDS = 30
CAMPAIGNS = 20  # until something could be entered late
EXAMPLES = examples(1, 2, 30)
few = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def look_for_one(ledger: Ledger, name: str, tally: Tally) -> Callable[[], None]:
    """Return a law about campaigns in which something was entered late."""

    @few
    @given(seed=st.integers(0, 2**32))
    def find_one(seed: int) -> None:
        for number in range(CAMPAIGNS):
            try:
                if compare_with_in_time(ledger, name, seed + number, WORDS, tally):
                    return
            except Refused:  # its dials do not go together
                continue
        raise AssertionError(f"Nothing was entered late: {tally}")

    return find_one


@pytest.mark.parametrize("name", sorted(systems()))
def test_it_is_as_if_entered_in_time(name: str, ledger: Ledger) -> None:
    tally = Tally()
    look_for_one(ledger, name, tally)()
    assert tally.entered >= EXAMPLES


def test_so_it_is_for_a_game_without_tests_of_its_own(database: str) -> None:
    tally = Tally()
    with with_lanterns(database) as ledger:
        look_for_one(ledger, "lanterns", tally)()
    assert tally.entered >= EXAMPLES
