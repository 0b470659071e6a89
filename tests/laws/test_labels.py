"""What games call the fields of their states: words for people, of what there is; for every system in the registry."""

from __future__ import annotations

import re

import pytest

from ledger.rules import systems
from ledger.rules.kernel.domains import REFERENCES
from tests.rules.anything import play

EVERY = pytest.mark.parametrize("name", sorted(systems()))
#: What a field can refer to beside what inputs do: a word of the labels; an id that means nothing to people.
OWN = {"word", "id", "audience", "session"}
#: Short ones, that say what they mean.
WORDS = ("by", "to")


@EVERY
def test_labels_are_words_for_people(name: str) -> None:
    for field, said in systems()[name].labels.items():
        assert said and said == said.strip() and "_" not in said and said[:1].isupper(), field


@EVERY
def test_fields_refer_to_what_there_is(name: str) -> None:
    system = systems()[name]
    assert {*system.refers.values(), *system.steps.values()} <= {*REFERENCES, *system.references, *OWN}
    rules = [one for one in system.steps if "." in one]
    assert [one for one in rules if one not in system.rules] == []


@EVERY
def test_what_steps_were_given_is_called_by_words(name: str) -> None:
    """A name of the code, such as `tn` or `attack4`, has its label."""
    system = systems()[name]
    given = {
        one
        for seed in range(4)
        for verdict in play(name, seed, 60).verdicts
        for step in verdict.because
        for one in step.given
    }
    assert [
        one
        for one in sorted(given - {*system.labels})
        if re.search("[0-9]", one) or (len(one) < 3 and one not in WORDS)
    ] == []


@EVERY
def test_titles_of_accounts_have_the_places_of_their_forms(name: str) -> None:
    for one in systems()[name].accounts:
        places = set(re.findall(r"<(\w+)>", one.form))
        assert set(re.findall(r"<(\w+)>", one.title)) <= places and len(places) == one.form.count("<"), one.form
