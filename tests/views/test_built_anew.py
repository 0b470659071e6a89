"""What is built anew stands as it would have been made at once, whoever builds it and wherever that broke off."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import psycopg
import pytest

from ledger.application import Ledger
from projections.documents.timelines import Selection, list_timeline
from projections.views import shelf_views, side_by_side, store
from projections.views.balances import Balances
from projections.views.keeping import Keeper
from projections.views.pages import Reader, Views
from projections.views.projector import Projector
from projections.views.rulings import Rulings
from projections.views.side_by_side import Build, Sharing, start_helpers
from projections.views.store import VIEWS, Tables
from projections.views.timeline import Timeline
from projections.views.view import compute_code_version
from tests.desk import Desk
from tests.views.conftest import SCHEMA, ViewDatabase, look
from tests.views.test_views import LENS, everything, play

VIEWS_OF_ALL = [view.name for view in VIEWS]


def asked(database: ViewDatabase, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.owner_url) as connection:
        return connection.execute(query.encode()).fetchall()


def indexes(database: ViewDatabase) -> list[tuple[Any, ...]]:
    """Of the views in use, with the names of the constraints that they belong to."""
    return asked(
        database,
        "SELECT i.tablename, i.indexname, i.indexdef, c.conname FROM pg_indexes i LEFT JOIN pg_constraint c"
        " ON c.conindid = format('%I.%I', i.schemaname, i.indexname)::regclass"
        f" WHERE i.schemaname = '{SCHEMA}_views' ORDER BY 1, 2",
    )


def making(database: ViewDatabase) -> list[tuple[Any, ...]]:
    """Which tables the views in use are."""
    return asked(
        database,
        f"SELECT oid FROM pg_class WHERE relname = 'timeline' AND relnamespace = '{SCHEMA}_views'::regnamespace",
    )


class Killed(Exception):
    pass


@pytest.mark.parametrize("far", ["some indexes", "all indexes"])
def test_their_indexes_are_those_of_views_made_at_once(
    desk: Desk, projector: Projector, database: ViewDatabase, monkeypatch: pytest.MonkeyPatch, far: str
) -> None:
    projector.make_tables()
    made = indexes(database)
    assert len(made) > 25
    play(desk, [1, 0, 2, 3])

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Tables, "analyze_tables" if far == "all indexes" else "add_indexes", die)
        projector.rebuild()
    if far == "some indexes":
        projector.shelves[0].next_tables.add_indexes([Rulings])
    projector.rebuild()
    assert indexes(database) == made


def test_a_single_view_is_built_of_saves_in_the_journals_order_wherever_they_stand(
    desk: Desk, projector: Projector, database: ViewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An id ran ahead once, and the save that has it stands behind those that follow it."""
    play(desk, [1, 0])
    counter = f"UPDATE {SCHEMA}.counter SET last = last"
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute(f"{counter} + 1000".encode())
        desk("mint", to="1", coins=1)
        owner.execute(f"{counter} - 1000".encode())
        desk("mint", to="1", coins=2)
        desk("amend", subject="character:1", field="harm", value=2, reason="so")
        owner.execute(f"{counter} + 2000".encode())
    desk("mint", to="1", coins=3)
    projector.catch_up()
    before, stood = everything(database), making(database)
    monkeypatch.setattr(shelf_views, "BATCH_ANEW", 1)  # of each save it knows only what is kept of those before it
    for _ in range(3):
        projector.rebuild([Balances])
        assert everything(database) == before
    assert making(database) == stood


def test_making_adds_a_table_that_views_of_an_earlier_version_lack(
    projector: Projector, database: ViewDatabase
) -> None:
    projector.make_tables()
    views = making(database)
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute(f"DROP TABLE {SCHEMA}_views.stopped".encode())
    projector.make_tables()
    assert asked(database, f"SELECT count(*) FROM {SCHEMA}_views.stopped") == [(0,)]
    assert making(database) == views, "the views themselves are left as they are"


def test_no_transaction_is_open_while_a_process_loads_the_games(
    projector: Projector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form of a view depends on the games. The server ends a transaction that is idle for seconds."""
    tables, open_now, seen = projector.shelves[0].next_tables, [0], list[int]()
    transaction = Tables.open_transaction

    @contextmanager
    def counted(self: Tables, *args: Any) -> Iterator[Any]:
        with transaction(self, *args) as cursor:
            open_now[0] += 1
            yield cursor
        open_now[0] -= 1

    def looked_at() -> int:
        seen.append(open_now[0])
        return compute_code_version()

    tables.drop_tables()
    with monkeypatch.context() as patch:
        patch.setattr(Tables, "open_transaction", counted)
        patch.setattr(store, "compute_code_version", looked_at)
        tables.ensure_base_tables()
        tables.create_tables(VIEWS)
    tables.drop_tables()
    assert seen == [0]


def test_a_helper_builds_them_and_tells_how_far_it_is(
    ledger: Ledger, projector: Projector, database: ViewDatabase
) -> None:
    desk = Desk(ledger, "intensity")  # a process of its own does not know the systems of the tests
    desk("open-scene", title="A quarrel", cast=[])
    projector.catch_up()
    before, stood = everything(database), making(database)
    told: list[tuple[int, int, int]] = []
    what = Build(database.projector_url, SCHEMA, VIEWS_OF_ALL)
    with start_helpers(sharing := Sharing([0], lambda *one: told.append(one)), what, 1) as helpers:
        for one in helpers:
            one.join()
    end = projector.shelves[0].find_end()
    assert told[-1] == (0, end, end)
    assert sharing.take_shelf() is None
    assert everything(database) == before
    assert making(database) != stood


@pytest.mark.parametrize("program", ["pass", "import sys; sys.stdin.readline(); sys.stdin.readline()"])
def test_what_a_helper_leaves_is_built_all_the_same(
    desk: Desk, projector: Projector, database: ViewDatabase, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    play(desk, [1, 0, 2, 3])
    projector.catch_up()
    before, stood = everything(database), making(database)
    monkeypatch.setattr(side_by_side, "PROGRAM", (sys.executable, "-c", program))
    what = Build(database.projector_url, SCHEMA, VIEWS_OF_ALL)
    with start_helpers(sharing := Sharing([0], lambda *_: None), what, 1) as helpers:
        for one in helpers:
            one.join()
    assert sharing.take_shelf() == 0
    projector.rebuild(processes=2)
    assert everything(database) == before
    assert making(database) != stood


@pytest.mark.nightly
def test_a_helper_whom_nobody_hears_any_more_ends_without_a_word(ledger: Ledger, database: ViewDatabase) -> None:
    Desk(ledger, "intensity")("open-scene", title="A quarrel", cast=[])
    what = Build(database.projector_url, SCHEMA, VIEWS_OF_ALL)
    with subprocess.Popen(
        side_by_side.PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as helper:
        assert helper.stdin is not None and helper.stdout is not None and helper.stderr is not None
        helper.stdout.close()
        helper.stdin.write(msgspec.json.encode(what) + b"\n0\n")
        helper.stdin.flush()
        assert helper.stderr.read() == b""
    assert helper.returncode == 1


def test_views_that_are_being_read_are_not_exchanged(desk: Desk, projector: Projector, views: Views) -> None:
    """Of rebuilt ones whoever reads would see only what was built before their moment."""
    play(desk, [1, 0, 2, 3])
    projector.catch_up()
    before = look(views, desk.campaign, facts)
    (shelf,) = projector.shelves
    with views.open_reader(desk.campaign) as reader:
        assert reader.position == desk.position
        shelf.next_tables.ensure_base_tables()
        shelf.next_tables.create_tables([Timeline])
        built = Keeper(shelf.next_tables, [Timeline], shelf.recorder, shelf.codec)
        while built.take_next_saves():
            pass
        assert not shelf.live_tables.take_over([Timeline], shelf.next_tables)
        assert facts(reader) == before
    assert shelf.live_tables.take_over([Timeline], shelf.next_tables)
    assert look(views, desk.campaign, facts) == before


def facts(reader: Reader) -> object:
    return list_timeline(LENS, reader, Selection(limit=500)).decode()
