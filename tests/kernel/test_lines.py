"""Lines to the database: which of them a pool keeps, and how soon a dead one is noticed."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import InternalError, PersistenceError, ProgrammingError
from eventsourcing.utils import Environment
from psycopg.pq import TransactionStatus

from ledger.application import Ledger, make_environment
from ledger.events.away import is_away
from ledger.events.lines import IDLE, LINE, LONG_IDLE, Line, connect_outside_pool, make_factory
from ledger.events.migration import PATIENCE
from tests.desk import Desk
from tests.kernel.conftest import SCHEMA, service_url


@pytest.mark.parametrize(
    ("statement", "raises", "kept"),
    [
        ("SELECT * FROM nothing", ProgrammingError, True),
        ("SET TRANSACTION READ ONLY; CREATE TABLE mine (id int)", InternalError, False),
    ],
)
def test_a_line_on_which_nothing_can_be_written_is_not_given_to_the_next(
    database: str, statement: str, raises: type[Exception], kept: bool
) -> None:
    given = Environment("Ledger", make_environment(service_url(database), schema=SCHEMA, pool_size=1))
    with make_factory(given).datastore as datastore:
        with pytest.raises(raises), datastore.transaction() as cursor:
            line = cursor.connection
            cursor.execute(statement.encode())
        assert line.closed != kept


def test_a_dead_line_is_noticed_by_who_listens(database: str) -> None:
    with connect_outside_pool(service_url(database)) as connection:
        said = connection.info.get_parameters()
        assert connection.autocommit
    assert {name: said[name] for name in LINE} == {name: str(value) for name, value in LINE.items()}


IDLE_LIMIT = "SHOW idle_in_transaction_session_timeout"


def test_whoever_stands_still_in_a_transaction_lets_go_before_others_give_up(database: str) -> None:
    """On a line of the pool, and on any other of the role."""
    given = Environment("Ledger", make_environment(service_url(database), schema=SCHEMA, pool_size=1))
    with make_factory(given).datastore as datastore, datastore.get_connection() as pooled:
        assert pooled.execute(IDLE_LIMIT).fetchone() == {"idle_in_transaction_session_timeout": f"{IDLE}s"}
    with psycopg.connect(service_url(database)) as connection:
        assert connection.execute(IDLE_LIMIT).fetchone() == (f"{IDLE}s",)
    assert IDLE < int(PATIENCE["lock_timeout"].removesuffix("s")) < LONG_IDLE


def test_a_transaction_that_the_server_ended_meanwhile_may_be_tried_again(database: str) -> None:
    given = Environment("Ledger", make_environment(service_url(database), schema=SCHEMA, pool_size=1))
    with make_factory(given).datastore as datastore, psycopg.connect(database, autocommit=True) as owner:
        with pytest.raises(PersistenceError) as ended, datastore.transaction() as cursor:
            line = cursor.connection
            cursor.execute(b"SET LOCAL idle_in_transaction_session_timeout = '10ms'")
            while owner.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", (line.info.backend_pid,)).fetchone():
                time.sleep(0.01)
            cursor.execute(b"SELECT 1")
        assert is_away(ended.value) and line.closed


def test_a_line_that_the_server_ended_is_not_given_to_a_request(database: str) -> None:
    given = Environment("Ledger", make_environment(service_url(database), schema=SCHEMA, pool_size=1))
    with make_factory(given).datastore as datastore, psycopg.connect(database, autocommit=True) as owner:
        with datastore.get_connection() as line:
            ended = line.info.backend_pid
        owner.execute("SELECT pg_terminate_backend(%s, 10000)", (ended,))
        with datastore.get_connection() as line:
            assert line.execute("SELECT 1 AS answer").fetchone() == {"answer": 1}
            assert line.info.backend_pid != ended


def test_a_long_read_may_stand_still_for_longer(ledger: Ledger, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where what was read is written to a slow pipe. It locks nothing that anybody waits for."""
    cursor, read = Line.cursor, list[Line]()

    def watched(self: Line, *given: Any, **more: Any) -> Any:
        read.append(self)
        return cursor(self, *given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(Line, "cursor", watched)
        rows = ledger.store.select_range(f"{desk.campaign}/", f"{desk.campaign}0", chunk=1)
        next(rows)
    with closing(rows):
        (connection,) = {line for line in read if line.info.transaction_status == TransactionStatus.INTRANS}
        assert connection.execute(IDLE_LIMIT).fetchone() == {"idle_in_transaction_session_timeout": "1min"}
    assert LONG_IDLE == 60
