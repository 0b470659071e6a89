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
    "note": "Here it all began.",
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


def describe_bookmark(lens: LiveLens, mark: Bookmark, *, own: bool = False) -> MarkedRuling:
    return list_bookmarks(lens, [(mark, own)])[0]


def list_all_bookmarks(lens: LiveLens, own: Sequence[OwnBookmark], *, mine: bool) -> Bookmarks:
    """Return the table's bookmarks, then the seat's own, each the oldest first. `mine`: only the latter."""
    table = [] if mine else [(mark, False) for mark in list_table_bookmarks(lens.book, lens.viewer)]
    return {"bookmarks": list_bookmarks(lens, [*table, *((make_bookmark(mark), True) for mark in own)])}


def list_bookmarks(lens: LiveLens, marked: Iterable[tuple[Bookmark, bool]]) -> list[MarkedRuling]:
    """Return the bookmarks on rulings that the viewer may know of."""
    marks = list(marked)
    rulings = [
        ruling
        for ruling in lens.book.load_rulings(dict.fromkeys(mark.ruling for mark, _ in marks))
        if lens.may_know(ruling)
    ]
    documents = {shown.ruling.number: describe_ruling(lens, shown) for shown in attach_facts(lens.book, rulings)}
    return [
        {
            "id": mark.id,
            "ruling": mark.ruling,
            "status": documents[mark.ruling]["status"],
            "text": documents[mark.ruling]["text"],
            "note": mark.note,
            "by": lens.name_person(mark.by),
            "at": mark.at,
            "mine": own,
        }
        for mark, own in marks
        if mark.ruling in documents
    ]
