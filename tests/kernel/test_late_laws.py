"""A ruling of any game that is entered late is as if it had been entered in time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.application import Ledger
from ledger.rules import systems
from ledger.rules.kernel.refusals import Refused
from tests.kernel.in_time import Tally, compare_with_in_time
from tests.kernel.test_taking_back import with_lanterns
from tests.levels import examples, sampled

WORDS = 30
CAMPAIGNS = 20  # until something could be entered late
#: Games in which random play soon has a ruling that changes how a later one comes out, not only whether it can be made.
RULED_AGAIN = ("mnemonic", "moc", "mongrel", "scattershot")
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


@pytest.mark.parametrize("name", sampled(RULED_AGAIN, 1, salt="ruled again"))
def test_so_it_is_where_later_rulings_are_ruled_again(name: str, ledger: Ledger) -> None:
    tally = Tally()
    for seed in range(5 * CAMPAIGNS):
        with suppress(Refused):
            compare_with_in_time(ledger, name, seed, WORDS, tally)
        if tally.reruled:
            return
    raise AssertionError(f"Nothing was ruled again: {tally}")


def test_so_it_is_for_a_game_without_tests_of_its_own(database: str) -> None:
    tally = Tally()
    with with_lanterns(database) as ledger:
        look_for_one(ledger, "lanterns", tally)()
    assert tally.entered >= EXAMPLES
