"""The worked examples of the source and the derived cases, as data."""

import re

import pytest

from api.http.examples import list_examples
from ledger.rules.mongrel import RULESET
from tests.rules.examples import PurePlayer, play, world_for

EXAMPLES = list_examples("mongrel")


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
    numbers = [re.match(r"E(\d+) ", example["name"]) for example in EXAMPLES]
    assert sorted({int(found[1]) for found in numbers if found}) == list(range(1, 17))


def test_the_contradictions_say_so():
    named = [e for e in EXAMPLES if "contradicts" in e["name"] or "contradicts" in e.get("source", "")]
    assert {e["name"].split(" ")[0].rstrip(":") for e in named} == {"E4", "E5", "E6", "E7", "E12"}
