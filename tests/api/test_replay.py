"""A session replayed: every ruling once, what it changed, for each viewer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from projections.documents import replays
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


# --- as it was played ---


def test_as_recorded_it_is_told_as_it_was_answered(table: Table) -> None:
    """What was decided in the session stands in its place; what was decided later is not in it."""
    table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    hit = table.hit(6)
    after_the_hit = table.position
    disputed = table.cleo.does(f"/rulings/{hit['number']}/dispute", {"reason": "He missed."}, 200)
    other = table.hit(5)
    overturned = table.gm.does(f"/rulings/{hit['number']}/overturn", {"reason": "She is right."}, 200)
    table.gm.does("/sessions/3/close")
    table.gm.does(f"/rulings/{other['number']}/overturn", {"reason": "out of reach"}, 200)
    header, frames, _ = replay(table.cleo, "3", **{"as": "recorded"})
    assert (header["as"], header["position"]) == ("recorded", table.position)
    assert [(one["did"], one["ruling"]["number"]) for one in frames] == [
        ("ruled", 3),
        ("ruled", 4),
        ("disputed", 4),
        ("ruled", 5),
        ("overturned", 4),
        ("ruled", 6),
    ]
    assert [one["ruling"] for one in frames[1:4]] == [hit, {k: disputed[k] for k in hit}, other]
    assert frames[4]["ruling"] == {name: overturned[name] for name in hit}
    assert frames[1]["position"] == after_the_hit
    assert [harms(one) for one in frames] == [[], [(0, 6)], [], [(6, 11)], [(11, 5)], []]
    corrected = replay(table.cleo)[1]
    assert [(one["did"], one["ruling"]["number"]) for one in corrected] == [("ruled", n) for n in (3, 4, 5, 6)]
    assert [harms(one) for one in corrected] == [[]] * 4


def harms(frame: Json) -> list[tuple[int, int]]:
    """What becomes of Celia's harm in it."""
    fields = [field for one in frame["changed"] for field in one["fields"] if field["field"] == "state/harm"]
    return [(field["before"], field["after"]) for field in fields]


def test_a_part_of_it_as_recorded(evening: Table) -> None:
    """What was decided after a ruling, and before the next, belongs to it."""
    evening.gm.does("/sessions", {"title": "On"})
    evening.gm.does("/rulings/4/dispute", {"reason": "hm"}, 200)
    evening.gm.declare("mint", to="1", coins=1)
    told = replay(evening.ben, "10", **{"from": 10, "to": 10, "as": "recorded"})[1]
    assert [(one["did"], one["ruling"]["number"]) for one in told] == [("ruled", 10), ("disputed", 4)]
    assert [one["did"] for one in replay(evening.ben, "10", **{"from": 11, "as": "recorded"})[1]] == ["ruled"]


def test_a_session_whose_opening_was_overturned_is_still_told_as_it_was_played(evening: Table) -> None:
    evening.gm.does("/rulings/3/overturn", {"reason": "It was no session."}, 200)
    assert evening.ben.get("/sessions/3/replay").status_code == 404
    header, frames, _ = replay(evening.ben, "3", **{"as": "recorded"})
    assert (header["title"], frames[0]["ruling"]["status"]) == ("The bridge", "standing")


def test_a_long_stretch_is_told_as_a_short_one_is(evening: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Aside, so that nobody waits for it; portion by portion."""
    whole = {clock: replay(evening.cleo, "3", **{"as": clock}) for clock in ("recorded", "corrected")}
    monkeypatch.setattr(replays, "AT_ONCE", 2)
    assert {clock: replay(evening.cleo, "3", **{"as": clock}) for clock in whole} == whole


def test_secret_decisions_are_left_out(evening: Table) -> None:
    """Ruling 7 hides all it did from Ben."""
    for player in (evening.ben, evening.cleo):
        told = replay(player, "3", **{"as": "recorded"})[1]
        assert ("55" in json.dumps(told[4]["changed"])) == (player is evening.cleo)
