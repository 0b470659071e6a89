"""One round of Levels of Intensity on three devices, as people tap it: how many taps a roll and a blow take."""

from __future__ import annotations

import pytest

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.page.playing import Hands, declares_from_sheet, opens_round, strikes
from tests.api.table import Service

BLOW = 6  # taps by all people together, from the attack to its impact
DECLARATION = 5  # taps: open the sheet, its trait, level, target, send
#: Ben's and Cleo's characters, each with the trait they use and whom they act against.
SARAH, STEVE = ("Smooth Talker", "Calm", "Steve"), ("Stubborn", "Calm", "Sarah")


@pytest.mark.nightly
def test_a_round_takes_few_taps(service: Service, sits: Sits) -> None:
    table, hands = begun(service, "intensity"), Hands()
    ben, cleo, ann = sits(table.ben.token), sits(table.cleo.token), sits(table.gm.token, size=LAPTOP)
    opens_round(hands, ann)
    for device, said in ((ben, SARAH), (cleo, STEVE)):
        with hands.counted() as declaration:
            declares_from_sheet(hands, device, *said)
        assert declaration.taps <= DECLARATION
    for device in (ben, cleo):
        with hands.counted() as roll:
            hands.does(device, "Roll")
        assert roll.taps == 1
        assert device.page.locator("#just svg.d").count() >= 2
    first = next(entry["character"] for entry in table.gm.look("/waiting")["awaited"])
    if first is None:  # their dice are equal
        table.gm.declare("settle-tie", ranking=["1", "2"])
        first = "1"
    attacker, defender = (ben, cleo) if first == "1" else (cleo, ben)
    with hands.counted() as blow:
        succeeds = strikes(hands, attacker, defender)
    assert blow.taps <= BLOW
    made = next(one for one in reversed(table.gm.look("/rulings", limit=500)["rulings"]) if one["rolls"])
    assert made["rolls"][0]["success"] is succeeds
    attacker.picture(f"blow-{'success' if succeeds else 'failure'}")
    defender.fits()
    more = defender.page.locator(".menu summary")
    assert (
        more.evaluate("e => (document.documentElement.style.fontSize = '200%', e.getBoundingClientRect().right)") <= 390
    )
