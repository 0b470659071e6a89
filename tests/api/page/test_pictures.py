"""The pictures in the documentation, taken from the evening of its story, in light and dark.

To take them again: `LEDGER_PICTURES=docs/pictures scripts/test tests/api/page/test_pictures.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ViewportSize

from api.run import demo, examples
from tests.api.page.campaigns import told
from tests.api.page.devices import PICTURES
from tests.api.table import Service, Table

DOCUMENTED = Path(__file__).parents[3] / "docs/pictures"
SIZE: ViewportSize = {"width": 420, "height": 760}
LARGEST = 150_000  # bytes
#: Each picture: which kind of ruling the game master looks at first, the view of it, and the part at the top.
VIEWS = {"throw": ("roll", "", "h1"), "overturning": ("choose-impact", "/overturn", "#preview")}


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


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_documentation_has_its_pictures(
    browser: Browser, service: Service, table: Table, scheme: Literal["light", "dark"], tmp_path: Path
) -> None:
    folder = Path(PICTURES or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(viewport=SIZE, color_scheme=scheme, device_scale_factor=1.5, reduced_motion="reduce")
    page = context.new_page()
    made = demo.Demonstration(table.id, "", {"Ann": table.gm.token}, None, None)
    page.goto(demo.make_links(str(service.client.base_url).rstrip("/"), [made])[table.gm.token])
    page.wait_for_url("**/s1/")
    seat, rulings = page.url, table.gm.look("/rulings", limit=500)["rulings"]
    for name, (kind, view, top) in VIEWS.items():
        number = next(ruling["number"] for ruling in rulings if ruling["declared"]["kind"] == kind)
        page.goto(f"{seat}rulings/{number}{view}")
        page.locator(top).first.evaluate("part => part.scrollIntoView()")
        picture = folder / f"{name}-{scheme}.png"
        page.screenshot(path=picture)
        assert 0 < picture.stat().st_size < LARGEST, picture.name
        assert (DOCUMENTED / picture.name).exists()
    context.close()
