"""From `/` to the first roll, on a laptop and two phones in a real Chromium: nobody knows more than the page says."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ledger.rules import systems
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.page.playing import Hands, first_roll, first_view, invites, joins, starts
from tests.levels import sampled

MOST_TAPS = 25  # of all three together
MOST_BYTES = 60_000  # of the first load


def test_from_the_first_view_to_the_first_roll(address: str, sits: Sits) -> None:
    """Three people with ready-made characters. What they tap is counted."""
    ann, ben, cleo = sits(size=LAPTOP, address=address), sits(address=address), sits(address=address)
    hands = Hands()
    first_roll(hands, ann, ben, cleo)
    assert hands.taps < MOST_TAPS


@pytest.mark.parametrize("game", sampled(sorted(systems()), 1, salt="from the phone"))
def test_a_table_is_ready_from_a_phone(address: str, sits: Sits, game: str) -> None:
    """Every page on the way: axe finds nothing, nothing is scrolled sideways, the policy is kept."""
    ann, ben = sits(address=address), sits(address=address, scheme="dark")
    hands = Hands()

    def looked(device: Device, name: str) -> None:
        device.picture(f"start-{game}-{name}")
        device.fits()
        device.accessible()

    ann.page.goto("/")
    looked(ann, "home")
    ann.page.goto(f"/start?game={game}")
    looked(ann, "form")
    starts(hands, ann, game)
    looked(ann, "checklist")
    ann.look("/start/players")
    looked(ann, "players")
    ann.look()
    (link,) = invites(hands, ann, "Ben")
    looked(ann, "links")
    expect(ann.page.get_by_role("button", name="Copy the link for Ben")).to_be_visible()
    joins(hands, ben, link)
    looked(ben, "chooses")
    hands.tap(ben.page.locator("#start a"))
    looked(ben, "characters-of-a-player")
    hands.tap(ann.page.get_by_role("link", name="Choose characters"))
    looked(ann, "characters")
    hands.tap(ann.page.get_by_role("button", name=re.compile("^Add ")).first)
    expect(ann.page.locator(".just")).to_contain_text("played by Ben")
    expect(ben.page.get_by_role("button", name=re.compile("^Play ")).first).to_be_visible()
    hands.tap(ann.page.get_by_role("link", name="Next: the first scene"))
    looked(ann, "scene")
    hands.tap(ann.page.get_by_role("button", name="Start playing"))
    expect(ann.page.locator("#scene")).to_contain_text("Scene 1")
    expect(ann.page.locator("#start")).to_be_empty()
    ann.look("/start")
    looked(ann, "done")
    ann.page.goto("/")
    looked(ann, "home-with-tables")
    hands.tap(ann.page.locator("#yours a").first)
    assert ann.page.url == f"{ann.at}/"


def test_the_first_view_is_small(address: str, sits: Sits) -> None:
    """As it is sent, with everything that the page loads."""
    whole, answers = first_view(sits(address=address))
    assert answers > 4 and 0 < whole < MOST_BYTES
