"""Mongrel: Senna Vail is Ben's, and Torrec is Cleo's."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.api.page.devices import Device
from tests.api.page.playing import (
    Count,
    Hands,
    answers,
    asked,
    board,
    closes,
    disputes_at_once,
    hears,
    overturns,
    sheet,
    turn,
)


def tries(hands: Hands, device: Device, expertise: str, against: str) -> None:
    """Tap an Expertise of the prompt, and then what it is rolled against."""
    hands.tap(turn(device).locator("summary", has_text=expertise), leads=False)
    hands.send(turn(device).get_by_role("button", name=against, exact=True))


def begins(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """From the prompt, against an attribute of one's own."""
    tries(hands, ben, "Stalk", "Roll against Speed 4")
    expect(ben.page.get_by_role("main")).to_contain_text("Here, dice of 4 or less count (Senna Vail’s Speed).")
    hands.throws(ben, 3)
    hears("Senna Vail succeeds with Stalk: Effect 3", ann, ben, cleo)


def strikes(hands: Hands, ann: Device, ben: Device, cleo: Device) -> Count:
    """Torrec rolls from his sheet. Then the target of a blow defends, is hit, and gives up Beauty."""
    hands.tap(sheet(cleo).locator(".strip"), leads=False)
    hands.tap(sheet(cleo).locator("summary", has_text="Threaten"), leads=False)
    hands.send(sheet(cleo).get_by_role("button", name="Roll against Size 3", exact=True))
    hands.throws(cleo, 1, 2, 2)
    hears("Torrec fails with Threaten", ben, cleo)
    hands.does(ann, "Begin a conflict with both")
    hears("The order is Torrec, then Senna Vail.", ben, cleo)
    expect(turn(cleo)).to_contain_text("Your turn: attack, act or pass (Torrec).")
    with hands.counted() as blow:
        hands.does(cleo, "Attack Senna Vail with Rend")
        expect(asked(ben)).to_contain_text("Does Senna Vail defend?")
        expect(asked(ben)).to_contain_text("Action Points 4 → 3, and Torrec’s 6 → 5")
        answers(hands, ben, "Defend")
        expect(turn(cleo)).not_to_contain_text("Attack Senna Vail with Rend")
        cleo.look("/")
        hands.throws(cleo, 3, 1, 2, 1)
        expect(asked(ben)).to_contain_text("How much of the damage (6) goes to Beauty?")
        expect(asked(ben).locator("svg.d.counts")).to_have_count(1)
        expect(asked(ben)).to_contain_text("Damage 6, Physique 2")
        answers(hands, ben, "3 to Beauty")
    hears("Senna Vail has 3 points of damage, in the Size row.", ann, ben, cleo)
    expect(board(ann).locator("li.next")).to_contain_text("Senna Vail")
    return blow


def plays(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    _in_and_out_of_turn(hands, ben, cleo)
    _nearly_dead(hands, ben, cleo)
    _overturned(hands, ann, ben, cleo)
    _the_end(hands, ann, ben, cleo)


def _chills(hands: Hands, ben: Device, cleo: Device, answer: str, *faces: int) -> None:
    hands.does(ben, "Attack Torrec with Chill")
    expect(asked(cleo)).to_contain_text("Does Torrec defend?")
    answers(hands, cleo, answer)
    ben.look("/")
    hands.throws(ben, *faces)


def _in_and_out_of_turn(hands: Hands, ben: Device, cleo: Device) -> None:
    """A miss on both sides, an action on nobody, and a turn that is paid for."""
    _chills(hands, ben, cleo, "Do not defend", 6, 6, 6, 6)
    hears("Senna Vail fails with Chill", ben, cleo)
    hands.tap(turn(cleo).locator("summary", has_text="Act"), leads=False)
    hands.send(turn(cleo).get_by_role("button", name=re.compile("^Stalk")))
    hands.throws(cleo, 2, 5)
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
    answers(hands, ben, "Continue")
    cleo.look("/")
    hands.throws(cleo, 1, 2, 3, 4)
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
    closes(hands, ann, "End the conflict")
    hears("The conflict is over.", ann, ben)
    closes(hands, ann, "End the scene", "End the session")
