"""At the table: a forgotten ruling is entered from the page of the ruling before it, and shown at its place."""

from __future__ import annotations

from html import unescape

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import Form, Sitter, at_the_page
from tests.api.table import Service, Table


@pytest.fixture
def paid(service: Service) -> tuple[Table, int]:
    """Coins for Ben's character, of which he gives 2 to Cleo's; then Cleo gives one back."""
    table = begun(service, "toy")
    number = int(table.gm.declare("mint", to="1", coins=4)["number"])
    table.ben.declare("give", char="1", to="2", coins=2)
    return table, number


def test_it_is_chosen_previewed_and_entered(paid: tuple[Table, int], sits: Sits) -> None:
    table, number = paid
    ann = sits(table.gm.token)
    page = ann.look(f"/rulings/{number}")
    page.get_by_role("link", name="Enter a forgotten ruling here").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text("the state of the game at that point")
    ann.accessible()
    page.goto(page.url + "/mint")
    page.locator("select[name='/declare/to'], [name='/declare/to']").first.wait_for()
    target = page.locator("[name='/declare/to']")
    if target.first.evaluate("one => one.tagName") == "SELECT":
        target.first.select_option(index=1)
    else:
        target.first.check(force=True)
    page.locator("[name='/declare/coins']").first.fill("3")
    page.get_by_role("button", name="Preview changes").click()
    expect(main).to_contain_text(f"Its number in order of play would be {number}a.")
    ann.accessible()
    ann.fits()
    page.get_by_role("button", name=f"Enter this after ruling {number}").click()
    expect(main).to_contain_text(f"entered late as {number}a")
    ruling = table.gm.look(f"/rulings/{number + 2}")
    assert (ruling["place"], ruling["after"]) == (f"{number}a", number)
    page = ann.look("/timeline")
    shown = page.locator("#rulings .number").all_inner_texts()
    assert shown[:3] == [str(number + 1), f"{number}a", str(number)]


def test_only_who_decides_is_offered_that(paid: tuple[Table, int]) -> None:
    table, number = paid
    assert "Enter a forgotten ruling" in at_the_page(table.gm).page(f"/rulings/{number}")
    assert "Enter a forgotten ruling" not in at_the_page(table.ben).page(f"/rulings/{number}")
    assert "Only a game master" in at_the_page(table.ben).page(f"/rulings/{number}/late")


@pytest.fixture
def brawl(service: Service) -> tuple[Table, str, int]:
    """Rocco, the game master's, could hit Ben's character after this ruling; another comes later."""
    table = begun(service, "toy")
    rocco = table.gm.enrol("Rocco")
    number = int(table.gm.declare("mint", to="1", coins=4)["number"])
    table.gm.declare("mint", to="2", coins=1)
    return table, rocco, number


def look(sitter: Sitter, form: Form, **fields: str) -> tuple[Form, str]:
    """Press the preview button. Return the form as it is now, and the page's text."""
    answer = sitter.send(form, {**fields, "look": "1"})
    assert answer.status_code in (200, 400, 422), answer.text
    return Form(answer.text, form.action), unescape(answer.text)


def test_what_the_rules_ask_is_answered_in_the_form(brawl: tuple[Table, str, int]) -> None:
    table, rocco, number = brawl
    ann = at_the_page(table.gm)
    path = f"{ann.at}/rulings/{number}/late/hit"
    position = table.position
    form, text = look(ann, ann.form(path, path), **{"/declare/char": f'"{rocco}"', "/declare/target": '"1"'})
    assert "Enter one of these: dodge, stand." in text and "Preview changes" in text
    form, text = look(ann, form, given="stand")
    assert "Enter what the 1d6 showed" in text and "Answered: stand" in text
    form, text = look(ann, form, given="4")
    assert f"Its number in order of play would be {number}a." in text and "is hurt for 4." in text
    assert "given" not in form.fields and table.position == position
    entered = ann.send(form, {})
    assert (entered.status_code, entered.headers["location"]) == (303, f"{ann.at}/rulings/{number + 2}")
    ruling = table.gm.look(f"/rulings/{number + 2}")
    assert (ruling["place"], ruling["facts"][0]["fact"]["amount"]) == (f"{number}a", 4)
    assert [given["answer"].get("choice", given["answer"]) for given in ruling["answers"]] == [
        {"kind": "stand"},
        {"dice": {"sides": 6, "faces": [4], "source": "table"}},
    ]


@pytest.mark.parametrize("given", ["7", "4 4", "nine"])
def test_an_answer_that_cannot_be_is_asked_for_again(brawl: tuple[Table, str, int], given: str) -> None:
    table, rocco, number = brawl
    ann = at_the_page(table.gm)
    path = f"{ann.at}/rulings/{number}/late/hit"
    form, _ = look(ann, ann.form(path, path), **{"/declare/char": f'"{rocco}"', "/declare/target": '"1"'})
    form, _ = look(ann, form, given="stand")
    form, text = look(ann, form, given=given)
    assert "Enter what the 1d6 showed" in text and "Answered: stand" in text
    assert 'role="alert"' in text
    form, text = look(ann, form, given="4")
    assert "is hurt for 4." in text
