"""From `/` to the first roll, on a laptop and two phones in a real Chromium: nobody knows more than the page says."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Request, expect

from api.app import create_app
from ledger.application import Ledger
from ledger.rules import systems
from tests.api.conftest import serving
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.levels import sampled

MOST_TAPS = 25  # of all three together
MOST_BYTES = 60_000  # of the first load
SCENE = "Scene 1"


@pytest.fixture(scope="module")
def address(ledger: Ledger) -> Iterator[str]:
    """A service where anybody on its machine may start campaigns."""
    with serving(create_app(ledger, operator_token=None)) as found:
        yield found


class Hands:
    """Those of everybody, and how often they tapped. To type, they tap the field first, unless it has the focus."""

    def __init__(self) -> None:
        self.taps, self.begun = 0, time.monotonic()

    def tap(self, what: Locator, *, leads: bool = True) -> None:
        """Tap it. `leads`: to another page."""
        self.taps += 1
        if leads:
            with what.page.expect_navigation():
                what.click()
        else:
            what.click()

    def choose(self, device: Device, *names: str) -> None:
        """Tap tiles of a form."""
        for name in names:
            self.tap(device.page.locator("#declare label.tile", has_text=name).first, leads=False)

    def type(self, field: Locator, text: str) -> None:
        if not field.evaluate("field => field === document.activeElement"):
            self.tap(field, leads=False)
        field.press_sequentially(text)

    def report(self) -> str:
        return f"{self.taps} taps, {time.monotonic() - self.begun:.0f} s"


def starts(hands: Hands, device: Device, game: str) -> None:
    """From `/` to an empty table."""
    device.page.goto("/")
    hands.tap(device.page.get_by_role("link", name=f"Start a campaign of {systems()[game].title}"))
    hands.type(device.page.get_by_label("Name of the campaign"), "The Long Winter")
    hands.type(device.page.get_by_label("Your name"), "Ann")
    hands.tap(device.page.get_by_role("button", name="Start the campaign"))
    device.at = device.page.url.rstrip("/")
    assert re.search(r"/table/\w+/s1$", device.at)


def invites(hands: Hands, device: Device, *names: str) -> list[str]:
    """From the checklist to a link for each."""
    hands.tap(device.page.get_by_role("link", name="Invite players"))
    hands.type(device.page.get_by_label("Names of your players"), "\n".join(names))
    hands.tap(device.page.get_by_role("button", name="Create links"))
    return device.page.locator(".sealed code").all_inner_texts()


def joins(hands: Hands, device: Device, link: str) -> None:
    hands.taps += 1  # on the link, where it was sent, or on what the camera read
    device.sits_down(link)


def declares(hands: Hands, device: Device, *names: str) -> None:
    """From "Your turn" to what comes of it."""
    hands.tap(device.page.locator("#turn .mine a"))
    hands.choose(device, *names)
    hands.tap(device.page.locator("#send"))


def test_from_the_first_view_to_the_first_roll(address: str, sits: Sits) -> None:
    """Three people with ready-made characters. What they tap is counted; how long it takes is only reported."""
    ann, ben, cleo = sits(size=LAPTOP, address=address), sits(address=address), sits(address=address)
    hands = Hands()
    starts(hands, ann, "intensity")
    for device, link in zip((ben, cleo), invites(hands, ann, "Ben", "Cleo"), strict=True):
        joins(hands, device, link)
    hands.tap(ann.page.get_by_role("button", name="Give each player a ready-made character"))
    hands.tap(ann.page.get_by_role("button", name="Start playing"))
    for device in (ben, cleo):
        expect(device.page.locator("#scene")).to_contain_text(SCENE)  # it came by itself
        expect(device.page.locator("#start")).to_be_empty()
    hands.tap(ann.page.locator("#moves a.move", has_text="Open round"))
    hands.tap(ann.page.locator("#send"))
    declares(hands, ben, "Passionate", "Smooth Talker", "Steve")
    declares(hands, cleo, "Calm", "Stubborn")
    declares(hands, ben)
    expect(ben.page.locator("#just")).to_contain_text("Sarah rolls the dice.")
    print(f"\nFrom / to the first roll, three people: {hands.report()}")
    assert hands.taps < MOST_TAPS, hands.report()


@pytest.mark.parametrize("game", sampled(sorted(systems()), 2, salt="from the phone"))
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
    expect(ann.page.locator("#scene")).to_contain_text(SCENE)
    expect(ann.page.locator("#start")).to_be_empty()
    ann.look("/start")
    looked(ann, "done")
    ann.page.goto("/")
    looked(ann, "home-with-tables")
    hands.tap(ann.page.locator("#yours a").first)
    assert ann.page.url == f"{ann.at}/"


def test_the_first_view_is_small(address: str, sits: Sits) -> None:
    """As it is sent, with everything that the page loads."""
    device, requests = sits(address=address), list[Request]()

    def finished(request: Request) -> None:  # the page takes no method of a list
        requests.append(request)

    device.page.on("requestfinished", finished)
    device.page.goto("/", wait_until="networkidle")
    sizes = [request.sizes() for request in requests]
    whole = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    print(f"\nThe first load: {whole} bytes in {len(sizes)} answers")
    assert len(sizes) > 4 and 0 < whole < MOST_BYTES, [request.url for request in requests]
