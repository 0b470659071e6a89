"""Measure how hostile clients affect others: a table plays while slow bodies are sent, and while none are sent."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import httpx

from scripts.bench_client import OPERATOR
from scripts.bench_games import find_first_enrolment
from scripts.bench_hostile import BODIES, Hostility
from scripts.bench_play import Bench
from scripts.bench_service import make_environment_of_service, run_service

LINES = 8  # simultaneous connections; each sends its next body as soon as the last one was answered
PAUSE = 0.01  # seconds that the other players wait between two requests
MOST = 5.0  # the most times as long as without hostile clients
QUIET = "quiet"
STRANGERS = ("wide", "too large")  # bodies that are also sent without a token
GAME = "intensity"
HEAD = "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@dataclass
class Others:
    """A player at another table. `took`: the times of its requests, by the kind of bodies that were sent meanwhile."""

    client: httpx.AsyncClient
    path: str
    headers: dict[str, str]
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    async def ask(self, meanwhile: str) -> None:
        """Make a ruling and read one."""
        for request in (
            self.client.post(
                f"{self.path}/rulings", headers=self.headers, json={"declare": find_first_enrolment(GAME)}
            ),
            self.client.get(f"{self.path}/rulings/1", headers=self.headers),
        ):
            start_time = time.perf_counter()
            answer = await request
            self.took[meanwhile].append(time.perf_counter() - start_time)
            assert answer.status_code in (200, 201), answer.text
        await asyncio.sleep(PAUSE)

    def find_slowest(self, meanwhile: str, share: float = 0.99) -> float:
        ranked = sorted(self.took[meanwhile])
        return ranked[int(len(ranked) * share)]


def measure_manners(bench: Bench, seconds: float, rounds: int) -> None:
    """Measure the effect on others. `seconds`: how long each kind of body is sent in each round."""
    with run_service(make_environment_of_service(bench)) as running:
        asyncio.run(_measure(bench, running.address, seconds, rounds))


async def _measure(bench: Bench, address: str, seconds: float, rounds: int) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        others = Others(client, *await _open_campaign(client))
        path, hostile_headers = await _open_campaign(client)
        head = HEAD.format(path=f"{path}/rulings")
        seated_head = f"{head}Authorization: {hostile_headers['Authorization']}\r\n"
        request_by_kind = {f"{body}, without a token": (body, head) for body in STRANGERS}
        request_by_kind |= {body: (body, seated_head) for body in BODIES}
        status_counts: dict[str, Counter[str]] = {kind: Counter() for kind in request_by_kind}
        await _play(others, "warming up", seconds)
        for _ in range(rounds):
            for kind, (body, request_head) in request_by_kind.items():
                await _play(others, QUIET, seconds / 3)
                status_counts[kind] += await _ask_beside(others, kind, address, request_head, body, seconds)
    for kind in request_by_kind:
        ratio = others.find_slowest(kind) / others.find_slowest(QUIET)
        slow_milliseconds, quiet_milliseconds = (1000 * others.find_slowest(name) for name in (kind, QUIET))
        statuses = (
            ", ".join(f"{count:,} times {status}" for status, count in sorted(status_counts[kind].items())) or "nothing"
        )
        times_text = f"{slow_milliseconds:,.0f} ms beside {quiet_milliseconds:,.0f} ms"
        detail = f"{times_text} of {len(others.took[kind]):,} requests; answered {statuses}"
        bench.at_most(f"99th percentile of other clients: {kind} (with such bodies / without)", ratio, MOST, detail)


async def _open_campaign(client: httpx.AsyncClient) -> tuple[str, dict[str, str]]:
    """Open a campaign with one ruling. Return its path and its game master's headers."""
    body = {"name": "Manners", "system": GAME, "gm": {"name": "Ann"}}
    operator_headers = {"Authorization": f"Bearer {OPERATOR}", "Idempotency-Key": str(uuid.uuid4())}
    response = await client.post("/campaigns", json=body, headers=operator_headers)
    assert response.status_code == 201, response.text
    campaign = response.json()
    return f"/campaigns/{campaign['id']}", {"Authorization": f"Bearer {campaign['seat']['token']}"}


async def _play(others: Others, meanwhile: str, seconds: float) -> None:
    end_time = time.perf_counter() + seconds
    while time.perf_counter() < end_time:
        await others.ask(meanwhile)


async def _ask_beside(others: Others, kind: str, address: str, head: str, body: str, seconds: float) -> Counter[str]:
    host, _, port = address.removeprefix("http://").partition(":")
    hostility = Hostility(host, int(port), head, body, LINES, seconds)
    command = [sys.executable, "-m", "scripts.bench_hostile"]
    process = subprocess.Popen(command, env=hostility.environment, stdout=subprocess.PIPE)
    while process.poll() is None:
        await others.ask(kind)
    assert process.returncode == 0 and process.stdout is not None
    return Counter(json.loads(process.stdout.read()))
