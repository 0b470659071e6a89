"""A ruling in one sentence: what was declared, and what it came to."""

from __future__ import annotations

import pytest

from projections.wording import sum_up

ANN, BOB = "\x01character:1\x01", "\x01character:2\x01"
TOLD: tuple[tuple[str, list[str], str], ...] = (
    ("The dice are rolled.", ["The order is as it was."], "The dice are rolled: the order is as it was."),
    ("The outcome is settled.", ["It is a success."], "The outcome is settled: it is a success."),
    ("The dice are rolled.", ["Telling Blow: it lasts."], "The dice are rolled: Telling Blow: it lasts."),
    ("The dice are rolled.", [f"{BOB} rolls 5."], f"The dice are rolled: {BOB} rolls 5."),
    ("The dice are rolled.", ["“The end.”"], "The dice are rolled: “The end.”"),
    ("It is counted.", ["The MIB is 2.", "The die is back."], "It is counted: the MIB is 2; the die is back."),
    ("What lasts of it?", ["The scar lasts.", "The fear lasts."], "The scar lasts; the fear lasts."),
    (f"{ANN} leaps: over it.", [f"{ANN} leaps, 10 or less."], f"{ANN} leaps, 10 or less."),
    (f"{ANN} grows.", [f"{ANN} gets 2 points."], f"{ANN} grows, and gets 2 points."),
    (f"{ANN} is to respond.", [f"{BOB} does nothing."], f"{ANN} is to respond: {BOB} does nothing."),
    ("The dice are rolled.", [], "The dice are rolled."),
)


@pytest.mark.parametrize(("declared", "facts", "text"), TOLD, ids=[one[2].replace("\x01", "") for one in TOLD])
def test_it_is_one_sentence(declared: str, facts: list[str], text: str) -> None:
    assert sum_up(declared, facts) == text
