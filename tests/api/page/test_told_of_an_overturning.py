"""Whoever loses something when a ruling is overturned reads so, and no open page goes on showing it as valid."""

from __future__ import annotations

import re
from html import unescape

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import at_the_page
from tests.api.table import Player, Service, Table

OVERTURNED = "This ruling was overturned"


@pytest.fixture
def paid(service: Service) -> tuple[Table, int]:
    """Ben's character gives 2 coins to Cleo's."""
    table = begun(service, "toy")
    table.gm.declare("mint", to="1", coins=4)
    return table, int(table.ben.declare("give", char="1", to="2", coins=2)["number"])


def turn(player: Player) -> str:
    page = at_the_page(player).page("/")
    (part,) = re.findall(r'<section id="turn".*?</section>', page, re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", part)))


def test_who_loses_something_reads_what_while_it_is_lost(paid: tuple[Table, int]) -> None:
    table, number = paid
    eve = table.seat("Eve", "player")
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)
    said = f"Ann overturns ruling {number}: It never was. For Ben Bow, this no longer counts: 2 coins change hands."
    assert said in turn(table.cleo)
    assert "For Ann Arrow, this no longer counts: 2 coins change hands." in turn(table.ben)
    assert "no longer counts" not in turn(table.gm) + turn(eve), "they lose nothing"
    table.gm.does(f"/rulings/{number}/reinstate", {"reason": "It was."}, 200)
    assert "no longer counts" not in turn(table.cleo)


def test_their_next_ruling_puts_the_loss_away(paid: tuple[Table, int]) -> None:
    table, number = paid
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)
    table.ben.declare("give", char="1", to="2", coins=1)
    assert "no longer counts" not in turn(table.ben) and "no longer counts" in turn(table.cleo)


def test_who_disputed_it_reads_what_they_lose_in_the_same_sentence(paid: tuple[Table, int]) -> None:
    table, number = paid
    table.cleo.does(f"/rulings/{number}/dispute", {"reason": "I have no hands."}, 200)
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "True."}, 200)
    said = turn(table.cleo)
    assert f"Your dispute has ended: Ann overturns ruling {number}: True. For Ben Bow, this no longer counts" in said
    assert said.count("no longer counts") == 1


def test_the_loss_and_the_last_result_arrive_by_themselves(paid: tuple[Table, int], sits: Sits) -> None:
    table, number = paid
    cleo = sits(table.cleo.token)
    page = cleo.look(f"/?ruling={number}")
    expect(page.locator("#last")).not_to_contain_text(OVERTURNED)
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)
    expect(page.locator("#turn .ended")).to_contain_text("this no longer counts: 2 coins change hands.")
    expect(page.locator("#last")).to_contain_text(OVERTURNED)
    page.reload()
    expect(page.locator("#last")).to_contain_text(OVERTURNED)
    expect(page.locator("#last s")).to_contain_text("gives 2 coins")
    cleo.accessible()
    cleo.fits()
    cleo.picture("told-of-an-overturning")


def test_a_reload_shows_the_newest_result(paid: tuple[Table, int], sits: Sits) -> None:
    """The address named the ruling of the seat's own act, and the result of the last blow came back."""
    table, number = paid
    page = sits(table.ben.token).look(f"/?ruling={number}")
    table.gm.declare("mint", to="2", coins=9)
    expect(page.locator("#last")).to_contain_text("9 coins")
    page.reload()
    expect(page.locator("#last")).to_contain_text("9 coins")


@pytest.mark.nightly
def test_an_open_ruling_is_up_to_date_and_keeps_what_is_typed(paid: tuple[Table, int], sits: Sits) -> None:
    table, number = paid
    cleo = sits(table.cleo.token)
    page = cleo.look(f"/rulings/{number}?disputing=true")
    page.locator("#reason").fill("I never")
    expect(page.get_by_role("main")).not_to_contain_text(OVERTURNED)
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)
    main = page.get_by_role("main")
    expect(main).to_contain_text(OVERTURNED)
    expect(main).to_contain_text(f"Ann overturns ruling {number}: It never was.")
    expect(page.locator("h1 s")).to_contain_text("gives 2 coins")
    expect(page.locator("#results s")).to_contain_text("2 coins change hands.")
    expect(page.locator("#reason")).to_have_value("I never")
    cleo.accessible()
    table.gm.does(f"/rulings/{number}/reinstate", {"reason": "It was."}, 200)
    expect(main).not_to_contain_text(OVERTURNED)
    expect(page.locator("h1 s")).to_have_count(0)


@pytest.mark.nightly
def test_on_other_views_a_line_says_that_one_is_waited_for(service: Service, sits: Sits) -> None:
    """Who read the timeline did not learn that it was their turn."""
    table = begun(service, "intensity")
    ben, cleo = sits(table.ben.token), sits(table.cleo.token)
    page = ben.look("/timeline")
    table.gm.declare("open-round", participants=["1", "2"])
    page = ben.look("/timeline")
    line = page.locator("header .yours a")
    expect(line).to_contain_text("Your turn: declare")
    ben.accessible()
    ben.fits()
    ben.picture("yours")
    trait = table.gm.look("/characters/1")["state"]["traits"][0]["name"]
    table.gm.declare("declare", char="1", target="2", level="calm", trait=trait, text="waits")
    ben.look("/sheets")
    expect(page.locator("header .yours")).to_be_attached()
    assert ben.page.request.get(ben.at + "/yours").text().strip() == "", "he is not waited for"
    expect(cleo.look("/dice").locator("header .yours a")).to_have_attribute(
        "href", f"{cleo.page.url.removesuffix('dice').removeprefix(cleo.address)}"
    )
