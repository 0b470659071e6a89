"""What players of Moment of Clarity met on their phones: own dice, dodges, resisting, beads, people who left."""

from __future__ import annotations

import pytest

from tests.api.page.campaigns import begun
from tests.api.page.sitting import at_the_page
from tests.api.page.small_forms import sends
from tests.api.table import Json, Service, Table

JUNO, ANSELM = "1", "2"  # Ben's, and Cleo's
SHOT = [8, 7, 9, 3, 2, 4]  # three successes


@pytest.fixture
def table(service: Service) -> Table:
    """One tap rolls, and the steps that follow are the ledger's."""
    table = begun(service, "moc")
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="As on the page.")
    table.gm.declare("set-dial", name="turn_actions", value="table", reason="We count them ourselves.")
    return table


def board(table: Table) -> Json:
    state: Json = table.gm.look("/state")["scenes"][-1]["state"]
    return state


def adds_ilse(table: Table) -> str:
    """A third person joins them, in a new scene. Return her id."""
    sheet = table.service.client.get("/systems/moc").json()["people"]["Ilse Varga"]
    ilse = table.gm.does("/characters", {"name": "Ilse Varga", "seat": table.gm.id, "sheet": sheet})["character"]
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][-1]["id"])
    table.gm.does("/scenes", {"title": "The roof", "cast": [JUNO, ANSELM, ilse]})
    return str(ilse)


def test_own_dice_are_asked_for_where_the_form_asks_whom_to_attack(table: Table) -> None:
    adds_ilse(table)
    ben = at_the_page(table.ben)
    answer = sends(ben, "Attack with Blast Pistol: 6 dice", "Ilse Varga", own_dice=True)
    assert answer.status_code == 303 and not board(table)["actions"][-1]["parts"][0]["rolled"]
    (waiting,) = table.gm.look("/waiting")["waiting"]
    assert waiting["declared"]["kind"] == "roll-dice"


def test_own_dice_are_asked_for_where_the_form_asks_for_a_skill(table: Table) -> None:
    ben = at_the_page(table.ben)
    answer = sends(ben, "Roll it", "Search: 2 dice (untrained)", "Difficult: 9", own_dice=True)
    assert answer.status_code == 303 and not board(table)["actions"][-1]["parts"][0]["rolled"]
    assert [waiting["declared"]["kind"] for waiting in table.gm.look("/waiting")["waiting"]] == ["roll-dice"]
