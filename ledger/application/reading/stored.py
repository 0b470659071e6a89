"""The record of a campaign as stored, save by save, checked only against what the journal names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec.json import Decoder

from ledger.aggregates.campaign import name_journal_stream
from ledger.application.book import Book
from ledger.errors import Fault, Unsound
from ledger.events.decoders import build_decoder
from ledger.events.journal_check import Misfit, StoredSave, make_gap_error, make_unreadable_error
from ledger.events.lineage import name_streams_here
from ledger.events.recorder import Row
from ledger.events.records_of_journal import UNSAID
from ledger.events.sealing import is_sealed_stream

P = TypeVar("P")


class Stamp(msgspec.Struct):
    """The part of every event that names its save."""

    position: int


class Counted(msgspec.Struct):
    streams: dict[str, int] | tuple[str, ...]
    events: int = UNSAID

    @property
    def named_versions(self) -> dict[str, int]:
        """The streams in order, each with its latest version. Early entries have no versions, so they have `UNSAID`
        instead.
        """
        return self.streams if isinstance(self.streams, dict) else dict.fromkeys(self.streams, UNSAID)


class Journalled(msgspec.Struct):
    """The part of a journal entry that names the events of its save."""

    position: int
    fact: Counted


STAMP, JOURNALLED = build_decoder(Stamp), build_decoder(Journalled)


def read_sealed_saves(book: Book) -> Iterator[list[Row]]:
    """Yield the sealed events up to the book's position, one save at a time. The journal's entry comes last in each.

    Raise Unsound if the journal does not name an event. This may happen only after the last event.
    """
    journal_stream, position, rows, save = name_journal_stream(book.id), 0, list[Row](), StoredSave()
    versions: dict[str, int] = {}
    for stream, version, topic, state in book.recorder.select_range(f"{book.id}/", f"{book.id}0"):
        if not is_sealed_stream(stream):
            continue
        row = (stream, version, topic, bytes(state))
        rows.append(row)
        if version != versions.get(stream, 0) + 1:
            raise _make_order_error(stream, versions.get(stream, 0), version, position)
        versions[stream] = version
        if stream != journal_stream:
            save.add_event(stream, version, _decode_row(row, STAMP).position)
            continue
        position += 1
        named_streams, event_count = _read_journal_entry(row)
        problem = save.find_problem_with_entry(position, name_streams_here(book.id, named_streams), event_count)
        if problem is not None:
            raise problem
        if position <= book.campaign.position:
            yield rows
        rows, save = [], StoredSave()
    problem = save.find_unclosed_problem()
    if problem is not None:
        raise problem
    if position < book.campaign.position:
        raise make_gap_error(position, book.campaign.position)


def _make_order_error(stream: str, latest_version: int, version: int, position: int) -> Unsound:
    if stream == name_journal_stream(stream.partition("/")[0]):
        return make_gap_error(position, version)
    if version > latest_version:
        return Misfit(latest_version + 1, "missing", position).make_unsound(stream)
    return Misfit(version, "unnamed", position).make_unsound(stream)


def _decode_row(row: Row, decoder: Decoder[P]) -> P:
    stream, version, topic, state = row
    try:
        return decoder.decode(state)
    except msgspec.MsgspecError:
        raise make_unreadable_error(stream, version, Fault(f"An event of the type {topic} can't be read.")) from None


def _read_journal_entry(row: Row) -> tuple[dict[str, int], int]:
    """Return the streams that a journal entry names, and the number of events in its save."""
    entry = _decode_row(row, JOURNALLED)
    if entry.position != row[1]:
        raise Misfit(row[1], "unnamed", entry.position).make_unsound(row[0])
    return entry.fact.named_versions, entry.fact.events
