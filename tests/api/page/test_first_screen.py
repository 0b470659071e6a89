"""What a player needs is on the first screen of a phone, in words of the table, and every button does something."""

from __future__ import annotations

import re

import pytest

from tests.api.page.blows import plain
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import PHONE, Device
from tests.api.page.sitting import Sitter, at_the_page, part
from tests.api.page.small_forms import labels, sends, words
from tests.api.page.test_scattershot_choices import goes_on, strikes
from tests.api.page.thrusts import starts_as_on_the_page
from tests.api.table import Service, Table

BARS = 150  # pixels at the bottom of a phone: the navigation, and the sheet in one or two lines


@pytest.fixture
def table(service: Service) -> Table:
    return starts_as_on_the_page(service)


def is_in_sight(device: Device, name: str) -> bool:
    box = device.look("/").get_by_role("button", name=re.compile(f"^{name}")).filter(visible=True).first.bounding_box()
    assert box is not None
    return box["y"] + box["height"] <= PHONE[1] - BARS


def cards(sitter: Sitter) -> list[str]:
    """Return the names of the actions in sight that no prompt offers."""
    html = re.sub(r"<details.*?</details>", "", part(sitter, "moves").partition("more-actions")[0], flags=re.DOTALL)
    return [plain(name) for name in re.findall(r"<b>(.*?)</b>", html)]


def test_a_question_is_in_sight_with_its_first_answer(table: Table, sits: Sits) -> None:
    strikes(table, (4, 5), (9, 3))
    assert is_in_sight(sits(table.cleo.token), "Nothing more")


def test_the_results_to_choose_from_are_in_sight(table: Table, sits: Sits) -> None:
    goes_on(table, strikes(table, (4, 5), (9, 3)))
    assert is_in_sight(sits(table.ben.token), r"\d+ damage to Old Gorrin with the")


def test_a_telling_blow_is_in_sight(table: Table, sits: Sits) -> None:
    """Its prompt comes before what others have to do."""
    goes_on(table, strikes(table, (1, 1), (9, 8)))
    phone = sits(table.cleo.token)
    assert is_in_sight(phone, "Name lasting consequences")
    assert "Waiting for Ben: choose the result" in phone.page.locator("#turn").inner_text()


def test_who_has_a_prompt_is_not_told_that_somebody_else_chooses(service: Service) -> None:
    for game in ("scattershot", "moc"):
        table = begun(service, game)
        assert "chooses what happens next" not in words(at_the_page(table.ben))
        assert "choose what happens next" in words(at_the_page(table.gm))


def test_beside_a_prompt_nothing_else_is_in_sight(table: Table) -> None:
    assert cards(at_the_page(table.ben)) == cards(at_the_page(table.gm)) == []


def test_what_waits_for_answers_has_no_button(service: Service) -> None:
    """It would be refused: it is declared already."""
    table = begun(service, "moc")
    table.gm.declare("set-dial", name="dice", value="table", reason="We brought our dice.")
    ann = at_the_page(table.gm)
    assert sends(ann, "Roll initiative").status_code == 303
    assert "Roll initiative" not in labels(ann) and "End turn 1" in labels(ann)


def test_a_step_that_followed_is_nobodys_declaration(table: Table) -> None:
    strikes(table, (4, 5), (9, 3))
    asked = plain(part(at_the_page(table.cleo), "asked"))
    assert "The totals are called out." in asked and "declared" not in asked
