"""What is otherwise between two places, over HTTP: in words, with the rulings that did it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.table import Json, Player, Table


@pytest.fixture
def evening(table: Table) -> Table:
    """1, 2: two fighters; 3: 6 harm, overturned at last; 4: 5 harm; 5: five coins; 6: a secret; 7, 8: a scene."""
    table.fighters()
    table.hit(6)
    table.hit(5)
    table.gm.declare("mint", to="1", coins=5)
    table.gm.declare("mint", to="2", coins=55, hidden=True)
    table.gm.does("/scenes", {"title": "The bridge", "cast": ["1"]})
    table.gm.does("/scenes/7/close", {})
    table.gm.does("/rulings/3/overturn", {"reason": "out of reach"}, 200)
    return table


def diff(player: Player, **query: Any) -> Json:
    return player.look("/diff", **query)


def fields(told: Json) -> dict[tuple[str, str], Json]:
    return {(one["subject"], field["field"]): field for one in told["subjects"] for field in one["fields"]}


def test_from_one_ruling_to_another(evening: Table) -> None:
    told = diff(evening.ben, **{"from": 3, "to": 5})
    assert (told["from"], told["to"]) == ({"at": 3, "as": "corrected"}, {"at": 5, "as": "corrected"})
    assert fields(told) == {
        ("character:2", "state/harm"): {
            "field": "state/harm",
            "before": 0,
            "after": 5,
            "rulings": [4],
            "text": "Celia: harm changed from 0 to 5.",
        },
        ("character:1", "balances/character:1~1coin"): {
            "field": "balances/character:1~1coin",
            "after": 5,
            "rulings": [5],
            "text": "Bruno: coin is now 5.",
        },
    }
    assert [one["number"] for one in told["rulings"]] == [4, 5]
    assert told["rulings"][0] == {
        "number": 4,
        "status": "standing",
        "by": {"seat": "s2", "name": "Ben"},
        "text": "Bruno hits Celia: Celia is hurt for 5.",
    }


def test_by_one_clock_or_the_other(evening: Table) -> None:
    recorded = fields(diff(evening.ben, **{"from": 2, "to": 4, "as": "recorded"}))["character:2", "state/harm"]
    assert (recorded["before"], recorded["after"], recorded["rulings"]) == (0, 11, [3, 4])
    since = fields(diff(evening.ben, **{"from": 8, "as": "recorded"}))["character:2", "state/harm"]
    assert (since["before"], since["after"], since["rulings"]) == (11, 5, [3])


def test_both_clocks_at_one_place(evening: Table) -> None:
    told = diff(evening.ben, at=4)
    assert (told["from"], told["to"]) == ({"at": 4, "as": "recorded"}, {"at": 4, "as": "corrected"})
    (harm,) = fields(told).values()
    assert (harm["before"], harm["after"], harm["rulings"]) == (11, 5, [3])
    assert told["rulings"][0]["status"] == "overturned"
    assert diff(evening.ben, at=2)["subjects"] == []


def test_back_again_is_the_same_the_other_way_round(evening: Table) -> None:
    there, back = (fields(diff(evening.gm, **{"from": a, "to": b})) for a, b in ((2, 7), (7, 2)))
    assert there.keys() == back.keys()
    for place, one in there.items():
        assert (one.get("before"), one.get("after")) == (back[place].get("after"), back[place].get("before"))
        assert one["rulings"] == back[place]["rulings"]


def test_what_comes_and_goes_is_told_whole(evening: Table) -> None:
    opened = fields(diff(evening.ben, **{"from": 6, "to": 7}))["scene:7", ""]
    assert opened["after"]["title"] == "The bridge" and "before" not in opened and opened["rulings"] == [7]
    closed = fields(diff(evening.ben, **{"from": 7, "to": 8}))["scene:7", ""]
    assert "after" not in closed and closed["text"] == "The bridge no longer exists."


def test_who_may_not_know_a_ruling_is_told_of_nothing_it_did(evening: Table) -> None:
    wanted = {"from": 5, "to": 6}
    assert diff(evening.ben, **wanted)["subjects"] == [] == diff(evening.ben, **wanted)["rulings"]
    assert [one["number"] for one in diff(evening.cleo, **wanted)["rulings"]] == [6]


def test_since_when_rulings_are_named(evening: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.documents.doings.MOST_RULINGS", 2)
    told = diff(evening.ben, **{"from": 1, "to": 5})
    assert told["since"] == 4
    assert fields(told)["character:2", ""]["rulings"] == []
    assert fields(told)["character:1", "balances/character:1~1coin"]["rulings"] == [5]


@pytest.mark.parametrize(
    ("query", "pointers"),
    [
        ({}, ["/query/from"]),
        ({"to": 3}, ["/query/from"]),
        ({"at": 3, "from": 2}, ["/query/from"]),
        ({"at": 3, "to": 2, "as": "recorded"}, ["/query/to", "/query/as"]),
        ({"from": "yesterday"}, ["/query/from"]),
        ({"from": 1, "as": "known"}, ["/query/as"]),
        ({"from": 1, "until": 2}, ["/query/until"]),
    ],
)
def test_two_places_or_one_by_both_clocks(evening: Table, query: Json, pointers: list[str]) -> None:
    answer = evening.ben.get("/diff", **query)
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json()["errors"]] == pointers


def test_places_there_are_not(evening: Table) -> None:
    assert evening.ben.get("/diff", **{"from": 99}).json()["code"] == "ruling-not-found"
    assert evening.ben.get("/diff", **{"from": "2001-01-01T00:00:00Z"}).json()["code"] == "not-open-yet"
