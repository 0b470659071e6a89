"""What a cluster needs of the record and the views, as far as one server shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from ledger.application import Ledger, make_environment
from ledger.events.database_check import PROJECTOR_ROLE, name_next_schema, name_views_schema
from ledger.events.recorder import is_version_taken
from ledger.events.shelves import name_common_schema, name_schemas
from ledger.events.statements import split_statements
from projections.views.projector import Projector
from tests.kernel.conftest import KEY, service_url
from tests.schemas import PASSWORD, drop, made_anew

SCHEMA, SHELVES = "one_server", 2
STANDS = [
    name for one in name_schemas(SCHEMA, SHELVES) for name in (one, name_views_schema(one), name_next_schema(one))
]


@pytest.fixture(scope="module")
def owner(postgres: Any) -> Iterator[psycopg.Connection[Any]]:
    """With views made, and once built anew."""
    made_anew(postgres.owner_url, SCHEMA, SHELVES)
    url = service_url(postgres.owner_url).replace("ledger_service:", f"{PROJECTOR_ROLE}:")
    assert PASSWORD in url
    with Projector(url, SCHEMA) as projector:
        projector.prepare()
        projector.rebuild()
    with psycopg.connect(postgres.owner_url, autocommit=True) as connection:
        yield connection
    drop(postgres.owner_url, SCHEMA)


def without_key(connection: psycopg.Connection[Any]) -> list[str]:
    """Tables that no other server could be told the changes of."""
    found = connection.execute(
        "SELECT c.oid::regclass::text FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text"
        " = ANY(%s) AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary) ORDER BY 1",
        (STANDS,),
    )
    return [name for (name,) in found]


def test_every_table_of_a_shelf_and_of_its_views_has_a_key_so_that_it_can_move(owner: Any) -> None:
    assert without_key(owner) == []
    owner.execute(f"CREATE TABLE {SCHEMA}_1.keyless (id int)")
    try:
        assert without_key(owner) == [f"{SCHEMA}_1.keyless"]
    finally:
        owner.execute(f"DROP TABLE {SCHEMA}_1.keyless")


def test_what_is_lost_in_a_crash_and_what_belongs_to_no_shelf_stands_apart(owner: Any) -> None:
    unlogged = (
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'u' AND relnamespace = %s::regnamespace"
    )
    assert [name for (name,) in owner.execute(unlogged, (name_common_schema(SCHEMA),))] == ["permits"]
    for schema in STANDS:
        assert owner.execute(unlogged, (schema,)).fetchall() == []


def test_no_table_of_a_shelf_counts_with_a_sequence(owner: Any) -> None:
    """Each node of a cluster would count from a place of its own."""
    found = owner.execute("SELECT schemaname, sequencename FROM pg_sequences WHERE schemaname = ANY(%s)", (STANDS,))
    assert found.fetchall() == []


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ('duplicate key value violates unique constraint "ledger_events_pkey_102019"', True),
        ('duplicate key value violates unique constraint "ledger_events_pkey"', True),
        ('duplicate key value violates unique constraint "ledger_events_notification_id_idx_102019"', False),
    ],
)
def test_a_lost_race_is_known_by_what_is_said_where_the_name_is_not_given(
    owner: Any, postgres: Any, said: str, taken: bool
) -> None:
    """As a coordinator says it: the constraint is a shard's, and named in the text only."""
    table = f"{SCHEMA}.ledger_events"
    owner.execute(
        f"CREATE FUNCTION {SCHEMA}.late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" RAISE EXCEPTION '{said}' USING ERRCODE = 'unique_violation'; END $$"
    )
    owner.execute(f"CREATE TRIGGER late BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.late()")
    try:
        with (
            Ledger(make_environment(service_url(postgres.owner_url), schema=SCHEMA, pool_size=1), KEY) as ledger,
            pytest.raises(IntegrityError) as problem,
        ):
            ledger.store.append([("a" * 13 + "/x/1", 1, "t", b"{}")])
        assert is_version_taken(problem.value) is taken
    finally:
        owner.execute(f"DROP TRIGGER late ON {table}")
        owner.execute(f"DROP FUNCTION {SCHEMA}.late")


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;\nSELECT 2;\n", ["SELECT 1", "SELECT 2"]),
        ("SELECT ';';\nSELECT 2", ["SELECT ';'", "SELECT 2"]),
        ("DO $$ BEGIN;\n END; $$;\nSELECT 2;", ["DO $$ BEGIN;\n END; $$", "SELECT 2"]),
    ],
)
def test_a_script_is_sent_one_statement_at_a_time(script: str, found: list[str]) -> None:
    assert split_statements(script) == found
