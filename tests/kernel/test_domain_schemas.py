"""Domains as JSON Schema shows them."""

from __future__ import annotations

from typing import Annotated

from pydantic import TypeAdapter

from api.http.domain_schemas import find_sentence, find_title, make_field_type
from api.http.forms import load_forms
from ledger.rules.kernel.domains import Between, CharacterId, OneOf, Says


def test_a_title_of_the_whole_leaves_the_parts_of_a_union_their_domains() -> None:
    """`Annotated[CharacterId | None, Says("Holder")]`: titled, and still a reference."""
    words = Annotated[str, OneOf(("calm", "invested"))]
    for part, shown in ((CharacterId, ("x-ref", {"to": "character"})), (words, ("enum", ["calm", "invested"]))):
        hint = make_field_type(part | None, (Says("Holder"),), {}, is_limited=True)
        first, _ = TypeAdapter(hint).json_schema()["anyOf"]
        assert (first["title"], first[shown[0]]) == ("Holder", shown[1])


def test_what_the_parts_of_a_union_say_is_said_of_the_field() -> None:
    """`CharacterId | None` where the id says its own title: the field has it, not its name."""
    holder = Annotated[str, Says("Holder", "Who has it.")]
    assert (find_title("held_by", holder | None), find_sentence(holder | None)) == ("Holder", "Who has it.")
    assert (find_title("held_by", holder), find_sentence(holder)) == ("Holder", "Who has it.")
    whole = Annotated[holder | None, Says("Keeper")]
    assert (find_title("held_by", whole), find_sentence(whole)) == ("Keeper", "")
    assert (find_title("held_by", str | None), find_sentence(str | None)) == ("Held by", "")


def test_words_alone_are_an_enumeration() -> None:
    assert TypeAdapter(make_field_type(str, (OneOf(("a", "b")),), {}, is_limited=True)).json_schema()["enum"] == [
        "a",
        "b",
    ]


def test_what_a_field_refers_to_is_said_where_it_says_nothing_itself() -> None:
    actor = load_forms("mongrel").inputs["attack"].model_json_schema()["properties"]["actor"]
    assert actor["description"] == "The id of a character in this campaign."
    kind = load_forms("mongrel").inputs["attack"].model_json_schema()["properties"]["hit_kind"]
    assert (kind["title"], kind["description"]) == (
        "Kind of hit",
        "Physical damage, a spiritual loss of Infernal Resolve, or neither.",
    )


def test_of_two_titles_the_outer_one_counts() -> None:
    """`Annotated[Dice, Says("Penalty", ...)]`, where a number of dice has a title of its own."""
    dice = Annotated[int, Between(0, 9), Says("Dice", "How many.")]
    penalty = Annotated[dice, Says("Penalty", "Dice that are taken.")]
    assert (find_title("x", penalty), find_sentence(penalty)) == ("Penalty", "Dice that are taken.")
    for hint in (penalty, penalty | None):
        shown = TypeAdapter(make_field_type(hint, (), {}, is_limited=True)).json_schema()
        shown = shown.get("anyOf", [shown])[0]
        assert (shown["title"], shown["description"], shown["maximum"]) == ("Penalty", "Dice that are taken.", 9)
