"""The parts of the page and the player's sheet: in both modes, on a phone, for everybody."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.table import Service, Table


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_parts_are_accessible_in_both_modes(sits: Sits, scheme: Literal["light", "dark"]) -> None:
    device = sits(scheme=scheme)
    device.page.goto("/design")
    expect(device.page.locator("svg.d").first).to_be_visible()
    device.fits()
    device.accessible()
    device.picture(f"design-{scheme}")


def test_a_players_sheet_stays_in_sight_and_opens(service: Service, sits: Sits) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    phone = sits(table.ben.token)
    strip, sheet = phone.page.locator("#own .strip"), phone.page.locator("#own article")
    expect(strip).to_be_in_viewport()
    expect(sheet).to_be_hidden()
    strip.click()
    expect(sheet).to_be_in_viewport()
    phone.fits()
    phone.accessible()
    phone.picture("sheet-open")
    table.gm.declare("declare", char="2", target=None, level="calm", trait=trait(table, "2"), text="waits")
    expect(phone.page.locator("#scene .board")).to_contain_text("waits")
    expect(sheet).to_be_in_viewport()  # what was open stays so while things happen
    sheet.get_by_role("link", name=trait(table, "1")).click()
    expect(phone.page.locator("#declare").get_by_label(trait(table, "1"), exact=True)).to_be_checked()
    laptop = sits(table.ben.token, size=LAPTOP)
    expect(laptop.page.locator("#own article")).to_be_in_viewport()
    expect(laptop.page.locator("#own .strip")).to_be_hidden()
    laptop.accessible()


def test_the_title_says_that_it_is_your_turn(service: Service, sits: Sits) -> None:
    table = begun(service, "intensity")
    phone = sits(table.ben.token)
    expect(phone.page).to_have_title("An evening")
    table.gm.declare("open-round", participants=["1", "2"])
    expect(phone.page).to_have_title("● An evening")  # by itself
    phone.look("/")
    expect(phone.page).to_have_title("● An evening")
    table.ben.declare("declare", char="1", target="2", level="calm", trait=trait(table, "1"), text="steps forward")
    expect(phone.page).to_have_title("An evening")


def trait(table: Table, who: str) -> str:
    name: str = table.gm.look(f"/characters/{who}")["state"]["traits"][0]["name"]
    return name
