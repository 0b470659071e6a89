"""Characters, sessions, scenes, dials; declaring, what waits, answering: what a table does all evening."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.table import DODGE, HIT, STAND, Json, Player, Service, Table, rolled


def test_a_character_is_enrolled_handed_over_and_retired(table: Table) -> None:
    made = table.ben.post("/characters", {"name": "Bruno", "seat": "s2", "sheet": {"health": 12}})
    assert made.status_code == 201
    assert made.headers["Location"] == f"/campaigns/{table.id}/characters/1"
    ruling = made.json()
    assert (ruling["number"], ruling["character"], ruling["by"]) == (1, "1", {"seat": "s2", "name": "Ben"})
    assert [fact["kind"] for fact in ruling["facts"]] == [
        "ledger.character-enrolled",
        "ledger.character-seated",
        "toy.made",
    ]
    found = table.dora.get("/characters/1")
    assert found.headers["ETag"].startswith('"2.')
    shown: Json = found.json()
    assert shown == {
        "id": "1",
        "name": "Bruno",
        "seat": "s2",
        "player": "Ben",
        "retired": False,
        "state": {"health": 12, "harm": 0, "hidden": None},
        "balances": [],
        "adrift": 0,
        "at": None,
        "as": "corrected",
        "version": 2,
    }
    table.ben.does("/characters/1/hand-over", {"seat": "s3"})
    assert table.ben.post("/characters/1/retire", {"reason": "mine no more"}).status_code == 403
    table.cleo.does("/characters/1/retire", {"reason": "old"})
    shown = table.gm.look("/characters/1")
    assert (shown["player"], shown["retired"]) == ("Cleo", True)


def test_sessions_and_scenes_open_and_close(table: Table) -> None:
    session = table.gm.does("/sessions", {"title": "One"})
    assert session["session"] == "1"
    scene = table.gm.post("/scenes", {"title": "The bridge"})
    assert scene.headers["Location"] == f"/campaigns/{table.id}/scenes/2"
    assert (scene.json()["scene"], scene.json()["session"]) == ("2", "1")
    found = table.dora.get("/scenes/2")
    assert found.headers["ETag"].startswith('"1.')
    assert (found.json()["title"], found.json()["open"]) == ("The bridge", True)
    table.gm.does("/scenes/2/close", {})
    table.gm.does("/sessions/1/close")
    assert table.dora.look("/scenes/2")["open"] is False
    assert table.dora.look()["session"] is None
    assert table.gm.does("/sessions")["session"] == "5"


def test_a_dial_is_turned_and_pinned_to_later_rulings(table: Table) -> None:
    table.fighters()
    before = table.hit(6)
    turned = table.gm.does("/dials", {"die": 8, "reason": "more blood"})
    assert turned["facts"][0]["fact"] == {"name": "die", "value": 8, "reason": "more blood"}
    waiting = table.ben.declare("hit", status=202, char="1", target="2")["id"]
    after = table.cleo.does(f"/waiting/{waiting}/answers", {"answer": STAND})
    assert after["answers"][1]["answer"]["dice"]["sides"] == 8
    assert (before["dials"], after["dials"]) == ({}, {"die": 8})
    assert table.dora.look()["dials"]["die"] == 8


# --- rulings ---


def test_a_hit_is_declared_answered_and_rolled(table: Table) -> None:
    table.fighters()
    asked = table.ben.post("/rulings", {"declare": HIT, "dice": "table"})
    assert asked.status_code == 202
    waiting = asked.json()
    assert waiting["question"] == {
        "ask": "choice",
        "seat": "s3",
        "purpose": "",
        "slot": "dodge",
        "asked": {"seat": "s3", "name": "Cleo"},
        "text": "Do you dodge or stand?",
        "choices": [{"kind": "dodge", "fields": []}, {"kind": "stand", "fields": []}],
    }
    assert table.dora.look("/waiting")["waiting"] == [waiting]
    rolling = table.cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": DODGE}, 202)
    assert rolling["question"]["asked"] == {"seat": "s2", "name": "Ben"}
    assert rolling["answers"][0]["by"] == {"seat": "s3", "name": "Cleo"}
    made = table.ben.post(f"/waiting/{waiting['id']}/answers", {"answer": rolled(4)})
    assert made.headers["Location"] == f"/campaigns/{table.id}/rulings/3"
    assert made.headers["ETag"] == '"1"'
    ruling = made.json()
    assert ruling["because"] == [
        {
            "rule": "toy.hit",
            "statement": "A hit does what the die shows.",
            "given": {"die": 6},
            "out": 4,
            "text": "A hit does what the die shows.",
        }
    ]
    assert ruling["facts"] == [
        {
            "step": 0,
            "subject": "character:2",
            "kind": "toy.hurt",
            "version": 1,
            "fact": {"amount": 4},
            "postings": [],
            "struck": False,
            "text": "Celia is hurt for 4.",
        }
    ]
    assert ruling["text"] == "Bruno hits Celia: Celia is hurt for 4."
    assert ruling["waited_as"] == waiting["id"]
    assert ruling["answers"][1]["answer"] == {"dice": {"sides": 6, "faces": [4], "source": "table"}}
    assert table.dora.look("/rulings/3") == ruling
    assert table.dora.look("/waiting")["waiting"] == []
    assert table.cleo.look("/characters/2")["state"]["harm"] == 4


def test_the_ledger_rolls_unless_told_otherwise(table: Table) -> None:
    table.fighters()
    waiting = table.ben.declare("hit", status=202, char="1", target="2")
    assert waiting["dice"] == "ledger"
    ruling = table.cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": STAND})
    dice = ruling["answers"][1]["answer"]["dice"]
    assert dice["source"] == "ledger"
    assert 1 <= dice["faces"][0] <= 6
    assert ruling["facts"][0]["fact"]["amount"] == dice["faces"][0]


def test_all_answers_can_come_with_the_declaration(service: Service) -> None:
    table = Table(service, deciders="all_players")
    table.fighters()
    assert table.ben.declare("hit", STAND, rolled(5), char="1", target="2")["facts"][0]["fact"]["amount"] == 5


def test_without_a_game_master_all_players_decide(service: Service) -> None:
    table = Table(service, deciders="all_players")
    table.fighters()
    table.ben.declare("mint", to="2", coins=3)
    table.cleo.does("/sessions", {})
    assert table.cleo.does("/rulings/3/overturn", {"reason": "no gifts"}, 200)["status"] == "overturned"
    assert table.ben.does("/rulings/3/reinstate", {"reason": "gifts"}, 200)["status"] == "standing"
    assert table.dora.post("/rulings/3/overturn", {"reason": "no"}).status_code == 403
    assert table.dora.post("/sessions", {}).status_code == 403
    assert table.ben.post("/seats", {"name": "Eve", "role": "player"}).status_code == 403


def test_coins_move_between_accounts(table: Table) -> None:
    table.fighters()
    minted = table.gm.declare("mint", to="1", coins=5)
    assert minted["facts"][0]["postings"] == [
        {"from": "bank/coin", "to": "character:1/coin", "unit": "coin", "amount": 5}
    ]
    table.ben.declare("give", char="1", to="2", coins=2)
    assert table.dora.look("/accounts")["accounts"] == [
        {"account": "character:1/coin", "unit": "coin", "balance": 3, "owner": "character:1", "name": "Bruno"},
        {"account": "character:2/coin", "unit": "coin", "balance": 2, "owner": "character:2", "name": "Celia"},
    ]
    assert table.dora.look("/characters/2")["balances"] == [
        {"account": "character:2/coin", "unit": "coin", "balance": 2}
    ]


def test_amending_sets_a_piece_of_state(table: Table) -> None:
    table.fighters()
    table.gm.declare("amend", subject="character:2", field="harm", value=7, reason="we forgot the fall")
    assert table.cleo.look("/characters/2")["state"]["harm"] == 7
    refused = table.gm.tries("amend", subject="character:2", field="harm", value="7", reason="x")
    assert refused.json()["code"] == "amend-value"


# --- what waits ---


def test_what_waits_is_withdrawn_by_its_declarer_or_the_game_master(table: Table) -> None:
    table.fighters()
    first, second = (table.ben.declare("hit", status=202, char="1", target=one)["id"] for one in "21")
    assert table.cleo.post(f"/waiting/{first}/withdraw", {"reason": "no"}).status_code == 403
    assert table.ben.does(f"/waiting/{first}/withdraw", {"reason": "sorry"}, 200)["status"] == "withdrawn"
    gone = table.gm.does(f"/waiting/{second}/withdraw", {"reason": "no"}, 200)
    assert (gone["reason"], gone["question"]) == ("no", None)
    assert table.gm.look("/waiting")["waiting"] == []
    before = table.position
    for path, body in (("answers", {"answer": STAND}), ("withdraw", {"reason": "again"})):
        late = table.gm.post(f"/waiting/{first}/{path}", body)
        assert (late.status_code, late.json()["code"]) == (409, "wrong-status")
    assert table.position == before


def test_a_double_click_makes_no_second_attack(table: Table) -> None:
    table.fighters()
    waiting = table.ben.does("/rulings", {"declare": HIT}, 202)
    before = table.position
    twice = table.ben.post("/rulings", {"declare": HIT})
    assert (twice.status_code, twice.json()["code"]) == (422, "already-waiting")
    assert twice.json()["context"] == {"waiting": waiting["id"], "declared": HIT}
    foreseen = table.ben.post("/rulings", {"declare": HIT, "preview": True})
    assert (foreseen.status_code, foreseen.json()["code"]) == (422, "already-waiting")
    assert table.position == before
    assert [one["id"] for one in table.cleo.look("/waiting")["waiting"]] == [waiting["id"]]


def test_an_answer_nobody_asked_for(table: Table) -> None:
    table.fighters()
    waiting = table.ben.declare("hit", status=202, char="1", target="2")["id"]
    before = table.position
    for player, answer, status in (
        (table.ben, STAND, 403),
        (table.dora, STAND, 403),
        (table.cleo, rolled(4), 422),
        (table.cleo, {"coins": {"coins": ["heads"]}}, 422),
        (table.cleo, {"choice": {"kind": "flee"}}, 422),
        (table.cleo, {"choice": {"kind": "stand", "firmly": True}}, 422),
    ):
        assert player.post(f"/waiting/{waiting}/answers", {"answer": answer}).status_code == status
    assert table.cleo.post("/waiting/w999/answers", {"answer": STAND}).status_code == 404
    assert table.position == before
    ruling = table.cleo.does(f"/waiting/{waiting}/answers", {"answer": STAND})
    late = table.cleo.post(f"/waiting/{waiting}/answers", {"answer": STAND})
    assert (late.status_code, late.json()["context"]["status"]) == (409, "standing")
    mint = table.gm.tries("mint", rolled(3), to="1", coins=1)
    assert (mint.status_code, mint.json()["code"]) == (422, "not-asked")
    assert table.gm.look("/rulings")["rulings"][-1]["number"] == ruling["number"]


# --- lists ---


@pytest.fixture
def evening(table: Table) -> Table:
    """1, 2: enrolled. 3: a session. 4: a scene. 5: hit in it. 6: mint. 7: give, disputed. 8: another scene."""
    table.fighters()
    table.gm.does("/sessions", {})
    table.gm.does("/scenes", {"title": "The bridge", "cast": ["1"]})
    waiting = table.ben.does("/rulings", {"declare": HIT, "scene": "4"}, 202)["id"]
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": STAND})
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=2)
    table.cleo.does("/rulings/7/dispute", {"reason": "two?"}, 200)
    table.gm.does("/scenes", {"title": "The inn"})
    return table


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({}, [1, 2, 3, 4, 5, 6, 7, 8]),
        ({"status": "disputed"}, [7]),
        ({"status": "upheld"}, []),
        ({"character": "1"}, [1, 4, 5, 6, 7]),
        ({"character": "2"}, [2, 5, 7]),
        ({"seat": "s2"}, [1, 5, 7]),
        ({"scene": "4"}, [4, 5, 6, 7]),
        ({"session": "3"}, [3, 4, 5, 6, 7, 8]),
        ({"kind": "give"}, [7]),
        ({"rule": "toy.coins"}, [6, 7]),
        ({"after": 6}, [7, 8]),
        ({"seat": "s1", "kind": "open-scene", "after": 4}, [8]),
    ],
)
def test_rulings_are_found(evening: Table, query: Json, numbers: list[int]) -> None:
    assert [one["number"] for one in evening.dora.look("/rulings", **query)["rulings"]] == numbers


def test_pages_follow_each_other(evening: Table) -> None:
    seen: list[int] = []
    path: str | None = f"/campaigns/{evening.id}/rulings?limit=3&session=3"
    while path is not None:
        page = evening.service.send("GET", path, evening.dora.bearer)
        seen += [one["number"] for one in page.json()["rulings"]]
        path = page.links["next"]["url"] if "next" in page.links else None
    assert seen == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    "query", [{"limit": 0}, {"limit": 501}, {"after": -1}, {"after": "x"}, {"status": "waiting"}, {"after": 10**30}]
)
def test_a_list_that_cannot_be(table: Table, query: Json) -> None:
    refused = table.gm.get("/rulings", **query)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"].startswith("/query/")


# --- two clocks ---


def test_a_character_as_of_a_ruling_as_recorded_and_as_corrected(table: Table) -> None:
    table.fighters()
    table.hit(5)
    table.hit(2)
    table.gm.does("/rulings/3/overturn", {"reason": "out of reach"}, 200)

    def harm(**clock: Any) -> int:
        return int(table.dora.look("/characters/2", **clock)["state"]["harm"])

    assert harm() == 2
    assert harm(at=3) == 0
    assert harm(at=3, **{"as": "recorded"}) == 5
    assert harm(at=4, **{"as": "recorded"}) == 7
    assert harm(at=4, **{"as": "corrected"}) == 2
    assert table.dora.get("/characters/2", at=1).status_code == 404, "not enrolled yet"
    assert table.dora.get("/characters/2", at=99).status_code == 404
    for clock in ({"at": "yesterday"}, {"at": 0}, {"as": "wished"}):
        assert table.dora.get("/characters/2", **clock).status_code == 422


@pytest.mark.parametrize(
    "path", ["/characters/99", "/scenes/99", "/rulings/99", "/characters/s1", "/rulings/2147483647"]
)
def test_what_is_not_there_is_not_found(table: Table, path: str) -> None:
    assert table.gm.get(path).status_code == 404


def test_a_second_seat_of_the_same_person_sees_the_same(table: Table) -> None:
    table.fighters()
    again = table.seat("Ben again", "player")
    assert isinstance(again, Player)
    assert again.look("/characters/1") == table.ben.look("/characters/1")
