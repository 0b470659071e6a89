"""Looking back as one does it: sliding, keys, pointing, a click, Escape; a session that plays; an audit; a dial."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from ledger.rules import systems
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, PHONE, Device
from tests.api.table import Json, Table
from tests.levels import sampled

NAMES = sorted(systems())
ALL = pytest.mark.parametrize("name", sampled(NAMES, 1, salt="looking"))
#: Every game is looked at on one device; the games take turns.
DEVICES: dict[str, tuple[tuple[int, int], Literal["light", "dark"]]] = {
    name: (PHONE, "light") if place % 2 else (LAPTOP, "dark") for place, name in enumerate(NAMES)
}


def sound(device: Device, name: str, view: str) -> None:
    device.picture(f"{name}-{view}")
    device.fits()
    device.accessible()


def at(page: Page) -> str:
    found = re.search(r"[?&]at=(\d+)", page.url)
    return found[1] if found else ""


def shows(page: Page, ruling: Json | None) -> None:
    """The place after the ruling; now, where there is none."""
    expect(page.locator("#then .eyebrow")).to_have_text(f"After ruling {ruling['number']}" if ruling else "Now")
    if ruling:
        expect(page.locator("#then .told").first).to_contain_text(ruling["text"])


def over(page: Page, part: float) -> tuple[float, float]:
    """A point of the slider, such a part along it; at its marks."""
    box = page.locator("svg.track").bounding_box()
    assert box is not None
    return box["x"] + part * box["width"], box["y"] + box["height"] / 2


def unfolded(fold: Locator) -> Locator:
    """Opened, where it was not."""
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()
    return fold


@pytest.mark.nightly
@ALL
def test_looking_back_by_slider_keys_and_pointing(campaign: Callable[[str], Table], sits: Sits, name: str) -> None:
    table, size = campaign(name), DEVICES[name]
    rulings = table.gm.look("/rulings", limit=500)["rulings"]
    last = len(rulings)
    device = sits(table.gm.token, *size)
    page = device.look("/back")
    shows(page, None)
    page.locator("#at").focus()
    device.press("ArrowLeft")
    shows(page, rulings[last - 2])
    assert at(page) == str(last - 1)
    page.get_by_role("link", name="Next ruling", exact=True).click()
    assert at(page) == str(last)
    device.press("ArrowLeft")
    shows(page, rulings[last - 2])
    folds = page.locator("#then details.nested")
    unfolded = folds.evaluate_all("all => all.map(one => { one.open = true; }).length")
    page.locator("h1").click()  # keys work wherever one is
    device.press("ArrowLeft", "ArrowLeft")
    shows(page, rulings[last - 4])
    stays = page.locator("#then details.nested[open]")
    if unfolded:
        expect(stays.first).to_be_attached()
    pinned = page.url
    page.mouse.move(*over(page, 0.0))
    shows(page, rulings[0])
    assert page.url == pinned, "pointing only looks"
    page.mouse.move(*(10, 10))
    shows(page, rulings[last - 4])
    if unfolded:  # also where it was not there to be seen in between
        expect(stays.first).to_be_attached()
    page.mouse.click(*over(page, 0.5))
    expect(page.locator("output")).not_to_have_text(str(last - 3))
    middle = rulings[int(at(page)) - 1]
    shows(page, middle)
    page.locator("h1").click()
    device.press("PageUp")
    expect(page.locator("#at")).not_to_be_focused()
    device.press("Escape")
    shows(page, None)
    assert at(page) == "" and page.locator("output").inner_text() == str(last)
    person = table.gm.look("/characters")["characters"][-1]["id"]
    device.look(f"/back?at={last}&person={person}")
    device.press("ArrowLeft")
    shows(page, rulings[last - 2])
    assert f"person={person}" in page.url, "whom one looks for stays"
    link = device.look(f"/back?at={middle['number'] + 1}").locator("#shared")
    device.press("ArrowLeft")
    shows(page, middle)
    other = sits(table.ben.token)
    other.page.goto(link.evaluate("one => one.href"))  # which holds no seat
    assert other.page.url.startswith(f"{other.at}/back?at={middle['number']}")
    shown = other.page
    shows(shown, next(one for one in rulings if one is middle))
    fallen = next((one["number"] for one in rulings if one["status"] == "overturned"), 2)
    device.look(f"/back?at={fallen}")
    sound(device, name, "back")
    page.get_by_role("radio", name="As known at the time").check()
    page.wait_for_url(re.compile("as=recorded"))


def test_a_phone_shows_one_clock_and_the_other_is_one_tap_away(campaign: Callable[[str], Table], sits: Sits) -> None:
    table = campaign("intensity")
    numbers = [one["number"] for one in table.gm.look("/rulings", limit=500)["rulings"]]
    number = next(one for one in numbers if table.gm.look("/diff", at=one)["subjects"])
    page = sits(table.gm.token).look(f"/back?at={number}")
    pasts, clock = page.locator("#then .pasts > section"), page.get_by_role("radio", checked=True)
    expect(pasts).to_have_count(1)
    expect(clock).to_have_value("corrected")
    page.get_by_role("radio", name="As known at the time").check()
    expect(page).to_have_url(re.compile("as=recorded"))
    expect(pasts).to_have_count(1)
    laptop = sits(table.gm.token, LAPTOP).look(f"/back?at={number}")
    expect(laptop.get_by_role("radio", checked=True)).to_have_value("")
    expect(laptop.locator("#then .pasts > section:visible")).to_have_count(2)


@pytest.mark.nightly
@ALL
def test_a_session_plays_by_itself(campaign: Callable[[str], Table], sits: Sits, name: str) -> None:
    table = campaign(name)
    session = table.gm.look()["sessions"][0]["id"]
    device = sits(table.gm.token, *DEVICES[name])
    page = device.look(f"/back/sessions/{session}")
    frames = page.locator(".frame")
    sound(device, name, "session")
    count = frames.count()
    page.locator("#speed").evaluate("one => { one.options[0].value = '60' }")
    page.locator("#speed").select_option(index=0)
    page.locator("#play").click()
    expect(page.locator(".frame.now")).to_have_count(1)
    expect(page.locator("#play")).to_have_text("Play")  # it has come to its end, and stops
    assert page.locator(".frame:visible").count() == page.locator(".frame").count() >= count
    page.locator("h1").click()
    device.press("ArrowLeft", "ArrowLeft")
    assert page.locator(".frame:visible").count() == max(1, page.locator(".frame").count() - 2)
    device.press("Space")
    expect(page.locator("#play")).to_have_text("Play")


@ALL
def test_accounts_dice_audit_and_dials(campaign: Callable[[str], Table], sits: Sits, name: str) -> None:
    table = campaign(name)
    device = sits(table.ben.token, *DEVICES[name])
    page = device.look("/accounts")
    sound(device, name, "accounts")
    if page.locator(".balances a").count():
        page.locator(".balances a").first.click()
        expect(page.locator("h1")).to_contain_text(" of ")
        sound(device, name, "statement")
    device.look("/dice")
    sound(device, name, "dice")
    device.look("/audit")
    device.tabs_to("Run the audit")
    device.press("Enter")
    expect(page.locator("#result .told")).to_be_visible()
    assert page.url.endswith("/audit"), "in place"
    sound(device, name, "audit")
    device.look("/settings")
    unfolded(page.locator("details.dials:has(select)").first)
    dial = unfolded(page.locator("details.dials:has(select)").first.locator("details.dial:has(select)").first)
    dial.get_by_role("button", name="Preview").click()
    expect(dial.locator(".foreseen")).to_contain_text("Nothing was saved.")
    sound(device, name, "settings")


@ALL
def test_the_book_is_found_and_searched(campaign: Callable[[str], Table], sits: Sits, name: str) -> None:
    table = campaign(name)
    device = sits(table.ben.token, *DEVICES[name])
    page = device.look("/settings")
    unfolded(unfolded(page.locator("details.dials").first).locator("details.dial").first)
    rule = page.locator("a.rule").first
    named = str(rule.get_attribute("title"))
    rule.click()
    expect(page.locator(":target")).to_have_text(named)
    device.fits()
    page.locator("#q").fill("declare")
    device.press("Enter")
    expect(page.locator(".found").first).to_be_visible()
    sound(device, name, "book")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("h1")).to_be_attached()


ON_TOP = """one => { const box = one.getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === one; }"""
LINES = """all => all.map(one => { const range = document.createRange(); range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size; })"""


@pytest.mark.nightly
@ALL
def test_on_a_phone_buttons_of_forms_are_in_sight_and_the_bar_is_a_line(
    campaign: Callable[[str], Table], sits: Sits, name: str
) -> None:
    """Wherever one is in a form, nothing lies over its button, nor is it below the edge."""
    table = campaign(name)
    device = sits(table.gm.token)
    moves = (
        device.look("/")
        .locator('a[href*="/declare/"]')
        .evaluate_all("all => all.map(one => one.pathname + one.search)")
    )
    longest = max(moves, key=lambda one: len(device.page.request.get(one).text()))
    for path in (longest, f"{device.at}/rulings/1/overturn"):
        device.page.goto(path)
        button = device.page.locator("#send, #do")
        for y in (0, 400, 100_000):
            device.page.evaluate("y => scrollTo(0, y)", y)
            if device.page.evaluate(
                "() => document.querySelector('#declare, #decide').getBoundingClientRect().top < 600"
            ):
                assert button.evaluate(ON_TOP), (path, y)
    device.look("/sheets")
    assert {*device.page.locator(".views > ul > li > a, .menu summary").evaluate_all(LINES)} == {1}
    device.page.goto(f"/systems/{name}/guide")
    assert device.page.locator(".search button").evaluate_all(LINES) == [1]


def test_a_dossier_is_dark_on_a_dark_screen_and_white_on_paper(campaign: Callable[[str], Table], sits: Sits) -> None:
    table = campaign("intensity")
    device = sits(table.gm.token, PHONE, "dark")
    page = device.look("/rulings/1/dossier")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(22, 18, 14)"
    device.accessible()
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
