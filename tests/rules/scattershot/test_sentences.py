"""What is said of this game: sentences that choose their words, and refusals that name their culprit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from ledger.rules.kernel.dials import dial_fields
from ledger.rules.kernel.phrases import fields_of, of_context
from ledger.rules.kernel.subjects import Subject
from ledger.rules.scattershot import RULESET
from tests.laws.test_phrases import unfit
from tests.rules import refusals
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.test_refusals import REFUSALS, SPECIFIED

PHRASES = RULESET.phrases


class People:
    def name(self, subject: Subject) -> str:
        known = {
            "1": "Aria",
            "2": "Brom",
            "3": "Cora",
            "4": "the Ogre",
            "ann": "Ann",
            "bob": "Bob",
            "cid": "Cid",
            "o": "Olga",
        }
        return known.get(subject.id, "the Gamemaster" if subject.id == "gm" else f"unknown {subject}")


def missing(places: Iterator[tuple[str, set[str]]]) -> list[tuple[str, list[str]]]:
    """What a sentence cannot do without, and the place does not give."""
    wrong = []
    for code, given in places:
        needed = set(fields_of(re.sub(r"\[[^\[\]]*\]", "", PHRASES.refusals[code])))
        wrong += [(code, sorted(needed - given))] if needed - given else []
    return wrong


def test_every_code_of_the_specification_has_a_sentence() -> None:
    assert sorted(set(SPECIFIED) - {"unknown-dial"} - set(PHRASES.refusals)) == []
    assert sorted(set(PHRASES.refusals) - set(SPECIFIED)) == []


def test_every_place_that_refuses_gives_what_its_sentence_says() -> None:
    assert missing(refusals.told("scattershot", "no")) == []
    assert missing(iter([("self-gift", set[str]()), ("not-enough-dice", {"n"})])) == [("not-enough-dice", ["has"])]


@pytest.mark.parametrize(("dials", "before", "do", "by", "rule", "code"), REFUSALS, ids=[row[-1] for row in REFUSALS])
def test_a_refusal_reads_like_people_talk(
    dials: dict[str, Any], before: tuple[Any, ...], do: Any, by: str, rule: str, code: str
) -> None:
    game = Game(**dials)
    for step in before:
        game.does(step)
    no = game.refusal(do, by=by)
    if code in PHRASES.refusals:
        said = of_context(PHRASES.refusals[code], no.context, PHRASES, People())
        assert unfit(said, no) == [] and "unknown" not in said, said
        assert not said.endswith((" .", "]", ": .")) and said[0].isupper() | said[0].isdigit(), said


def test_no_dial_is_told_by_the_sentence_of_a_step() -> None:
    """What a dial says is cited under its rule, and has none of the numbers that the sentence needs."""
    dials = {field.metadata["rule"] for field in dial_fields(RULESET.dials).values()}
    assert PHRASES.steps and set(PHRASES.steps) <= set(RULESET.rules)
    for rule in dials & set(PHRASES.steps):
        phrase = PHRASES.steps[rule]
        assert isinstance(phrase, str) and set(fields_of(phrase)) - {"out", "dial"}, rule
