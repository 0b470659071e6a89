"""Read the database as of one moment: every read shows the state at the first statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from types import TracebackType
from typing import Any

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import DictRow

from ledger.events.lines import LONG_IDLE, make_idle_limit
from ledger.events.shelves import OnSchema, Shelf

BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
LONGER = 600  # seconds


class ReadTransaction(OnSchema):
    """A shelf as of one moment: one connection, in one REPEATABLE READ, READ ONLY transaction.

    Give it to a recorder, a store or a reader of views in place of the shelf. The first statement begins the
    transaction, the end of the block ends it. Only one thread at a time may use it.

    It may take a minute between two statements, or ten minutes with `is_long`, because a reader blocks nobody.
    """

    def __init__(self, shelf: Shelf, *, is_long: bool = False) -> None:
        super().__init__(shelf, shelf.schema)
        self.shelf = shelf
        self._pool = _OneConnection(shelf, is_long=is_long)
        self.pool: Any = self._pool

    def read_other_shelf(self, shelf: Shelf) -> ReadTransaction:
        """Return another shelf as of the same moment."""
        transaction = copy(self)
        transaction.shelf = transaction.datastore = shelf
        transaction.schema = shelf.schema
        return transaction

    def __enter__(self) -> ReadTransaction:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        self._pool.exit_stack.__exit__(exc_type, exc_val, exc_tb)

    @property
    def has_begun(self) -> bool:
        return self._pool.has_begun

    @contextmanager
    def release_locks(self) -> Iterator[None]:
        """When this block ends, release the table locks that it took. Later reads still show the same moment."""
        with self.get_connection() as connection, connection.transaction(force_rollback=True):
            yield


class _OneConnection:
    """Stands in for the connection pool: every caller gets the same connection, in its transaction."""

    def __init__(self, shelf: PostgresDatastore, *, is_long: bool) -> None:
        self.exit_stack = ExitStack()
        self._shelf = shelf
        self._is_long = is_long
        self._connection: psycopg.Connection[DictRow] | None = None

    @property
    def has_begun(self) -> bool:
        return self._connection is not None

    def open(self, *arguments: object) -> None:
        """Do nothing: the pool behind it opens when the connection is taken."""

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[DictRow]]:
        if self._connection is None:
            connection = self.exit_stack.enter_context(self._shelf.get_connection())
            limit_statement = make_idle_limit(LONGER if self._is_long else LONG_IDLE)
            connection.execute(f"{BEGIN}; {limit_statement}".encode(), prepare=False)  # in one round trip
            self._connection = connection
        yield self._connection
