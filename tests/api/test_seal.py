"""The seal over HTTP: whoever has a seat can check the whole record, and learns nothing by it."""

from __future__ import annotations

import pytest

from ledger.application import verify_seal
from ledger.events.merkle import verify_consistency, verify_inclusion
from tests.api.table import Json, Player, Service, Table


def hashes(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def entries(player: Player) -> list[Json]:
    return [player.look(f"/seal/entries/{index}") for index in range(player.look("/seal")["count"])]


def test_a_seal_is_signed_by_the_key_that_anybody_may_know(service: Service, table: Table) -> None:
    key = service.client.get("/seal/key").json()
    told = table.gm.get("/seal")
    seal = told.json()
    assert key == {"algorithm": "Ed25519", "public_key": seal["public_key"]}
    signed = verify_seal(seal["checkpoint"], bytes.fromhex(key["public_key"]))
    assert (signed.campaign, signed.count, signed.root.hex()) == (table.id, seal["count"], seal["root"])
    assert told.headers["Ledger-Position"] == str(seal["position"]) == str(table.position)
    assert table.cleo.look("/seal") == seal


def test_seals_agree_with_each_other_and_hold_every_entry(table: Table) -> None:
    seals = [table.gm.look("/seal")]
    ada, _ = table.fighters()
    seals.append(table.gm.look("/seal"))
    table.gm.declare("mint", to=ada, coins=5)
    table.hit(6)
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    seals.append(table.gm.look("/seal"))
    last = seals[-1]
    assert sorted({seal["count"] for seal in seals}) == [seal["count"] for seal in seals]
    for seal in seals:
        grown = table.ben.look(f"/seal/since/{seal['count']}")
        assert (grown["first_root"], grown["second"], grown["second_root"]) == (
            seal["root"],
            last["count"],
            last["root"],
        )
        roots = hashes([grown["first_root"], grown["second_root"]])
        assert verify_consistency(grown["first"], grown["second"], hashes(grown["proof"]), *roots)
    for index, told in enumerate(entries(table.ben)):
        leaf, root = hashes([told["leaf"], last["root"]])
        assert (told["index"], told["count"], told["root"]) == (index, last["count"], last["root"])
        assert verify_inclusion(leaf, index, told["count"], hashes(told["proof"]), root)


def test_of_what_a_seat_may_not_see_it_gets_the_hash_only(table: Table) -> None:
    ada, _ = table.fighters()
    table.gm.declare("mint", to=ada, coins=100, hidden=True)
    for_gm, for_cleo = entries(table.gm), entries(table.cleo)
    nowhere = {"stream": None, "version": None, "topic": None}
    secret = [one for one, other in zip(for_gm, for_cleo, strict=True) if one != other]
    assert "toy.coins-moved@1" in {one["topic"] for one in secret}
    for one, other in zip(for_gm, for_cleo, strict=True):
        assert other in (one, {**one, **nowhere})
    assert not any(one["topic"] == "toy.coins-moved@1" for one in for_cleo)
    seen = [one for one in for_cleo if one["stream"] is not None]
    assert {one["stream"].partition("/")[0] for one in seen} >= {"journal", "character", "seat"}
    assert not {one["stream"].partition("/")[0] for one in for_gm if one["stream"]} & {"receipt", "access", "ruling"}


def test_receipts_and_tokens_are_not_sealed(table: Table) -> None:
    before = table.gm.look("/seal")["count"]
    table.gm.does(f"/seats/{table.ben.id}/token", None, 200)
    topics = [one["topic"] for one in entries(table.gm)[before:]]
    assert topics == ["ledger.entry@4"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/seal/entries/100000", 404, "entry-not-found"),
        ("/seal/since/100000", 404, "seal-not-found"),
        ("/seal/entries/-1", 422, "malformed"),
        ("/seal/entries/01", 422, "malformed"),
        ("/seal/entries/x", 422, "malformed"),
        ("/seal/since/1.0", 422, "malformed"),
        (f"/seal/since/{2**64}", 422, "malformed"),
    ],
)
def test_what_is_not_there_is_said_so(table: Table, path: str, status: int, code: str) -> None:
    answer = table.gm.get(path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_without_a_seat_there_is_no_seal(service: Service, table: Table) -> None:
    assert service.client.get(f"/campaigns/{table.id}/seal").status_code == 401
    other = Table(service)
    found = service.client.get(f"/campaigns/{table.id}/seal", headers=other.gm.bearer)
    assert found.status_code == 404


def test_a_write_can_be_waited_for(table: Table) -> None:
    ada, _ = table.fighters()
    table.gm.declare("mint", to=ada, coins=5)
    position = table.position
    assert table.gm.look("/seal", wait=position)["position"] == position
