"""Sentences in a game's own words, and sentences that depend on a field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from ledger.rules.kernel.domains import Between, CharacterId, OneOf, Reason
from ledger.rules.kernel.phrases import Names, Phrase, sentence
from ledger.rules.kernel.speech import Speech
from ledger.rules.kernel.subjects import Subject, character

Metal = Annotated[str, OneOf(("gold", "iron"))]


@dataclass(frozen=True, slots=True)
class Gift:
    giver: CharacterId
    metal: Metal | None = None
    coins: Mapping[Metal, Annotated[int, Between(0)]] | None = None
    number: Annotated[int, Between(0)] = 1
    house: Reason = ""


@dataclass(frozen=True, slots=True)
class Burial:
    subject: Metal


class People:
    def name(self, subject: Subject) -> str:
        return {"1": "Steve", "2": "Sarah"}.get(subject.id, "somebody")


def say_metal(value: Any, names: Names) -> str:
    return {"gold": "fine gold"}.get(value, "") if isinstance(value, str) else ""


def say_house(value: str, names: Names) -> str:
    return f"House {value.title()}"


BY_FIELD = Speech({"house": say_house})
BY_WORD = Speech(words=say_metal)


@pytest.mark.parametrize(
    ("speech", "gift", "text"),
    [
        (BY_FIELD, Gift("1", house="nuin"), "Steve gives to House Nuin."),
        (BY_FIELD, Gift("1", "gold"), "Steve gives gold."),
        (BY_WORD, Gift("1", "gold", house="nuin"), "Steve gives fine gold to nuin."),
        (BY_WORD, Gift("1", "iron"), "Steve gives iron."),
        (BY_WORD, Gift("1", coins={"gold": 2}), "Steve gives gold 2."),
        (BY_WORD, Gift("1", house="gold"), "Steve gives to gold."),
    ],
)
def test_a_field_is_put_in_the_games_words_or_by_its_domain(speech: Speech, gift: Gift, text: str) -> None:
    assert speech.say("{giver} gives[ {metal}][ {coins}][ to {house}].", gift, People()) == text


def test_brackets_in_somebodys_own_words_are_no_template() -> None:
    assert BY_FIELD.say("To {house}.", Gift("1", house="[the {giver}"), People()) == "To House [The {Giver}."


def test_a_text_that_ends_with_a_full_stop_gets_no_second() -> None:
    assert BY_FIELD.say("It goes to {house}. Good.", Gift("1", house="st."), People()) == "It goes to House St. Good."


def test_a_field_called_subject_goes_before_the_facts_subject() -> None:
    phrases = BY_WORD.word_phrases({Burial: "{subject} is buried."})
    assert sentence(phrases[Burial], Burial("gold"), People(), character("2")) == "Fine gold is buried."
    assert sentence(phrases[Burial], Burial("iron"), People(), character("2")) == "Sarah is buried."


def test_only_templates_with_own_words_are_wrapped() -> None:
    def say_gift(gift: Gift, names: Names) -> str:
        return "A gift of {metal}."

    phrases: Mapping[type[object], Phrase]
    for phrase in ("{giver} gives.", "{number:coin|coins}.", say_gift):
        phrases = {Gift: phrase}
        assert BY_WORD.word_phrases(phrases) == BY_FIELD.word_phrases(phrases) == phrases
    worded = BY_WORD.word_phrases({Gift: "{giver} gives[ {metal}]."})[Gift]
    assert sentence(worded, Gift("1", "gold"), People(), character("2")) == "Steve gives fine gold."


def test_a_phrase_for_each_value() -> None:
    says = BY_WORD.by_value("number", {1: "One coin of {metal}.", 2: "A pair."})
    assert says(Gift("1", "gold"), People()) == "One coin of fine gold."
    assert says(Gift("1", "gold", number=2), People()) == "A pair."


@pytest.mark.parametrize("house", ["", " \n"])
def test_a_phrase_for_a_field_without_a_value(house: str) -> None:
    says = BY_FIELD.whether("house", "For {house}.", "For nobody.")
    assert says(Gift("1", house="nuin"), People()) == "For House Nuin."
    assert says(Gift("1", house=house), People()) == "For nobody."
    assert BY_FIELD.whether("number", "Some.", "None.")(Gift("1", number=0), People()) == "None."
