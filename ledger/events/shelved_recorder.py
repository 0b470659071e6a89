"""The recorder of a whole ledger: each campaign's events are read and appended on its shelf."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from eventsourcing.postgres import PostgresDatastore

from ledger.events.herald import Herald
from ledger.events.invites import Use
from ledger.events.read_transaction import ReadTransaction
from ledger.events.recorder import LedgerRecorder, Row
from ledger.events.shelves import Shelf, Shelves


def parse_campaign(stream: str) -> str:
    return stream.partition("/")[0]


class ShelvedRecorder(LedgerRecorder):
    """Works like `LedgerRecorder` on all shelves. Each call is about the campaign of its first stream."""

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self.shelves = Shelves(datastore)
        self.herald = Herald(datastore)
        self._recorders: dict[int, LedgerRecorder] = {}

    def get_recorder(self, stream: str) -> LedgerRecorder:
        """Return the recorder of the shelf with the stream's campaign."""
        return self._get_recorder_of_shelf(self.shelves.get_shelf_of(parse_campaign(stream)))

    def bind_to(self, transaction: ReadTransaction) -> LedgerRecorder:
        """Return a recorder that reads the transaction's shelf as of the transaction's moment."""
        return self._get_recorder_of_shelf(self.shelves.get_shelf(transaction.shelf.number)).bind_to(transaction)

    def _get_recorder_of_shelf(self, shelf: Shelf) -> LedgerRecorder:
        recorder = self._recorders.get(shelf.number)
        if recorder is None:
            new_recorder = LedgerRecorder(shelf, events_table_name=self.events_table_name)
            recorder = self._recorders.setdefault(shelf.number, new_recorder)
        return recorder

    def append(self, rows: Sequence[Row], use: Use | None = None) -> list[int]:
        ids = self.get_recorder(rows[0][0]).append(rows, use)
        self.herald.announce(self.shelves.get_shelf_of(parse_campaign(rows[0][0])).number)
        return ids

    def select_streams(self, starts: Sequence[tuple[str, int]]) -> list[Row]:
        return self.get_recorder(starts[0][0]).select_streams(starts) if starts else []

    def select_spans(self, spans: Sequence[tuple[str, int, int]]) -> list[Row]:
        return self.get_recorder(spans[0][0]).select_spans(spans) if spans else []

    def select_news(self, starts: Sequence[tuple[str, int]]) -> tuple[str, list[Row]]:
        return self.get_recorder(starts[0][0]).select_news(starts)

    def select_stream(self, stream: str, after: int = 0) -> list[tuple[str, bytes]]:
        return self.get_recorder(stream).select_stream(stream, after)

    def select_at(self, addresses: Sequence[tuple[str, int]]) -> list[Row]:
        return self.get_recorder(addresses[0][0]).select_at(addresses) if addresses else []

    def select_range(self, first: str, end: str, chunk: int = 5000) -> Generator[Row]:
        return self.get_recorder(first).select_range(first, end, chunk)

    def select_range_by_stream(self, first: str, end: str, chunk: int = 5000) -> Generator[Row]:
        return self.get_recorder(first).select_range_by_stream(first, end, chunk)
