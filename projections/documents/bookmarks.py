"""Bookmarks, for one viewer: the table's, and the seat's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.application import Bookmark, Status, with_facts
from ledger.application.commands.bookmarking import as_bookmark, table_bookmarks
from ledger.events.bookmarks import OwnBookmark
from projections.documents.rulings import AT, RULING, ruling
from projections.documents.shape import Document, like
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


@like(**MARKED)
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


@like(bookmarks=[MARKED])
class Bookmarks(Document):
    bookmarks: list[MarkedRuling]


def bookmark(lens: LiveLens, one: Bookmark, *, own: bool = False) -> MarkedRuling:
    return bookmarks(lens, [(one, own)])[0]


def all_bookmarks(lens: LiveLens, own: Sequence[OwnBookmark], *, mine: bool) -> Bookmarks:
    """The table's, then the seat's own, each in the order in which they were made. `mine`: only the latter."""
    table = [] if mine else [(one, False) for one in table_bookmarks(lens.book, lens.viewer)]
    return {"bookmarks": bookmarks(lens, [*table, *((as_bookmark(one), True) for one in own)])}


def bookmarks(lens: LiveLens, marked: Iterable[tuple[Bookmark, bool]]) -> list[MarkedRuling]:
    """Those on rulings that the viewer may know of."""
    marks = list(marked)
    rulings = [one for one in lens.book.rulings(dict.fromkeys(one.ruling for one, _ in marks)) if lens.knows(one)]
    told = {shown.ruling.number: ruling(lens, shown) for shown in with_facts(lens.book, rulings)}
    return [
        {
            "id": one.id,
            "ruling": one.ruling,
            "status": told[one.ruling]["status"],
            "text": told[one.ruling]["text"],
            "note": one.note,
            "by": lens.person(one.by),
            "at": one.at,
            "mine": own,
        }
        for one, own in marks
        if one.ruling in told
    ]
