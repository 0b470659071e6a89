"""Two phones at one table of Levels of Intensity, in a real Chromium."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.api.table import Json, Player, Service, Table

PHONE = 390
expect.set_options(timeout=30_000)  # a busy machine is slow
SARAH: Json = {
    "kind": "main",
    "traits": [{"name": "Quick", "base": 10}, {"name": "Loyal", "base": 8}, {"name": "Kind", "base": 8}],
}
#: A folder where pictures are left to be looked at; nothing depends on them.
PICTURES = os.environ.get("LEDGER_PICTURES")


class Phone:
    """A browser of somebody's own, and all it complained of."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport={"width": PHONE, "height": 844}, has_touch=True, color_scheme="dark"
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.address = address
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def sits_down(self, token: str) -> None:
        self.page.goto(f"{self.address}/join#{token}")
        self.page.wait_for_url(re.compile(r"/table/\w+/s\d+/$"))
        self.at = self.page.url.rstrip("/")
        assert token not in self.page.url and token not in self.page.content()

    def fits(self, name: str) -> None:
        if PICTURES:
            for scheme in ("dark",):
                self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                self.page.screenshot(path=f"{PICTURES}/{name}-{scheme}.png", full_page=True)
        assert self.page.evaluate("() => document.scrollingElement.scrollWidth") == PHONE, self.page.url


@pytest.fixture
def table(service: Service) -> Table:
    """Sarah of Ben's and Steve of Cleo's, in a round."""
    table = object.__new__(Table)
    table.service = service
    opened = service.open(system="intensity", name="The yard").json()
    table.id, table.gm = opened["id"], Player(table, "s1", opened["seat"]["token"])
    table.ben, table.cleo = table.seat("Ben", "player"), table.seat("Cleo", "player")
    for player, name in ((table.ben, "Sarah"), (table.cleo, "Steve")):
        player.does("/characters", {"name": name, "seat": player.id, "sheet": SARAH})
    table.gm.declare("open-scene", title="A yard")
    table.gm.declare("open-round", participants=["1", "2"])
    return table


@pytest.fixture
def phones(browser: Browser, table: Table) -> Iterator[tuple[Phone, Phone]]:
    address = str(table.service.client.base_url).rstrip("/")
    both = Phone(browser, address), Phone(browser, address)
    yield both
    for one in both:
        one.context.close()


def test_two_phones_at_one_table(phones: tuple[Phone, Phone], table: Table) -> None:
    ben, cleo = phones
    ben.sits_down(table.ben.token)
    cleo.sits_down(table.cleo.token)
    for phone in phones:
        expect(phone.page.locator("#scene")).to_contain_text("A yard")
        expect(phone.page.locator("#people")).to_contain_text("Sarah")
        phone.fits("now")
    before = len(table.gm.look("/rulings")["rulings"])
    ben.page.locator("a.move", has_text="Sarah").first.click()
    ben.page.locator("label", has_text="Quick").first.click()
    ben.fits("declare")
    open_ = ben.page.locator("fieldset.tiles:not(:has(:checked)):visible")
    while open_.count():
        open_.first.locator("label").first.click()
    ben.page.locator("#send").dblclick()
    ben.page.wait_for_url(re.compile(r"ruling=|waiting="))
    assert len(table.gm.look("/rulings")["rulings"]) == before + 1
    said = table.gm.look("/rulings")["rulings"][-1]["text"]
    expect(ben.page.locator("#latest")).to_contain_text(said)
    expect(cleo.page.locator("#latest")).to_contain_text(said)  # it came by itself
    ben.page.goto(f"{ben.at}/timeline")
    ben.fits("timeline")
    ben.page.goto(f"{ben.at}/rulings/{before + 1}")
    ben.fits("ruling")
    ben.page.goto(ben.address)
    ben.fits("home")
    assert [one.complaints for one in phones] == [[], []]
