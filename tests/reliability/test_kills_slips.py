"""kill -9 right before and after a ruling is taken back, rewound or reinstated: a repeated request does it once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.levels import sampled
from tests.reliability.asking import Asking
from tests.reliability.checks import audited, require
from tests.reliability.planted import falls_at
from tests.reliability.postgres import Server
from tests.reliability.record import flaws
from tests.reliability.system import OPERATOR, System, running

Json = dict[str, Any]
DEEDS = ("taken-back", "rewound", "reinstated")


class Slips(Asking):
    """Ann, who takes a ruling back, rewinds the game and reinstates all. Every request is repeated until answered."""

    def __init__(self, system: System) -> None:
        self.system = system
        opened = self.ask(OPERATOR, "/campaigns", {"name": "A table", "system": "toy", "gm": {"name": "Ann"}})
        self.id, self.ann = opened["id"], opened["seat"]["token"]
        self.at = f"/campaigns/{self.id}"
        for name in ("Bruno", "Celia"):
            self.does("/characters", {"name": name, "seat": opened["seat"]["id"], "sheet": {"health": 9}})
        self.declare("mint", to="1", coins=9)

    def does(self, path: str, body: Json) -> Json:
        return self.ask(self.ann, f"{self.at}{path}", body)

    def declare(self, kind: str, **fields: Any) -> int:
        return int(self.does("/rulings", {"declare": {"kind": kind, **fields}})["number"])


@pytest.mark.parametrize("moment", sampled([f"{when}-{deed}" for deed in DEEDS for when in ("before", "after")], 1))
def test_each_is_done_once_whenever_the_service_is_killed(server: Server, moment: str) -> None:
    with falls_at(moment) as mark, running(server, "falling") as system:
        slips = Slips(system)
        given = slips.declare("give", char="1", to="2", coins=1)
        slips.does(f"/rulings/{given}/take-back", {})
        for _ in range(3):
            slips.declare("give", char="1", to="2", coins=1)
        slips.does(f"/rulings/{given + 1}/rewind", {"reason": "again"})
        slips.does(f"/rulings/{given + 1}/reinstate", {"reason": "it counts"})
        rows = system.rows()
        counted = Counter(row.body["fact"]["did"] for row in rows if row.kind == "journal")
        assert {deed: counted[deed] for deed in DEEDS} == dict.fromkeys(DEEDS, 1)
        with system.client() as client:
            balance = client.get(f"{slips.at}/accounts/character:2/coin", headers=slips.bearer).json()["balance"]
            require([*audited(client, slips), *flaws(rows)])
        assert balance == 3
        assert not mark.exists(), "it was not killed"
