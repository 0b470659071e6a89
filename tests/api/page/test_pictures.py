"""The pictures in the documentation, in light and dark: of the evening of its story, and of a blow.

To take them again: `LEDGER_PICTURES=docs/pictures scripts/test --all tests/api/page/test_pictures.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from api.http import examples
from api.run import demo
from tests.api.page.blows import attacks, hit
from tests.api.page.campaigns import told
from tests.api.page.devices import LAPTOP, PHONE, PICTURES
from tests.api.table import Service, Table

DOCUMENTED = Path(__file__).parents[3] / "docs/pictures"
SCALE, LARGEST = 1.25, 200_000  # pixels for one of the page; bytes
#: Of the story: which kind of ruling the game master looks at first, the view of it, and the part at the top.
STORY = {"throw": ("roll", "", "h1"), "overturning": ("choose-impact", "/overturn", "#preview")}
SIZES = {"phone": PHONE, "laptop": LAPTOP}


@pytest.fixture(scope="module")
def table(service: Service) -> Table:
    """The evening up to where Ben disputes the damage."""
    story = examples.find_story("intensity")
    assert story is not None
    dispute = {name: value for name, value in story["decision"][0].items() if name != "decided"}
    undecided: Any = {**story, "decision": [dispute]}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(examples, "find_story", lambda system: undecided)
        return told(service, "intensity")


def was_hit(service: Service) -> Table:
    table = attacks(service)
    hit(table)
    return table


def was_missed(service: Service) -> Table:
    table = attacks(service)
    table.gm.declare("defend", dice=[{"die": "intensity", "face": 10}])
    table.gm.declare("resolve")
    return table


#: Of a blow: how it came to it, whose device (the game master's, Sarah's player's, Steve's player's), and the view.
BLOW: dict[str, tuple[Callable[[Service], Table], int, str]] = {
    "now": (attacks, 0, ""),
    "question": (attacks, 2, ""),
    "success": (was_hit, 1, ""),
    "failure": (was_missed, 1, ""),
    "sheet": (attacks, 1, "sheet/character/1"),
}


def sits(browser: Browser, service: Service, table: Table, place: int, size: ViewportSize, scheme: Any) -> Page:
    """A new device that follows the link of a seat."""
    token = [table.gm, table.ben, table.cleo][place].token
    context = browser.new_context(
        viewport=size, color_scheme=scheme, device_scale_factor=SCALE, reduced_motion="reduce"
    )
    page = context.new_page()
    made = demo.Demonstration(table.id, "", {"A seat": token}, None, None)
    page.goto(demo.make_links(str(service.client.base_url).rstrip("/"), [made])[token])
    page.wait_for_url(f"**/s{place + 1}/")
    return page


def keep(page: Page, name: str, folder: Path) -> None:
    page.wait_for_load_state()
    picture = folder / f"{name}.png"
    page.screenshot(path=picture)
    assert 0 < picture.stat().st_size < LARGEST, picture.name
    assert (DOCUMENTED / picture.name).exists()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = Path(PICTURES or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_documentation_has_pictures_of_its_story(
    browser: Browser, service: Service, table: Table, scheme: Literal["light", "dark"], folder: Path
) -> None:
    page = sits(browser, service, table, 0, {"width": 420, "height": 760}, scheme)
    seat, rulings = page.url, table.gm.look("/rulings", limit=500)["rulings"]
    for name, (kind, view, top) in STORY.items():
        number = next(ruling["number"] for ruling in rulings if ruling["declared"]["kind"] == kind)
        page.goto(f"{seat}rulings/{number}{view}")
        page.locator(top).first.evaluate("part => part.scrollIntoView()")
        keep(page, f"{name}-{scheme}", folder)
    page.context.close()


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", BLOW)
def test_the_documentation_has_pictures_of_a_blow(
    browser: Browser, service: Service, name: str, scheme: Literal["light", "dark"], folder: Path
) -> None:
    play, place, view = BLOW[name]
    table = play(service)
    for size, (width, height) in SIZES.items():
        page = sits(browser, service, table, place, {"width": width, "height": height}, scheme)
        page.goto(page.url + view)
        keep(page, f"{name}-{size}-{scheme}", folder)
        page.context.close()
