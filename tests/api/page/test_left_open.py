"""What is not chosen on a form is told at its field, in words; whatever the game: before the rules are asked at all."""

from __future__ import annotations

import re

import pytest

from api.http.forms import load_forms
from api.table import forms, mistakes
from api.table.node_maker import NodeMaker
from api.table.nodes import Choice, Either, Listing, Node, Number, Record, RecordField, Text, Truth
from api.table.page_forms import DECLARED
from api.table.words import Words
from ledger.application import parser
from ledger.rules import systems
from ledger.rules.kernel.moves import allows
from ledger.rules.kernel.offers import BY_TYPE, list_offers
from ledger.rules.kernel.seen import Seen
from projections.documents.move_schemas import make_narrow_move_schema, make_offer_schema
from tests.api.page.campaigns import begun
from tests.api.page.sitting import at_the_page
from tests.api.table import Service
from tests.rules.anything import play
from tests.rules.moves import steps, viewers

NAMES = Words({}, {})
CODE = re.compile(r"\bNone\b|\w_\w|[{}\[\]]")
TEXT = "The old ferryman laughs."
PAIR = Listing(Choice({'"1"': "Ann", '"2"': "Ben"}), least=2, unique=True)


def record(node: Node, *, required: bool = True) -> Record:
    return Record((RecordField("who", "Who", "", node, required),))


@pytest.mark.parametrize(
    ("node", "said", "told"),
    [
        (record(Choice({'"1"': "Ann"})), {}, {"/who": mistakes.NOTHING}),
        (record(Choice({'"1"': "Ann"})), {"/who": ['"1"']}, {}),
        (record(Choice({'"1"': "Ann"}), required=False), {}, {}),
        (record(Truth()), {}, {"/who": mistakes.NOTHING}),
        (record(Number(1, 3)), {"/who": [" "]}, {"/who": mistakes.NEEDED}),
        (record(Text(None, is_long=False)), {}, {}),
        (record(PAIR), {}, {"/who": "Choose at least 2."}),
        (record(PAIR), {"/who": ['"1"']}, {"/who": "Choose at least 2; you have chosen 1."}),
        (record(PAIR), {"/who": ['"1"', '"2"']}, {}),
        (record(PAIR, required=False), {}, {}),
        (
            record(Either((("A", record(Number(1, 3))), ("B", Text(None, is_long=False))))),
            {},
            {"/who": mistakes.NOTHING},
        ),
        (
            record(Either((("A", record(Number(1, 3))), ("B", Text(None, is_long=False))))),
            {"/who?": ["0"]},
            {"/who|0/who": mistakes.NEEDED},
        ),
        (record(record(Number(1, 3)), required=False), {}, {}),
        (record(record(Number(1, 3)), required=False), {"/who?": ["0"]}, {"/who/who": mistakes.NEEDED}),
        (record(Listing(Number(1, 3), least=1)), {"/who#": ["1"], "/who/0": ["2"]}, {}),
    ],
)
def test_what_is_left_open(node: Node, said: forms.Form, told: dict[str, str]) -> None:
    assert mistakes.collect_open_choices(node, "", said) == told
    assert set(mistakes.name_fields(told, node, "", said).split(", ")) == ({"Who"} if told else {""})


def words_said(node: Node, path: str, said: forms.Form) -> forms.Form:
    """The form as it is first shown, with words wherever some can stand."""
    some = {
        at: [TEXT[: one.most or None]]
        for at, one in forms.walk(node, path, said)
        if isinstance(one, Text) and not one.takes_json
    }
    return {**said, **{at: words for at, words in some.items() if not forms.get_field_text(said, at)}}


@pytest.mark.parametrize("system", sorted(systems()))
def test_a_form_with_its_choices_left_open_names_them_or_can_be_sent(service: Service, system: str) -> None:
    """Of every move of random play: what the page does not name is no reason for the rules to refuse."""
    assert service.app is not None
    refer = load_forms(system).make_reference
    maker, count = NodeMaker(service.app.openapi()["components"]["schemas"], NAMES), 0
    for past, ruling in steps(play(system, 3, 40)):
        seen = [Seen(past.ruleset, past, by) for by in list(viewers(past))[:1]] if ruling.number % 4 == 0 else []
        for move in {one.move for each in seen for one in list_offers(past.ruleset, each)}:
            if move.do in BY_TYPE:
                continue
            told = make_offer_schema(make_narrow_move_schema(move), refer(move.do))
            node = maker.make_node(told, {})
            said = words_said(node, DECLARED, forms.fill_form(node, DECLARED))
            open_ = mistakes.collect_open_choices(node, DECLARED, said)
            if open_:
                called = mistakes.name_fields(open_, node, DECLARED, said)
                assert called and not CODE.search(called), (move, open_)
            else:
                sent = {name: one for name, one in forms.read_value(node, DECLARED, said).items() if name != "kind"}
                assert allows(move, parser.parse(move.do, sent)), (move, sent)
            count += 1
    assert count > 20


def test_a_choice_left_open_is_told_at_its_field_and_not_by_what_the_rules_say_of_nothing(service: Service) -> None:
    sitter = at_the_page(begun(service, "moc").gm)
    path = next(one for one in sitter.moves() if "/score-hit?" in one)
    turned = sitter.send(sitter.form(path, path.partition("?")[0]), {}).text
    problem = re.findall(r'<div class="problem"[^>]*>\s*<p>(.*?)</p>', turned)[0]
    assert problem.startswith("Still missing: Attacker, Target")
    assert mistakes.NOTHING in turned
    assert not CODE.search(problem)


@pytest.mark.parametrize(
    ("told", "waits"),
    [
        (mistakes.NOTHING, True),
        (mistakes.NEEDED, True),
        ("Choose at least 2; you have chosen 1.", True),
        ("Choose 2.", True),
        ("Enter a name.", False),
        ("Nobody is there.", False),
    ],
)
def test_only_what_is_left_open_is_no_mistake_while_a_form_is_filled_in(told: str, waits: bool) -> None:
    """What the rules refuse of what was said is told at once."""
    assert mistakes.is_missing(told) is waits


def test_a_reason_that_the_rules_need_is_needed_at_once(service: Service) -> None:
    """No blank is offered for sending again, to be refused then."""
    sitter = at_the_page(begun(service, "moc").gm)
    path = next(one for one in sitter.moves() if "/retire?" in one)
    turned = sitter.send(sitter.form(f"{path}&character=1", path.partition("?")[0]), {})
    assert turned.status_code == 422 and "send the form again" not in turned.text
    assert f'id="e-declare-reason">{mistakes.NEEDED}</small>' in turned.text
    assert "Enter a reason." in turned.text
