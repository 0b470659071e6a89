"""Whether the database's disk has room: what is known of it, and a try that leaves nothing behind."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from contextlib import suppress

import psycopg

from ledger.events.away import disk_trouble

LATELY = 30.0  # seconds for which a save that was refused outweighs a try that was not
#: A megabyte more than a statement may hold in memory: it goes into a temporary file, in the folder of the tables.
TRY = (
    b"WITH room AS MATERIALIZED (SELECT repeat('x', 8000) AS page FROM generate_series(1, 128))"
    b" SELECT count(page) FROM room"
)
log = logging.getLogger("ledger.disk")


class Disk:
    """What a process knows of the database's disk. `trouble`: "full", say, until something was written again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.trouble: str | None = None
        self._clock = clock
        self._refused = -math.inf
        self._shows = False  # in a try

    @property
    def sentence(self) -> str | None:
        """What to say of it; None where there is nothing wrong with it."""
        return self.trouble and f"A disk of the database is {self.trouble}. Nothing can be saved until there is space."

    def know(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            log.error(self.sentence)

    def refused(self, problem: BaseException) -> bool:
        """Return whether the error that a save met is about the disk."""
        trouble = disk_trouble(problem)
        if trouble is not None:
            self._refused = self._clock()
            self.know(trouble)
        return trouble is not None

    def tried_in_vain(self, problem: BaseException) -> bool:
        """Return whether the error that a try met is about the disk."""
        trouble = disk_trouble(problem)
        if trouble is not None:
            self._shows = True
            self.know(trouble)
        return trouble is not None

    def took(self) -> None:
        """Something was saved."""
        self._refused, self._shows = -math.inf, False
        if self.trouble is not None:
            self.trouble = None
            log.warning("The database's disk has space again.")

    def has_room(self) -> None:
        """A try found room. Where the trouble does not show in tries (other disks), a save that was refused counts."""
        if self._shows or self._clock() - self._refused > LATELY:
            self.took()


def try_room(connection: psycopg.Connection[object]) -> None:
    """Write a megabyte beside the tables, and forget it. psycopg.errors.DiskFull or IoError if that is impossible.

    The log of a server cannot be tried so: it writes into files made before, and where it cannot make the next one, the
    whole server stops.
    """
    with suppress(psycopg.errors.ConfigurationLimitExceeded), connection.transaction():  # its owner allows none
        connection.execute(b"SELECT set_config('work_mem', '64kB', true)")
        connection.execute(TRY)
