"""The documentation in a browser: it keeps to its policy, and its search finds things without a service elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from api.app import create_app
from api.service.options import Options
from ledger.application import Ledger
from tests.api.conftest import serving
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, PHONE
from tests.api.test_documentation import site
from tests.levels import sampled

__all__ = ["site"]


@pytest.mark.parametrize(("size", "scheme"), sampled([(PHONE, "dark"), (LAPTOP, "light")], 1, several=True))
def test_the_documentation_works_in_a_browser(
    ledger: Ledger, sits: Sits, site: Path, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> None:
    """Its console stays empty: `sits` fails for any violation of the policy."""
    with serving(create_app(ledger, operator_token=None, options=Options(docs=site))) as address:
        device = sits(size=size, scheme=scheme, address=address)
        requested: list[str] = []
        device.page.on("request", lambda request: requested.append(request.url))
        device.page.goto("/docs/")
        expect(device.page.locator("h1")).to_contain_text("Campaign Ledger")
        expect(device.page.locator(f"img[src$='throw-{scheme}.png#only-{scheme}']")).to_be_visible()
        device.picture(f"docs-{scheme}")
        if size == PHONE:
            device.page.locator("label[for='__search']").first.click()
        device.page.locator("input[name='query']").press_sequentially("operator token")
        found = device.page.locator(".md-search-result__item a").first
        expect(found).to_be_visible()
        found.click()
        expect(device.page.locator("mark").first).to_be_attached()
        device.page.goto("/docs/")  # the browser has it, and is told that it has not changed
        expect(device.page.locator(f"img[src$='throw-{scheme}.png#only-{scheme}']")).to_be_visible()
        assert all(url.startswith((address, "data:")) for url in requested)
