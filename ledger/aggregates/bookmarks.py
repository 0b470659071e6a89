"""The table's bookmarks: rulings marked for everybody, with a note. A bookmark stays if its ruling is overturned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.errors import Fault
from ledger.events.envelope import Event
from ledger.events.records import Bookmarked, BookmarkRemoved
from ledger.rules.kernel.subjects import Audience


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A bookmark. `audience`: who may know of the ruling."""

    id: str
    ruling: int
    note: str
    by: str
    at: str
    audience: Audience = None


def fold_bookmarks(events: Iterable[Event]) -> dict[str, Bookmark]:
    """Return the bookmarks by id, the oldest first."""
    bookmarks: dict[str, Bookmark] = {}
    for event in events:
        body = event.body
        match body.fact:
            case Bookmarked(id=id, ruling=ruling, note=note):
                bookmarks[id] = Bookmark(id, ruling, note, body.by, body.at, body.audience)
            case BookmarkRemoved(id=id):
                bookmarks.pop(id, None)
            case _:
                raise Fault("The stream of a campaign's bookmarks contains an unexpected event.")
    return bookmarks


def name_bookmarks_stream(campaign: str) -> str:
    return f"{campaign}/bookmarks/bookmarks"
