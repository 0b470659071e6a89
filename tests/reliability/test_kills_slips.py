"""kill -9 right before and after a ruling is taken back, rewound or reinstated: a repeated request does it once."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from typing import Any

import httpx
import pytest

from tests.levels import sampled
from tests.reliability.checks import audited, require
from tests.reliability.planted import falls_at
from tests.reliability.postgres import Server
from tests.reliability.record import flaws
from tests.reliability.system import OPERATOR, PATIENCE, System, running
from tests.reliability.writers import AGAIN

Json = dict[str, Any]
DEEDS = ("taken-back", "rewound", "reinstated")


class Slips:
    """Ann, who takes a ruling back, rewinds the game and reinstates all. Every request is repeated until answered."""

    def __init__(self, system: System) -> None:
        self.system = system
        opened = self.ask(OPERATOR, "/campaigns", {"name": "A table", "system": "toy", "gm": {"name": "Ann"}})
        self.id, self.ann = opened["id"], opened["seat"]["token"]
        self.at = f"/campaigns/{self.id}"
        for name in ("Bruno", "Celia"):
            self.does("/characters", {"name": name, "seat": opened["seat"]["id"], "sheet": {"health": 9}})
        self.declare("mint", to="1", coins=9)

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.ann}"}

    def ask(self, token: str, path: str, body: Json) -> Json:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid.uuid4())}
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with self.system.client() as client:
                    answer = client.post(path, headers=headers, json=body)
                    if answer.status_code not in AGAIN:
                        again = client.post(path, headers=headers, json=body)
                        assert again.content == answer.content, "another answer to the same request"
                        return dict(answer.raise_for_status().json())
            except httpx.TransportError:
                self.system.revive()
        raise AssertionError(f"not answered: {path}")

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
