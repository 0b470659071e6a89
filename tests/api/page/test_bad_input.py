"""What goes wrong with links, codes and old tabs is harmless, and told in a sentence where it happened."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from api.inviting.letting_in import Guesses
from api.service.options import Rate
from ledger.events.rate_limit import Permits
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import Device
from tests.api.table import Service, Table


@pytest.fixture
def table(service: Service) -> Table:
    return begun(service, "toy")


def invited(table: Table, name: str) -> str:
    return str(table.gm.does("/invites", {"role": "player", "name": name})["link"])


def rulings(table: Table) -> int:
    return len(table.gm.look("/rulings", limit=500)["rulings"])


def make_dead_invite_error(device: Device) -> None:
    told = device.page.get_by_role("alert")
    expect(told).to_contain_text("doesn’t work")
    expect(told).to_be_focused()
    expect(device.page.locator("#secret")).to_have_attribute("aria-describedby", "problem")
    assert "Ask your game master" in told.inner_text() and "/join" in device.page.url


def test_a_second_link_pasted_into_a_tab_at_a_table_seats_there_too(table: Table, sits: Sits) -> None:
    """What was sat at before stays: each seat has its own address, and its own cookie."""
    device = sits(table.ben.token)
    before = device.at
    link = invited(table, "Eve")
    device.page.goto(link)
    device.page.wait_for_url(re.compile(r"/table/\w+/s\d+/$"))
    expect(device.page.locator("footer")).to_contain_text("You are Eve")
    assert "#" not in device.page.url
    device.page.goto(before + "/")
    expect(device.page.locator("footer")).to_contain_text("You are Ben")
    with device.allowing("status of 422"):
        device.page.goto("/join")
        device.page.goto(link)  # behind the same page: only what stands after the # is otherwise
        make_dead_invite_error(device)
    device.page.goto(before + "/")
    expect(device.page.locator("footer")).to_contain_text("You are Ben")


def test_a_link_that_was_used_opens_nothing(table: Table, sits: Sits) -> None:
    link, first, second = invited(table, "Eve"), sits(), sits()
    first.sits_down(link)
    with second.allowing("status of 422"):
        second.page.goto(link)
        make_dead_invite_error(second)
    assert sum(one["name"] == "Eve" for one in table.gm.look()["seats"]) == 1
    expect(first.look("/").locator("footer")).to_contain_text("You are Eve")


def test_a_guessed_code_opens_nothing_and_too_many_are_stopped(table: Table, sits: Sits) -> None:
    assert table.service.app is not None
    state = table.service.app.state  # one more every two seconds would be let through on a slow machine
    state.guesses = Guesses(Permits(state.ledger.store.datastore), address_rate=Rate(30, 36_000))
    invited(table, "Eve")
    device = sits()
    device.page.goto("/join")
    with device.allowing("status of 422", "status of 429"):
        device.page.locator("#secret").fill("ABCD-EFGH")
        device.sends(device.page.get_by_role("button", name="Join"))
        make_dead_invite_error(device)
        for _ in range(40):
            answer = device.page.request.post(
                "/join", form={"key": "x", "secret": "ABCD-EFGJ"}, headers={"Origin": device.address}
            )
            if answer.status == 429:
                break
        device.page.locator("#secret").fill("ABCD-EFGK")
        device.sends(device.page.get_by_role("button", name="Join"))
    expect(device.page.get_by_role("alert")).to_have_text("Too many attempts. Please wait a minute.")
    expect(device.page.locator("#secret")).to_be_visible()
    device.accessible()


def begins_to_declare(device: Device) -> None:
    device.look("/").get_by_role("link", name="Hit: options").click()
    device.page.locator("#declare label.tile").first.click()
    expect(device.page.locator("#foreseen")).not_to_be_empty()


def test_an_old_tab_after_the_token_was_replaced_does_nothing(table: Table, sits: Sits) -> None:
    ben, before = sits(table.ben.token), rulings(table)
    begins_to_declare(ben)
    table.gm.does(f"/seats/{table.ben.id}/token", status=200)
    with ben.allowing("status of 401"):
        ben.sends(ben.page.locator("#send"))
        told = ben.page.get_by_role("alert")
        expect(told).to_contain_text("The link was replaced")
        expect(ben.page.get_by_role("link", name="Join")).to_be_visible()
    assert rulings(table) == before and table.gm.look("/waiting")["waiting"] == []


def test_an_old_tab_of_who_sat_down_anew_leads_to_its_form_again(table: Table, sits: Sits) -> None:
    ben, before = sits(table.ben.token), rulings(table)
    begins_to_declare(ben)
    token = table.gm.does(f"/seats/{table.ben.id}/token", status=200)["token"]
    other = ben.tab()
    other.goto("/join")
    other.locator("#secret").fill(token)
    other.keyboard.press("Enter")
    other.wait_for_url(re.compile(r"/table/\w+/s\d+/$"))
    with ben.allowing("status of 403"):
        ben.sends(ben.page.locator("#send"))
        expect(ben.page.get_by_role("alert")).to_contain_text("This form is from before you last joined.")
    assert rulings(table) == before and table.gm.look("/waiting")["waiting"] == []
    ben.page.get_by_role("link", name="Try again").click()
    expect(ben.page.locator("h1")).to_have_text("Hit")
