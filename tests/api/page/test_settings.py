"""What a game master settles on a phone: seats, ways in and back in, hooks; in a real Chromium."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Locator, expect

from projections.documents.feeds import EVENTS
from tests.api.conftest import SCHEMA
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import Device
from tests.api.table import Service, Table

PUBLIC = "https://93.184.216.34/told"  # nothing is sent there: nobody delivers here


@pytest.fixture
def table(service: Service) -> Table:
    return begun(service, "toy")


def seat(device: Device, name: str) -> Locator:
    """Its card, unfolded."""
    card = device.look("/settings").locator("#seats .cards li", has_text=name).first
    card.locator("summary").click()
    return card


@pytest.mark.nightly
def test_a_seat_is_renamed_and_removed(table: Table, sits: Sits) -> None:
    gm, cleo = sits(table.gm.token), sits(table.cleo.token)
    card = seat(gm, "Cleo")
    gm.fits()
    gm.accessible()
    card.get_by_label("Name").fill("Cleopatra")
    gm.sends(card.get_by_role("button", name="Rename"))
    expect(gm.page.locator("#seats")).to_contain_text("Cleopatra")
    expect(cleo.look("/").locator("footer")).to_contain_text("Cleopatra")
    with cleo.allowing("status of 401"):
        gm.sends(seat(gm, "Cleopatra").get_by_role("button", name="Remove from the table"))
        expect(gm.page.locator("#seats .cards").first).not_to_contain_text("Cleopatra")
        expect(cleo.page.get_by_role("alert")).to_contain_text("This browser no longer has a seat here")
    assert next(one for one in table.gm.look()["seats"] if one["id"] == table.cleo.id)["removed"]


@pytest.mark.nightly
def test_a_name_that_is_none_is_told_where_it_was_written(table: Table, sits: Sits) -> None:
    gm = sits(table.gm.token)
    card = seat(gm, "Cleo")
    card.get_by_label("Name").fill("")
    with gm.allowing("status of 422"):
        gm.sends(card.get_by_role("button", name="Rename"))
    expect(gm.page.locator("#seats").get_by_role("alert")).to_be_focused()
    assert {one["name"] for one in table.gm.look()["seats"]} == {"Ann", "Ben", "Cleo"}


@pytest.mark.nightly
def test_a_lost_phone_gets_a_way_back_in(table: Table, sits: Sits) -> None:
    """Shown to the game master this once; what was sat at before is over."""
    gm, lost, found = sits(table.gm.token), sits(table.ben.token), sits()
    with lost.allowing("status of 401"):
        gm.sends(seat(gm, "Ben").get_by_role("button", name="Replace the link and token"))
        made = gm.page.locator(".asked")
        expect(made).to_contain_text("Ben can join")
        expect(made.locator(".qr svg")).to_be_visible()
        gm.fits()
        gm.accessible()
        link = made.locator("code").first.inner_text()
        lost.page.goto(lost.at + "/")
        expect(lost.page.get_by_role("alert")).to_contain_text("The link was replaced")
    found.sits_down(link)
    expect(found.page.locator("footer")).to_contain_text("Ben")
    gm.look("/settings")
    assert link not in gm.page.content(), "it was shown once"


@pytest.mark.nightly
def test_another_game_master_is_seated(table: Table, sits: Sits) -> None:
    gm, other = sits(table.gm.token), sits()
    gm.look("/settings").locator("summary", has_text="Add a game master").click()
    gm.page.locator("#master-name").fill("Dora")
    gm.sends(gm.page.get_by_role("button", name="Add game master"))
    other.sits_down(gm.page.locator(".asked code").first.inner_text())
    expect(other.page.locator("footer")).to_contain_text("You are Dora (game master)")


def test_a_hook_is_made_looked_at_and_removed(table: Table, sits: Sits, postgres: Any) -> None:
    gm = sits(table.gm.token)
    gm.look("/settings").locator("#url").fill("http://127.0.0.1/told")
    with gm.allowing("status of 422"):
        gm.sends(gm.page.get_by_role("button", name="Create webhook"))
    expect(gm.page.locator("#hooks").get_by_role("alert")).to_be_focused()
    gm.page.locator("#url").fill(PUBLIC)
    for event in gm.page.locator("[name=events]").all():
        event.check()
    gm.sends(gm.page.get_by_role("button", name="Create webhook"))
    expect(gm.page.locator(".asked code")).to_contain_text("whsec_")
    card = gm.page.locator("#hooks .cards li")
    expect(card).to_contain_text("Nothing has been delivered yet.")
    (hook,) = table.gm.look("/hooks")["hooks"]
    assert hook["events"] == list(EVENTS)
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        at = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
        owner.execute(
            f"UPDATE {SCHEMA}.hooks SET delivered_at = %s, problem_at = %s, problem = %s WHERE id = %s",
            (at, at, "The address returned 500.", hook["id"]),
        )
    gm.look("/settings")
    expect(card).to_contain_text("Last delivery: 21 November 2026, 20:00 UTC.")
    expect(card).to_contain_text("The address returned 500.")
    gm.fits()
    gm.accessible()
    gm.picture("settings-hooks")
    gm.sends(card.get_by_role("button", name="Stop"))
    expect(card).to_have_count(0)
    assert table.gm.look("/hooks")["hooks"] == []
