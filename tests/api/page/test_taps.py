"""A move that needs no form is declared by one tap: once, and only while it is offered."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from tests.api.page.campaigns import FACES, begun
from tests.api.page.sitting import Form, Sitter, at_the_page
from tests.api.table import Json, Service, Table


@pytest.fixture
def round_(service: Service) -> Table:
    """Both have declared, and the dice are to be rolled."""
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", None)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    return table


def taps(sitter: Sitter, kind: str) -> list[Form]:
    """The forms that declare a move of this kind at once, in the order of the page, each with its first button."""
    forms = []
    for text in re.findall(r'<form class="tap".*?</form>', sitter.page("/"), re.DOTALL):
        (action,) = re.findall(r'action="([^"]+)"', text)
        form = Form(text, unescape(action))
        form.fields["declare"] = [unescape(re.findall(r'<button name="declare" value="([^"]+)"', text)[0])]
        forms.append(form)
    return [form for form in forms if form.action.endswith(f"/tap/{kind}")]


def rulings(table: Table) -> list[Json]:
    listed: list[Json] = table.gm.look("/rulings", limit=500)["rulings"]
    return listed


def test_a_settled_move_is_declared_once_by_one_tap(round_: Table) -> None:
    ben, before = at_the_page(round_.ben), rulings(round_)
    (roll,) = taps(ben, "roll")[:1]
    assert roll.fields.pop("dice") == ["table"], "it stands under “With your own dice”"
    first, again = ben.send(roll, {}), ben.send(roll, {})
    assert first.status_code == again.status_code == 303
    assert again.headers["location"] == first.headers["location"] + "&again=roll"
    (made,) = rulings(round_)[len(before) :]
    assert made["declared"]["kind"] == "roll" and made["by"]["seat"] == round_.ben.id
    page = ben.get(first.headers["location"]).text
    faces = [die["face"] for roll in made["rolls"] for die in roll["dice"]]
    card = page.partition('id="just"')[2].partition('id="start"')[0]
    drawn = [int(face) for face in re.findall(r'<svg class="d[^"]*".*?>(\d+)</text>', card)]
    assert faces and drawn == faces and "Rolled at the table" not in page, "the ledger rolled"


def test_a_tap_chooses_one_of_the_options(round_: Table) -> None:
    round_.gm.declare("roll", faces=FACES)
    first = next(entry["character"] for entry in round_.gm.look("/waiting")["awaited"])
    master = at_the_page(round_.gm)
    (attack,) = taps(master, "attack")
    assert master.send(attack, {}).status_code == 303
    made = rulings(round_)[-1]["declared"]
    assert made["kind"] == "attack" and (made["char"], made["target"]) == (first, {"1": "2", "2": "1"}[first])


@pytest.mark.parametrize("declared", ["", "[]", "not JSON", '{"kind": "pass"}', '{"kind": "attack", "char": "99"}'])
def test_a_declaration_that_no_button_sent_saves_nothing(round_: Table, declared: str) -> None:
    round_.gm.declare("roll", faces=FACES)
    before, master = rulings(round_), at_the_page(round_.gm)
    (attack,) = taps(master, "attack")
    assert master.send(attack, {"declare": declared}).status_code in (400, 422)
    assert rulings(round_) == before


def test_a_move_that_is_no_longer_offered_saves_nothing(round_: Table) -> None:
    ben = at_the_page(round_.ben)
    (roll,) = taps(ben, "roll")[:1]
    round_.gm.declare("roll", faces=FACES)
    before = rulings(round_)
    answer = ben.send(roll, {})
    assert answer.status_code == 303 and ben.client.get(answer.headers["location"]).status_code == 404
    assert rulings(round_) == before


def test_a_tap_needs_the_form_that_was_shown_to_this_seat(round_: Table) -> None:
    ben, cleo, before = at_the_page(round_.ben), at_the_page(round_.cleo), rulings(round_)
    (roll,) = taps(ben, "roll")[:1]
    (hers,) = taps(cleo, "roll")[:1]
    assert ben.send(roll, {"token": hers.fields["token"]}).status_code == 403
    assert ben.send(roll, {}, origin="https://example.org").status_code == 403
    assert rulings(round_) == before


def test_a_tap_that_cancels_a_question_says_so_first(service: Service) -> None:
    table = begun(service, "mongrel")
    table.gm.declare("open-conflict", participants=["1", "2"])
    first = next(one["character"] for one in table.gm.look("/waiting")["awaited"])
    attack = {
        "kind": "attack",
        "actor": first,
        "target": {"1": "2", "2": "1"}[first],
        "expertise": "rend",
        "attribute": "physique",
    }
    table.gm.does("/rulings", {"declare": attack, "answers": []}, 202)
    before, master = rulings(table), at_the_page(table.gm)
    (pass_,) = taps(master, "pass")
    answer = master.send(pass_, {})
    whose = table.gm.look("/waiting")["waiting"][0]["question"]["asked"]["name"]
    assert answer.status_code == 200 and f"This cancels a question that {whose} has to answer" in answer.text
    assert rulings(table) == before and len(table.gm.look("/waiting")["waiting"]) == 1


def test_a_declaration_that_waits_has_no_button_until_it_is_answered(service: Service) -> None:
    """Its move is still offered, because other words can be added to it; the same words would be refused."""
    table = begun(service, "scattershot")
    cleo = at_the_page(table.cleo)
    solid, *others = taps(cleo, "claim-gimme")
    offered = [move["kind"] for move in table.cleo.look("/moves")["moves"]].count("claim-gimme")
    sent = json.loads(solid.fields["declare"][0])
    assert cleo.send(solid, {}).status_code == 303
    (waiting,) = table.gm.look("/waiting")["waiting"]
    assert waiting["declared"].items() >= sent.items()
    assert [move["kind"] for move in table.cleo.look("/moves")["moves"]].count("claim-gimme") == offered
    assert solid.fields["declare"] not in [form.fields["declare"] for form in taps(cleo, "claim-gimme")]
    (path,) = (each for each in cleo.moves() if "/declare/claim-gimme?" in each)
    assert "You have already declared this. It is waiting for Ann: " in cleo.get(path).text
    table.gm.does(f"/waiting/{waiting['id']}/answers", {"answer": {"choice": {"kind": "decline"}}}, 201)
    declarations = [form.fields["declare"] for form in taps(cleo, "claim-gimme")]
    assert declarations == [form.fields["declare"] for form in (solid, *others)]


def test_the_plainest_form_of_a_kind_comes_first(service: Service) -> None:
    ben = at_the_page(begun(service, "moc").ben)
    (form,) = re.findall(r'href="[^"]*(/declare/declare-action\?move=[^"]+)"', ben.page("/"))[:1]
    page = ben.page(form)
    assert "/declare/skill" in page and "/declare/parts/0" not in page


def test_a_game_master_who_does_not_rule_does_not_open_what_is_hidden_by_a_slip(service: Service) -> None:
    """A referee sees what only a referee may see: nobody becomes one by one tap."""
    table = begun(service, "mnemonic")
    page = at_the_page(table.gm).page("/")
    assert "/tap/seat-referee" not in page and "/declare/seat-referee" in page
