"""How long connections to the database may hold up others: those of the logins that are made, and a migration's."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg
import pytest
from alembic import command
from psycopg.sql import SQL, Identifier

from ledger.events.database_check import Role
from ledger.events.migration import ensure_role, hold_migration_lock, migrate
from tests.kernel.conftest import SCHEMA
from tests.schemas import drop

ROUNDS, TOGETHER = 20, 4
IDLE_LIMIT = "idle_in_transaction_session_timeout"
#: What they let go of, and when: stopped in a transaction; on a host that is gone.
LIMITS = {
    "statement_timeout=60s",
    "lock_timeout=5s",
    "idle_in_transaction_session_timeout=3s",
    "tcp_keepalives_idle=10",
    "tcp_keepalives_interval=5",
    "tcp_keepalives_count=3",
}


@pytest.fixture
def owner(database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@pytest.fixture
def role(owner: psycopg.Connection[Any]) -> Iterator[Role]:
    made = Role(f"role_{uuid.uuid4().hex[:8]}", "for-tests")
    yield made
    owner.execute(SQL("DROP ROLE IF EXISTS {}").format(Identifier(made.name)))


def limits(owner: psycopg.Connection[Any], role: Role) -> set[str]:
    (known,) = owner.execute("SELECT rolconfig FROM pg_roles WHERE rolname = %s", (role.name,)).fetchone() or ((),)
    return set(known or ())


def test_a_login_of_before_gets_todays_limits(owner: psycopg.Connection[Any], role: Role) -> None:
    """Whether an earlier version made it, or the operator. Others of its settings stay."""
    owner.execute(f"CREATE ROLE {role.name} LOGIN".encode())
    owner.execute(f"ALTER ROLE {role.name} SET lock_timeout = '9s'".encode())
    owner.execute(f"ALTER ROLE {role.name} SET work_mem = '8MB'".encode())
    ensure_role(owner, role)
    assert limits(owner, role) - {"tcp_user_timeout=10s"} == LIMITS | {"work_mem=8MB"}


def test_a_login_that_has_its_limits_is_not_altered(owner: psycopg.Connection[Any], role: Role) -> None:
    """By an owner who may not alter it: the operator has made it as it must be."""
    ensure_role(owner, role)
    stranger = f"stranger_{uuid.uuid4().hex[:8]}"
    owner.execute(f"CREATE ROLE {stranger}".encode())
    try:
        owner.execute(f"SET ROLE {stranger}".encode())
        ensure_role(owner, Role(role.name))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ensure_role(owner, role)
    finally:
        owner.execute(b"RESET ROLE")
        owner.execute(f"DROP ROLE {stranger}".encode())


def test_a_login_is_made_and_altered_by_several_at_once(
    owner: psycopg.Connection[Any], role: Role, database: str
) -> None:
    """As by those who migrate several databases of one server."""
    barrier = Barrier(TOGETHER)

    def ensure(_: int) -> None:
        with psycopg.connect(database, autocommit=True) as connection:
            for _ in range(ROUNDS):
                try:
                    barrier.wait()
                    ensure_role(connection, role)
                    if barrier.wait() == 0:
                        connection.execute(f"DROP ROLE {role.name}".encode())
                except BaseException:
                    barrier.abort()
                    raise

    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(ensure, range(TOGETHER)))
    ensure_role(owner, role)
    assert limits(owner, role) >= LIMITS


# --- a migration ---


def test_a_migration_that_is_stopped_lets_its_tables_go(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade, limits = command.upgrade, set[str]()

    def watched(config: Any, revision: str) -> None:
        limits.add(config.attributes["connection"].exec_driver_sql(f"SHOW {IDLE_LIMIT}").scalar())
        upgrade(config, revision)

    monkeypatch.setattr(command, "upgrade", watched)
    try:
        migrate(database, schema="stopped_tests", shelf_count=1)
    finally:
        drop(database, "stopped_tests")
    assert limits == {"30s"}


def test_the_lock_of_migrations_is_held_for_as_long_as_they_last_and_no_longer_than_their_host(
    owner: psycopg.Connection[Any],
) -> None:
    with hold_migration_lock(owner, SCHEMA):
        assert [owner.execute(f"SHOW {name}".encode()).fetchone() for name in (IDLE_LIMIT, "tcp_keepalives_idle")] == [
            ("0",),
            ("10",),
        ]
    mine = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
    assert owner.execute(mine).fetchone() == (0,)


def test_what_a_migration_meets_is_an_error_of_the_database(owner: psycopg.Connection[Any], database: str) -> None:
    """So the command says it in one sentence."""
    schema = f"met_{uuid.uuid4().hex[:8]}"
    owner.execute(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.ledger_events (id integer)".encode())
    with pytest.raises(psycopg.errors.DuplicateTable):
        migrate(database, schema=schema, shelf_count=1)
    drop(database, schema)
