"""What can be declared while an action waits for its answers: nothing goes before it once something of it is known."""

from __future__ import annotations

from json import dumps

from tests.api.table import Player, Service
from tests.api.test_secrets_moc import RISSH, Hangar
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


def cards_for_chips(player: Player) -> bool:
    """Whether a chip can be exchanged for cards, not only for beads."""
    moves = [one for one in player.look("/moves")["moves"] if one["kind"] == "exchange-chip"]
    assert moves
    return any("null" in dumps(one["schema"]) for one in moves)


def test_nobody_is_offered_cards_while_somebody_has_yet_to_say_which_to_keep(service: Service) -> None:
    """Not even who may not know what waits: it would be refused, and that tells as much."""
    table = Hangar(service, arc_purse_enforced=False)
    sheet = {"archetype": "wildcard", "characteristics": {"body": 3}}
    wild = str(table.ben.does("/characters", {"name": "Wild", "seat": table.ben.id, "sheet": sheet})["character"])
    table.gm.declare("award-chip", character=RISSH, chips={"white": 1}, reason="brave", enlarge=True)
    everybody = (table.gm, table.ben, table.cleo)

    def drawing() -> list[set[str]]:
        return [{"draw-hand", "draw-villains"} & offered(player) for player in everybody]

    free = [{"draw-villains"}, {"draw-hand"}, {"draw-hand"}]
    assert drawing() == free and cards_for_chips(table.cleo)
    draw = {"declare": {"kind": "draw-hand", "character": wild}, "dice": "table"}
    waiting = table.ben.does("/rulings", draw, 202)["id"]
    assert drawing() == free, "nothing was dealt yet"
    dealt = {"answer": {"cards": {"cards": ["2C", "3C", "4C", "5C"]}}}
    table.ben.does(f"/waiting/{waiting}/answers", dealt, 202)
    assert drawing() == [set(), set(), set()] and not cards_for_chips(table.cleo)
    assert table.cleo.tries("draw-hand", character=RISSH).json()["code"] == "draw-underway"
    assert "draw-hand" in {one["kind"] for one in table.cleo.look("/moves", blocked="true")["blocked"]}
    kept = {"answer": {"choice": {"kind": "keep", "cards": ["2C", "3C", "4C"]}}}
    table.ben.does(f"/waiting/{waiting}/answers", kept)
    assert drawing() == free and cards_for_chips(table.cleo)


def test_nobody_is_asked_for_another_action_while_one_is_carried_out(service: Service) -> None:
    """Both waited; once something of the one is known, the other has no answer that would be taken."""
    table = Evening(service)
    table.gathers()
    table.gm.declare("open-conflict", participants=[AHVIA, VOORUK])
    claws = {"kind": "attack", "actor": VOORUK, "target": AHVIA, "expertise": "rend"}
    first, second = (
        table.ben.does("/rulings", {"declare": {**claws, "attribute": one}, "dice": "table"}, 202)["id"]
        for one in ("size", "physique")
    )
    assert table.cleo.look(f"/waiting/{second}")["answer_schema"] is not None
    table.cleo.does(f"/waiting/{first}/answers", {"answer": DEFEND}, 202)
    refused = table.cleo.post(f"/waiting/{second}/answers", {"answer": DEFEND})
    assert refused.json()["code"] == "decision-pending"
    assert table.cleo.look(f"/waiting/{second}")["answer_schema"] is None
