"""The one parser: what people send, as records, and every mistake with where it is and what was meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from ledger.application.parser import MOST_MISTAKES, Mistake, Mistaken, parse, parse_value
from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.domains import MOST_ITEMS, Between, CharacterId, OneOf, Reason, Title

Skill = Annotated[str, OneOf(("melee", "smooth-talker", "Mekag"))]


@dataclass(frozen=True, slots=True)
class Pick:
    skill: Skill
    level: Annotated[int, Between(1, 9)] = 1


@dataclass(frozen=True, slots=True)
class Sheet:
    name: Title
    house: Literal["blue", "red"]
    picks: tuple[Pick, ...] = ()
    worth: Mapping[Skill, Annotated[int, Between(0)]] | None = None
    body: tuple[Annotated[int, Between(1, 6)], Annotated[int, Between(1, 6)]] | Literal["none"] = "none"
    friend: CharacterId | None = None
    age: Annotated[object, Between(0)] | None = None
    why: Reason = ""
    npc: bool = False


GOOD: dict[str, Any] = {"name": "Ann", "house": "red"}


def test_what_the_types_allow_becomes_the_record() -> None:
    whole = GOOD | {
        "picks": [{"skill": "melee", "level": 9}],
        "worth": {"melee": 0},
        "body": [1, 6],
        "friend": "7",
        "npc": True,
    }
    assert parse(Sheet, whole) == Sheet("Ann", "red", (Pick("melee", 9),), {"melee": 0}, (1, 6), "7", None, "", True)
    assert parse(Sheet, GOOD) == Sheet("Ann", "red")


def test_capitals_spaces_and_underscores_are_forgiven_in_words_of_the_game() -> None:
    given = GOOD | {"house": "Red", "picks": [{"skill": "Smooth Talker"}, {"skill": "mekag"}], "worth": {"MELEE": 1}}
    made = parse(Sheet, given)
    assert (made.house, [one.skill for one in made.picks], dict(made.worth)) == (
        "red",
        ["smooth-talker", "Mekag"],
        {"melee": 1},
    )
    assert parse(Sheet, GOOD | {"name": "Ann  B"}).name == "Ann  B", "people's own words stay as they are"


@pytest.mark.parametrize(
    ("change", "pointer", "type", "says"),
    [
        ({"name": 7}, "/name", "string_type", "This must be text, not a number."),
        ({"name": "x" * 201}, "/name", "text-too-long", "200 characters"),
        ({"house": "rad"}, "/house", "literal_error", "Did you mean 'red'?"),
        ({"house": None}, "/house", "literal_error", "'blue', 'red'"),
        ({"hous": "red"}, "/hous", "extra_forbidden", "Did you mean 'house'?"),
        ({"picks": {}}, "/picks", "list_type", "This must be a list, not an object."),
        ({"picks": [{"skill": "meele"}]}, "/picks/0/skill", "literal_error", "Did you mean 'melee'?"),
        ({"picks": [{"skill": "melee", "level": 10}]}, "/picks/0/level", "less_than_equal", "from 1 to 9"),
        ({"picks": [{}]}, "/picks/0/skill", "missing", "'skill' is missing."),
        ({"picks": ["melee"]}, "/picks/0", "model_type", "This must be an object, not text."),
        ({"picks": [{"skill": "melee"}] * (MOST_ITEMS + 1)}, "/picks", "too_long", "1000 items"),
        ({"worth": {"melee": -1}}, "/worth/melee", "greater_than_equal", "of at least 0"),
        ({"worth": {"a/b~c": 1}}, "/worth/a~1b~0c", "literal_error", "not one of the allowed values"),
        ({"worth": 3}, "/worth", "union_type", "This must be an object or null, not a number."),
        ({"body": [1, 7]}, "/body/1", "less_than_equal", "from 1 to 6"),
        ({"body": [1]}, "/body", "length", "This list must have 2 items, not 1."),
        ({"friend": 7}, "/friend", "union_type", "This must be text or null, not a number."),
        ({"age": "old"}, "/age", "union_type", "This must be a whole number or null, not text."),
        ({"npc": 1}, "/npc", "bool_type", "This must be true or false, not a number."),
        ({"npc": "true"}, "/npc", "bool_type", "This must be true or false, not text."),
    ],
)
def test_a_mistake_is_told_where_it_is(change: dict[str, Any], pointer: str, type: str, says: str) -> None:
    (mistake,) = mistakes(Sheet, GOOD | change)
    assert (mistake.pointer, mistake.type) == (pointer, type)
    assert says in mistake.message


def mistakes(cls: type[Any], given: Any, at: str = "") -> tuple[Mistake, ...]:
    with pytest.raises(Mistaken) as met:
        parse(cls, given, at)
    return met.value.mistakes


def test_all_mistakes_are_told_at_once() -> None:
    found = mistakes(Sheet, {"house": "green", "npc": 0, "level": 3}, "/declare/sheet")
    assert {one.pointer for one in found} == {
        "/declare/sheet/house",
        "/declare/sheet/npc",
        "/declare/sheet/level",
        "/declare/sheet/name",
    }
    (house,) = (one for one in found if one.pointer.endswith("house"))
    assert (house.given, house.allowed, house.did_you_mean) == ("green", ("blue", "red"), None)


def test_the_first_mistakes_are_described_and_all_are_counted() -> None:
    with pytest.raises(Mistaken) as met:
        parse(Sheet, GOOD | {"picks": [{"skill": "meele"}] * 300 + ["melee"] * 100, "house": "rad"})
    assert len(met.value.mistakes) == MOST_MISTAKES == 50
    assert met.value.mistake_count == 401
    assert "There are 401 mistakes." in met.value.detail


def test_long_things_are_not_told_again() -> None:
    (mistake,) = mistakes(Sheet, GOOD | {"house": "x" * 5000})
    assert len(str(mistake.given)) <= 101 and len(mistake.message) < 300
    (mistake,) = mistakes(Sheet, GOOD | {"picks": {"a": ["b"]}})
    assert mistake.given == "an object"


def test_no_object_at_all() -> None:
    nothing: tuple[Any, ...] = (None, [], "x", 3, True)
    for given in nothing:
        (mistake,) = mistakes(Sheet, given, "/declare")
        assert mistake.pointer == "/declare"


def test_numbers_of_the_kernel_have_limits() -> None:
    (mistake,) = mistakes(Adjust, {"source": "a", "target": "b", "unit": "c", "amount": 0, "reason": "d"})
    assert (mistake.pointer, mistake.type) == ("/amount", "greater_than_equal")


def test_many_words_are_counted_in_the_sentence_and_not_all_told() -> None:
    many = Annotated[str, OneOf(tuple(f"word-{one}" for one in range(52)))]
    with pytest.raises(Mistaken) as met:
        parse_value(many, "wort-7")
    (mistake,) = met.value.mistakes
    assert mistake.message == "'wort-7' is not one of the 52 allowed values. Did you mean 'word-7'?"
    assert len(mistake.allowed) == 50
