"""Bookmarks, for one viewer: the table's, and the seat's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.application import Bookmark, Status, attach_facts
from ledger.application.reading.bookmarks import list_table_bookmarks, make_bookmark
from ledger.events.bookmarks import OwnBookmark
from projections.documents.rulings import AT, RULING, describe_ruling
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens, Person

MARKED: MarkedRuling = {
    "id": "b12",
    "ruling": 7,
    "status": "standing",
    "text": RULING["text"],
    "note": "This is where it all began.",
    "by": {"seat": "s2", "name": "Ben"},
    "at": AT,
    "mine": False,
}


@give_example(**MARKED)
class MarkedRuling(Document):
    """A bookmark: the ruling in one sentence, with a note. `mine`: private to this seat."""

    id: str
    ruling: int
    status: Status
    text: str
    note: str
    by: Person
    at: str
    mine: bool


@give_example(bookmarks=[MARKED])
class Bookmarks(Document):
    bookmarks: list[MarkedRuling]


def describe_bookmark(lens: LiveLens, bookmark: Bookmark, *, is_own: bool = False) -> MarkedRuling:
    return describe_bookmarks(lens, [(bookmark, is_own)])[0]


def list_all_bookmarks(lens: LiveLens, own_bookmarks: Sequence[OwnBookmark], *, own_only: bool) -> Bookmarks:
    """Return the table's bookmarks, then the seat's own, each oldest first. `own_only`: only the seat's own."""
    table_pairs = [] if own_only else [(bookmark, False) for bookmark in list_table_bookmarks(lens.book, lens.viewer)]
    return {
        "bookmarks": describe_bookmarks(
            lens, [*table_pairs, *((make_bookmark(bookmark), True) for bookmark in own_bookmarks)]
        )
    }


def describe_bookmarks(lens: LiveLens, owned_bookmarks: Iterable[tuple[Bookmark, bool]]) -> list[MarkedRuling]:
    """Return the bookmarks on rulings that the viewer may know of."""
    pairs = list(owned_bookmarks)
    rulings = [
        ruling
        for ruling in lens.book.load_rulings(dict.fromkeys(bookmark.ruling for bookmark, _ in pairs))
        if lens.may_know(ruling)
    ]
    documents_by_number = {
        shown_ruling.ruling.number: describe_ruling(lens, shown_ruling)
        for shown_ruling in attach_facts(lens.book, rulings)
    }
    return [
        {
            "id": bookmark.id,
            "ruling": bookmark.ruling,
            "status": documents_by_number[bookmark.ruling]["status"],
            "text": documents_by_number[bookmark.ruling]["text"],
            "note": bookmark.note,
            "by": lens.name_person(bookmark.by),
            "at": bookmark.at,
            "mine": is_own,
        }
        for bookmark, is_own in pairs
        if bookmark.ruling in documents_by_number
    ]
