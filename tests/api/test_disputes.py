"""A dispute waits for whoever decides, until it is decided: in what waits, in the state, in the feed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.table import Json, Player, Service, Table
from tests.api.test_feed import Feed, listening
from tests.waiting import wait_until


@pytest.fixture
def coins(table: Table) -> Table:
    """3, 4: coins everybody sees; 5: some that only the game master does."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)
    table.gm.declare("mint", to="2", coins=4)
    table.gm.declare(
        "adjust", source="bank/coin", target="character:1/coin", unit="coin", amount=1, reason="a bribe", seen_by=["gm"]
    )
    return table


def dispute(player: Player, number: int, reason: str = "There were none.") -> None:
    player.does(f"/rulings/{number}/dispute", {"reason": reason}, 200)


def waiting(player: Player, **query: Any) -> list[int]:
    return [one["ruling"] for one in player.look("/waiting", **query)["disputes"]]


def test_a_dispute_waits_for_who_decides(coins: Table) -> None:
    dispute(coins.cleo, 4)
    dispute(coins.ben, 3, "Too few.")
    (one, _) = coins.dora.look("/waiting")["disputes"]
    told = coins.dora.look("/rulings/3")
    assert one == {
        "ruling": 3,
        "text": told["text"],
        "reason": "Too few.",
        "by": {"seat": "s2", "name": "Ben"},
        "at": told["decisions"][0]["at"],
    }
    for player in (coins.gm, coins.ben, coins.dora):
        assert waiting(player) == [3, 4]
        assert player.look("/state")["disputes"] == player.look("/waiting")["disputes"]
    assert waiting(coins.gm, mine=True) == [3, 4]
    assert waiting(coins.ben, mine=True) == waiting(coins.dora, mine=True) == []


DECIDED: dict[str, Json] = {
    "uphold": {"reason": "It stays."},
    "overturn": {"reason": "So it is."},
    "revise": {"reason": "Two.", "code": "entry", "declare": {"kind": "mint", "to": "1", "coins": 2}},
}


@pytest.mark.parametrize("decision", DECIDED)
def test_it_waits_until_it_is_decided(coins: Table, decision: str) -> None:
    dispute(coins.cleo, 3)
    coins.gm.does(f"/rulings/3/{decision}", DECIDED[decision], 200)
    assert waiting(coins.gm) == []
    if decision == "overturn":
        coins.gm.does("/rulings/3/reinstate", {"reason": "no"}, 200)
    dispute(coins.cleo, 3, "Still.")
    assert waiting(coins.gm) == [3]


def test_what_else_befalls_the_ruling_leaves_it_or_not(coins: Table) -> None:
    """Ruled again because of another it stays disputed; overturned together with another it does not."""
    coins.ben.declare("give", char="1", to="2", coins=3)
    dispute(coins.cleo, 6)
    dispute(coins.cleo, 4)
    coins.gm.does("/rulings/3/overturn", {"reason": "none", "settle": "rerule"}, 200)
    assert waiting(coins.cleo) == [4, 6]
    coins.gm.does("/rulings/3/reinstate", {"reason": "some"}, 200)
    coins.gm.does("/rulings/3/overturn", {"reason": "none", "also": [4]}, 200)
    assert waiting(coins.cleo) == [6]


def test_one_about_what_is_hidden_waits_for_who_may_know(coins: Table) -> None:
    dispute(coins.gm, 5, "He never took it.")
    assert waiting(coins.gm, mine=True) == [5]
    known = coins.ben.get("/rulings/5").status_code == 200
    assert waiting(coins.ben) == ([5] if known else [])
    assert "bribe" not in coins.ben.get("/waiting").text


def test_where_all_players_decide_it_waits_for_all_of_them(service: Service) -> None:
    table = Table(service, deciders="all_players")
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)
    dispute(table.cleo, 3)
    assert [waiting(one, mine=True) for one in (table.gm, table.ben, table.dora)] == [[3], [3], []]


def test_who_decides_is_told_live(coins: Table) -> None:
    with listening(coins.gm) as feed, listening(coins.dora) as other:
        dispute(coins.cleo, 4)
        told = until(feed, [4])
        assert "Ann has to decide the dispute about ruling 4." in told["text"]
        coins.gm.does("/rulings/4/uphold", {"reason": "as it was"}, 200)
        until(feed, [])
        other.until_it_says(lambda data: data.get("decision") == "upheld")
        assert not [turn for _, turn in other.moves if turn["disputes"]]


def until(feed: Feed, disputes: list[int]) -> Json:
    """The first turn told last that has these."""
    wait_until(lambda: feed.moves and feed.moves[-1][1]["disputes"] == disputes, lambda: feed.moves)
    return feed.moves[-1][1]
