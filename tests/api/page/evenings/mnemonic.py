"""Mnemonic: Ben's Andrea Kovac meets Cleo's dragon, and Ann is the referee."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.page.devices import Device
from tests.api.page.playing import (
    Count,
    Hands,
    asks_why,
    closes,
    disputes,
    goes_back,
    hears,
    just,
    newest,
    overturns,
    sheet,
    turn,
)
from tests.api.page.small_forms import attempts, chooses, rolled


def begins(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """Ratings are asked for on the way."""
    _holds(ben, cleo)
    attempts(hands, ben, "Andrea Kovac", "Hits the dragon.")
    hears("Hits the dragon", ann, cleo)
    expect(turn(ann)).to_contain_text("Andrea Kovac has only the Primary Role (+3) so far.")
    hands.type(turn(ann).get_by_label("Talent or Life Role"), "Deft")
    chooses(hands, ann, "Very (+5)", sends="Rate it")
    expect(turn(ann)).to_contain_text("Aptitude +8: Deft, Primary Role")
    ann.accessible()
    chooses(hands, ann, "Fair (+3)", sends="Ask for the roll")
    expect(turn(ben)).to_contain_text("A roll of 11 or less succeeds.")
    rolled(hands, ben, 7)
    expect(just(ben).locator(".outcome b")).to_have_text("Success")
    hears("5 Successes", ann, cleo)
    expect(turn(cleo)).to_contain_text("Chances Fair (+3), roll 7: 8 − 7 + 3 = 4, plus 1.")


def strikes(hands: Hands, ann: Device, ben: Device, cleo: Device) -> Count:
    """An injury of the first blow, and a second blow, with everything rated."""
    _is_hurt(hands, ann, ben, cleo)
    with hands.counted() as blow:
        attempts(hands, ben, "Andrea Kovac", "Hits the dragon again.")
        chooses(hands, ann, sends="Ask for the roll")
        rolled(hands, ben, 5)
        chooses(hands, ann, sends="At worst unconscious")
        rolled(hands, cleo, 1)
    hears("Charakodax resists the injury.", ann, ben, cleo)
    return blow


def plays(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    _fire_and_luck(hands, ann, ben, cleo)
    _recovery(hands, ann, cleo)
    _overturned(hands, ann, cleo, newest(ann))
    _looking_back(hands, ben)
    ann.look("/")
    closes(hands, ann, "End the scene", "End the session")


def _holds(*devices: Device) -> None:
    """They roll themselves, with real dice."""
    for device in devices:
        device.look("/settings").get_by_role("button", name="Pause automatic steps").click()
        expect(device.page.get_by_role("button", name="Resume automatic steps")).to_be_visible()
        device.look("/")


def _is_hurt(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    expect(turn(ann)).to_contain_text("Is anybody hurt?")
    chooses(hands, ann, "Fairly (+4)", sends="Rate Armoured")
    chooses(hands, ann, "Poor (−2)", sends="At worst immobilized")
    expect(turn(cleo)).to_contain_text("A failure leaves Charakodax immobilized.")
    rolled(hands, cleo, 2)
    hears("Charakodax's Status changes from Fine to level 4", ann, ben, cleo)
    expect(sheet(cleo).locator(".strip")).to_contain_text("Hurt")


def _fire_and_luck(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """What is half typed outlasts what others do; a second trait, a failure, and what needs no roll."""
    field = turn(cleo).get_by_label("What does Charakodax attempt?")
    hands.type(field, "Breathes fire.")
    attempts(hands, ben, "Andrea Kovac", "Puts on her hat.")
    hears("Puts on her hat.", ann, cleo)
    expect(field).to_have_value("Breathes fire.")
    hands.does(cleo, "Attempt it")
    hands.does(ann, "It succeeds without a roll")
    expect(turn(ann)).to_contain_text("Breathes fire.")
    hands.tap(turn(ann).get_by_text("Rate another trait"), leads=False)
    hands.type(turn(ann).get_by_label("Talent or Life Role"), "Fiery")
    chooses(hands, ann, "Somewhat (+2)", sends="Rate it")
    chooses(hands, ann, "Aptitude +5: Fiery, Primary Role", "Bad (−4)", sends="Ask for the roll")
    rolled(hands, cleo, 12)
    expect(just(cleo).locator(".outcome b")).to_have_text("Failure")
    hears("11 Failures", ann, ben)
    attempts(hands, cleo, "Charakodax", "Talks the moon down.")
    expect(turn(ann)).to_contain_text("Talks the moon down.")
    hands.does(ann, "It is impossible")
    hears("Charakodax's action is impossible.", ben, cleo)


def _recovery(hands: Hands, ann: Device, cleo: Device) -> None:
    hands.tap(turn(ann).get_by_text("Charakodax is Hurt: recovery"), leads=False)
    time_passed = turn(ann).get_by_label("Time passed")
    expect(time_passed).to_have_value("a few moments")
    time_passed.clear()
    hands.type(time_passed, "a night's rest")
    chooses(hands, ann, "Scratched (level 5)", sends="Recover")
    hears("Charakodax recovers to level 5 (Smoking) after a night's rest.", cleo)
    expect(sheet(cleo).locator(".strip")).to_contain_text("Scratched")


def _overturned(hands: Hands, ann: Device, cleo: Device, number: int) -> None:
    """Cleo disputes the recovery on her phone; Ann sees what would change, and overturns it."""
    disputes(hands, cleo, number, "Nobody slept that night.")
    expect(turn(ann)).to_contain_text("Nobody slept that night.")
    overturns(hands, ann, shown="Charakodax")
    cleo.look("/")
    expect(sheet(cleo).locator(".strip")).to_contain_text("Hurt")


def _looking_back(hands: Hands, ben: Device) -> None:
    """Why is it Very? And how was it before?"""
    ben.look("/")
    hands.tap(sheet(ben).locator(".strip"), leads=False)
    asks_why(hands, ben, "Very")
    main = ben.page.get_by_role("main")
    hands.tap(main.locator("p", has_text="Andrea Kovac's Deft is rated Very.").get_by_role("link").first)
    goes_back(hands, ben)
    expect(main).to_contain_text("Hits the dragon")
