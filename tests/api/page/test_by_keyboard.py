"""By keyboard alone: sitting down, declaring, answering with dice, disputing, looking back; the focus is always seen."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import Device
from tests.api.page.hands import fill_by_keys
from tests.api.table import STAND, Json, Service, Table

CAME = re.compile(r"[?](ruling|waiting)=")
MOVING = """() => [...document.querySelectorAll('*')].filter(one => {
    const style = getComputedStyle(one);
    return style.animationName !== 'none' || style.transitionDuration.split(',').some(said => parseFloat(said) > 0);
}).map(one => one.outerHTML.slice(0, 120))"""


@dataclass(frozen=True, slots=True)
class Evening:
    """`declares`: what asks for dice of who declares it, perhaps once somebody else has said how they `defend`."""

    declares: str
    defence: Json | None = None


EVENINGS = {"toy": Evening("Hit", STAND), "mongrel": Evening("Roll task")}


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_by_keyboard_alone(service: Service, sits: Sits, name: str) -> None:
    table, evening = begun(service, name), EVENINGS[name]
    code = table.ben.does("/invites", {"seat": table.ben.id})["code"]
    ben = sits()
    _sits_down(ben, code)
    _declares_with_dice_of_the_table(ben, evening.declares)
    if evening.defence is not None:
        (waiting,) = table.cleo.look("/waiting")["waiting"]
        table.cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": evening.defence}, 202)
    expect(ben.page.locator("#asked")).to_contain_text("You are asked")  # it came by itself
    fill_by_keys(ben, "Answer")
    _sends(ben)
    number = int(ben.page.url.rpartition("=")[2])
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
    device.tabs_to(re.compile(f"^{kind}"))
    with device.page.expect_navigation():
        device.press("Enter")
    fill_by_keys(device, "The dice")
    device.press("Enter", "Tab", "ArrowRight", "ArrowRight")
    assert device.focused()["text"] == "We roll our own"
    device.tabs_to("Declare")
    _sends(device)


def _sends(device: Device) -> None:
    device.press("Enter")
    device.page.wait_for_url(CAME)


def _disputes(device: Device, table: Table, number: int) -> None:
    device.tabs_to(re.compile("^How ruling"))
    with device.page.expect_navigation():
        device.press("Enter")
    device.tabs_to("Say what is wrong")
    device.page.keyboard.type("That was my other die.")
    device.tabs_to("Dispute it")
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
