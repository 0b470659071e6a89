"""Measure the service as a separate process over HTTP: its rulings, compared with storing one durable row, and its feed
with two hundred listeners.
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import IO, TypeAlias

import httpx
import psycopg

from scripts.bench_client import OPERATOR, PlayClient, RowClient
from scripts.bench_cpu import read_costs
from scripts.bench_games import find_first_enrolment
from scripts.bench_play import KEY, Bench

LISTENERS = 200
Facts: TypeAlias = set[tuple[int, int]]
WRITERS = 10
#: The game of the table that a crowd listens to. Several scenes of it may be open at the same time.
CROWD_GAME = "mongrel"
#: The least that a route can do to store one row: the cost of HTTP, the framework and the disk without the ledger.
BARE = """
import os, sys, psycopg_pool, uvicorn
from fastapi import FastAPI, Request
from api.run.serve import bind_socket
pool = psycopg_pool.ConnectionPool(os.environ["BARE_URL"], min_size=10, max_size=10, kwargs={"autocommit": True})
app = FastAPI()

def keep(body):
    with pool.connection() as connection:
        connection.execute("INSERT INTO " + os.environ["BARE_TABLE"] + " (state) VALUES (%s)", (body,))

@app.post("/rows", status_code=201)
async def post_row(request: Request) -> dict[str, str]:
    from fastapi.concurrency import run_in_threadpool
    await run_in_threadpool(keep, await request.body())
    return {"kept": "yes"}

bound = bind_socket("127.0.0.1", 0)
print(f"listens on http://127.0.0.1:{bound.getsockname()[1]}", file=sys.stderr, flush=True)
uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning")).run(sockets=[bound])
"""
COMMAND = "import sys; sys.argv = ['campaign-ledger', {}]; from api.cli.main import main; main()"
SERVICE = COMMAND.format("'serve', '--no-views', '--port', '0'")  # a process for the views, as in `scripts/up`
PROJECTOR = COMMAND.format("'projector'")


@dataclass(frozen=True, slots=True)
class Running:
    """A running service: its address, its process, and the process that updates its views (0: none)."""

    address: str
    pid: int
    projector_pid: int


def measure_service(bench: Bench, game: str, seconds: float) -> None:
    """Measure the service. `seconds`: how long each side is measured."""
    table = f"{bench.database.schema}.bare"
    with psycopg.connect(bench.database.owner_url, autocommit=True) as owner:
        owner.execute(f"CREATE TABLE IF NOT EXISTS {table} (id bigserial PRIMARY KEY, state bytea)".encode())
    bare_settings = {"BARE_URL": bench.database.owner_url, "BARE_TABLE": table}
    with run_service(make_environment_of_service(bench)) as ours, run_service(bare_settings, BARE) as bare_service:
        for clients in (1, WRITERS):
            _measure_rulings(bench, game, clients, seconds, ours, bare_service)
        asyncio.run(_measure_feed(bench, CROWD_GAME, seconds, ours.address))


def make_environment_of_service(bench: Bench) -> dict[str, str]:
    """Return the environment of a service on the benchmark's database, without rate limits."""
    return {
        "LEDGER_DATABASE_URL": bench.database.service_url,
        "LEDGER_PROJECTOR_URL": bench.database.projector_url,
        "LEDGER_SCHEMA": bench.database.schema,
        "LEDGER_SERVER_KEY": KEY.decode(),
        "LEDGER_OPERATOR_TOKEN": OPERATOR,
        "LEDGER_RATE_LIMIT": "off",
        "LEDGER_ADDRESS_RATE_LIMIT": "off",
        "LEDGER_LOG_LEVEL": "warning",
    }


@contextmanager
def run_service(settings: dict[str, str], program: str = SERVICE) -> Iterator[Running]:
    """Yield the service once it is listening. Another process updates its views."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
    views_keeper = keep_views(settings) if program == SERVICE else nullcontext(0)
    with views_keeper as projector_pid, tempfile.NamedTemporaryFile("r") as errors, open(errors.name, "w") as sink:  # noqa: PTH123
        process = subprocess.Popen([sys.executable, "-c", program], env={**environment, **settings}, stderr=sink)
        try:
            yield Running(_wait_for_address(process, errors), process.pid, projector_pid)
        finally:
            _end(process)


@contextmanager
def keep_views(settings: dict[str, str]) -> Iterator[int]:
    """Update the views in another process, and yield its id."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
    process = subprocess.Popen(
        [sys.executable, "-c", PROJECTOR], env={**environment, **settings}, stderr=subprocess.DEVNULL
    )
    try:
        yield process.pid
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process. Kill it if it does not end within half a minute."""
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_for_address(process: subprocess.Popen[bytes], errors: IO[str]) -> str:
    """Return the address that the service reports, once it answers there."""
    deadline, output, match = time.monotonic() + 180, "", None  # a busy machine is slow
    while match is None or not _is_answering(f"http://{match[1]}"):
        output += errors.read()
        assert process.poll() is None and time.monotonic() < deadline, output
        time.sleep(0.05)
        match = match or re.search(r"listens on (?:http://)?([0-9.]+:[0-9]+)", output)
    return f"http://{match[1]}"


def _is_answering(address: str) -> bool:
    try:
        httpx.get(f"{address}/healthz")
    except httpx.TransportError:
        return False
    return True


def _measure_rulings(bench: Bench, game: str, clients: int, seconds: float, ours: Running, bare: Running) -> None:
    """Compare clients that play campaigns of their own with as many clients that store rows."""
    row = find_first_enrolment(game)
    with ExitStack() as stack:
        players = [stack.enter_context(closing(PlayClient(ours.address, game))) for _ in range(clients)]
        savers = [stack.enter_context(closing(RowClient(bare.address, row))) for _ in range(clients)]
        _measure_rate(players, seconds / 10)
        _measure_rate(savers, seconds / 10)
        costs_before, ruling_count = (
            read_costs(bench.database, ours.pid, ours.projector_pid),
            sum(player.count for player in players),
        )
        rounds = [(_measure_rate(players, seconds / 4), _measure_rate(savers, seconds / 4)) for _ in range(4)]
        costs_after, ruling_count = (
            read_costs(bench.database, ours.pid, ours.projector_pid),
            sum(player.count for player in players) - ruling_count,
        )
    ruling_rate, row_rate = (statistics.median(side) for side in zip(*rounds, strict=True))
    ratio = statistics.median(left / right for left, right in rounds)
    detail = f"{ruling_rate:,.0f}/s beside {row_rate:,.0f}/s"
    bench.note(f"{game}: rulings over HTTP divided by plain row inserts, {clients} clients", ratio, detail)
    costs = costs_after.average_since(costs_before, ruling_count)
    title = f"{game}: milliseconds of CPU for a ruling over HTTP, {clients} clients"
    bench.note(title, 1000 * costs.total, costs.describe())


def _measure_rate(clients: Sequence[PlayClient | RowClient], seconds: float) -> float:
    """Return how many rulings or rows are answered per second. Each client immediately sends its next request."""
    start_time = time.perf_counter()
    count_before = sum(client.count for client in clients)

    def repeat(client: PlayClient | RowClient) -> None:
        while time.perf_counter() < start_time + seconds:
            client.step()

    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(repeat, clients))
    return (sum(client.count for client in clients) - count_before) / (time.perf_counter() - start_time)


@dataclass
class Table:
    """A campaign over HTTP. `answered`: the time of each ruling's answer, by the campaign's position."""

    client: httpx.AsyncClient
    path: str
    headers: dict[str, str]
    answered: dict[int, float] = field(default_factory=dict)

    async def open_scene(self) -> str:
        return await self._declare(kind="open-scene", title="A hall")

    async def close_scene(self, scene: str) -> None:
        await self._declare(kind="close-scene", scene=scene)

    async def _declare(self, **declaration: str) -> str:
        reply = await self.client.post(f"{self.path}/rulings", json={"declare": declaration}, headers=self.headers)
        assert reply.status_code == 201, reply.text
        self.answered[int(reply.headers["Ledger-Position"])] = time.perf_counter()
        return str(reply.json()["number"])

    async def play_until(self, deadline: float) -> None:
        """Open and close scenes until the deadline."""
        while time.perf_counter() < deadline:
            await self.close_scene(await self.open_scene())

    async def find_position(self) -> int:
        """Return the position of the views."""
        reply = await self.client.get(f"{self.path}/timeline?limit=1", headers=self.headers)
        return int(reply.headers["Ledger-Position"])


async def _open_table(client: httpx.AsyncClient, game: str) -> Table:
    headers = {"Authorization": f"Bearer {OPERATOR}", "Idempotency-Key": str(uuid.uuid4())}
    reply = await client.post(
        "/campaigns", json={"name": "Bench", "system": game, "gm": {"name": "Ann"}}, headers=headers
    )
    assert reply.status_code == 201, reply.text
    campaign = reply.json()
    seat_headers = {"Authorization": f"Bearer {campaign['seat']['token']}"}
    return Table(client, f"/campaigns/{campaign['id']}", seat_headers)


async def _measure_feed(bench: Bench, game: str, seconds: float, address: str) -> None:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        await _measure_latency(bench, await _open_table(client, game), max(20, int(10 * seconds)))
        await _measure_crowd(bench, await _open_table(client, game), seconds)


@dataclass
class Listener:
    """A client of the feed. `heard`: (position, place) of the events in the order of arrival. `at`: the time at which
    each position first arrived."""

    heard: list[tuple[int, int]] = field(default_factory=list)
    at: dict[int, float] = field(default_factory=dict)

    async def listen(self, table: Table, ready: asyncio.Semaphore) -> None:
        async with table.client.stream("GET", f"{table.path}/feed", headers=table.headers, timeout=None) as reply:
            assert reply.status_code == 200
            fields: dict[str, str] = {}
            async for line in reply.aiter_lines():
                name, _, value = line.partition(": ")
                if line:
                    fields[name] = value
                elif "event" in fields and "id" in fields:
                    position, _, place = fields["id"].partition(".")
                    self.heard.append((int(position), int(place)))
                    self.at.setdefault(int(position), time.perf_counter())
                    fields = {}
                elif "id" in fields:  # the place where the feed begins
                    ready.release()


async def _open_feeds(table: Table, count: int) -> tuple[list[Listener], list[asyncio.Task[None]]]:
    """Open feeds, and return them once each one has reported where it begins."""
    ready = asyncio.Semaphore(0)
    listeners = [Listener() for _ in range(count)]
    tasks = [asyncio.create_task(listener.listen(table, ready)) for listener in listeners]
    for _ in range(count):
        await asyncio.wait_for(ready.acquire(), 30)
    return listeners, tasks


async def _cancel_tasks(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _measure_latency(bench: Bench, table: Table, count: int) -> None:
    """Measure the time from the answer to a POST until its event arrives, one request at a time."""
    (listener,), tasks = await _open_feeds(table, 1)
    for _ in range(count // 2):
        scene = await table.open_scene()
        await asyncio.sleep(0.05)
        await table.close_scene(scene)
        await asyncio.sleep(0.05)
    await _wait_until_heard([listener], table, set())
    await _cancel_tasks(tasks)
    lags = [1000 * lag for lag in _list_lags([listener], table)]
    bench.at_most("events not heard", len(table.answered) - len(lags), 0)
    _note_median(bench, "milliseconds from an answer to its event, median", lags, "ms")


def _list_lags(listeners: list[Listener], table: Table) -> list[float]:
    """Return the seconds from each answer until the last listener got its event. Missed events are left out."""
    return [
        max(listener.at[position] for listener in listeners) - answered
        for position, answered in table.answered.items()
        if all(position in listener.at for listener in listeners)
    ]


def _note_median(bench: Bench, what: str, values: list[float], unit: str) -> None:
    if not values:
        bench.skip(what, "the time was too short to measure anything")
        return
    ranked = sorted(values)
    value_by_share = {share: ranked[min(len(ranked) - 1, int(len(ranked) * share / 100))] for share in (95, 99)}
    tail = ", ".join(f"{share}% within {value:.2f} {unit}" for share, value in value_by_share.items())
    bench.note(what, statistics.median(values), f"{tail} of {len(ranked):,}")


async def _wait_until_heard(listeners: list[Listener], table: Table, facts: Facts, patience: float = 30) -> None:
    last_position = max(table.answered)
    deadline = time.perf_counter() + patience
    while (
        any(last_position not in listener.at or not facts <= set(listener.heard) for listener in listeners)
        and time.perf_counter() < deadline
    ):
        await asyncio.sleep(0.05)


async def _measure_crowd(bench: Bench, table: Table, seconds: float) -> None:
    """Measure two hundred listeners to one campaign with ten writers. No listener may miss an event or get it twice."""
    listeners, tasks = await _open_feeds(table, LISTENERS)
    view_lags: list[float] = []
    watching = asyncio.create_task(_watch(table, view_lags))
    start_time = time.perf_counter()
    await asyncio.gather(*(table.play_until(start_time + seconds) for _ in range(WRITERS)))
    end_time = time.perf_counter()
    rate = len(table.answered) / (end_time - start_time)
    await _cancel_tasks([watching])
    while await table.find_position() < max(table.answered):
        await asyncio.sleep(0.1)
    catch_up_seconds = time.perf_counter() - end_time
    facts = await _list_facts(table)
    assert set(table.answered) <= {position for position, _ in facts}
    await _wait_until_heard(listeners, table, facts)
    await _cancel_tasks(tasks)
    missed_count = sum(len(facts - set(listener.heard)) for listener in listeners)
    doubled_count = sum(listener.heard != sorted(set(listener.heard)) for listener in listeners)
    detail = f"{LISTENERS} listeners, {len(facts):,} facts, {WRITERS} writers at {rate:,.0f} rulings/s"
    bench.at_most("events missed by any listener", missed_count, 0, detail)
    bench.at_most("listeners that got an event twice or out of order", doubled_count, 0)
    bench.note("seconds from the last answer until the views were up to date", catch_up_seconds)
    _note_median(bench, "events by which the views were behind, median", view_lags, "events")
    lags = _list_lags(listeners, table)
    _note_median(bench, "seconds until every listener had a ruling, median", lags, "s")


async def _watch(table: Table, lags: list[float]) -> None:
    """Note ten times a second how many events the slowest view is behind."""
    while True:
        metrics = (await table.client.get("/metrics")).text
        lags.append(
            max(float(lag) for lag in re.findall(r"^ledger_view_lag_events\{.*\} (\S+)$", metrics, re.MULTILINE))
        )
        await asyncio.sleep(0.1)


async def _list_facts(table: Table) -> Facts:
    """Return the facts of the timeline from the table's first ruling on."""
    facts: Facts = set()
    url: str | None = f"{table.path}/timeline?limit=500&after={min(table.answered) - 1}.999999"
    while url is not None:
        reply = await table.client.get(url, headers=table.headers)
        for fact in reply.json()["facts"]:
            position, _, place = fact["id"].partition(".")
            facts.add((int(position), int(place)))
        url = reply.links.get("next", {}).get("url")
    return facts
