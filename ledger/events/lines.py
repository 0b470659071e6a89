"""Lines to the database: to which of several servers, how soon a dead one is noticed, and which are not kept."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, cast

import psycopg
from eventsourcing.postgres import PostgresFactory
from eventsourcing.utils import Environment
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow, TupleRow

from ledger.events.away import READ_ONLY

#: A line that went dead without a word is noticed within seconds, by the kernel (milliseconds, seconds, a count).
LINE = {
    "connect_timeout": 3,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
#: Seconds that a transaction waits for its client's next statement before the server ends it. Others who wait for a
#: lock of it give up after five (`ledger.events.migration.PATIENCE`): they are late then, and not refused.
IDLE = 3
#: Of a transaction whose locks hold up nobody at the table: one that works on many rows between two statements.
LONG_IDLE = 60
#: Seconds for each of several hosts, the least there is: the second is to answer while the first is still waited for.
EACH = 2
STATEMENTS = 600  # that a connection remembers
#: Of the library's settings, our own: whether statements are prepared, and which of several servers is meant.
PREPARE, TARGET = "LEDGER_PREPARE", "LEDGER_TARGET_SESSION_ATTRS"


def may_idle(seconds: int) -> str:
    """Return the statement that lets a transaction wait for its client's next one for so long."""
    return f"SET LOCAL idle_in_transaction_session_timeout = '{seconds}s'"


def several(url: str) -> bool:
    """Return whether the URL names more than one host."""
    return "," in str(conninfo_to_dict(url).get("host") or "")


def to_the_primary(url: str) -> str:
    """Return the URL; if it names several hosts and does not say which, the one that takes writes is meant.

    What is no URL at all is left as it is, for who connects to say so.
    """
    try:
        options = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        return url
    if (
        "," not in str(options.get("host") or "")
        or "target_session_attrs" in options
        or "PGTARGETSESSIONATTRS" in os.environ
    ):
        return url
    return make_conninfo(url, target_session_attrs="read-write")


def alone(url: str) -> psycopg.Connection[TupleRow]:
    """Open a connection that is nobody else's, to listen or to hold a lock of its own. psycopg.OperationalError."""
    return psycopg.connect(url, autocommit=True, **cast(dict[str, Any], LINE))


def factory_of(env: Environment) -> PostgresFactory:
    """Return the library's factory, with such lines in its pool."""
    factory = PostgresFactory(env)
    pool = factory.datastore.pool
    kwargs = {**cast(dict[str, object], pool.kwargs), **LINE}
    if "," in str(kwargs["host"]):
        kwargs["connect_timeout"] = EACH
    if target := env.get(TARGET):
        kwargs["target_session_attrs"] = target
    if env.get(PREPARE) == "no":
        kwargs["prepare_threshold"] = None
    pool.kwargs = kwargs
    pool.connection_class = Line
    # Left alone it tries again ever more seldom, up to minutes apart; once it gave up, the next request tries.
    pool.reconnect_timeout = 1.0
    return factory


class Line(psycopg.Connection[DictRow]):
    """One of a pool. It remembers the statements of many shelves: psycopg's hundred would be those of five of them.

    Where nothing can be written it ends: kept, it would be given to the next, and answer him so.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.prepared_max = STATEMENTS

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        super().__exit__(exc_type, exc_val, exc_tb)
        if isinstance(exc_val, READ_ONLY):
            self.close()
