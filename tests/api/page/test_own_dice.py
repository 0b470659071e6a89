"""What people roll with dice of their own is typed: a number for each die, and for each die that another one opens."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.playing import Hands
from tests.api.page.sitting import Form, at_the_page, part
from tests.api.page.small_forms import labels, sends, turn
from tests.api.page.thrusts import starts_as_on_the_page
from tests.api.table import Service, Table


@pytest.fixture
def table(service: Service) -> Table:
    table = begun(service, "moc")
    table.gm.declare("set-dial", name="dice", value="table", reason="We brought our dice.")
    return table


def test_where_everybody_rolls_their_own_dice_one_button_asks_for_them(table: Table) -> None:
    ben = at_the_page(table.ben)
    assert sends(ben, "Pilot: 4 dice").status_code == 303
    assert "Roll 4 dice" in labels(ben) and "I roll my own dice" not in turn(ben)
    table.gm.declare("set-dial", name="dice", value="ledger", reason="We lost one.")
    assert "Roll 4 dice" in labels(ben) and "I roll my own dice" in turn(ben)


def test_own_cards_are_asked_for_under_one_heading(table: Table) -> None:
    table.ben.declare("draw-hand", status=202, character="1")
    assert part(at_the_page(table.ben), "asked").count("<legend>Cards</legend>") == 1


def test_each_ten_asks_for_another_die(table: Table, sits: Sits) -> None:
    phone, hands = sits(table.ben.token), Hands()
    hands.does(phone, "Pilot: 4 dice")
    hands.does(phone, "Roll 4 dice")
    main = phone.page.get_by_role("main")
    fields = main.locator("input.fallen")
    expect(fields).to_have_count(4)
    expect(main).to_contain_text("Roll another die for each 10.")
    for field, face in zip(fields.all(), (10, 3, 2, 7), strict=True):
        field.fill(str(face))
    hands.tap(main.get_by_role("button", name="Enter", exact=True))
    expect(fields).to_have_count(5)
    expect(main).to_contain_text("What does the new die show?")
    fields.last.fill("4")
    hands.send(main.get_by_role("button", name="Enter", exact=True))
    (roll,) = table.gm.look("/rulings", limit=100)["rulings"][-1]["rolls"]
    assert [die["face"] for die in roll["dice"]] == [10, 3, 2, 7, 4]


def test_a_move_with_own_dice_asks_for_the_numbers(service: Service) -> None:
    """ "With your own dice" stood above buttons and forms that had the ledger roll at once."""
    table = begun(service, "mnemonic")
    table.gm.declare("rate-trait", character="1", trait="Deft", trait_kind="talent", rating="Very")
    traits = [{"kind": "talent", "name": "Deft"}, {"kind": "primary", "name": ""}]
    table.gm.declare("rule-check", character="1", traits=traits, chances="Fair")
    ben, before = at_the_page(table.ben), table.gm.look("")["position"]
    fold = part(ben, "moves").partition("<summary>With your own dice")[2]
    (path,) = re.findall(r'href="([^"]+/declare/enter-roll\?[^"]+)"', fold)
    form = ben.form(path, path.partition("?")[0])
    answer = ben.send(form, {})
    assert answer.status_code == 303 and "/waiting/" in answer.headers["location"]
    assert 'name="/answer' in ben.get(answer.headers["location"]).text
    assert table.gm.look("")["position"] == before or not table.gm.look("/rulings", limit=100)["rulings"][-1]["rolls"]


def test_a_tap_with_own_dice_asks_for_the_numbers(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", None)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    ben = at_the_page(table.ben)
    fold = ben.page("/").partition("<summary>With your own dice")[2]
    (html,) = [text for text in re.findall(r"<form .*?</form>", fold, re.DOTALL) if "/tap/roll" in text]
    (declared,) = re.findall(r'<button name="declare" value="([^"]+)"', html)
    form = Form(html, re.findall(r'action="([^"]+)"', html)[0])
    assert "/waiting/" in ben.send(form, {"declare": unescape(declared)}).headers["location"]


def test_own_dice_are_still_chosen_when_a_tap_leads_to_the_form(service: Service) -> None:
    """The form had the ledger roll."""
    table = starts_as_on_the_page(service)
    ben = at_the_page(table.ben)
    (html,) = [text for text in re.findall(r"<form .*?</form>", turn(ben), re.DOTALL) if "Attack Old Gorrin" in text]
    (path,) = re.findall(r'action="([^"]+)"', html)
    (declared,) = re.findall(r'<button class="answer" name="declare" value="([^"]+)"', html)
    refused = json.loads(unescape(declared)) | {"rating": "Flying"}
    answer = ben.send(Form(html, path), {"declare": json.dumps(refused), "dice": "table"})
    assert answer.status_code in (409, 422), answer.text
    assert Form(answer.text, path.replace("/tap/", "/declare/")).fields["dice"] == ["table"]


def test_own_dice_chosen_in_the_prompt_count_on_the_sheet_as_well(service: Service, sits: Sits) -> None:
    """There is one box in each. Whoever ticked the first and rolled from the sheet had the ledger roll."""
    table, hands = starts_as_on_the_page(service), Hands()
    ben = sits(table.ben.token)
    hands.tap(ben.page.locator("#turn label.tile", has_text="I roll my own dice"), leads=False)
    hands.tap(ben.page.locator("#own .strip"), leads=False)
    expect(ben.page.locator("#own").get_by_label("I roll my own dice")).to_be_checked()
    table.gm.declare("make-ruling", subject="moon", text="It is full.")
    expect(ben.page.locator("#just")).to_contain_text("moon")
    expect(ben.page.locator("#own").get_by_label("I roll my own dice")).to_be_checked()
    hands.send(ben.page.locator("#own").get_by_role("button", name="Climbing 12"))
    expect(ben.page.locator("#asked")).to_contain_text("What do the D10s show?")


def test_the_button_beside_the_keypad_stays_whole_on_a_phone(service: Service, sits: Sits) -> None:
    """A 12 on a D10 was refused, and the message squeezed "Roll" into "R / oll"."""
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", None)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="invested", trait=trait, text="steps forward")
    phone = sits(table.ben.token)
    main = phone.look("/").get_by_role("main")
    button = main.get_by_role("button", name="Roll", exact=True).first
    height = button.evaluate("button => button.offsetHeight")
    main.get_by_text("I rolled these").first.click()
    main.locator("input.fallen").first.fill("12")
    main.get_by_role("button", name="Enter", exact=True).first.click()
    expect(main.get_by_text("must be less than or equal")).to_be_visible()
    assert button.evaluate("button => button.offsetHeight") == height
