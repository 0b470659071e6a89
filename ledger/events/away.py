"""Which errors mean that the database is away for now: nothing is wrong with what was asked, and later it may be."""

from __future__ import annotations

import psycopg
from eventsourcing.persistence import InterfaceError, OperationalError

#: A standby, or a primary that is about to be one.
READ_ONLY = psycopg.errors.ReadOnlySqlTransaction
#: The server ended the transaction, and with it the connection: this process stood still in it.
TOO_LATE = psycopg.errors.IdleInTransactionSessionTimeout
#: 53100; and 58030, of any other failure to read or write: a volume that shares its room with others fails in that way.
DISK = {psycopg.errors.DiskFull: "full", psycopg.errors.IoError: "full or failing"}
#: What a cluster's coordinator says, under the code of any internal error, when a worker went away: words of its own,
#: or of the library with which it asks workers.
CUT = (
    "failure on connection",
    "server closed the connection",
    "SSL SYSCALL error",
    "SSL connection has been closed",
    "could not receive data from server",
    "could not send data to server",
    "connection not open",
    "no connection to the server",
)


def is_away(problem: BaseException) -> bool:
    """Return whether the problem (the library's or psycopg's) is that the database is away."""
    lost = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
    cause = _cause(problem)
    if isinstance(problem, lost) or isinstance(cause, (READ_ONLY, TOO_LATE)):
        return True
    return isinstance(cause, psycopg.errors.InternalError_) and any(phrase in str(cause) for phrase in CUT)


def is_read_only(problem: BaseException) -> bool:
    """Return whether a write was asked of a server that takes no writes now."""
    return isinstance(_cause(problem), READ_ONLY)


def disk_trouble(problem: BaseException) -> str | None:
    """Return what it says of the server's disk: that it is full, or does not work. None if it says nothing of it."""
    cause = _cause(problem)
    return next((trouble for kind, trouble in DISK.items() if isinstance(cause, kind)), None)


def why(problem: BaseException) -> str:
    """Return, for the log, what it says of the disk, or else its type. Its words may hold paths and what is stored."""
    trouble = disk_trouble(problem)
    return type(problem).__name__ if trouble is None else f"its disk is {trouble}"


def _cause(problem: BaseException) -> BaseException | None:
    return problem if isinstance(problem, psycopg.Error) else problem.__cause__
