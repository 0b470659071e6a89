"""The pages about the games, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from ledger.rules import systems
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.table import Service
from tests.levels import sampled

PHONE = 390
#: What is wider inside than outside, but for what is only read aloud.
WIDE = """() => [...document.querySelectorAll('*:not(.hidden)')]
    .filter(one => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
    .map(one => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="guides"))
def test_a_guide_is_read_on_a_phone_without_scrolling_sideways(browser: Browser, service: Service, name: str) -> None:
    page = browser.new_page(viewport={"width": PHONE, "height": 844})
    page.goto(f"{service.client.base_url}/systems/{name}/guide")
    assert page.evaluate("() => document.scrollingElement.scrollWidth") == PHONE
    assert page.evaluate(WIDE) == []
    rule = next(iter(systems()[name].rules))
    page.goto(f"{service.client.base_url}/systems/{name}/guide#{rule}")
    assert page.locator(":target").inner_text() == rule
    assert page.locator(":target").is_visible()
    page.close()


@pytest.mark.nightly
def test_from_anywhere_in_a_guide_one_tap_leads_back_to_the_table(service: Service, sits: Sits) -> None:
    """Also far down at a rule, and after a search; from an account, whose address has a colon."""
    table = begun(service, "mongrel")
    ben = sits(table.ben.token)
    account = next(one["account"] for one in table.ben.look("/accounts")["accounts"] if ":" in one["account"])
    page = ben.look(f"/accounts/{account}")
    came_from = page.url
    page.evaluate("() => { location.href = '/systems/mongrel/guide' }")
    page.wait_for_url("**/guide")
    rule = list(systems()["mongrel"].rules)[-1]
    page.evaluate("rule => { location.hash = rule }", rule)
    back = page.get_by_role("link", name="Back to the table")
    expect(page.locator(":target")).to_be_in_viewport()
    expect(back).to_be_in_viewport()
    ben.fits()
    ben.accessible()
    page.locator("#q").fill("declare")
    ben.press("Enter")
    page.get_by_role("link", name="Show in the rulebook").first.click()
    page.wait_for_url(re.compile("[?]back=.*#"))
    expect(back).to_be_in_viewport()
    back.click()
    page.wait_for_url(came_from)


def test_a_guide_shows_players_nothing_that_is_for_programs(service: Service, sits: Sits) -> None:
    page = sits(begun(service, "intensity").ben.token).page
    page.goto("/systems/intensity/guide")
    for_players = page.locator("main").inner_text().rpartition("For programs")[0]
    assert "@Sarah" not in for_players and "generated from the rules" not in for_players
    page.locator("main summary").first.click()
    expect(page.locator("pre:visible")).to_have_count(1)
