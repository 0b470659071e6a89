"""Find out whether the database's disk has room, from errors of saves and from a test that leaves nothing behind."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from contextlib import suppress

import psycopg

from ledger.events.away import find_disk_trouble

LATELY = 30.0  # seconds for which a refused save outweighs a test that succeeded
#: Produces a megabyte. The statement may not keep that much in memory, so the server writes it to the disk of the
#: tables.
TRY = (
    b"WITH room AS MATERIALIZED (SELECT repeat('x', 8000) AS page FROM generate_series(1, 128))"
    b" SELECT count(page) FROM room"
)
log = logging.getLogger("ledger.disk")


class Disk:
    """The state of the database's disk as this process knows it. `trouble`: for example "full", until a save succeeds
    again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.trouble: str | None = None
        self._clock = clock
        self._refused_at = -math.inf
        self._is_shown_by_tests = False  # whether a test has shown the trouble

    @property
    def sentence(self) -> str | None:
        """Return the sentence to report, or None if nothing is wrong."""
        return self.trouble and f"A disk of the database is {self.trouble}. Nothing can be saved until there is space."

    def note_trouble(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            log.error(self.sentence)

    def note_failed_save(self, problem: BaseException) -> bool:
        """Note the error of a failed save if it is about the disk. Return whether it is."""
        trouble = find_disk_trouble(problem)
        if trouble is not None:
            self._refused_at = self._clock()
            self.note_trouble(trouble)
        return trouble is not None

    def note_failed_test(self, problem: BaseException) -> bool:
        """Note the error of a failed test if it is about the disk. Return whether it is."""
        trouble = find_disk_trouble(problem)
        if trouble is not None:
            self._is_shown_by_tests = True
            self.note_trouble(trouble)
        return trouble is not None

    def note_save(self) -> None:
        """Note that something was saved."""
        self._refused_at, self._is_shown_by_tests = -math.inf, False
        if self.trouble is not None:
            self.trouble = None
            log.warning("The database's disk has space again.")

    def note_room(self) -> None:
        """Note that a test found room. Ignore it if a save was refused recently and no test has failed: another disk
        may be full.
        """
        if self._is_shown_by_tests or self._clock() - self._refused_at > LATELY:
            self.note_save()


def test_room(connection: psycopg.Connection[object]) -> None:
    """Write a megabyte to the disk of the tables, and discard it. Raise psycopg.errors.DiskFull or IoError if that
    fails.

    This does not test the disk of the server's write-ahead log.
    """
    # the owner may have set a limit that does not allow the test
    with suppress(psycopg.errors.ConfigurationLimitExceeded), connection.transaction():
        connection.execute(b"SELECT set_config('work_mem', '64kB', true)")
        connection.execute(TRY)
