"""What a form of the page calls its choices: told apart, in people's words, and none shown twice."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.table import forms
from api.table.descriptions import split_description, write_hint
from api.table.foreseeing import _describe_subject, _list_lines, label_field, list_differences
from api.table.groups import Group
from api.table.node_maker import NodeMaker
from api.table.nodes import Choice, Either, Listing, Number, Record, RecordField
from api.table.now import Now
from api.table.page_forms import PageForm
from api.table.pages import environment
from api.table.presentations import Presenter
from api.table.words import Account, Words, drop_repeated_values, list_further_results, make_words, write_mixed

Json = dict[str, Any]
WORDS = Words({"character": {"2": "Sarah", "3": "Steve"}}, {})
PAIR = {"type": "array", "minItems": 2, "maxItems": 2}
QUICK: Json = {
    "type": "object",
    "properties": {"kind": {"const": "talent"}, "name": {"const": "Quick"}},
    "required": ["name"],
}
LIFE = {"type": "object", "properties": {"kind": {"const": "life"}, "name": {"const": "Deputy"}}, "required": ["name"]}
ROLE = {"type": "object", "properties": {"kind": {"const": "primary"}, "name": {"const": ""}}}
WHOLE = {"type": "array", "items": {"type": "object", "properties": {"kind": {}, "name": {}}}}


def test_lists_of_the_same_length_are_told_apart() -> None:
    """By what can stand in them."""
    some = {"anyOf": [QUICK, LIFE]}
    ways = [
        PAIR | {"items": some, "uniqueItems": True},
        PAIR | {"prefixItems": [some, ROLE]},
    ]
    node = NodeMaker({}, WORDS).make_node({"anyOf": ways}, WHOLE)
    assert isinstance(node, Either)
    assert [name for name, _ in node.parts] == [
        "Quick (Talent) and Deputy (Life)",
        "Quick (Talent) or Deputy (Life), then primary",
    ]
    assert all(isinstance(part, Listing) and (part.items is None) == bool(part.first) for _, part in node.parts)


def test_results_without_ground_are_counted_in_words() -> None:
    (line,) = list(_list_lines([("adrift", 0, 1)], WORDS))
    assert (line.name, line.before, line.after) == ("Results that no longer have an effect", "none", "1")


def _bought(what: str, title: str = "", **more: Json) -> Json:
    properties = {"what": {"const": what}, "level": {"const": 1}, "instead": {"const": None}, **more}
    return {"type": "object", "properties": properties, **({"title": title} if title else {})}


BOUGHT = {
    "type": "object",
    "properties": {"what": {"type": "string"}, "level": {"type": "integer"}, "instead": {}, "name": {"type": "string"}},
    "required": ["what"],
}


def test_of_very_many_ways_first_the_kind_is_chosen_and_what_is_not_chosen_yet_is_not_told() -> None:
    """By their titles, which say what each costs; values by theirs."""
    levels = {"enum": [2, 3], "x-titles": ["2, for 6 points", "3, for 15 points"]}
    ways = [
        _bought("skill", "New: the first for 1 point", level=levels),
        _bought("skill", "From 1: the next for 2 points"),
        *(_bought(f"vortex-{at}", "for 5 points") for at in range(5)),
        _bought("money"),
    ]
    node = NodeMaker({}, WORDS).make_node({"anyOf": ways}, BOUGHT)
    assert isinstance(node, Either)
    assert [name for name, _ in node.parts] == ["Skill", *(f"Vortex {at}, for 5 points" for at in range(5)), "Money"]
    skills = node.parts[0][1]
    assert isinstance(skills, Either)
    assert [name for name, _ in skills.parts] == ["New: the first for 1 point", "From 1: the next for 2 points"]
    found = forms.read_value(node, "", {"?": ["0"], "|0?": ["0"], "|0|0/level": ["3"]})
    assert found == {"what": "skill", "level": 3, "instead": None}
    level = next(one.node for one in skills.parts[0][1].fields if one.name == "level")  # type: ignore[union-attr]
    assert isinstance(level, Choice)
    assert level.options == {"2": "2, for 6 points", "3": "3, for 15 points"}
    assert node.is_drop_down is False
    few = NodeMaker({}, WORDS).make_node({"anyOf": [*ways, *(_bought(f"hand-{at}") for at in range(9))]}, BOUGHT)
    assert isinstance(few, Either)
    assert few.is_drop_down is True


def test_of_several_forms_the_one_that_says_nothing_is_not_called_none() -> None:
    """Where leaving it open says so, too, it is not shown; else it is Nothing."""
    some = {"anyOf": [{"const": None}, {"type": "integer", "minimum": 1}]}
    record = NodeMaker({}, WORDS).make_node(
        {"type": "object", "properties": {"open": some, "needed": some}},
        {"type": "object", "properties": {"open": {}, "needed": {}}, "required": ["needed"]},
    )
    assert isinstance(record, Record)
    left, needed = (one.node for one in record.fields)
    assert isinstance(left, Either)
    assert isinstance(needed, Either)
    assert (left.left_out, needed.left_out) == (0, None)
    assert [name for name, _ in needed.parts] == ["Nothing", "A number"]


def test_of_many_choices_no_two_ways_have_the_same_name() -> None:
    some = {"enum": list("abcdefgh")}
    ways = [PAIR | {"items": some}, PAIR | {"items": {"enum": list("ijklmnop")}}]
    node = NodeMaker({}, WORDS).make_node({"anyOf": ways}, {"type": "array", "items": {"type": "string"}})
    assert isinstance(node, Either)
    assert [name for name, _ in node.parts] == ["2 of A, B or 6 others", "2 of I, J or 6 others"]


@pytest.mark.parametrize(
    ("description", "left_out"),
    [("", "null"), ('Default: `""`.', '""'), ("Default: `true`.", None), ("Default: as it was.", "null")],
)
def test_which_choice_leaving_it_open_says_too(description: str, left_out: str | None) -> None:
    """Where it says something else, both are shown: of a field that is changed, nobody is not the same as unchanged."""
    own = {"anyOf": [{"type": "string"}, {"type": "null"}], "description": description}
    whole = {"type": "object", "properties": {"target": own, "needed": own}, "required": ["needed"]}
    said = {"type": "object", "properties": {"target": {"enum": [None, "2"]}, "needed": {"enum": [None, "2"]}}}
    record = NodeMaker({}, WORDS).make_node(said, whole)
    assert isinstance(record, Record)
    target, needed = (one.node for one in record.fields)
    assert isinstance(target, Choice)
    assert isinstance(needed, Choice)
    assert target.left_out == left_out
    assert needed.left_out is None


@pytest.mark.parametrize(("problem", "opens"), [({"detail": "Enter a reason."}, True), (None, False)])
def test_what_can_be_left_open_is_folded_away_where_it_is_much(problem: Json | None, opens: bool) -> None:
    """And unfolded, where the form was turned away."""
    asked = PageForm("/declare", "", Record(()), "", "", "", {}, problem=problem)
    rest = [RecordField(name, "", "", Number(None, None), required=False) for name in "abcd"]
    assert not asked.should_fold(rest[:3])
    assert asked.should_fold(rest)
    assert asked.should_open(rest, "/declare") is opens


def _move(kind: str, who: str | None) -> Json:
    return {"kind": kind, "settled": {"kind": kind} | ({"char": who} if who else {}), "move": f"{kind}-{who}"}


@pytest.mark.parametrize(
    ("who", "there", "found"),
    [
        ("3", ["2", "3"], "roll-3"),
        ("3", [None], "roll-None"),
        (None, [None, None], "roll-None"),
        ("4", ["2", "3"], None),
        ("3", [], None),
    ],
)
def test_what_is_awaited_is_a_tap_away(who: str | None, there: list[str | None], found: str | None) -> None:
    """Never the move of somebody else."""
    groups = [
        Group("", {"Roll": [_move("roll", one) for one in there]}, is_awaited=True),
        Group("", {"Rest": [_move("rest", who)]}),
    ]
    now = Now({}, WORDS, {}, [], [], [], [], [], groups, [], {}, 0, Presenter("toy", "", {}, WORDS, ()))
    way = now.find_move({"kind": "roll", "character": who})
    assert (way and way["move"]) == found
    assert now.find_move({"kind": "rest", "character": who}) is None


def test_a_record_is_called_by_its_name_and_nothing_that_is_not_so_is_told() -> None:
    quick = {"kind": "talent", "name": "Quick", "rating": 4, "spent": False, "by": None, "bonus": 0, "marks": []}
    assert WORDS.name_value(quick) == "Quick (Talent, 4, 0)"
    assert WORDS.name_value([quick, {"kind": "life", "name": ""}]) == "Quick (Talent, 4, 0); Life"
    assert WORDS.name_value({"spent": False}) == "None"


NAMED = Words(
    {"character": {"2": "Sarah", "3": "Steve"}, "scene": {"4": "The mill"}},
    {"by": "character", "order": "character", "levels": "character", "against": "character", "suits": "word"},
    {"out": "Out of it", "S": "Strength"},
    [
        Account.from_form("character:<id>/ap:<against>", "Advantage Points against <against>"),
        Account.from_form("bank/ap", ""),
    ],
)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("bonus", "3", "3"),
        ("multiplier", "3/2", "3/2"),
        ("points", "4", "4"),
        ("faces", ["2", "3"], "2, 3"),
        ("by", "3", "Steve"),
        ("order", ["2", "3"], "Sarah, Steve"),
        ("order", [["3"], ["2"]], "Steve; Sarah"),
        ("by", "9", "9"),
        ("suits", ["S", "Sp"], "Strength, Sp"),
        ("name", "S", "S"),
        ("marks", {"by": "2", "bonus": "2"}, "Sarah, 2"),
    ],
)
def test_only_what_refers_to_somebody_is_called_by_a_name(field: str, value: object, said: str) -> None:
    """A number that is written as a text is one, even where somebody has it for an id."""
    assert NAMED.name_field_value(field, value) == said


@pytest.mark.parametrize(
    ("name", "within", "said"),
    [
        ("out", "", "Out of it"),
        ("S", "ratings", "Strength"),
        ("3", "levels", "Steve"),
        ("3", "levels_of", "3"),
        ("max_wounds", "", "Max wounds"),
    ],
)
def test_a_field_is_called_as_the_game_says(name: str, within: str, said: str) -> None:
    assert NAMED.label(name, within) == said


def test_an_account_is_called_as_the_game_says() -> None:
    assert NAMED.name_account("character:2/ap:3") == "Advantage Points against Steve"
    assert NAMED.name_account("bank/ap") == NAMED.name_account("scene:4/ap") == "Ap"


def test_what_a_game_has_a_word_for_stands_in_front() -> None:
    state = {**dict.fromkeys("abcdefgh", 1), "out": "gone", "S": 0, "fell": "none", "traits": [1]}
    assert NAMED.split_fields(state) == (["out", *"abcde"], [*"fgh", "fell"])


@pytest.mark.parametrize(
    ("value", "written"), [(3, "3"), (True, "true"), ("gone", "gone"), ("3", '"3"'), (["2"], '["2"]'), (None, "null")]
)
def test_whatever_can_be_said_is_written_and_read_back(value: object, written: str) -> None:
    """Where the schema allows anything, as the value that a table sets by hand."""
    node = NodeMaker({}, WORDS).make_node({}, {"description": "Whatever stands there."})
    assert forms.fill_form(node, "/value", value) == {"/value": [written]}
    assert forms.read_value(node, "/value", {"/value": [written]}) == value


def test_what_is_new_is_not_told_as_a_loss() -> None:
    """Nor is what is gone told as if it had never been."""
    was, now = {"gear": ["Rope"], "note": "Tired", "lame": ""}, {"gear": ["Rope", "Bow"], "note": "", "lame": "Foot"}
    for before, after, told in (
        (was, now, {"Gear": ("none", "Bow"), "Note": ("Tired", "removed")}),
        (now, was, {"Gear": ("Bow", "removed"), "Note": ("none", "Tired")}),
    ):
        lines = {one.name: (one.before, one.after) for one in list_differences(before, after, WORDS)}
        assert told.items() <= lines.items() and "nothing" not in str(lines), lines


def test_what_has_to_be_ticked_whatever_one_means_is_ticked() -> None:
    """And no place is shown in which one thing only can stand."""
    pair = Listing(Choice({'"a"': "A", '"b"': "B"}), least=2, most=2, unique=True)
    three = Listing(Choice({'"a"': "A", '"b"': "B", '"c"': "C"}), least=2, most=2, unique=True)
    assert forms.fill_form(pair, "") == {"": ['"a"', '"b"']}
    assert forms.fill_form(pair, "", ["b"]) == {"": ['"b"']}
    assert forms.fill_form(three, "") == {"": []}
    row = NodeMaker({}, WORDS).make_node(PAIR | {"prefixItems": [ROLE, {"anyOf": [QUICK, LIFE]}]}, WHOLE)
    assert isinstance(row, Listing)
    assert [row.has_only_one_value(place) for place in range(2)] == [True, False]


def test_dice_are_ticked_by_what_they_show() -> None:
    """Where there is one of them only, too: nobody has to count, nor to add one to a list."""
    for these in ({"enum": [1, 2], "x-titles": ["Die 2: 10", "Die 3: 10"]}, {"const": 1, "title": "Die 2: 10"}):
        said = {"type": "array", "items": these, "minItems": 0, "uniqueItems": True}
        node = NodeMaker({}, WORDS).make_node(said, {"type": "array", "items": {"type": "integer"}})
        assert isinstance(node, Listing)
        assert node.checks is not None
        assert next(iter(node.checks.options.items())) == ("1", "Die 2: 10")
        assert forms.read_value(node, "", {"": ["1"]}) == [1]


def test_what_a_reference_of_the_game_names_is_called_by_name() -> None:
    """Somebody, or something of that name."""
    words = Words({"character": {"2": "Sarah"}}, {"affected": "character"})
    assert [words.name_value(one, "affected") for one in ("2", "the old mill")] == ["Sarah", "the old mill"]


@pytest.mark.parametrize(
    ("description", "usual", "hint"),
    [
        ("How far it reaches. Default: `1`.", True, "How far it reaches. Default: 1."),
        ("Ends as `end-play` does.", True, "Ends as “End play” does."),
        ("How far it reaches. Default: `1`.", False, "How far it reaches."),
        ('What it takes. Default: `"hit-points"`.', True, "What it takes. Default: Hit Points."),
        ("`freebies` are of no use here.", True, "Freebies are of no use here."),
        (
            "It is rolled. `freebies` are of no use, `ends` not either.",
            True,
            "It is rolled. Freebies are of no use, ends not either.",
        ),
        ('Default: `"player_character"`.', True, "Default: Player character."),
        ("Default: `-1`.", True, "Default: -1."),
        ('Default: `[{"die": "own", "face": null}]`.', True, ""),
        ("Default: `null`.", True, ""),
        ("The id of an action.", True, ""),
    ],
)
def test_what_a_field_says_when_it_is_left_out_is_told_in_words(description: str, usual: bool, hint: str) -> None:
    names = {"hit-points": "Hit Points", "player_character": "Player character"}
    assert write_hint({"description": description}, with_default=usual, name_word=names.__getitem__) == hint


def test_of_several_fields_at_once_is_told_what_they_are() -> None:
    said = "A hand. `drawn` and `kept`: both left out, the ruling asks. `a`, `b`, and `c`: at once."
    told = "Both left out, the ruling asks."
    assert split_description(said) == ("A hand.", {"drawn": told, "kept": told, **dict.fromkeys("abc", "At once.")})


def test_a_long_record_that_is_gone_is_named_and_not_spelled_out() -> None:
    """And a value that changes in it is named after it, not after its number."""
    words = Words({}, {"acts": "act"}, things={"act": {"6": "Leaps"}})
    act = {"text": "Leaps", "dice": {name: {"faces": [1, 2], "rating": 3} for name in "abcde"}}
    (gone,) = list_differences({"acts": {"6": act}}, {"acts": {}}, words)
    assert (gone.name, gone.before, gone.after) == ("Acts", "Leaps", "removed")
    (changed,) = list_differences({"acts": {"6": {"mib": 4}}}, {"acts": {"6": {"mib": 13}}}, words)
    assert (changed.name, changed.before, changed.after) == ("Acts, “Leaps”, mib", "4", "13")


def test_a_result_that_the_rulings_sentence_tells_is_not_told_again() -> None:
    def fact(text: str, kind: str = "toy.given", *, struck: bool = False) -> dict[str, object]:
        return {"kind": kind, "text": text, "struck": struck}

    facts = [
        fact("The session begins: One."),
        fact("The scene is open.", "ledger.scene-begun"),
        fact("Ann has 3 coins."),
        fact("Ben has 2 coins.", struck=True),
        fact(""),
    ]
    assert list_further_results({"text": "A session begins: One.", "facts": facts}) == ["Ann has 3 coins."]


@pytest.mark.parametrize(("number", "written"), [("115/4", "28 3/4"), ("1/4", "1/4"), (3, "3"), ("0", "0")])
def test_a_fraction_is_written_with_its_wholes(number: object, written: str) -> None:
    assert write_mixed(number) == written


def test_what_is_gone_of_a_list_is_told_in_words() -> None:
    """A record as the one thing that it is, with what its values are called; what is under somebody's name with it."""
    sword, bow = ({"name": "Sword", "harm": 3, "broken": False}, {"name": "Bow", "harm": 2, "broken": True})
    was = {"gear": [sword, bow], "wounds": [5, 12], "levels": {"2": "calm"}}
    now = {"gear": [sword], "wounds": [], "levels": {}}
    words = Words({"character": {"2": "Sarah"}}, {"levels": "character"})
    lines = {one.name: (one.before, one.after) for one in list_differences(was, now, words)}
    assert lines["Gear"] == ("Bow (harm 2, broken)", "removed")
    assert lines["Wounds"] == ("5, 12", "removed")
    assert lines["Levels, Sarah"] == ("Calm", "removed")
    back = {one.name: (one.before, one.after) for one in list_differences(now, was, words)}
    assert back["Gear"] == ("none", "Bow (harm 2, broken)")
    (changed,) = list_differences({"gear": [sword]}, {"gear": [{**sword, "harm": 4}]}, words)
    assert (changed.name, changed.before, changed.after) == ("Gear 1, harm", "3", "4")


def test_what_a_name_says_already_is_not_told_twice() -> None:
    """Nor is anything else left out for it: a number that happens to stand there, or what only begins alike."""
    status = {"name": "Inactive (dead)", "condition": "dead", "level": 0, "word": "Deadly"}
    assert list(drop_repeated_values(status)) == ["name", "level", "word"]
    assert drop_repeated_values({"rating": "Very", "again": "Very"}) == {"rating": "Very", "again": "Very"}
    assert WORDS.write_in_full("status", status) == "Inactive (dead) (level 0, word Deadly)"


def test_the_place_in_a_list_is_not_taken_for_the_id_of_somebody() -> None:
    """The second of those who take part was called by the name of whoever has the id 1."""
    names, fields = {"character": {"1": "Sarah", "2": "Steve"}}, {"participants": "character", "levels": "character"}
    words = Words(names, fields, lists={"participants"})
    assert label_field("state/round/participants/1/turn", words) == "Round, participants 2, turn"
    assert label_field("state/levels/1", words) == "Levels, Sarah"


def test_in_whose_name_something_is_done_is_told_where_it_is_not_ones_own() -> None:
    words = Words({"seat": {"s1": "Ann", "s2": "Ben", "s3": "Cleo"}}, {})
    moves = [{"text": "Ben votes for ..."}, {"text": "Cleo votes for ..."}, {"text": "Bend the knee."}]
    assert words.list_other_names(moves, "s1") == (["Ben", "Cleo"], True)
    assert words.list_other_names(moves[:2], "s2") == (["Cleo"], True)
    assert words.list_other_names(moves[1:2], "s1") == (["Cleo"], False)


ROW = {"type": "array", "prefixItems": [{"const": "oak"}, {"const": "ash"}], "minItems": 2, "maxItems": 2}
PAIRS = {"type": "array", "items": {"const": "oak"}, "minItems": 2, "maxItems": 2}


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"const": {"kind": "stand", "worn": None}}, "Stand"),
        ({"const": "oak"}, "Oak"),
        (ROW, "Oak, Ash"),
        (PAIRS, "Oak, Oak"),
        ({"type": "object", "properties": {"cards": ROW}, "required": ["cards"]}, "Oak, Ash"),
    ],
)
def test_an_answer_that_can_be_given_in_one_way_says_what_it_is(choice: Json, said: str) -> None:
    """Else there were a bare button, and nobody knew what it does."""
    schema = {"type": "object", "properties": {"choice": choice}, "required": ["choice"], "additionalProperties": False}
    node = NodeMaker({}, WORDS).make_node(schema, {})
    asked = PageForm("/answer", "", node, "", "", "", forms.fill_form(node, "/answer"))
    fields: Any = environment.get_template("fields.html.jinja").module
    assert re.findall(r"The only choice: (.*?)\.<", fields.whole(asked)) == [said]


def test_where_one_thing_only_is_possible_it_is_said_in_words() -> None:
    """An empty box says nothing."""
    stand = {"type": "object", "properties": {"kind": {"const": "stand"}, "worn": {"const": None}}}
    whole = {"type": "object", "properties": {"kind": {}, "worn": {}}}
    said = {"type": "object", "properties": {"choice": {"anyOf": [stand]}}}
    node = NodeMaker({}, WORDS).make_node(
        said, {"type": "object", "properties": {"choice": whole}, "required": ["choice"]}
    )
    assert isinstance(node, Record)
    asked = PageForm("/answer", "", node, "", "", "", {})
    fields: Any = environment.get_template("fields.html.jinja").module
    assert "The only choice: Stand." in fields.whole(asked)


@pytest.mark.parametrize(("numbers", "node"), [((0, 1), Number(0, 1)), ((0, 2), None)])
def test_ways_that_differ_by_a_number_say_what_it_counts(numbers: tuple[int, int], node: Number | None) -> None:
    """Or are one, where it can be any from the least to the most."""
    whole = {"type": "object", "properties": {name: {"type": "integer"} for name in ("other", "benefits")}}
    ways = [{"type": "object", "properties": {"other": {"const": at}}} for at in numbers]
    found = NodeMaker({}, WORDS).make_node({"anyOf": ways}, whole)
    if node is None:
        assert isinstance(found, Either)
        assert [name for name, _ in found.parts] == ["Other: 0", "Other: 2"]
    else:
        assert isinstance(found, Record)
        assert found.fields[0].node == node


def test_so_many_different_ones_of_a_few_are_ticked_in_one_list() -> None:
    """In whatever order: no ways are told apart that come to the same."""
    some = {"anyOf": [QUICK, LIFE]}
    ways = [
        PAIR | {"items": some, "uniqueItems": True},
        PAIR | {"prefixItems": [some, ROLE]},
        PAIR | {"prefixItems": [ROLE, some]},
    ]
    node = NodeMaker({}, WORDS).make_node({"anyOf": ways}, WHOLE)
    assert isinstance(node, Listing)
    assert node.checks is not None
    assert list(node.checks.options.values()) == ["Quick (Talent)", "Deputy (Life)", "Primary"]
    assert (node.least, node.most) == (2, 2)


def test_several_names_of_one_kind_are_ticked_in_the_same_list() -> None:
    """With two Talents and one Life Role, only the Life Role and the Primary Role were there, ticked already."""
    talents: Json = {**QUICK, "properties": {**QUICK["properties"], "name": {"enum": ["Quick", "Deft"]}}}
    some = {"anyOf": [talents, LIFE]}
    ways = [
        PAIR | {"items": some, "uniqueItems": True},
        PAIR | {"prefixItems": [some, ROLE]},
        PAIR | {"prefixItems": [ROLE, some]},
    ]
    node = NodeMaker({}, WORDS).make_node({"anyOf": ways}, WHOLE)
    assert isinstance(node, Listing)
    assert node.checks is not None
    assert list(node.checks.options.values()) == ["Quick (Talent)", "Deft (Talent)", "Deputy (Life)", "Primary"]
    assert not node.all_if_required, "nothing is ticked yet"


def test_an_id_of_the_games_own_is_called_by_what_it_stands_for() -> None:
    """As the states list it: two checks were "20" and "21". Two that are alike are told apart by their ids."""
    checks = [
        {"id": "20", "character": "2", "purpose": "draws", "stage": "open", "entered": []},
        {"id": "21", "character": "3", "purpose": "draws", "stage": "open", "entered": []},
        {"id": "22", "character": "3", "purpose": "draws", "stage": "open", "entered": []},
    ]
    state = {
        "campaign": {"seats": [], "sessions": [], "dials": {}, "system": "toy", "state": {}},
        "characters": [{"id": "2", "name": "Sarah", "state": {}}, {"id": "3", "name": "Steve", "state": {}}],
        "scenes": [
            {
                "id": "5",
                "title": "The mill",
                "state": {"checks": checks, "hits": {"7": {"target": "2"}, "8": None}, "plays": ["x"]},
            }
        ],
    }
    told = {
        "references": {
            "check": "The id of a check, as the scene lists its `checks`.",
            "hit": "The id of a hit: `hits`.",
        },
        "refers": {"character": "character", "target": "character"},
    }
    words = make_words(state, {}, told)
    assert [words.name_value(one["id"], "check") for one in checks] == [
        "Sarah, Draws, Open",
        "Steve, Draws, Open (21)",
        "Steve, Draws, Open (22)",
    ]
    assert words.name_value("7", "hit") == "Sarah" and words.name_value("8", "hit") == "8"


def test_what_is_nobodys_is_called_by_its_matter() -> None:
    """A plot device was "S1, Decision", after the seat it was aimed at."""
    words = Words({"character": {"2": "Sarah"}, "seat": {"s1": "Ann"}}, {"actor": "character", "target": "character"})
    device = {"actor": None, "text": "The bells ring", "phase": "decision", "target": "s1"}
    assert words.write_in_short(device) == "The bells ring, Decision"
    assert words.write_in_short(device | {"actor": "2", "text": "She runs"}) == "Sarah, She runs, Decision"


def test_a_seat_is_called_by_its_name_also_where_mostly_characters_stand() -> None:
    words = Words({"character": {"2": "Sarah"}, "seat": {"s1": "Ann"}}, {"target": "character"})
    assert [words.name_field_value("target", one) for one in ("2", "s1", "s7")] == ["Sarah", "Ann", "S7"]


def test_what_stands_among_several_is_not_told_a_second_time() -> None:
    fight, other = {"round": 1}, {"round": 2}
    state = {"mode": "open", "fight": fight, "fights": {"single": fight, "mob": other}, "last": {"round": 3}}
    assert list(WORDS.drop_repeated_records(state)) == ["mode", "fights", "last"]


def test_what_stands_alone_in_a_list_is_not_called_as_the_list_is() -> None:
    """Its heading was "Dice", and that of the first of them, too."""
    die = {"type": "object", "properties": {"die": {"const": "own"}, "face": {"type": "integer"}}}
    other = {"type": "object", "properties": {"die": {"const": "trait"}, "size": {"type": "integer"}}}
    whole = {"type": "array", "items": {"anyOf": [die, other]}}
    said = {"type": "array", "items": {"anyOf": [die, other]}, "minItems": 1, "maxItems": 2}
    record = {"type": "object", "properties": {"dice": whole}, "required": ["dice"]}
    node = NodeMaker({}, WORDS).make_node({"properties": {"dice": said}}, record)
    fields: Any = environment.get_template("fields.html.jinja").module
    page = fields.whole(PageForm("/declare", "", node, "", "", "", forms.fill_form(node, "/declare")))
    assert re.findall(r"<legend>(.*?)</legend>", page) == ["Dice", "Option"]


def test_where_there_are_other_ways_it_is_not_said_that_only_this_is_possible() -> None:
    node = NodeMaker({}, WORDS).make_node(
        {"type": "object", "properties": {"what": {"const": "stand"}}, "required": ["what"]}, {}
    )
    fields: Any = environment.get_template("fields.html.jinja").module
    asked = PageForm("/declare", "", node, "", "", "", {})
    assert "The only choice: Stand." in fields.whole(asked)
    assert "Only" not in fields.whole(asked, True)
    assert "There is nothing to choose: Stand." in fields.whole(asked, True)


def test_values_that_the_game_has_no_word_for_are_folded_in_a_preview() -> None:
    """Of somebody for whom it has no word at all, they are shown: there is nothing better to say."""
    fields = [
        {"field": "state/checks/2/stage", "before": "ruled", "after": "rolled"},
        {"field": "state/order", "before": "1", "after": "2"},
        {"field": "balances/scene:1/luck", "before": 1, "after": 2},
    ]
    words = Words({}, {}, labels={"order": "Order of acting"})

    def shown(subject: str, count: int = len(fields)) -> list[str]:
        person = _describe_subject({"subject": subject, "name": "The mill", "fields": fields[:count]}, words)
        return [line.name for line in person.lines[: person.front_count]]

    assert shown("scene:1") == ["Order of acting", "Luck"]
    assert shown("scene:1", 1) == []
    assert shown("character:1", 1) == ["Checks 3, stage"]
