"""A sheet, and a place in the past, are laid out by their game where it has a layout; every value is still there."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.page.sitting import at_the_page, part
from tests.api.table import Service, Table


@pytest.fixture
def duel(service: Service) -> tuple[Table, int]:
    """A round is open; before it was, there was one ruling."""
    table = begun(service, "intensity")
    return table, int(table.gm.declare("open-round", participants=["1", "2"])["number"])


def test_a_sheet_is_its_games_and_leads_to_why(duel: tuple[Table, int]) -> None:
    table, number = duel
    sitter = at_the_page(table.ben)
    page = unescape(sitter.page("/sheet/character/1"))
    for trait in table.ben.look("/characters/1")["state"]["traits"]:
        assert re.search(rf'<ul class="traits">.*?<b>{trait["name"]}</b>', page, re.DOTALL)
    assert page.index('class="traits"') < page.index("<summary>All values")
    link = f"{sitter.at}/why/character/1/state/traits/0/size"
    assert f'<a class="value" href="{link}">' in page and sitter.get(link).status_code == 200
    past = unescape(sitter.page(f"/sheet/character/1?at={number - 1}&as=recorded"))
    assert f'<a class="value" href="{link}?at={number - 1}&as=recorded">' in past


def test_a_sheet_of_intensity_says_which_kind_of_character_it_is(duel: tuple[Table, int]) -> None:
    table, _ = duel
    louise = table.service.client.get("/systems/intensity").json()["people"]["Louise"]
    table.gm.does("/characters", {"name": "Louise", "seat": table.gm.id, "sheet": louise})
    people = part(at_the_page(table.gm), "people")
    assert people.count("Main character<") == 2 and people.count("Minor character<") == 1


def test_a_scene_is_its_games_board_now_and_then(duel: tuple[Table, int]) -> None:
    table, number = duel
    scene = table.gm.look("/state")["scenes"][0]["id"]
    sitter = at_the_page(table.gm)
    assert '<ul class="board">' in sitter.page(f"/sheet/scene/{scene}")
    assert "No round is open." in sitter.page(f"/sheet/scene/{scene}?at={number - 1}")
    assert '<ul class="board">' in sitter.page(f"/back?at={number}")
    assert '<ul class="board">' not in sitter.page(f"/back?at={number - 1}")


@pytest.mark.nightly
def test_looking_back_shows_the_games_sheets(duel: tuple[Table, int], sits: Sits) -> None:
    table, number = duel
    page = at_the_page(table.ben).page(f"/back?at={number}")
    assert page.count('<ul class="traits">') == 2
    assert "<form" not in page.partition('id="then"')[2], "nothing is declared in the past"
    ben = sits(table.ben.token, size=LAPTOP)
    for path in (f"/back?at={number}", "/sheet/character/1"):
        ben.look(path)
        ben.accessible()
        ben.fits()
        ben.picture(f"games-own-{path[1:5].strip('/')}")


def test_a_game_without_a_layout_shows_its_values(service: Service) -> None:
    table = begun(service, "toy")
    page = at_the_page(table.ben).page("/sheet/character/1")
    assert 'class="values"' in page and "All values" not in page
