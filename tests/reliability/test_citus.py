"""On a cluster, where there is one: what migrate makes of it, what the check finds there, shelves that move.

LEDGER_TEST_CITUS_URL names its coordinator, with a login that is its superuser. `scripts/scale` tries far more.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from ledger.application import Ledger, make_environment
from ledger.application.commands import inviting
from ledger.application.commands.inviting import InviteTerms
from ledger.errors import Fault, NotFound
from ledger.events import cluster
from ledger.events.database_check import PROJECTOR_ROLE
from ledger.events.invites import InviteStore
from ledger.events.migration import migrate
from ledger.events.shelves import name_schemas
from projections.views.pages import Views
from projections.views.projector import Projector
from tests.desk import Desk
from tests.kernel.conftest import KEY, service_url
from tests.schemas import PASSWORD, as_version_9, drop, made_anew

SCHEMA, SHELVES = "citus_tests", 2
URL = os.environ.get("LEDGER_TEST_CITUS_URL", "postgresql://postgres@127.0.0.1:57600/ledger")
ELSEWHERE = """
SELECT d.nodename, d.nodeport FROM pg_dist_node d WHERE d.shouldhaveshards AND d.groupid NOT IN (
    SELECT p.groupid FROM pg_dist_placement p JOIN pg_dist_shard h USING (shardid) WHERE h.logicalrelid = %s::regclass)
"""
STANDS = """
SELECT d.nodename, d.nodeport, shard_name(h.logicalrelid, h.shardid) FROM pg_dist_node d
  JOIN pg_dist_placement p USING (groupid) JOIN pg_dist_shard h USING (shardid) WHERE h.logicalrelid = %s::regclass
"""


def _there() -> str | None:
    """Why there is no cluster to try; None where there is one."""
    try:
        with psycopg.connect(URL, connect_timeout=3) as connection:
            return None if cluster.has_citus(connection) else "the database of LEDGER_TEST_CITUS_URL has no Citus"
    except psycopg.OperationalError:
        return (
            "no cluster answers: build Citus for your PostgreSQL, start a coordinator and two workers, and name the"
            " coordinator in LEDGER_TEST_CITUS_URL"
        )


pytestmark = pytest.mark.skipif((why := _there()) is not None, reason=why or "")


@pytest.fixture(scope="module")
def owner() -> Iterator[psycopg.Connection[Any]]:
    made_anew(URL, SCHEMA, SHELVES)
    with psycopg.connect(URL, autocommit=True) as connection:
        yield connection
    drop(URL, SCHEMA)


@pytest.fixture
def ledger(owner: Any) -> Iterator[Ledger]:
    with Ledger(make_environment(service_url(URL), schema=SCHEMA, pool_size=2), KEY) as ledger:
        ledger.check()
        yield ledger


@contextmanager
def at(host: str, port: int) -> Iterator[psycopg.Connection[Any]]:
    """A worker, past the coordinator, by who means it: Citus, too, lets nobody change a shard by mistake."""
    with closing(psycopg.connect(make_conninfo(URL, host=host, port=port), autocommit=True)) as worker:
        worker.execute("SET citus.enable_manual_changes_to_shards = on")
        yield worker


def one(connection: psycopg.Connection[Any], query: str, *values: object) -> tuple[Any, ...]:
    return connection.execute(query.encode(), values).fetchone() or ()


def test_shelves_stand_on_workers_and_what_is_common_does_not(owner: Any) -> None:
    found = owner.execute("SELECT nspname FROM pg_dist_schema JOIN pg_namespace ON oid = schemaid").fetchall()
    ours = sorted(name for (name,) in found if name.startswith(SCHEMA))
    stands = [f"{shelf}{more}" for shelf in name_schemas(SCHEMA, SHELVES) for more in ("", "_views", "_views_next")]
    assert ours == sorted(stands)


def test_migrating_again_changes_nothing(owner: Any, ledger: Ledger) -> None:
    migrate(URL, schema=SCHEMA, password=PASSWORD)
    ledger.check()


@pytest.mark.parametrize("statement", ["UPDATE {} SET topic = 'x'", "DELETE FROM {}", "TRUNCATE {}"])
def test_not_even_the_owner_changes_the_record_through_the_coordinator_or_past_it(
    owner: Any, ledger: Ledger, statement: str
) -> None:
    desk = Desk(ledger)
    schema = ledger.shelves.get_shelf_of(desk.campaign).schema
    with pytest.raises(psycopg.Error, match="append-only"):
        owner.execute(statement.format(f"{schema}.ledger_events"))
    host, port, shard = one(owner, STANDS, f"{schema}.ledger_events")
    with at(host, port) as worker, pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        worker.execute(statement.format(shard))


@pytest.mark.parametrize("type", [27, 34], ids=["rows", "truncate"])
def test_a_shard_without_a_trigger_is_found_and_migrate_makes_it(owner: Any, ledger: Ledger, type: int) -> None:
    host, port, shard = one(owner, STANDS, f"{SCHEMA}_1.ledger_events")
    with at(host, port) as worker:
        named = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgtype = %s"
        for (trigger,) in worker.execute(named, (shard, type)).fetchall():  # Citus calls its own after the shard
            worker.execute(f"DROP TRIGGER {trigger} ON {shard}")
    with pytest.raises(Fault, match=f"the shard {SCHEMA}_1.ledger_events_[0-9]+ on .* lacks the triggers"):
        ledger.check()
    migrate(URL, schema=SCHEMA, password=PASSWORD)
    ledger.check()


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit"])
def test_a_worker_that_would_lose_rulings_is_found(owner: Any, ledger: Ledger, setting: str) -> None:
    host, port, _ = one(owner, STANDS, f"{SCHEMA}.ledger_events")
    with at(host, port) as worker:
        worker.execute(f"ALTER SYSTEM SET {setting} = off")
        worker.execute("SELECT pg_reload_conf()")
        try:
            with pytest.raises(Fault, match=f"{setting} is off on {host}:{port}"):
                _until_told(ledger)
        finally:
            worker.execute(f"ALTER SYSTEM RESET {setting}")
            worker.execute("SELECT pg_reload_conf()")


def _until_told(ledger: Ledger) -> None:
    """A server takes a moment to hear of its settings."""
    for _ in range(50):
        ledger.check()
        time.sleep(0.1)


def test_a_database_that_allows_no_triggers_is_found_and_migrate_allows_them(owner: Any) -> None:
    (database,) = one(owner, "SELECT current_database()")
    owner.execute(f"ALTER DATABASE {database} RESET citus.enable_unsafe_triggers")
    with (
        Ledger(make_environment(service_url(URL), schema=SCHEMA, pool_size=1), KEY) as ledger,
        pytest.raises(Fault, match="enable_unsafe_triggers is off"),
    ):
        ledger.check()
    migrate(URL, schema=SCHEMA, password=PASSWORD)
    with Ledger(make_environment(service_url(URL), schema=SCHEMA, pool_size=1), KEY) as ledger:
        ledger.check()


def test_who_may_not_allow_triggers_is_told_what_to_run(owner: Any) -> None:
    with psycopg.connect(service_url(URL), autocommit=True) as connection:
        connection.execute("SET citus.enable_unsafe_triggers = off")
        with pytest.raises(Fault, match=r'run: ALTER DATABASE ".*" SET citus.enable_unsafe_triggers = on'):
            cluster.allow_triggers(connection)


def test_a_shelf_moves_with_its_triggers_and_play_goes_on(owner: Any, ledger: Ledger) -> None:
    desk = Desk(ledger)
    desk.enrol("A")
    schema = ledger.shelves.get_shelf_of(desk.campaign).schema
    host, port = one(owner, ELSEWHERE, f"{schema}.ledger_events")
    owner.execute("SELECT citus_schema_move(%s::regnamespace, %s, %s)", (schema, host, port))
    assert one(owner, STANDS, f"{schema}.ledger_events")[:2] == (host, port)
    ledger.check()
    desk("mint", to="1", coins=1)
    told = owner.execute(f"SELECT notification_id FROM {schema}.ledger_events ORDER BY 1").fetchall()
    assert [id for (id,) in told] == list(range(1, len(told) + 1)), "without gaps, from whichever machine"


def test_somebody_sits_down_with_an_invite(ledger: Ledger) -> None:
    """The save and the use of the invite are one transaction, on one machine."""
    desk, now = Desk(ledger), datetime.now(UTC)
    store = InviteStore(ledger.shelves.get_shelf_of(desk.campaign))
    invite = inviting.make_invite_for_operator(
        ledger, store, desk.campaign, "key", InviteTerms("player", "Eva", 1), now
    )
    secret = inviting.make_openers(ledger.keys, invite).secret
    entered = inviting.redeem_invite(ledger, secret, "mine", now)
    assert (entered.seat, entered.is_repeated) == ("s2", False)
    assert inviting.redeem_invite(ledger, secret, "mine", now) == replace(entered, is_repeated=True)
    with pytest.raises(NotFound):
        inviting.redeem_invite(ledger, secret, "somebody else's", now)


@pytest.mark.timeout(600)
def test_a_cluster_of_before_takes_its_rights_back_and_the_views_make_up_for_what_they_passed_over(
    owner: Any, ledger: Ledger
) -> None:
    desk = Desk(ledger)
    schema = ledger.shelves.get_shelf_of(desk.campaign).schema
    counter = f"{schema}.counter"
    with (
        Projector(make_conninfo(URL, user=PROJECTOR_ROLE, password=PASSWORD), SCHEMA) as projector,
        psycopg.connect(service_url(URL), autocommit=True) as login,
    ):
        desk.enrol("A")
        projector.catch_up()
        for statement in as_version_9(schema).split(";"):
            owner.execute(statement)
        login.execute(f"UPDATE {counter} SET last = last + 1000000".encode())
        desk("mint", to="1", coins=1)
        projector.catch_up()
        login.execute(f"UPDATE {counter} SET last = last - 1000000".encode())
        desk("mint", to="1", coins=2)
        migrate(URL, schema=SCHEMA, password=PASSWORD)
        ledger.check()
        for statement in (
            f"UPDATE {counter} SET last = last + 1",
            f"INSERT INTO {schema}.ledger_events (originator_id, originator_version, topic, state, notification_id)"
            " VALUES ('x/y/1', 1, 't', '', 2000000)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                login.execute(statement.encode())
        views = Views(ledger.shelves.get_shelf_of(desk.campaign))
        assert (
            views.list_campaigns_passed_over() == [desk.campaign] and views.find_position(desk.campaign) < desk.position
        )
        projector.catch_up()
        assert views.list_campaigns_passed_over() == [] and views.find_position(desk.campaign) == desk.position
        desk("mint", to="1", coins=3)
        projector.catch_up()
        assert views.find_position(desk.campaign) == desk.position
