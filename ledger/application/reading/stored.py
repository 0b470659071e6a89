"""The record of a campaign as stored, save by save, checked only against what the journal names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec.json import Decoder

from ledger.aggregates.campaign import journal_of
from ledger.application.book import Book
from ledger.errors import Fault, Unsound
from ledger.events.decoders import build_decoder
from ledger.events.journal_check import Misfit, StoredSave, gap, unreadable
from ledger.events.lineage import named_here
from ledger.events.recorder import Row
from ledger.events.records_of_journal import UNSAID
from ledger.events.sealing import sealed

P = TypeVar("P")


class Stamp(msgspec.Struct):
    """Part of every event: the save it belongs to."""

    position: int


class Counted(msgspec.Struct):
    streams: dict[str, int] | tuple[str, ...]
    events: int = UNSAID

    @property
    def named(self) -> dict[str, int]:
        """The streams, in order, with the latest version; earlier entries do not say it."""
        return self.streams if isinstance(self.streams, dict) else dict.fromkeys(self.streams, UNSAID)


class Journalled(msgspec.Struct):
    """Part of a journal entry."""

    position: int
    fact: Counted


STAMP, JOURNALLED = build_decoder(Stamp), build_decoder(Journalled)


def sealed_saves(book: Book) -> Iterator[list[Row]]:
    """Yield the sealed events up to the book's position, one save at a time, the journal's entry last.

    Unsound, at the end at the latest, if the journal does not name an event among or after them.
    """
    journal, position, rows, save = journal_of(book.id), 0, list[Row](), StoredSave()
    versions: dict[str, int] = {}
    for stream, version, topic, state in book.recorder.select_range(f"{book.id}/", f"{book.id}0"):
        if not sealed(stream):
            continue
        row = (stream, version, topic, bytes(state))
        rows.append(row)
        if version != versions.get(stream, 0) + 1:
            raise _out_of_turn(stream, versions.get(stream, 0), version, position)
        versions[stream] = version
        if stream != journal:
            save.add(stream, version, _stored(row, STAMP).position)
            continue
        position += 1
        named, counted = _named(row)
        wrong = save.closed(position, named_here(book.id, named), counted)
        if wrong is not None:
            raise wrong
        if position <= book.campaign.position:
            yield rows
        rows, save = [], StoredSave()
    left = save.left_over()
    if left is not None:
        raise left
    if position < book.campaign.position:
        raise gap(position, book.campaign.position)


def _out_of_turn(stream: str, latest: int, version: int, position: int) -> Unsound:
    if stream == journal_of(stream.partition("/")[0]):
        return gap(position, version)
    if version > latest:
        return Misfit(latest + 1, "missing", position).unsound(stream)
    return Misfit(version, "unnamed", position).unsound(stream)


def _stored(row: Row, decoder: Decoder[P]) -> P:
    stream, version, topic, state = row
    try:
        return decoder.decode(state)
    except msgspec.MsgspecError:
        raise unreadable(stream, version, Fault(f"An event of the type {topic} can't be read.")) from None


def _named(row: Row) -> tuple[dict[str, int], int]:
    """Return what a journal entry names, and how many events it counts."""
    entry = _stored(row, JOURNALLED)
    if entry.position != row[1]:
        raise Misfit(row[1], "unnamed", entry.position).unsound(row[0])
    return entry.fact.named, entry.fact.events
