"""A session replayed: every ruling once, what it changed, for each viewer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.table import Json, Player, Table


@pytest.fixture
def evening(table: Table) -> Table:
    """Session 3 with rulings 3 to 8 (7 is secret, 8 closes it); 5 was overturned."""
    table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.hit(6)
    table.hit(5)
    table.gm.declare("mint", to="1", coins=3)
    table.gm.declare("mint", to="2", coins=55, hidden=True)
    table.gm.does("/sessions/3/close")
    table.gm.declare("mint", to="1", coins=9)
    table.gm.does("/rulings/5/overturn", {"reason": "out of reach"}, 200)
    return table


def replay(player: Player, session: str = "3", **query: Any) -> tuple[Json, list[Json], Json]:
    response = player.get(f"/sessions/{session}/replay", **query)
    assert response.status_code == 200, response.text
    header, *frames, trailer = map(json.loads, response.text.splitlines())
    return header, frames, trailer


def test_a_session_frame_by_frame(evening: Table) -> None:
    header, frames, trailer = replay(evening.cleo)
    assert (header["format"], header["session"], header["title"]) == ("campaign-ledger/replay", "3", "The bridge")
    assert header["position"] == evening.position
    assert trailer == {"frames": len(frames)}
    assert [one["ruling"]["number"] for one in frames] == [3, 4, 5, 6, 7, 8]
    assert frames[1]["changed"] == [
        {"subject": "character:2", "name": "Celia", "fields": [{"field": "state/harm", "before": 0, "after": 6}]}
    ]
    assert (frames[2]["ruling"]["status"], frames[2]["changed"]) == ("overturned", [])
    assert frames[1]["ruling"] == evening.cleo.look("/rulings")["rulings"][3]
    coins = {"field": "balances/character:1~1coin", "before": None, "after": 3}
    assert coins in frames[3]["changed"][0]["fields"]


def test_each_viewer_sees_what_is_for_them(evening: Table) -> None:
    assert "55" in json.dumps(replay(evening.cleo)[1][4]["changed"])
    assert "55" in json.dumps(replay(evening.gm)[1][4]["ruling"]["facts"])
    secret = replay(evening.ben)[1][4]
    assert (secret["changed"], secret["ruling"]["facts"], secret["ruling"]["declared"]) == ([], [], {"kind": "mint"})


def test_a_part_of_it(evening: Table) -> None:
    assert [one["ruling"]["number"] for one in replay(evening.ben, "3", **{"from": 5, "to": 6})[1]] == [5, 6]
    assert replay(evening.ben, "3", **{"from": 9})[1] == []


@pytest.mark.parametrize(("session", "status"), [("4", 404), ("x", 404), ("1", 404)])
def test_there_is_no_such_session(evening: Table, session: str, status: int) -> None:
    assert evening.ben.get(f"/sessions/{session}/replay").status_code == status
