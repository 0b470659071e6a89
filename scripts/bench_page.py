"""The page's first view over HTTP, in a long campaign and a young one: its work, its bytes, and until others hear.

It is the game master's, which has the most on it; who hears is a player.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import statistics
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import httpx

from scripts.bench_games import Json, find_first_enrolment
from scripts.bench_play import Bench, Play
from scripts.bench_service import make_environment_of_service, run_service

MILLISECONDS, BYTES, HEARD = 150, 100_000, 300  # as it should be, of the first and last at the median
LOOKS, ROUNDS = 10, 9
SAID = 30  # rulings that another seat hears of
SEEN = re.compile(r'hx-sse:connect="([^"]+)"')
LINKED = re.compile(r'(?:src|href)="(/static/[^"]+)"')


def measure_page(bench: Bench, game: str, long: Play, young: Play) -> None:
    """`long`, `young`: campaigns of many facts and of few, of the same game."""
    with run_service(make_environment_of_service(bench)) as running:
        for name, play in (("long", long), ("young", young)):
            where = f"{game}: page, {name} campaign of {len(play.numbers):,} rulings"
            asyncio.run(_measure(bench, where, running.address, running.pid, play))


async def _measure(bench: Bench, where: str, address: str, pid: int, play: Play) -> None:
    bearer = {"Authorization": f"Bearer {play.token}"}
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        await _wait_for_views(client, play, bearer)
        made = await client.post(
            f"/campaigns/{play.campaign}/seats", json={"name": "Ben", "role": "player"}, headers=_add_key(bearer)
        )
        assert made.status_code == 201, made.text
        at, cookies = await _sit_down(client, play.token)
        await _measure_first_view(bench, where, client, at, cookies, pid)
        second_seat = await _sit_down(client, made.json()["token"])
        sheet = find_first_enrolment(play.system.name)
        lags = [
            1000 * lag
            for lag in await _measure_hearing(
                client, *second_seat, f"/campaigns/{play.campaign}/rulings", bearer, sheet
            )
        ]
        ranked = sorted(lags)
        detail = f"{ranked[0]:.0f} to {ranked[-1]:.0f} ms, of {len(lags)}"
        bench.at_most(f"{where}: milliseconds until another seat's page heard", statistics.median(lags), HEARD, detail)


def _add_key(bearer: dict[str, str]) -> dict[str, str]:
    return {**bearer, "Idempotency-Key": str(uuid.uuid4())}


async def _wait_for_views(client: httpx.AsyncClient, play: Play, bearer: dict[str, str]) -> None:
    """The views, which are built by a process beside the one that serves."""
    position = int((await client.get(f"/campaigns/{play.campaign}", headers=bearer)).headers["Ledger-Position"])
    deadline = time.monotonic() + 900
    while True:
        answer = await client.get(f"/campaigns/{play.campaign}/timeline?limit=1", headers=bearer)
        if answer.status_code == 200 and int(answer.headers["Ledger-Position"]) >= position:
            return
        assert time.monotonic() < deadline, answer.text
        await asyncio.sleep(0.5)


async def _sit_down(client: httpx.AsyncClient, token: str) -> tuple[str, dict[str, str]]:
    """Where, and the cookie of it."""
    origin = {"Origin": str(client.base_url).rstrip("/")}
    answer = await client.post("/join", data={"secret": token}, headers=origin)
    assert answer.status_code == 303, answer.text
    cookies = dict(answer.cookies)
    client.cookies.clear()
    return answer.headers["location"], {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


async def _measure_first_view(
    bench: Bench, where: str, client: httpx.AsyncClient, at: str, cookie: dict[str, str], pid: int
) -> None:
    async def load_view() -> httpx.Response:
        answer = await client.get(at, headers=cookie)
        assert answer.status_code == 200, answer.text
        return answer

    shown = await load_view()
    await load_view()
    wall_times, cpu_times = [], []
    for _ in range(ROUNDS):
        cpu_before = _read_cpu_seconds(pid)
        for _ in range(LOOKS):
            started = time.perf_counter()
            await load_view()
            wall_times.append(1000 * (time.perf_counter() - started))
        cpu_times.append(1000 * (_read_cpu_seconds(pid) - cpu_before) / LOOKS)
    detail = f"{min(wall_times):.0f} to {max(wall_times):.0f} ms, of {len(wall_times)}"
    bench.at_most(
        f"{where}: milliseconds of its first view, median", statistics.median(wall_times), MILLISECONDS, detail
    )
    bench.at_most(f"{where}: of them the service's own CPU", statistics.median(cpu_times), MILLISECONDS)
    await _measure_bytes(bench, where, client, shown)


def _read_cpu_seconds(pid: int) -> float:
    """Seconds of CPU that the process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _measure_bytes(bench: Bench, where: str, client: httpx.AsyncClient, shown: httpx.Response) -> None:
    """All that is sent for it, and as it is: what holds a token is not compressed."""
    files = {path: await client.get(path) for path in dict.fromkeys(LINKED.findall(shown.text))}
    sent = shown.num_bytes_downloaded + sum(reply.num_bytes_downloaded for reply in files.values())
    whole = len(shown.content) + sum(len(reply.content) for reply in files.values())
    small = sum(len(gzip.compress(reply.content)) for reply in (shown, *files.values()))
    kinds = {
        kind: sum(reply.num_bytes_downloaded for path, reply in files.items() if path.split("?")[0].endswith(kind))
        for kind in (".css", ".js")
    }
    detail = (
        f"page {len(shown.content):,}, css {kinds['.css']:,}, js {kinds['.js']:,}; raw {whole:,}, gzipped {small:,}"
    )
    bench.at_most(f"{where}: bytes sent for its first view", sent, BYTES, detail)


@dataclass
class Line:
    """An open line of a page: when it heard, in the order it did."""

    heard: asyncio.Queue[float]

    async def listen(self, client: httpx.AsyncClient, at: str, cookie: dict[str, str]) -> None:
        found = SEEN.search((await client.get(at, headers=cookie)).text)
        assert found is not None
        async with client.stream("GET", found[1], headers=cookie, timeout=None) as reply:
            assert reply.status_code == 200
            async for line in reply.aiter_lines():
                if line.startswith(("data:", ":", "retry:")):
                    self.heard.put_nowait(time.perf_counter() if line.startswith("data:") else 0.0)


async def _measure_hearing(
    client: httpx.AsyncClient, at: str, cookie: dict[str, str], path: str, bearer: dict[str, str], sheet: Json
) -> list[float]:
    """Seconds from something that is sent at one seat until the first of it has come to the other's page."""
    line = Line(asyncio.Queue())
    listening = asyncio.create_task(line.listen(client, at, cookie))
    await asyncio.wait_for(line.heard.get(), 60)  # it is open
    lags = []
    for _ in range(SAID):
        await asyncio.sleep(0.3)  # all of what was said before has come
        while not line.heard.empty():
            line.heard.get_nowait()
        started, heard_at = time.perf_counter(), 0.0
        sending = asyncio.create_task(
            client.post(path, json={"declare": sheet, "answers": []}, headers=_add_key(bearer))
        )
        while not heard_at:
            heard_at = await asyncio.wait_for(line.heard.get(), 60)
        assert (await sending).status_code == 201, (await sending).text
        lags.append(heard_at - started)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    return lags
