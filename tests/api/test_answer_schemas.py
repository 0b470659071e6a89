"""What a question can be answered with, as JSON Schema: for the seat that may, and no more than is accepted of it."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from projections.documents import answer_schemas
from tests.api.table import Json, Player, Service, Table, rolled, validator
from tests.api.test_moves import fight
from tests.api.test_secrets_moc import RISSH, Hangar
from tests.api.twins.games import MOC

__all__ = ["fight"]


def schema(player: Player, id: str) -> Json | None:
    (one,) = [one for one in player.look("/waiting")["waiting"] if one["id"] == id]
    found: Json | None = one["answer_schema"]
    return found


def judge(player: Player, id: str) -> Any:
    """What holds an answer against the schema; what that refers to stands in the service's own description."""
    found = schema(player, id)
    assert found is not None
    return validator(_here(found), player.table.service.description.document)


def _here(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _here(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_here(one) for one in value]
    return value.removeprefix("/openapi.json") if isinstance(value, str) else value


def test_a_choice_is_offered_to_who_is_asked_and_to_game_masters(table: Table) -> None:
    table.fighters()
    id = table.ben.declare("hit", char="1", target="2", status=202)["id"]
    fits = judge(table.cleo, id)
    assert fits.is_valid({"choice": {"kind": "dodge"}}) and fits.is_valid({"choice": {"kind": "stand"}})
    for wrong in ({"choice": {"kind": "flee"}}, {"choice": {"kind": "dodge", "fast": True}}, {}, rolled(3)):
        assert not fits.is_valid(wrong), wrong
    assert schema(table.gm, id) == schema(table.cleo, id)
    assert schema(table.ben, id) is None and schema(table.dora, id) is None


def test_what_only_who_is_asked_can_say_is_no_game_masters_to_answer(
    monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    monkeypatch.setattr(answer_schemas, "find_chooser", lambda choice: "asked")
    table.fighters()
    id = table.ben.declare("hit", char="1", target="2", status=202)["id"]
    assert schema(table.cleo, id) is not None
    assert schema(table.gm, id) is None, "and no schema that nothing fits"


def test_dice_are_as_many_as_are_asked_for_of_as_many_sides(table: Table) -> None:
    table.fighters()
    waiting = table.ben.does("/rulings", {"declare": {"kind": "hit", "char": "1", "target": "2"}, "dice": "table"}, 202)
    table.cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": {"choice": {"kind": "stand"}}}, 202)
    fits = judge(table.ben, waiting["id"])
    assert fits.is_valid(rolled(1)) and fits.is_valid(rolled(6))
    for wrong in (rolled(0), rolled(7), rolled(2, 3), rolled(3, sides=8), {"choice": {"kind": "stand"}}):
        assert not fits.is_valid(wrong), wrong
    assert schema(table.cleo, waiting["id"]) is None


def test_dice_that_open_others_say_so(table: Table) -> None:
    table.fighters()
    sneak = {"declare": {"kind": "sneak", "char": "1", "dice": 2}, "dice": "table"}
    found = schema(table.ben, table.ben.does("/rulings", sneak, 202)["id"])
    assert found is not None
    faces = found["properties"]["dice"]["properties"]["faces"]
    assert faces == {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 6},
        "minItems": 2,
        "x-opens": 6,
    }


def test_what_only_a_game_master_says_is_offered_to_no_player(fight: Table) -> None:
    for player, char, target in ((fight.ben, "1", "2"), (fight.cleo, "2", "1"), (fight.gm, "3", None)):
        trait = "Driver" if char == "3" else "Quick"
        player.declare("declare", char=char, level="calm", target=target, trait=trait)
    dice = [{"char": char, "intensity": 6 - place, "trait": 1} for place, char in enumerate("123")]
    fight.gm.declare("roll", faces=dice)
    waits = fight.gm.declare("negotiate", parties=["1", "2"], passes=["1"], text="Enough.", status=202)["id"]
    speaks = {"choice": {"kind": "speak-for", "agreed": True, "reason": "She is away."}}
    agrees = {"choice": {"kind": "agree"}}
    assert judge(fight.ben, waits).is_valid(agrees) and not judge(fight.ben, waits).is_valid(speaks)
    assert judge(fight.gm, waits).is_valid(speaks) and not judge(fight.gm, waits).is_valid(agrees)
    assert fight.ben.post(f"/waiting/{waits}/answers", {"answer": speaks}).status_code == 403
    assert fight.gm.post(f"/waiting/{waits}/answers", {"answer": agrees}).status_code == 403
    fight.gm.does(f"/waiting/{waits}/answers", {"answer": speaks}, 202)


def test_cards_are_each_as_often_there_as_they_are() -> None:
    alike = jsonschema_rs.validator_for(answer_schemas._make_card_list_schema(["1", "1", "2"], 2))
    assert alike.is_valid(["1", "1"]) and alike.is_valid(["2", "1"]) and not alike.is_valid(["2", "2"])
    order = jsonschema_rs.validator_for(answer_schemas._make_card_list_schema(["1", "1", "2"], 3, every_card=True))
    assert order.is_valid(["1", "2", "1"]) and not order.is_valid(["1", "1", "1"]) and not order.is_valid(["1", "2"])
    apart = jsonschema_rs.validator_for(answer_schemas._make_card_list_schema(["1", "2", "3"], 2))
    assert apart.is_valid(["3", "1"]) and not apart.is_valid(["3", "3"]) and not apart.is_valid(["3", "4"])


@pytest.fixture
def hangar(service: Service) -> Table:
    return MOC[0].table(service, False)


def test_where_only_the_ledger_deals_it_is_told_to_without_any_cards(hangar: Table) -> None:
    """It waited for cards of the table's when the ledger dealt to somebody else: it would wait for nobody."""
    hangar.gm.does("/sessions/3/close", {})
    hangar.gm.does("/sessions", {})
    made = {"declare": {"kind": "draw-hand", "character": "2"}, "dice": "table"}
    id = hangar.cleo.does("/rulings", made, 202)["id"]
    hangar.ben.does("/rulings", {"declare": {"kind": "draw-hand", "character": "1"}, "dice": "ledger"})
    nothing: Json = {"cards": {"cards": []}}
    assert judge(hangar.cleo, id).is_valid(nothing) and schema_or_none(hangar.dora, id) is None
    assert not judge(hangar.cleo, id).is_valid({"cards": {"cards": ["8C", "KS"]}})
    ruled = hangar.cleo.does(f"/waiting/{id}/answers", {"answer": nothing})
    assert ruled["answers"] == [], "nothing was typed in, and what was dealt is shown as a hand"
    assert len(hangar.cleo.look("/characters/2")["state"]["hand"]) == 2


def test_who_draws_in_secret_is_offered_every_card_there_ever_was(hangar: Table) -> None:
    """So what is left of the deck is not told by it."""
    hangar.gm.does("/sessions/3/close", {})
    hangar.gm.does("/sessions", {})
    made = {"declare": {"kind": "draw-hand", "character": "2"}, "dice": "table"}
    id = hangar.cleo.does("/rulings", made, 202)["id"]
    found = schema(hangar.cleo, id)
    assert found is not None
    cards = found["properties"]["cards"]["properties"]["cards"]
    assert len(cards["items"]["enum"]) == 52 and (cards["minItems"], cards["maxItems"]) == (2, 2)
    assert schema_or_none(hangar.dora, id) is None


def test_nobody_draws_while_somebody_has_yet_to_say_which_cards_to_keep(hangar: Table) -> None:
    hangar.gm.does("/sessions/3/close", {})
    hangar.gm.does("/sessions", {})
    hangar.gm.declare("amend", subject="character:2", field="archetype", value="wildcard", reason="he draws four")
    villains = {"declare": {"kind": "draw-villains", "size": 2}, "dice": "table"}
    waits = hangar.gm.does("/rulings", villains, 202)["id"]
    assert schema(hangar.gm, waits) is not None
    hand = {"declare": {"kind": "draw-hand", "character": "2"}, "dice": "table"}
    id = hangar.cleo.does("/rulings", hand, 202)["id"]
    hangar.cleo.does(f"/waiting/{id}/answers", {"answer": {"cards": {"cards": ["2C", "3C", "4C", "5C"]}}}, 202)
    assert schema(hangar.gm, waits) is None
    hangar.cleo.does(f"/waiting/{id}/answers", {"answer": {"choice": {"kind": "keep", "cards": ["2C", "3C", "4C"]}}})
    found = schema(hangar.gm, waits)
    assert found is not None and "2C" in found["properties"]["cards"]["properties"]["cards"]["items"]["enum"]


def schema_or_none(player: Player, id: str) -> Json | None:
    found = [one["answer_schema"] for one in player.look("/waiting")["waiting"] if one["id"] == id]
    return found[0] if found else None


def test_what_any_game_master_is_asked_is_his(service: Service) -> None:
    table = Hangar(service, arc_purse_enforced=False, helping=True)
    table.gm.declare("award-chip", character=RISSH, chips={"white": 1}, reason="brave", enlarge=True)
    attack = table.attack()
    table.ben.declare("roll-dice", action=attack, faces=[2, 3, 2], bonus=[])
    claim = {"declare": {"kind": "claim-success", "action": attack, "character": RISSH}}
    id = table.cleo.does("/rulings", claim, 202)["id"]
    assert [one["id"] for one in table.gm.look("/waiting", mine=True)["waiting"]] == [id]
    assert table.cleo.look("/waiting", mine=True)["waiting"] == []
    assert judge(table.gm, id).is_valid({"choice": {"kind": "approve"}})
    assert schema(table.cleo, id) is None
