"""How good the page is at the table, in figures: `scripts/test tests/api/page/test_how_good.py -s` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect

from ledger.rules import systems
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, PHONE
from tests.api.page.playing import (
    Hands,
    asks_why,
    disputes_at_once,
    first_roll,
    first_view,
    goes_back,
    overturns,
    strikes,
)
from tests.api.page.small_forms import attempts, chooses
from tests.api.page.thrusts import rolls_from_the_sheet, shoots, starts_as_on_the_page, thrusts
from tests.api.table import Service

GAMES = sorted(set(systems()) - {"toy"})
BUTTONS_OF_A_GM = 12
#: What a plain roll takes in the games whose roll is no single tap: who (0: the game master) does what, to the result.
PLAIN = {
    "moc": ((1, "Pilot: 4 dice"), (1, "See the result")),
    "mongrel": ((1, "Roll against Spirit 5"),),
}
#: Where the player's own sheet begins, in pixels from the top of the page, and whether it is in sight.
SHEET = """() => { const shown = [...document.querySelectorAll('#own .strip, #own article')]
    .filter(one => one.getClientRects().length), box = shown[0].getBoundingClientRect();
    const pinned = getComputedStyle(shown[0]).position === 'fixed';
    return {top: pinned ? 0 : Math.round(box.top + scrollY), seen: box.top >= 0 && box.top + 40 <= innerHeight}; }"""
#: What looks like a button: in the view, and on the whole page.
BUTTONS = """() => { const shown = [...document.querySelectorAll('main button, main a.button, main a.move')]
    .filter(one => one.getClientRects().length && one.checkVisibility({visibilityProperty: true}));
    return {all: shown.length, seen: shown.filter(one => one.getBoundingClientRect().top < innerHeight).length}; }"""


@dataclass(frozen=True)
class Figure:
    """`before`: when three people first played on the page. `most`: more of it fails the test."""

    name: str
    before: str
    target: str
    value: object
    most: int | None = None

    @property
    def kept(self) -> bool:
        return self.most is None or (isinstance(self.value, int) and self.value <= self.most)

    def __str__(self) -> str:
        return f"| {self.name} | {self.before} | {self.target} | {self.value} |"


@pytest.fixture(scope="module")
def figures() -> Iterator[list[Figure]]:
    """Those of all tests here, printed at the end."""
    found: list[Figure] = []
    yield found
    print("\n\n| measure | before | target | now |\n|---|---|---|---|", *found, sep="\n")


def keep(figures: list[Figure], *made: Figure) -> None:
    figures += made
    assert all(one.kept for one in made), [str(one) for one in made if not one.kept]


def of_each(values: Mapping[str, object]) -> str:
    return ", ".join(f"{game} {value}" for game, value in values.items())


@pytest.mark.nightly
def test_an_evening_takes_few_taps(address: str, sits: Sits, figures: list[Figure]) -> None:
    """From `/` on, in Levels of Intensity, to a blow that is disputed and overturned."""
    load, _ = first_view(sits(address=address))
    hands, ann, ben, cleo = Hands(), sits(size=LAPTOP, address=address), sits(address=address), sits(address=address)
    with hands.counted() as began:
        first_roll(hands, ann, ben, cleo)
    with hands.counted() as plain:
        hands.does(cleo, "Roll")
    with hands.counted() as blow:  # Cleo only defends
        strikes(hands, ben, cleo)
    with hands.counted() as dispute:
        disputes_at_once(hands, cleo, "I had two dice left.")
    with hands.counted() as back:
        goes_back(hands, cleo)
    with hands.counted() as overturning:
        overturns(hands, ann, shown="")
    hands.tap(ben.page.locator("#own .strip"), leads=False)
    with hands.counted() as why:
        asks_why(hands, ben, "D10 now")
    made = [
        Figure("from `/` to the first roll, three people: taps", "impossible", "< 25", began.taps, 24),
        Figure("the same: seconds, by a machine", "impossible", "< 180", round(began.seconds)),
        Figure("taps for a plain roll: intensity", "5 to 6", "1", plain.taps, 1),
        Figure("taps for one contested blow, all together: intensity", "8 to 11", "6", blow.taps, 6),
        Figure("clicks to dispute the last ruling", "4", "2", dispute.taps, 2),
        Figure("clicks to overturn with preview, from the dispute", "4", "3", overturning.taps, 3),
        Figure("clicks to see why, from a value", "1", "1", why.taps, 1),
        Figure("clicks to an earlier state, from a ruling", "1", "1", back.taps, 1),
        Figure("bytes of the first load, as sent", "36,000", "60,000", load, 60_000),
    ]
    keep(figures, *made)


@pytest.mark.nightly
def test_a_plain_roll_takes_few_taps(service: Service, sits: Sits, figures: list[Figure]) -> None:
    """In a form, every field that has to be filled in is one tap."""
    taken = {}
    for game, steps in PLAIN.items():
        table, hands = starts_as_on_the_page(service, game), Hands()
        people = sits(table.gm.token, LAPTOP), sits(table.ben.token)
        with hands.counted() as plain:
            for who, name in steps:
                hands.fills(people[who], name)
        expect(people[1].page.locator("#just .roll .outcome")).to_be_visible()
        taken[game] = plain.taps
    figures.append(Figure("taps for a plain roll, to its result", "5 to 6", "1 to 2", of_each(taken)))
    assert set(taken) == set(GAMES) - {"intensity", "mnemonic", "scattershot"}


@pytest.mark.nightly
def test_a_check_of_mnemonic_takes_few_taps(service: Service, sits: Sits, figures: list[Figure]) -> None:
    """An attack and the check to resist it, to their results: what is said, what counts, the rolls."""
    table, hands = begun(service, "mnemonic"), Hands()
    for character, trait, rating in (("1", "Deft", "Extremely"), ("2", "Armoured", "Fairly")):
        table.gm.declare("rate-trait", character=character, trait=trait, trait_kind="talent", rating=rating)
    ann, ben, cleo = sits(table.gm.token, LAPTOP), sits(table.ben.token), sits(table.cleo.token)
    with hands.counted() as blow:
        with hands.counted() as plain:
            attempts(hands, ben, "Andrea Kovac", "Hits the dragon with her baton.")
            chooses(hands, ann, sends="Ask for the roll")
            hands.does(ben, "Roll")
        expect(ben.page.locator("#just .roll .outcome")).to_be_visible()
        if ben.page.locator("#just .won").count():
            chooses(hands, ann, sends="At worst unconscious")
            hands.does(cleo, "Roll")
    made = [
        Figure("taps for a plain roll, with what was said and ruled: mnemonic", "10", "1 to 2 to roll", plain.taps, 4),
        Figure("taps for one attack and its check to resist, all together: mnemonic", "19", "6", blow.taps, 6),
    ]
    keep(figures, *made)


@pytest.mark.nightly
def test_a_contested_blow_takes_few_taps(service: Service, sits: Sits, figures: list[Figure]) -> None:
    """Of Mongrel: an attack, its answer, and what goes to Beauty if it hits."""
    table, hands = begun(service, "mongrel"), Hands()
    table.gm.declare("open-conflict", participants=["1", "2"])
    ben, cleo = sits(table.ben.token), sits(table.cleo.token)
    with hands.counted() as blow:
        hands.does(cleo, "Attack Senna Vail with Rend")
        hands.does(ben, "Do not defend")
        if ben.page.get_by_text("goes to Beauty?").count():
            hands.does(ben, "0: all")
    figure = Figure("taps for one contested blow, all together: mongrel", "8 to 11", "6", blow.taps, 6)
    keep(figures, figure)


@pytest.mark.nightly
def test_a_blow_of_scattershot_takes_few_taps(service: Service, sits: Sits, figures: list[Figure]) -> None:
    """Where steps without a choice follow by themselves, as at every table that is started on the page."""
    table, hands = starts_as_on_the_page(service), Hands()
    ben, cleo = sits(table.ben.token), sits(table.cleo.token)
    with hands.counted() as blow:
        thrusts(hands, ben, cleo)
    table = starts_as_on_the_page(service)
    ben = sits(table.ben.token)
    with hands.counted() as plain:
        rolls_from_the_sheet(hands, ben, "Climbing")
    made = [
        Figure("taps for a plain roll, with opening the sheet: scattershot", "5 to 6", "1 to 2", plain.taps, 2),
        Figure("taps for one contested blow, all together: scattershot", "15", "6", blow.taps, 6),
    ]
    keep(figures, *made)


@pytest.mark.nightly
def test_an_attack_with_a_dodge_takes_few_taps(service: Service, sits: Sits, figures: list[Figure]) -> None:
    """Of Moment of Clarity, to the pain of the hit; where steps without a choice follow automatically.

    An attack that misses outright or is dodged altogether is tried again at another table, and so is one that lets the
    attacker choose the location (one more tap).
    """
    hands, hurts = Hands(), False
    while not hurts:
        table = starts_as_on_the_page(service, "moc")
        ben, cleo = sits(table.ben.token), sits(table.cleo.token)
        with hands.counted() as blow:
            hurts = shoots(hands, ben, cleo)
    keep(figures, Figure("taps for one contested blow with a dodge, all together: moc", "10", "6", blow.taps, 6))


@pytest.mark.nightly
def test_what_one_wants_is_in_sight(service: Service, sits: Sits, figures: list[Figure]) -> None:
    """At rest: a scene has begun, and nobody is asked anything."""
    sheets: dict[int, dict[str, dict[str, Any]]] = {PHONE[0]: {}, LAPTOP[0]: {}}
    buttons: dict[str, dict[str, int]] = {}
    for game in GAMES:
        table = begun(service, game)
        for size in (PHONE, LAPTOP):
            sheets[size[0]][game] = sits(table.ben.token, size).look("/").evaluate(SHEET)
        buttons[game] = sits(table.gm.token, LAPTOP).look("/").evaluate(BUTTONS)
    for width, of in sheets.items():
        seen = sum(one["seen"] for one in of.values())
        figures.append(Figure(f"own sheet in sight without scrolling, {width} px", "0 of 5", "5 of 5", f"{seen} of 5"))
        tops = of_each({game: one["top"] for game, one in of.items()})
        figures.append(Figure(f"pixels to the own sheet, {width} px (0: pinned)", "657 to 3,102", "", tops))
        assert seen == len(GAMES)
    for what, name in (("seen", "in the first 1280 x 800"), ("all", "on the whole page, nothing unfolded")):
        many = {game: one[what] for game, one in buttons.items()}
        figures.append(Figure(f"game master’s buttons {name}", "13 to 54", "12", of_each(many)))
        assert max(many.values()) <= BUTTONS_OF_A_GM
