"""The database the record stands in: roles, rights, triggers, and a service that refuses one that is not fit."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from ledger.application import Ledger, make_environment
from ledger.errors import Fault
from ledger.events.database_check import REVISION, SERVICE_ROLE, check_database
from ledger.events.migration import FOLDER, migrate
from tests.kernel.conftest import KEY, SCHEMA, service_url
from tests.levels import sampled
from tests.schemas import as_version_9, drop

TABLE = f"{SCHEMA}.ledger_events"
ROW = (f"(originator_id, originator_version, topic, state) VALUES ('{uuid.uuid4()}/x/y', 1, 't', '{{}}')",)


@pytest.fixture
def service(database: str, ledger: Ledger) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(service_url(database), autocommit=True) as connection:
        yield connection


@pytest.fixture
def owner(database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET topic = 'other'",
        "DELETE FROM {table}",
        "TRUNCATE {table}",
        "DROP TABLE {table}",
        "ALTER TABLE {table} DISABLE TRIGGER ALL",
        "BEGIN; LOCK TABLE {table} IN EXCLUSIVE MODE",
        "DELETE FROM {schema}.counter",
        "INSERT INTO {schema}.counter VALUES (true, 1)",
        "UPDATE {schema}.counter SET last = last + 1000000",
        "UPDATE {schema}.counter SET last = last",
        "INSERT INTO {table} (originator_id, originator_version, topic, state) VALUES ('x/y/1', 1, 't', '')",
        "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id)"
        " VALUES ('x/y/1', 1, 't', '', 1000000)",
        "UPDATE {schema}_common.shelves SET number = 2",
        "CREATE TABLE {schema}.mine (id int)",
        "CREATE OR REPLACE FUNCTION {schema}.append_only() RETURNS trigger LANGUAGE sql AS 'SELECT 1'",
        "SET session_replication_role = replica",
        "ALTER SYSTEM SET fsync = off",
        "CREATE ROLE another",
    ],
)
def test_the_service_may_only_append_and_read(service: Any, statement: str) -> None:
    with pytest.raises(
        (psycopg.errors.InsufficientPrivilege, psycopg.errors.GeneratedAlways, psycopg.errors.SyntaxError)
    ):
        service.execute(statement.format(table=TABLE, schema=SCHEMA))
    service.execute("ROLLBACK")
    assert service.execute(f"SELECT count(*) FROM {TABLE}").fetchone()[0] >= 0


@pytest.mark.parametrize("statement", ["UPDATE {} SET topic = 'x'", "DELETE FROM {}", "TRUNCATE {}"])
def test_not_even_the_owner_changes_the_record(desk: Any, owner: Any, statement: str) -> None:
    before = owner.execute(f"SELECT count(*) FROM {TABLE}").fetchone()[0]
    for prelude in ("", "SET session_replication_role = replica; "):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            owner.execute(prelude + statement.format(TABLE))
    owner.execute("RESET session_replication_role")
    assert owner.execute(f"SELECT count(*) FROM {TABLE}").fetchone()[0] == before > 0


def test_ids_are_in_the_order_of_the_commits_and_have_no_gap_whatever_the_login_does(
    ledger: Ledger, service: Any, owner: Any
) -> None:
    """It may put functions of its own before the server's, where somebody lets it make any, and undo what it did."""
    stream, append = f"{uuid.uuid4().hex}/character/1", f"SELECT {SCHEMA}.append(%s, %s, %s, %s)"
    (first,) = ledger.store.append([(stream, 1, "t", b"{}")])
    owner.execute(f"CREATE SCHEMA IF NOT EXISTS lent; GRANT CREATE, USAGE ON SCHEMA lent TO {SERVICE_ROLE}")
    try:
        service.execute("CREATE FUNCTION lent.cardinality(text[]) RETURNS integer LANGUAGE sql AS 'SELECT 1000000'")
        service.execute("SET search_path = lent, pg_catalog")
        with service.transaction(force_rollback=True):
            service.execute(append, ([stream], [2], ["t"], [b"{}"]))
        with pytest.raises(psycopg.errors.NotNullViolation):
            service.execute(append, ([stream], [2, 3], ["t"], [b"{}"]))
        found = service.execute(append, ([stream, stream], [2, 3], ["t", "t"], [b"{}", b"{}"])).fetchall()
        assert found == [(first + 1,), (first + 2,)]
    finally:
        owner.execute("DROP SCHEMA lent CASCADE")
    assert ledger.store.append([(stream, 4, "t", b"{}")]) == [first + 3]


def test_the_record_reads_as_history_in_psql(desk: Any, service: Any) -> None:
    desk.enrol("A")
    rows = service.execute(
        f"SELECT convert_from(state, 'utf8')::jsonb -> 'fact' ->> 'name' FROM {TABLE}"
        " WHERE topic = 'ledger.character-enrolled@1' AND originator_id LIKE %s",
        (f"{desk.campaign}/%",),
    ).fetchall()
    assert rows == [("A",)]


def test_versions_are_unique_and_ids_have_no_late_comers(ledger: Ledger) -> None:
    stream = f"{uuid.uuid4().hex}/character/1"
    events = [StoredEvent(stream, version, "t", b"{}") for version in range(1, 4)]
    first = ledger.store.insert_events(events)
    assert first is not None and list(first) == sorted(first)
    with pytest.raises(IntegrityError):
        ledger.store.insert_events([StoredEvent(stream, 4, "t", b"{}"), StoredEvent(stream, 3, "t", b"{}")])
    assert [row[1] for row in ledger.store.select_streams([(stream, 0)])] == [1, 2, 3], "all or none"


def test_twenty_thousand_events_are_saved_at_once(ledger: Ledger) -> None:
    stream = f"{uuid.uuid4().hex}/character/1"
    ids = ledger.store.insert_events([StoredEvent(stream, version, "t", b"{}") for version in range(1, 20_001)])
    assert ids is not None and len(ids) == 20_000 and list(ids) == sorted(ids)
    assert [row[1] for row in ledger.store.select_range(stream, stream + "0")] == list(range(1, 20_001))


def test_migrating_again_changes_nothing(database: str, ledger: Ledger) -> None:
    migrate(database, schema=SCHEMA)
    migrate(database, schema=SCHEMA, password="for-tests")
    ledger.check()


def test_migrating_again_sets_a_counter_that_went_back_to_the_newest_id(
    database: str, ledger: Ledger, owner: Any
) -> None:
    stream = f"{uuid.uuid4().hex}/character/1"
    (first,) = ledger.store.append([(stream, 1, "t", b"{}")])
    owner.execute(f"UPDATE {SCHEMA}.counter SET last = 0")
    migrate(database, schema=SCHEMA)
    assert ledger.store.append([(stream, 2, "t", b"{}")]) == [first + 1]


@pytest.fixture
def spoilt(database: str) -> Iterator[tuple[str, psycopg.Connection[Any]]]:
    """A schema of its own to spoil."""
    name = f"spoilt_{uuid.uuid4().hex[:8]}"
    migrate(database, schema=name, password="for-tests", shelf_count=2)
    with psycopg.connect(database, autocommit=True) as connection:
        yield name, connection
        drop(database, name)


APPEND = "{schema}.append(text[], bigint[], text[], bytea[])"
GUARD = "{schema}.append_only() RETURNS trigger LANGUAGE plpgsql AS $$"


UNFIT = [
    ("ALTER TABLE {schema}.ledger_events DISABLE TRIGGER append_only", "triggers"),
    ("ALTER TABLE {schema}.ledger_events ENABLE TRIGGER append_only", "triggers"),
    ("DROP TRIGGER append_only_truncate ON {schema}.ledger_events", "triggers"),
    (f"GRANT UPDATE ON {{schema}}.ledger_events TO {SERVICE_ROLE}", "may change events"),
    (f"GRANT UPDATE (topic) ON {{schema}}.ledger_events TO {SERVICE_ROLE}", "may change events"),
    (f"GRANT TRUNCATE ON {{schema}}.ledger_events TO {SERVICE_ROLE}", "may change events"),
    (f"REVOKE SELECT ON {{schema}}.ledger_events FROM {SERVICE_ROLE}", "may not append"),
    ("DROP SCHEMA {schema} CASCADE", "not migrated"),
    ("DROP SCHEMA {schema}_1 CASCADE", "'spoilt_.*_1' is not migrated"),
    ("DROP SCHEMA {schema}_common CASCADE", "not migrated"),
    (
        "ALTER TABLE {schema}_1.ledger_events DISABLE TRIGGER append_only",
        r"triggers .* disabled \(in spoilt_.*_1\)",
    ),
    ("UPDATE {schema}_1.alembic_version SET version_num = '0008'", "_1' is at version 0008"),
    ("DROP TABLE {schema}.counter", "counter that gives .* missing"),
    ("ALTER TABLE {schema}.counter SET UNLOGGED", "counter .* not in an ordinary table|not in an ordinary table"),
    ("DROP INDEX {schema}.ledger_events_notification_id_idx", "ids are not kept unique"),
    (f"GRANT TRIGGER ON {{schema}}.ledger_events TO {SERVICE_ROLE}", "may change events"),
    ("ALTER TABLE {schema}.ledger_events DROP CONSTRAINT ledger_events_pkey", "primary key .* is gone"),
    (
        "ALTER TABLE {schema}.ledger_events DROP CONSTRAINT ledger_events_pkey,"
        " ADD PRIMARY KEY (originator_id, originator_version, notification_id)",
        "primary key .* is gone",
    ),
    (f"CREATE OR REPLACE FUNCTION {GUARD} BEGIN RETURN NEW; END $$", "function of the triggers .* replaced"),
    (f"CREATE OR REPLACE FUNCTION {GUARD} BEGIN RETURN OLD; END $$", "function of the triggers .* replaced"),
    (
        "DROP TRIGGER append_only ON {schema}.ledger_events; CREATE TRIGGER append_only BEFORE UPDATE ON"
        " {schema}.ledger_events FOR EACH ROW EXECUTE FUNCTION {schema}.append_only();"
        " ALTER TABLE {schema}.ledger_events ENABLE ALWAYS TRIGGER append_only",
        "triggers .* missing or disabled",
    ),
    (
        "DROP TRIGGER append_only ON {schema}.ledger_events; CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON"
        " {schema}.ledger_events FOR EACH ROW WHEN (false) EXECUTE FUNCTION {schema}.append_only();"
        " ALTER TABLE {schema}.ledger_events ENABLE ALWAYS TRIGGER append_only",
        "triggers .* missing or disabled",
    ),
    (
        "CREATE TRIGGER more BEFORE INSERT ON {schema}.ledger_events"
        " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "triggers that the ledger did not create",
    ),
    (
        "CREATE OR REPLACE FUNCTION {schema}.append(ids text[], versions bigint[], topics text[], states bytea[])"
        " RETURNS SETOF bigint LANGUAGE plpgsql AS $$ BEGIN RETURN; END $$",
        "function that appends .* replaced",
    ),
    (f"ALTER FUNCTION {APPEND} SECURITY INVOKER", "function that appends .* replaced"),
    (f"ALTER FUNCTION {APPEND} RESET search_path", "function that appends .* replaced"),
    (f"ALTER FUNCTION {APPEND} SET search_path = public, pg_catalog", "function that appends .* replaced"),
    (f"REVOKE EXECUTE ON FUNCTION {APPEND} FROM {SERVICE_ROLE}", "may not append"),
    (f"GRANT INSERT (notification_id) ON {{schema}}.ledger_events TO {SERVICE_ROLE}", "choose the ids of events"),
    (f"GRANT INSERT ON {{schema}}.ledger_events TO {SERVICE_ROLE}", "choose the ids of events"),
    (f"GRANT UPDATE (last) ON {{schema}}.counter TO {SERVICE_ROLE}", "choose the ids of events"),
    (f"GRANT DELETE ON {{schema}}_1.counter TO {SERVICE_ROLE}", r"choose the ids of events.* \(in spoilt_.*_1\)"),
    ("ALTER TABLE {schema}.ledger_events SET UNLOGGED", "not in an ordinary table"),
    ("CREATE RULE r AS ON INSERT TO {schema}.ledger_events DO INSTEAD NOTHING", "rewrite rules"),
    ("ALTER TABLE {schema}.ledger_events ENABLE ROW LEVEL SECURITY", "row security"),
    (f"ALTER SCHEMA {{schema}} OWNER TO {SERVICE_ROLE}", "owns the schema, its functions"),
    (f"ALTER FUNCTION {{schema}}.append_only() OWNER TO {SERVICE_ROLE}", "owns the schema, its functions"),
]


@pytest.mark.parametrize("case", sampled(UNFIT, 12))
def test_the_service_refuses_an_unfit_database(database: str, spoilt: Any, case: tuple[str, str]) -> None:
    (schema, owner), (spoil, says) = spoilt, case
    with Ledger(make_environment(service_url(database), schema=schema, pool_size=1), KEY) as service:
        service.check()
        owner.execute(spoil.format(schema=schema))
        with pytest.raises(Fault, match=says):
            service.check()


@pytest.mark.parametrize(
    ("power", "undo", "says"),
    [
        ("ALTER ROLE {me} CREATEROLE", "ALTER ROLE {me} NOCREATEROLE", "may create roles"),
        ("CREATE ROLE {other} CREATEROLE; GRANT {other} TO {me}", "", "may create roles"),
        ("CREATE ROLE {other} SUPERUSER; GRANT {other} TO {me}", "", "superuser"),
        ("CREATE ROLE {other} BYPASSRLS; GRANT {other} TO {me}", "", "powers over the whole server"),
        ("GRANT pg_execute_server_program TO {me}", "REVOKE pg_execute_server_program FROM {me}", "powers over"),
        (
            "CREATE ROLE {other}; GRANT {other} TO {me}; ALTER TABLE {schema}.ledger_events OWNER TO {other}",
            "ALTER TABLE {schema}.ledger_events OWNER TO CURRENT_USER",
            "owns the events",
        ),
        (
            "CREATE ROLE {other}; GRANT {other} TO {me}; GRANT DELETE ON {schema}.ledger_events TO {other};"
            " ALTER ROLE {me} NOINHERIT",
            "REVOKE ALL ON {schema}.ledger_events FROM {other}; ALTER ROLE {me} INHERIT",
            "may change events",
        ),
    ],
)
def test_a_role_of_many_powers_is_refused_also_where_it_has_them_of_another(
    database: str, spoilt: Any, power: str, undo: str, says: str
) -> None:
    schema, owner = spoilt
    names = {"schema": schema, "me": SERVICE_ROLE, "other": f"powers_of_{schema}"}
    with Ledger(make_environment(service_url(database), schema=schema, pool_size=1), KEY) as service:
        service.check()
        owner.execute(power.format(**names))
        try:
            with pytest.raises(Fault, match=says):
                service.check()
        finally:
            owner.execute(undo.format(**names))
            owner.execute("DROP ROLE IF EXISTS {other}".format(**names))
        service.check()


def test_a_role_whose_commits_do_not_wait_for_the_disk_is_refused(database: str, spoilt: Any) -> None:
    schema, owner = spoilt
    owner.execute(f"ALTER ROLE {SERVICE_ROLE} SET synchronous_commit = off")
    try:
        with (
            Ledger(make_environment(service_url(database), schema=schema, pool_size=1), KEY) as service,
            pytest.raises(Fault, match="synchronous_commit is off"),
        ):
            service.check()
    finally:
        owner.execute(f"ALTER ROLE {SERVICE_ROLE} RESET synchronous_commit")


def test_the_service_refuses_to_be_the_owner(database: str, owner: Any) -> None:
    with pytest.raises(Fault, match=r"superuser.*owns the events.*may change"):
        check_database(owner, SCHEMA)


def test_a_database_of_before_is_refused_until_migrating_takes_its_rights_back(database: str, spoilt: Any) -> None:
    schema, owner = spoilt
    with Ledger(make_environment(service_url(database), schema=schema, pool_size=1), KEY) as service:
        for shelf in (schema, f"{schema}_1"):
            owner.execute(as_version_9(shelf))
        with pytest.raises(
            Fault, match=r"replaced.*choose the ids of events.*is at version 0009, and 00[1-9]. is needed"
        ):
            service.check()
        migrate(database, schema=schema)
        service.check()
    rights = "SELECT has_any_column_privilege(%s, %s, %s)"
    for table, right in (("ledger_events", "INSERT"), ("counter", "UPDATE")):
        assert owner.execute(rights, (SERVICE_ROLE, f"{schema}_1.{table}", right)).fetchone() == (False,)


def test_options_that_cannot_be_passed_on_are_refused() -> None:
    with pytest.raises(Fault, match="PGSSLMODE"):
        make_environment("postgresql://somebody@db.example/ledger?sslmode=verify-full")


def test_the_version_that_is_needed_is_the_latest_there_is() -> None:
    """One line of versions, their numbers rising: the service tells by them whether the schema is too old for it."""
    from alembic.script import ScriptDirectory

    versions = [one.revision for one in ScriptDirectory(str(FOLDER)).walk_revisions()]
    assert versions[0] == REVISION
    assert versions == sorted(versions, reverse=True)
