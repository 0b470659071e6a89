"""A form while it is filled in: its sentence, what is wrong, what is there to be tapped; and what one sees first."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from ledger.rules import systems
from tests.api.page.campaigns import SCENE, begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.page.hands import fill
from tests.api.table import Json, Service, Table
from tests.levels import sampled

ALL = pytest.mark.parametrize("name", sampled(sorted(systems()), 1, salt="filling in"))


def top(page: Page, part: str) -> float:
    box = page.locator(part).bounding_box()
    assert box is not None, part
    return box["y"]


def test_the_sentence_is_filled_in_as_one_taps(service: Service, sits: Sits) -> None:
    table = begun(service, "toy")
    ben = sits(table.ben.token)
    target = table.gm.look("/characters/2")["name"]
    ben.look("/").get_by_role("link", name="Hit: options").click()
    lead = ben.page.locator("#lead")
    expect(lead).to_contain_text("somebody")
    ben.page.locator("#declare label.tile", has_text=target).first.click()
    expect(lead).to_contain_text(target)
    expect(lead).not_to_contain_text("somebody")
    ben.page.get_by_role("button", name="Preview").click()
    ben.page.wait_for_load_state()
    expect(lead).to_contain_text(target)


@ALL
def test_no_sentence_says_what_the_heading_says(service: Service, sits: Sits, name: str) -> None:
    gm = sits(begun(service, name).gm.token)
    kinds = gm.page.locator("#moves a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    for path in {one.partition("?")[0]: one for one in kinds}.values():
        gm.page.goto(path)
        assert gm.page.locator("#lead").text_content() != gm.page.locator("h1").inner_text() + ".", path


def test_what_was_wrong_goes_when_it_is_right(service: Service, sits: Sits) -> None:
    table = begun(service, "toy")
    ben = sits(table.ben.token)
    ben.look("/").locator("#drawer summary").click()
    ben.page.locator("#drawer a", has_text="Add a character").click()
    ben.page.locator("a.chip").first.click()
    field = ben.page.locator("[id='declare-name']")
    field.fill("")
    with ben.allowing("status of 422"):
        ben.page.locator("#send").click()
        expect(ben.page.locator("#wrong .problem")).to_be_focused()
        expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("Somebody new")
    expect(ben.page.locator("#foreseen .foreseen")).to_contain_text("Somebody new")
    expect(ben.page.locator(".problem")).to_have_count(0)
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()


def ruled_check(service: Service) -> Table:
    table = begun(service, "mnemonic")
    rated: Json = {"character": "1", "rating": "Very"}
    table.gm.declare("rate-trait", trait="Deputy Sheriff", trait_kind="life", **rated)
    table.gm.declare("rate-trait", trait="Quick", trait_kind="talent", **rated)
    traits = [{"kind": "life", "name": "Deputy Sheriff"}, {"kind": "talent", "name": "Quick"}]
    table.gm.declare("rule-check", character="1", traits=traits, chances="Fair")
    return table


def test_there_is_a_place_for_plastic_dice_before_anything_is_chosen(service: Service, sits: Sits) -> None:
    table = ruled_check(service)
    ben = sits(table.ben.token)
    ben.look("/").get_by_text("With your own dice, or in your own words").click()
    ben.page.locator("#moves a", has_text="Roll for the check").click()
    ben.page.get_by_role("link", name=re.compile("The check is rolled: ")).click()
    faces = ben.page.locator("#declare label.face")
    expect(faces).to_have_count(12)
    faces.nth(6).click()
    expect(ben.page.locator("#lead")).to_contain_text("7")
    ben.picture("enter-roll")
    ben.accessible()
    ben.sends(ben.page.locator("#send"))
    (rolled,) = [one for one in table.gm.look("/rulings")["rulings"] if one["declared"]["kind"] == "enter-roll"]
    assert rolled["declared"]["numbers"] == [7]


def test_what_one_can_do_comes_before_how_things_stand(service: Service, sits: Sits) -> None:
    """On a phone from above: what is asked, whose turn it is, moves, the scene; a player's sheet is pinned below. On
    a laptop the sheet and the scene are beside them.
    """
    table = begun(service, "toy")
    waiting = table.ben.declare("hit", char="1", target="2", status=202)
    assert waiting["question"]
    seat = waiting["question"]["asked"]["seat"]
    player = {one.id: one for one in (table.gm, table.ben, table.cleo)}.get(seat, table.gm)
    phone = sits(player.token)
    expect(phone.page.locator("#scene")).to_contain_text(SCENE)
    parts = ["#asked", "#turn", "#moves", "#scene", "#people"]
    there = [one for one in parts if phone.page.locator(one).inner_text().strip()]
    assert "#asked" in there and [*sorted(there, key=lambda one: top(phone.page, one))] == there
    laptop = sits(player.token, size=LAPTOP)
    beside = "#own" if laptop.page.locator("#own article").count() else "#scene"
    assert abs(top(laptop.page, "#moves") - top(laptop.page, beside)) < 2
    assert (beside == "#own") == (player is not table.gm)


def test_what_one_answers_is_sent_by_tapping_alone(service: Service, sits: Sits) -> None:
    table = begun(service, "toy")
    waiting = table.ben.declare("hit", char="1", target="2", status=202)
    seat = waiting["question"]["asked"]["seat"]
    phone = sits({one.id: one for one in (table.gm, table.ben, table.cleo)}.get(seat, table.gm).token)
    fill(phone.page)
    phone.sends(phone.page.locator("#asked .answer").first)
    expect(phone.page.locator("#just")).not_to_be_empty()


def test_a_failed_join_that_is_loaded_again_says_what_to_do(service: Service, sits: Sits) -> None:
    device = sits()
    device.page.goto("/join")
    device.page.locator("#secret").fill("nonsense")
    with device.allowing("status of 422", "status of 403"):
        device.press("Enter")
        expect(device.page.get_by_role("alert")).to_contain_text("doesn’t work")
        device.page.reload()
        expect(device.page.get_by_role("alert")).to_be_visible()
        assert "Form not accepted" not in device.page.content()
        device.accessible()
        device.sits_down_here(begun(service, "toy").ben.token)


def test_a_list_is_in_the_order_in_which_it_was_tapped(service: Service, sits: Sits) -> None:
    """Who acts before whom is such a list. Tried first, and shown again, it keeps its order."""
    table = begun(service, "toy")
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][0]["id"])
    gm = sits(table.gm.token, LAPTOP)
    gm.look("/").locator("#drawer summary").click()
    gm.page.locator("#drawer a", has_text="Start a scene").first.click()
    gm.page.get_by_label("Title").fill("The ford")
    cast = gm.page.locator("fieldset", has_text="Cast").locator("label.tile")
    names = [table.gm.look(f"/characters/{id}")["name"] for id in ("2", "1")]
    for name in [*names, *names]:  # they are chosen already, in the order of joining
        cast.filter(has_text=name).click()
    gm.page.get_by_role("button", name="Preview").click()
    gm.page.wait_for_load_state()
    assert [text.strip() for text in cast.all_inner_texts()][:2] == names
    gm.sends(gm.page.locator("#send"))
    assert table.gm.look("/rulings", order="desc", limit=1)["rulings"][0]["declared"]["cast"] == ["2", "1"]
