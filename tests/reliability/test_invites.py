"""kill -9 while people sit down: nobody has two seats, who was answered has theirs, and its character."""

from __future__ import annotations

import time
import uuid
from threading import Event, Thread
from typing import Any

import httpx
import pytest

from tests.levels import sampled
from tests.reliability.postgres import Server
from tests.reliability.system import PATIENCE, System, running
from tests.reliability.writers import Table, table

GUESTS = 8
STRUCK_AT = (2, 5)  # so many sit, and the next is sitting down
AGAIN = {409, 429, 503}


class Arrivals:
    """Everybody uses a link under a key of their own until it is answered, one after the other."""

    def __init__(self, system: System) -> None:
        self.system = system
        with system.client() as client:
            self.table: Table = table(client)
            self.links = [self._invite(client, number) for number in range(GUESTS)]
        self.answers: list[dict[str, Any]] = []
        self.tries = 0
        self.over = Event()
        self.thread = Thread(target=self._arrive, daemon=True)

    def _invite(self, client: httpx.Client, number: int) -> str:
        person = {"name": f"Guest {number}", "seat": "s1", "sheet": {"health": 9}}
        path = f"/campaigns/{self.table.id}"
        enrolled = client.post(f"{path}/characters", headers=self.table.bearer, json=person).raise_for_status().json()
        asked = {"name": person["name"], "role": "player", "characters": [enrolled["character"]]}
        made = client.post(f"{path}/invites", headers=self.table.bearer, json=asked).raise_for_status().json()
        return str(made["link"])

    def _arrive(self) -> None:
        try:
            with self.system.client() as client:
                for link in self.links:
                    self.answers.append(self._use(client, link, str(uuid.uuid4())))
        finally:
            self.over.set()

    def _use(self, client: httpx.Client, link: str, key: str) -> dict[str, Any]:
        deadline = time.monotonic() + 10 * PATIENCE
        while time.monotonic() < deadline:
            self.tries += 1
            address = f"198.51.{self.tries // 200}.{self.tries % 200}"  # each try from elsewhere: this is no guessing
            headers = {"Idempotency-Key": key, "X-Forwarded-For": address}
            try:
                answer = client.post("/invites/use", json={"secret": link}, headers=headers)
            except httpx.TransportError:
                time.sleep(0.1)
                continue
            if answer.status_code not in AGAIN:
                assert answer.status_code == 201, answer.text
                found: dict[str, Any] = answer.json()
                return found
            time.sleep(0.1)
        raise AssertionError("never answered")


@pytest.mark.nightly
@pytest.mark.parametrize("struck", sampled(["kill_service", "kill_both"], 1))
def test_everybody_who_sits_down_has_one_seat_and_their_character(server: Server, struck: str) -> None:
    with running(server) as system:
        arrivals = Arrivals(system)
        arrivals.thread.start()
        for seated in STRUCK_AT:
            while len(arrivals.answers) < seated and not arrivals.over.is_set():
                time.sleep(0.001)
            getattr(system, struck)()
        arrivals.over.wait(10 * PATIENCE)
        assert len(arrivals.answers) == GUESTS
        with system.client() as client:
            bearer = arrivals.table.bearer
            seats = client.get(f"/campaigns/{arrivals.table.id}", headers=bearer).json()["seats"]
            people = client.get(f"/campaigns/{arrivals.table.id}/characters", headers=bearer).json()["characters"]
            invites = client.get(f"/campaigns/{arrivals.table.id}/invites", headers=bearer).json()["invites"]
        named = [f"Guest {number}" for number in range(GUESTS)]
        assert [one["name"] for one in seats][1:] == named, "one seat each, in the order they came"
        assert [one["seat"]["id"] for one in arrivals.answers] == [one["id"] for one in seats][1:]
        assert {one["name"]: one["player"] for one in people if one["name"] in named} == {one: one for one in named}
        assert {one["status"] for one in invites} == {"used"}
