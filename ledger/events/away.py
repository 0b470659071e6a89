"""Recognize errors of a temporarily unavailable database. The request was valid and may succeed later."""

from __future__ import annotations

import psycopg
from eventsourcing.persistence import InterfaceError, OperationalError

#: Raised by a standby, or by a primary that is about to become a standby.
READ_ONLY = psycopg.errors.ReadOnlySqlTransaction
#: The server ended a transaction and its connection, because this process was stopped during the transaction.
TOO_LATE = psycopg.errors.IdleInTransactionSessionTimeout
#: SQLSTATE 53100 (disk full) and 58030 (any other I/O error). A full shared volume gives 58030.
DISK = {psycopg.errors.DiskFull: "full", psycopg.errors.IoError: "full or failing"}
#: Messages of a cluster's coordinator when it loses a worker. All internal errors have the same error code, so only the
#: text shows the cause.
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
    """Return whether the error (the library's or psycopg's) means that the database is unavailable."""
    connection_errors = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
    cause = _find_cause(problem)
    if isinstance(problem, connection_errors) or isinstance(cause, (READ_ONLY, TOO_LATE)):
        return True
    return isinstance(cause, psycopg.errors.InternalError_) and any(phrase in str(cause) for phrase in CUT)


def is_read_only(problem: BaseException) -> bool:
    """Return whether a write reached a server that accepts no writes now."""
    return isinstance(_find_cause(problem), READ_ONLY)


def find_disk_trouble(problem: BaseException) -> str | None:
    """Return what the error says about the server's disk, for example "full", or None if it is not about the disk."""
    cause = _find_cause(problem)
    return next((trouble_words for kind, trouble_words in DISK.items() if isinstance(cause, kind)), None)


def describe_trouble(problem: BaseException) -> str:
    """Describe the error for the log.

    A server's message is left out, because it may contain stored values. A client library's message is included.
    """
    trouble, cause = find_disk_trouble(problem), _find_cause(problem)
    if trouble is not None:
        return f"its disk is {trouble}"
    is_of_connection = isinstance(cause, psycopg.OperationalError) and cause.sqlstate is None and str(cause)
    return f"{type(problem).__name__}: {str(cause).splitlines()[0]}" if is_of_connection else type(problem).__name__


def _find_cause(problem: BaseException) -> BaseException | None:
    return problem if isinstance(problem, psycopg.Error) else problem.__cause__
