"""Taking back over HTTP: what is answered, refused, listed and sent; and the steps that had followed."""

from __future__ import annotations

import pytest

from tests.api.table import Json, Service, Table, rolled
from tests.api.test_following import ACT, MISSED, Leap


@pytest.fixture
def coins(table: Table) -> Table:
    """3: coins for Ben's character. 4: Ben gives some away."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)
    table.ben.declare("give", char="1", to="2", coins=2)
    return table


def balance(table: Table, id: str) -> Json:
    return {row["account"]: row["balance"] for row in table.gm.look(f"/characters/{id}")["balances"]}


def test_one_request_takes_it_back_and_everybody_hears_of_it(coins: Table) -> None:
    preview = coins.ben.does("/rulings/4/take-back", {"preview": True}, 200)
    assert preview["without"] == [4] and preview["findings"] == []
    decided = coins.ben.does("/rulings/4/take-back", {"reason": "I meant one."}, 200)
    assert (decided["status"], decided["changed"]["without"]) == ("overturned", [4])
    text = "Ben takes back ruling 4: I meant one."
    assert [one["text"] for one in decided["decisions"]] == [text]
    for player in (coins.gm, coins.cleo, coins.dora):
        (row,) = player.look("/decisions")["decisions"]
        assert (row["decision"], row["ruling"], row["text"]) == ("taken-back", 4, text)
        assert player.look("/decisions", decision="taken-back")["decisions"] == [row]
        assert player.look("/rulings/4")["status"] == "overturned"
    assert coins.gm.look("/audit")["differences"] == []
    assert coins.gm.look("/rulings", status="overturned")["rulings"][0]["number"] == 4
    again = coins.ben.post("/rulings/4/take-back")
    assert (again.status_code, again.json()["code"]) == (409, "wrong-status")


def test_no_body_is_needed_and_a_repeated_request_gets_the_same_answer(coins: Table) -> None:
    key = {"Idempotency-Key": "slip"}
    first, second = (coins.ben.post("/rulings/4/take-back", None, key) for _ in range(2))
    assert first.status_code == 200 and first.content == second.content
    assert len(coins.gm.look("/decisions")["decisions"]) == 1


@pytest.mark.parametrize("who", ["cleo", "gm", "dora"])
def test_nobody_takes_back_what_another_declared(coins: Table, who: str) -> None:
    answer = getattr(coins, who).post("/rulings/4/take-back", {})
    assert (answer.status_code, answer.json()["code"], answer.json()["context"]) == (403, "not-declarer", {"ruling": 4})
    assert "dispute ruling 4" in answer.json()["detail"]


def test_once_the_game_has_gone_on_the_answer_says_what_to_do(coins: Table) -> None:
    coins.cleo.declare("give", char="2", to="1", coins=1)
    answer = coins.ben.post("/rulings/4/take-back", {}).json()
    assert (answer["code"], answer["detail"]) == (
        "played-on",
        "The game has moved on since ruling 4. To ask for a decision, dispute ruling 4.",
    )
    disputed = coins.ben.does("/rulings/4/dispute", {"reason": "I meant one."}, 200)
    assert disputed["status"] == "disputed"


def test_a_seat_that_saw_another_version_takes_nothing_back(coins: Table) -> None:
    stale = coins.ben.post("/rulings/4/take-back", {}, {"If-Match": '"9"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "precondition-failed")


def test_the_ledgers_dice_are_not_rolled_again(table: Table) -> None:
    table.fighters()
    number = table.ben.declare("hit", {"choice": {"kind": "stand"}}, rolled(3), char="1", target="1")["number"]
    assert table.ben.post(f"/rulings/{number}/take-back", {}).status_code == 200
    asked = table.ben.does("/rulings", {"declare": {"kind": "sneak", "char": "1"}, "dice": "ledger"})
    answer = table.ben.post(f"/rulings/{asked['number']}/take-back", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "dice-rolled")


def test_steps_that_followed_go_with_it_also_those_that_wait(service: Service) -> None:
    leap = Leap(service)
    acted = leap.leaps(dice="table")
    number, (done, asked) = acted["number"], acted["followed"]
    step = leap.ben.post(f"/rulings/{done['ruling']}/take-back", {}).json()
    assert (step["code"], step["context"]["first"]) == ("followed-automatically", number)
    state = leap.gm.look("/state")
    decided = leap.ben.does(f"/rulings/{number}/take-back", {}, 200)
    assert [one["also"] for one in decided["decisions"]] == [[done["ruling"]]]
    waited = leap.gm.look(f"/waiting/{asked['waiting']}")
    assert (waited["status"], waited["reason"]) == ("withdrawn", f"Ruling {number} was taken back.")
    assert leap.gm.look("/waiting")["waiting"] == [] and leap.gm.look("/state") != state
    assert leap.gm.look("/audit")["differences"] == []
    assert leap.leaps(dice="table")["number"] == done["ruling"] + 1  # Ben acts again


def test_a_step_for_which_the_ledger_rolled_stays(service: Service) -> None:
    leap = Leap(service)
    number = leap.leaps()["number"]
    answer = leap.ben.post(f"/rulings/{number}/take-back", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "dice-rolled")


def test_an_answer_since_then_keeps_it(service: Service) -> None:
    leap = Leap(service)
    acted = leap.ben.does("/rulings", {"declare": ACT, "dice": "table"})
    leap.answers(leap.ben, acted["followed"][-1]["waiting"], MISSED, 201)
    answer = leap.ben.post(f"/rulings/{acted['number']}/take-back", {})
    assert answer.json()["code"] == "played-on"
