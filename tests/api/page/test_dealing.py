"""Giving ready-made characters to the players, who may choose by themselves meanwhile."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.page.every_view import empty
from tests.api.page.sitting import at_the_page
from tests.api.table import Service


def test_who_has_chosen_is_not_offered_a_character_any_more(service: Service, sits: Sits) -> None:
    """In the page with the links, and in the one with the characters, without loading them again."""
    table = empty(service, "mongrel")
    table.cleo = table.seat("Cleo", "player")
    ann, beside = sits(table.gm.token, LAPTOP), sits(table.gm.token)
    page = ann.look("/start/players")
    page.locator("#names").fill("Dora")
    ann.sends(page.get_by_role("button", name="Create links"))
    link = page.locator(".asked code").first.inner_text()
    gives = re.compile("^Give ")
    beside.look("/start/characters")
    for device in (ann, beside):
        expect(device.page.get_by_role("button", name="Give each player")).to_be_visible()
    players = [one for one in table.gm.look()["seats"] if one["role"] == "player"]
    people = service.client.get("/systems/mongrel").json()["people"]
    for seat, (name, sheet) in zip(players, people.items(), strict=False):
        table.gm.does("/characters", {"name": name, "seat": seat["id"], "sheet": sheet})
    for device in (ann, beside):
        expect(device.page.get_by_role("button", name=gives)).to_have_count(0)
    expect(page.get_by_role("link", name="Next: characters")).to_be_visible()
    assert page.locator(".asked code").first.inner_text() == link
    ann.accessible()


def test_a_player_whose_choice_waits_for_approval_is_given_no_other_character(service: Service) -> None:
    """Nor is the chosen character given to somebody else."""
    table = empty(service, "moc")
    table.seat("Cleo", "player")
    table.seat("Dora", "player")
    people = service.client.get("/systems/moc").json()["people"]
    first, second, third = list(people)[:3]
    table.ben.does("/characters", {"name": first, "seat": table.ben.id, "sheet": people[first]}, 202)
    page = at_the_page(table.gm).page("/start/characters")
    assert f"<small>Cleo: {second}, Dora: {third}</small>" in page


def test_a_ready_made_character_comes_with_the_seat_that_plays_it(service: Service) -> None:
    """A villain is the game master's. Also in the form that changes the sheet first."""
    table = empty(service, "moc")
    ann = at_the_page(table.gm)
    cards = re.findall(r"<article>.*?</article>", ann.page("/start/characters"), re.DOTALL)
    for name, seat in (("Juno Castellan", table.ben.id), ("Warden Hask", table.gm.id)):
        card = next(card for card in cards if f"<h2>{name}</h2>" in card)
        assert re.findall(r'<option value="([^"]+)" selected', card) == [seat]
        form = ann.form(f"{ann.at}/declare/enrol?person={name}", f"{ann.at}/declare/enrol")
        assert form.fields["/declare/seat"] == [f'"{seat}"']
