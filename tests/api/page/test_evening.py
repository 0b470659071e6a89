"""An evening of every game at the page, in a real Chromium: two phones and a laptop, and nobody knows the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random

import pytest
from playwright.sync_api import Page, expect

from api.inviting.links import draw_qr_svg
from ledger.application import Ledger
from ledger.rules import systems
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.page.hands import fill
from tests.api.page.house import House
from tests.api.page.tapping import Phone
from tests.api.table import Json, Player, Service, Table
from tests.levels import sampled

RULINGS = 20
ROUNDS = 120  # of all who tap
QUESTIONS = 12  # that joining may ask
TRADE = "card-trade"
TAPS = 120  # of one, until somebody else is asked: dice fall as they fall
FEW_TAPS = 20  # where somebody is asked otherwise
#: What would leave no ready-made character for who joins at the end, or nobody to play with, or few points.
BARRING = ("/enrol", "/retire", "/hand-over", "/limit-points")
#: What keeps people who tap at random from playing.
BESIDE = (
    "/amend",
    "/adjust",
    "/set-dial",
    "/close-scene",
    "/close-session",
    "/abandon-round",
    "/note-conflict",
)
CAME = re.compile(r"[?](ruling|waiting)=")


@pytest.fixture(scope="module")
def house(ledger: Ledger) -> Iterator[House]:
    house = House(ledger)
    yield house
    house.stop()


@pytest.fixture
def fresh(service: Service, name: str) -> Table:
    """Nobody but its game master is there yet."""
    table = object.__new__(Table)
    table.service = service
    opened = service.open(system=name, name="An evening").json()
    table.id, table.gm = opened["id"], Player(table, "s1", opened["seat"]["token"])
    return table


@pytest.mark.parametrize("name", sampled(sorted(systems()), 1, salt="an evening"))
def test_an_evening(house: House, fresh: Table, sits: Sits, name: str) -> None:
    laptop, ben, cleo = _sit_down(house, fresh, sits)
    _join_with_ready_people(ben, cleo)
    _settle(fresh, [laptop, ben, cleo])
    expect(laptop.page.locator("#people article")).to_have_count(2)  # it came by itself
    _begin(laptop)
    for one in (ben, cleo):
        expect(one.page.locator("#scene")).to_contain_text("The old mill")
    _refused_at_its_field(ben)
    with _without_script(house, laptop, ben, cleo) as phones:
        _play(phones, fresh)
        _asked_on_another_phone(fresh, phones, [laptop, ben, cleo])
    _cut(house, fresh, [ben, laptop, cleo])
    _tabs_and_back(fresh, [laptop, ben, cleo])
    for one in (laptop, ben, cleo):
        one.look("/")
        one.fits()


def _sit_down(house: House, table: Table, sits: Sits) -> tuple[Device, Device, Device]:
    """By what a QR code holds, by link, and by a code that was said aloud."""
    ann = table.gm.does("/invites", {"seat": "s1"})
    ben, cleo = (table.gm.does("/invites", {"role": "player", "name": name}) for name in ("Ben", "Cleo"))
    assert ann["qr"] == draw_qr_svg(ann["link"])
    at = [sits(size=LAPTOP, address=house.address), sits(address=house.address), sits(address=house.address)]
    for device, said in zip(at, (_here(house, ann["link"]), _here(house, ben["link"]), cleo["code"]), strict=True):
        device.sits_down(said)
        assert "#" not in device.page.url and said not in device.page.content()
    return at[0], at[1], at[2]


def _here(house: House, link: str) -> str:
    return house.address + link[link.index("/join") :]


def _join_with_ready_people(*devices: Device) -> None:
    for place, device in enumerate(devices):
        _enrols(device, place)
        expect(device.page.locator("#just")).to_contain_text("joins")
        device.fits()


def _enrols(device: Device, place: int, name: str = "") -> None:
    """One of the people who are ready to play. It is sent twice and done once."""
    device.page.locator("#drawer summary").click()
    device.page.locator("#drawer a", has_text="Add a character").click()
    device.page.locator("a.chip").nth(place).click()
    if name:
        device.page.locator("[id='declare-name']").fill(name)
    if device.size == LAPTOP:
        device.page.locator("fieldset", has_text="Seat").locator("label.tile").first.click()
    device.page.locator("#send").dblclick()
    device.page.wait_for_url(CAME)


def _begin(laptop: Device) -> None:
    for kind, title in (("Start a session", "Session one"), ("Start a scene", "The old mill")):
        laptop.look("/")
        if laptop.page.locator("#drawer a", has_text=kind).count():
            laptop.page.locator("#drawer summary").click()
        laptop.page.locator("#moves a, #drawer a").filter(has_text=kind).first.click()
        laptop.page.get_by_label("Title").fill(title)
        cast = laptop.page.locator("fieldset", has_text="Cast").locator("label.tile")
        for one in cast.all():
            one.click()
        laptop.page.locator("#send").click()
        laptop.page.wait_for_url(CAME)


def _refused_at_its_field(device: Device) -> None:
    """It is told at the field while it is filled in, and again where it is sent, and nothing is lost or done."""
    device.look("/")
    device.page.locator("#drawer summary").click()
    device.page.locator("#drawer a", has_text="Add a character").click()
    device.page.locator("a.chip").first.click()
    field = device.page.locator("[id='declare-name']")
    with device.allowing("status of 422"):
        field.fill("")
        field.blur()
        told = device.page.locator("#e-declare-name")
        expect(told).not_to_be_empty()
        device.page.locator("#send").click()
        expect(device.page.locator(".problem").first).to_be_focused()
        expect(told).not_to_be_empty()
        expect(field).to_have_attribute("aria-invalid", "true")


@contextmanager
def _without_script(house: House, *devices: Device) -> Iterator[list[Phone]]:
    """At the same seats, quicker than any browser."""
    with ExitStack() as stack:
        phones = []
        for device in devices:
            cookies = {one["name"]: one["value"] for one in device.context.cookies()}
            phones.append(Phone(house.address, f"{device.at}/".removeprefix(house.address), cookies, Random(3)))
            phones[-1].avoids = BARRING
            stack.callback(phones[-1].client.close)
        yield phones


def _play(phones: list[Phone], table: Table) -> None:
    for _ in range(ROUNDS):
        if len(_rulings(table)) >= RULINGS:
            return
        for one in phones:
            one.tap()
    raise AssertionError(f"{len(_rulings(table))} rulings in {ROUNDS} rounds")


def _rulings(table: Table) -> list[Json]:
    found: list[Json] = table.gm.look("/rulings", limit=500, view="brief")["rulings"]
    return found


def _asked_on_another_phone(table: Table, phones: list[Phone], devices: list[Device]) -> None:
    """What one declares, with plastic dice, asks somebody else: there it appears by itself, is tapped and sent.

    Who taps at random seldom comes to that in Moment of Clarity, and then to cards, which a hand at the page cannot
    type in without knowing the deck.
    """
    for one in devices:
        one.look("/")
    system = table.gm.look()["system"]
    seats = {device.at.rpartition("/")[2]: device for device in devices}
    for phone in phones:
        phone.dice, phone.avoids = "table", (*BARRING, *BESIDE)
        own = phone.at.rstrip("/").rpartition("/")[2]
        for _ in range(TAPS if system != "moc" else FEW_TAPS):
            phone.tap()
            if _somebody_answers(table, seats, own):
                return
    assert system == "moc", "nobody was asked anything"
    _trades(table, next(id for id in seats if id != "s1"))
    assert _somebody_answers(table, seats, "s1")


def _somebody_answers(table: Table, seats: dict[str, Device], but: str) -> bool:
    first: set[str] = set()  # what is asked first stands first, and is what is answered
    for one in table.gm.look("/waiting")["waiting"]:
        question = one["question"] or {}
        asked = (question.get("asked") or {}).get("seat")
        asked = "s1" if asked == "gm" else asked
        if asked is not None and asked not in (but, *first) and question["ask"] != "draw":
            _answers(seats[asked], one)
            return True
        first.add(str(asked))
    return False


def _trades(table: Table, seat: str) -> None:
    """The game master's Rissh would like a card of Harry's, whom the seat plays."""
    gm = table.gm
    for open_ in [one["id"] for one in gm.look("/state")["scenes"]]:
        gm.declare("close-scene", scene=open_)
    if (session := gm.look("/state")["campaign"]["session"]) is not None:
        gm.declare("close-session", session=session)
    sheets = {"Rissh": "enigma", "Harry": "hero"}
    rissh, harry = (
        gm.does("/characters", {"name": name, "seat": "s1", "sheet": {"archetype": archetype}})["facts"][0]["subject"]
        for name, archetype in sheets.items()
    )
    rissh, harry = rissh.partition(":")[2], harry.partition(":")[2]
    gm.declare("open-session", title="Another")
    made = gm.declare("propose-trait", character=rissh, name="Deft", effect="Trades a card.", cost=2, allows=TRADE)
    gm.declare("approve-trait", character=rissh, trait=made["facts"][0]["fact"]["trait"])
    for id, cards in ((rissh, ["8C", "2D"]), (harry, ["KH", "3D"])):
        gm.declare("draw-hand", character=id, drawn=cards, kept=cards)
    gm.declare("hand-over", character=harry, seat=seat)
    gm.declare("trade-cards", status=202, character=rissh, target=harry)


def _settle(table: Table, devices: list[Device], about: str = "") -> None:
    """Whatever joining asks is answered by whom it asks."""
    seats = {device.at.rpartition("/")[2]: device for device in devices}
    for _ in range(QUESTIONS):
        waiting = [one for one in table.gm.look("/waiting")["waiting"] if about in one["text"]]
        if not waiting:
            return
        asked = waiting[0]["question"]["asked"]["seat"]
        device = seats["s1" if asked == "gm" else asked]
        device.look("/")
        _answers(device, waiting[0])
        device.look("/")
    raise AssertionError(waiting)


def _answers(device: Device, waiting: Json) -> None:
    page = device.page
    expect(page.locator("#asked")).to_contain_text(waiting["question"]["text"])
    with device.allowing("status of 422", "status of 409"):
        for place in range(12):
            fill(page, place)
            device.fits()
            answers = page.locator("#asked form .answer, main form .answer")
            answers.nth(place % answers.count()).click()
            page.wait_for_load_state()
            if CAME.search(page.url):
                return
    raise AssertionError(page.content())


def _cut(house: House, table: Table, devices: list[Device]) -> None:
    """The line is cut, something happens meanwhile, the line is there again: it is seen without a reload."""
    page = devices[0].look("/")
    page.evaluate("() => { window.here = true; }")
    with ExitStack() as stack:
        for one in devices:
            stack.enter_context(one.allowing("ERR_", "status of 503", "network error", "sse:error"))
        house.stop()
        expect(page.locator("#status")).to_contain_text("Connection lost")
        try:
            people = table.service.client.get(f"/systems/{table.gm.look()['system']}").json()["people"]
            sheet = next(iter(people.values()))
            table.gm.does("/characters", {"name": "Meanwhile", "seat": "s1", "sheet": sheet})
        finally:
            house.start()
        expect(page.locator("#people")).to_contain_text("Meanwhile")
        expect(page.locator("#status")).to_be_empty()
    assert page.evaluate("() => window.here")


def _tabs_and_back(table: Table, devices: list[Device]) -> None:
    """Two tabs are told the same; the way back shows the form again, and the way on what came of it."""
    laptop = devices[0]
    laptop.look("/")
    other: Page = laptop.tab()
    other.goto(laptop.at + "/")
    _enrols(laptop, 0, "At last")
    laptop.page.go_back()
    expect(laptop.page.locator("h1")).to_have_text("Add a character")
    laptop.page.go_forward()
    expect(laptop.page.locator("#just")).to_contain_text("At last")
    _settle(table, devices, "At last")
    other.bring_to_front()  # a tab that nobody sees listens to nothing
    try:
        expect(other.locator("#people")).to_contain_text("At last")
    except AssertionError as problem:
        line = other.evaluate("""() => { const sse = (document.getElementById('live')._htmx || {}).sse;
            return [document.hidden, document.getElementById('status').textContent, sse && sse.status,
                sse && sse.attempt, sse && sse.lastEventId,
                performance.getEntriesByType('resource').map(one => one.name)]; }""")
        raise AssertionError(f"its line: {line}; the table: {_rulings(table)[-3:]}") from problem
    assert len([one for one in _rulings(table) if "At last joins" in one["text"]]) == 1
    other.close()
