"""A form without its reason is not sent, and one sees why: the field comes into sight, with what is wrong beside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.table import Service
from tests.levels import sampled

NEEDED = "Fill in this field."


def is_asked_for(page: Page, field: Locator) -> None:
    told = page.get_by_text(NEEDED)
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport(ratio=1)
    expect(told).to_be_in_viewport(ratio=1)
    expect(field).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("decision", sampled(["rewind", "overturn"], 1))
def test_a_decision_without_a_reason(service: Service, sits: Sits, decision: str) -> None:
    table = begun(service, "toy")
    table.gm.declare("mint", to="1", coins=4)
    ann = sits(table.gm.token)
    page = ann.look(f"/rulings/4/{decision}")
    field = page.locator("#reason")
    field.fill("")
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    page.locator("#do").click()
    is_asked_for(page, field)
    ann.accessible()
    ann.fits()
    field.fill("It was a slip.")
    expect(page.get_by_text(NEEDED)).to_have_count(0)
    expect(field).not_to_have_attribute("aria-invalid", "true")
    ann.sends(page.locator("#do"))
    assert table.gm.look("/rulings/4")["status"] == "overturned"


def test_an_option_without_a_reason(service: Service, sits: Sits) -> None:
    """Though somebody has folded it away."""
    ann = sits(begun(service, "toy").gm.token)
    page = ann.look("/settings")
    field = page.locator("#why-dice")
    field.evaluate("field => field.form.requestSubmit()")
    is_asked_for(page, field)
