"""What is asked of the views of all shelves together."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from psycopg.rows import TupleRow

from ledger.events.shelves import Shelves
from projections.views.pages import Reader


class Everywhere:
    """Reads the views of every shelf, one after the other: what is wrong with one is told as its own."""

    def __init__(self, shelves: Shelves) -> None:
        self.shelves = shelves

    def of(self, campaign: str) -> Reader:
        return Reader(self.shelves.of(campaign))

    @property
    def readers(self) -> list[Reader]:
        """By the shelf's number."""
        return [Reader(shelf) for shelf in self.shelves.all()]

    def ask(self, query: str, values: Mapping[str, object]) -> list[TupleRow]:
        """The rows of all of them, as they come (`Reader.ask`)."""
        return [row for reader in self.readers for row in reader.ask(query, values)]

    def sum(self, count: Callable[[Reader], int]) -> int:
        return sum(map(count, self.readers))

    def outdated(self) -> list[str]:
        """The views that stand in the form of another version on any of them."""
        return list(dict.fromkeys(name for reader in self.readers for name in reader.outdated()))
