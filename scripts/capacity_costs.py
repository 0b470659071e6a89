"""Measure the cost of a ruling in every game: events, bytes, and the CPU time of all processes involved."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx
import psutil
import psycopg

from ledger.application import Ledger, make_environment
from ledger.events.shelves import name_schema, name_schemas
from projections.views.projector import Projector
from scripts.bench_games import GAMES, find_first_enrolment
from scripts.bench_play import KEY, Bench, Play, open_fresh_database
from scripts.bench_service import make_environment_of_service, run_service

SIZE = """
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ANY(%s) AND c.relkind = 'r'"""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one ruling of a game. Bytes are on disk, including indexes. The other costs are CPU seconds.

    - log: bytes of the server's write-ahead log, including the views.
    - rules: CPU seconds of the service's process, without HTTP.
    - server: CPU seconds of PostgreSQL, including its work for the views.
    - views: CPU seconds of the projector.
    """

    game: str
    events: float
    record: float
    view: float
    log: float
    rules: float
    server: float
    views: float


@dataclass(frozen=True, slots=True)
class RequestCosts:
    """CPU seconds of the service's process: a ruling over HTTP, and one seat's request for the newest events."""

    ruling: float
    look: float


def measure_costs(ruling_count: int) -> tuple[list[Costs], RequestCosts]:
    with (
        open_fresh_database() as database,
        Ledger(make_environment(database.service_url, schema=database.schema), KEY) as ledger,
    ):
        bench = Bench(database, ledger)
        return [_measure_game(bench, game, ruling_count) for game in GAMES], _measure_requests(bench, ruling_count)


def _measure_game(bench: Bench, game: str, ruling_count: int) -> Costs:
    """Measure `ruling_count` rulings of a campaign that already has the same number of rulings."""
    play = Play(bench.ledger, game)
    with Projector(bench.database.projector_url, bench.database.schema) as projector:
        play.play_until(ruling_count)
        projector.catch_up()
        before, rules, server = _measure_stored(bench), time.process_time(), _read_server_cpu(bench)
        play.play_until(2 * ruling_count)
        rules, views = time.process_time() - rules, time.process_time()
        projector.catch_up()
        views, server = time.process_time() - views, _read_server_cpu(bench) - server
        after = _measure_stored(bench)
    events, record, view, log = (end - start for end, start in zip(after, before, strict=True))
    costs_per_ruling = [figure / ruling_count for figure in (events, record, view, log, rules, server, views)]
    return Costs(game, *costs_per_ruling)


def _measure_stored(bench: Bench) -> tuple[int, int, int, int]:
    """Return the number of events, and the bytes of the record, the views, and the log since the server started."""
    base_schema, shelf_count = bench.database.schema, bench.ledger.shelves.shelf_count
    schemas = name_schemas(base_schema, shelf_count)
    with psycopg.connect(bench.database.owner_url, autocommit=True) as connection:

        def read_number(query: str, *values: object) -> int:
            row = connection.execute(query.encode(), values).fetchone()
            return int(row[0]) if row is not None else 0

        event_count = sum(
            read_number(f"SELECT last FROM {name_schema(base_schema, number)}.counter") for number in range(shelf_count)
        )
        view_schemas = [f"{schema}_views" for schema in schemas]
        return (
            event_count,
            read_number(SIZE, schemas),
            read_number(SIZE, view_schemas),
            read_number("SELECT pg_current_wal_insert_lsn() - '0/0'"),
        )


def _read_server_cpu(bench: Bench) -> float:
    """Return the CPU seconds of all processes of the server, including those that have ended."""
    postmaster = _find_postmaster(bench)
    seconds = sum(postmaster.cpu_times()[:4])
    for child in postmaster.children():
        seconds += sum(child.cpu_times()[:2])
    return seconds


def _find_postmaster(bench: Bench) -> psutil.Process:
    with psycopg.connect(bench.database.owner_url, autocommit=True) as connection:
        (folder,) = connection.execute("SHOW data_directory").fetchone() or ("",)
        return psutil.Process(int(open(f"{folder}/postmaster.pid").readline()))  # noqa: PTH123


def _measure_requests(bench: Bench, count: int) -> RequestCosts:
    """Measure adding a character in the first game and reading the newest page of the timeline, both over HTTP."""
    game = next(iter(GAMES))
    play = Play(bench.ledger, game)
    token, declaration = play.token, find_first_enrolment(game)
    with (
        run_service(make_environment_of_service(bench)) as service,
        httpx.Client(base_url=service.address, timeout=60) as client,
    ):
        path, headers = f"/campaigns/{play.campaign}", {"Authorization": f"Bearer {token}"}
        body = {"declare": declaration, "answers": []}

        def measure_cost(act: Callable[[], httpx.Response]) -> float:
            """Return the median of ten measurements, each of a tenth of the calls."""
            costs = list[float]()
            for _ in range(10):
                seconds_before = sum(psutil.Process(service.pid).cpu_times()[:2])
                for _ in range(max(1, count // 10)):
                    answer = act()
                    assert answer.is_success, answer.text
                costs.append((sum(psutil.Process(service.pid).cpu_times()[:2]) - seconds_before) / max(1, count // 10))
            return statistics.median(costs)

        ruling = measure_cost(lambda: client.post(f"{path}/rulings", json=body, headers=headers))
        return RequestCosts(
            ruling, measure_cost(lambda: client.get(f"{path}/timeline?order=desc&limit=20", headers=headers))
        )
