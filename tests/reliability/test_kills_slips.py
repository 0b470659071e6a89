"""kill -9 and lost answers while rulings are taken back, rewound, reinstated and entered late: a repeated request does
each once.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from tests.levels import SEED, sampled
from tests.reliability.asking import Asking
from tests.reliability.checks import audited, require
from tests.reliability.planted import falls_at
from tests.reliability.postgres import Server
from tests.reliability.record import Row, flaws
from tests.reliability.system import OPERATOR, System, running

Json = dict[str, Any]
DEEDS = ("taken-back", "rewound", "reinstated", "entered-late")
LONGEST = 0.03  # seconds from a request to the blow: about what it takes


class Slips(Asking):
    """Ann, who takes a ruling back, rewinds the game, reinstates all, and enters what was forgotten. Every request is
    repeated until answered.
    """

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

    def enter_late(self, after: int) -> str:
        """Give a coin after this ruling. Return its place."""
        give: Json = {"kind": "give", "char": "1", "to": "2", "coins": 1}
        return str(self.does("/rulings", {"declare": give, "after": after})["place"])

    def require_sound(self, rows: list[Row], coins: int) -> None:
        """The record has no flaws, and Celia has so many coins."""
        with self.system.client() as client:
            balance = client.get(f"{self.at}/accounts/character:2/coin", headers=self.bearer).json()["balance"]
            require([*audited(client, self), *flaws(rows)])
        assert balance == coins


def count_deeds(rows: list[Row]) -> Counter[str]:
    entries = [row for row in rows if row.kind == "journal"]
    return Counter(
        "entered-late" if row.topic.startswith("ledger.late-entry@") else row.body["fact"]["did"] for row in entries
    )


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
        place = slips.enter_late(given + 1)
        assert place == f"{given + 1}a"
        rows = system.rows()
        counted = count_deeds(rows)
        assert {deed: counted[deed] for deed in DEEDS} == dict.fromkeys(DEEDS, 1)
        slips.require_sound(rows, 4)
        assert not mark.exists(), "it was not killed"


def enter_and_strike(slips: Slips, random: Random, strikes: list[Callable[[], None]]) -> list[str]:
    """Enter late once for each strike, which falls meanwhile. Return the places."""
    base = slips.declare("mint", to="1", coins=len(strikes))
    slips.declare("mint", to="2", coins=1)
    places = []
    with ThreadPoolExecutor(1) as pool:
        for strike in strikes:
            entering = pool.submit(slips.enter_late, base)
            time.sleep(random.uniform(0, LONGEST))
            strike()
            places.append(entering.result())
            slips.system.revive()
    return [place.removeprefix(str(base)) for place in places]


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "kills"), [(SEED, 1), pytest.param(SEED + 1, 8, marks=pytest.mark.nightly)])
def test_a_late_entry_is_made_once_whenever_the_service_is_killed(server: Server, seed: int, kills: int) -> None:
    """At random moments; then every third answer of the database and of the service is lost."""
    print(f"LEDGER_TEST_SEED={seed}")
    random = Random(seed)
    with running(server) as system:
        slips = Slips(system)

        def kill() -> None:
            system.service.popen.kill()
            system.service.popen.wait()

        places = enter_and_strike(slips, random, [kill] * kills)
        lines = (system.server.proxy, system.front)
        for line in lines:
            line.every = 3
        lost_before = [line.lost for line in lines]
        more_places = enter_and_strike(slips, random, [lambda: None] * 4)
        for line, lost in zip(lines, lost_before, strict=True):
            line.every = 0
            assert line.lost > lost, "no answer was lost: nothing was tried"
        assert (places, more_places) == ([*"abcdefgh"[:kills]], [*"abcd"])
        rows = system.rows()
        assert count_deeds(rows)["entered-late"] == len(places) + len(more_places)
        slips.require_sound(rows, len(places) + len(more_places) + 2)
