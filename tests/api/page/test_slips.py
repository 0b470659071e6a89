"""At the table: taking back from the card, rewinding to before a ruling, and going on after an overturning."""

from __future__ import annotations

import re
from html import unescape

import pytest
from playwright.sync_api import expect

from api.table.pages import may_withdraw
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import at_the_page
from tests.api.table import HIT, Player, Service, Table


@pytest.fixture
def paid(service: Service) -> tuple[Table, int]:
    """Ben's character gives 2 coins to Cleo's."""
    table = begun(service, "toy")
    table.gm.declare("mint", to="1", coins=4)
    return table, int(table.ben.declare("give", char="1", to="2", coins=2)["number"])


def text_of(player: Player, path: str = "/") -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", at_the_page(player).page(path))))


def test_one_press_takes_the_latest_ruling_back(paid: tuple[Table, int], sits: Sits) -> None:
    table, number = paid
    ben = sits(table.ben.token)
    page = ben.look("/")
    page.get_by_role("button", name=f"Take back ruling {number}").click()
    expect(page.locator("#last")).to_contain_text(f"Ben takes back ruling {number}.")
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    assert table.gm.look(f"/rulings/{number}")["status"] == "overturned"
    ben.accessible()
    ben.fits()


def test_only_who_declared_it_is_offered_that_and_only_while_it_is_the_latest(paid: tuple[Table, int]) -> None:
    table, number = paid
    assert "Take back" in text_of(table.ben)
    for player in (table.gm, table.cleo):
        assert "Take back" not in text_of(player)
    table.cleo.declare("give", char="2", to="1", coins=1)
    assert "Take back" not in text_of(table.ben, f"/?ruling={number}") and "Take back" in text_of(table.cleo)
    table.ben.does("/rulings", {"declare": {"kind": "sneak", "char": "1"}, "dice": "ledger"})
    assert "Take back" not in text_of(table.ben), "the ledger rolled"


def test_it_is_offered_only_while_it_would_not_be_refused(paid: tuple[Table, int], sits: Sits) -> None:
    """Also where only an own step that waits came after it, in a page that is open meanwhile, and one opened then."""
    table, number = paid
    ben = sits(table.ben.token)
    offer = ben.look("/").get_by_role("button", name=f"Take back ruling {number}")
    expect(offer).to_be_visible()
    waiting = table.ben.declare(**HIT, status=202)["id"]
    expect(offer).to_have_count(0)
    expect(ben.page.locator("#last")).to_contain_text("2 coins change hands.")
    again = f'aria-label="Take back ruling {number}"'
    assert again not in at_the_page(table.ben).page("/")
    table.ben.does(f"/waiting/{waiting}/withdraw", {"reason": "never mind"}, 200)
    refused = table.ben.post(f"/rulings/{number}/take-back", {"preview": True})
    assert (again in at_the_page(table.ben).page("/")) is (refused.status_code == 200)


def test_too_late_it_says_why_and_begins_a_dispute(paid: tuple[Table, int], sits: Sits) -> None:
    table, number = paid
    ben = sits(table.ben.token)
    page = ben.look("/")
    page.evaluate("document.querySelector('#live')?.remove()")  # the card stays as it is
    table.gm.does("/bookmarks", {"ruling": number, "note": "here"})
    page.get_by_role("button", name=f"Take back ruling {number}").click()
    expect(page.get_by_role("alert")).to_contain_text(f"The game has moved on since ruling {number}.")
    expect(page.locator("#reason")).to_have_value(re.compile("I want to take this back: ?"))
    assert table.gm.look(f"/rulings/{number}")["status"] == "standing"
    ben.accessible()
    ben.complaints.clear()  # the browser says that the answer was no 200


@pytest.mark.nightly
def test_what_waits_for_somebody_else_is_taken_back_with_one_press(service: Service, sits: Sits) -> None:
    """Beside the line that says for whom it waits, and in sight; who did not declare it is not offered that."""
    table = begun(service, "toy")
    waiting = table.ben.declare(**HIT, status=202)["id"]
    assert "Take back" not in text_of(table.gm) + text_of(table.cleo)
    ben = sits(table.ben.token)
    page = ben.look("/")
    offer = page.get_by_role("listitem").filter(has_text="Cleo has to answer").get_by_role("button", name="Take back")
    expect(offer).to_be_in_viewport()
    ben.accessible()
    ben.fits()
    expect(ben.look(f"/waiting/{waiting}").get_by_role("button", name="Take back")).to_be_in_viewport()
    ben.look("/")
    ben.sends(offer)
    assert table.gm.look(f"/waiting/{waiting}")["status"] == "withdrawn"


def test_what_the_ledger_rolled_for_is_not_offered_to_be_taken_back(service: Service) -> None:
    table = begun(service, "toy")
    body = {"declare": HIT, "dice": "ledger"}
    waiting = table.ben.does("/rulings", body, 202)["id"]
    assert "Take back" in text_of(table.ben)
    state = table.ben.look("/state")
    (waits,) = state["waiting"]
    assert may_withdraw(state, table.ben.id, waits)
    rolled = {**waits, "answers": [{"source": "ledger"}]}
    assert not may_withdraw(state, table.ben.id, rolled) and may_withdraw(state, table.gm.id, rolled)
    assert not may_withdraw(state, table.cleo.id, waits) and waits["id"] == waiting


def test_a_rewind_is_previewed_and_then_done(paid: tuple[Table, int], sits: Sits) -> None:
    table, number = paid
    later = table.cleo.declare("give", char="2", to="1", coins=1)["number"]
    ann = sits(table.gm.token)
    page = ann.look(f"/rulings/{number}/decide")
    page.get_by_role("link", name="Rewind to before this").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text(f"Rulings {number} to {later} will no longer count.")
    expect(main).to_contain_text("Ben Bow")
    page.locator("textarea#reason").fill("We play it again.")
    ann.accessible()
    ann.fits()
    page.get_by_role("button", name="Rewind to before this").click()
    expect(page.get_by_role("main")).to_contain_text(f"Ann rewinds the game to before ruling {number}")
    assert [table.gm.look(f"/rulings/{one}")["status"] for one in (number, later)] == ["overturned"] * 2


def test_whoever_acted_since_reads_what_no_longer_counts(paid: tuple[Table, int]) -> None:
    table, number = paid
    later = table.cleo.declare("look", char="2", at="1")["number"]
    table.gm.does(f"/rulings/{number}/rewind", {"reason": "again"}, 200)
    said = text_of(table.cleo)
    assert f"Ann rewinds the game to before ruling {number}: again." in said
    assert f"Your ruling {later} no longer counts." in said and "2 coins change hands." in said
    assert f"Your ruling {number} no longer counts." in text_of(table.ben)
    assert "no longer counts" not in text_of(table.gm)


@pytest.mark.nightly
def test_after_an_overturning_one_list_names_the_ways_to_go_on(paid: tuple[Table, int], sits: Sits) -> None:
    table, number = paid
    later = table.cleo.declare("give", char="2", to="1", coins=2)["number"]
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)
    ann = sits(table.gm.token)
    for path in (f"/rulings/{number}", f"/findings?after={number}"):
        page = ann.look(path)
        names = [f"Rewind to before ruling {later}", "Make the ruling again", "Keep the later rulings"]
        assert [page.get_by_role("link", name=name).count() for name in names] == [1, 1, 1]
    ann.accessible()
    page.get_by_role("link", name=f"Rewind to before ruling {later}").click()
    expect(page.locator("h1")).to_have_text(f"Rewind to before ruling {later}?")
    page = ann.look(f"/rulings/{number}")
    page.get_by_role("link", name="Make the ruling again").click()
    page.locator("[name='/declare/coins']").fill("1")
    expect(page.get_by_role("main")).to_contain_text("Coins")
    assert "How do you want to continue?" not in text_of(table.ben, f"/rulings/{number}")


def test_without_later_rulings_the_game_just_goes_on(paid: tuple[Table, int]) -> None:
    table, number = paid
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)
    said = text_of(table.gm, f"/rulings/{number}")
    assert "Play on from here" in said and "Rewind to before ruling" not in said


def test_what_is_asked_again_is_in_sight_and_what_was_declared_is_folded(service: Service, sits: Sits) -> None:
    """On a phone; also after the preview, and it is the answer that is corrected."""
    table = begun(service, "toy")
    number = int(table.hit(6)["number"])
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)
    ann = sits(table.gm.token)
    page = ann.look(f"/rulings/{number}")
    page.get_by_role("link", name="Make the ruling again").click()
    dodge = page.locator("label.tile", has_text="Dodge")
    expect(dodge).to_be_in_viewport()
    target = page.locator("[name='/declare/target']").first
    expect(target).not_to_be_visible()
    ann.fits()
    ann.accessible()
    dodge.click()
    expect(page.get_by_role("heading", name="Your correction")).to_be_visible()
    expect(target).not_to_be_visible()
    page.locator("textarea#reason").fill("She dodged.")
    ann.sends(page.get_by_role("button", name="Correct this ruling"))
    assert table.gm.look(f"/rulings/{number}")["status"] == "revised"
    page = ann.look(f"/rulings/{number}/revise")
    expect(page.locator("[name='/declare/target']").first).to_be_attached()
    expect(page.get_by_text("The original declaration", exact=True)).to_have_count(0)
