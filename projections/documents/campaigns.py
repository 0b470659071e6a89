"""A campaign and its seats."""

from __future__ import annotations

from typing import Any

from ledger.application import Book, ShownSeat
from ledger.errors import NotFound
from ledger.rules.kernel.contract import CAMPAIGN, SubjectKind
from ledger.rules.kernel.housekeeping import CharacterCard, SceneCard, SeatCard
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
    return text(opened(book.id, book.card.name, book.card.system, book.card.edition, gm))


def campaign(sight: Sight) -> Json:
    """The campaign as it stands: who and what is there, what waits for a decision."""
    book = sight.book
    card = book.card
    return {
        "id": book.id,
        "name": card.name,
        "system": card.system,
        "edition": card.edition,
        "dials": in_force(sight),
        "seats": _seats(sight),
        "characters": _characters(sight),
        "session": card.session,
        "sessions": [{"id": id, "title": title, "open": id == card.session} for id, title in card.sessions],
        "scenes": _scenes(sight),
        "state": sight.view(book.home(CAMPAIGN).folded.state),
        "balances": balances(book.home(CAMPAIGN).folded, unseen(sight, CAMPAIGN)),
        "findings": open_findings(sight),
        "rulings": book.campaign.rulings,
        "position": book.campaign.position,
    }


def _cards(sight: Sight, kind: SubjectKind) -> list[tuple[str, Any]]:
    """Id and card of all that exist of a kind, in order; a struck enrolment or opening leaves none."""
    subjects = [subject for subject in sight.book.campaign.subjects if subject.kind == kind]
    found = [(subject.id, sight.book.find(subject)) for subject in subjects]
    return [(id, folded.card) for id, folded in found if folded is not None and folded.card is not None]


def _seats(sight: Sight) -> list[Json]:
    cards: list[tuple[str, SeatCard]] = _cards(sight, "seat")
    return [{"id": id, "name": one.name, "role": one.role, "removed": one.removed} for id, one in cards]


def one_seat(sight: Sight, id: str) -> Json:
    """A seat of the campaign, removed or not. NotFound."""
    for one in _seats(sight):
        if one["id"] == id:
            return one
    raise NotFound(f"There is no seat {id!r}.", code="seat-not-found")


def _characters(sight: Sight) -> list[Json]:
    cards: list[tuple[str, CharacterCard]] = _cards(sight, "character")
    return [{"id": id, "name": one.name, "seat": one.seat, "retired": one.retired} for id, one in cards]


def _scenes(sight: Sight) -> list[Json]:
    cards: list[tuple[str, SceneCard]] = _cards(sight, "scene")
    return [{"id": id, "title": one.title, "cast": list(one.cast), "open": one.open} for id, one in cards]
