"""By keyboard alone: sitting down, declaring, dice, a dispute, a look back; the focus is always seen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ledger.rules import systems
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import Device
from tests.api.page.hands import fill_by_keys
from tests.api.table import Service, Table
from tests.levels import sampled

CAME = re.compile(r"[?](ruling|waiting)=|/waiting/\w+$")
MOVING = """() => [...document.querySelectorAll('*')].filter(one => {
    const style = getComputedStyle(one);
    return style.animationName !== 'none' || style.transitionDuration.split(',').some(said => parseFloat(said) > 0);
}).map(one => one.outerHTML.slice(0, 120))"""


#: By game, what asks for dice of whoever declares it; perhaps other things first.
ASKS = {"toy": "Hit: options", "mongrel": "Roll for a task"}
QUESTIONS = 4  # at most, about one of these


@pytest.mark.parametrize("name", sampled([*ASKS], 1, salt="keyboard"))
def test_an_evening_by_keyboard_alone(service: Service, sits: Sits, name: str) -> None:
    table = begun(service, name)
    code = table.ben.does("/invites", {"seat": table.ben.id})["code"]
    ben = sits()
    _sits_down(ben, code)
    _declares_with_dice_of_the_table(ben, ASKS[name])
    number = _answers(ben)
    dice = [one for one in table.gm.look(f"/rulings/{number}")["answers"] if "dice" in one["answer"]]
    assert dice and all((one["source"], one["by"]["seat"]) == ("table", table.ben.id) for one in dice)
    _disputes(ben, table, number)
    _looks_back(ben, number)


@pytest.mark.parametrize("name", sampled(sorted(set(systems()) - set(ASKS)), 0, salt="keyboard"))
def test_every_other_game_is_joined_by_keyboard_alone(service: Service, sits: Sits, name: str) -> None:
    """With somebody who is ready to play, by another name; whatever is asked then is answered by keys, too."""
    table = begun(service, name)
    ben = sits()
    _sits_down(ben, table.ben.does("/invites", {"seat": table.ben.id})["code"])
    ben.tabs_to(re.compile("^Manage the table"))
    ben.press("Enter")
    for step in ("Add a character", ""):
        link_text = step or ben.page.locator("a.chip").first.inner_text()  # somebody who is not in play yet
        ben.tabs_to(re.compile("^" + re.escape(link_text)))
        with ben.page.expect_navigation():
            ben.press("Enter")
    ben.tabs_to("Name")
    ben.press("Control+A")
    ben.page.keyboard.type("Newcomer")
    ben.tabs_to(ben.page.locator("#send").inner_text())
    _sends(ben)
    if "ruling=" in ben.page.url:
        number = int(ben.page.url.rpartition("=")[2])
    else:  # the game master is asked
        number = _answers(sits(table.gm.token))
        ben.look(f"/?ruling={number}")
    assert "Newcomer" in [one["name"] for one in table.gm.look("/characters")["characters"]]
    _disputes(ben, table, number)
    _looks_back(ben, number)


def _sits_down(device: Device, code: str) -> None:
    device.page.goto("/join")
    device.tabs_to("Link, code or token")
    device.page.keyboard.type(code)
    device.press("Enter")
    device.page.wait_for_url(re.compile(r"/table/\w+/s\d+/$"))
    device.at = device.page.url.rstrip("/")


def _declares_with_dice_of_the_table(device: Device, kind: str) -> None:
    called = re.compile(f"^{kind}")
    if not device.page.get_by_role("link", name=called).filter(visible=True).count():
        device.tabs_to(re.compile("^More actions"))
        device.press("Enter")
    device.tabs_to(called)
    with device.page.expect_navigation():
        device.press("Enter")
    fill_by_keys(device, "Dice")
    device.press("Enter", "Tab", "ArrowRight", "ArrowRight")
    assert device.focused()["text"] == "We roll our own dice"
    device.tabs_to(device.page.locator("#send").inner_text())
    _sends(device)


def _answers(device: Device) -> int:
    """Whatever is asked; the ruling that comes of it."""
    for _ in range(QUESTIONS):
        if "/waiting/" not in device.page.url:  # whose own dice fell is on the question's own page
            expect(device.page.locator("#asked")).to_contain_text("Your answer is needed")
        fill_by_keys(device, device.page.locator(".answer").first.inner_text())
        _sends(device)
        if "ruling=" in device.page.url:
            return int(device.page.url.rpartition("=")[2])
    raise AssertionError(device.page.content())


def _sends(device: Device) -> None:
    with device.page.expect_navigation(url=CAME):
        device.press("Enter")


def _disputes(device: Device, table: Table, number: int) -> None:
    device.tabs_to(re.compile("^How ruling"))
    with device.page.expect_navigation():
        device.press("Enter")
    device.tabs_to("Dispute this ruling")
    device.press("Enter")
    device.tabs_to("What is wrong?")
    device.page.keyboard.type("That was my other die.")
    device.tabs_to("Dispute this ruling")
    with device.page.expect_navigation():
        device.press("Enter")
    assert table.ben.look(f"/rulings/{number}")["status"] == "disputed"


def _looks_back(device: Device, number: int) -> None:
    device.tabs_to("More")
    device.press("Enter")
    device.tabs_to("Look back")
    with device.page.expect_navigation():
        device.press("Enter")
    device.tabs_to("Ruling")
    place = device.page.locator("#then .eyebrow")
    device.press("ArrowLeft")
    expect(place).to_have_text(f"After ruling {number - 1}")
    device.press("Escape")
    expect(place).to_have_text("Now")


def test_nothing_moves_where_somebody_asks_for_that(service: Service, sits: Sits) -> None:
    page = sits(begun(service, "toy").ben.token).page
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(MOVING), "here one would see it"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(MOVING) == []
