"""Names that a game gives what is offered: in place of a bare word, and of leaving a field blank."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.table.node_maker import NodeMaker
from api.table.nodes import Choice, Either, Record
from api.table.words import Words
from ledger.rules import systems
from tests.api.page.campaigns import begun
from tests.api.page.sitting import at_the_page
from tests.api.table import Service
from tests.levels import sampled

WHOLE: Any = {
    "type": "object",
    "properties": {"target": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "effect": {"type": "string"}},
    "required": ["effect"],
}


def made(properties: Any) -> Any:
    return NodeMaker({}, Words({}, {})).make_node({"type": "object", "properties": properties}, WHOLE)


def test_leaving_a_field_out_is_chosen_like_the_others_where_the_game_has_a_name_for_it() -> None:
    node = made({"target": {"enum": [None, "3"], "x-titles": ["Only defend", "Bea"]}})
    assert isinstance(node, Record) and isinstance(choice := node.fields[0].node, Choice)
    assert (choice.left_out, choice.options["null"]) == (None, "Only defend") and node.fields[0].required
    plain = made({"target": {"enum": [None, "3"]}})
    assert isinstance(plain, Record) and isinstance(choice := plain.fields[0].node, Choice)
    assert choice.blank == "Leave blank"


def test_one_of_several_is_called_by_the_title_of_its_value() -> None:
    ways = [{"const": "maximum", "title": "Count the highest die: 2 points"}, {"const": "attack4", "title": "Add 4"}]
    parts = [{"type": "object", "properties": {"effect": way}} for way in ways]
    node = NodeMaker({}, Words({}, {})).make_node({"anyOf": parts}, WHOLE)
    assert isinstance(node, Either)
    assert [name for name, _ in node.parts] == ["Count the highest die: 2 points", "Add 4"]


def test_levels_are_offered_with_their_die_and_no_target_as_only_defending(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    move = next(move for move in table.ben.look("/moves")["moves"] if move["kind"] == "declare")
    fields = move["schema"]["allOf"][1]["properties"]
    assert fields["level"]["x-titles"] == ["Calm (D6)", "Invested (D8)", "Passionate (D10)", "Fanatical (D12)"]
    assert fields["target"]["x-titles"] == ["Only defend", "Steve"]


@pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="names of buttons"))
def test_the_button_of_a_form_names_its_action(service: Service, name: str) -> None:
    """Not "Declare" for everything."""
    sitter = at_the_page(begun(service, name).gm)
    paths = {path.partition("?")[0]: path for path in sitter.moves()}
    assert paths
    for path in paths.values():
        page = sitter.get(path).text
        for title, button in re.findall(r'<h1>(.*?)</h1>.*?<button id="send">(.*?)</button>', page, re.DOTALL):
            assert button in (title, f"{title} anyway"), path
