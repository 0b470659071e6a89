"""One round of Levels of Intensity on three devices, as people tap it: how many taps a roll and a blow take."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.table import Service, Table

BLOW = 6  # taps by all people together, from the attack to its impact
DECLARATION = 5  # taps: open the sheet, its trait, level, target, send
CAME = re.compile(r"[?&](ruling|waiting)=")


class Taps:
    """Taps on one device, counted."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.count = 0

    def tap(self, there: Locator) -> None:
        there.click()
        self.count += 1

    def send(self, there: Locator) -> None:
        """Tap what makes a ruling, and see it."""
        with self.device.page.expect_navigation(url=CAME):
            self.tap(there)
        expect(self.device.page.locator("#just .just")).to_be_visible()

    def find(self, name: str, part: str = "#moves") -> Locator:
        return self.device.page.locator(part).get_by_role("button", name=re.compile(name)).first


def test_a_round_takes_few_taps(service: Service, sits: Sits) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    ben, cleo, ann = (
        Taps(sits(table.ben.token)), Taps(sits(table.cleo.token)), Taps(sits(table.gm.token, size=LAPTOP)),
    )  # fmt: skip
    for taps, who, target in ((ben, "1", "2"), (cleo, "2", "1")):
        declare(taps, table, who, target)
        assert taps.count <= DECLARATION
    for taps in (ben, cleo):
        taps.count = 0
        taps.send(taps.find("^Roll", "#turn"))
        assert taps.count == 1
        assert taps.device.page.locator("#just svg.d").count() >= 2
    for taps in (ben, cleo, ann):
        taps.count = 0
    first = next(entry["character"] for entry in table.gm.look("/waiting")["awaited"])
    if first is None:  # their dice are equal
        table.gm.declare("settle-tie", ranking=["1", "2"])
        first = "1"
    attacker, defender = (ben, cleo) if first == "1" else (cleo, ben)
    attacker.device.look("/")
    attacker.send(attacker.find("^Attack", "#turn"))
    expect(defender.device.page.locator("#just")).to_contain_text(" attacks ")  # without a reload
    defender.device.look("/")
    defender.send(defender.find("Roll both", "#turn"))
    defender.device.fits()
    more = defender.device.page.locator(".menu summary")
    assert (
        more.evaluate("e => (document.documentElement.style.fontSize = '200%', e.getBoundingClientRect().right)") <= 390
    )
    attacker.device.look("/")
    attacker.send(attacker.find("^Resolve", "#turn"))
    result = attacker.device.page.locator("#just .outcome b")
    made = table.gm.look("/rulings", limit=500)["rulings"][-1]["rolls"][0]
    expect(result).to_have_text("Success" if made["success"] else "Failure")
    attacker.device.picture(f"blow-{'success' if made['success'] else 'failure'}")
    if made["success"]:
        attacker.send(attacker.find("No impact", "#turn"))
    assert attacker.count + defender.count + ann.count <= BLOW


def declare(taps: Taps, table: Table, who: str, target: str) -> None:
    """From the trait on the sheet: what is left is how much they care, and whom they act against."""
    page = taps.device.look("/")
    characters = {each["id"]: each for each in table.gm.look("/state")["characters"]}
    taps.tap(page.locator("#own .strip"))
    taps.tap(page.locator("#own article").get_by_role("link", name=characters[who]["state"]["traits"][0]["name"]))
    taps.tap(page.locator("#declare label.tile", has_text="Calm"))
    taps.tap(page.locator("#declare label.tile", has_text=characters[target]["name"]))
    page.get_by_label("Intent").first.fill("Steps forward.")
    taps.send(page.locator("#send"))
