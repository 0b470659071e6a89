"""What one seat may not see is in no answer to it, and not between the lines."""

from __future__ import annotations

import pytest

from tests.api.table import Player, Table


@pytest.fixture
def secret(table: Table) -> Table:
    """3: 4100417 coins for Ben's character, hidden from everybody but him and the game master."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=4100417, hidden=True)
    return table


def seen_by(player: Player, *paths: str) -> str:
    return " ".join(player.get(path).text for path in paths)


LOOKS = (
    "/rulings",
    "/rulings/3",
    "/characters/1",
    "/accounts",
    "/what-if?without=3",
    "/what-if?without=1",
    "/findings",
    "",
)


def test_who_may_see_it_does(secret: Table) -> None:
    for player in (secret.gm, secret.ben):
        assert player.look("/rulings/3")["facts"][0]["fact"] == {"coins": 4100417}
        assert player.look("/characters/1")["balances"][0]["balance"] == 4100417
        assert player.look("/what-if", without="3")["subjects"][0]["fields"][0]["before"] == 4100417


def test_nobody_else_sees_any_of_it(secret: Table) -> None:
    for player in (secret.cleo, secret.dora):
        ruling = player.look("/rulings/3")
        assert ruling["declared"] == {"kind": "mint"}, "that there is a ruling is public"
        assert (ruling["facts"], ruling["because"], ruling["answers"]) == ([], [], [])
        assert player.look("/characters/1")["balances"] == []
        assert player.look("/accounts")["accounts"] == []
        assert player.look("/what-if", without="3")["subjects"] == []
        assert player.look("/rulings", character="1")["rulings"][-1]["number"] == 1
        assert player.look("/rulings", rule="toy.coins")["rulings"] == []
        assert "4100417" not in seen_by(player, *LOOKS)
        assert "coin" not in seen_by(player, *LOOKS)


def test_spending_it_openly_does_not_tell_how_much_is_left(secret: Table) -> None:
    secret.ben.declare("give", char="1", to="2", coins=300300)
    assert secret.cleo.look("/accounts")["accounts"] == [
        {"account": "character:2/coin", "unit": "coin", "balance": 300300, "owner": "character:2", "name": "Celia"}
    ]
    assert secret.ben.look("/characters/1")["balances"][0]["balance"] == 3800117
    assert "3800117" not in seen_by(secret.cleo, *LOOKS)


def test_overturning_it_stays_between_those_who_knew(secret: Table) -> None:
    secret.ben.declare("give", char="1", to="2", coins=300300)
    preview = {"reason": "no", "preview": True}
    told = secret.gm.does("/rulings/3/overturn", preview, 200)
    assert {one["kind"] for one in told["findings"]} == {"loses support", "overdrawn"}
    secret.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    assert {one["kind"] for one in secret.ben.look("/findings")["findings"]} == {"loses support", "overdrawn"}
    for player in (secret.cleo, secret.dora):
        assert [one["kind"] for one in player.look("/findings")["findings"]] == ["loses support"]
        assert "character:1/coin" not in player.get("/findings").text
        assert "-300300" not in seen_by(player, "/findings", "/accounts", "", "/characters/1")
    secret.gm.does("/rulings/3/reinstate", {"reason": "yes"}, 200)
    assert "4100417" not in seen_by(secret.cleo, *LOOKS)


def test_a_hidden_difference_is_none_for_who_may_not_see_it(table: Table) -> None:
    """Without the enrolment the hidden ruling loses its support; that much everybody may know."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=4100417, hidden=True)
    rows = table.cleo.look("/what-if", without="1")["rulings"]
    assert [(row["number"], row["standpoint"]) for row in rows] == [(2, "stands"), (3, "loses support")]
    assert rows[1]["now"] == {"facts": [], "because": [], "refusal": None, "question": None}


def test_who_takes_the_character_over_sees_what_its_player_sees(secret: Table) -> None:
    secret.ben.does("/characters/1/hand-over", {"seat": "s3"})
    assert secret.cleo.look("/characters/1")["balances"][0]["balance"] == 4100417
    assert secret.ben.look("/characters/1")["balances"] == []


def test_no_problem_echoes_what_was_sent(table: Table) -> None:
    """Tokens end up in wrong places; answers do not carry them further."""
    token = table.gm.token
    table.fighters()
    for body in (
        {"declare": {"kind": "mint", "to": "1", "coins": token}},
        {"declare": {"kind": "mint", "to": "1", "coins": 1, token: 1}},
        {"declare": {"kind": token}},
        {"declare": {"kind": "amend", "subject": "character:1", "field": "harm", "value": token, "reason": "x"}},
        {"declare": {"kind": "set-dial", "name": "die", "value": token, "reason": "x"}},
        {"declare": {"kind": "hit", "char": "1", "target": "2"}, "answers": [{token: 1}]},
        {"declare": {"kind": "hit", "char": "1", "target": "2"}, "dice": token},
        {token: 1},
        token,
    ):
        answer = table.ben.post("/rulings", body)
        assert answer.status_code in (403, 422)
        assert token not in answer.text
        answer = table.gm.post("/rulings", body)
        assert answer.status_code in (403, 422)
