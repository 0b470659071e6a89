"""Where a newcomer stopped while making a character on a phone."""

from __future__ import annotations

import re
from html import unescape

from playwright.sync_api import expect

from tests.api.page.conftest import Sits
from tests.api.page.sitting import at_the_page, part
from tests.api.page.test_makers import Maker, empty, walk
from tests.api.table import Service

SLIM = 64  # pixels
IN_SIGHT = """box => { const at = box.getBoundingClientRect(); return at.top >= 0 && at.top < innerHeight - 200; }"""


def test_a_tap_on_a_disabled_minus_shows_the_reason(service: Service, sits: Sits) -> None:
    """A phone shows no tooltips."""
    table = empty(service, "moc")
    ben = sits(table.ben.token)
    page = ben.look("/start/make")
    page.get_by_label("Name of the character").fill("Nora")
    page.get_by_role("button", name="Hero").click()
    page.get_by_role("button", name="Next", exact=True).click()
    less = page.get_by_role("button", name="Body: one less")
    expect(less).to_be_disabled()
    reason = page.get_by_text("Body must be at least 1, not 0.")
    expect(reason).to_be_hidden()
    box = less.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 9, box["y"] + 9)
    expect(reason).to_be_visible()
    ben.accessible()
    page.keyboard.press("Escape")
    expect(reason).to_be_hidden()


def test_what_is_tapped_stays_under_the_finger(service: Service, sits: Sits) -> None:
    """What is added is listed above the buttons that add."""
    ben = sits(empty(service, "moc").ben.token)
    page = ben.look("/start/make")
    page.get_by_label("Name of the character").fill("Nora")
    page.get_by_role("button", name="Hero").click()
    for title in ("Body, Mind and Spirit", "Other characteristics", "Skills", "Advantages and Backgrounds"):
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page.locator("#step")).to_have_text(title)
    for name in ("Add Swiftness", "Add Fortune", "Add Money"):
        add = page.get_by_role("button", name=name)
        add.scroll_into_view_if_needed()
        before = add.bounding_box()
        add.click()
        expect(page.get_by_role("button", name=name.replace("Add", "Remove"))).to_be_visible()
        after = add.bounding_box()
        assert before is not None and after is not None and abs(after["y"] - before["y"]) < 2, name


def test_a_reload_keeps_the_character_and_what_was_typed(service: Service, sits: Sits) -> None:
    table = empty(service, "intensity")
    ben = sits(table.ben.token)
    page = ben.look("/start/make")
    page.get_by_label("Name of the character").fill("Nora")
    page.get_by_role("button", name="Minor").click()
    expect(page.get_by_role("button", name="Minor")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator("#step")).to_have_text("Traits")
    page.get_by_label("Trait with a D6").first.fill("Quick")
    page.reload()
    expect(page.locator("#step")).to_have_text("Traits")
    expect(page.get_by_label("Trait with a D6").first).to_have_value("Quick")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.get_by_label("Name of the character")).to_have_value("Nora")
    page = ben.look("/start/make")
    expect(page.get_by_label("Name of the character")).to_have_value("")


def test_the_maker_has_one_slim_bar(service: Service, sits: Sits) -> None:
    ben = sits(empty(service, "intensity").ben.token)
    page = ben.look("/start/make")
    bar = page.locator("#maker > .buttons").bounding_box()
    assert bar is not None and bar["height"] <= SLIM
    assert page.evaluate("getComputedStyle(document.querySelector('.views')).position") == "static"


def test_a_new_character_is_shown_where_one_lands(service: Service, sits: Sits) -> None:
    table = empty(service, "intensity")
    maker = Maker(at_the_page(table.gm))
    walk(maker, "intensity")
    to = maker.press("Add Nora").headers["location"]
    gm = sits(table.gm.token)
    gm.page.goto(to)
    card = gm.page.locator("#added")
    expect(card).to_contain_text("Quick")
    expect(card).to_be_focused()
    assert card.evaluate(IN_SIGHT)
    gm.accessible()
    gm.fits()


def test_the_form_of_a_chosen_game_opens_at_the_top(sits: Sits, address: str) -> None:
    page = sits(address=address).page
    page.goto("/start?game=scattershot")
    expect(page.get_by_label("Name of the campaign")).to_be_focused()
    assert page.evaluate("scrollY") == 0, "one can type at once, and reads the form from its top"


def test_a_chosen_game_leaves_the_form_for_the_name_in_sight(sits: Sits, address: str) -> None:
    """The other games are a tap away."""
    page = sits(address=address).page
    page.goto("/start?game=mongrel")
    name, start = page.get_by_label("Name of the campaign"), page.get_by_role("button", name="Start the campaign")
    assert name.evaluate(IN_SIGHT) and start.evaluate(IN_SIGHT)
    chosen, other = page.get_by_role("radio", name="Mongrel"), page.get_by_role("radio", name="Scattershot")
    expect(chosen).to_be_checked()
    expect(other).to_be_hidden()
    page.get_by_text("Choose another game").click()
    other.check()
    page.get_by_text("Choose another game").click()
    expect(other).to_be_visible()
    expect(chosen).to_be_hidden()
    page.goto("/start")
    expect(page.get_by_text("Choose another game")).to_have_count(0)


def test_the_end_says_how_many_points_are_left(service: Service) -> None:
    maker = Maker(at_the_page(empty(service, "moc").ben))
    walk(maker, "moc")
    assert re.search(r"You have used \d+ of 10\d points\.", " ".join(maker.text().split()))


def test_one_character_alone_is_told_what_comes_next(service: Service) -> None:
    table = empty(service, "intensity")
    maker = Maker(at_the_page(table.ben))
    walk(maker, "intensity")
    maker.press("Play Nora")
    table.gm.does("/sessions", {"title": "One"})
    table.gm.does("/scenes", {"title": "One", "cast": ["1"]})
    page = unescape(at_the_page(table.gm).page("/"))
    assert "Add an opponent" in page and "There is nothing" not in page
    assert "Wait for the game master." in part(at_the_page(table.ben), "moves")


def test_a_trait_is_rated_by_one_action(service: Service) -> None:
    table = empty(service, "mnemonic")
    maker = Maker(at_the_page(table.gm))
    walk(maker, "mnemonic")
    maker.press("Add Nora")
    page = at_the_page(table.gm).page("/")
    assert "/declare/rate-trait?" in page and "/declare/rate-traits" not in page
