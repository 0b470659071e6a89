"""What was declared and what it came to, in one sentence: nobody is named twice, nothing is told twice."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.subjects import character
from projections.wording import NAMES, sum_up

ANN, BEN = (NAMES.name(character(id)) for id in ("1", "2"))
TOLD: tuple[tuple[str, list[str], str], ...] = (
    # somebody does one thing and then another
    (f"{ANN} tries Rend.", [f"{ANN} fails."], f"{ANN} tries Rend, and fails."),
    (f"{ANN} tries Rend.", [f"{ANN} fails.", f"{BEN} stands."], f"{ANN} tries Rend, and fails; {BEN} stands."),
    # somebody else, or something of theirs, or several people
    (f"{ANN} tries Rend.", [f"{BEN} falls."], f"{ANN} tries Rend: {BEN} falls."),
    (f"{ANN} tries Rend.", [f"{ANN}'s arm hurts."], f"{ANN} tries Rend: {ANN}'s arm hurts."),
    (f"{ANN} trades.", [f"{ANN} and {BEN} trade a card."], f"{ANN} trades: {ANN} and {BEN} trade a card."),
    (f"{ANN} and {BEN} roll.", [f"{ANN} rolls 3."], f"{ANN} and {BEN} roll: {ANN} rolls 3."),
    (f"{ANN}, {BEN} and others roll.", [f"{ANN} rolls 3."], f"{ANN}, {BEN} and others roll: {ANN} rolls 3."),
    # two things done already
    (f"{ANN} is hit, and rolls.", [f"{ANN} falls."], f"{ANN} is hit, and rolls: {ANN} falls."),
    # the same, or more of the same, or a long one
    (f"{ANN} rests.", [f"{ANN} rests."], f"{ANN} rests."),
    (f"{ANN} rests.", [f"{ANN} rests for 2 hours."], f"{ANN} rests for 2 hours."),
    (f"{ANN} rests: at last.", [f"{ANN} heals."], f"{ANN} heals."),
    (f"{ANN} rests.", [], f"{ANN} rests."),
)


@pytest.mark.parametrize(("declared", "facts", "headline"), TOLD)
def test_a_headline_says_who_once(declared: str, facts: list[str], headline: str) -> None:
    assert sum_up(declared, facts) == headline
