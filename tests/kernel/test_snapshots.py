"""A fresh process begins from a snapshot: it knows what one knows that reads everything, and trusts only its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from ledger.application import Book, Ledger, audit, make_environment, snapshots
from ledger.events.snapshots import Stored
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present
from tests.kernel.books import compare_books
from tests.kernel.conftest import KEY, service_url
from tests.kernel.tampering import Tampering
from tests.schemas import made_anew

SCHEMA = "snapshot_tests"  # of its own: where anybody ever altered an event, as tests beside this one do, none is used


@pytest.fixture(scope="module")
def database(postgres: Any) -> str:
    made_anew(postgres.owner_url, SCHEMA)
    return str(postgres.owner_url)


@pytest.fixture(scope="module")
def ledger(database: str) -> Iterator[Ledger]:
    with Ledger(make_environment(service_url(database), schema=SCHEMA), KEY) as ledger:
        yield ledger


@pytest.fixture
def another(database: str) -> Iterator[Ledger]:
    with Ledger(make_environment(service_url(database), schema=SCHEMA, pool_size=2), KEY) as ledger:
        yield ledger


@pytest.fixture(autouse=True)
def at_every_save(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of whatever there is."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    monkeypatch.setattr(snapshots, "SHORT", 0)


@pytest.fixture
def played(desk: Desk) -> Desk:
    """A table where something was struck, something waits, and the ledger rolled."""
    a, b = desk.enrol("A"), desk.enrol("B")
    for face in (2, 5, 3):
        desk.hit(a, b, face)
    desk("mint", to=a, coins=3)
    desk.ledger.overturn(desk.call(), 4, "No.", present)
    desk.declare("hit", {"choice": {"kind": "stand"}}, dice="ledger", char=b, target=a)
    written(desk)
    return desk


def written(desk: Desk) -> None:
    """The latest: not that of a save which came while another was being written."""
    keeper = desk.ledger.snapshot_keeper
    _wait(keeper)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        keeper.keep_snapshot(book.make_snapshot())
    _wait(keeper)


def _wait(keeper: snapshots.Snapshots) -> None:
    if keeper._write_in_progress is not None:
        keeper._write_in_progress.result(120)


def stored(desk: Desk) -> Stored:
    found = desk.ledger.snapshot_keeper.store.load(desk.campaign)
    assert found is not None
    return found


def put(desk: Desk, snapshot: Stored) -> None:
    store = desk.ledger.snapshot_keeper.store
    store.drop(desk.campaign)
    store.keep(desk.campaign, snapshot)


def reading_all(desk: Desk) -> Book:
    book = Book(desk.ledger.store, desk.ledger.codec, desk.campaign)
    book.catch_up()
    return book


@contextmanager
def fresh(database: str, key: bytes = KEY) -> Iterator[Ledger]:
    with Ledger(make_environment(service_url(database), schema=SCHEMA, pool_size=1), key) as ledger:
        yield ledger


def rows_read(ledger: Ledger, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> int:
    """Of the record, of one campaign."""
    counted = 0
    for name in ("select_news", "select_stream", "select_streams"):
        select = getattr(ledger.store, name)

        def counting(*args: Any, select: Any = select, name: str = name) -> Any:
            nonlocal counted
            rows = select(*args)
            counted += len(rows[1] if name == "select_news" else rows)
            return rows

        monkeypatch.setattr(ledger.store, name, counting)
    act()
    return counted


def test_a_fresh_process_rules_on_with_what_came_since(
    played: Desk, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh(database) as ledger:
        call, do = played.call(), played.input("mint", to="2", coins=4)
        few = rows_read(ledger, lambda: ledger.declare(call, do, present), monkeypatch)
        assert compare_books(ledger.get_book(played.campaign), reading_all(played)) is None
    before = stored(played)
    assert before.position == reading_all(played).campaign.position
    played.ledger.snapshot_keeper.store.drop(played.campaign)
    with fresh(database) as ledger:
        call = played.call()
        many = rows_read(ledger, lambda: ledger.declare(call, do, present), monkeypatch)
    assert 3 * few < many


def test_what_was_played_since_is_read_on(played: Desk, database: str) -> None:
    early = stored(played)
    played.hit("1", "2", 6)
    played.ledger.overturn(played.call(), 5, "No.", present)
    written(played)
    put(played, early)
    with fresh(database) as ledger, ledger.open_for_seat(played.call()) as (book, _):
        assert book.snapshot_due == snapshots.find_next_snapshot_position(early.position)
        assert compare_books(book, reading_all(played)) is None


def test_one_made_while_others_played_on_knows_what_it_has_not_read(
    played: Desk, database: str, another: Ledger
) -> None:
    """Of subjects that it knows, and that another process wrote of."""
    with another.open_for_seat(played.call()) as (book, _):
        known = [book.load_stream(one) for one in book.campaign.subjects]
    played.hit("1", "2", 6)
    with another.open_for_seat(played.call()) as (book, _):
        late = book.make_snapshot()
    assert known and late.digests_behind
    put(played, signed(played, late))
    with fresh(database) as ledger, ledger.open_for_seat(played.call()) as (book, _):
        assert book.known_subjects.digests_behind and compare_books(book, reading_all(played)) is None


def signed(desk: Desk, snapshot: snapshots.Snapshot) -> Stored:
    sealed = snapshots.hash_sources() + snapshots.freeze_value(snapshot)
    return Stored(snapshot.campaign.position, desk.ledger.keys.sign_snapshot(desk.campaign, sealed) + sealed)


def test_one_of_another_journal_decides_nothing(played: Desk, database: str) -> None:
    """A record that was put back, and played on otherwise, beside snapshots that were not."""
    with played.ledger.open_for_seat(played.call()) as (book, _):
        here = book.make_snapshot()
        put(played, signed(played, replace(here, entry=b"x" * 32)))
        ahead = thawed_anew(here)
    with fresh(database) as ledger, ledger.open_for_seat(played.call()) as (book, _):
        assert book.snapshot_due == snapshots.find_next_snapshot_position(0)
    ahead.campaign.position += 1
    put(played, signed(played, ahead))
    with fresh(database) as ledger, ledger.open_for_seat(played.call()) as (book, _):
        assert book.snapshot_due == snapshots.find_next_snapshot_position(0)
        assert compare_books(book, reading_all(played)) is None


def thawed_anew(snapshot: snapshots.Snapshot) -> snapshots.Snapshot:
    copied: snapshots.Snapshot = snapshots.thaw_value(snapshots.freeze_value(snapshot))
    return copied


def spoiled(desk: Desk, state: bytes) -> None:
    put(desk, Stored(stored(desk).position, state))


@pytest.mark.parametrize("place", [0, 40, 70, -1])
def test_an_altered_one_decides_nothing_and_is_found(played: Desk, database: str, place: int) -> None:
    state = bytearray(stored(played).state)
    state[place] ^= 1
    spoiled(played, bytes(state))
    _passed_over(played, database, "not made with this server's key")


def test_one_of_another_campaign_or_another_key_decides_nothing(played: Desk, database: str, ledger: Ledger) -> None:
    other = Desk(ledger)
    other.enrol("C")
    written(other)
    mine, position = stored(played), stored(other).position
    put(played, Stored(position, stored(other).state))
    _passed_over(played, database, "not made with this server's key")
    with fresh(database, b"another key for the tests") as stranger:
        keys = stranger.keys
    put(played, Stored(mine.position, keys.sign_snapshot(played.campaign, mine.state[32:]) + mine.state[32:]))
    _passed_over(played, database, "not made with this server's key")


def test_one_that_says_another_place_decides_nothing(played: Desk, database: str) -> None:
    put(played, Stored(stored(played).position + 1, stored(played).state))
    _passed_over(played, database, "another campaign or save")


def _passed_over(desk: Desk, database: str, why: str) -> None:
    with fresh(database) as ledger, ledger.open_for_seat(desk.call()) as (book, _):
        assert book.snapshot_due == snapshots.find_next_snapshot_position(0)
        assert compare_books(book, reading_all(desk)) is None
    with desk.ledger.open_for_audit(desk.call()) as (book, _):
        (found,) = audit(book).differences
        assert found.what == "snapshot" and why in found.detail, found


def test_what_a_wrong_one_of_our_own_says_is_found(played: Desk, database: str) -> None:
    """By whoever has the key, or by a fault of ours."""
    with fresh(database) as ledger, ledger.open_for_seat(played.call()) as (book, _):
        book.load_stream(character("1")).folded.purse["x"] = 3
        book.known_subjects.forget_snapshot()
        wrong = book.make_snapshot()
    put(played, signed(played, wrong))
    with played.ledger.open_for_audit(played.call()) as (book, _):
        (found,) = audit(book).differences
        assert found.what == "snapshot" and "character 1" in found.detail


def test_one_of_other_sources_is_passed_over_and_no_fault(
    played: Desk, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "hash_sources", lambda: b"x" * 32)
    with fresh(database) as ledger, ledger.open_for_seat(played.call()) as (book, _):
        assert book.snapshot_due == snapshots.find_next_snapshot_position(0)
    with played.ledger.open_for_audit(played.call()) as (book, _):
        assert not audit(book).differences


def test_a_journal_that_ends_before_it_or_is_another_is_read_whole(played: Desk, database: str) -> None:
    """A record put back to an earlier state beside snapshots of a later one, and one that was altered."""
    tampering = Tampering(database, SCHEMA, played.campaign)
    rows = tampering.rows()
    journal = f"{played.campaign}/journal/journal"
    last = max(row[2] for row in rows if row[1] == journal)
    cut = [row for row in rows if json.loads(row[4])["position"] < last]
    with tampering.altered(cut), fresh(database) as ledger, ledger.open_for_seat(played.call()) as (book, _):
        assert book.campaign.position == last - 1 and book.snapshot_due == snapshots.find_next_snapshot_position(0)


def test_where_it_cannot_be_kept_the_ruling_stands(
    desk: Desk, database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk.enrol("A")
    with psycopg.connect(database, autocommit=True) as owner:
        table = Identifier(SCHEMA, "snapshots")
        away = Identifier(SCHEMA, "snapshots_away")
        owner.execute(SQL("ALTER TABLE {} RENAME TO {}").format(table, Identifier("snapshots_away")))
        try:
            assert desk("mint", to="1", coins=3) == 2
            written(desk)
        finally:
            owner.execute(SQL("ALTER TABLE {} RENAME TO {}").format(away, Identifier("snapshots")))
    assert "The snapshot of campaign" in caplog.text
    monkeypatch.setattr(Book, "make_snapshot", lambda book: 1 / 0)
    assert desk("mint", to="1", coins=3) == 3
    assert desk.coins("1") == 6
