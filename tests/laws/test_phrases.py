"""Every class of a system has a sentence: over fields that exist, with names in it, and it reads like people talk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given

from ledger.rules import systems
from ledger.rules.kernel import commands, facts
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.domains import fields_without_domain, marked_hints
from ledger.rules.kernel.phrases import Phrases, fields_of, sentence
from ledger.rules.kernel.sentences import PHRASES as KERNEL
from ledger.rules.kernel.subjects import Subject
from tests.laws.test_domains import talkative
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.rules import refusals
from tests.rules.anything import play
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
            named = fields_of(phrase) if isinstance(phrase, str) else ()
            missing = [one for one in named if one not in marked_hints(cls) and one != "subject"]
            wrong += [f"{cls.__name__} has no {one}" for one in missing]
    return wrong


@system
def test_every_class_has_a_phrase_over_fields_it_has(name: str) -> None:
    game = talkative(name)
    assert silent(game.phrases, game.inputs, game.choices, game.facts) == []


def test_the_kernels_classes_have_theirs() -> None:
    assert silent(KERNEL, commands.INPUTS, (), facts.FACTS) == []


def test_a_silent_class_and_a_field_that_is_not_there_are_found() -> None:
    planted = Phrases(inputs={commands.Retire: "{character} leaves: {excuse}."})
    assert silent(planted, (commands.Retire, commands.CloseScene), (), ()) == [
        "CloseScene has none", "Retire has no excuse",
    ]  # fmt: skip


@system
def test_every_refusal_has_a_sentence(name: str) -> None:
    if not (refusals.RULES / name).exists():
        pytest.skip(f"{name} is no folder of ours: its refusals cannot be read off")
    assert sorted(refusals.codes(name) - set(talkative(name).phrases.refusals) - set(KERNEL.refusals)) == []


@system
def test_facts_say_of_their_fields_what_they_hold(name: str) -> None:
    """Or a person in them would be told by number."""
    bare = [one for cls in talkative(name).facts for one in fields_without_domain(cls) if one.endswith("a bare text")]
    assert bare == []


class Named:
    """Everybody by a name that no id looks like; whoever is not there is found."""

    def __init__(self, game: World) -> None:
        self.game = game

    def name(self, subject: Subject) -> str:
        return f"N{'abcdefghij'[len(subject.id) % 10]}me"


def told(game: World, phrases: Mapping[type[Any], Any]) -> Iterator[tuple[str, Any]]:
    names = Named(game)
    for past in game.history:
        yield sentence(phrases[type(past.declared)], past.declared, names), past.declared
        for subject, one in past.facts:
            yield sentence(phrases[type(one.fact)], one.fact, names, subject), one.fact


def unfit(text: str, record: Any) -> list[str]:
    """What nobody at a table would say."""
    wrong = [] if text.strip().endswith((".", "!", "?", "”", ":")) else ["has no end"]
    wrong += [f"says {bad}" for bad in ("None", "True", "False", "{", "}", "()", "[]", "  ") if bad in text]
    wrong += ["names its class"] if type(record).__name__ in text and "_" in type(record).__name__ else []
    wrong += ["names an id"] if re.search(r"\b(character|seat|scene):\w+", text) else []
    return wrong


def all_of(game: AnyRuleset) -> dict[type[Any], Any]:
    return {**KERNEL.inputs, **KERNEL.facts, **game.phrases.inputs, **game.phrases.facts}


@every_system
@slowly
@given(seed=SEEDS)
def test_what_is_played_reads_like_people_talk(name: str, seed: int) -> None:
    talkative(name)
    game = play(name, seed, 40)
    for text, record in told(game, all_of(game.ruleset)):
        assert unfit(text, record) == [], (text, record)


def test_what_nobody_says_is_found() -> None:
    found = [unfit(text, object()) for text in ("Steve hits None.", "Steve hits character:7.", "Steve hits", "Well.")]
    assert [bool(one) for one in found] == [True, True, True, False]
