"""A blow of Scattershot on three devices, as people tap it: how many taps a roll and a blow take."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.page.playing import Hands
from tests.api.page.thrusts import (
    GORRIN,
    MIRABEL,
    has_nothing_more,
    rolls_from_the_sheet,
    starts_as_on_the_page,
    thrusts,
)
from tests.api.table import Service

BLOW = 6  # taps by all people together, from the attack to its damage
BUTTONS = 12  # of the game master


def test_a_contested_blow_takes_few_taps(service: Service, sits: Sits) -> None:
    table, hands = starts_as_on_the_page(service), Hands()
    ann, ben, cleo = sits(table.gm.token, size=LAPTOP), sits(table.ben.token), sits(table.cleo.token)
    with hands.counted() as blow:
        thrusts(hands, ben, cleo)
    assert blow.taps <= BLOW
    rulings = table.gm.look("/rulings", limit=100)["rulings"]
    assert [ruling["by"]["name"] for ruling in rulings if ruling["declared"]["kind"] == "roll-mib"] in (
        ["Ben", "Cleo"],
        ["Cleo", "Ben"],
    )
    for device in (ben, cleo, ann):
        device.fits()
        device.accessible()


@pytest.mark.nightly
def test_a_contested_blow_in_mechanical_play_takes_few_taps(service: Service, sits: Sits) -> None:
    table, hands = starts_as_on_the_page(service), Hands()
    ann, ben, cleo = sits(table.gm.token, size=LAPTOP), sits(table.ben.token), sits(table.cleo.token, scheme="dark")
    hands.does(ann, "Begin Mechanical Play")
    first = next(entry["character"] for entry in table.gm.look("/waiting")["awaited"])
    attacker, defender = (ben, cleo) if first == MIRABEL else (cleo, ben)
    hands.does(attacker, "Begin .+’s Turn")
    with hands.counted() as blow:
        thrusts(hands, attacker, defender)
    assert blow.taps <= BLOW
    fight = table.gm.look("/state")["scenes"][0]["state"]["fight"]
    assert fight["standing"][GORRIN if first == MIRABEL else MIRABEL]["forfeited"] == 1
    for device in (ben, cleo, ann):
        device.fits()
        device.accessible()


@pytest.mark.nightly
def test_a_rating_of_the_sheet_is_rolled_with_one_tap(service: Service, sits: Sits) -> None:
    table, hands = starts_as_on_the_page(service), Hands()
    ben, cleo = sits(table.ben.token, size=LAPTOP), sits(table.cleo.token)
    with hands.counted() as roll:
        rolls_from_the_sheet(hands, ben, "Climbing")
    assert roll.taps == 1
    expect(ben.page.locator("#just .roll")).to_contain_text(re.compile("(Made|Missed) by"))
    has_nothing_more(hands, cleo, ben)
    expect(ben.page.locator("#just")).to_contain_text("The outcome is determined")


def test_the_game_master_has_few_buttons(service: Service, sits: Sits) -> None:
    table = starts_as_on_the_page(service)
    ann = sits(table.gm.token, size=LAPTOP)
    buttons = ann.page.locator("main").locator("button, a.button, a.move").filter(visible=True)
    assert buttons.count() <= BUTTONS
    table.gm.declare("call-mechanical-play", characters=[MIRABEL, GORRIN])
    ann.look("/")
    assert buttons.count() <= BUTTONS
