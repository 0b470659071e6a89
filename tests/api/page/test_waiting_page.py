"""The page of a question that somebody else has to answer."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.table import HIT, Service


def test_it_shows_by_itself_that_the_answer_has_come(service: Service, sits: Sits) -> None:
    table = begun(service, "toy")
    waiting = table.ben.declare(**HIT, status=202)["id"]
    ben = sits(table.ben.token)
    main = ben.look(f"/waiting/{waiting}").get_by_role("main")
    expect(main).to_contain_text("Waiting for Cleo.")
    main.get_by_label("Reason").fill("I meant Steve.")
    ruling = table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "stand"}}}, 201)["number"]
    expect(main).to_contain_text(f"It became ruling {ruling}.", timeout=20_000)
    expect(main.get_by_label("Reason")).to_have_value("I meant Steve.")  # what was being typed is not lost
    expect(main.get_by_label("Reason")).to_be_visible()
    ben.accessible()
