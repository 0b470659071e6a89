"""Query the views of all shelves together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from psycopg.rows import TupleRow

from ledger.events.read_transaction import ReadTransaction
from ledger.events.shelves import Shelves
from projections.views.pages import Place, Views, ask_shelf, find_followed_place, require_todays_form


class Everywhere:
    """The views of every shelf, asked one after another."""

    def __init__(self, shelves: Shelves) -> None:
        self.shelves = shelves

    def get_views(self, campaign: str) -> Views:
        return Views(self.shelves.get_shelf_of(campaign))

    @property
    def shelf_views(self) -> list[Views]:
        """Return the views of each shelf, by the shelf's number."""
        return [Views(shelf) for shelf in self.shelves.list_shelves()]

    def list_views(self, campaign: str | None) -> list[Views]:
        """Return the views of the campaign's shelf, or of all shelves for None."""
        return self.shelf_views if campaign is None else [self.get_views(campaign)]

    @contextmanager
    def open_reader(self) -> Iterator[EverywhereReader]:
        """Yield a reader of all shelves' views as of one moment."""
        with ReadTransaction(self.shelves.get_shelf(0)) as transaction:
            yield EverywhereReader(transaction, self.shelves)

    def sum_over_shelves(self, count: Callable[[Views], int]) -> int:
        return sum(map(count, self.shelf_views))

    def list_outdated(self) -> list[str]:
        """Return the names of the outdated views of all shelves."""
        return list(dict.fromkeys(name for views in self.shelf_views for name in views.list_outdated()))


class EverywhereReader:
    """The views of every shelf as of one moment. Make one with `Everywhere.open_reader`.

    In each method, a given `campaign` limits the query to that campaign's shelf.
    """

    def __init__(self, transaction: ReadTransaction, shelves: Shelves) -> None:
        self._transaction = transaction
        self._shelves = shelves

    def ask(self, campaign: str | None, query: str, values: Mapping[str, object]) -> list[TupleRow]:
        """Return the rows, in any order."""
        shelves = self._open_shelves(campaign)
        for shelf in shelves:
            require_todays_form(shelf)
        return [row for shelf in shelves for row in ask_shelf(shelf, query, values)]

    def list_places(self, campaign: str | None) -> list[Place]:
        """Return the place that the views of each shelf have reached."""
        return [find_followed_place(shelf) for shelf in self._open_shelves(campaign)]

    def _open_shelves(self, campaign: str | None) -> list[ReadTransaction]:
        shelves = self._shelves.list_shelves() if campaign is None else [self._shelves.get_shelf_of(campaign)]
        return [self._transaction.read_other_shelf(shelf) for shelf in shelves]
