"""The worked examples of the source, as data."""

import pytest

from api.http.examples import list_examples
from ledger.rules.scattershot import RULESET
from tests.rules.examples import PurePlayer, play, world_for

EXAMPLES = list_examples("scattershot")
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])


@each
def test_comes_out_as_written(example):
    world = world_for(RULESET, example)
    outcomes = play(PurePlayer(world), example, "gm")
    assert len(outcomes) == len(example["step"])
    assert not [subject for subject, folded in world.past.folded.items() if folded.adrift]


@each
def test_names_rules_of_the_book(example):
    assert set(example["rules"]) <= set(RULESET.rules)


def test_the_contradictions_say_so():
    """The list of damages for 6 or 7, and how far below 0 a Catastrophic Failure begins."""
    assert [example["name"][:4] for example in EXAMPLES if "contradicts" in example["name"]] == ["CJ 7", "CJ 7"]
