"""The line over which a page hears what happens: there is one, and only one, however slow the network is."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Route, expect
from starlette.concurrency import run_in_threadpool

from api.table import now
from api.table.client import Json
from api.table.pages import Desk
from tests.api.page.conftest import Sits
from tests.api.page.sitting import at_the_page
from tests.api.table import Service, Table

SLOW = 6  # seconds: by then the page has looked whether it has a line


def test_a_line_ends_in_order_for_a_seat_that_is_removed_while_it_is_told(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(service)
    ben, looked = at_the_page(table.ben), now._list_recent_rows

    def remove() -> None:
        if not table.gm.look()["seats"][1]["removed"]:
            assert table.gm.send("PATCH", f"/seats/{table.ben.id}", json={"removed": True}).status_code == 200

    async def removed(desk: Desk, position: int) -> list[tuple[str, Json]]:
        await run_in_threadpool(remove)
        return await looked(desk, position)

    with ben.client.stream("GET", f"{ben.at}/live") as line:
        monkeypatch.setattr(now, "_list_recent_rows", removed)
        table.fighters()
        assert "event: ended" in "".join(line.iter_text())


@pytest.mark.nightly
def test_a_line_that_comes_late_is_one_line(service: Service, sits: Sits) -> None:
    """Two would be two of the six that a browser has for all its tabs."""
    table = Table(service)
    device = sits(table.ben.token)
    asked: list[str] = []

    def late(route: Route) -> None:
        asked.append(route.request.url)
        time.sleep(SLOW if len(asked) == 1 else 0)
        route.continue_()

    device.page.route("**/live?*", late)
    device.look("/")
    table.fighters()
    expect(device.page.locator("#people")).to_contain_text("Celia")
    device.page.wait_for_timeout(1000)
    assert len(asked) == 1


def test_a_script_that_comes_late_hears_all_the_same(service: Service, sits: Sits) -> None:
    """What begins the line waits for the script that can: where it did not, the page heard nothing."""
    table = Table(service)
    device = sits(table.ben.token)
    page = device.tab()

    def late(route: Route) -> None:
        time.sleep(1)
        route.continue_()

    page.route("**/hx-sse.js", late)
    page.goto(f"{device.at}/")
    table.fighters()
    expect(page.locator("#people")).to_contain_text("Celia", timeout=60_000)
