"""A campaign and its seats."""

from __future__ import annotations

from typing import Any

from ledger.application import Book, ShownSeat
from ledger.errors import NotFound
from ledger.rules.kernel.register import CharacterEntry, SceneEntry, SeatEntry
from ledger.rules.kernel.subjects import CAMPAIGN, SubjectKind
from projections.documents.findings import open_findings
from projections.documents.subjects import balances, unseen
from projections.documents.systems import in_force
from projections.redaction import Json, Sight, text


def seat(shown: ShownSeat) -> Json:
    """A seat; its token only where one was just issued."""
    return {
        "id": shown.id,
        "name": shown.name,
        "role": shown.role,
        "removed": shown.removed,
        "token": shown.token,
    }


def opened(id: str, name: str, system: str, edition: int, gm: ShownSeat) -> Json:
    """A campaign that was just opened, with its first game master's seat and token."""
    return {"id": id, "name": name, "system": system, "edition": edition, "seat": seat(gm)}


def brought(book: Book, gm: ShownSeat) -> str:
    """A campaign that was just imported, likewise."""
    return text(opened(book.id, book.entry.name, book.entry.system, book.entry.edition, gm))


def campaign(sight: Sight) -> Json:
    """The campaign as it stands: who and what is there, what waits for a decision."""
    book = sight.book
    entry = book.entry
    return {
        "id": book.id,
        "name": entry.name,
        "system": entry.system,
        "edition": entry.edition,
        "dials": in_force(sight),
        "seats": _seats(sight),
        "characters": _characters(sight),
        "session": entry.session,
        "sessions": [{"id": id, "title": title, "open": id == entry.session} for id, title in entry.sessions],
        "scenes": _scenes(sight),
        "state": sight.view(book.home(CAMPAIGN).folded),
        "balances": balances(book.home(CAMPAIGN).folded, unseen(sight, CAMPAIGN)),
        "findings": open_findings(sight),
        "rulings": book.campaign.rulings,
        "position": book.campaign.position,
    }


def _entries(sight: Sight, kind: SubjectKind) -> list[tuple[str, Any]]:
    """Id and entry of all that exist of a kind, in order; a struck enrolment or opening leaves none."""
    subjects = [subject for subject in sight.book.campaign.subjects if subject.kind == kind]
    found = [(subject.id, sight.book.find(subject)) for subject in subjects]
    return [(id, folded.entry) for id, folded in found if folded is not None and folded.entry is not None]


def _seats(sight: Sight) -> list[Json]:
    entries: list[tuple[str, SeatEntry]] = _entries(sight, "seat")
    return [{"id": id, "name": one.name, "role": one.role, "removed": one.removed} for id, one in entries]


def one_seat(sight: Sight, id: str) -> Json:
    """A seat of the campaign, removed or not. NotFound."""
    for one in _seats(sight):
        if one["id"] == id:
            return one
    raise NotFound(f"There is no seat {id!r}.", code="seat-not-found")


def _characters(sight: Sight) -> list[Json]:
    entries: list[tuple[str, CharacterEntry]] = _entries(sight, "character")
    return [{"id": id, "name": one.name, "seat": one.seat, "retired": one.retired} for id, one in entries]


def _scenes(sight: Sight) -> list[Json]:
    entries: list[tuple[str, SceneEntry]] = _entries(sight, "scene")
    return [{"id": id, "title": one.title, "cast": list(one.cast), "open": one.open} for id, one in entries]
