"""A preview that somebody asks for is in sight, with or without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import PHONE
from tests.api.table import Service
from tests.levels import sampled

SMALL = (PHONE[0], 500)


@pytest.mark.parametrize("script", sampled([True, False], 1), ids=["script", "no-script"])
@pytest.mark.parametrize(
    ("path", "button", "preview"),
    [
        ("/declare/open-scene", "Preview", "#foreseen"),
        ("/rulings/4/revise", "Preview changes", "#preview"),
        ("/rulings/4/overturn", "Update preview", "#preview"),
    ],
    ids=["declare", "correct", "overturn"],
)
def test_a_preview_begins_on_the_first_screen(
    service: Service, sits: Sits, path: str, button: str, preview: str, script: bool
) -> None:
    table = begun(service, "toy")
    gm = sits(table.gm.token, size=SMALL, script=script)
    page = gm.look(path)
    if path.startswith("/declare"):
        page.get_by_label("Title").fill("The mill at night")
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).click()
    shown = page.locator(preview)
    expect(shown).to_contain_text(re.compile(r"\w"))
    box = shown.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < SMALL[1] / 2, box
