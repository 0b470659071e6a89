"""A thing in two places is a finding for whoever may know both places, and for nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.application import json_form
from ledger.application.commands import recording
from ledger.application.reading.doubles import Doubles
from ledger.rules import systems
from ledger.rules.kernel.frozen import changed
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.hands import CardsKept
from ledger.rules.moc.state import Character
from tests.api.table import Json, Player, Service, Table
from tests.api.twins.games import action, hangar, overturned, put_back

SEEN = {"power_level": "heroic", "hands_seen_by_gm": True}


def opened(service: Service, system: str, **dials: object) -> Table:
    table = object.__new__(Table)
    table.service = service
    made = service.open(name="Twice", system=system, dials=dials).json()
    table.id, table.gm = made["id"], Player(table, "s1", made["seat"]["token"])
    table.ben, table.cleo = table.seat("Ben", "player"), table.seat("Cleo", "player")
    table.dora = table.seat("Dora", "observer")
    return table


def found(player: Player) -> list[tuple[str, str]]:
    findings = player.look("/findings")["findings"]
    assert {one["kind"] for one in findings} <= {"held twice", "loses support", "adrift", "overdrawn", "changes"}
    return [(one["subject"], one["detail"]) for one in findings if one["kind"] == "held twice"]


def everybody(table: Table) -> Iterator[Player]:
    yield from (table.gm, table.ben, table.cleo, table.dora)


def draw(player: Player, character: str, *cards: str) -> Json:
    return player.declare("draw-hand", character=character, drawn=list(cards), kept=list(cards))


def audited(table: Table, player: Player) -> list[str]:
    return [one["what"] for one in player.look("/audit")["differences"]]


# --- possessions --------------------------------------------------------------------------------------------------


@pytest.fixture
def market(service: Service) -> Table:
    """1 to 3: three people; 4: the first has a lamp; 5: it goes to the second."""
    table = opened(service, "mongrel")
    people = systems()["mongrel"].people
    for name, sheet in list(people.items())[:3]:
        table.gm.does("/characters", {"name": name, "seat": "s1", "sheet": json_form.to_json(sheet)})
    table.gm.declare("gain-item", character="1", item="a lamp", reason="an heirloom")
    table.gm.declare("part-with-item", character="1", possession="4", to="2", reason="a gift")
    return table


def test_a_gift_put_back_after_another_is_found_by_everybody(market: Table) -> None:
    """Both have the lamp now: what the first gave away once it was gone finds no ground."""
    market.gm.does(*overturned(5), 200)
    market.gm.declare("part-with-item", character="1", possession="4", to="3", reason="a better gift")
    market.gm.does(*put_back(5), 200)
    assert [len(market.gm.look(f"/characters/{id}")["state"]["possessions"]) for id in "123"] == [0, 1, 1]
    for player in everybody(market):
        findings = player.look("/findings")["findings"]
        assert ("adrift", "character:1", 6) in [(one["kind"], one["subject"], one["ruling"]) for one in findings]
    assert not audited(market, market.gm)


def test_a_gift_overturned_after_it_was_passed_on_is_found_by_everybody(market: Table) -> None:
    market.gm.declare("part-with-item", character="2", possession="5", to="3", reason="passed on")
    market.gm.does(*overturned(5), 200)
    assert [len(market.gm.look(f"/characters/{id}")["state"]["possessions"]) for id in "123"] == [1, 0, 1]
    for player in everybody(market):
        findings = player.look("/findings")["findings"]
        assert ("adrift", "character:2", 6) in [(one["kind"], one["subject"], one["ruling"]) for one in findings]
    assert not audited(market, market.gm)


# --- cards --------------------------------------------------------------------------------------------------------


@pytest.fixture
def cards(service: Service) -> Table:
    """4: Ben's Harry holds 8C and KS; 11: his action. The game master sees the hands."""
    table = opened(service, "moc", **SEEN)
    hangar(table)
    action(table, table.ben, "1")
    return table


def test_a_card_typed_again_is_found_by_who_sees_both_hands(cards: Table) -> None:
    before = [player.look("/rulings", limit=500) for player in (cards.ben, cards.dora)]
    draw(cards.cleo, "2", "8C", "3H")
    assert found(cards.gm) == [("character:2", "card 8C, character:1")]
    for player in (cards.ben, cards.cleo, cards.dora):
        assert not found(player) and "held twice" not in player.get("/export").text
    assert before[0]["rulings"] == cards.ben.look("/rulings", limit=11)["rulings"]
    assert not audited(cards, cards.gm)


def test_who_sees_neither_hand_whole_finds_it_once_one_card_is_played(cards: Table) -> None:
    draw(cards.cleo, "2", "8C", "3H")
    cards.ben.declare("play-card", action="11", character="1", card="8C", points=[{"die": 2, "points": 1}])
    assert found(cards.gm) == found(cards.cleo) == [("scene:10", "card 8C, character:2")]
    assert not found(cards.ben) and not found(cards.dora)


def test_a_card_played_twice_is_found_by_everybody(cards: Table) -> None:
    draw(cards.cleo, "2", "8C", "3H")
    cards.ben.declare("play-card", action="11", character="1", card="8C", points=[{"die": 2, "points": 1}])
    action(cards, cards.cleo, "2")
    cards.cleo.declare("play-card", action="14", character="2", card="8C", points=[{"die": 0, "points": 1}])
    assert {tuple(found(player)) for player in everybody(cards)} == {(("scene:10", "card 8C, scene:10"),)}


def test_a_hand_that_nobody_else_sees_is_found_by_nobody_until_one_seat_plays_both(service: Service) -> None:
    table = opened(service, "moc", power_level="heroic")
    hangar(table)
    draw(table.cleo, "2", "8C", "3H")
    assert not any(map(found, everybody(table)))
    table.gm.declare("hand-over", character="1", seat=table.cleo.id)
    assert found(table.cleo) and not found(table.ben) and not found(table.gm)
    assert not audited(table, table.gm)


def test_a_draw_put_back_after_another_of_the_same_card_is_found(cards: Table) -> None:
    cards.gm.does(*overturned(4), 200)
    draw(cards.cleo, "2", "8C", "3H")
    assert not found(cards.gm)
    told = cards.gm.does(*put_back(4), 200)
    assert [one["kind"] for one in told["changed"]["findings"] if one["kind"] == "held twice"]
    assert found(cards.gm) and not found(cards.cleo) and not found(cards.ben)
    cards.gm.does(*overturned(4), 200)
    assert not found(cards.gm)


def test_the_audit_reports_what_no_finding_says_to_who_may_know(cards: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "find_doubles_by_ruling", lambda *_: Doubles())
    draw(cards.cleo, "2", "8C", "3H")
    assert audited(cards, cards.gm) == ["held twice"]
    assert not audited(cards, cards.cleo) and not audited(cards, cards.ben)


def test_a_card_let_stand_is_found_again_only_after_it_was_in_one_place(cards: Table) -> None:
    draw(cards.cleo, "2", "8C", "3H")
    (finding,) = cards.gm.look("/findings")["findings"]
    for player in (cards.cleo, cards.ben):
        assert player.post(f"/findings/{finding['id']}/settle", {"how": "let-stand", "reason": "?"}).status_code == 403
    cards.gm.does(f"/findings/{finding['id']}/settle", {"how": "let-stand", "reason": "There were two."}, 200)
    cards.gm.declare("draw-villains", size=1, drawn=["JH"])
    assert not found(cards.gm) and not audited(cards, cards.gm)
    cards.gm.does(*overturned(12), 200)
    cards.gm.does(*put_back(12), 200)
    assert found(cards.gm) == [("character:2", "card 8C, character:1")]


def test_the_audit_reports_a_state_that_its_account_does_not_count(
    cards: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(cards.cleo, "2", "7C", "3H")
    assert not audited(cards, cards.gm)

    def keeps_one(was: Character, done: CardsKept) -> Character:
        return changed(was, hand=done.cards[:1])

    monkeypatch.setitem(Draft.fold.changes[Character], CardsKept, keeps_one)
    assert "balance" in audited(cards, cards.gm)


def test_what_the_table_sets_by_hand_is_no_difference(cards: Table) -> None:
    posting: Json = {"source": "character:1/card:hand", "target": "campaign/card:discard", "unit": "card", "amount": 1}
    cards.gm.declare("adjust", **posting, reason="one fell under the table")
    assert not audited(cards, cards.gm)


# --- entered late -------------------------------------------------------------------------------------------------


def test_cards_named_in_a_late_declaration_are_refused(service: Service) -> None:
    """A card of the hand can be used late: it is not a new one."""
    table = opened(service, "moc", deciders="all_players", **SEEN)
    hangar(table)
    hand: Json = {"kind": "draw-hand", "character": "2", "drawn": ["2D", "3H"], "kept": ["2D", "3H"]}
    other: Json = {"subject": "character:1", "field": "hand", "value": ["8C", "9C"], "reason": "misread"}
    for player, declare, after in ((table.cleo, hand, 3), (table.gm, {"kind": "amend", **other}, 5)):
        answer = player.post("/rulings", {"declare": declare, "after": after})
        assert (answer.status_code, answer.json()["code"]) == (422, "late-cards"), declare
    exchange: Json = {"kind": "exchange-card", "character": "1", "card": "8C"}
    table.ben.does("/rulings", {"declare": exchange, "after": 10}, 201)
    assert not audited(table, table.gm)


def test_a_secret_ruling_is_not_entered_late(service: Service) -> None:
    table = opened(service, "moc", **SEEN)
    hangar(table)
    nomination: Json = {"kind": "nominate", "seat": table.ben.id, "nominee": "2"}
    answer = table.gm.post("/rulings", {"declare": nomination, "after": 10})
    assert (answer.status_code, answer.json()["code"]) == (422, "late-secret")
