"""Scattershot: Ben's Mirabel Thorne and Cleo's Old Gorrin come to blows."""

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
    disputes,
    hears,
    just,
    newest,
    overturns,
    sheet,
    turn,
)
from tests.api.page.thrusts import has_nothing_more, rolls_from_the_sheet


def begins(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """From the sheet."""
    rolls_from_the_sheet(hands, ben, "Climbing")
    hands.throws(ben, 3, 4)
    hears("makes the roll by 5", ann, ben, cleo)


def strikes(hands: Hands, ann: Device, ben: Device, cleo: Device) -> Count:
    """What each side rolled stands beside the question. The damage is said before it is done."""
    has_nothing_more(hands, ben, cleo)
    hears("a success, with a MIB of 5", ann, ben, cleo)
    hands.does(ben, "Just the number: 5")
    with hands.counted() as blow:
        hands.does(ben, "Attack Old Gorrin with Fencing")
        expect(turn(cleo)).to_contain_text("Mirabel Thorne needs 14 or less. How does Old Gorrin respond?")
        hands.does(cleo, "Defend with Brawling")
        hands.throws(ben, 4, 5)
        hands.throws(cleo, 9, 3)
        expect(asked(ben)).to_contain_text("Mirabel Thorne is ahead of Old Gorrin by 3.")
        has_nothing_more(hands, ben, cleo)
        expect(turn(ben)).to_contain_text("With bare hands: 3, and protection stops 2. Old Gorrin’s Hit points: 14.")
        hands.does(ben, "1 damage to Old Gorrin")
    hears("Old Gorrin loses 1 Hit Point and has 13 left.", ann, ben, cleo)
    expect(sheet(cleo)).to_contain_text("Hit points 13")
    return blow


def plays(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    hands.does(ann, "Begin Mechanical Play")
    expect(board(ben)).to_contain_text("Turn to come")
    _telling_blow(hands, ann, ben, cleo)
    _experience_die(hands, ann, ben, cleo)
    _overturned(hands, ann, cleo)
    ben.look("/")
    hands.does(ben, "Just the number: 5")
    hands.does(ben, "End the Turn")
    hands.does(ann, "End Round 1")
    hands.does(ann, "End Mechanical Play")
    closes(hands, ann, "End the scene", "End the session")


def _telling_blow(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """The one who is hit says what lasts."""
    hands.does(cleo, "Begin Old Gorrin’s Turn")
    hands.does(cleo, "Attack Mirabel Thorne with Brawling")
    expect(turn(ben)).to_contain_text("Defending costs an Action of the next Turn; 0 of 2 are used.")
    hands.does(ben, "Last-ditch dodge")
    hands.throws(cleo, 1, 2)
    hands.throws(ben, 9, 8)
    has_nothing_more(hands, ben, cleo)
    hears("a Telling Blow against Mirabel Thorne", ann, ben, cleo)
    expect(turn(ben)).to_contain_text("A Telling Blow for Mirabel Thorne.")
    hands.does(ben, "Only in the story")
    hands.does(cleo, "8 damage to Mirabel Thorne")
    hears("Mirabel Thorne loses 8 Hit Points and has 3 left.", ann, ben, cleo)
    hands.does(cleo, "End the Turn")


def _experience_die(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """A miss becomes a hit."""
    hands.does(ben, "Begin Mirabel Thorne’s Turn")
    hands.does(ben, "Attack Old Gorrin with Fencing")
    hands.does(cleo, "Stay passive")
    hands.throws(ben, 7, 8)
    expect(asked(ben)).to_contain_text("Mirabel Thorne: missed by 1. 15 against 14")
    answers(hands, ben, "Wait: I want to roll an Experience Die")
    hands.does(ben, "Borrow a die for Mirabel Thorne")
    hands.throws(ben, 6)
    expect(asked(cleo)).to_contain_text("Mirabel Thorne: made by 5.")
    has_nothing_more(hands, ben, cleo)
    hands.does(ben, r"\d+ damage to Old Gorrin")
    hears(re.compile(r"Old Gorrin loses \d Hit Points"), ann, ben, cleo)


def _overturned(hands: Hands, ann: Device, cleo: Device) -> None:
    """Cleo disputes the damage on her phone; Ann sees what would change, and overturns it."""
    disputes(hands, cleo, newest(cleo), "The apron is of hardened leather.")
    expect(turn(ann)).to_contain_text("The apron is of hardened leather.")
    overturns(hands, ann, shown="Old Gorrin")
    ann.look("/")
    cleo.look("/")
    expect(just(cleo)).to_contain_text("This ruling was overturned.")
    expect(sheet(cleo)).to_contain_text("Hit points 13")
