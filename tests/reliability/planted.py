"""Faults, planted into a service of its own process. A check that lets one of them pass is no check."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import gettempdir
from threading import Thread
from typing import Any

from ledger.application.ledger import Ledger
from ledger.application.saves import Saves
from ledger.events.invites import Use
from ledger.events.recorder import LedgerRecorder, Row

FOLLOWS = re.compile(rb'"follows":[0-9]')
DECIDED = re.compile(rb'"did":"(taken-back|rewound|reinstated)"')
LATE = re.compile(rb'"did":"ruled".*"after":[0-9]', re.DOTALL)
UNDER_WAY = 10  # the position from which on a campaign is


def forgetful() -> None:
    """Keeps no receipts: who asks again is served again."""
    Saves.put_receipt = lambda *_: None  # type: ignore[method-assign]


def hasty() -> None:
    """Answers first and saves a little later, once a campaign is under way."""
    queue: SimpleQueue[Callable[[], Any]] = SimpleQueue()
    save = LedgerRecorder.append

    def put_off(self: LedgerRecorder, rows: Sequence[Row], use: Use | None = None) -> list[int]:
        if rows[-1][1] < UNDER_WAY:
            return save(self, rows, use)
        queue.put(lambda: save(self, rows, use))
        return []

    def work() -> None:
        while True:
            act = queue.get()
            time.sleep(0.05)
            act()

    Thread(target=work, daemon=True).start()
    LedgerRecorder.append = put_off  # type: ignore[method-assign]


def careless() -> None:
    """Serves on any database, as unfit as it may be."""
    Ledger.check = lambda self: None  # type: ignore[method-assign]


def crashing() -> None:
    """Ends by a segmentation fault once in each campaign: after a save, before its answer."""
    save = LedgerRecorder.append

    def save_and_crash(self: LedgerRecorder, rows: Sequence[Row], use: Use | None = None) -> list[int]:
        ids = save(self, rows, use)
        if rows[-1][1] == UNDER_WAY:
            os.kill(os.getpid(), signal.SIGSEGV)
        return ids

    LedgerRecorder.append = save_and_crash  # type: ignore[method-assign]


def falling() -> None:
    """Is killed once: right before or right after the save of a step that follows by itself, or of a decision, as
    `falls_at` said.
    """
    save, marks, saved = LedgerRecorder.append, _find_marks(os.getppid()), 0

    def fall(moment: str) -> None:
        mark = marks / moment
        if mark.exists():
            mark.unlink()
            os.kill(os.getpid(), signal.SIGKILL)

    def save_and_fall(self: LedgerRecorder, rows: Sequence[Row], use: Use | None = None) -> list[int]:
        nonlocal saved
        saved += any(FOLLOWS.search(row[3]) for row in rows)
        decided = next((found[1].decode() for row in rows if (found := DECIDED.search(row[3]))), "")
        if any(LATE.search(row[3]) for row in rows):
            decided = "entered-late"
        what = decided or (str(saved) if any(FOLLOWS.search(row[3]) for row in rows) else "")
        fall(f"before-{what}")
        ids = save(self, rows, use)
        fall(f"after-{what}")
        return ids

    LedgerRecorder.append = save_and_fall  # type: ignore[method-assign]


@contextmanager
def falls_at(moment: str) -> Iterator[Path]:
    """Yield the mark that `falling` removes when it is killed: `before-2` is right before it saves the second step,
    `after-rewound` right after a rewind.
    """
    marks = _find_marks(os.getpid())
    marks.mkdir()
    try:
        mark = marks / moment
        mark.touch()
        yield mark
    finally:
        shutil.rmtree(marks)


def _find_marks(test_process: int) -> Path:
    return Path(gettempdir()) / f"falling-{test_process}"


#: A database that answers first and writes later, for a service that does not look (`careless`).
LATE_COMMITS = ("ALTER SYSTEM SET wal_writer_delay = '10s'", "SELECT pg_reload_conf()")
LATE_COMMIT_OF_ROLE = "ALTER ROLE {role} IN DATABASE {database} SET synchronous_commit = off"
#: Who writes is answered before a standby has it. All who do: a NOTIFY whose commit waits keeps every other waiting.
LOCAL_COMMITS = "ALTER DATABASE {database} SET synchronous_commit = local"
