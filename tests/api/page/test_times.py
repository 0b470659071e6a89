"""Times: one format, with the zone named, and in a browser the reader's own."""

from __future__ import annotations

import re

from playwright.sync_api import Browser

from api.table.words import format_moment
from tests.api.page.campaigns import begun
from tests.api.page.sitting import at_the_page
from tests.api.table import Service

WRITTEN = r"\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d "


def test_a_time_names_its_zone() -> None:
    assert format_moment("2026-11-28T21:58:04.5Z") == "28 November 2026, 21:58 UTC"
    assert format_moment("2026-11-29T06:58:04+09:00") == "28 November 2026, 21:58 UTC"


def test_every_time_has_one_format(service: Service) -> None:
    sitter = at_the_page(begun(service, "intensity").gm)
    for path in ("/rulings/1", "/timeline", "/dice", "/settings", "/"):
        for text in re.findall(r"<time [^>]*>([^<]*)</time>", sitter.page(path)):
            assert re.fullmatch(WRITTEN + "UTC", text), (path, text)


def test_a_browser_shows_the_time_where_the_reader_is(service: Service, browser: Browser) -> None:
    table = begun(service, "toy")
    address = str(service.client.base_url).rstrip("/")
    context = browser.new_context(base_url=address, timezone_id="Asia/Tokyo")
    page = context.new_page()
    page.goto("/join")
    page.locator("#secret").fill(table.ben.token)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/table/\w+/s2/$"))
    page.goto(page.url + "rulings/1")
    time = page.locator("time").first
    at = time.get_attribute("datetime")
    shown, written = time.inner_text(), format_moment(str(at))
    assert re.fullmatch(WRITTEN + r"GMT\+9", shown), shown
    hours = [int(text.partition(", ")[2][:2]) for text in (written, shown)]
    assert (hours[1] - hours[0]) % 24 == 9
    context.close()
