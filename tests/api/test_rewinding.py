"""A rewind over HTTP: previewed, listed, sent, sealed, exported, proved; and what each reader sees of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.application.checks.dossier import verify_dossier
from tests.api.table import Json, Player, Service, Table
from tests.api.test_export import elsewhere, keep_views  # noqa: F401  (a fixture)
from tests.api.test_feed import listening
from tests.api.twins.attacks import Twins
from tests.api.twins.games import MOC
from tests.api.twins.places import NOW
from tests.waiting import wait_until


@pytest.fixture
def evening(table: Table) -> Table:
    """3: a session. 4: coins for Ben's character. 5: a blow. 6: Ben gives some. 7: some that Cleo cannot see."""
    table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.gm.declare("mint", to="1", coins=9)
    table.hit(5)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.gm.declare("mint", to="1", coins=1, hidden=True)
    return table


def rewind(table: Table, number: int = 5, **more: Any) -> Json:
    return table.gm.does(f"/rulings/{number}/rewind", {"reason": "We play it again.", **more}, 200)


def of_characters(player: Player, **query: Any) -> Any:
    shown = player.look("/state", **query)["characters"]
    return [{name: value for name, value in one.items() if name not in ("version", "at")} for one in shown]


TEXT = "Ann rewinds the game to before ruling 5: We play it again."


def test_it_is_previewed_and_saves_nothing(evening: Table) -> None:
    position = evening.position
    preview = rewind(evening, preview=True)
    assert (preview["without"], preview["through"], preview["rulings"]) == ([5], 7, [])
    changed = {one["subject"]: [field["field"] for field in one["fields"]] for one in preview["subjects"]}
    assert "state/harm" in changed["character:2"] and evening.position == position
    refused = evening.ben.post("/rulings/5/rewind", {"reason": "?", "preview": True})
    assert (refused.status_code, refused.json()["code"]) == (403, "not-yours")


def test_all_rulings_from_there_on_say_who_rewound_them(evening: Table) -> None:
    decided = rewind(evening)
    assert (decided["status"], decided["changed"]["through"]) == ("overturned", 7)
    for player in (evening.gm, evening.ben, evening.cleo, evening.dora):
        rows = player.look("/rulings")["rulings"]
        assert [(one["number"], one["status"]) for one in rows][-4:] == [
            (4, "standing"),
            (5, "overturned"),
            (6, "overturned"),
            (7, "overturned"),
        ]
        assert [one["text"] for row in rows[-3:] for one in row["decisions"]] == [TEXT] * 3
        assert rows[-3]["decisions"][0]["through"] == 7 and rows[-2]["decisions"][0]["cause"] == 5
        assert [one["number"] for one in player.look("/rulings", status="overturned")["rulings"]] == [5, 6, 7]
        (row,) = player.look("/decisions")["decisions"]
        assert (row["decision"], row["ruling"], row["through"], row["text"]) == ("rewound", 5, 7, TEXT)
        assert player.look("/rulings/6") == rows[-2]
    assert evening.gm.look("/audit")["differences"] == []


def test_what_everybody_has_is_what_it_was(evening: Table) -> None:
    at_4 = {player.id: of_characters(player, at=4) for player in (evening.gm, evening.ben, evening.cleo)}
    rewind(evening)
    for player in (evening.gm, evening.ben, evening.cleo):
        assert of_characters(player) == at_4[player.id]


def test_each_reader_shows_it(evening: Table) -> None:
    before = of_characters(evening.ben)
    rewind(evening)
    account = evening.gm.look("/accounts/character:1/coin")
    entries = account["entries"]
    assert [(one["ruling"], one["amount"]) for one in entries] == [(4, 9), (6, -4), (7, 1), (6, 4), (7, -1)]
    assert account["balance"] == 9
    then = {"at": 7, "as": "recorded"}
    assert [{**one, "as": "corrected"} for one in of_characters(evening.ben, **then)] == before
    replay = evening.gm.get("/sessions/3/replay", **{"as": "recorded"}).text.splitlines()
    frames = [json.loads(line) for line in replay][1:-1]
    assert [(one["did"], one["ruling"]["number"]) for one in frames][-1] == ("rewound", 5)
    facts = [one for one in evening.gm.look("/timeline", limit=100)["facts"] if one["ruling"] in (5, 6, 7)]
    assert facts and all(one["struck"] for one in facts)
    why = evening.gm.look("/characters/2/why/state/harm")
    assert [link["struck"] for link in why["chain"]][-1:] == [True]


def test_it_is_reinstated_as_one(evening: Table) -> None:
    before = of_characters(evening.gm)
    rewind(evening)
    alone = evening.gm.post("/rulings/6/reinstate", {"reason": "only this"})
    assert (alone.status_code, alone.json()["code"], alone.json()["context"]) == (
        409,
        "rewound-together",
        {"ruling": 6, "first": 5},
    )
    assert rewind_preview(evening)["through"] == 7
    evening.gm.does("/rulings/5/reinstate", {"reason": "It counts."}, 200)
    assert of_characters(evening.gm) == before
    assert evening.gm.look("/rulings", status="overturned")["rulings"] == []
    assert [one["decision"] for one in evening.gm.look("/rulings/7")["decisions"]] == ["rewound", "reinstated"]
    assert evening.gm.look("/accounts/character:1/coin")["balance"] == 6
    assert evening.gm.look("/audit")["differences"] == []


def rewind_preview(table: Table) -> Json:
    return table.gm.does("/rulings/5/reinstate", {"reason": "It counts.", "preview": True}, 200)


def test_everybody_is_sent_one_decision(evening: Table) -> None:
    with listening(evening.cleo) as feed:
        rewind(evening)
        wait_until(lambda: [data for _, kind, data in feed.events if kind == "decision"])
        (decision,) = [data for _, kind, data in feed.events if kind == "decision"]
    assert (decision["ruling"], decision["decision"], decision["text"], decision["through"]) == (5, "rewound", TEXT, 7)


@pytest.mark.parametrize("number", [5, 6])
def test_a_dossier_proves_it(evening: Table, number: int) -> None:
    rewind(evening)
    file = evening.ben.get(f"/rulings/{number}/dossier").content
    verified = verify_dossier(file)
    assert verified.dossier.ruling["decisions"][0]["text"] == TEXT
    streams = {one.stream for one in verified.dossier.entries}
    assert ("rewinds/rewinds" in streams) == (number == 6)
    with pytest.raises(Exception, match="signature"):
        verify_dossier(file.replace(b"We play it again.", b"We play it again!"))


def test_a_repeated_request_rewinds_once(evening: Table) -> None:
    key = {"Idempotency-Key": "again"}
    answers = [evening.gm.post("/rulings/5/rewind", {"reason": "so"}, key) for _ in range(2)]
    assert answers[0].content == answers[1].content and len(evening.gm.look("/decisions")["decisions"]) == 1


def test_what_a_seat_exports_names_no_subject_that_it_does_not_know(evening: Table) -> None:
    rewind(evening)
    for player in (evening.ben, evening.cleo):
        lines = [json.loads(line) for line in player.get("/export").text.splitlines()]
        assert any("rewinds/rewinds" in json.dumps(line) for line in lines)
    assert evening.cleo.get("/seal").status_code == 200


def test_it_waits_for_consent_like_an_overturning(table: Table) -> None:
    table.fighters()
    table.gm.declare("mint", to="1", coins=3)
    table.gm.does("/dials", {"consent": "affected", "reason": "We ask each other."})
    asked = table.gm.does("/rulings/3/rewind", {"reason": "again"}, 202)
    assert asked["text"] == "Ann wants to rewind the game to before ruling 3: again."
    while asked["status"] == "waiting":
        seat = next(
            player
            for player in (table.ben, table.cleo)
            if [one["id"] for one in player.look("/waiting", mine=True)["decisions"] if not one["said"]]
        )
        asked = seat.does(f"/waiting/{asked['id']}/consent", {"consent": True, "reason": "yes"}, 200)
    decision = table.gm.look("/rulings/3")["decisions"][-1]
    assert (decision["decision"], decision["by"]["name"], decision["consent"]["waited_as"]) == (
        "rewound",
        "Ann",
        asked["id"],
    )
    assert table.gm.look("/audit")["differences"] == []


def test_an_import_has_the_rewind_and_can_put_it_back(
    evening: Table,
    elsewhere: Service,  # noqa: F811
    postgres: Any,
) -> None:
    rewind(evening)
    file = evening.service.send("GET", f"/campaigns/{evening.id}/export", evening.service.operator).content
    if not file.startswith(b"{"):
        pytest.fail(file[:200].decode())
    headers = {**elsewhere.operator, "Content-Type": "application/jsonl"}
    made = elsewhere.send("POST", "/campaigns/import", headers, content=file)
    assert made.status_code == 201, made.text
    keep_views(postgres)
    token = made.json()["seat"]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    there = elsewhere.send("GET", f"/campaigns/{evening.id}/rulings?status=overturned", headers).json()
    assert [one["number"] for one in there["rulings"]] == [5, 6, 7]
    put_back = elsewhere.send(
        "POST",
        f"/campaigns/{evening.id}/rulings/5/reinstate",
        {**headers, "Idempotency-Key": "1"},
        json={"reason": "so"},
    )
    assert put_back.status_code == 200, put_back.text


def test_lists_and_search_find_it(evening: Table) -> None:
    rewind(evening)
    assert len(evening.gm.look("/decisions", decision="rewound", seat="s1")["decisions"]) == 1
    landmarks = evening.gm.look("/landmarks")["landmarks"]
    assert [one["text"] for one in landmarks if one["what"] == "decision"] == [TEXT]
    assert [one["number"] for one in evening.cleo.look("/rulings", q="play it again")["rulings"]] == [5]


def test_a_hidden_ruling_goes_with_its_range_and_nobody_else_learns_of_it(service: Service) -> None:
    """12: Ben nominates a character of Cleo's, 2 or 11; only he and the game master see that ruling."""
    (nomination,) = [secret for secret in MOC if secret.name == "a nomination"]
    twins = Twins(service, nomination)
    gm, cleo = twins.tables[0].gm, twins.tables[0].cleo
    for preview in (True, False):
        refused = gm.post("/rulings/12/rewind", {"reason": "again", "preview": preview})
        assert (refused.status_code, refused.json()["code"]) == (409, "rewind-hidden")
    before = [row["number"] for row in cleo.look("/rulings", limit=50)["rulings"]]
    for path, body in (("rewind", {"reason": "again"}), ("reinstate", {"reason": "it counts"})):
        twins.master(f"/rulings/10/{path}", body)
        status = "overturned" if path == "rewind" else "standing"
        assert {gm.look(f"/rulings/{number}")["status"] for number in (10, 11, 12, 13)} == {status}
        rows = cleo.look("/rulings", limit=50)["rulings"]
        assert [row["number"] for row in rows] == before
        assert {row["status"] for row in rows if row["number"] in (10, 11, 13)} == {status}
        for who in range(len(twins.attackers)):
            for place in (*NOW, "/decisions", "/landmarks", "/rulings/12", "/what-if?without=12"):
                twins.send(who, "GET", place)  # raises Found if they differ
            twins.send(who, "POST", "/rulings/12/rewind", {"reason": "again"})
    assert gm.look("/audit")["differences"] == []
