"""The pages about the games, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from ledger.rules import systems
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
