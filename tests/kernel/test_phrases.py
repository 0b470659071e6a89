"""Phrases: templates over fields, filled in by their domains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from ledger.rules.kernel import sentences
from ledger.rules.kernel.commands import Amend
from ledger.rules.kernel.domains import Between, CharacterId, OneOf, Reason, Ref, SeatId, list_fields_without_domain
from ledger.rules.kernel.phrases import Phrases, fill_from_context, list_fields, listed, sentence
from ledger.rules.kernel.subjects import Subject, character


@dataclass(frozen=True, slots=True)
class Coin:
    first: Annotated[str, OneOf(("heads-up", "tails"))]
    worth: Annotated[int, Between(1, 9)] = 1


@dataclass(frozen=True, slots=True)
class Blow:
    actor: CharacterId
    targets: tuple[CharacterId, ...]
    harm: Annotated[int, Between(0, 20)] = 2
    weapon: Annotated[str, OneOf(("long-sword", "fist"))] | None = None
    by: SeatId | None = None
    why: Reason = ""
    spent: Mapping[Annotated[str, OneOf(("melee",))], Annotated[int, Between(0, 9)]] | None = None
    coin: Coin | None = None


@dataclass(frozen=True, slots=True)
class Careless:
    whom: str
    count: int
    anything: Any
    several: tuple[str, ...]
    by_name: Mapping[str, Annotated[int, Between(0)]]
    referred: Annotated[str, Ref("possession", of="whom")]
    inner: tuple[Coin, ...] = ()


class People:
    def name(self, subject: Subject) -> str:
        return {"1": "Steve", "2": "Sarah", "s1": "Ann"}.get(subject.id, "somebody")


BLOW = Blow("1", ("2", "9"))


@pytest.mark.parametrize(
    ("phrase", "record", "text"),
    [
        ("{actor} hits {targets}.", BLOW, "Steve hits Sarah and somebody."),
        ("{actor} hits[ with a {weapon}][ for {by}].", BLOW, "Steve hits."),
        (
            "{actor} hits[ with a {weapon}][ for {by}].",
            Blow("1", (), weapon="long-sword", by="s1"),
            "Steve hits with a long sword for Ann.",
        ),
        ("{harm:point|points} lost.", BLOW, "2 points lost."),
        ("{harm:point|points} lost.", Blow("1", (), 1), "1 point lost."),
        ("{targets} are hit: {why}", Blow("1", (), why=" it-was_dark "), "None are hit: it-was_dark"),
        ("{targets} are hit[: {why}].", Blow("1", ("2",), why="Why not?"), "Sarah are hit: Why not?"),
        ("{targets} are hit: {why}. Well.", Blow("1", ("2",), why="So."), "Sarah are hit: So. Well."),
        (
            "it costs {spent}; {coin}",
            Blow("1", (), spent={"melee": 3}, coin=Coin("heads-up")),
            "It costs melee 3; heads up 1",
        ),
        ("{subject} is hit by {actor}.", BLOW, "Sarah is hit by Steve."),
    ],
)
def test_a_phrase_is_filled_in_by_domain(phrase: str, record: Blow, text: str) -> None:
    assert sentence(phrase, record, People(), character("2")) == text


def test_a_function_can_choose() -> None:
    def chosen(done: Blow, names: Any) -> str:
        return f"{names.name(character(done.actor))} misses." if not done.harm else "a hit."

    assert sentence(chosen, Blow("1", (), 0), People()) == "Steve misses."
    assert sentence(chosen, BLOW, People()) == "A hit."


def test_a_template_that_a_function_chooses_says_what_the_fact_is_about() -> None:
    def chosen(done: Blow, names: Any) -> str:
        return sentence("{subject} is spared by {actor}." if not done.harm else "{subject} is hit.", done, names)

    assert sentence(chosen, Blow("1", (), 0), People(), character("2")) == "Sarah is spared by Steve."
    assert sentence(chosen, BLOW, People(), character("2")) == "Sarah is hit."


def test_a_function_knows_what_the_fact_is_about() -> None:
    def about(done: Blow, names: Any) -> str:
        return f"{names.name(names.subject)}, as {names.name(character(done.actor))} sees it."

    assert sentence(about, BLOW, People(), character("2")) == "Sarah, as Steve sees it."


@dataclass(frozen=True, slots=True)
class Missed:
    by: Annotated[Any, Between()] | None = None


def test_a_number_that_may_be_missing_and_is_checked_by_its_rule() -> None:
    assert [sentence("By {by}.", Missed(by), People()) for by in (3, None)] == ["By 3.", "By nothing."]


def test_what_is_no_phrase_is_refused() -> None:
    for wrong in ("{actor", "[{actor}", "{a b}", "x]"):
        with pytest.raises(ValueError, match="not a phrase"):
            list_fields(wrong)
    assert list_fields("{actor} hits[ with {weapon}]: {harm:point|points}") == ("actor", "weapon", "harm")


def test_contexts_are_filled_in_by_what_they_are_called() -> None:
    context = {"character": "1", "target": ["1", "2"], "seat": "s1", "have": 2, "need": 1}
    phrase = "{character} has {have:die|dice}, {need:die|dice} wanted; {target}, says {seat}[, {missing}]."
    assert fill_from_context(phrase, context, Phrases(), People()) == (
        "Steve has 2 dice, 1 die wanted; Steve and Sarah, says Ann."
    )


def test_contexts_say_a_systems_own_words() -> None:
    said = Phrases(words={"8C": "the 8 of clubs", "2D": "the 2 of diamonds"})
    assert fill_from_context("{card}: {cards}.", {"card": "8C", "cards": ["8C", "2D"]}, said, People()) == (
        "The 8 of clubs: the 8 of clubs and the 2 of diamonds."
    )
    odd = {"card": "credit-note", "cards": ["8C", {"of": "none"}]}
    assert fill_from_context("{card}: {cards}.", odd, said, People()).startswith("Credit note: 8C and")


def test_an_amended_field_reads_without_the_marks_of_a_pointer() -> None:
    amend = Amend("character:1", "skills/Sword~1Axe", 2, "noted wrongly")
    describe = sentences.PHRASES.inputs[Amend]
    assert callable(describe)
    assert describe(amend, People()) == "The table changes Steve's Sword/Axe (skills) to 2: noted wrongly."


def test_lists_read_as_people_write_them() -> None:
    assert [listed(parts) for parts in ((), ("a",), ("a", "b"), ("a", "b", "c"))] == [
        "none",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_a_field_without_domain_is_found_wherever_it_hides() -> None:
    assert list(list_fields_without_domain(Blow)) == []
    assert sorted(list_fields_without_domain(Careless)) == [
        "Careless.anything: untyped",
        "Careless.by_name{}: a bare text",
        "Careless.count: a number without limits",
        "Careless.several[]: a bare text",
        "Careless.whom: a bare text",
    ]
