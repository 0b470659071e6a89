"""kill -9 while decisions wait for consent: each consent counts once, and each decision takes effect once."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from threading import Event
from typing import Any

import httpx
import pytest

from tests.reliability.checks import audited, require
from tests.reliability.postgres import Server
from tests.reliability.record import flaws
from tests.reliability.system import OPERATOR, PATIENCE, System, Unreliable, running
from tests.reliability.writers import AGAIN

Json = dict[str, Any]
DECISIONS = 6


class Quarrel:
    """Ann, who overturns what Bruno gave Celia; Ben and Cleo, who both consent. `asked`: whatever was asked for."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.struck = Event()
        self.asked: list[tuple[str, str, Json, str, httpx.Response]] = []
        self.tries = 0
        headers = {"Authorization": f"Bearer {OPERATOR}", "Idempotency-Key": str(uuid.uuid4())}
        with system.client() as client:
            body: Json = {"name": "A table", "system": "toy", "gm": {"name": "Ann"}}
            opened = client.post("/campaigns", headers=headers, json=body).raise_for_status().json()
        self.id, self.gm = opened["id"], opened["seat"]["token"]
        self.token = self.gm
        self.players = [self.ask(self.gm, "/seats", {"name": name, "role": "player"}) for name in ("Ben", "Cleo")]
        for one in self.players:
            self.ask(self.gm, "/characters", {"name": one["name"], "seat": one["id"], "sheet": {"health": 9}})
        self.ask(self.gm, "/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1000}})
        self.ask(self.gm, "/dials", {"consent": "affected", "reason": "we ask each other"})

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, token: str, path: str, body: Json) -> Json:
        """Under one key, until it is answered."""
        key, deadline = str(uuid.uuid4()), time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.tries += 1
            try:
                answer = self.send(token, path, body, key)
            except httpx.TransportError:
                time.sleep(0.02)
                continue
            if answer.status_code in AGAIN:
                time.sleep(0.02)
                continue
            self.asked.append((token, path, body, key, answer))
            found: Json = answer.raise_for_status().json()
            return found
        raise Unreliable(f"{path} was not answered within {PATIENCE:g} seconds")

    def send(self, token: str, path: str, body: Json, key: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
        with self.system.client() as client:
            return client.post(f"/campaigns/{self.id}{path}", headers=headers, json=body)

    def decide(self) -> None:
        """Bruno gives Celia something; Ann wants it not to have been; both agree, at once."""
        given = self.ask(self.gm, "/rulings", {"declare": {"kind": "give", "char": "1", "to": "2", "coins": 1}})
        waits = self.ask(self.gm, f"/rulings/{given['number']}/overturn", {"reason": "never happened"})
        agree = {"consent": True, "reason": "so it was"}
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda one: self.ask(one["token"], f"/waiting/{waits['id']}/consent", agree), self.players))


def require_once(quarrel: Quarrel) -> None:
    """Each seat's consent to each decision is recorded once, so is each decision; asked again, all is as answered."""
    counted: Counter[tuple[str, str, str]] = Counter()
    rows = quarrel.system.rows()
    for row in rows:
        kind = row.topic.partition("@")[0]
        if kind in ("ledger.asked-for-consent", "ledger.consented", "ledger.carried-out"):
            by = row.body["by"] if kind == "ledger.consented" else ""
            counted[kind, row.name, by] += 1
        if kind == "ledger.decided":
            counted[kind, row.name, ""] += 1
    wanted = DECISIONS * (1 + len(quarrel.players) + 1 + 1)
    problems = [f"{kind} of {name} stands there {n} times" for (kind, name, _), n in counted.items() if n != 1]
    if len(counted) != wanted:
        problems.append(f"there are {len(counted)} of {wanted}")
    for token, path, body, key, answer in quarrel.asked:
        again = quarrel.send(token, path, body, key)
        if again.content != answer.content:
            problems.append(f"asked again, {path} is told otherwise: {again.text[:200]}")
    with quarrel.system.client() as client:
        problems += audited(client, quarrel)
    require([*problems, *flaws(rows)])


def _decide(quarrel: Quarrel) -> None:
    for _ in range(DECISIONS):
        quarrel.decide()


def struck_while_deciding(quarrel: Quarrel, rounds: int) -> None:
    system = quarrel.system
    with ThreadPoolExecutor(1) as pool:
        deciding = pool.submit(_decide, quarrel)
        for strike in islice(cycle((system.kill_service, system.kill_database, system.kill_both)), rounds):
            time.sleep(0.5)
            strike()
        deciding.result()


@pytest.mark.nightly
def test_every_consent_counts_once(server: Server, rounds: int) -> None:
    with running(server) as system:
        quarrel = Quarrel(system)
        before = quarrel.tries
        struck_while_deciding(quarrel, rounds)
        assert quarrel.tries - before > DECISIONS * 4, "nobody noticed: nothing was tried"
        require_once(quarrel)


@pytest.mark.nightly
def test_a_service_without_receipts_is_found_out(server: Server) -> None:
    """Who asks again for what was done is told that it was said already."""
    with running(server, "forgetful") as system, pytest.raises((Unreliable, httpx.HTTPStatusError)):
        quarrel = Quarrel(system)
        quarrel.decide()
        require_once(quarrel)
