"""All that is read through a read transaction is of one moment, and nothing of it is left behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from eventsourcing.persistence import InternalError
from psycopg.pq import TransactionStatus

from ledger.aggregates.campaign import name_journal_stream
from ledger.application import Ledger, make_environment
from ledger.events.bookmarks import BookmarkStore, OwnBookmark
from ledger.events.read_transaction import ReadTransaction
from tests.desk import Desk
from tests.kernel.conftest import KEY, SCHEMA, service_url

MINE = OwnBookmark("b", "c", "s1", 1, "a note", "2026-11-21T19:30:00.000000Z", "digest")


@pytest.fixture
def narrow(database: str) -> Iterator[Ledger]:
    """A ledger of a single connection."""
    settings = make_environment(service_url(database), schema=SCHEMA, pool_size=1, wait=1)
    with Ledger({**settings, "POSTGRES_MAX_OVERFLOW": "0"}, KEY) as ledger:
        yield ledger


def idle(ledger: Ledger) -> bool:
    """Whether its connection is there to be taken, and nothing is under way on it."""
    with ledger.store.datastore.get_connection() as connection:
        return connection.info.transaction_status is TransactionStatus.IDLE


def test_nothing_saved_meanwhile_is_seen(narrow: Ledger, desk: Desk) -> None:
    journal = name_journal_stream(desk.campaign)
    with ReadTransaction(narrow.shelves.get_shelf_of(desk.campaign)) as moment:
        desk("open-session", title="Before the first statement")
        recorder = narrow.store.bind_to(moment)
        latest = recorder.select_latest_version(journal)
        assert latest == desk.position
        desk("open-scene", title="After it", cast=[])
        assert recorder.select_latest_version(journal) == latest == len(recorder.select_stream(journal))
        assert latest == sum(
            row[0] == journal for row in recorder.select_range(f"{desk.campaign}/", f"{desk.campaign}0")
        )
    assert narrow.store.select_stream(journal, latest)


def test_without_a_statement_no_connection_is_taken(narrow: Ledger, desk: Desk) -> None:
    with ReadTransaction(narrow.shelves.get_shelf_of(desk.campaign)):
        assert idle(narrow)


def test_what_was_half_read_or_failed_leaves_the_connection_as_it_was(narrow: Ledger, desk: Desk) -> None:
    desk.enrol("Ada")
    with ReadTransaction(narrow.shelves.get_shelf_of(desk.campaign)) as moment:
        half_read = narrow.store.bind_to(moment).select_range(f"{desk.campaign}/", f"{desk.campaign}0", chunk=1)
        next(half_read)
    assert idle(narrow)
    half_read.close()
    assert idle(narrow)
    with pytest.raises(ZeroDivisionError), ReadTransaction(narrow.shelves.get_shelf_of(desk.campaign)) as moment:
        half_read = narrow.store.bind_to(moment).select_range(f"{desk.campaign}/", f"{desk.campaign}0", chunk=1)
        next(half_read)
        raise ZeroDivisionError
    assert idle(narrow)


def test_nothing_can_be_written(narrow: Ledger, desk: Desk) -> None:
    with (
        pytest.raises(InternalError, match="read-only"),
        ReadTransaction(narrow.shelves.get_shelf_of(desk.campaign)) as moment,
    ):
        BookmarkStore(moment).add(MINE)
    assert idle(narrow)


def test_a_moment_outlives_the_locks_of_what_was_looked_at_first(narrow: Ledger, desk: Desk, ledger: Ledger) -> None:
    journal, held = (
        name_journal_stream(desk.campaign),
        "SELECT count(*) FROM pg_locks WHERE pid = %s AND relation IS NOT NULL",
    )
    with ReadTransaction(narrow.shelves.get_shelf_of(desk.campaign)) as moment:
        recorder = narrow.store.bind_to(moment)
        with moment.release_locks():
            latest = recorder.select_latest_version(journal)
        with moment.get_connection() as connection, ledger.store.datastore.get_connection() as other:
            assert other.execute(held, [connection.info.backend_pid]).fetchone() == {"count": 0}
        desk("open-scene", title="After it", cast=[])
        assert recorder.select_latest_version(journal) == latest
