"""The law of twins for things held twice: Cleo holds the card that Ben plays, or another; nobody notices which.

They do not see each other's hands, and the game master sees neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from ledger.application.reading import doubles
from ledger.rules.kernel.things import HeldTwice, list_things_held_twice
from projections.documents import exports
from tests.api.table import Json, Service, Table
from tests.api.twins.attacks import Found, Twins
from tests.api.twins.games import MOC, action, hangar, overturned, put_back
from tests.api.twins.places import NOW
from tests.levels import LEVEL


def hidden_draw(table: Table, other: bool) -> None:
    """4: Ben's hand, 8C and KS; 11: his action; 12: Cleo's hand, with the card that he holds, or without."""
    hangar(table)
    action(table, table.ben, "1")
    cards = ["2D" if other else "8C", "3H"]
    table.cleo.declare("draw-hand", character="2", drawn=cards, kept=cards)


SECRET = replace(MOC[0], name="a card held twice", hide=hidden_draw, owner="cleo", attackers=("ben", "dora", "gm"))
PLAY: Json = {"kind": "play-card", "action": "11", "character": "1", "card": "8C", "points": [{"die": 2, "points": 1}]}
#: The play, both draws and the session are overturned and put back; below `--all`, only the draws.
DECIDED = (13, 12, 4, 3) if LEVEL == "all" else (12, 4)
DECISIONS = tuple(decide(number) for number in DECIDED for decide in (overturned, put_back))
PLACES = (
    *NOW,
    "/rulings/4?leaning=true",
    "/rulings/4/dossier",
    "/what-if?without=4&stands=true",
    "/what-if?without=13&stands=true",
    "/characters/1",
    "/characters/2",
)


@pytest.fixture
def twins(service: Service) -> Twins:
    return Twins(service, SECRET)


def noticed(twins: Twins) -> str:
    """What somebody was told in the one campaign and not in the other."""
    try:
        for path, body in (("/rulings", {"declare": PLAY}), *DECISIONS):
            for preview in (True, False):
                twins.send(0 if path == "/rulings" else 2, "POST", path, {**body, "preview": preview})
            for who, place in product(range(3), PLACES):
                twins.send(who, "GET", place)
    except Found:
        return str(twins.difference)
    return ""


def test_nobody_notices_that_a_card_is_held_twice(twins: Twins) -> None:
    assert not noticed(twins)


def test_an_export_that_withholds_what_raises_a_finding_is_noticed(
    twins: Twins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "RULING", frozenset())
    assert "/export" in noticed(twins)


def test_a_hand_that_the_game_says_everybody_may_know_is_noticed(twins: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_to_all(*given: Any) -> Iterator[HeldTwice]:
        return (replace(one, audiences=(None, None)) for one in list_things_held_twice(*given))

    monkeypatch.setattr(doubles, "list_things_held_twice", open_to_all)
    assert noticed(twins)
