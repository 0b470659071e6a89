"""Measure the page's first view over HTTP, in a long campaign and a young one: its CPU time, its bytes, and the time
until other seats are notified.

The page is the game master's, which contains the most. The notified seat is a player's.
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

MILLISECONDS, BYTES, HEARD = (
    150,
    100_000,
    300,
)  # targets: the time and bytes of a view, and the time until a notification
LOOKS, ROUNDS = 10, 9
SAID = 30  # rulings; another seat is notified of each
SEEN = re.compile(r'hx-sse:connect="([^"]+)"')
LINKED = re.compile(r'(?:src|href)="(/static/[^"]+)"')


def measure_page(bench: Bench, game: str, long_play: Play, young_play: Play) -> None:
    """Measure the page. `long_play`, `young_play`: campaigns of the same game with many facts and with few."""
    with run_service(make_environment_of_service(bench)) as running:
        for name, play in (("long", long_play), ("young", young_play)):
            title = f"{game}: page, {name} campaign of {len(play.numbers):,} rulings"
            asyncio.run(_measure(bench, title, running.address, running.pid, play))


async def _measure(bench: Bench, title: str, address: str, pid: int, play: Play) -> None:
    headers = {"Authorization": f"Bearer {play.token}"}
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        await _wait_for_views(client, play, headers)
        response = await client.post(
            f"/campaigns/{play.campaign}/seats", json={"name": "Ben", "role": "player"}, headers=_add_key(headers)
        )
        assert response.status_code == 201, response.text
        path, cookie_header = await _sit_down(client, play.token)
        await _measure_first_view(bench, title, client, path, cookie_header, pid)
        second_seat = await _sit_down(client, response.json()["token"])
        declaration = find_first_enrolment(play.system.name)
        lags = [
            1000 * lag
            for lag in await _measure_hearing(
                client, *second_seat, f"/campaigns/{play.campaign}/rulings", headers, declaration
            )
        ]
        ranked = sorted(lags)
        detail = f"{ranked[0]:.0f} to {ranked[-1]:.0f} ms, of {len(lags)}"
        bench.at_most(
            f"{title}: milliseconds until another seat's page gets a ruling", statistics.median(lags), HEARD, detail
        )


def _add_key(bearer: dict[str, str]) -> dict[str, str]:
    return {**bearer, "Idempotency-Key": str(uuid.uuid4())}


async def _wait_for_views(client: httpx.AsyncClient, play: Play, bearer: dict[str, str]) -> None:
    """Wait for the views, which another process builds."""
    position = int((await client.get(f"/campaigns/{play.campaign}", headers=bearer)).headers["Ledger-Position"])
    deadline = time.monotonic() + 900
    while True:
        answer = await client.get(f"/campaigns/{play.campaign}/timeline?limit=1", headers=bearer)
        if answer.status_code == 200 and int(answer.headers["Ledger-Position"]) >= position:
            return
        assert time.monotonic() < deadline, answer.text
        await asyncio.sleep(0.5)


async def _sit_down(client: httpx.AsyncClient, token: str) -> tuple[str, dict[str, str]]:
    """Open the page with the token. Return the page's path and the headers with its cookie."""
    origin = {"Origin": str(client.base_url).rstrip("/")}
    answer = await client.post("/join", data={"secret": token}, headers=origin)
    assert answer.status_code == 303, answer.text
    cookies = dict(answer.cookies)
    client.cookies.clear()
    return answer.headers["location"], {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


async def _measure_first_view(
    bench: Bench, title: str, client: httpx.AsyncClient, path: str, cookie_header: dict[str, str], pid: int
) -> None:
    async def load_view() -> httpx.Response:
        answer = await client.get(path, headers=cookie_header)
        assert answer.status_code == 200, answer.text
        return answer

    first_answer = await load_view()
    await load_view()
    wall_times, cpu_times = [], []
    for _ in range(ROUNDS):
        cpu_before = _read_cpu_seconds(pid)
        for _ in range(LOOKS):
            start_time = time.perf_counter()
            await load_view()
            wall_times.append(1000 * (time.perf_counter() - start_time))
        cpu_times.append(1000 * (_read_cpu_seconds(pid) - cpu_before) / LOOKS)
    detail = f"{min(wall_times):.0f} to {max(wall_times):.0f} ms, of {len(wall_times)}"
    bench.at_most(
        f"{title}: milliseconds to load the first view, median", statistics.median(wall_times), MILLISECONDS, detail
    )
    bench.at_most(
        f"{title}: milliseconds of the service's CPU for the first view, median",
        statistics.median(cpu_times),
        MILLISECONDS,
    )
    await _measure_bytes(bench, title, client, first_answer)


def _read_cpu_seconds(pid: int) -> float:
    """Return the CPU seconds that the process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _measure_bytes(bench: Bench, title: str, client: httpx.AsyncClient, shown: httpx.Response) -> None:
    """Measure all bytes sent for the page. Answers with a token are not compressed."""
    answer_by_path = {path: await client.get(path) for path in dict.fromkeys(LINKED.findall(shown.text))}
    sent_bytes = shown.num_bytes_downloaded + sum(reply.num_bytes_downloaded for reply in answer_by_path.values())
    raw_bytes = len(shown.content) + sum(len(reply.content) for reply in answer_by_path.values())
    gzipped_bytes = sum(len(gzip.compress(reply.content)) for reply in (shown, *answer_by_path.values()))
    bytes_by_kind = {
        kind: sum(
            reply.num_bytes_downloaded for path, reply in answer_by_path.items() if path.split("?")[0].endswith(kind)
        )
        for kind in (".css", ".js")
    }
    parts_text = f"page {len(shown.content):,}, css {bytes_by_kind['.css']:,}, js {bytes_by_kind['.js']:,}"
    detail = f"{parts_text}; raw {raw_bytes:,}, gzipped {gzipped_bytes:,}"
    bench.at_most(f"{title}: bytes sent for the first view", sent_bytes, BYTES, detail)


@dataclass
class Line:
    """An open feed of a page. `heard`: the times at which its messages arrived, in order."""

    heard: asyncio.Queue[float]

    async def listen(self, client: httpx.AsyncClient, page_path: str, cookie_header: dict[str, str]) -> None:
        match = SEEN.search((await client.get(page_path, headers=cookie_header)).text)
        assert match is not None
        async with client.stream("GET", match[1], headers=cookie_header, timeout=None) as reply:
            assert reply.status_code == 200
            async for line in reply.aiter_lines():
                if line.startswith(("data:", ":", "retry:")):
                    self.heard.put_nowait(time.perf_counter() if line.startswith("data:") else 0.0)


async def _measure_hearing(
    client: httpx.AsyncClient,
    page_path: str,
    cookie_header: dict[str, str],
    path: str,
    headers: dict[str, str],
    declaration: Json,
) -> list[float]:
    """Return the seconds from a request of one seat until the other seat's page gets the first message about it."""
    line = Line(asyncio.Queue())
    listening = asyncio.create_task(line.listen(client, page_path, cookie_header))
    await asyncio.wait_for(line.heard.get(), 60)  # wait until the feed is open
    lags = []
    for _ in range(SAID):
        await asyncio.sleep(0.3)  # all earlier messages have arrived
        while not line.heard.empty():
            line.heard.get_nowait()
        start_time, heard_at = time.perf_counter(), 0.0
        sending = asyncio.create_task(
            client.post(path, json={"declare": declaration, "answers": []}, headers=_add_key(headers))
        )
        while not heard_at:
            heard_at = await asyncio.wait_for(line.heard.get(), 60)
        assert (await sending).status_code == 201, (await sending).text
        lags.append(heard_at - start_time)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    return lags
