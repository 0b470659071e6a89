"""A campaign as a file: all of it, or the part that one seat may see, together with hashes of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import Any, cast

import msgspec

from ledger.application import Book, Sealer
from ledger.application.reading import exports
from ledger.application.reading.exports import Ancestor, Entry, Header, write_export
from ledger.application.reading.revealed import WITHHELD, drop_revealed_answers
from ledger.application.reading.stored import read_sealed_saves
from ledger.events.bookmarks import OwnBookmark
from ledger.events.codec import plain
from ledger.events.recorder import Row
from projections.redaction import Lens, LiveLens, Secret

MARKS = frozenset({"ledger.struck@1", "ledger.restored@1"})
#: Marks in the streams of all subjects.
RANGE_MARKS = frozenset({"ledger.struck-range@1", "ledger.restored-range@1"})
SETTLING = frozenset({"overturned", "reinstated", "revised", "set-aside", "taken-back", "rewound", "settled"})
#: In a game with unique things, rulings can also raise or settle findings.
RULING = frozenset({"ruled"})


def export_everything(book: Book, sealer: Sealer) -> Iterator[bytes]:
    """Yield every sealed event. Only the operator may have them all: no seat may see everything."""
    return write_export(
        _make_header(book, None), ((row, True) for save in read_sealed_saves(book) for row in save), sealer
    )


def export_for_viewer(lens: LiveLens, sealer: Sealer, own_bookmarks: Sequence[OwnBookmark] = ()) -> Iterator[bytes]:
    """Return the export for a seat. `own_bookmarks`: the seat's own bookmarks."""
    book = lens.book
    is_complete = lens.viewer.role == "gm" and all(is_visible for _, is_visible in _read_entries(lens))
    header = _make_header(book, None if is_complete else lens.viewer.seat)
    if own_bookmarks:
        marks = tuple(
            exports.OwnBookmark(bookmark.id, bookmark.ruling, bookmark.note, bookmark.at) for bookmark in own_bookmarks
        )
        header = msgspec.structs.replace(header, bookmarks=marks)
    return write_export(header, _read_entries(lens), sealer)


def _make_header(book: Book, seat: str | None) -> Header:
    entry, ancestors = book.entry, tuple(starmap(Ancestor, book.campaign.lineage.ancestors))
    return Header(
        campaign=book.id,
        name=entry.name,
        system=entry.system,
        position=book.campaign.position,
        seat=seat,
        ancestors=ancestors or msgspec.UNSET,
    )


def _read_entries(lens: LiveLens) -> Iterator[Entry]:
    """Yield each event, and whether the viewer may see all of it.

    A partly hidden ruling is withheld as a whole, with its waiting declaration and the marks that strike or restore it.
    So is the journal entry of a save with a withheld event, because it names the streams that changed. After the first
    withheld event, entries that raise or settle findings are withheld, too: they could reveal a finding about something
    hidden.
    """
    raising_commands = SETTLING | RULING if lens.book.ruleset.things is not None else SETTLING
    hidden_rulings: set[int] = set()
    shown_streams: set[str] = set()
    has_secrets = False
    for save in read_sealed_saves(lens.book):
        events = [_EventProperties(lens, row) for row in save]
        hidden_rulings |= {event.ruling for event in events if not event.is_visible and event.ruling}
        are_shown = [
            event.is_visible
            and (event.is_fact or event.ruling not in hidden_rulings)
            and (not event.is_range_mark or row[0] in shown_streams)  # a completely hidden subject stays unknown
            for row, event in zip(save, events, strict=True)
        ]
        shown_streams.update(row[0] for row, is_shown in zip(save, are_shown, strict=True) if is_shown)
        has_secrets = has_secrets or not all(event.is_visible for event in events[:-1])
        are_shown[-1] = all(are_shown) and not (has_secrets and events[-1].did in raising_commands)
        yield from zip(save, are_shown, strict=True)


class _EventProperties:
    """The properties of an event that decide whether it is exported. `ruling`: the ruling it is about, or 0."""

    def __init__(self, lens: LiveLens, row: Row) -> None:
        stream, _, topic, state = row
        _, kind, id = stream.split("/", 2)
        body: dict[str, Any] = plain(state)
        open_body = drop_revealed_answers(lens.book, id, body) if WITHHELD in state and kind == "waiting" else body
        self.is_visible = b'"audience"' not in state or may_see_all(lens, open_body)
        self.is_fact = kind not in ("ruling", "waiting") and topic not in MARKS
        self.is_range_mark = topic in RANGE_MARKS
        marked_number = body["fact"].get("ruling") if topic in MARKS or kind == "waiting" else None
        self.ruling = int(id) if kind == "ruling" else int(marked_number or body.get("ruling", 0))
        self.did: str = body["fact"].get("did", "") if kind == "journal" else ""


def may_see_all(lens: Lens, piece: object) -> bool:
    """Return whether the viewer may see all of a stored value, at any depth."""
    if isinstance(piece, dict):
        return lens.may_see_stored(cast(Secret, piece)) and all(may_see_all(lens, part) for part in piece.values())
    return not isinstance(piece, list) or all(may_see_all(lens, part) for part in piece)
