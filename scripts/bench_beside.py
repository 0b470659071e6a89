"""Compare the ledger with other programs, if node is installed: its rulings with Emmett's appends, and re-adjudication
with boardgame.io's moves.

npm installs their packages into a temporary folder. If node or the packages are not available, the report says so in
place of the figure.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from ledger.application import Call, Ledger, make_environment
from ledger.application.reading.pasts import History, load_history
from ledger.rules.kernel.comparison import compare
from ledger.rules.kernel.world import Past
from scripts.bench_play import KEY, Bench, Play, measure_seconds

PROGRAMS = Path(__file__).with_name("beside")
PACKAGES = {
    "emmett": [
        "@event-driven-io/emmett@0.42.0",
        "@event-driven-io/emmett-postgresql@0.42.0",
        "@event-driven-io/pongo@0.16.11",
    ],
    "boardgame": ["boardgame.io@0.50.2"],
}
CLIENTS, PROCESSES, ROUNDS = 10, 2, 5
MOVES = 10_000


class Runner(Protocol):
    """Runs another program with these arguments, and returns the number that it prints."""

    def __call__(self, *arguments: object) -> float: ...


class Missing(Exception):
    """A requirement of the other program is missing. The message names it."""


def measure_beside(bench: Bench, game: str, play: Play, seconds: float) -> None:
    """Compare with the other programs. `seconds`: the length of each measurement with ten clients."""
    measure_by_name: dict[str, Callable[[], None]] = {
        "Emmett's appends": lambda: _measure_ten_clients(bench, game, seconds),
        "boardgame.io's replay of moves": lambda: _measure_readjudication(bench, game, play),
    }
    for name, measure in measure_by_name.items():
        try:
            measure()
        except Missing as problem:
            bench.skip(f"{game}: comparison with {name}", str(problem))


def _measure_ten_clients(bench: Bench, game: str, seconds: float) -> None:
    """Compare the rulings of ten clients, in two processes on one server, with Emmett's appends by ten clients."""
    with _install("emmett") as run:
        rounds = [
            (_measure_rulings(bench, game, seconds), run(bench.database.owner_url, CLIENTS, seconds, 1))
            for _ in range(ROUNDS)
        ]
    our_rate, their_rate = (statistics.median(side) for side in zip(*rounds, strict=True))
    ratio = statistics.median(left / right for left, right in rounds)
    title = f"{game}: rulings divided by Emmett's appends, {CLIENTS} clients and campaigns, {PROCESSES} processes"
    bench.at_least(title, ratio, 1.2, f"{our_rate:,.0f} rulings/s, Emmett {their_rate:,.0f} appends/s, one event each")


def _measure_rulings(bench: Bench, game: str, seconds: float) -> float:
    """Return the rulings per second of all processes together."""
    arguments = [bench.database.service_url, bench.database.schema, game, str(CLIENTS // PROCESSES), str(seconds)]
    command = [sys.executable, "-m", "scripts.bench_beside", *arguments]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline().strip() == "ready"
    return sum(float(process.communicate("go\n")[0]) for process in processes)


def _play(url: str, schema: str, game: str, client_count: int, seconds: float) -> None:
    """Run one of the processes: report when it is ready, wait for the signal to begin, and report the rulings per
    second."""
    with Ledger(make_environment(url, schema=schema, pool_size=client_count), KEY) as ledger:
        plays = [Play(ledger, game) for _ in range(client_count)]
        for play in plays:
            play.play_until(50)
        print("ready", flush=True)
        sys.stdin.readline()
        start_time = time.perf_counter()

        def play_on(play: Play) -> int:
            count_before = len(play.numbers)
            while time.perf_counter() < start_time + seconds:
                play.step()
            return len(play.numbers) - count_before

        with ThreadPoolExecutor(client_count) as pool:
            count = sum(pool.map(play_on, plays))
        print(count / (time.perf_counter() - start_time), flush=True)


def _measure_readjudication(bench: Bench, game: str, play: Play) -> None:
    """Compare the rate of re-adjudicating all rulings of a campaign with the rate of trivial moves in boardgame.io."""
    with bench.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, _), _install("boardgame") as run:
        history = load_history(book)
        past = Past(book.ruleset, {})
        past.tell(history.facts[0])
        rounds = [(measure_readjudication_rate(past, history), run(MOVES, 3)) for _ in range(ROUNDS)]
    our_rate, their_rate = (statistics.median(side) for side in zip(*rounds, strict=True))
    ratio = statistics.median(left / right for left, right in rounds)
    detail = f"{our_rate:,.0f} rulings/s, boardgame.io {their_rate:,.0f} moves/s"
    bench.at_least(f"{game}: re-adjudicated rulings divided by boardgame.io's moves", ratio, 1.0, detail)


def measure_readjudication_rate(past: Past, history: History) -> float:
    """Return how many rulings are re-adjudicated per second if none is skipped."""
    counts: list[int] = []
    rulings = list(history.rulings.values())
    seconds = measure_seconds(
        lambda: counts.append(compare(past, rulings, {}, {3: None}, skip=False).readjudicated_count)
    )
    return counts[0] / seconds


@contextmanager
def _install(name: str) -> Iterator[Runner]:
    """Install the program with its packages. Yield a function that runs it and returns the number that it prints. Raise
    Missing if it cannot be installed.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise Missing("skipped: node and npm are not installed")
    with tempfile.TemporaryDirectory(prefix="ledger-bench-") as folder:
        options = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts", "--prefix", folder]
        result = subprocess.run(
            [npm, "install", *options, *PACKAGES[name]], cwd=folder, capture_output=True, text=True, check=False
        )
        if result.returncode:
            raise Missing(f"skipped: npm could not install {', '.join(PACKAGES[name])}")
        program = Path(shutil.copy(PROGRAMS / f"{name}.mjs", folder))

        def run(*arguments: object) -> float:
            command = [node, str(program), *map(str, arguments)]
            return float(subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout)

        yield run


if __name__ == "__main__":
    url, schema, game, client_count, seconds = sys.argv[1:]
    _play(url, schema, game, int(client_count), float(seconds))
