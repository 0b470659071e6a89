"""Import a campaign from an export. The campaign is first replayed from the file, then stored in batches of whole
saves.

The last save contains the tokens, so nobody can see or change a partial campaign. After a crash, importing the same
file continues after the last batch.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import cast

from eventsourcing.persistence import IntegrityError

from ledger.aggregates.campaign import name_journal_stream
from ledger.application.book import Book
from ledger.application.calls import Call, Done, Reply
from ledger.application.checks.audit import Progress, audit
from ledger.application.checks.audit_report import Audit
from ledger.application.keys import hash_token, make_receipt_id
from ledger.application.reading.export_reader import Export
from ledger.application.reading.exports import BadExport
from ledger.application.reading.pasts import log_problem
from ledger.application.reading.seals import list_sealed_leaves
from ledger.application.reading.shown import ShownSeat
from ledger.application.save import Save
from ledger.application.saves import Saves
from ledger.errors import Fault, Stale, WrongStatus
from ledger.events.codec import Codec
from ledger.events.in_memory import InMemoryRecorder
from ledger.events.merkle import compute_root
from ledger.events.recorder import LedgerRecorder, Row
from ledger.events.records import TokenIssued
from ledger.events.shelves import ID
from ledger.rules.kernel.register import SeatEntry
from ledger.rules.kernel.subjects import seat

CHUNK = 2000  # events in a chunk; a save is never divided


def replay_export(export: Export, codec: Codec, progress: Progress = lambda count, total: None) -> tuple[Book, Audit]:
    """Replay the campaign in the file. Return the campaign and its audit.

    Raise BadExport unless the export is complete and this installation can read it.
    """
    if not export.is_complete:
        raise BadExport("This is one seat's export, so some events are hidden.", code="incomplete-export")
    book = Book(cast(LedgerRecorder, InMemoryRecorder(export.rows)), codec, export.header.campaign)
    try:
        book.catch_up()
        return book, audit(book, progress)
    except Fault as problem:
        raise BadExport(f"This ledger can't read the file: {problem.detail}", code="unreadable-export") from problem
    except Exception as problem:  # a record that did not come from the rules can cause any error
        log_problem(export.header.campaign, "an import", problem)
        raise BadExport(
            "The events in the file do not form a complete campaign.", code="unreadable-export"
        ) from problem


def check_export(export: Export, codec: Codec, progress: Progress = lambda count, total: None) -> tuple[Book, Audit]:
    """Return the campaign and its audit, as `replay_export` does. Raise BadExport if the audit found a difference.

    A missing finding is not a difference, because an earlier version of the service may not have looked for it.
    """
    if ID.fullmatch(export.header.campaign) is None:
        raise BadExport("That is not a valid campaign id.")
    book, result = replay_export(export, codec, progress)
    differences = [difference for difference in result.differences if difference.what != "finding"]
    if differences:
        first_difference, other_count = differences[0], len(differences) - 1
        further_text = f" More problems like this: {other_count}." if other_count else ""
        raise BadExport(
            f"The file is inconsistent: {first_difference.detail}{further_text}", code="inconsistent-export"
        )
    if not list_gm_seats(book):
        raise BadExport("The campaign has no game master.", code="inconsistent-export")
    return book, result


def list_gm_seats(book: Book) -> list[str]:
    """Return the game masters' seats, in order."""
    return [
        subject.id
        for subject in book.seats()
        if (viewer := book.load_viewer(subject.id)) is not None and viewer.role == "gm"
    ]


Present = Callable[[Book, ShownSeat], str]


def import_campaign(saves: Saves, call: Call, export: Export, imported_book: Book, present: Present) -> Reply:
    """Store the campaign, and return the first game master's new token. Raise WrongStatus (409) if the campaign already
    exists here.

    `imported_book`: the book that `check_export` returned. Old tokens are not valid. A game master gives each seat a
    new one.
    """
    book = saves.get_book(call.campaign)
    receipt_stream = f"{call.campaign}/receipt/{make_receipt_id('', call.route, call.key)}"
    with book.lock, saves.translate_failures(book):
        book.reset()
        book.catch_up()
        receipts = [event.body for event in book.read(receipt_stream)]
        if receipts:
            return saves.repeat_reply(call, receipts[0], receipt_stream, by_operator=True)
        *earlier_chunks, last_chunk = split_into_chunks(
            list_missing_rows(saves.store, export), name_journal_stream(call.campaign)
        )
        for chunk in earlier_chunks:
            _store_chunk(saves, chunk)
        book.catch_up()
        save = Save(book, None, saves.keys)
        result = _put_tokens(save, imported_book, present)
        saves.put_receipt(save, receipt_stream, call, result)
        _store_chunk(saves, [*last_chunk[:-1], *(saves.codec.to_row(event) for event in save.events), last_chunk[-1]])
        book.reset()
        return saves.make_reply(call.campaign, result, export.header.position)


def prove_origins(saves: Saves, export: Export) -> list[bool]:
    """Return, for each campaign that a fork continues, whether this ledger has the events that the fork took over.
    Raise BadExport if this ledger has different events in their place.
    """
    origins_found = []
    for origin in export.origins:
        book = Book(saves.store, saves.codec, origin.campaign)
        with saves.translate_failures(book):
            book.catch_up()
            is_here = book.campaign.position >= origin.position
            if (
                is_here
                and compute_root([leaf for _, _, leaf in list_sealed_leaves(book, origin.position)]).hex()
                != origin.root
            ):
                detail = (
                    f"This campaign continues {origin.campaign}, but the copy of that campaign here begins differently."
                )
                raise BadExport(detail, code="other-origin")
        origins_found.append(is_here)
    return origins_found


def list_missing_rows(store: LedgerRecorder, export: Export) -> list[Row]:
    """Return the rows of the file that are not stored yet. Raise WrongStatus unless the stored rows are an unfinished
    import of this file.
    """
    id = export.header.campaign
    stored_rows: list[Row] = [(*row[:3], bytes(row[3])) for row in store.select_range(f"{id}/", f"{id}0")]
    if len(stored_rows) < len(export.rows) and export.rows[: len(stored_rows)] == stored_rows:
        return export.rows[len(stored_rows) :]
    raise WrongStatus(f"The campaign {id} already exists here.", code="campaign-exists", campaign=id)


def split_into_chunks(rows: list[Row], journal_stream: str) -> Iterator[list[Row]]:
    """Yield chunks of whole saves with about two thousand events. The last save is a chunk of its own."""
    chunk: list[Row] = []
    journal_places = [place for place, row in enumerate(rows) if row[0] == journal_stream]
    first_place = 0
    for end in journal_places[:-1]:
        chunk += rows[first_place : end + 1]
        first_place = end + 1
        if len(chunk) >= CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
    yield rows[first_place:]


def _store_chunk(saves: Saves, rows: list[Row]) -> None:
    """Store all of these rows or none. Raise Stale if somebody else is importing the same campaign."""
    try:
        saves.store.append(rows)
    except IntegrityError as problem:
        raise Stale("Somebody else is importing this campaign. Please try again.") from problem


def _put_tokens(save: Save, book: Book, present: Present) -> Done:
    """Put a new token for every seat, with a generation that no earlier token can have. Return the result with the
    first game master's token.
    """
    generation = secrets.randbelow(2**30) + 2**30
    tokens = {subject.id: save.keys.make_token(book.id, subject.id, generation) for subject in book.seats()}
    for id, token in tokens.items():
        save.put(f"{book.id}/access/{id}", 0, TokenIssued(generation, hash_token(token)))
    gm_seat = list_gm_seats(book)[0]
    entry = book.load_stream(seat(gm_seat)).folded.entry
    assert isinstance(entry, SeatEntry)
    shown_seat = ShownSeat(gm_seat, entry.name, entry.role, False, tokens[gm_seat])
    return Done(201, present(book, shown_seat), (gm_seat, generation))
