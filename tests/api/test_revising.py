"""Revising over HTTP, ruling again what changes, and what would have been under other readings."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from ledger.application.commands import consequences
from ledger.application.reading import comparisons
from ledger.rules.kernel.comparison import Other
from tests.api.table import HIT, STAND, Json, Player, Service, Table, rolled


@pytest.fixture
def quarrel(table: Table) -> Table:
    """1, 2: enrolled with 10 health. 3: mint 5 to 1. 4: 1 gives 4 to 2. 5: 2 is hit for 6. 6: 2 gives 1 to 1."""
    table.fighters(health=10)
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.hit(6)
    table.cleo.declare("give", char="2", to="1", coins=1)
    return table


def entry(**more: Any) -> Json:
    return {"reason": "a slip", "code": "entry", **more}


def coins(player: Player) -> dict[str, int]:
    accounts = player.look("/accounts")["accounts"]
    return {one["account"]: one["balance"] for one in accounts if one["account"].startswith("character:")}


def test_a_mistyped_die_is_corrected(quarrel: Table) -> None:
    quarrel.dora.does("/rulings/5/dispute", {"reason": "I saw a 3"}, 200)
    before = quarrel.position
    previewed = quarrel.gm.does("/rulings/5/revise", entry(answers=[None, rolled(3)], preview=True), 200)
    assert quarrel.position == before, "nothing was saved"
    revised = quarrel.gm.does("/rulings/5/revise", entry(answers=[None, rolled(3)]), 200)
    assert quarrel.position == before + 1
    assert revised["changed"] == previewed
    assert previewed["revised"] == [5]
    row = previewed["rulings"][0]
    assert (row["number"], row["standpoint"], row["now"]["facts"][0]["fact"], row["then"]["facts"][0]["fact"]) == (
        5,
        "changes",
        {"amount": 6},
        {"amount": 3},
    )
    assert [(one["name"], one["fields"]) for one in previewed["subjects"]] == [
        ("Celia", [{"field": "state/harm", "before": 6, "after": 3}])
    ]
    ruling = quarrel.dora.look("/rulings/5")
    assert {name: value for name, value in revised.items() if name != "changed"} == ruling
    assert (ruling["status"], ruling["revision"], ruling["by"]["name"]) == ("revised", 1, "Ben")
    assert [(one["fact"], one["struck"]) for one in ruling["facts"]] == [({"amount": 3}, False)]
    assert [one["by"]["name"] for one in ruling["answers"]] == ["Cleo", "Ann"], "who was corrected, who corrected"
    (told,) = ruling["tellings"]
    assert (told["revision"], told["by"]["name"], told["answers"][1]["answer"]["dice"]["faces"]) == (0, "Ben", [6])
    assert [(one["fact"], one["struck"]) for one in told["facts"]] == [({"amount": 6}, True)]
    assert [(one["decision"], one["revision"], one["code"]) for one in ruling["decisions"]] == [
        ("disputed", 0, None),
        ("revised", 1, "entry"),
    ]
    assert quarrel.dora.look("/characters/2")["state"]["harm"] == 3
    assert quarrel.dora.look("/findings")["findings"] == []


def test_the_whole_list_of_answers_may_be_sent_back(quarrel: Table) -> None:
    answers = [one["answer"] for one in quarrel.gm.look("/rulings/5")["answers"]]
    again = quarrel.gm.does("/rulings/5/revise", entry(answers=answers), 200)
    assert [one["by"]["name"] for one in again["answers"]] == ["Cleo", "Ben"], "nothing was corrected"
    answers[1]["dice"]["faces"] = [1]
    assert quarrel.gm.does("/rulings/5/revise", entry(answers=answers), 200)["facts"][0]["fact"] == {"amount": 1}


def test_a_judgement_is_corrected_and_what_follows_is_flagged_or_ruled_again(quarrel: Table) -> None:
    gift = {"kind": "give", "char": "1", "to": "2", "coins": 4}
    revised = quarrel.gm.does(
        "/rulings/3/revise", entry(code="ruling", declare={"kind": "mint", "to": "1", "coins": 2}), 200
    )
    assert [(one["kind"], one["ruling"]) for one in revised["changed"]["findings"]] == [
        ("loses support", 4),
        ("overdrawn", None),
    ]
    assert coins(quarrel.dora) == {"character:1/coin": -1, "character:2/coin": 3}
    quarrel.gm.does("/rulings/4/revise", entry(code="ruling", declare={**gift, "coins": 2}, settle="rerule"), 200)
    assert quarrel.dora.look("/findings")["findings"] == []
    assert coins(quarrel.dora) == {"character:1/coin": 1, "character:2/coin": 1}
    assert quarrel.dora.look("/rulings/6")["decisions"] == []


def test_later_rulings_are_ruled_again_in_the_same_save(quarrel: Table) -> None:
    quarrel.cleo.does("/rulings/6/dispute", {"reason": "it was 2"}, 200)
    before = quarrel.position
    body = {"reason": "never happened", "settle": "rerule"}
    previewed = quarrel.gm.does("/rulings/4/overturn", {**body, "preview": True}, 200)
    assert previewed["findings"] == []
    assert [(row["number"], row["standpoint"], row["reruled"]) for row in previewed["rulings"]] == [
        (6, "loses support", True)
    ]
    assert quarrel.gm.does("/rulings/4/overturn", body, 200)["changed"] == previewed
    assert quarrel.position == before + 1
    assert coins(quarrel.dora) == {"character:1/coin": 5, "character:2/coin": 0}
    lost = quarrel.dora.look("/rulings/6")
    assert (lost["facts"], lost["refusal"]["code"], lost["status"]) == ([], "coins-short", "disputed")
    assert lost["declared"]["coins"] == 1
    made = lost["decisions"][-1]
    assert (made["decision"], made["cause"], made["settle"], made["revision"]) == ("reruled", 4, "rerule", 1)
    assert quarrel.dora.look("/what-if", without="5")["counts"]["stands"] == 1
    quarrel.gm.does("/rulings/4/reinstate", {"reason": "it did", "settle": "rerule"}, 200)
    assert coins(quarrel.dora) == {"character:1/coin": 2, "character:2/coin": 3}
    back = quarrel.dora.look("/rulings/6")
    assert (back["revision"], back["refusal"], len(back["tellings"])) == (2, None, 2)
    assert quarrel.gm.does("/rulings/6/uphold", {"reason": "it was 1"}, 200)["status"] == "upheld"
    assert quarrel.dora.look("/findings")["findings"] == []


@pytest.mark.parametrize(
    ("number", "more", "status", "code"),
    [
        (5, {"declare": {"kind": "mint", "to": "1", "coins": 1}}, 422, "another-kind"),
        (5, {"declare": {**HIT, "target": "9"}}, 422, "unknown-character"),
        (5, {"declare": {**HIT, "char": "2"}}, 403, "not-yours"),
        (5, {"declare": {**HIT, "more": 1}}, 422, "malformed"),
        (5, {"answers": [None, rolled(7)]}, 422, "face-range"),
        (5, {"answers": [None, None, rolled(1)]}, 422, "not-asked"),
        (5, {"answers": [None, {"dice": {"sides": 6, "faces": [1], "source": "ledger"}}]}, 422, "malformed"),
        (5, {"answers": None}, 422, "malformed"),
        (5, {"code": "mood"}, 422, "malformed"),
        (4, {"declare": {"kind": "give", "char": "1", "to": "2", "coins": 6}}, 422, "coins-short"),
        (99, {}, 404, "ruling-not-found"),
        (3, {"reason": " "}, 422, "reason-blank"),
    ],
)
@pytest.mark.parametrize("preview", [True, False])
def test_a_correction_that_cannot_be(
    quarrel: Table, number: int, more: Json, status: int, code: str, preview: bool
) -> None:
    before = quarrel.position
    body = {**entry(preview=preview), **more}
    refused = quarrel.gm.post(f"/rulings/{number}/revise", body)
    assert (refused.status_code, refused.json()["code"]) == (status, code), refused.text
    assert quarrel.position == before


def test_only_game_masters_revise_and_only_what_they_looked_at(quarrel: Table) -> None:
    for player in (quarrel.ben, quarrel.dora):
        assert player.post("/rulings/5/revise", entry()).status_code == 403
    assert quarrel.gm.post("/rulings/5/revise", entry(), {"If-Match": '"9"'}).status_code == 412
    key = {"Idempotency-Key": str(uuid.uuid4()), "If-Match": '"1"'}
    first = quarrel.gm.post("/rulings/5/revise", entry(answers=[None, rolled(2)]), key)
    again = quarrel.gm.post("/rulings/5/revise", entry(answers=[None, rolled(2)]), key)
    assert first.content == again.content and again.headers["Idempotency-Replayed"] == "true"
    assert first.headers["ETag"] == '"2"'
    quarrel.gm.does("/rulings/5/overturn", {"reason": "out"}, 200)


def test_after_an_overturning_the_answer_names_three_ways_to_go_on(quarrel: Table) -> None:
    decided = quarrel.gm.does("/rulings/5/overturn", {"reason": "out"}, 200)
    ways = {way["way"]: way for way in decided["ways"]}
    assert list(ways) == ["play-on", "ask-again", "let-stand"]
    assert ways["play-on"]["post"] == "/rulings/6/rewind" and ways["ask-again"]["post"] == "/rulings/5/revise"
    assert ways["let-stand"]["findings"] == [one["id"] for one in decided["changed"]["findings"]]
    again = quarrel.gm.does("/rulings/5/revise", entry(answers=[None, rolled(2)]), 200)
    assert again["status"] == "revised" and "ways" not in again
    quarrel.gm.does(ways["play-on"]["post"], {"reason": "from there"}, 200)
    last = quarrel.gm.does("/rulings/5/overturn", {"reason": "out"}, 200)
    assert (last["ways"][0]["text"], last["ways"][0]["post"]) == ("Play on from here.", None)
    assert quarrel.gm.look("/audit")["differences"] == []


def test_more_dice_than_were_recorded_are_not_rolled(quarrel: Table) -> None:
    quarrel.gm.does("/dials", {"die": 8, "reason": "bigger"})  # 7
    hit = quarrel.gm.post("/rulings", {"declare": HIT, "answers": [STAND, rolled(8, sides=8)]})
    assert hit.status_code == 403, "only who plays it declares it"
    waiting = quarrel.ben.does("/rulings", {"declare": {**HIT, "target": "1"}, "answers": [STAND]}, 201)
    assert waiting["answers"][1]["answer"]["dice"]["source"] == "ledger"
    number = waiting["number"]
    quarrel.gm.does("/rulings/7/overturn", {"reason": "never agreed", "settle": "rerule"}, 200)
    assert [(one["kind"], one["ruling"]) for one in quarrel.gm.look("/findings")["findings"]] == [
        ("needs dice", number)
    ]
    refused = quarrel.gm.post(f"/rulings/{number}/revise", entry())
    assert (refused.status_code, refused.json()["code"]) == (422, "needs-dice")
    assert refused.json()["context"]["question"]["sides"] == 6
    for answers in ([None, rolled(3)], [None, None, rolled(3)]):
        refused = quarrel.gm.post(f"/rulings/{number}/revise", entry(answers=answers))
        assert (refused.status_code, refused.json()["code"]) == (422, "dice-rolled"), refused.text


@pytest.fixture
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until 2026-11-22 what is hidden was ruled again, too; that it was, those knew who might. So it is on
    record in campaigns of before, of ruling 7 here."""

    def decided(save: Any, ruling: Any, made: Any, seen_by: Any = None) -> Any:
        assert seen_by is None
        audience = ("character:1", "gm") if (ruling.number, made.decision) == (7, "reruled") else None
        save.put(f"{save.book.id}/ruling/{ruling.number}", ruling.version, made, audience=audience)
        return ruling.apply_decision(made, save.by, save.at, save.position, audience)

    def other(*told: Any, openly: bool, **more: Any) -> Other:
        return Other(*told, **more)

    monkeypatch.setattr(consequences, "record_decision", decided)
    monkeypatch.setattr(comparisons, "Other", other)


def test_what_is_hidden_is_not_ruled_again(quarrel: Table) -> None:
    """It is a finding for those who may know; a game master revises it, or lets it stand."""
    quarrel.gm.declare("mint", to="1", coins=3, hidden=True)  # 7
    before = [player.look("/rulings/7") for player in (quarrel.gm, quarrel.cleo)]
    quarrel.gm.does("/rulings/1/overturn", {"reason": "never came", "settle": "rerule"}, 200)
    assert [player.look("/rulings/7") for player in (quarrel.gm, quarrel.cleo)] == before
    found = {name: getattr(quarrel, name).look("/findings")["findings"] for name in ("gm", "ben", "cleo", "dora")}
    told = {name: [(one["kind"], one["ruling"]) for one in those] for name, those in found.items()}
    assert told == {"gm": [("loses support", 7)], "ben": [], "cleo": [], "dora": []}, "Ben plays nobody any more"


def test_a_player_has_nothing_ruled_again_that_rests_on_what_is_hidden_from_him(service: Service) -> None:
    """Where all decide: alike however it comes out."""
    table = Table(service, deciders="all_players")
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)  # 3
    for coins in (1, 9):  # 4, 5: only with both can Ben do without 3
        table.gm.declare("mint", to="1", coins=coins, hidden=True)
    table.ben.declare("give", char="1", to="2", coins=5)  # 6
    for number in (3, 5):
        for preview in (True, False):
            body = {"reason": "?", "settle": "rerule", "preview": preview}
            answer = table.cleo.post("/rulings/3/overturn", body)
            assert (answer.status_code, answer.json()["code"]) == (403, "rests-on-hidden")
        if number == 3:
            table.gm.does("/rulings/5/overturn", {"reason": "too much"}, 200)
    table.cleo.does("/rulings/3/overturn", {"reason": "?", "settle": "flag"}, 200)
    refused = table.cleo.post("/rulings/3/reinstate", {"reason": "?", "settle": "rerule"})
    assert (refused.status_code, refused.json()["code"]) == (403, "rests-on-hidden")
    table.gm.does("/rulings/3/reinstate", {"reason": "!", "settle": "rerule"}, 200)


@pytest.mark.usefixtures("as_before")
def test_what_is_hidden_stays_hidden_when_it_is_told_anew(quarrel: Table) -> None:
    """A hidden gift, corrected, then ruled again without support: nobody learns what it was, nor that it changed."""
    quarrel.gm.declare("mint", to="1", coins=3, hidden=True)  # 7
    hidden = {"kind": "mint", "to": "1", "coins": 4400417, "hidden": True}
    quarrel.gm.does("/rulings/7/revise", entry(declare=hidden), 200)
    before = {player: player.look("/rulings/7") for player in (quarrel.cleo, quarrel.dora)}
    quarrel.gm.does("/rulings/1/overturn", {"reason": "never came", "settle": "rerule"}, 200)
    ruling = quarrel.gm.look("/rulings/7")
    assert (ruling["refusal"]["code"], ruling["revision"], ruling["version"]) == ("unknown-character", 2, 3)
    for player, seen in before.items():
        assert player.look("/rulings/7") == seen, "not even that it was ruled again"
        assert (seen["revision"], seen["version"]) == (1, 2)
        for told in (seen, *seen["tellings"]):
            known = (told["declared"], told["facts"], told["because"], told["refusal"])
            assert known == ({"kind": "mint"}, [], [], None)
        texts = [player.get(path).text for path in ("/rulings/7", "/rulings", "/timeline", "/accounts", "/findings")]
        assert not any("4400417" in text for text in texts)
    assert [one["declared"]["coins"] for one in quarrel.gm.look("/rulings/7")["tellings"]] == [3, 4400417]
    quarrel.dora.does("/rulings/7/dispute", {"reason": "what was it?"}, 200)
    assert quarrel.dora.post("/rulings/7/dispute", {"reason": "again"}, {"If-Match": '"3"'}).status_code == 409
    assert [one["number"] for one in quarrel.dora.look("/rulings", status="disputed")["rulings"]] == [7]


def test_what_if_it_had_been_played_with_another_dial(quarrel: Table) -> None:
    before = quarrel.position
    seen = quarrel.dora.look("/what-if", dial="die:8")
    assert (seen["without"], seen["dials"]) == ([], {"die": 8})
    assert [(row["number"], row["standpoint"]) for row in seen["rulings"] if row["standpoint"] != "stands"] == [
        (5, "needs dice")
    ]
    assert {"field": "card/dials/die", "before": None, "after": 8} in seen["subjects"][0]["fields"]
    assert quarrel.position == before
    same = quarrel.dora.look("/what-if", dial="die:6")
    assert (same["counts"]["stands"], same["subjects"]) == (6, [])
    quarrel.gm.does("/dials", {"die": 8, "reason": "bigger"})
    turned = quarrel.dora.look("/what-if", dial="die:6")
    assert [one["subject"] for one in turned["subjects"]] == ["campaign"], "whoever turned it"
    both = quarrel.dora.look("/what-if", dial=["die:8", "dice:table"], without="4")
    assert (both["without"], both["dials"]) == ([4], {"die": 8, "dice": "table"})
    assert [row["number"] for row in both["rulings"] if row["standpoint"] == "loses support"] == [6]


@pytest.mark.parametrize(
    ("dial", "code"),
    [
        ("die:7", "dial-value"),
        ("die:six", "dial-value"),
        ("no:1", "unknown-dial"),
        ("die", "malformed"),
        (":6", "malformed"),
    ],
)
def test_a_dial_or_value_that_is_not_there(quarrel: Table, dial: str, code: str) -> None:
    refused = quarrel.dora.get("/what-if", dial=dial)
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert quarrel.dora.get("/what-if").status_code == 422


@pytest.mark.usefixtures("as_before")
def test_no_filter_tells_what_is_hidden_when_it_is_told_anew(quarrel: Table) -> None:
    quarrel.gm.declare("mint", to="1", coins=3, hidden=True)  # 7
    quarrel.gm.does("/rulings/1/overturn", {"reason": "never came", "settle": "rerule"}, 200)
    assert quarrel.gm.look("/rulings/7")["refusal"]["code"] == "unknown-character"
    position = quarrel.position
    for player, numbers in ((quarrel.gm, [3, 4, 5, 6, 7]), (quarrel.dora, [3, 4, 5, 6])):
        found = player.look("/rulings", character="1", after="2", wait=str(position))["rulings"]
        assert [one["number"] for one in found] == numbers


# --- by a merge patch of the declaration (RFC 7396) ---------------------------------------------------------------


def test_a_patch_says_only_what_is_otherwise(quarrel: Table) -> None:
    patched = quarrel.gm.does("/rulings/3/revise", entry(code="ruling", patch={"coins": 6}, preview=True), 200)
    whole = {"kind": "mint", "to": "1", "coins": 6, "hidden": False}
    assert patched == quarrel.gm.does("/rulings/3/revise", entry(code="ruling", declare=whole, preview=True), 200)
    revised = quarrel.gm.does("/rulings/3/revise", entry(code="ruling", patch={"coins": 6}), 200)
    assert (revised["declared"], revised["changed"]) == (whole, patched)
    assert coins(quarrel.dora) == {"character:1/coin": 3, "character:2/coin": 3}


def test_null_takes_a_field_away_and_objects_are_merged(quarrel: Table) -> None:
    amended: Json = {"subject": "character:1", "field": "hidden", "value": [5], "reason": "as agreed"}
    told = quarrel.gm.declare("amend", **amended, seen_by=["gm", "character:1"])
    revised = quarrel.gm.does(f"/rulings/{told['number']}/revise", entry(patch={"seen_by": None}), 200)
    assert revised["declared"]["seen_by"] is None and revised["declared"]["value"] == [5]
    enrolled = quarrel.gm.look("/rulings/1")["declared"]
    assert enrolled["sheet"]["health"] == 10
    again = quarrel.gm.does("/rulings/1/revise", entry(patch={"sheet": {"health": 12}}), 200)["declared"]
    assert again == {**enrolled, "sheet": {**enrolled["sheet"], "health": 12}}


@pytest.mark.parametrize(
    ("number", "patch", "pointer", "kind"),
    [
        (3, {"kind": "mint"}, "/patch/kind", "kind"),
        (3, {"kind": "hit", "coins": 2}, "/patch/kind", "kind"),
        (3, {"coins": None}, "/patch/coins", "missing"),
        (3, {"coin": 2}, "/patch/coin", "extra_forbidden"),
        (3, {"coin": None}, "/patch/coin", "extra_forbidden"),
        (3, {"coins": "two"}, "/patch/coins", "int_type"),
        (1, {"sheet": {"health": None}}, "/patch/sheet/health", "missing"),
        (1, {"sheet": 3}, "/patch/sheet", "model_type"),
        (3, [], "/patch", "dict_type"),
    ],
)
@pytest.mark.parametrize("preview", [True, False])
def test_mistakes_in_a_patch_are_told_at_their_place_in_it(
    quarrel: Table, number: int, patch: Any, pointer: str, kind: str, preview: bool
) -> None:
    before = quarrel.position
    refused = quarrel.gm.post(f"/rulings/{number}/revise", entry(patch=patch, preview=preview))
    assert (refused.status_code, refused.json()["code"]) == (422, "malformed"), refused.text
    (mistake,) = refused.json()["errors"]
    assert (mistake["pointer"], mistake["type"]) == (pointer, kind)
    assert quarrel.position == before


def test_either_the_whole_declaration_or_a_patch_of_it(quarrel: Table) -> None:
    both = entry(declare={"kind": "mint", "to": "1", "coins": 2}, patch={"coins": 2})
    refused = quarrel.gm.post("/rulings/3/revise", both).json()
    assert (refused["status"], refused["errors"][0]["pointer"]) == (422, "/patch")


def test_what_the_rules_refuse_of_a_patch_is_refused(quarrel: Table) -> None:
    refused = quarrel.gm.post("/rulings/4/revise", entry(patch={"coins": 6}))
    assert (refused.status_code, refused.json()["code"]) == (422, "coins-short")


def test_who_may_not_see_a_declaration_learns_nothing_of_it_by_patching(service: Service) -> None:
    table = Table(service, deciders="all_players")
    table.fighters(health=10)
    table.ben.does("/rulings", {"declare": {"kind": "sneak", "char": "1"}, "answers": [rolled(5)], "dice": "table"})
    patches: tuple[Json, ...] = ({}, {"char": "2"}, {"char": None}, {"dice": 2}, {"nothing": None}, {"coins": 4})
    told = {table.cleo.post("/rulings/3/revise", entry(patch=patch, preview=True)).text for patch in patches}
    assert len(told) == 1 and '"not-yours"' in told.pop()


def test_a_reinstated_ruling_that_finds_no_support_any_more_is_shown(table: Table) -> None:
    """It is ruled again without any fact: 1 has nothing to give since 3 was overturned."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=4)
    number = table.ben.declare("give", char="1", to="2", coins=4)["number"]
    for overturned in (number, number - 1):
        table.gm.does(f"/rulings/{overturned}/overturn", {"reason": "No."}, 200)
    back = {"reason": "After all.", "settle": "rerule"}
    reinstated = table.gm.does(f"/rulings/{number}/reinstate", back, 200)
    assert reinstated["refusal"] is not None and reinstated["facts"] == []
    assert [telling["revision"] for telling in reinstated["tellings"]] == [0]
    shown = table.gm.look(f"/rulings/{number}")
    assert {name: reinstated[name] for name in shown} == shown
    assert table.gm.look("/audit")["healthy"]
