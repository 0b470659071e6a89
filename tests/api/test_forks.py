"""A fork: a campaign that goes on from a place in another one, with the same people, and dice of its own."""

from __future__ import annotations

import io
import uuid
from typing import Any

import pytest

from ledger.application import Ledger, verify_seal
from ledger.application.reading.export_reader import read_export
from ledger.events.merkle import verify_consistency
from tests.api.table import HIT, Json, Player, Service, Table
from tests.api.test_export import bring, elsewhere, keep_views

__all__ = ["elsewhere"]  # a fixture


def forked(gm: Player, at: int, **more: Any) -> Table:
    """The fork, with everybody's seat claimed that was there."""
    made = gm.does("/fork", {"at": at, **more})
    return entered(gm.table, made)


def entered(table: Table, made: Json) -> Table:
    fork = object.__new__(Table)
    fork.service, fork.id = table.service, made["id"]
    fork.gm = Player(fork, made["seat"]["id"], made["seat"]["token"])
    for name in ("ben", "cleo", "dora"):
        player: Player = getattr(table, name)
        setattr(fork, name, claimed(fork, player) if player.id in made["origin"]["unclaimed"] else None)
    return fork


def claimed(fork: Table, player: Player) -> Player:
    answer = fork.service.send("POST", f"/campaigns/{fork.id}/claim", player.bearer)
    assert answer.status_code == 200, answer.text
    return Player(fork, player.id, answer.json()["token"])


@pytest.fixture
def played(table: Table) -> Table:
    """Sessions, ledger dice, entropy, an overturning, something that waits, something secret: seven rulings."""
    ada, _ = table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.hit(6)
    table.hit(5)
    table.gm.declare("mint", to=ada, coins=3)
    table.ben.does("/seats/s2/entropy", {"value": "Bruno's lucky number"})
    table.gm.declare("mint", to=ada, coins=4, hidden=True)
    return table


def test_a_fork_is_the_campaign_as_it_stood_before_the_next_ruling(played: Table) -> None:
    """With what was decided by then, and what waited; what came later is not in it, and the origin is as it was."""
    played.gm.does("/rulings/4/overturn", {"reason": "out of reach"}, 200)
    waiting = played.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
    seats = ("gm", "ben", "cleo", "dora")
    before = {name: getattr(played, name).look("/state") for name in seats}
    at, position = played.gm.look()["rulings"], played.position
    played.gm.declare("mint", to="1", coins=9)
    played.gm.does("/rulings/4/reinstate", {"reason": "it was not"}, 200)
    played.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "stand"}}}, 202)
    seal = played.gm.look("/seal")
    fork = forked(played.gm, at)
    assert played.gm.look("/seal") == seal
    for name in seats:
        state = getattr(fork, name).look("/state")
        assert {key for key in state if state[key] != before[name][key]} == {"campaign"}, name
        own, stood = state["campaign"], before[name]["campaign"]
        assert {key for key in own if own[key] != stood[key]} <= {"id", "name", "position", "origin"}
    told = fork.gm.look()
    assert told["name"] == f"A table, from ruling {at}"
    assert {name: told["origin"][name] for name in ("campaign", "name", "at", "position", "unclaimed")} == {
        "campaign": played.id,
        "name": "A table",
        "at": at,
        "position": position,
        "unclaimed": [],
    }
    assert played.gm.look()["origin"] is None
    fork.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "stand"}}}, 202)
    made = fork.ben.does(f"/waiting/{waiting}/answers", {"answer": {"dice": {"sides": 6, "faces": [3]}}})
    assert made["number"] == at + 1
    for player in (fork.gm, fork.ben):
        audit = player.look("/audit")
        assert (audit["differences"], audit["rulings"]) == ([], at + 1)


def test_the_origins_seal_is_the_beginning_of_the_forks(played: Table) -> None:
    """Whoever kept a seal of the origin, however old, proves with it that the fork grew from that record."""
    old = played.ben.look("/seal")
    played.hit(4)
    fork = forked(played.gm, 8)
    fork.hit(2)
    seal, origin = fork.cleo.look("/seal"), fork.gm.look()["origin"]
    signed = verify_seal(origin["checkpoint"], bytes.fromhex(origin["public_key"]))
    assert (signed.campaign, signed.count, signed.root.hex()) == (played.id, origin["count"], origin["root"])
    assert played.ben.look(f"/seal/since/{origin['count']}")["first_root"] == origin["root"]
    for count, root in ((old["count"], old["root"]), (origin["count"], origin["root"])):
        grown = fork.cleo.look(f"/seal/since/{count}")
        assert (grown["first_root"], grown["second_root"]) == (root, seal["root"])
        proof = [bytes.fromhex(one) for one in grown["proof"]]
        assert verify_consistency(count, seal["count"], proof, bytes.fromhex(root), bytes.fromhex(seal["root"]))
    assert played.ben.look("/seal")["root"] != seal["root"]


def test_a_fork_as_a_file(played: Table) -> None:
    fork = forked(played.gm, 7)
    fork.hit(2)
    again = forked(fork.gm, 8, name="Once more")
    again.hit(1)
    for table, origins in ((fork, [played]), (again, [played, fork])):
        for player in (table.gm, table.cleo):
            export = read_export(io.BytesIO(player.get("/export").content))
            assert [one.campaign for one in export.origins] == [one.id for one in origins]
            assert export.is_complete == (player is table.gm)
            for origin in origins:
                end = next(one.events for one in export.origins if one.campaign == origin.id)
                sealed = origin.gm.look(f"/seal/since/{end}")["first_root"]
                assert sealed == next(one.root for one in export.origins if one.campaign == origin.id)
            seal = table.gm.look("/seal")
            assert export.trailer.root == seal["root"]
    assert again.gm.look()["name"] == "Once more"
    assert [one["ruling"] for one in again.gm.look("/timeline", limit=500)["facts"]][-1] == 9


@pytest.mark.slow
def test_taken_in_elsewhere(played: Table, elsewhere: Service, postgres: Any) -> None:
    """Verified as far as it can be where its origin is not, and said; by the origin's record once that is there."""
    fork = forked(played.gm, 6)
    fork.hit(2)
    file, first = fork.gm.get("/export").content, played.gm.get("/export").content
    told = bring(elsewhere, file, query={"dry-run": "true"}).json()["origins"]
    origin = fork.gm.look()["origin"]
    assert [{name: one[name] for name in ("campaign", "at", "count", "root")} for one in told] == [
        {name: origin[name] for name in ("campaign", "at", "count", "root")}
    ]
    assert [one["proved"] for one in told] == [False]
    assert bring(elsewhere, first).status_code == 201
    assert [one["proved"] for one in bring(elsewhere, file, query={"dry-run": "true"}).json()["origins"]] == [True]
    made = bring(elsewhere, file)
    assert made.status_code == 201, made.text
    keep_views(postgres)
    there = object.__new__(Table)
    there.service, there.id = elsewhere, fork.id
    gm = Player(there, "s1", made.json()["seat"]["token"])
    for path in ("", "/rulings", "/timeline", "/characters/1", "/waiting", "/accounts", "/dice"):
        assert gm.look(path) == fork.gm.look(path), path
    assert gm.look("/seal")["root"] == fork.gm.look("/seal")["root"]
    assert gm.look(f"/seal/since/{origin['count']}")["first_root"] == origin["root"]
    assert gm.look("/audit")["differences"] == []
    gm.does("/sessions/3/close")


def test_dice_are_never_rolled_twice(ledger: Ledger, played: Table) -> None:
    """The fork goes on counting, from seeds of its own; the origin's are not told by it while they are in use."""
    count = played.gm.look("/dice")["count"]
    forks = [forked(played.gm, 7), forked(played.gm, 7)]
    tables = [played, *forks]
    falls = []
    for table in tables:
        waiting = table.ben.does("/rulings", {"declare": HIT, "dice": "ledger"}, 202)["id"]
        table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "stand"}}})
        falls.append(table.gm.look("/dice", limit=500))
    assert [one["count"] for one in falls] == [count + 1] * 3
    own, *others = [one["epochs"][-1] for one in falls]
    assert not {own["commitment"], own["hidden_commitment"]} & {
        one[name] for one in others for name in ("commitment", "hidden_commitment")
    }
    assert others[0]["commitment"] != others[1]["commitment"]
    for table, told in zip(forks, falls[1:], strict=True):
        inherited, mine = told["epochs"][-2:]
        assert (inherited["over"], inherited["seed"], inherited["campaign"]) == (True, None, played.id)
        assert (mine["epoch"], mine["over"], mine["campaign"]) == (inherited["epoch"] + 1, False, table.id)
        table.gm.does("/sessions/3/close")
        assert table.gm.look("/audit")["differences"] == []
    played.gm.does("/sessions/3/close")
    told = forked(played.gm, 7).gm.look("/dice")["epochs"][-2]
    assert told["seed"] == played.gm.look("/dice")["epochs"][-2]["seed"], "it is over there: everybody may know it"


# --- seats ---


def claims(fork: str, service: Service, token: str, **headers: str) -> Any:
    return service.send("POST", f"/campaigns/{fork}/claim", {"Authorization": f"Bearer {token}", **headers})


def test_a_seat_is_claimed_once_with_its_own_token(played: Table) -> None:
    made = played.gm.does("/fork", {"at": 6})
    fork, service = made["id"], played.service
    assert (made["seat"]["id"], made["origin"]["unclaimed"]) == ("s1", ["s2", "s3", "s4"])
    first = claims(fork, service, played.ben.token)
    assert (first.status_code, first.json()["id"]) == (200, "s2")
    position = first.headers["Ledger-Position"]
    for headers in ({}, {"Idempotency-Key": "again"}):
        again = claims(fork, service, played.ben.token, **headers)
        assert (again.content, again.headers["Ledger-Position"]) == (first.content, position)
        assert again.headers["Idempotency-Replayed"] == "true"
    told = service.send("GET", f"/campaigns/{fork}", {"Authorization": f"Bearer {first.json()['token']}"}).json()
    assert (told["origin"]["unclaimed"], told["position"]) == (["s3", "s4"], int(position))
    for bad, status in (
        (made["seat"]["token"], 404),
        (first.json()["token"], 404),
        (f"{played.id}.s3.nonsense", 401),
        ("nobody.s1.nothing", 401),
        ("nothing", 401),
    ):
        assert claims(fork, service, bad).status_code == status, bad
    assert claims(played.id, service, played.ben.token).status_code == 404
    assert claims("aaaaaaaaaaaaa", service, played.ben.token).status_code == 404
    other = Table(service)
    assert claims(fork, service, other.ben.token).status_code == 404


def test_the_token_that_is_good_in_the_origin_claims(played: Table) -> None:
    fork, service = played.gm.does("/fork", {"at": 6})["id"], played.service
    renewed = played.cleo.does(f"/seats/{played.cleo.id}/token", None, 200)["token"]
    assert claims(fork, service, played.cleo.token).status_code == 401
    assert claims(fork, service, renewed).status_code == 200
    played.gm.send("PATCH", f"/seats/{played.ben.id}", json={"removed": True})
    assert claims(fork, service, played.ben.token).status_code == 401
    late = played.seat("Eve", "player")
    answer = claims(fork, service, late.token)
    assert (answer.status_code, answer.json()["code"]) == (404, "seat-not-found")


def test_no_game_master_opens_an_unclaimed_seat(played: Table) -> None:
    """Neither by another token, nor by taking it away, nor by playing on until what it holds is told."""
    made = played.gm.does("/fork", {"at": 7})
    fork = object.__new__(Table)
    fork.service, fork.id = played.service, made["id"]
    fork.gm = Player(fork, "s1", made["seat"]["token"])
    position = fork.position
    assert fork.gm.post("/seats/s2/token").json()["code"] == "seat-unclaimed"
    assert fork.gm.send("PATCH", "/seats/s2", json={"removed": True}).json()["code"] == "seat-unclaimed"
    eve = fork.seat("Eve", "player")
    hand_over = {"kind": "hand-over", "character": "1", "seat": eve.id}
    for path, body in (
        ("/rulings", {"declare": hand_over}),
        ("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}),
        ("/rulings/4/overturn", {"reason": "why not"}),
        ("/rulings/7/overturn", {"reason": "?", "settle": "rerule"}),
        ("/rulings/4/dispute", {"reason": "?"}),
        ("/sessions/3/close", {}),
        ("/dials", {"deciders": "all_players", "reason": "?"}),
    ):
        answer = fork.gm.post(path, body)
        assert (answer.status_code, answer.json()["code"]) == (409, "seats-unclaimed"), path
        assert answer.json()["context"] == {"seats": ["s2", "s3", "s4"]}
    assert fork.position == position + 1, "Eve sat down"
    assert fork.gm.look("/moves")["moves"] == []
    assert "Ben, Cleo and Dora" in answer.json()["detail"]
    for player in (played.ben, played.cleo, played.dora):
        assert fork.gm.post("/rulings/4/dispute", {"reason": "?"}).status_code == 409
        claimed(fork, player)
    assert fork.gm.look("/moves")["moves"]
    fork.gm.does("/rulings", {"declare": hand_over})


def test_where_nothing_is_hidden_a_fork_goes_on_at_once(table: Table) -> None:
    table.fighters()
    made = table.gm.does("/fork", {"at": 2, "name": "Alone"})
    fork = object.__new__(Table)
    fork.service, fork.id = table.service, made["id"]
    fork.gm = Player(fork, "s1", made["seat"]["token"])
    fork.gm.declare("mint", to="1", coins=2)
    assert fork.gm.post("/seats/s2/token").json()["code"] == "seat-unclaimed"
    fork.gm.send("PATCH", "/seats/s4", json={"removed": True})
    assert fork.gm.look()["origin"]["unclaimed"] == ["s2", "s3"]
    assert claims(fork.id, table.service, table.dora.token).json()["code"] == "seat-not-found"


# --- asking for one ---


def test_a_fork_is_made_once(ledger: Ledger, played: Table) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    first = played.gm.post("/fork", {"at": 4}, key)
    again = played.gm.post("/fork", {"at": 4}, key)
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.headers["Location"] == f"/campaigns/{first.json()['id']}"
    assert played.gm.post("/fork", {"at": 5}, key).json()["code"] == "idempotency-key-reused"
    other = played.gm.post("/fork", {"at": 4})
    assert other.json()["id"] != first.json()["id"]


def test_who_may_not_fork_and_what_cannot_be(played: Table) -> None:
    position = played.position
    for player in (played.ben, played.dora):
        assert player.post("/fork", {"at": 2}).status_code == 403
        assert player.post("/fork", {"at": 99}).status_code == 403
    answer = played.gm.post("/fork", {"at": 99})
    assert answer.status_code == 422
    (mistake,) = answer.json()["errors"]
    assert (mistake["pointer"], mistake["given"], mistake["allowed"]) == ("/at", 99, [1, 2, 3, 4, 5, 6, 7])
    for body in (
        {},
        {"at": 0},
        {"at": "2"},
        {"at": 2.5},
        {"at": 2, "title": "?"},
        {"at": 2, "name": " "},
        {"at": True},
    ):
        assert played.gm.post("/fork", body).status_code == 422, body
    late = played.seat("Eve", "gm")
    assert late.post("/fork", {"at": 2}).json()["code"] == "not-there-yet"
    assert Table(played.service).gm.post("/fork", {"at": 1}).json()["errors"][0]["given"] == 1
    assert played.position == position + 1
