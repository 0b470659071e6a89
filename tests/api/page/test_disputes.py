"""A dispute from a phone to the last finding, in a real Chromium, for every game; and a consent over two phones."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ledger.rules import systems
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.table import Json, Service, Table
from tests.levels import sampled

ALL = pytest.mark.parametrize("name", sampled(sorted(systems()), 1, salt="disputes on phones"))


def joined(table: Table) -> int:
    """The ruling by which Ben's character did: the scene begins with it."""
    rulings: list[Json] = table.gm.look("/rulings", limit=500)["rulings"]
    return next(int(one["number"]) for one in rulings if one["declared"]["kind"] == "enrol")


@pytest.mark.nightly
@ALL
def test_a_dispute_is_decided_to_its_end(service: Service, sits: Sits, name: str) -> None:
    """Disputed on a phone, looked at beforehand, gone stale, overturned with what follows, put back, and settled."""
    table = begun(service, name)
    first = joined(table)
    ben = sits(table.ben.token)
    ben.look(f"/rulings/{first}").locator("summary", has_text="Dispute this ruling").click()
    ben.page.locator("#reason").fill("I never played him.")
    ben.sends(ben.page.get_by_role("button", name="Dispute this ruling"))
    expect(ben.page.get_by_text("Ben disputes ruling")).to_be_visible()

    gm = sits(table.gm.token, size=LAPTOP, scheme="dark")
    gm.look("/decide").get_by_role("link", name=re.compile("Review this ruling")).click()
    expect(gm.page.locator("h1")).to_have_text(f"Review ruling {first}")
    expect(gm.page.locator(".ways a")).to_have_count(4)
    expect(gm.page.locator("main [aria-current], main form")).to_have_count(0)  # nothing is chosen yet
    gm.page.get_by_role("link", name=re.compile("^Overturn ")).click()
    expect(gm.page.locator("h1")).to_have_text(f"Overturn ruling {first}?")
    expect(gm.page.get_by_role("button", name="Update preview")).to_have_count(1)
    expect(gm.page.locator("#preview .counts")).to_contain_text("no longer possible")
    expect(gm.page.locator("#preview .rulings li").first).to_contain_text("would not be possible")
    expect(gm.page.locator("#preview table").first).to_be_attached()

    table.gm.does("/dials", {"consent_hours": 24, "reason": "A day will do."})  # the campaign moves on
    position = table.position
    gm.page.locator("#reason").fill("So he says.")
    with gm.allowing("status of 409"):
        gm.sends(gm.page.locator("#do"))
    expect(gm.page.get_by_role("alert")).to_contain_text("has changed since your preview")
    assert table.position == position, "nothing was saved"

    gm.page.get_by_label("Rule them again").check()
    expect(gm.page.locator("#preview")).to_contain_text("It is ruled again and has no result")
    expect(gm.page.locator("#settle-rerule")).to_be_focused()
    gm.picture(f"{name}-overturn-laptop-dark")
    gm.sends(gm.page.locator("#do"))
    assert table.gm.look(f"/rulings/{first}")["status"] == "overturned"
    told = table.gm.look("/rulings", limit=500)["rulings"]
    assert any(one["cause"] == first for ruling in told for one in ruling["decisions"]), "one was ruled again"

    gm.look(f"/rulings/{first}").get_by_role("link", name="Reinstate this ruling").click()
    expect(gm.page.locator("h1")).to_have_text(f"Reinstate ruling {first}?")
    gm.page.locator("#reason").fill("He did play him.")
    gm.sends(gm.page.locator("#do"))
    assert table.gm.look(f"/rulings/{first}")["status"] in ("standing", "revised")

    found = table.gm.look("/findings")["findings"]
    assert found, "what was ruled again without him is to be settled"
    expect(gm.page.locator("h1")).to_have_text("Needs attention")
    last = gm.page.locator(".finding").last
    last.get_by_label("Already fixed").check()
    last.get_by_label("Reason").fill("Written before the others were settled.")
    for place, _ in enumerate(found):
        if place == len(found) - 1:
            expect(gm.page.get_by_label("Already fixed")).to_be_checked()
            expect(gm.page.get_by_label("Reason")).to_have_value("Written before the others were settled.")
        gm.look("/findings").get_by_label("Leave it as it is").first.check()
        gm.page.get_by_label("Reason").first.fill("It made no difference.")
        if not place:
            gm.accessible()
        gm.sends(gm.page.get_by_role("button", name="Resolve").first)
    assert table.gm.look("/findings")["findings"] == []
    expect(gm.look("/findings").get_by_text("Nothing needs attention")).to_be_visible()


@ALL
def test_a_typo_is_corrected_on_a_phone_by_keyboard(service: Service, sits: Sits, name: str) -> None:
    table = begun(service, name)
    rulings = table.gm.look("/rulings")["rulings"]
    number = next(one["number"] for one in rulings if one["declared"]["kind"] == "open-scene")
    gm = sits(table.gm.token)
    gm.look(f"/rulings/{number}/revise")
    gm.tabs_to("Title")
    gm.press("Control+A")
    gm.page.keyboard.type("The old mall")
    difference = gm.page.locator("#preview .beside").first
    expect(difference).to_contain_text("The old mall")
    expect(difference).to_contain_text("The old mill")
    expect(gm.page.get_by_label("Title")).to_be_focused()
    gm.fits()
    gm.picture(f"{name}-revise-phone-light")
    if name == min(systems()):
        gm.accessible()
    gm.tabs_to(re.compile("^Reason"))
    gm.page.keyboard.type("It was misspelt.")
    gm.tabs_to("Correct this ruling")
    with gm.page.expect_navigation():
        gm.press("Enter")
    assert table.gm.look(f"/rulings/{number}")["declared"]["title"] == "The old mall"
    expect(gm.page.locator("h1")).to_contain_text("The old mall")


@ALL
def test_consent_is_asked_on_two_phones(service: Service, sits: Sits, name: str) -> None:
    table = begun(service, name)
    first = joined(table)
    table.gm.declare("set-dial", name="consent", value="majority", reason="we trust each other, so far")
    phones = [sits(table.ben.token), sits(table.cleo.token, scheme="dark")]
    gm = sits(table.gm.token, size=LAPTOP)
    gm.look(f"/rulings/{first}/overturn").locator("#reason").fill("Out of reach.")
    gm.sends(gm.page.locator("#do"))
    wanted = f"Ann wants to overturn ruling {first}: Out of reach."
    expect(gm.page.locator("h1")).to_have_text(wanted)
    for place, phone in enumerate(phones):
        phone.page.get_by_text("Your consent is needed").click()
        expect(phone.page.locator("h1")).to_have_text(wanted)
        expect(phone.page.locator("table").first).to_be_attached()
        phone.fits()
        if name == min(systems()):
            phone.accessible()
        phone.picture(f"{name}-consent-{place}")
        phone.page.get_by_label("Yes", exact=True).check()
        phone.page.locator("#reason").fill("So it was.")
        phone.sends(phone.page.get_by_role("button", name="Answer"))
    expect(phones[1].page.locator("#stands")).to_contain_text("The decision took effect")
    expect(gm.page.locator("#stands")).to_contain_text("The decision took effect")  # by itself
    assert table.gm.look(f"/rulings/{first}")["status"] == "overturned"


@pytest.fixture
def spent(service: Service) -> Table:
    """5 coins for the first, and a mint of 230 of which as many rulings live: without it none of them stands."""
    table = begun(service, "toy")
    table.gm.declare("mint", to="1", coins=230)
    for _ in range(230):
        table.ben.declare("give", char="1", to="2", coins=1)
    return table


def test_what_would_change_is_told_to_its_end(spent: Table, sits: Sits) -> None:
    mint = next(
        one["number"] for one in spent.gm.look("/rulings", limit=20)["rulings"] if "mint" in str(one["declared"])
    )
    gm, ben = sits(spent.gm.token, size=LAPTOP), sits(spent.ben.token)
    rows = gm.look(f"/rulings/{mint}/overturn").locator("#preview .rulings li:not(.more)")
    there = rows.count()
    assert there < 230
    more = gm.page.locator("#preview .rulings li.more button")
    expect(more).to_have_text(f"Show {230 - there} more")
    gm.page.locator("#reason").fill("It never was.")
    more.click()
    expect(rows).to_have_count(230)
    expect(more).to_have_count(0)
    expect(gm.page.locator("#reason")).to_have_value("It never was.")
    last = rows.last.get_by_label(re.compile("Overturn this too"))
    number = last.get_attribute("value")
    last.check()
    expect(gm.page.locator("#with-it")).to_contain_text(f"Ruling {number}")
    _pages_of_a_correction(spent, gm, mint)
    page = ben.look(f"/rulings/{mint}/overturn")  # who does not decide looks; without script it is a page of its own
    path = page.locator(".rulings li.more a").get_attribute("href")
    page.goto(str(path))
    assert page.locator(".rulings li:not(.more)").count() == 230 - there
    ben.accessible()
    ben.fits()


def _pages_of_a_correction(table: Table, gm: Device, mint: int) -> None:
    """And of what is put back: nothing of what would change is only counted."""
    rows, more = (gm.page.locator(f"#preview .rulings li{which}") for which in (":not(.more)", ".more button"))
    gm.look(f"/rulings/{mint}/revise").get_by_label("Coins").fill("1")
    gm.page.get_by_label("Coins").blur()
    expect(more).to_be_visible()
    more.click()
    expect(rows).to_have_count(229)
    table.gm.does(f"/rulings/{mint}/overturn", {"reason": "It never was.", "settle": "rerule"}, 200)
    gm.look(f"/rulings/{mint}/reinstate").get_by_label("Rule them again").check()
    expect(more).to_be_visible()
    more.click()
    expect(rows).to_have_count(230)
    expect(rows.last).to_contain_text("It is ruled again")
    table.gm.does(f"/rulings/{mint}/reinstate", {"reason": "It was.", "settle": "rerule"}, 200)


def test_what_is_settled_arrives_on_an_open_timeline(service: Service, sits: Sits) -> None:
    """On one that was opened before, and on one that was shown before and hears again only now."""
    table = begun(service, "toy")
    mint = table.gm.declare("mint", to="1", coins=4)["number"]
    table.ben.declare("give", char="1", to="2", coins=4)
    table.gm.does(f"/rulings/{mint}/overturn", {"reason": "It never was."}, 200)
    ben = sits(table.ben.token)
    ben.look("/timeline")
    for one, why in zip(table.gm.look("/findings")["findings"], ("So be it.", "This, too."), strict=False):
        table.gm.does(f"/findings/{one['id']}/settle", {"how": "let-stand", "reason": why}, 200)
        about = ben.page.locator(f"#r-{one['ruling'] or one['cause']}")
        expect(about).to_contain_text("Ann resolved this")
        expect(about).to_contain_text(f"Left as it is: {why}")
    line = str(ben.page.locator("#live").get_attribute("hx-sse:connect"))
    with ben.page.expect_response(lambda answer: "/live/timeline" in answer.url):
        ben.look("/timeline")
    now = str(ben.page.locator("#live").get_attribute("hx-sse:connect"))
    assert line.partition("settled=0.")[1] and not now.partition("settled=0.")[1]


def _settles_by_hand(gm: Device, finding: Json, number: int) -> None:
    article = gm.look("/findings").locator(f"#f-{finding['id']}")
    article.get_by_label("Already fixed").check()
    article.get_by_label("Reason").fill(f"See ruling {number}.")
    gm.sends(article.get_by_role("button", name="Resolve"))
    expect(gm.page.get_by_role("status").first).to_contain_text("Resolved.")
    expect(gm.page.locator(f"#f-{finding['id']}")).to_have_count(0)
    gm.page.get_by_role("status").first.get_by_role("link").click()
    expect(gm.page.locator("main")).to_contain_text(f"Already fixed: See ruling {number}.")


@pytest.mark.nightly
def test_a_finding_is_set_right_by_hand(service: Service, sits: Sits) -> None:
    """A balance below nothing set right closes its finding; a value is set where a sheet keeps what it should not."""
    table = begun(service, "toy")
    mint = table.gm.declare("mint", to="1", coins=4)["number"]
    table.ben.declare("give", char="1", to="2", coins=4)
    table.gm.does(f"/rulings/{mint}/overturn", {"reason": "It never was."}, 200)
    found = {one["kind"]: one for one in table.gm.look("/findings")["findings"]}
    gm = sits(table.gm.token)
    gm.look("/findings").locator(f"#f-{found['overdrawn']['id']}").get_by_role("link", name="Change a balance").click()
    said = {
        "Source": "bank/coin",
        "Target": found["overdrawn"]["account"],
        "Unit": "coin",
        "Amount": "4",
        "Reason": "Lent.",
    }
    for label, text in said.items():
        gm.page.get_by_label(label, exact=True).fill(text)
    gm.sends(gm.page.locator("#send"))
    expect(gm.look("/findings").locator(f"#f-{found['overdrawn']['id']}")).to_have_count(0)

    gm.look("/findings").locator(f"#f-{found['loses support']['id']}").get_by_role(
        "link", name="Change a value"
    ).click()
    gm.page.locator("#declare label.tile", has_text=table.gm.look("/characters/1")["name"]).first.click()
    for label, text in {"Field": "harm", "Value": "3", "Reason": "He pays for it otherwise."}.items():
        gm.page.get_by_label(label, exact=True).fill(text)
    gm.sends(gm.page.locator("#send"))
    assert table.gm.look("/characters/1")["state"]["harm"] == 3
    _settles_by_hand(gm, found["loses support"], int(gm.page.url.rpartition("=")[2]))
    expect(gm.look("/findings").get_by_text("Nothing needs attention")).to_be_visible()
