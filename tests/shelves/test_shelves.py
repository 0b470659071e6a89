"""Campaigns on their shelves: where each stands, what of it is apart, and what goes on while one is away."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo

from ledger.application import Keys, Ledger
from ledger.errors import Fault, Unavailable
from ledger.events.database_check import PROJECTOR_ROLE, name_next_schema, name_views_schema
from ledger.events.herald import CHANNEL, Herald
from ledger.events.invites import NotOpen, Use
from ledger.events.migration import migrate
from ledger.events.shelves import ID, LENGTH, MOST, Shelves, find_shelf_number, name_schema, name_schemas
from projections.views.everywhere import Everywhere
from projections.views.pages import Views
from projections.views.projector import Projector
from tests.desk import Desk
from tests.kernel.conftest import KEY
from tests.schemas import PASSWORD
from tests.shelves.conftest import SCHEMA, SHELVES, key_on
from tests.waiting import wait_until

KEYS = Keys(KEY)


# --- where a campaign stands ---


@given(st.text(), st.integers(1, MOST))
def test_every_key_gives_one_id_whose_shelf_there_is(key: str, number: int) -> None:
    id = KEYS.make_campaign_id(key)
    assert id == KEYS.make_campaign_id(key) and ID.fullmatch(id) and len(id) == 15
    assert 0 <= find_shelf_number(id, number) < number


@given(st.text(max_size=20), st.integers(1, MOST))
def test_whatever_is_no_id_of_today_would_stand_on_the_first(said: str, number: int) -> None:
    assert find_shelf_number(said[:LENGTH], number) == 0
    assert 0 <= find_shelf_number(said, number) < number


@pytest.mark.parametrize("number", [1, 3, 16, 100, MOST])
def test_campaigns_are_spread_evenly(number: int) -> None:
    fair = 200
    counted = Counter(find_shelf_number(KEYS.make_campaign_id(str(key)), number) for key in range(fair * number))
    assert set(counted) == set(range(number))
    assert 0.6 * fair < min(counted.values()) and max(counted.values()) < 1.5 * fair


def test_what_is_recorded_stands_on_its_shelf_only_and_ids_count_without_a_gap(
    desks: list[Desk], database: str
) -> None:
    for desk in desks:
        desk.enrol("A")
    with psycopg.connect(database) as connection:
        for shelf, schema in enumerate(name_schemas(SCHEMA, SHELVES)):
            query = f"SELECT notification_id, split_part(originator_id, '/', 1) FROM {schema}.ledger_events ORDER BY 1"
            rows = connection.execute(query.encode()).fetchall()
            assert [id for id, _ in rows] == list(range(1, len(rows) + 1))
            assert {find_shelf_number(campaign, SHELVES) for _, campaign in rows} == {shelf}
            assert desks[shelf].campaign in {campaign for _, campaign in rows}
    for desk in desks:
        assert desk("mint", to="1", coins=2) == 2
        assert desk.ledger.store.select_streams([(f"{desk.campaign}/character/1", 0)])


def test_ids_count_on_without_a_gap_after_a_save_that_was_undone(ledger: Ledger, desks: list[Desk]) -> None:
    row = (f"{desks[1].campaign}/unsealed/1", 1, "t", b"{}")
    second = (row[0], 2, "t", b"{}")
    no_invite = Use("none", datetime.now(UTC), "key", "s2", 1, "unsigned")
    (first,) = ledger.store.append([row])
    with pytest.raises(IntegrityError):
        ledger.store.append([second, row])
    with pytest.raises(NotOpen):
        ledger.store.append([second], no_invite)
    assert ledger.store.append([second]) == [first + 1]


def test_a_campaign_of_before_there_were_shelves_goes_on_where_it_is(ledger: Ledger) -> None:
    """Its id is shorter, and a request of then is answered as it was: no second campaign is made."""
    key = key_on(ledger, 2)
    made = ledger.keys.make_campaign_id(key)
    assert ledger.find_campaign_id(made) == made
    old = made[:LENGTH]
    desk = Desk(ledger, key=key, id=old)
    assert desk.enrol("A") == "1"
    assert ledger.find_campaign_id(made) == old
    assert ledger.store.get_recorder(old).select_stream(f"{old}/character/1")
    assert ledger.shelves.get_shelf_of(old).schema == SCHEMA


# --- side by side ---


def test_who_writes_on_one_shelf_keeps_nobody_of_another_waiting(desks: list[Desk], database: str) -> None:
    with psycopg.connect(database) as slow:
        slow.execute(
            f"UPDATE {name_schema(SCHEMA, 1)}.counter SET last = last".encode()
        )  # as one whose commit takes long
        assert desks[2].enrol("A") == "1"
        waits = threading.Thread(target=desks[1].enrol, args=("A",), daemon=True)
        waits.start()
        waits.join(0.3)
        assert waits.is_alive(), "ids would not be in the order of the commits"
        slow.rollback()
        waits.join(120)
        assert not waits.is_alive()


def test_who_listens_hears_on_which_shelf_something_is_new_once_it_is_there(desks: list[Desk], database: str) -> None:
    desk = desks[3]
    with psycopg.connect(database, autocommit=True) as listening:
        listening.execute("LISTEN ledger_events")
        desk.enrol("A")
        for heard in listening.notifies(timeout=120):
            if heard.payload == "3":
                break
        else:
            pytest.fail("nobody was told")
        query = f"SELECT count(*) FROM {name_schema(SCHEMA, 3)}.ledger_events WHERE originator_id = %s"
        assert listening.execute(query.encode(), [f"{desk.campaign}/character/1"]).fetchone() != (0,)


def test_who_was_just_told_is_told_of_all_that_is_new_since_together(
    ledger: Ledger, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.events.herald.PAUSE", 60)
    herald = Herald(ledger.store.datastore)

    def heard(wanted: set[str], timeout: float = 20) -> set[str]:
        found = set[str]()
        for one in listening.notifies(timeout=timeout):
            found |= {one.payload} & {"101", "102", "103"}  # what else is said is of campaigns
            if wanted and found >= wanted:
                break
        return found

    with psycopg.connect(database, autocommit=True) as listening:
        listening.execute(f"LISTEN {CHANNEL}".encode())
        herald.announce(101)
        assert heard({"101"}) == {"101"}
        for shelf in (102, 103, 102):
            herald.announce(shelf)
        assert heard(set(), timeout=0.5) == set()
        herald.close()  # nobody waits for the pause to end
        assert heard({"102", "103"}) == {"102", "103"}


# --- the views ---


@pytest.fixture
def projector(database: str) -> Iterator[Projector]:
    with Projector(make_conninfo(database, user=PROJECTOR_ROLE, password=PASSWORD), SCHEMA) as projector:
        yield projector


def test_one_projector_keeps_all_and_builds_one_anew(
    desks: list[Desk], ledger: Ledger, projector: Projector, database: str
) -> None:
    for desk in desks:
        desk.enrol("A")
    projector.catch_up()
    assert projector.count_behind() == 0
    for shelf, desk in enumerate(desks):
        assert Views(ledger.shelves.get_shelf(shelf)).find_position(desk.campaign) == 2
    told = list[tuple[int, int]]()
    projector.rebuild(progress=lambda done, total: told.append((done, total)), shelf=2)
    assert told and told[-1][0] == told[-1][1] == projector.shelves[2].find_end()
    assert Everywhere(ledger.shelves).get_views(desks[2].campaign).find_position(desks[2].campaign) == 2
    assert Everywhere(ledger.shelves).list_outdated() == []


def test_views_that_are_followed_take_what_is_new_on_every_shelf(
    desks: list[Desk], ledger: Ledger, projector: Projector
) -> None:
    stop = threading.Event()
    following = threading.Thread(target=projector.follow, args=(stop,), daemon=True)
    following.start()
    try:
        for desk in desks:
            desk.enrol("A")
            wait_until(lambda: Views(ledger.shelves.get_shelf_of(desk.campaign)).find_position(desk.campaign) == 2)  # noqa: B023
    finally:
        stop.set()
        following.join(120)
    assert projector.problem is None


# --- one is away ---


@contextmanager
def away(database: str, shelf: int) -> Iterator[None]:
    """Whatever reads or writes events there hears what a cluster's coordinator says of a server that went away."""
    schema = name_schema(SCHEMA, shelf)
    failing = (
        f"CREATE FUNCTION {schema}.gone() RETURNS SETOF {schema}.kept LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION 'failure on connection marked as essential: nowhere' USING ERRCODE = 'XX000'; END $$"
    )
    with psycopg.connect(database, autocommit=True) as owner:
        with owner.transaction():
            owner.execute(f"ALTER TABLE {schema}.ledger_events RENAME TO kept".encode())
            owner.execute(failing.encode())
            owner.execute(f"CREATE VIEW {schema}.ledger_events AS SELECT * FROM {schema}.gone()".encode())
            owner.execute(f"GRANT SELECT, INSERT ON {schema}.ledger_events TO PUBLIC".encode())
        try:
            yield
        finally:
            with owner.transaction():
                owner.execute(f"DROP VIEW {schema}.ledger_events".encode())
                owner.execute(f"DROP FUNCTION {schema}.gone".encode())
                owner.execute(f"ALTER TABLE {schema}.kept RENAME TO ledger_events".encode())


def test_while_one_shelf_is_away_only_its_campaigns_are(
    desks: list[Desk], ledger: Ledger, projector: Projector, database: str
) -> None:
    for desk in desks:
        desk.enrol("A")
    projector.catch_up()
    stop = threading.Event()
    following = threading.Thread(target=projector.follow, args=(stop,), daemon=True)
    following.start()
    try:
        with away(database, 1):
            for _ in range(2):
                for shelf, desk in enumerate(desks):
                    if shelf == 1:
                        with pytest.raises(Unavailable):
                            desk("mint", to="1", coins=1)
                    else:
                        desk("mint", to="1", coins=1)
            for shelf in (0, 2, 3):
                at = desks[shelf].campaign
                wait_until(lambda: Views(ledger.shelves.get_shelf_of(at)).find_position(at) == 4)  # noqa: B023
        assert desks[1]("mint", to="1", coins=1) == 2, "nothing of what failed is there"
        at = desks[1].campaign
        wait_until(lambda: Views(ledger.shelves.get_shelf_of(at)).find_position(at) == 3)
    finally:
        stop.set()
        following.join(120)
    assert projector.problem is None


# --- how many there are ---


def test_how_many_there_are_is_settled_once(database: str, ledger: Ledger) -> None:
    migrate(database, schema=SCHEMA)
    migrate(database, schema=SCHEMA, shelf_count=SHELVES)
    for other in (1, SHELVES + 1, 0, MOST + 1):
        with pytest.raises(Fault, match="shelves") as refused:
            migrate(database, schema=SCHEMA, shelf_count=other)
        assert refused.value.code == "other-shelves"
    ledger.check()
    assert ledger.shelves.shelf_count == SHELVES


def test_a_new_database_has_sixteen(postgres: Any) -> None:
    schema = f"usual_{uuid.uuid4().hex[:8]}"
    migrate(postgres.owner_url, schema=schema)
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        query = "SELECT count(*) FROM pg_namespace WHERE nspname = ANY(%s)"
        names = [
            name for one in name_schemas(schema, 16) for name in (one, name_views_schema(one), name_next_schema(one))
        ]
        assert owner.execute(query, [names]).fetchone() == (48,)
        beyond = owner.execute("SELECT to_regnamespace(%s)", [name_schema(schema, 16)]).fetchone()
        assert beyond == (None,)
        for name in (*names, f"{schema}_common"):
            owner.execute(f'DROP SCHEMA "{name}" CASCADE'.encode())


def test_of_a_database_that_is_not_migrated_nobody_knows_how_many(ledger: Ledger) -> None:
    shelves = Shelves(ledger.shelves.get_shelf(0))
    shelves.datastore.schema = "nowhere"
    with pytest.raises(Unavailable, match="not migrated"):
        _ = shelves.shelf_count
    shelves.datastore.schema = SCHEMA
