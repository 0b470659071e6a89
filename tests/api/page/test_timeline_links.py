"""A sentence of the timeline leads to its ruling."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.table import Service


@pytest.mark.nightly
def test_a_sentence_of_the_timeline_leads_to_its_ruling(service: Service, sits: Sits) -> None:
    table = begun(service, "toy")
    number = table.gm.declare("mint", to="1", coins=4)["number"]
    ben = sits(table.ben.token)
    page = ben.look("/timeline")
    page.get_by_role("link", name="4 coins are minted for Ann Arrow.").click()
    expect(page).to_have_url(re.compile(rf"/rulings/{number}$"))
    struck = table.gm.declare("mint", to="1", coins=3)["number"]
    table.gm.does(f"/rulings/{struck}/overturn", {"reason": "No."}, 200)
    page = ben.look("/timeline")
    expect(page.locator(f"#r-{struck} a s")).to_have_text("3 coins are minted for Ann Arrow.")
    ben.accessible()
    ben.fits()
    ben.picture("timeline")
