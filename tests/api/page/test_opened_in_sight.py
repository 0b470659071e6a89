"""What a tap opens on a phone is seen: otherwise nothing seems to happen."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.table import Service


def test_what_a_tap_opens_comes_into_sight(service: Service, sits: Sits) -> None:
    """Without losing what was tapped; and where enough of it is seen, nothing moves."""
    ben = sits(begun(service, "moc").ben.token)
    page = ben.look()
    fold = page.locator("#turn details.pick", has_text="Another skill or target number")
    summary, first = fold.locator("> summary"), fold.locator("label.tile").first

    def opens(at: int) -> float:
        """With the summary this far down the screen. Return how far it moves."""
        before = summary.evaluate(
            "(one, at) => { scrollBy(0, one.getBoundingClientRect().top - at);"
            " return one.getBoundingClientRect().top; }",
            at,
        )
        summary.click()
        expect(first).to_be_in_viewport()
        expect(summary).to_be_in_viewport()
        return float(before - summary.evaluate("one => one.getBoundingClientRect().top"))

    assert first.is_hidden()
    assert opens(600) > 100
    summary.click()
    assert abs(opens(300)) < 2


def test_what_a_choice_in_a_form_opens_comes_into_sight(service: Service, sits: Sits) -> None:
    ben = sits(begun(service, "moc").ben.token, size=(390, 500))
    page = ben.look()
    address = page.locator("a[href*='/declare/buy']").first.get_attribute("href")
    assert address is not None
    page.goto(address)
    pick = page.locator(".many > .pick").first
    opened = page.locator(".many > .part > .inner :is(input, select, .tile):visible").first
    expect(opened).to_be_hidden()
    pick.evaluate("one => scrollBy(0, one.getBoundingClientRect().bottom - 340)")
    pick.evaluate(
        "one => { const select = one.querySelector('select'); select.selectedIndex = 3;"
        " select.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    expect(opened).to_be_in_viewport()
    expect(pick).to_be_in_viewport()
    assert opened.evaluate("one => one.getBoundingClientRect().bottom <= innerHeight - 144"), "above the bar"
