"""A fork: a campaign that goes on from a place in another one, with the same people, and dice of its own."""

from __future__ import annotations

import io
import uuid
from typing import Any

import pytest

from ledger.application import Book, Ledger, verify_seal
from ledger.application.reading.exports import read
from ledger.events.merkle import verify_consistency
from tests.api.table import Json, Player, Service, Table

DICE = {"kind": "hit", "char": "1", "target": "2"}


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


def test_a_fork_goes_on_as_the_campaign_stood(played: Table) -> None:
    before = {player.id: player.look("/state") for player in (played.gm, played.ben, played.cleo)}
    at, position = played.gm.look()["rulings"], played.position
    played.gm.does("/rulings/5/overturn", {"reason": "out of reach"}, 200)
    fork = forked(played.gm, 5)
    assert fork.gm.look()["origin"]["at"] == 5
    played.gm.does("/rulings/5/reinstate", {"reason": "it was not"}, 200)
    played.hit(4)
    fork = forked(played.gm, at)
    for player in (fork.gm, fork.ben, fork.cleo):
        state = player.look("/state")
        for own in ("position",):
            state.pop(own, None), before[player.id].pop(own, None)
        assert differing(before[player.id], state) <= {"campaign"}
    told = fork.gm.look()
    assert told["name"] == f"A table, from ruling {at}"
    assert told["origin"] | {"root": "", "checkpoint": "", "public_key": ""} == {
        "campaign": played.id, "name": "A table", "at": at, "position": position + 1, "count": told["origin"]["count"],
        "root": "", "checkpoint": "", "public_key": "", "unclaimed": [],
    }  # fmt: skip


def differing(one: Json, other: Json) -> set[str]:
    return {name for name in {*one, *other} if one.get(name) != other.get(name)}
