"""A device that several people use: who comes after somebody who left finds nothing of theirs."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import at_the_page
from tests.api.table import Service, Table

NOTE = "She is the one."


def test_nothing_is_left_of_who_left_the_table(table: Table, sits: Sits) -> None:
    """Neither in the list of tables, nor one step back, nor what was begun and not sent."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)
    table.ben.declare("give", char="1", to="2", coins=3)
    table.gm.does("/rulings/3/overturn", {"reason": "a mistake"}, 200)
    device = sits(table.gm.token)
    page = device.look("/findings")
    page.get_by_label("Reason").first.fill(NOTE)
    assert NOTE in page.evaluate("() => JSON.stringify(sessionStorage)"), "it is kept while something else is sent"
    device.look("/")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out on this device").click()
    assert page.evaluate("() => JSON.stringify([sessionStorage, localStorage])") == "[{},{}]"
    expect(page.get_by_text("Your tables")).to_have_count(0)
    with device.allowing("status of 401"):
        page.go_back()
        expect(page.locator("h1")).to_have_text("You are not signed in")


def test_two_seats_of_one_device_are_apart(service: Service) -> None:
    """Each address shows its seat; one without a seat asks whose it is, and says no more than their names."""
    table = begun(service, "toy")
    device = at_the_page(table.ben)
    first = device.at
    device.page("/")
    assert device.sit(table.cleo.token).status_code == 303
    device.page("/")
    assert "You are <b>Ben</b>" in device.get(f"{first}/").text
    assert "You are <b>Cleo</b>" in device.get(f"{device.at}/").text
    (campaign,) = {first.rpartition("/")[0]}
    whose = device.get(f"{campaign}/").text
    assert "Ben" in whose and "Cleo" in whose and "health" not in whose.lower()
    form = device.form(f"{first}/", f"{first}/leave")
    assert device.send(form, {}).status_code == 303
    assert device.get(f"{first}/").headers["location"] == f"{device.at}/", "who is left is led to their own seat"
    assert "as Ben" not in device.get("/").text and "as Cleo" in device.get("/").text
