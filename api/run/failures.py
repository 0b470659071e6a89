"""Explain in one sentence why a command could not run. Nothing heavy is imported until a command fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ledger.errors import LedgerError

COULD_NOT = 3  # the exit code


@contextmanager
def explain_failures() -> Iterator[None]:
    """If the block raises an error, end the program with a sentence about the reason, and exit code 3."""
    try:
        yield
    except Exception as problem:
        reason = find_reason(problem)
        if reason is None:
            raise
    else:
        return
    print(f"campaign-ledger: {reason}", file=sys.stderr)
    raise SystemExit(COULD_NOT)


def find_reason(problem: Exception) -> str | None:
    """Return a sentence that says what failed, or None for an error that only a programmer can fix."""
    if isinstance(problem, LedgerError):
        return str(problem)
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{os.fsdecode(problem.filename)}: {problem.strerror}."
    import psycopg
    from eventsourcing.persistence import PersistenceError

    from api.embedded import EmbeddedPostgresError
    from api.http.problems import BadRequest

    if isinstance(problem, BadRequest):
        return problem.detail
    if isinstance(problem, EmbeddedPostgresError):
        return str(problem)
    cause = problem.__cause__ if isinstance(problem, PersistenceError) else problem
    if isinstance(cause, psycopg.errors.InvalidSchemaName | psycopg.errors.UndefinedTable):
        return "The database has no ledger yet. Run campaign-ledger migrate."
    if not isinstance(problem, PersistenceError | psycopg.Error):
        return None
    is_unreadable = isinstance(cause, psycopg.ProgrammingError) and cause.sqlstate is None
    # psycopg quotes the parts of a URL that it cannot read. They may include the password.
    reason = "its address is not a postgresql:// URL" if is_unreadable else str(problem).strip().partition("\n")[0]
    return f"The database can't be used: {reason}. Check LEDGER_DATABASE_URL."
