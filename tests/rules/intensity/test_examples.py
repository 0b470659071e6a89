"""The worked examples of the source and the derived cases, as data."""

import pytest

from api.http.examples import list_examples
from ledger.rules.intensity import RULESET
from tests.rules.examples import PurePlayer, play, world_for

EXAMPLES = list_examples("intensity")
OF_THE_SOURCE = [example["source"] for example in EXAMPLES if "source" in example]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_comes_out_as_written(example):
    world = world_for(RULESET, example)
    outcomes = play(PurePlayer(world), example, "gm")
    assert len(outcomes) == len(example["step"])
    assert not [subject for subject, folded in world.past.folded.items() if folded.adrift]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_names_rules_of_the_book(example):
    assert set(example["rules"]) <= set(RULESET.rules)


def test_every_example_of_the_source_is_there():
    assert [source.partition(":")[0] for source in OF_THE_SOURCE] == [
        "Example 1",
        "Example 2",
        "Example 3",
        "Example 4",
    ]
