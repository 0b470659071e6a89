"""The book's worked examples, as data, on the pure rules."""

from __future__ import annotations

from typing import Any

import pytest

from api.http.examples import list_examples
from ledger.rules.moc import RULESET
from tests.rules.examples import PurePlayer, play, world_for

EXAMPLES = list_examples("moc")


@pytest.mark.parametrize("example", EXAMPLES, ids=[one["name"] for one in EXAMPLES])
def test_an_example_comes_out_as_written(example: dict[str, Any]) -> None:
    outcomes = play(PurePlayer(world_for(RULESET, example)), example, "gm")
    assert len(outcomes) == len(example["step"])
    assert set(example["rules"]) <= set(RULESET.rules)


def test_every_worked_example_is_there() -> None:
    named = " ".join(one["name"] for one in EXAMPLES)
    for number in (*range(1, 13), 14, 15, 16, 17, 18, 24, 27):
        assert f"E{number} " in named
