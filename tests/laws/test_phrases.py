"""Every class of a system has a sentence: over fields that exist, with names in it, and it reads like people talk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.kernel import commands, facts
from ledger.rules.kernel.domains import list_fields_without_domain, load_marked_hints
from ledger.rules.kernel.phrases import Phrases, list_fields
from ledger.rules.kernel.sentences import PHRASES as KERNEL
from ledger.rules.kernel.subjects import Subject, parse_subject
from projections.wording import Wording, fill_in_names, find_statement, sum_up, word_fact
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.rules.anything import play
from tests.rules.refusals import heard, unsaid
from tests.rules.world import World

SYSTEMS = sorted(systems())
system = pytest.mark.parametrize("name", SYSTEMS)
Classes = tuple[type[Any], ...]


def silent(phrases: Phrases, inputs: Classes, choices: Classes, told: Classes) -> list[str]:
    """Classes without a phrase, and phrases that use a field their class does not have."""
    wrong = []
    for classes, known in ((inputs, phrases.inputs), (choices, phrases.choices), (told, phrases.facts)):
        wrong += [f"{cls.__name__} has none" for cls in classes if cls not in known]
        for cls, phrase in known.items():
            named = list_fields(phrase) if isinstance(phrase, str) else ()
            missing = [one for one in named if one not in load_marked_hints(cls) and one != "subject"]
            wrong += [f"{cls.__name__} has no {one}" for one in missing]
    return wrong


@system
def test_every_class_has_a_phrase_over_fields_it_has(name: str) -> None:
    game = systems()[name]
    assert silent(game.phrases, game.inputs, game.choices, game.facts) == []


def test_the_kernels_classes_have_theirs() -> None:
    assert silent(KERNEL, commands.INPUTS, (), facts.FACTS) == []


def test_a_silent_class_and_a_field_that_is_not_there_are_found() -> None:
    planted = Phrases(inputs={commands.Retire: "{character} leaves: {excuse}."})
    assert silent(planted, (commands.Retire, commands.CloseScene), (), ()) == [
        "CloseScene has none",
        "Retire has no excuse",
    ]


@system
def test_every_refusal_has_a_sentence_of_what_it_gives(name: str) -> None:
    """Of all that is refused while a few campaigns are played; for our games, `tests/rules` plays until all is met."""
    with heard() as refusals:
        for seed in range(6):
            play(name, seed, 60)
    assert refusals.codes and unsaid(systems()[name], refusals) == []


def test_a_refusal_without_its_sentence_is_found() -> None:
    with heard() as refusals:
        for seed in range(6):
            play("toy", seed, 60)
    toy = systems()["toy"]
    met = sorted(refusals.codes & toy.phrases.refusals.keys())
    silent, short = met[0], met[-1]
    told = {code: phrase for code, phrase in toy.phrases.refusals.items() if code != silent}
    other = replace(toy, phrases=replace(toy.phrases, refusals={**told, short: "{hands:hand|hands}."}))
    assert silent != short and set(unsaid(other, refusals)) == {f"{silent} has no sentence", f"{short} without hands"}


@system
def test_facts_say_of_their_fields_what_they_hold(name: str) -> None:
    """Or a person in them would be told by number."""
    bare = [
        one for cls in systems()[name].facts for one in list_fields_without_domain(cls) if one.endswith("a bare text")
    ]
    assert bare == []


class Named:
    """Everybody by a name that no id looks like; whoever is not there is found."""

    def __init__(self, game: World) -> None:
        self.game = game

    def name(self, subject: Subject) -> str:
        return f"N{'abcdefghij'[len(subject.id) % 10]}me"


def told(game: World) -> Iterator[tuple[str, Any]]:
    """Everything that documents say of what was played."""
    wording = Wording(game.ruleset)
    for past, verdict in zip(game.history, game.verdicts, strict=True):
        yield wording.word_input(past.declared), past.declared
        weighed = [word_fact(subject, one.fact) for subject, one in past.facts]
        yield sum_up(wording.word_input(past.declared), weighed[-1:]), past.declared
        for subject, one in past.facts:
            yield word_fact(subject, one.fact), one.fact
        for said in past.said:
            assert said.question is not None
            yield wording.word_question(said.question), said
            yield wording.word_answer(said.question, json_form.answer_to_json(said.answer)), said
        for step in verdict.because:
            said_of = wording.word_step(step.rule, json_form.to_json(step.given), json_form.to_json(step.out))
            yield (said_of if said_of is not None else find_statement(step.rule)), step


def unfit(text: str, record: Any) -> list[str]:
    """What nobody at a table would say."""
    wrong = [] if text.strip().endswith((".", "!", "?", "”", ":")) else ["has no end"]
    wrong += ["ends twice"] if text.strip().endswith("”.") else []
    wrong += [f"says {bad}" for bad in ("None", "True", "False", "{", "}", "()", "[]", "  ") if bad in text]
    wrong += ["names its class"] if type(record).__name__ in text and "_" in type(record).__name__ else []
    wrong += ["names an id"] if re.search(r"\b(character|seat|scene):\w+", text) else []
    return wrong


@every_system
@slowly
@given(seed=SEEDS)
def test_what_is_played_reads_like_people_talk(name: str, seed: int) -> None:
    game = play(name, seed, 40)
    for opened, record in told(game):
        text = fill_in_names(opened, lambda subject: Named(game).name(parse_subject(subject)))
        assert unfit(text, record) == [], (text, record)


WRONG = ("Steve hits None.", "Steve hits character:7.", "Steve hits", "Steve: “Ha!”.", "Well.")


def test_what_nobody_says_is_found() -> None:
    found = [unfit(text, object()) for text in WRONG]
    assert [bool(one) for one in found] == [True, True, True, True, False]
