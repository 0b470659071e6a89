"""A blow of Scattershot on phones, as people tap it, at a table where steps without a choice follow by themselves."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.devices import Device
from tests.api.page.playing import Hands
from tests.api.table import Service, Table

MIRABEL, GORRIN = "1", "2"  # Ben's, and Cleo's


def starts_as_on_the_page(service: Service, system: str = "scattershot") -> Table:
    """The first two people who are ready to play (Mirabel Thorne and Old Gorrin of Scattershot) are in a scene."""
    table = begun(service, system)
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="As on the page.")
    return table


def has_nothing_more(hands: Hands, *devices: Device) -> None:
    for device in devices:
        expect(device.page.locator("#asked")).to_contain_text("Everybody has rolled.")
        hands.does(device, "Nothing more")


def thrusts(hands: Hands, attacker: Device, defender: Device) -> bool:
    """A contested blow, to its damage. Return whether somebody was hurt: both can fail."""
    hands.does(attacker, "Attack ")
    expect(defender.page.locator("#turn")).to_contain_text(" respond?")  # without a reload
    hands.does(defender, "Defend with ")
    expect(defender.page.locator("#just .roll")).to_have_count(2)
    has_nothing_more(hands, attacker, defender)
    outcome = defender.page.locator("#just")
    expect(outcome).to_contain_text("The outcome is determined")
    words = outcome.text_content() or ""  # also what is folded
    if " is a failure against" not in words and "Catastrophic Failure" not in words:
        hands.does(attacker, r"\d+ damage to ")
    elif "own Action succeeds by" in words:
        hands.does(defender, r"\d+ damage to ")
    else:
        return False
    return True


def shoots(hands: Hands, attacker: Device, defender: Device) -> bool:
    """A contested blow of Moment of Clarity. Return whether somebody was hurt: an attack can miss, or be dodged."""
    hands.does(attacker, "Attack Anselm Quade with Blast Pistol")
    expect(attacker.page.locator("#just .roll")).to_have_count(1)
    if not attacker.page.get_by_role("button", name=re.compile(r" on Anselm Quade$")).count():
        return False
    hands.does(attacker, r"(All )?\d success(es)? on Anselm Quade")
    hands.does(defender, "Dodge: 2 dice")
    expect(defender.page.locator("#just .roll")).to_have_count(1)
    hands.does(defender, "Cancel ")
    attacker.look("/")
    if not attacker.page.get_by_role("button", name=re.compile(r"^Roll \d+ damage ")).count():
        return False  # or an Outstanding Success: the attacker chooses the location
    hands.does(attacker, r"Roll \d+ damage ")
    hands.does(defender, "Resist with ")
    return True


def rolls_from_the_sheet(hands: Hands, device: Device, rating: str) -> None:
    sheet = device.page.locator("#own article")
    if not sheet.first.is_visible():
        hands.tap(device.page.locator("#own .strip"), leads=False)
    hands.send(sheet.get_by_role("button", name=re.compile(rf"^{rating} \d+$")))
