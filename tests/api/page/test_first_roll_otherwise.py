"""From `/` to a first roll by keyboard alone, and without any script."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from ledger.rules import systems
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.page.hands import fill_by_keys
from tests.api.page.playing import Hands, starts

GAME, ROLL = "mongrel", "Roll for a task"


def has_rolled(device: Device) -> None:
    expect(device.page.locator("#just svg.d").first).to_be_visible()
    assert "ruling=" in device.page.url


def test_without_any_script(address: str, sits: Sits) -> None:
    """Every step is a page: nothing is in the way that only a script takes away."""
    ann, hands = sits(address=address, script=False), Hands()
    starts(hands, ann, GAME)
    hands.tap(ann.page.get_by_role("link", name="Add characters"))
    hands.tap(ann.page.get_by_role("button", name=re.compile("^Add ")).first)
    hands.tap(ann.page.get_by_role("link", name="Next: the first scene"))
    hands.tap(ann.page.get_by_role("button", name="Start playing"))
    hands.fills(ann, ROLL)
    has_rolled(ann)
    ann.fits()
    assert ann.page.locator("[data-find]").filter(visible=True).count() == 0, "a field that only a script reads"


def follows(device: Device, name: str) -> None:
    """On by the tab key to what is called so, and Enter."""
    device.tabs_to(re.compile(rf"\b{name}"))
    with device.page.expect_navigation():
        device.press("Enter")


def test_by_keyboard_alone(address: str, sits: Sits) -> None:
    """Whatever has the focus on the way shows it."""
    ann = sits(address=address, size=LAPTOP)
    ann.page.goto("/")
    follows(ann, f"Start a campaign of {systems()[GAME].title}")
    for field, text in (("Name of the campaign", "The Long Winter"), ("Your name", "Ann")):
        if ann.focused()["text"] != field:
            ann.tabs_to(field)
        ann.page.keyboard.type(text)
    with ann.page.expect_navigation():
        ann.press("Enter")
    ann.at = ann.page.url.rstrip("/")
    for step in ("Add characters", "Add ", "Next: the first scene", "Start playing"):
        follows(ann, step)
    if not ann.page.get_by_role("link", name=re.compile(f"^{ROLL}")).filter(visible=True).count():
        ann.tabs_to(re.compile("^More actions"))
        ann.press("Enter")
    follows(ann, ROLL)
    fill_by_keys(ann, ann.page.locator("#send").inner_text())
    with ann.page.expect_navigation():
        ann.press("Enter")
    has_rolled(ann)


def test_the_whole_card_of_a_game_is_its_link_and_no_link_is_too_small(address: str, sits: Sits) -> None:
    ann = sits(address=address)
    page = ann.page
    page.goto("/")
    heights = page.locator("main a").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert min(heights) >= 24
    ann.accessible()
    ann.picture("home")
    page.locator(".game", has_text=systems()[GAME].title).locator("img").click(force=True)  # the link lies above it
    page.wait_for_url("**/start?game=mongrel")
    page.go_back()
    page.get_by_role("link", name=f"Rulebook of {systems()[GAME].title}").click()
    page.wait_for_url("**/systems/mongrel/guide")
