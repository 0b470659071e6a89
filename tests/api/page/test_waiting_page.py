"""The page of a question that somebody else has to answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.table import HIT, Service


@pytest.mark.nightly
def test_it_shows_by_itself_that_the_answer_has_come(service: Service, sits: Sits) -> None:
    table = begun(service, "toy")
    waiting = table.ben.declare(**HIT, status=202)["id"]
    ben = sits(table.ben.token)
    main = ben.look(f"/waiting/{waiting}").get_by_role("main")
    expect(main).to_contain_text("Waiting for Cleo.")
    main.get_by_label("Reason").fill("I meant Steve.")
    ruling = table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "stand"}}}, 201)["number"]
    expect(main).to_contain_text(f"This declaration became ruling {ruling}.", timeout=20_000)
    expect(main.get_by_label("Reason")).to_have_value("I meant Steve.")  # what was being typed is not lost
    expect(main.get_by_label("Reason")).to_be_visible()
    ben.accessible()


def test_what_was_answered_on_another_device_is_asked_no_more(service: Service, sits: Sits) -> None:
    """Neither the question nor its form is left over, on its own page and on the first one."""
    table = begun(service, "toy")
    waiting = table.ben.declare(**HIT, status=202)["id"]
    page, first = sits(table.cleo.token), sits(table.cleo.token)
    asked = page.look(f"/waiting/{waiting}").locator("form:has(.answer)")
    question = page.page.locator("h1").inner_text()
    expect(asked).to_be_visible()
    notice = first.look("/?ruling=1&again=look").get_by_role("alert")
    expect(notice).to_contain_text("You already did this")
    expect(first.page.locator("#asked")).to_contain_text(question)
    asked.locator("input, textarea, .answer").first.focus()
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "stand"}}}, 201)
    expect(page.page.get_by_role("main")).to_contain_text("This declaration became ruling", timeout=20_000)
    expect(asked).to_have_count(0)
    expect(notice).to_have_count(0)
    for device in (page, first):
        expect(device.page.get_by_role("main")).not_to_contain_text(question)
        device.accessible()
