"""Dice over HTTP: whoever may see a roll has all it takes to recompute it once the seed is revealed."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from typing import Any

import pytest

from ledger.rules import systems
from ledger.rules.kernel.contract import About, Verdict
from ledger.rules.kernel.questions import draw
from ledger.rules.kernel.subjects import character
from tests.api.table import STAND, Json, Table, rolled
from tests.kernel.test_fair_dice import naive_fall, naive_numbers


@pytest.fixture
def fight(table: Table) -> Table:
    table.fighters(health=1000)
    return table


def recomputed(dice: Json, roll: Json) -> list[Any]:
    """From the answer of `GET /dice` alone."""
    ((_, said),) = roll["answer"]["answer"].items()
    proof = dict(part.split("=") for part in said["proof"].split())
    entropies = {one["seat"]: one["value"] for one in dice["entropies"][: int(proof["entropies"])]}
    seed = dice["epochs"][int(proof["epoch"])]["seed"]
    numbers = naive_numbers(seed, dice["campaign"], int(proof["roll"]), int(proof["ruling"]), entropies)
    return naive_fall(roll["answer"]["question"], numbers)


def test_a_session_is_recomputed_by_any_seat_from_what_it_is_told(fight: Table) -> None:
    session = fight.gm.does("/sessions", {"title": "One"})["session"]
    before = fight.dora.look("/dice")
    assert [one["session"] for one in before["epochs"]] == [None, session]
    assert before["epochs"][1]["seed"] is None and not before["epochs"][1]["over"]
    for player, value in ((fight.ben, "six sixes"), (fight.dora, "☂"), (fight.ben, "seven sixes")):
        fight.cleo.send("POST", f"/seats/{player.id}/entropy", json={"value": "not yours"})
        given = player.does(f"/seats/{player.id}/entropy", {"value": value})
        assert (given["seat"], given["value"]) == (player.id, value)
        fight.ben.declare("hit", STAND, char="1", target="1")
    fight.gm.does(f"/sessions/{session}/close")
    dice = fight.dora.look("/dice")
    assert [one["value"] for one in dice["entropies"]] == ["six sixes", "☂", "seven sixes"]
    epoch = dice["epochs"][1]
    assert hashlib.sha256(bytes.fromhex(epoch["seed"])).hexdigest() == epoch["commitment"]
    assert epoch["commitment"] == before["epochs"][1]["commitment"], "published before any of it"
    assert [(one["roll"], one["ruling"]) for one in dice["rolls"]] == [(1, 4), (2, 5), (3, 6)]
    for roll in dice["rolls"]:
        ruling = fight.dora.look(f"/rulings/{roll['ruling']}")
        assert roll["answer"] in ruling["answers"]
        assert recomputed(dice, roll) == roll["answer"]["answer"]["dice"]["faces"]


def test_nobody_mixes_in_for_another_seat(fight: Table) -> None:
    for player in (fight.gm, fight.cleo):
        answer = player.post(f"/seats/{fight.ben.id}/entropy", {"value": "x"})
        assert (answer.status_code, answer.json()["code"]) == (403, "not-yours")
    assert fight.gm.post("/seats/s99/entropy", {"value": "x"}).status_code == 404
    for value in ("", " ", "x" * 201, 7, None):
        assert fight.ben.post(f"/seats/{fight.ben.id}/entropy", {"value": value}).status_code == 422
    assert fight.gm.look("/dice")["entropies"] == []


def test_rolls_come_page_by_page(fight: Table) -> None:
    for _ in range(5):
        fight.ben.declare("hit", STAND, char="1", target="1")
    page = fight.ben.get("/dice", after=1, limit=2)
    assert [one["roll"] for one in page.json()["rolls"]] == [2, 3]
    following = page.json()["next"].partition("?")[2]
    assert set(following.split("&")) == {"after=3", "limit=2"}
    last = fight.ben.get("/dice", after=3, limit=2)
    assert [one["roll"] for one in last.json()["rolls"]] == [4, 5] and last.json()["next"] is None
    assert fight.ben.look("/dice", after=5)["rolls"] == []


def test_nobody_types_a_roll_of_the_ledgers(fight: Table) -> None:
    proof = "epoch=0 roll=1 ruling=3 entropies=0 seed=open"
    for more in ({"source": "ledger"}, {"proof": proof}):
        fake = {"dice": {"sides": 6, "faces": [6], **more}}
        assert fight.ben.tries("hit", STAND, fake, char="1", target="1").status_code == 422
    fight.ben.declare("hit", STAND, rolled(6), char="1", target="1")
    assert fight.ben.look("/dice")["count"] == 0


DECK = tuple(f"card-{number:03}" for number in range(300))  # large: no two hands of six come out alike by chance


@pytest.fixture
def secret_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who hits draws six cards that only a game master sees; who hits itself is asked something then."""
    toy = systems()["toy"]
    words: Any = sys.modules[toy.inputs[0].__module__]

    def hit(table: Any, do: Any) -> Any:
        yield from draw(character(do.char), 6, DECK, audience=("gm",))
        if do.char == do.target:
            yield from words.ask("s1", words.Dodge, words.Stand)
        return Verdict((About(character(do.target), words.Hurt(1)),))

    def adjudicate(table: Any, do: Any) -> Any:
        return (yield from (hit(table, do) if isinstance(do, words.Hit) else toy.adjudicate(table, do)))

    monkeypatch.setitem(systems(), "toy", replace(toy, adjudicate=adjudicate))


def test_what_was_rolled_for_what_waits_and_was_withdrawn_is_told(secret_cards: None, fight: Table) -> None:
    waiting = fight.ben.does("/rulings", {"declare": {"kind": "hit", "char": "1", "target": "1"}}, 202)["id"]
    fight.gm.does(f"/waiting/{waiting}/withdraw", {"reason": "a slip"}, 200)
    (roll,) = fight.gm.look("/dice")["rolls"]
    assert (roll["waiting"], roll["ruling"], roll["seed"]) == (waiting, None, "hidden")


def test_a_hidden_draw_is_told_and_recomputed_by_nobody_else(secret_cards: None, table: Table) -> None:
    table.fighters()
    table.ben.declare("hit", char="1", target="2")
    table.gm.does("/sessions", {"title": ""})
    (seen,) = table.gm.look("/dice")["rolls"]
    drawn = seen["answer"]["answer"]["cards"]["cards"]
    for player in (table.ben, table.cleo, table.dora):
        assert drawn[0] not in player.get("/rulings/3").text
        dice = player.look("/dice")
        assert dice["count"] == 1, "that there is a roll more is no secret"
        (roll,) = dice["rolls"]
        assert roll == {"roll": 1, "epoch": None, "seed": None, "ruling": None, "waiting": None, "answer": None}
    dice = table.gm.look("/dice")
    assert dice["epochs"][0]["seed"] and recomputed(dice, seen) != drawn


# --- plastic dice ---


def test_who_typed_dice_and_who_saw_them(fight: Table) -> None:
    number = fight.ben.declare("hit", STAND, rolled(6), char="1", target="1")["number"]
    for player in (fight.cleo, fight.dora):
        ruling = player.does(f"/rulings/{number}/witness", status=200)
        assert (ruling["status"], ruling["changed"]) == ("standing", None)
        again = player.post(f"/rulings/{number}/witness")
        assert (again.status_code, again.json()["code"]) == (409, "witnessed-already")
    own = fight.ben.post(f"/rulings/{number}/witness", {})
    assert (own.status_code, own.json()["code"]) == (403, "nothing-to-witness")
    fight.gm.does(f"/rulings/{number}/dispute", {"reason": "a six?"}, 200)
    assert fight.gm.does(f"/rulings/{number}/witness", {}, 200)["status"] == "disputed"
    ruling = fight.ben.look(f"/rulings/{number}")
    assert ruling["answers"][1]["by"]["name"] == "Ben"
    told = [(one["decision"], one["by"]["name"], one["revision"]) for one in ruling["decisions"]]
    assert told == [
        ("witnessed", "Cleo", 0),
        ("witnessed", "Dora", 0),
        ("disputed", "Ann", 0),
        ("witnessed", "Ann", 0),
    ]
    correction = {"reason": "a five", "code": "entry", "answers": [None, rolled(5)]}
    fight.gm.does(f"/rulings/{number}/revise", correction, 200)
    witnessed = fight.ben.does(f"/rulings/{number}/witness", status=200)["decisions"][-1]
    assert (witnessed["by"]["name"], witnessed["revision"]) == ("Ben", 1), "of dice which Ann corrected"
    account = fight.dora.look("/characters/1/history", limit=500)["facts"]
    assert account[-1]["ruling"] == number and account[-1]["behind"]["reason"] == "a five"
    fight.gm.does(f"/rulings/{number}/overturn", {"reason": "no"}, 200)
    assert fight.cleo.post(f"/rulings/{number}/witness").status_code == 409
    assert fight.gm.look("/audit")["healthy"]


def test_the_ledgers_dice_need_no_witness(fight: Table) -> None:
    number = fight.ben.declare("hit", STAND, char="1", target="1")["number"]
    answer = fight.cleo.post(f"/rulings/{number}/witness")
    assert (answer.status_code, answer.json()["code"]) == (403, "nothing-to-witness")
    assert fight.cleo.post("/rulings/99/witness").status_code == 404
