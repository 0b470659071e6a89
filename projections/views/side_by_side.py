"""Rebuild the views of shelves in several processes: this one and its helpers, each one shelf at a time.

Each shelf has its own schemas, place in the record, and lock. If a helper dies, the views it has built so far remain,
and another process continues them.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock, Thread
from typing import IO

import msgspec

from ledger.events.decoders import build_decoder

ALONE = 30_000  # the number of events that one process builds while another one starts
PROGRAM = (sys.executable, "-P", "-m", "projections.views.side_by_side")
log = logging.getLogger("ledger.views")


class Build(msgspec.Struct):
    """The first line that a helper reads. Each later line is the number of a shelf."""

    url: str
    schema: str
    views: list[str]


class BuildProgress(msgspec.Struct):
    """A helper's answer: the number of events processed so far, and the total. `built`: the shelf is finished."""

    done: int
    end: int
    built: bool = False


BUILD, BUILD_PROGRESS = build_decoder(Build), build_decoder(BuildProgress)
#: A function that is called with a shelf, the number of events processed so far, and the total.
ReportProgress = Callable[[int, int, int], None]


def count_processes(shelf_count: int, event_count: int) -> int:
    """Return how many processes are worth starting."""
    return max(1, min(os.cpu_count() or 1, shelf_count, event_count // ALONE))


class Sharing:
    """Shelves that wait to be rebuilt, in order."""

    def __init__(self, shelf_numbers: Sequence[int], report_progress: ReportProgress) -> None:
        self._waiting_numbers = list(reversed(shelf_numbers))
        self._report_progress = report_progress
        self._lock = Lock()

    def take_shelf(self) -> int | None:
        with self._lock:
            return self._waiting_numbers.pop() if self._waiting_numbers else None

    def give_back_shelf(self, number: int) -> None:
        with self._lock:
            self._waiting_numbers.append(number)

    def report_progress(self, number: int, count: int, end: int) -> None:
        """Report progress, one thread at a time."""
        with self._lock:
            self._report_progress(number, count, end)


@contextmanager
def start_helpers(sharing: Sharing, build: Build, helper_count: int) -> Iterator[Sequence[Thread]]:
    """Start helper processes that build shelves. Yield the threads that give them shelves. At the end of the block, end
    the processes.

    If a process ends early, its shelf is given back to be built by another process.
    """
    processes = [subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(helper_count)]
    threads = [Thread(target=_feed_helper, args=(process, sharing, build), daemon=True) for process in processes]
    try:
        for thread in threads:
            thread.start()
        yield threads
    finally:
        for process, thread in zip(processes, threads, strict=True):
            process.terminate()
            if thread.ident is not None:
                thread.join()
            with process:  # which closes its pipe
                pass


def _feed_helper(process: subprocess.Popen[bytes], sharing: Sharing, build: Build) -> None:
    """Give a helper one shelf after another."""
    assert process.stdin is not None and process.stdout is not None
    number = None
    try:
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(msgspec.json.encode(build) + b"\n")
            while (number := sharing.take_shelf()) is not None:
                pipe.write(b"%d\n" % number)
                pipe.flush()
                if not _wait_until_built(process.stdout, partial(sharing.report_progress, number)):
                    break
    finally:
        if number is not None:
            log.warning("The process that built the views of shelf %d stopped before it finished.", number)
            sharing.give_back_shelf(number)


def _wait_until_built(output: IO[bytes], report_progress: Callable[[int, int], None]) -> bool:
    """Return True once the helper reports that the shelf is built, or False if it stops reporting."""
    for line in output:
        progress = BUILD_PROGRESS.decode(line)
        report_progress(progress.done, progress.end)
        if progress.built:
            return True
    return False


def main() -> None:
    """Rebuild shelves in a helper process, until there are no more shelves or the main process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the main process ends this one
    from projections.views.projector import Projector
    from projections.views.store import VIEWS

    build = BUILD.decode(sys.stdin.buffer.readline())
    view_classes = [view_class for view_class in VIEWS if view_class.name in build.views]
    with Projector(build.url, build.schema) as projector:
        for line in sys.stdin.buffer:
            shelf = projector.shelves[int(line)]
            shelf.rebuild(view_classes, lambda count, end: _send_progress(BuildProgress(count, end)))
            _send_progress(BuildProgress(shelf.find_end(), shelf.find_end(), built=True))


def _send_progress(progress: BuildProgress) -> None:
    try:
        sys.stdout.buffer.write(msgspec.json.encode(progress) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the main process has gone; the work so far is kept
        os._exit(1)


if __name__ == "__main__":
    main()
