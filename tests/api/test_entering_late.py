"""A ruling entered late over HTTP: previewed, sent, read on both clocks, replayed, exported, forked, proved."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.application.checks.dossier import verify_dossier
from tests.api.table import Json, Player, Service, Table
from tests.api.test_export import elsewhere, keep_views  # noqa: F401  (a fixture)
from tests.api.test_feed import listening
from tests.waiting import wait_until


@pytest.fixture
def evening(table: Table) -> Table:
    """3: a session. 4: coins for Ben's character. 5: a blow. 6: Ben gives some. 7: the end. 8: another session."""
    table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.gm.declare("mint", to="1", coins=9)
    table.hit(5)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.gm.declare("close-session", session="3")
    table.gm.does("/sessions", {"title": "The tower"})
    return table


def mint(player: Player, after: int = 4, coins: int = 2, to: str = "1", **more: Any) -> Any:
    return player.post("/rulings", {"declare": {"kind": "mint", "to": to, "coins": coins}, "after": after, **more})


def enter(table: Table, after: int = 4, **more: Any) -> Json:
    answer = mint(table.gm, after, **more)
    assert answer.status_code == 201, answer.text
    ruling: Json = answer.json()
    return ruling


def coins(player: Player, id: str = "1", **query: Any) -> int:
    balances = player.look(f"/characters/{id}", **query)["balances"]
    return next((one["balance"] for one in balances if one["unit"] == "coin"), 0)


def test_it_is_previewed_and_saves_nothing(evening: Table) -> None:
    position = evening.position
    answer = mint(evening.gm, preview=True)
    assert answer.status_code == 200, answer.text
    preview = answer.json()
    assert preview["entered"]["place"] == "4a" and preview["entered"]["outcome"]["facts"][0]["postings"]
    assert (preview["without"], preview["revised"], preview["counts"]["stands"]) == ([], [], 4)
    assert [one["subject"] for one in preview["subjects"]] == ["character:1"] and evening.position == position
    lost = evening.gm.post(
        "/rulings", {"declare": {"kind": "give", "char": "1", "to": "2", "coins": 6}, "after": 4, "preview": True}
    ).json()
    assert [(row["number"], row["standpoint"]) for row in lost["rulings"]] == [(6, "loses support")]
    assert evening.position == position


def test_everybody_sees_its_place(evening: Table) -> None:
    ruling = enter(evening)
    assert (ruling["number"], ruling["place"], ruling["after"], ruling["session"]) == (9, "4a", 4, "3")
    text = "Ann enters ruling 9 late, after ruling 4."
    for player in (evening.gm, evening.ben, evening.cleo, evening.dora):
        assert player.look("/rulings/9")["place"] == "4a"
        assert "place" not in player.look("/rulings/4")
        (row,) = player.look("/decisions")["decisions"]
        assert (row["decision"], row["ruling"], row["after"], row["text"]) == ("entered-late", 9, 4, text)
        assert player.look("/decisions", decision="entered-late")["decisions"] == [row]
    assert enter(evening, after=9)["place"] == "4b"
    refused = mint(evening.gm, 9)
    assert (refused.status_code, refused.json()["code"]) == (409, "not-last-there")
    assert evening.gm.look("/audit")["differences"] == []


def test_both_clocks_everywhere(evening: Table) -> None:
    enter(evening)
    gm = evening.gm
    assert [coins(gm, at=number) for number in (3, 4, 5, 6, 9)] == [0, 11, 11, 7, 11]
    recorded = {"as": "recorded"}
    assert [coins(gm, at=number, **recorded) for number in (4, 6, 9)] == [9, 5, 7]
    assert coins(gm) == 7
    account = "/accounts/character:1/coin"
    assert [gm.look(account, at=number)["balance"] for number in (4, 6, 9)] == [11, 7, 11]
    assert [gm.look(account, at=number, **recorded)["balance"] for number in (4, 6, 9)] == [9, 5, 7]
    facts = gm.look("/timeline", at=5, limit=100)["facts"]
    assert {fact["ruling"] for fact in facts} == {None, 1, 2, 3, 4, 5, 9}
    (late,) = [fact for fact in facts if fact["ruling"] == 9]
    assert late["after"] == 4
    assert 9 not in {fact["ruling"] for fact in gm.look("/timeline", at=8, limit=100, **recorded)["facts"]}
    diff = gm.look("/diff", **{"from": 4, "to": 6})
    causes = {cause for one in diff["subjects"] for field in one["fields"] for cause in field["rulings"]}
    assert 9 not in causes and 6 in causes
    assert 9 in {fact["ruling"] for fact in gm.look("/characters/1/history")["facts"]}


def test_its_session_is_that_of_its_place(evening: Table) -> None:
    enter(evening)
    gm = evening.gm
    bridge, tower = gm.look("/sessions")["sessions"]
    assert (bridge["rulings"], bridge["first"], bridge["last"]) == (6, 3, 7)
    assert (tower["first"], tower["last"]) == (8, 8)
    assert [row["number"] for row in gm.look("/rulings", session="3")["rulings"]] == [3, 4, 5, 6, 7, 9]
    frames = [json.loads(line) for line in gm.get("/sessions/3/replay").text.splitlines()][1:-1]
    assert [frame["ruling"]["number"] for frame in frames] == [3, 4, 9, 5, 6, 7]
    (changed,) = frames[2]["changed"]
    assert changed["subject"] == "character:1"
    recorded = gm.get("/sessions/3/replay", **{"as": "recorded"}).text.splitlines()
    frames = [json.loads(line) for line in recorded][1:-1]
    assert [frame["ruling"]["number"] for frame in frames] == [3, 4, 5, 6, 7, 9]


def test_it_can_be_overturned_and_reinstated_like_every_ruling(evening: Table) -> None:
    enter(evening)
    evening.gm.does("/rulings/9/overturn", {"reason": "no"}, 200)
    assert coins(evening.gm) == 5
    evening.gm.does("/rulings/9/reinstate", {"reason": "yes"}, 200)
    evening.gm.does("/rulings/9/revise", {"reason": "three", "code": "entry", "patch": {"coins": 3}}, 200)
    assert coins(evening.gm) == 8 and coins(evening.gm, at=4) == 12
    assert evening.gm.look("/rulings/9")["place"] == "4a"
    assert evening.gm.look("/audit")["differences"] == []


def test_later_rulings_are_ruled_again_if_asked_for(evening: Table) -> None:
    body = {"declare": {"kind": "give", "char": "1", "to": "2", "coins": 6}, "after": 4}
    flagged = evening.gm.does("/rulings", {**body, "settle": "rerule"}, 201)
    assert flagged["place"] == "4a" and evening.gm.look("/rulings/6")["status"] == "revised"
    assert (coins(evening.gm), evening.gm.look("/findings")["findings"]) == (3, [])
    assert evening.gm.look("/audit")["differences"] == []


def test_who_may_not_gets_the_reason(evening: Table) -> None:
    position = evening.position
    assert (mint(evening.ben).status_code, mint(evening.ben).json()["code"]) == (403, "not-yours")
    assert mint(evening.gm, 99).json()["code"] == "ruling-not-found"
    wanting = {"declare": {"kind": "hit", "char": "1", "target": "2"}, "after": 4}
    assert evening.gm.post("/rulings", wanting).json()["code"] == "not-yours"  # it is Ben's to declare
    session = {"declare": {"kind": "open-session", "title": "?"}, "after": 4}
    assert evening.gm.post("/rulings", session).json()["code"] == "not-late"
    assert evening.position == position


def test_everybody_is_sent_the_ruling_and_that_it_is_late(evening: Table) -> None:
    with listening(evening.cleo) as feed:
        enter(evening)
        wait_until(lambda: [data for _, kind, data in feed.events if kind == "decision"])
        (decision,) = [data for _, kind, data in feed.events if kind == "decision"]
        (ruling,) = [data for _, kind, data in feed.events if kind == "ruling"]
    assert (decision["ruling"], decision["decision"], decision["after"]) == (9, "entered-late", 4)
    assert ruling["ruling"]["place"] == "4a"


def test_a_repeated_request_enters_it_once(evening: Table) -> None:
    body = {"declare": {"kind": "mint", "to": "1", "coins": 2}, "after": 4}
    first, again = (evening.gm.post("/rulings", body, {"Idempotency-Key": "again"}) for _ in range(2))
    assert first.json() == again.json() and coins(evening.gm) == 7


def test_a_dossier_proves_it(evening: Table) -> None:
    enter(evening)
    file = evening.ben.get("/rulings/9/dossier").content
    assert verify_dossier(file).dossier.ruling["place"] == "4a"
    with pytest.raises(Exception, match="signature"):
        verify_dossier(file.replace(b'"place":"4a"', b'"place":"5a"').replace(b'"place": "4a"', b'"place": "5a"'))


def test_why_counts_it_at_its_place(table: Table) -> None:
    table.fighters()
    table.hit(5)  # 3
    table.hit(2)  # 4
    body = {"kind": "amend", "subject": "character:2", "field": "harm", "value": 1, "reason": "It was less."}
    table.gm.does("/rulings", {"declare": body, "after": 3}, 201)
    why = table.gm.look("/characters/2/why/state/harm")
    assert why["value"] == 3 and [link["ruling"]["number"] for link in why["chain"]][-3:] == [3, 5, 4]
    assert table.gm.look("/audit")["differences"] == []


def test_what_a_seat_exports_can_be_verified(evening: Table) -> None:
    enter(evening)
    for player in (evening.gm, evening.cleo):
        assert any("4a" in line or '"after":4' in line for line in player.get("/export").text.splitlines())
    assert evening.cleo.get("/seal").status_code == 200


def test_an_import_has_it_at_its_place(
    evening: Table,
    elsewhere: Service,  # noqa: F811
    postgres: Any,
) -> None:
    enter(evening)
    file = evening.service.send("GET", f"/campaigns/{evening.id}/export", evening.service.operator).content
    headers = {**elsewhere.operator, "Content-Type": "application/jsonl"}
    made = elsewhere.send("POST", "/campaigns/import", headers, content=file)
    assert made.status_code == 201, made.text
    keep_views(postgres)
    headers = {"Authorization": f"Bearer {made.json()['seat']['token']}"}
    there = elsewhere.send("GET", f"/campaigns/{evening.id}/rulings/9", headers).json()
    assert there["place"] == "4a"


def test_it_waits_for_consent_like_a_correction(table: Table) -> None:
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)
    table.gm.does("/dials", {"consent": "affected", "reason": "We ask each other."})
    body = {"declare": {"kind": "mint", "to": "1", "coins": 2}, "after": 3}
    asked = table.gm.does("/rulings", body, 202)
    assert coins(table.gm) == 3
    table.ben.does(f"/waiting/{asked['id']}/consent", {"consent": True, "reason": "yes"}, 200)
    assert coins(table.gm) == 5 and table.gm.look("/rulings/5")["place"] == "3a"
    assert table.gm.look("/audit")["differences"] == []
