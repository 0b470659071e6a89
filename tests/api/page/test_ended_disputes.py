"""Who disputed a ruling is shown how the dispute ended, until their next ruling."""

from __future__ import annotations

from html import unescape

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import at_the_page
from tests.api.table import Player, Service, Table

ENDED = "Your dispute has ended:"


@pytest.fixture
def disputed(service: Service) -> tuple[Table, int]:
    table = begun(service, "toy")
    number = table.gm.declare("mint", to="1", coins=4)["number"]
    table.ben.does(f"/rulings/{number}/dispute", {"reason": "Nobody had four coins."}, 200)
    return table, int(number)


def told(player: Player) -> bool:
    return ENDED in at_the_page(player).page("/")


def test_who_disputed_reads_how_it_ended_until_their_next_ruling(disputed: tuple[Table, int]) -> None:
    table, number = disputed
    assert not told(table.ben), "it is open"
    table.gm.does(f"/rulings/{number}/uphold", {"reason": "They lay under the mill."}, 200)
    sitter = at_the_page(table.ben)
    page = unescape(sitter.page("/"))
    assert (
        f'{ENDED} <a href="{sitter.at}/rulings/{number}">Ann upholds ruling {number}: They lay under the mill.</a>'
        in page
    )
    made = table.gm.look(f"/rulings/{number}")["text"]
    assert f"The ruling was: {made}" in page, "a number alone says nothing"
    assert not told(table.cleo) and not told(table.gm)
    table.ben.declare("give", char="1", to="2", coins=1)
    assert not told(table.ben)


def test_everybody_reads_of_an_open_dispute_and_only_deciders_decide(disputed: tuple[Table, int]) -> None:
    table, number = disputed
    for player, way in ((table.gm, "/decide"), (table.cleo, "")):
        sitter = at_the_page(player)
        page = unescape(sitter.page("/"))
        assert f'<a href="{sitter.at}/rulings/{number}{way}">Ben disputes ruling {number}</a>' in page, player.id


def test_nobody_is_offered_to_dispute_their_own_joining(service: Service) -> None:
    table = begun(service, "toy")
    table.ben.enrol("Old Meg")
    for player, may_dispute in ((table.ben, False), (table.cleo, True)):
        page = at_the_page(player).page("/")
        assert "Old Meg joins" in page and ('aria-label="Dispute ruling 5"' in page) == may_dispute


def test_the_end_of_a_dispute_appears_by_itself(disputed: tuple[Table, int], sits: Sits) -> None:
    table, number = disputed
    ben = sits(table.ben.token)
    page = ben.look("/")
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "Ben is right."}, 200)
    expect(page.locator("#turn .ended")).to_contain_text(f"Ann overturns ruling {number}: Ben is right.")
    ben.accessible()
    ben.fits()
    ben.picture("ended")


def test_a_ruling_overturned_without_a_dispute_of_mine_is_no_end_of_one(service: Service) -> None:
    table = begun(service, "toy")
    number = table.gm.declare("mint", to="1", coins=4)["number"]
    table.cleo.does(f"/rulings/{number}/dispute", {"reason": "No."}, 200)
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "True."}, 200)
    assert not told(table.ben) and told(table.cleo)
