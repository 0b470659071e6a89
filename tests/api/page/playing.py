"""What people do at the page, tap by tap: they start a table, roll, strike and answer. Tests and figures use it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Locator, Request, expect

from ledger.rules import systems
from tests.api.page.devices import Device
from tests.api.page.hands import fill

CAME = re.compile(r"[?&](ruling|waiting)=|/waiting/w")
CLOSED = "main details:not([open])"
TRIES = 6  # of sending a form


@dataclass
class Count:
    """What it took."""

    taps: int = 0
    seconds: float = 0

    def __str__(self) -> str:
        return f"{self.taps} taps, {self.seconds:.0f} s"


class Hands:
    """Those of everybody, and how often they tapped. To type, they tap the field first, unless it has the focus."""

    def __init__(self) -> None:
        self.taps = 0

    @contextmanager
    def counted(self) -> Iterator[Count]:
        """What is done meanwhile."""
        count, taps, begun = Count(), self.taps, time.monotonic()
        yield count
        count.taps, count.seconds = self.taps - taps, time.monotonic() - begun

    def tap(self, what: Locator, *, leads: bool = True) -> None:
        """Tap it. `leads`: to another page."""
        self.taps += 1
        if leads:
            with what.page.expect_navigation():
                what.click()
        else:
            what.click()

    def send(self, what: Locator) -> None:
        """Tap what makes a ruling or asks somebody, and see what came of it."""
        with what.page.expect_navigation(url=CAME):
            self.tap(what, leads=False)
        expect(what.page.locator("#just .just, main form .answer").first).to_be_visible()

    def choose(self, device: Device, *names: str) -> None:
        """Tap tiles of a form."""
        for name in names:
            self.tap(device.page.locator("#declare label.tile", has_text=name).first, leads=False)

    def type(self, field: Locator, text: str) -> None:
        if not field.evaluate("field => field === document.activeElement"):
            self.tap(field, leads=False)
        field.press_sequentially(text)

    # --- what the page offers ---

    def find(self, device: Device, name: str) -> Locator:
        """The button or link whose words begin so. Whatever hides it is opened first."""
        page, words = device.page, re.compile(f"^({name})")
        called = page.get_by_role("button", name=words, include_hidden=True).or_(
            page.get_by_role("link", name=words, include_hidden=True)
        )
        expect(called.first).to_be_attached()
        while not called.filter(visible=True).count():
            self.tap(page.locator(CLOSED).filter(has=called).first.locator("> summary"), leads=False)
        return called.filter(visible=True).first

    def does(self, device: Device, name: str) -> None:
        """Tap what declares it at once, and see what came of it."""
        self.send(self.find(device, name))

    def opens(self, device: Device, name: str) -> None:
        """Tap what leads to its form."""
        self.tap(self.find(device, name))

    def fills(self, device: Device, name: str) -> None:
        """Declare it, with something in every field that its form wants."""
        found = self.find(device, name)
        if found.evaluate("found => found.tagName") == "BUTTON":
            self.send(found)
            return
        self.tap(found)
        with device.allowing("status of 422", "status of 409"):
            for place in range(TRIES):
                self.taps += fill(device.page, place)
                self.tap(device.page.locator("#send"))
                if CAME.search(device.page.url):
                    return
        raise AssertionError(device.page.content())

    def throws(self, device: Device, *faces: int) -> None:
        """Enter what one's own dice show, as they are asked for. It counts no tap: the ledger's dice take none."""
        main, left, taps = device.page.get_by_role("main"), list(faces), self.taps
        while left:
            fields = main.locator("input.fallen").filter(visible=True)
            expect(fields.first).to_be_visible()
            for field in [field for field in fields.all() if not field.input_value()]:
                field.fill(str(left.pop(0)))
            self.send(main.get_by_role("button", name="Enter", exact=True))
        self.taps = taps


# --- from `/` to a table ---


def first_view(device: Device) -> tuple[int, int]:
    """Bytes of the first load as it is sent, with everything that the page loads, and in how many answers."""
    requests = list[Request]()

    def finished(request: Request) -> None:  # the page takes no method of a list
        requests.append(request)

    device.page.on("requestfinished", finished)
    device.page.goto("/", wait_until="networkidle")
    sizes = [request.sizes() for request in requests]
    return sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes), len(sizes)


def starts(hands: Hands, device: Device, game: str) -> None:
    """From `/` to an empty table."""
    device.page.goto("/")
    hands.tap(device.page.get_by_role("link", name=f"Start a campaign of {systems()[game].title}"))
    hands.type(device.page.get_by_label("Name of the campaign"), "The Long Winter")
    hands.type(device.page.get_by_label("Your name"), "Ann")
    hands.tap(device.page.get_by_role("button", name="Start the campaign"))
    device.at = device.page.url.rstrip("/")
    assert re.search(r"/table/\w+/s1$", device.at)


def invites(hands: Hands, device: Device, *names: str) -> list[str]:
    """From the checklist to a link for each."""
    hands.tap(device.page.get_by_role("link", name="Invite players"))
    hands.type(device.page.get_by_label("Names of your players"), "\n".join(names))
    hands.tap(device.page.get_by_role("button", name="Create links"))
    return device.page.locator(".sealed code").all_inner_texts()


def joins(hands: Hands, device: Device, link: str) -> None:
    hands.taps += 1  # on the link, where it was sent, or on what the camera read
    device.sits_down(link)


def sets_up(hands: Hands, game: str, ann: Device, ben: Device, cleo: Device) -> None:
    """From `/` to the first scene, with people who are ready to play."""
    starts(hands, ann, game)
    for device, link in zip((ben, cleo), invites(hands, ann, "Ben", "Cleo"), strict=True):
        joins(hands, device, link)
    hands.tap(ann.page.get_by_role("button", name="Give each player a ready-made character"))
    hands.tap(ann.page.get_by_role("button", name="Start playing"))
    for device in (ben, cleo):
        expect(device.page.locator("#scene")).to_contain_text("Scene 1")  # it came by itself
        expect(device.page.locator("#start")).to_be_empty()


def with_own_dice(hands: Hands, ann: Device) -> None:
    """Their dice decide this evening: the table says so once, in its settings."""
    hands.tap(ann.page.get_by_role("navigation").get_by_text("More", exact=True), leads=False)
    hands.tap(ann.page.get_by_role("navigation").get_by_role("link", name="Settings"))
    dial = ann.page.locator("#dial-dice")
    if not dial.is_visible():
        hands.tap(ann.page.locator("details:not([open])", has=dial).locator("> summary"), leads=False)
    hands.tap(dial.locator("> summary"), leads=False)
    dial.get_by_label("Value from now on").select_option(label="Table")
    hands.type(dial.get_by_label("Reason"), "We brought our dice.")
    hands.tap(dial.get_by_role("button", name="Change option"))
    expect(ann.page.get_by_text("Dice: Table")).to_be_visible()
    hands.tap(ann.page.get_by_role("navigation").get_by_role("link", name="Now"))


# --- a round of Levels of Intensity ---


def opens_round(hands: Hands, device: Device) -> None:
    """Of everybody in the scene."""
    hands.opens(device, "Open a round")
    hands.send(device.page.locator("#send"))


def declares(hands: Hands, device: Device, trait: str, *names: str) -> None:
    """From the trait in the prompt: what is tapped in the form."""
    hands.tap(device.page.locator("#turn").get_by_role("link", name=trait))
    hands.choose(device, *names)
    hands.send(device.page.locator("#send"))


def declares_from_sheet(hands: Hands, device: Device, trait: str, *names: str, text: str = "Steps forward.") -> None:
    """From the trait on the sheet: what is left is how much they care, and whom they act against.

    What they say costs no tap of a screen.
    """
    page = device.page
    expect(page.locator("#turn .mine")).to_be_visible()
    if not page.locator("#own article").first.is_visible():
        hands.tap(page.locator("#own .strip"), leads=False)
    hands.tap(page.locator("#own article").get_by_role("link", name=trait))
    hands.choose(device, *names)
    page.get_by_label("Intent").first.fill(text)
    hands.send(page.locator("#send"))


def first_roll(hands: Hands, ann: Device, ben: Device, cleo: Device) -> None:
    """From `/` on."""
    sets_up(hands, "intensity", ann, ben, cleo)
    opens_round(hands, ann)
    declares(hands, ben, "Smooth Talker", "Passionate", "Steve")
    declares(hands, cleo, "Stubborn", "Calm", "Only defend")
    hands.does(ben, "Roll")
    expect(ben.page.locator("#just")).to_contain_text("Sarah rolls the dice.")


def strikes(hands: Hands, attacker: Device, defender: Device) -> bool:
    """An attack with everything that people do in it, and whether it succeeds."""
    hands.does(attacker, "Attack ")
    expect(defender.page.locator("#just")).to_contain_text(" attacks ")  # without a reload
    hands.does(defender, "Roll both")
    hands.does(attacker, "Resolve")
    result = attacker.page.locator("#just .outcome b")
    expect(result).to_have_text(re.compile("The attack (succeeds|fails)"))
    if succeeds := result.inner_text() == "The attack succeeds":
        hands.does(attacker, "No impact")
    return succeeds


def answers(hands: Hands, device: Device, label: str) -> None:
    hands.send(asked(device).get_by_role("button", name=label, exact=True))


def closes(hands: Hands, device: Device, *kinds: str) -> None:
    """Tap what leads to a form that is filled in already, and send it."""
    for kind in kinds:
        hands.opens(device, kind)
        hands.send(device.page.locator("#send"))


# --- what was ruled ---


def disputes(hands: Hands, device: Device, number: int, reason: str) -> None:
    """From the log."""
    hands.tap(device.page.get_by_role("log").get_by_role("link", name=f"Ruling {number}", exact=True))
    hands.tap(device.page.get_by_text("Dispute this ruling").first, leads=False)
    hands.type(device.page.get_by_label("What is wrong?"), reason)
    hands.tap(device.page.get_by_role("button", name="Dispute this ruling"))
    expect(device.page.get_by_text("disputed", exact=True)).to_be_visible()


def disputes_at_once(hands: Hands, device: Device, reason: str) -> None:
    """The last ruling, from its card."""
    hands.tap(device.page.locator("#last").get_by_role("link", name=re.compile("^Dispute ruling")))
    hands.type(device.page.get_by_label("What is wrong?"), reason)
    hands.tap(device.page.get_by_role("button", name="Dispute this ruling"))
    expect(device.page.get_by_text("disputed", exact=True)).to_be_visible()


def overturns(hands: Hands, device: Device, shown: str) -> None:
    """From where the dispute stands. Its reason is filled in. `shown`: something that the preview says."""
    hands.tap(device.page.locator("#turn").get_by_role("link", name=re.compile("disputes ruling")))
    hands.opens(device, "Overturn")
    expect(device.page.locator("#preview")).to_contain_text(shown)
    hands.tap(device.page.get_by_role("button", name="Overturn this ruling"))


def asks_why(hands: Hands, device: Device, value: str) -> None:
    """From the sheet in sight."""
    hands.tap(device.page.locator("#own").get_by_role("link", name=value).first)
    expect(device.page.get_by_role("main")).to_contain_text(" led to this value")


def goes_back(hands: Hands, device: Device) -> None:
    """From a ruling to the table before it."""
    hands.tap(device.page.get_by_role("link", name="The table before this ruling"))
    expect(device.page.get_by_role("main")).to_contain_text("The table at this point")


def newest(device: Device) -> int:
    """The number of the last ruling, from the log."""
    return int(device.page.get_by_role("log").get_by_role("link").first.inner_text())


# --- what the page shows ---


def just(device: Device) -> Locator:
    """The last ruling, as this device shows it."""
    return device.page.locator("#just")


def asked(device: Device) -> Locator:
    return device.page.get_by_role("region", name="Questions for you")


def sheet(device: Device) -> Locator:
    return device.page.get_by_role("region", name="Your sheet")


def board(device: Device) -> Locator:
    return device.page.locator("#scene .board")


def turn(device: Device) -> Locator:
    return device.page.get_by_role("region", name="Whose turn it is")


def hears(said: str | re.Pattern[str], *devices: Device) -> None:
    """It comes by itself."""
    for device in devices:
        expect(just(device)).to_contain_text(said)
