"""An evening of Mongrel from `/` on, by a game master with a laptop and two players with phones.

They know only what the page says, and roll dice of their own. Nothing here goes past the page.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.page.playing import (
    Hands,
    disputes_at_once,
    hears,
    newest,
    overturns,
    sets_up,
    turn,
    with_own_dice,
)

RULINGS = 15  # beyond those that set the table up
BLOW = 6  # taps by all people together, without dice of their own


def asked(device: Device) -> Locator:
    return device.page.get_by_role("region", name="Questions for you")


def board(device: Device) -> Locator:
    return device.page.locator("#scene .board")


def answers(hands: Hands, device: Device, label: str) -> None:
    hands.send(asked(device).get_by_role("button", name=label, exact=True))


def throws(hands: Hands, device: Device, *faces: int) -> None:
    """Enter what one's own dice show, all of them in one form."""
    fields = device.page.locator("main input.fallen")
    expect(fields).to_have_count(len(faces))
    for field, face in zip(fields.all(), faces, strict=True):
        hands.taps += 1
        field.fill(str(face))
    hands.send(device.page.get_by_role("main").get_by_role("button", name="Enter", exact=True))


def tries(hands: Hands, device: Device, expertise: str, against: str) -> None:
    """Tap an Expertise of the prompt, and then what it is rolled against."""
    hands.tap(turn(device).locator("summary", has_text=expertise), leads=False)
    hands.send(turn(device).get_by_role("button", name=against, exact=True))


@pytest.mark.nightly
def test_an_evening_of_mongrel(address: str, sits: Sits) -> None:
    """Senna Vail is Ben's, and Torrec is Cleo's."""
    ann, ben, cleo = sits(size=LAPTOP, address=address), sits(address=address), sits(address=address)
    hands = Hands()
    sets_up(hands, "mongrel", ann, ben, cleo)
    before = newest(ann)
    with_own_dice(hands, ann)
    _tasks(hands, ben, cleo)
    _a_blow(hands, ann, ben, cleo)
    _in_and_out_of_turn(hands, ben, cleo)
    _nearly_dead(hands, ben, cleo)
    _overturned(hands, ann, ben, cleo)
    _the_end(hands, ann, ben, cleo)
    ann.look("/")
    assert newest(ann) - before > RULINGS
    for one in (ann, ben, cleo):
        one.fits()


def _tasks(hands: Hands, ben: Device, cleo: Device) -> None:
    """Outside a conflict: from the prompt against an attribute of one's own, from the sheet against somebody else's."""
    tries(hands, ben, "Stalk", "Speed 4")
    expect(ben.page.get_by_role("main")).to_contain_text("Here, dice of 4 or less count (Senna Vail’s Speed).")
    throws(hands, ben, 3)
    hears("Senna Vail succeeds with Stalk: Effect 3", ben, cleo)
    hands.tap(cleo.page.locator("#own .strip"), leads=False)
    hands.tap(cleo.page.locator("#own summary", has_text="Threaten"), leads=False)
    hands.send(cleo.page.locator("#own").get_by_role("button", name="Size 3", exact=True))
    throws(hands, cleo, 1, 2, 2)
    hears("Torrec fails with Threaten", ben, cleo)


def _a_blow(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """The target defends, is hit, and gives up Beauty. What each answer leads to is said before."""
    hands.does(ann, "Begin a conflict with both")
    hears("The order is Torrec, then Senna Vail.", ben, cleo)
    expect(turn(cleo)).to_contain_text("Your turn: attack, act or pass (Torrec).")
    with hands.counted() as blow:
        hands.does(cleo, "Attack Senna Vail with Rend")
        expect(asked(ben)).to_contain_text("Does Senna Vail defend?")
        expect(asked(ben)).to_contain_text("Action Points 4 → 3, and Torrec’s 6 → 5")
        answers(hands, ben, "Defend")
        expect(turn(cleo)).not_to_contain_text("Attack Senna Vail with Rend")
        with hands.counted() as dice:
            cleo.look("/")
            throws(hands, cleo, 3, 1, 2, 1)
        expect(asked(ben)).to_contain_text("How much of the damage (6) goes to Beauty?")
        expect(asked(ben).locator("svg.d.counts")).to_have_count(1)
        expect(asked(ben)).to_contain_text("0 → 6, in the clear zone: Physique 3 → 2.")
        answers(hands, ben, "3 to Beauty")
    assert blow.taps - dice.taps <= BLOW
    hears("Senna Vail has 3 points of damage, in the Size row.", ann, ben, cleo)
    expect(board(ann).locator("li.next")).to_contain_text("Senna Vail")


def _chills(hands: Hands, ben: Device, cleo: Device, answer: str, *faces: int) -> None:
    hands.does(ben, "Attack Torrec with Chill")
    expect(asked(cleo)).to_contain_text("Does Torrec defend?")
    answers(hands, cleo, answer)
    ben.look("/")
    throws(hands, ben, *faces)


def _in_and_out_of_turn(hands: Hands, ben: Device, cleo: Device) -> None:
    """A miss on both sides, an action on nobody, and a turn that is paid for."""
    _chills(hands, ben, cleo, "Do not defend", 6, 6, 6, 6)
    hears("Senna Vail fails with Chill", ben, cleo)
    hands.tap(turn(cleo).locator("summary", has_text="Act"), leads=False)
    hands.send(turn(cleo).get_by_role("button", name=re.compile("^Stalk")))
    throws(hands, cleo, 2, 5)
    hears("Torrec succeeds with Stalk", ben, cleo)
    hands.does(ben, "Pass")
    hears("Senna Vail passes.", cleo)
    hands.does(ben, "Move Senna Vail to the front")
    hears("Senna Vail moves to the front.", ben, cleo)
    hands.does(ben, "Recover")
    hears("Senna Vail recovers", ben, cleo)


def _nearly_dead(hands: Hands, ben: Device, cleo: Device) -> None:
    """Who recovers cannot defend, and a prompt says what death costs."""
    hands.does(cleo, "Attack Senna Vail with Rend")
    expect(asked(ben)).to_contain_text("Senna Vail cannot defend: recovering")
    answers(hands, ben, "Do not defend")
    cleo.look("/")
    throws(hands, cleo, 1, 2, 3, 4)
    expect(asked(ben)).to_contain_text("Terminal damage. Senna Vail must spend 1 of 5 Infernal Resolve, or die.")
    answers(hands, ben, "0: all 9 count")
    hears("Senna Vail collapses from terminal damage", ben, cleo)
    expect(turn(ben)).to_contain_text("Your turn: stay alive or die (Senna Vail).")
    hands.does(ben, "Spend 1 and get up")
    hears("Senna Vail recovers", ben, cleo)


def _overturned(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    _chills(hands, ben, cleo, "Defend", 2, 3, 4, 5)
    hears("Torrec collapses because no Infernal Resolve is left.", ben, cleo)
    disputes_at_once(hands, cleo, "Torrec was not in sight.")
    expect(turn(ann)).to_contain_text("Torrec was not in sight.")
    overturns(hands, ann, shown="Torrec")
    cleo.look("/")
    expect(board(cleo)).not_to_contain_text("collapsed")


def _the_end(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    ben.look("/")
    hands.does(ben, "Pass")
    hears("Senna Vail passes.", cleo)
    hands.does(cleo, "Recover")
    hears("Torrec recovers", ben, cleo)
    ann.look("/")
    hands.opens(ann, "End the conflict")
    hands.send(ann.page.locator("#send"))
    hears("The conflict is over.", ann, ben)
    hands.opens(ann, "End the scene")
    hands.send(ann.page.locator("#send"))
    hears("The scene “Scene 1” is closed.", ann, ben)
    hands.opens(ann, "End the session")
    hands.send(ann.page.locator("#send"))
