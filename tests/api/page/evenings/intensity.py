"""Levels of Intensity: Ben's Sarah talks her way in, past Cleo's Steve."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.api.page.devices import Device
from tests.api.page.playing import (
    Count,
    Hands,
    asked,
    asks_why,
    closes,
    declares_from_sheet,
    disputes,
    goes_back,
    hears,
    just,
    newest,
    opens_round,
    overturns,
    sheet,
    turn,
)

TALK = "Talks her way in."
SECRET = "He leaves, and she keeps his secret."


def begins(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    opens_round(hands, ann)
    declares_from_sheet(hands, ben, "Smooth Talker", "Invested", "Steve", text=TALK)
    hears(TALK, ann, cleo)
    declares_from_sheet(hands, cleo, "Stubborn", "Calm", "Sarah", text="Stays where he is.")
    hands.does(ben, "Raise: Passionate")
    hears("Sarah raises the level from invested to passionate.", ben)
    hands.does(ben, "Roll")
    expect(ben.page.get_by_role("main")).not_to_contain_text("Waiting for Ben")  # it is he who is asked
    hands.throws(ben, 9, 9)
    hears("Sarah rolls 9 on the D10 and 9 on the D10 of Smooth Talker.", ben)
    expect(just(ben).locator("svg.d")).to_have_count(2)


def strikes(hands: Hands, ann: Device, ben: Device, cleo: Device) -> Count:
    """Sarah gains an advantage point."""
    _rolls(hands, cleo, 2, 8)
    hears("the order is Sarah, then Steve", ann, ben, cleo)
    with hands.counted() as blow:
        hands.does(ben, "Attack Steve")
        expect(turn(cleo)).to_contain_text("A defence of 9 or more stops the attack.")
        hands.does(cleo, r"Roll the D6 \(intensity\)")
        hands.throws(cleo, 4)
        expect(turn(ben)).to_contain_text("9 against 4")
        hands.does(ben, "Resolve: the attack succeeds")
        _falls("The attack succeeds", "9 against 4", ben)
        hears("with an impact rating of 15", ann, cleo)
        expect(turn(ben)).to_contain_text("What does Sarah do to Steve?")
        hands.does(ben, "Advantage")
    hears("Sarah gains 1 advantage point against Steve", ann, ben, cleo)
    expect(sheet(ben).locator("article")).to_contain_text(re.compile(r"Advantage points against Steve\s*1"))
    return blow


def plays(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    _strikes_back(hands, ann, ben, cleo)
    _second_round(hands, ann, ben, cleo)
    used = _a_fatal_impact(hands, ben, cleo)
    _overturned(hands, ann, cleo, used)
    _given_up(hands, ben)
    _scene_and_healing(hands, ann, ben, cleo)
    _looking_back(hands, ben)


def _strikes_back(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    hands.does(cleo, "Attack Sarah")
    expect(turn(ben)).to_contain_text("A defence of 8 or more stops the attack.")
    hands.does(ben, "Roll neither: defence 0")
    hands.does(cleo, "Resolve: the attack succeeds")
    _falls("The attack succeeds", "8 against 0", cleo)
    hands.does(cleo, "Damage")
    hears("Steve damages Sarah's Smooth Talker.", ann, ben, cleo)
    expect(sheet(ben).locator("article")).to_contain_text("D8 now, D10 when unhurt")
    hears("The round ends.", ann, ben, cleo)  # by itself


def _second_round(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """Sarah holds Steve's fate, and buys herself a second defence."""
    opens_round(hands, ann)
    declares_from_sheet(hands, ben, "Smooth Talker", "Passionate", "Steve")
    declares_from_sheet(hands, cleo, "Bad Temper", "Passionate", "Sarah")
    _rolls(hands, ben, 10, 4)
    _rolls(hands, cleo, 9, 3)
    hands.does(ben, "Attack Steve")
    hands.does(cleo, r"Roll the D8 \(Bad Temper\)")
    hands.throws(cleo, 2)
    hands.does(ben, "Resolve: the attack succeeds")
    hears("with an impact rating of 20", ben)
    hands.does(ben, "Fatal: keep it for later")
    hears("Sarah gains a fatal impact on Steve.", ann, ben, cleo)

    hands.does(cleo, "Attack Sarah")
    hands.does(ben, r"Roll the D10 \(intensity\)")
    hands.throws(ben, 3)
    expect(turn(cleo)).to_contain_text("9 against 3")
    hands.does(ben, "Roll the 3 again")
    hands.throws(ben, 9)
    hears("Sarah spends 1 advantage point against Steve on a reroll of a defence die.", ben)
    expect(turn(cleo)).to_contain_text("9 against 9")
    hands.does(cleo, "Resolve: the attack fails")
    _falls("The attack fails", "9 against 9", cleo)
    hears("The attack fails", ann, ben)
    hears("The round ends.", ann, ben, cleo)  # by itself


def _a_fatal_impact(hands: Hands, ben: Device, cleo: Device) -> int:
    """What was held is used. The number of the ruling."""
    hands.opens(ben, "Use fatal")
    form = ben.page.locator("#declare")
    hands.tap(form.locator("label.tile").first, leads=False)  # the first way to use it, which needs no trait
    for choice in ("Only what you describe", "Until the scene ends"):
        tile = form.locator("label.tile", has_text=re.compile(f"^{choice}$")).filter(visible=True)
        hands.tap(tile.first, leads=False)
    hands.type(form.locator("textarea").filter(visible=True).first, SECRET)
    hands.send(ben.page.locator("#send"))
    hears("Steve is out of play until the scene ends.", ben, cleo)
    expect(sheet(cleo).locator("article")).to_contain_text("Out of play")
    return newest(ben)


def _overturned(hands: Hands, ann: Device, cleo: Device, number: int) -> None:
    """Cleo disputes it on her phone; Ann sees what would change, and overturns it."""
    disputes(hands, cleo, number, "She promised to spare him.")
    expect(turn(ann)).to_contain_text("She promised to spare him.")
    overturns(hands, ann, shown="Steve")
    ann.look("/")
    cleo.look("/")
    expect(cleo.page.get_by_role("log").locator("s").first).to_contain_text("Steve is out of play")
    expect(sheet(cleo).locator("article")).not_to_contain_text("Out of play")


def _given_up(hands: Hands, ben: Device) -> None:
    """It cannot be had back, so its form comes first: a slip gives up nothing."""
    hands.opens(ben, "Release fatal")
    hands.send(ben.page.locator("#send"))
    hears("Sarah gives up a fatal impact", ben)


def _scene_and_healing(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    closes(hands, ann, "End the scene")
    hears("The scene “Scene 1” ends.", ann)
    expect(ben.page.locator("#scene")).to_contain_text("There is no open scene.")
    hands.opens(ann, "Healing moment")
    hands.type(ann.page.get_by_label("Day"), "1")
    hands.type(ann.page.get_by_label("What makes healing possible"), "A quiet evening by the fire.")
    hands.send(ann.page.locator("#send"))
    expect(asked(ben)).to_contain_text("What does Sarah heal?")
    hands.send(asked(ben).get_by_role("button", name=re.compile("damage", re.IGNORECASE)))
    hears("Sarah heals on day 1.", ann, ben, cleo)
    expect(sheet(cleo).locator("article")).to_contain_text(re.compile(r"Advantage points against Sarah\s*1"))
    closes(hands, ann, "End the session")


def _looking_back(hands: Hands, ben: Device) -> None:
    """Why is it a D10 again? And how was it before?"""
    hands.tap(sheet(ben).locator(".strip"), leads=False)
    asks_why(hands, ben, "D10 now")
    main = ben.page.get_by_role("main")
    expect(main).to_contain_text("8 → 10")
    expect(main).to_contain_text("Steve damages Sarah's Smooth Talker.")
    hands.tap(main.locator("p", has_text="Steve damages").get_by_role("link").first)
    goes_back(hands, ben)
    expect(ben.page.get_by_role("main")).to_contain_text("The attack succeeds, 8 against 0")


def _rolls(hands: Hands, device: Device, *faces: int) -> None:
    hands.does(device, "Roll")
    hands.throws(device, *faces)


def _falls(word: str, numbers: str, device: Device) -> None:
    """The result is a word with a mark, and the numbers beside it."""
    outcome = just(device).locator(".outcome")
    expect(outcome.locator("b")).to_have_text(word)
    expect(outcome.locator("svg")).to_have_count(1)
    expect(outcome).to_contain_text(numbers)
