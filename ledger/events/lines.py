"""Connections to the database: choose a server, notice dead connections, and close them."""

from __future__ import annotations

import os
from functools import partial
from threading import Thread
from types import TracebackType
from typing import Any, cast

import psycopg
from eventsourcing.postgres import PostgresFactory
from eventsourcing.utils import Environment
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow, TupleRow
from psycopg_pool import ConnectionPool

from ledger.events.away import READ_ONLY

#: With these settings a dead connection is noticed within seconds. (Timeouts are in seconds, except `tcp_user_timeout`
#: in milliseconds.)
LINE = {
    "connect_timeout": 3,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
#: The server ends a transaction if its client sends no statement for this many seconds. Other transactions wait five
#: seconds for a lock (`ledger.events.migration.PATIENCE`), so they are only delayed.
IDLE = 3
#: The same limit for long transactions that block no player.
LONG_IDLE = 60
#: Seconds to try each of several hosts. libpq does not allow less.
EACH = 2
STATEMENTS = 600  # prepared statements per connection
#: Two settings that we add to the library's: whether statements are prepared, and which of several servers to use.
PREPARE, TARGET = "LEDGER_PREPARE", "LEDGER_TARGET_SESSION_ATTRS"


def make_idle_limit(seconds: int) -> str:
    """Return the statement that sets how long a transaction may wait for its client's next statement."""
    return f"SET LOCAL idle_in_transaction_session_timeout = '{seconds}s'"


def has_several_hosts(url: str) -> bool:
    """Return whether the URL names more than one host."""
    return "," in str(conninfo_to_dict(url).get("host") or "")


def prefer_primary(url: str) -> str:
    """Return the URL. If it names several hosts, require a host that accepts writes, unless there is another
    requirement.

    Text that is not a URL is returned unchanged, because connecting then reports the error.
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


def connect_outside_pool(url: str) -> psycopg.Connection[TupleRow]:
    """Return a connection outside the pool, to listen or to hold a lock. Raise psycopg.OperationalError if it fails."""
    return psycopg.connect(url, autocommit=True, **cast(dict[str, Any], LINE))


def make_factory(env: Environment) -> PostgresFactory:
    """Return the library's factory, with connections of the class `Line` in its pool."""
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
    pool._check = partial(_refuse_dead_connection, pool)
    # By default, the pool retries for minutes, at longer and longer intervals. With this setting, it gives up after a
    # second, and the next request tries again.
    pool.reconnect_timeout = 1.0
    return factory


def replace_dead_connections(pool: ConnectionPool[Any]) -> None:
    """Test the idle connections, for at most half a second, so that no request gets a dead one."""
    thread = Thread(target=pool.check, daemon=True)
    thread.start()
    thread.join(0.5)


def _refuse_dead_connection(pool: ConnectionPool[Any], connection: psycopg.Connection[Any]) -> None:
    """Raise psycopg.OperationalError if the server has ended this connection. Nothing is sent.

    The first read takes the server's last message, the second one finds the end of the connection.
    """
    try:
        connection.pgconn.consume_input()
        connection.pgconn.consume_input()
    except psycopg.OperationalError:
        replace_dead_connections(pool)
        raise


class Line(psycopg.Connection[DictRow]):
    """A connection of a pool. It keeps the prepared statements of many shelves.

    The connection closes itself if the server does not accept writes. Otherwise the next request would get it and fail,
    too.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
