"""The steps of `scripts/scale`, in order, and the figures that it prints."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from api.run import demo
from ledger.events.database_check import name_views_schema
from scripts.scale_cluster import Cluster, NoCluster
from scripts.scale_stage import Scene, Stage, read_seals
from tests.reliability.checks import answers_once, require, require_all
from tests.reliability.system import OPERATOR, Unreliable
from tests.reliability.writers import Writers

URL = "postgresql://postgres@127.0.0.1:57600/ledger"
WHAT_TO_DO = """{problem}
This test needs a cluster: PostgreSQL with Citus, a coordinator and two workers. By default the
test connects to a coordinator at {url}. To use another cluster, set --url to a login that owns the database."""
WRITERS, TABLES, PAUSE = 16, 16, 0.1  # seconds after each ruling, so that shelves can move in between
KILLS, BETWEEN = 3, 100  # answers between two disturbances
console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Figure:
    """The figures of one step. `slowest`: the longest time from the first request to the answer, in seconds. `away`:
    the number of answers with status 503.
    """

    step: str
    seconds: float
    ruling_count: int = 0
    slowest: float = 0.0
    away: int = 0
    detail: str = ""


@dataclass
class Run:
    stage: Stage
    ruling_count: int
    quick: bool
    figures: list[Figure] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)  # a game master's token by campaign

    @property
    def cluster(self) -> Cluster:
        return self.stage.cluster

    def note(self, step: str, seconds: float, detail: str = "") -> None:
        self.figures.append(Figure(step, seconds, detail=detail))
        console.print(f"{step}: {seconds:.1f} s {detail}", markup=False)

    @contextmanager
    def count(self, step: str, writers: Writers) -> Iterator[list[str]]:
        """Count the writers' answers until the end of the block. Yield a list for the details of the step."""
        away_before, start_time, detail = writers.away, time.monotonic(), list[str]()
        yield detail
        require(writers.complaints)
        end_time = time.monotonic()
        answered = [action for action in list(writers.deeds) if start_time < action.at <= end_time]
        slowest = max((action.at - action.began for action in answered), default=0.0)
        detail_text = ", ".join(detail)
        self.figures.append(
            Figure(step, end_time - start_time, len(answered), slowest, writers.away - away_before, detail_text)
        )
        console.print(f"{step}: {len(answered)} rulings in {end_time - start_time:.1f} s {detail_text}", markup=False)


def migrate(run: Run) -> None:
    """Migrate the database to this version, with its shelves on the workers."""
    start_time = time.monotonic()
    run.stage.migrate()
    spread_text = ", ".join(
        f"{schema_count} on {worker}" for worker, schema_count in run.cluster.count_schemas().items()
    )
    run.note("migration", time.monotonic() - start_time, f"{len(run.stage.shelves)} shelves; schemas: {spread_text}")


def play_demonstrations(run: Run) -> None:
    """Play all five games as `scripts/up` does, and audit each one."""
    start_time = time.monotonic()
    demonstrations = demo.play_demonstrations(run.stage.service.address, OPERATOR)
    for demonstration in demonstrations:
        run.tokens[demonstration.campaign] = next(iter(demonstration.token_by_person.values()))
    audit(run)
    run.note("demonstration and audits", time.monotonic() - start_time, f"{len(demonstrations)} games")


def audit(run: Run) -> None:
    run.stage.wait_for_views()
    with Scene(run.stage).client() as client:
        for campaign, token in run.tokens.items():
            response = client.get(f"/campaigns/{campaign}/audit", headers={"Authorization": f"Bearer {token}"})
            require(
                [
                    f"audit of {campaign}: {difference}"
                    for difference in response.raise_for_status().json()["differences"]
                ]
            )


def run_races(run: Run) -> None:
    """Send the same key in 32 requests at once, and let all writers play at one table."""
    answers_once(Scene(run.stage), 3)
    scene = Scene(run.stage)
    writers = Writers(scene, WRITERS, tables=1, pause=0)
    writers.start()
    try:
        with run.count("sixteen writers at one table", writers):
            writers.wait(run.ruling_count // 40)
    finally:
        writers.finish()
    require_all(scene, writers)


def kill_workers(run: Run, writers: Writers) -> None:
    """Kill each worker in turn, with all its processes, while the writers write."""
    for number in range(1 if run.quick else KILLS):
        worker = run.cluster.workers[number % len(run.cluster.workers)]
        with run.count(f"kill -9 of {worker}", writers) as detail:
            writers.wait(BETWEEN)
            killed = run.cluster.kill(worker)
            start_time = time.monotonic()
            time.sleep(1.0)
            run.cluster.start(killed)
            detail.append(f"away for {time.monotonic() - start_time:.1f} s")
            writers.wait(BETWEEN)


def move_shelves(run: Run, writers: Writers) -> None:
    """Move every shelf and its views to another worker while the writers write. Then let the cluster rebalance."""
    places = run.cluster.find_places()
    shelves = run.stage.shelves[: 2 if run.quick else None]
    with run.count("moving shelves", writers) as detail:
        schemas = [schema for shelf in shelves for schema in (shelf, name_views_schema(shelf))]
        durations = [run.cluster.move(schema, run.cluster.find_other(places[schema])) for schema in schemas]
        detail.append(f"{len(durations)} schemas, each {min(durations):.1f} to {max(durations):.1f} s")
    first_worker = run.cluster.workers[0]
    with run.count("moving all shelves to one worker", writers) as detail:
        moved_schemas = [schema for schema, place in run.cluster.find_places().items() if place != first_worker]
        for schema in moved_schemas[: 4 if run.quick else None]:
            run.cluster.move(schema, first_worker)
        detail.append(f"{len(moved_schemas)} schemas")
    with run.count("rebalance", writers) as detail:
        run.cluster.rebalance()
        detail.append(
            ", ".join(f"{schema_count} on {worker}" for worker, schema_count in run.cluster.count_schemas().items())
        )


def write_under_trouble(run: Run) -> None:
    """Make all rulings while workers die and shelves move. Check that every answered ruling is stored exactly once."""
    scene = Scene(run.stage)
    writers = Writers(scene, WRITERS, TABLES, PAUSE)
    writers.start()
    try:
        with run.count("undisturbed", writers):
            writers.wait(run.ruling_count // 10)
        kill_workers(run, writers)
        move_shelves(run, writers)
        with run.count("the rest, undisturbed", writers):
            writers.wait(max(0, run.ruling_count - writers.answered))
    finally:
        writers.finish()
    start_time = time.monotonic()
    run.stage.wait_for_views()
    require_all(scene, writers)
    run.note(
        "each ruling answered and recorded once", time.monotonic() - start_time, f"{writers.answered} rulings, audits"
    )
    run.tokens |= {table.id: table.token for table in writers.tables}


def rebuild_views(run: Run, seals_before: dict[str, object]) -> None:
    """Rebuild the views. Check that they do not differ, and that the seals are unchanged."""
    run.stage.wait_for_views()
    hashes_before, seals_kept = run.cluster.hash_views(run.stage.view_schemas), read_seals(run.stage, run.tokens)
    changed_campaigns = [campaign for campaign, seal in seals_before.items() if seals_kept[campaign] != seal]
    require([f"the seal of {campaign} has changed" for campaign in changed_campaigns])
    seconds = run.stage.run_command("rebuild")
    hashes_after = run.cluster.hash_views(run.stage.view_schemas)
    require(
        [
            f"after the rebuild, {table} differs"
            for table in sorted({*hashes_before, *hashes_after})
            if hashes_before.get(table) != hashes_after.get(table)
        ]
    )
    seals_after = read_seals(run.stage, run.tokens)
    require(
        [
            f"after the rebuild, the seal of {campaign} differs"
            for campaign in seals_kept
            if seals_after[campaign] != seals_kept[campaign]
        ]
    )
    run.note("views rebuilt unchanged; seals unchanged", seconds, f"{sum(map(len, hashes_after.values()))} rows")


def run_everything(run: Run) -> None:
    migrate(run)
    with run.stage.serve():
        play_demonstrations(run)
        seals = read_seals(run.stage, run.tokens)
        run_races(run)
        write_under_trouble(run)
        rebuild_views(run, seals)
        audit(run)


def show(run: Run) -> None:
    table = Table("step", "seconds", "rulings", "rulings/s", "slowest, s", "503", "detail")
    for figure in run.figures:
        rate = f"{figure.ruling_count / figure.seconds:.0f}" if figure.ruling_count else ""
        slowest = f"{figure.slowest:.2f}" if figure.ruling_count else ""
        counted = (
            (str(figure.ruling_count), rate, slowest, str(figure.away)) if figure.ruling_count else ("", "", "", "")
        )
        table.add_row(figure.step, f"{figure.seconds:.1f}", *counted, figure.detail)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def main(
    url: Annotated[str, typer.Option(help="The URL of the coordinator, with a login that owns the database.")] = URL,
    rulings: Annotated[
        int, typer.Option(min=100, help="How many rulings to make while workers die and shelves move.")
    ] = 20_000,
    quick: Annotated[bool, typer.Option("--quick", help="Do only a tenth of everything.")] = False,
) -> None:
    """Test everything a ledger does on a cluster of PostgreSQL with Citus, while workers are killed and shelves move.

    It plays in the given database, including a test game. Use a separate database.
    """
    try:
        cluster = Cluster(url)
    except NoCluster as problem:
        sys.exit(print_text(2, WHAT_TO_DO.format(problem=problem, url=URL)))
    run = Run(Stage(cluster), rulings // 10 if quick else rulings, quick)
    console.print(f"Citus on PostgreSQL {cluster.server}: {cluster.version}", markup=False)
    try:
        run_everything(run)
    except Unreliable as problem:
        show(run)
        sys.exit(print_text(1, f"Not as required:\n{problem}"))
    show(run)


def print_text(code: int, text: str) -> int:
    console.print(text, markup=False, soft_wrap=True)
    return code


if __name__ == "__main__":
    typer.run(main)
