"""An evening of each game at the page, in a real Chromium: two phones and a laptop, from `/` to the last scene."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.page.evenings import intensity, mnemonic, moc, mongrel, scattershot
from tests.api.page.playing import Hands, newest, sets_up, with_own_dice
from tests.api.page.test_how_good import BUTTONS, BUTTONS_OF_A_GM, SHEET
from tests.levels import LEVEL

EVENINGS = (intensity, mnemonic, moc, mongrel, scattershot)
RULINGS = 15  # beyond those that set the table up
FIRST_ROLL = 24  # taps of all people together, from `/` on
BLOW = 6  # taps of all people together


def _name(evening: ModuleType) -> str:
    return evening.__name__.rpartition(".")[2]


def _is_good(ann: Device, *players: Device) -> None:
    """The players' sheets are in sight, the game master has few buttons, and nobody is kept out."""
    for device in (ann, *players):
        device.look("/")
        device.fits()
        if LEVEL == "all":
            device.accessible()
    assert ann.page.evaluate(BUTTONS)["all"] <= BUTTONS_OF_A_GM
    assert all(player.page.evaluate(SHEET)["seen"] for player in players)


@pytest.mark.nightly
@pytest.mark.parametrize("evening", EVENINGS, ids=_name)
def test_an_evening_from_the_first_page(address: str, sits: Sits, evening: ModuleType) -> None:
    ann, ben, cleo = sits(size=LAPTOP, address=address), sits(address=address), sits(address=address)
    hands, game = Hands(), _name(evening)
    with hands.counted() as began:
        sets_up(hands, game, ann, ben, cleo)
    before = newest(ann)
    _is_good(ann, ben, cleo)
    with_own_dice(hands, ann)
    with hands.counted() as first_roll:
        evening.begins(hands, ann, ben, cleo)
    assert began.taps + first_roll.taps <= FIRST_ROLL
    _is_good(ann, ben, cleo)
    blow = evening.strikes(hands, ann, ben, cleo)
    assert blow.taps <= BLOW
    evening.plays(hands, ann, ben, cleo)
    _is_good(ann, ben, cleo)
    assert newest(ann) - before > RULINGS
    seconds = round(began.seconds + first_roll.seconds)
    print(
        f"\n{game}: {began.taps + first_roll.taps} taps and {seconds} s to the first roll, {blow.taps} taps for a blow"
    )
