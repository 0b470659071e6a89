"""What can be declared while an action waits for its answers: nothing goes before it once something of it is known."""

from __future__ import annotations

from tests.api.table import Player, Service
from tests.api.test_session_mongrel import AHVIA, DEFEND, VOORUK, Evening


def offered(player: Player) -> set[str]:
    return {one["kind"] for one in player.look("/moves")["moves"]}


def awaited(player: Player) -> list[tuple[str | None, str | None]]:
    return [(one["kind"], one["character"]) for one in player.look("/waiting")["awaited"]]


def test_an_attack_can_be_forestalled_until_its_defence_is_chosen(service: Service) -> None:
    table = Evening(service)
    table.gathers()
    table.gm.declare("open-conflict", participants=[AHVIA, VOORUK])
    assert {"attack", "pass"} <= offered(table.ben) and ("attack", VOORUK) in awaited(table.cleo)
    claws = {"kind": "attack", "actor": VOORUK, "target": AHVIA, "expertise": "rend", "attribute": "size"}
    waiting = table.ben.does("/rulings", {"declare": claws, "dice": "table"}, 202)
    assert "take-front" in offered(table.cleo)
    table.cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": DEFEND}, 202)
    assert {"attack", "pass", "take-front", "leave-conflict"} & (offered(table.cleo) | offered(table.ann)) == set()
    assert {one for one, _ in awaited(table.cleo)} == {None}
    table.refused(table.cleo, "decision-pending", "take-front", character=AHVIA)
