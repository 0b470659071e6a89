"""Overturning takes few taps: the reason begins with the dispute, and the preview and the button are in sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, PHONE
from tests.api.page.sitting import at_the_page
from tests.api.table import Table


@pytest.fixture
def quarrel(table: Table) -> Table:
    """3: mint 6 to 1. 4: 1 gives 4 to 2, which is disputed. 5: 2 gives 1 back."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=6)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.cleo.declare("give", char="2", to="1", coins=1)
    table.cleo.does("/rulings/4/dispute", {"reason": "He kept them."}, 200)
    return table


@pytest.mark.parametrize(
    ("number", "reason"), [(4, "Cleo is right: “He kept them.”"), (5, "The ruling was wrong.")], ids=["disputed", "not"]
)
def test_a_reason_is_filled_in_and_can_be_sent_as_it_is(quarrel: Table, number: int, reason: str) -> None:
    gm = at_the_page(quarrel.gm)
    path = f"{gm.at}/rulings/{number}/overturn"
    form = gm.form(path, path)
    assert form.fields["reason"] == [reason]
    assert gm.send(form, {"do": "1"}).status_code == 303
    assert quarrel.gm.look(f"/rulings/{number}")["decisions"][-1]["reason"] == reason


def in_sight(part: Locator) -> bool:
    """Whether its middle is in the first screen, and nothing covers it there."""
    box = part.bounding_box()
    assert box is not None
    return bool(
        part.evaluate(
            """(part, [x, y]) => { const over = document.elementFromPoint(x, y);
            return over !== null && y < innerHeight && part.contains(over); }""",
            [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2],
        )
    )


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_preview_and_its_button_are_in_sight_together(quarrel: Table, sits: Sits, size: tuple[int, int]) -> None:
    gm = sits(quarrel.gm.token, size=size)
    page = gm.look("/rulings/4/overturn")
    parts = [page.locator("#preview .counts"), page.locator("#do")]
    parts += [page.locator("#reason")] if size == LAPTOP else []
    assert all(in_sight(part) for part in parts), [part.bounding_box() for part in parts]
    gm.fits()
    gm.accessible()
    gm.picture(f"overturning-{size[0]}")


def test_what_is_overturned_too_does_not_count_as_a_ruling_that_depends_on_it(quarrel: Table) -> None:
    gm = at_the_page(quarrel.gm)
    path = f"{gm.at}/rulings/4/overturn"
    form = gm.form(path, path)
    said = gm.send(form, {"also": ["5"], "look": "1"}).text
    assert "Also overturned" in said and "No other ruling depends on them." in said
    assert "No later ruling depends on it." not in said
    said = gm.send(form, {"look": "1"}).text
    assert "1 later ruling:" in said and "Also overturned" not in said
