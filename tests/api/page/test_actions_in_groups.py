"""What can be done: at most three actions in sight, the others in named groups that can be searched, and a drawer."""

from __future__ import annotations

import re
from html import unescape
from types import MappingProxyType
from typing import Any

import pytest
from markupsafe import Markup
from playwright.sync_api import expect

from api.table.groups import DRAWER, IN_SIGHT, make_digest
from api.table.presentations import index_headings
from ledger.rules import systems
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.page.sitting import at_the_page
from tests.api.table import Service
from tests.levels import sampled

IN_THE_DRAWER = [
    "Start a scene",
    "End the scene",
    "Start a session",
    "End the session",
    "Add a character",
    "Hand a character to another player",
    "Retire a character",
    "Correct a character’s sheet",
    "Change a balance",
    "Change an option",
]
WORDS_OF_THE_API = re.compile(r"\b(enrol|amend|adjust|dials?|hand over)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", sampled(sorted(systems()), 3, salt="in sight"))
def test_at_most_three_actions_are_in_sight(service: Service, name: str) -> None:
    table = begun(service, name)
    for player in (table.gm, table.ben):
        page = at_the_page(player).page("/")
        moves = page[page.index('<section id="moves"') : page.index('<section id="scene"')]
        in_sight = re.sub(r"<details.*?</details>", "", moves, flags=re.DOTALL)
        kinds = set(re.findall(r"/declare/([\w-]+)\?", in_sight))
        turn = page[page.index('<section id="turn"') : page.index('<section id="moves"')]
        prompted = re.findall(r"/(?:declare|tap)/([\w-]+)[?\"]", turn)
        assert len(kinds) <= IN_SIGHT and kinds | {*prompted}, (player.id, kinds)
        assert "Manage the table" not in moves


def test_what_every_table_does_is_in_a_closed_drawer_in_plain_words(service: Service, sits: Sits) -> None:
    table = begun(service, "intensity")
    gm = sits(table.gm.token, LAPTOP)
    page = gm.look("/")
    drawer = page.locator("#drawer details")
    expect(drawer).to_have_count(1)
    expect(drawer.get_by_role("link", name="Add a character")).not_to_be_visible()
    drawer.locator("summary").click()
    names = drawer.locator("a.move b").all_inner_texts()
    assert names and [name for name in IN_THE_DRAWER if name in names] == names
    assert WORDS_OF_THE_API.findall(drawer.inner_text()) == []
    assert drawer.locator("h3").all_inner_texts() == list(DRAWER)
    gm.accessible()
    gm.fits()
    gm.picture("drawer")
    drawer.get_by_role("link", name="Correct a character’s sheet").click()
    expect(page.locator("h1")).to_have_text("Correct a character’s sheet")


def test_an_action_is_found_by_a_part_of_its_name_and_by_keyboard(service: Service, sits: Sits) -> None:
    table = begun(service, "scattershot")
    gm = sits(table.gm.token)
    page = gm.look("/")
    expect(page.locator("#find-action")).not_to_be_visible()
    gm.tabs_to(re.compile("^More actions"))
    gm.press("Enter", "Tab")
    expect(page.locator("#find-action")).to_be_focused()
    page.keyboard.type("WEAPON")
    expect(page.locator(".more-actions li:visible")).to_have_count(1)
    expect(page.locator(".more-actions li:visible")).to_contain_text("List weapon")
    table.gm.does("/scenes", {"title": "Another place"})  # the moves come anew
    expect(page.locator("#scene")).to_contain_text("Another place")
    expect(page.locator("#find-action")).to_have_value("WEAPON")
    expect(page.locator("#find-action")).to_be_focused()
    expect(page.locator(".more-actions li:visible")).to_have_count(1)
    gm.accessible()
    page.locator("#find-action").fill("nothing of the kind")
    none = page.locator("#found-none")
    expect(none).to_contain_text("No action here is called “nothing of the kind”. “Manage the table” has: ")
    expect(none).to_contain_text("Start a scene, ")
    page.locator("#find-action").fill("add a ch")
    expect(none).to_have_text("No action here is called “add a ch”. “Manage the table” has: Add a character.")
    page.locator("#find-action").fill("")
    assert page.locator(".more-actions li:visible").count() > IN_SIGHT


def test_without_a_script_there_is_no_field_to_search_with(service: Service) -> None:
    page = at_the_page(begun(service, "scattershot").gm).page("/")
    (field,) = re.findall(r"<div [^>]*data-find[^>]*>", page)
    assert " hidden" in field


@pytest.mark.parametrize("name", sorted(systems()))
def test_a_heading_is_of_actions_that_the_game_has(service: Service, name: str) -> None:
    document: dict[str, Any] = service.client.get(f"/systems/{name}").json()
    kinds = {entry["kind"] for entry in document["inputs"]}
    kernel = {kind for kinds in DRAWER.values() for kind in kinds}
    headings = index_headings(name)
    assert set(headings) <= kinds - kernel
    assert not headings or set(headings) == kinds - kernel, "every action of the game has a heading, or none has"


def test_what_the_game_waits_for_from_others_is_no_next_step_of_mine(service: Service) -> None:
    """After her own roll, Sarah's player read "Roll: 4 options"."""
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", None)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    table.ben.declare("roll", faces=[{"char": "1", "intensity": 5, "trait": 4}])
    page = at_the_page(table.ben).page("/")
    in_sight = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert "/declare/roll" not in in_sight
    others = page.partition("<h3>For other players</h3>")[2].partition("</section>")[0]
    assert set(re.findall(r"/declare/([\w-]+)", others)) == {"roll"}


def test_a_game_master_who_plays_rolls_for_nobody_else_by_a_slip(service: Service) -> None:
    """Ann meant to roll for her own character, and rolled Ben's dice: "Roll, 5 options", "with 1, 2, 5"."""
    table = begun(service, "intensity")
    sheet = next(iter(service.client.get("/systems/intensity").json()["people"].values()))
    table.gm.does("/characters", {"name": "Rat", "seat": table.gm.id, "sheet": sheet})
    rat = table.gm.look("/state")["characters"][-1]["id"]
    table.gm.declare("open-round", participants=["1", "2", rat])
    for id, target in (("1", "2"), ("2", rat), (rat, "1")):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="waits")
    for player, name in ((table.gm, "Rat"), (table.ben, "Sarah")):
        sitter = at_the_page(player)
        page = sitter.page("/")
        moves = page[page.index('<section id="moves"') : page.index('<section id="scene"')]
        near = moves.partition("More actions")[0]
        assert set(re.findall(r"(\w+) rolls the dice|Roll</b>", near)) <= {name}, player.id
        others = moves.partition("<h3>For other players</h3>")[2].partition("</section>")[0]
        assert "/declare/roll" in others
        for path in {unescape(path) for path in re.findall(r'href="([^"]+/declare/roll[^"]*)"', page)}:
            assert re.search(r"with [0-9]", sitter.get(path).text) is None, path


def test_what_a_prompt_leads_to_is_offered_once(service: Service) -> None:
    page = at_the_page(begun(service, "intensity").gm).page("/")
    assert page.count("/declare/open-round?") == 1


def test_a_character_who_is_at_the_table_is_not_offered_again(service: Service) -> None:
    table = begun(service, "intensity")
    names = list(service.client.get("/systems/intensity").json()["people"])
    page = at_the_page(table.gm).page("/declare/enrol")
    chips = [unescape(name) for name in re.findall(r'<a class="chip"[^>]*>([^<]+)<', page)]
    assert chips == names[2:]


def test_a_level_is_shown_with_its_die(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    sitter = at_the_page(table.ben)
    form = sitter.get(next(one for one in sitter.moves() if "/declare/declare?" in one)).text
    for level in ("Calm (D6)", "Invested (D8)", "Passionate (D10)", "Fanatical (D12)"):
        assert f"<span>{level}</span>" in form


def test_a_digest_depends_on_what_is_said_and_not_on_how_it_is_kept() -> None:
    kept = make_digest({"b": Markup("<i>"), "a": ({"c": None},)})
    assert make_digest(MappingProxyType({"a": [{"c": None}], "b": "<i>"})) == kept
    assert make_digest({"a": [{"c": 0}], "b": "<i>"}) != kept
