"""Shelves whose views are built anew by several processes at once, each a shelf at a time.

A shelf is its process's own: schemas, tracking, lock. What a process that died has built stands, and is gone on with.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from threading import Lock

import msgspec

from ledger.errors import Fault, LedgerError, Unavailable
from ledger.events.away import is_away

ALONE = 20_000  # events that one process has built before another one has begun
PROGRAM = (sys.executable, "-P", "-m", "projections.views.side_by_side")
#: Is told of which shelf how many events were taken.
Tell = Callable[[int, int], None]


class Build(msgspec.Struct):
    """What a process is told in its first line. After it, a line with the number of each shelf."""

    url: str
    schema: str
    views: list[str]


class Said(msgspec.Struct):
    """What it answers, line by line. `problem`: why it ends."""

    done: int = 0
    built: bool = False
    problem: str | None = None
    away: bool = False


def processes_for(shelves: int, events: int) -> int:
    """How many are worth their beginning."""
    return max(1, min(os.cpu_count() or 1, shelves, events // ALONE))


def build(what: Build, shelves: Sequence[int], processes: int, tell: Tell) -> None:
    """All of the shelves, in this order. `tell`: called by one thread at a time.

    Unavailable where the database is away; Fault where a process ends otherwise. The others are ended then, too.
    """
    waiting, lock = iter(shelves), Lock()
    begun: list[subprocess.Popen[bytes]] = []

    def taken() -> int | None:
        with lock:
            return next(waiting, None)

    def told(shelf: int, done: int) -> None:
        with lock:
            tell(shelf, done)

    with ThreadPoolExecutor(processes) as pool:
        try:
            while len(begun) < processes:
                begun.append(subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            for one in as_completed([pool.submit(_lead, process, what, taken, told) for process in begun]):
                one.result()
        finally:
            for process in begun:
                process.terminate()
            for process in begun:
                process.wait()


def _lead(process: subprocess.Popen[bytes], what: Build, taken: Callable[[], int | None], told: Tell) -> None:
    """Give a process one shelf after the other."""
    assert process.stdin is not None and process.stdout is not None
    with suppress(BrokenPipeError), process.stdin as to:
        to.write(msgspec.json.encode(what) + b"\n")
        while (shelf := taken()) is not None:
            to.write(b"%d\n" % shelf)
            to.flush()
            for said in _answers(process):
                told(shelf, said.done)
                if said.built:
                    break
            else:
                raise Fault("A process that built views ended before they were: what it built is gone on with.")


def _answers(process: subprocess.Popen[bytes]) -> Iterator[Said]:
    assert process.stdout is not None
    for line in process.stdout:
        said = msgspec.json.decode(line, type=Said)
        if said.problem is not None:
            raise Unavailable(said.problem) if said.away else Fault(said.problem)
        yield said


def main() -> None:
    """In the process: until nothing more is asked of it, or nobody listens any more."""
    from projections.views.projector import Projector
    from projections.views.store import VIEWS

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, for all that runs in it: the other one ends this
    what = msgspec.json.decode(sys.stdin.buffer.readline(), type=Build)
    views = [view for view in VIEWS if view.name in what.views]
    try:
        with Projector(what.url, what.schema) as projector:
            for line in sys.stdin.buffer:
                shelf = projector.shelves[int(line)]
                shelf.rebuild(views, lambda done, total: _say(Said(done=done)))
                _say(Said(done=shelf.end(), built=True))
    except BrokenPipeError:
        os._exit(1)
    except Exception as trouble:
        away = is_away(trouble)
        _say(Said(problem=trouble.detail if isinstance(trouble, LedgerError) else repr(trouble), away=away))
        if not away:
            raise


def _say(said: Said) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(said) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
