"""Moment of Clarity: Ben's Juno Castellan shoots at Cleo's Anselm Quade."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.page.devices import Device
from tests.api.page.playing import Count, Hands, asked, closes, disputes, hears, just, newest, overturns, sheet, turn


def begins(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """One die shows a 10 and opens another."""
    hands.does(ben, "Pilot: 4 dice")
    hands.throws(ben, 10, 3, 2, 7, 4)
    hands.does(ben, "See the result")
    hears("an Outstanding Success, with 4 successes", ann, ben, cleo)


def strikes(hands: Hands, ann: Device, ben: Device, cleo: Device) -> Count:
    """An attack with a dodge, to the damage that is left."""
    hands.does(ann, "Roll initiative")
    hands.throws(ben, 9, 8, 3, 2, 1)
    hands.throws(cleo, 2, 3, 4)
    hears("the order is Juno Castellan, then Anselm Quade", ann, ben, cleo)
    with hands.counted() as blow:
        hands.does(ben, "Attack Anselm Quade with Blast Pistol: 6 dice")
        hands.throws(ben, 8, 7, 9, 3, 2, 4)
        hands.does(ben, "All 3 successes on Anselm Quade")
        expect(turn(cleo)).to_contain_text("Juno Castellan attacks with Firearms, with 3 successes on Anselm Quade.")
        hands.does(cleo, "Dodge: 2 dice")
        hands.throws(cleo, 8, 2)
        hands.does(cleo, "Cancel 1")
        expect(asked(ben)).to_contain_text("hit location")
        hands.throws(ben, 5)
        hands.does(ben, "Roll 7 damage dice")
        hands.throws(ben, 2, 3, 4, 5, 6, 1, 2)
        expect(turn(cleo)).to_contain_text("Anselm Quade takes 2 points of damage.")
        hands.does(cleo, "Resist with 2 dice")
        hands.throws(cleo, 6, 2)
    hears("Anselm Quade takes 2 damage.", ann, ben, cleo)
    expect(sheet(cleo)).to_contain_text("Damage 2")
    return blow


def plays(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    _overturned(hands, ann, cleo, newest(ann))
    hands.does(cleo, "Resist with 2 dice")
    hands.throws(cleo, 9, 8)
    hears("Anselm Quade takes 2 pain", ann, ben, cleo)
    ben.look("/")
    hands.does(ben, "Show Juno Castellan’s attack")
    cleo.look("/")
    hands.does(cleo, "Show Anselm Quade’s dodge")
    ann.look("/")
    hands.does(ann, "End turn 1")
    _tokens(hands, cleo)
    _cards(hands, ben, cleo)
    closes(hands, ann, "End the scene", "End the session")


def _overturned(hands: Hands, ann: Device, cleo: Device, number: int) -> None:
    """Cleo disputes the damage on her phone; Ann sees what would change, and overturns it."""
    disputes(hands, cleo, number, "His coat is armoured.")
    expect(turn(ann)).to_contain_text("His coat is armoured.")
    overturns(hands, ann, shown="Anselm Quade")
    for device in (ann, cleo):
        device.look("/")
    expect(sheet(cleo)).to_contain_text("Damage 0")


def _tokens(hands: Hands, cleo: Device) -> None:
    """Who wants to use something before the roll says so."""
    before = turn(cleo).locator("details", has_text="Use tokens, beads or cards before the roll")
    hands.tap(before.locator("summary"), leads=False)
    hands.send(before.get_by_role("button", name="Search: 5 dice"))
    hands.does(cleo, "1 Mind token: Perception")
    hands.does(cleo, "Roll 6 dice")
    hands.throws(cleo, 7, 7, 7, 1, 2, 3)
    hands.does(cleo, "See the result")
    expect(just(cleo).locator(".outcome b")).to_have_text("Success")


def _cards(hands: Hands, ben: Device, cleo: Device) -> None:
    """From a deck on the table. Nobody else sees them."""
    hands.tap(sheet(ben).locator(".strip"), leads=False)
    hands.does(ben, "Draw the hand")
    for card in ("The ace of clubs", "The king of clubs"):
        hands.tap(asked(ben).locator("label.tile", has_text=card), leads=False)
    hands.send(asked(ben).get_by_role("button", name="Answer"))
    expect(sheet(ben).locator("[aria-label='Hand of cards'] li")).to_have_count(2)
    expect(cleo.look("/").locator("#people")).to_contain_text("The hand is hidden.")
    expect(cleo.page.get_by_role("main")).not_to_contain_text("of clubs")
