"""Read one campaign's events from a file as if they were in a database."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

from ledger.events.recorder import Row


class InMemoryRecorder:
    """The reading methods of `LedgerRecorder`, for events in memory. `rows`: in stored order. The versions of a stream
    have no gaps.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self._rows_by_stream: dict[str, list[Row]] = {}
        for row in self.rows:
            self._rows_by_stream.setdefault(row[0], []).append(row)

    def select_streams(self, starts: Sequence[tuple[str, int]]) -> list[Row]:
        """Return the events of each stream after the given version, in the order of `starts`."""
        return [row for stream, after in starts for row in self._rows_by_stream.get(stream, ())[after:]]

    def select_spans(self, spans: Sequence[tuple[str, int, int]]) -> list[Row]:
        """Return the events of each stream after one version and up to another, in the order of `spans`."""
        return [row for stream, after, last in spans for row in self._rows_by_stream.get(stream, ())[after:last]]

    def select_news(self, starts: Sequence[tuple[str, int]]) -> tuple[str, list[Row]]:
        """Return events as `select_streams` does, with a constant mark, because a file does not change."""
        return "0", self.select_streams(starts)

    def select_stream(self, stream: str, after: int = 0) -> list[tuple[str, bytes]]:
        """Return the topic and state of each event of the stream after the given version, in order."""
        return [(topic, state) for _, _, topic, state in self._rows_by_stream.get(stream, ())[after:]]

    def select_at(self, addresses: Sequence[tuple[str, int]]) -> list[Row]:
        """Return the events at these places, in the given order."""
        return [
            row for stream, version in addresses for row in self._rows_by_stream.get(stream, ())[version - 1 : version]
        ]

    def select_range(self, first: str, end: str) -> Generator[Row]:
        """Yield events of all streams from `first` up to but not including `end`, in stored order."""
        return (row for row in self.rows if first <= row[0] < end)

    def select_range_by_stream(self, first: str, end: str) -> Generator[Row]:
        """Yield events as `select_range` does, but stream by stream."""
        return (
            row
            for stream in sorted(self._rows_by_stream)
            if first <= stream < end
            for row in self._rows_by_stream[stream]
        )
