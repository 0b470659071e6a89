"""The worked examples of the source and the derived cases, as data."""

import re

import pytest

from api.http.examples import list_examples
from ledger.rules.mnemonic import RULESET
from tests.rules.examples import PurePlayer, play, world_for

EXAMPLES = list_examples("mnemonic")
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
    found = {name for source in OF_THE_SOURCE for name in re.findall(r"E\d+b?", source)}
    assert found == {*(f"E{number}" for number in range(1, 18)), "E1b", "E3b"}
