"""Bookmarks: the table's, which are part of the record, and a seat's own, which are not."""

from __future__ import annotations

from dataclasses import replace

from ledger.aggregates.bookmarks import Bookmark, fold_bookmarks, name_bookmarks_stream
from ledger.aggregates.ruling import Ruling
from ledger.application.book import Book
from ledger.application.calls import Act, Call, Done, Reply, must_be_as_expected
from ledger.application.commands.declaring import must_say
from ledger.application.commands.rights import may_decide
from ledger.application.reading.rulings import show_ruling
from ledger.application.reading.shown import Present, ShownBookmark
from ledger.application.save import Save, format_now
from ledger.application.saves import Saves
from ledger.errors import KeyReused, NotFound, NotYours, WrongStatus
from ledger.events.bookmarks import MOST, BookmarkStore, OwnBookmark
from ledger.events.records import Bookmarked, BookmarkRemoved
from ledger.rules.kernel.subjects import Audience, Viewer


def add(number: int, note: str, present: Present) -> Act:
    """Add a bookmark for the whole table. Any seat that may know of the ruling can; NotFound otherwise."""

    def act(save: Save) -> Done:
        assert save.viewer is not None
        shown = show_ruling(save.book, number, save.viewer)
        must_say("note", note)
        events, audience = (
            save.book.read(stream := name_bookmarks_stream(save.book.id)),
            _find_audience(shown.ruling, save.by),
        )
        _must_have_room([bookmark for bookmark in fold_bookmarks(events).values() if bookmark.by == save.by])
        made = Bookmark(f"b{save.position}", number, note, save.by, save.at, audience)
        save.put(stream, len(events), Bookmarked(made.id, number, note), audience=audience)
        save.note("bookmarked", ruling=number)
        return Done(201, present(save.book, save.viewer, ShownBookmark(made)))

    return act


def remove(id: str, present: Present) -> Act:
    """Remove a bookmark, by its maker or a game master. NotFound if this seat may not know of it."""

    def act(save: Save) -> Done:
        assert save.viewer is not None
        events = save.book.read(stream := name_bookmarks_stream(save.book.id))
        known = fold_bookmarks(events).get(id)
        if known is None or not save.viewer.may_see(known.audience):
            raise make_not_found(id)
        if known.by != save.by and not may_decide(save.book, save.viewer):
            raise NotYours("Only a game master or the person who made a bookmark can remove it.")
        save.put(stream, len(events), BookmarkRemoved(id), audience=known.audience)
        save.note("bookmark-removed", ruling=known.ruling)
        return Done(200, present(save.book, save.viewer, ShownBookmark(known)))

    return act


def list_table_bookmarks(book: Book, viewer: Viewer) -> list[Bookmark]:
    """Return the table's bookmarks that the viewer may know of, the oldest first."""
    bookmarks = fold_bookmarks(book.read(name_bookmarks_stream(book.id)))
    return [bookmark for bookmark in bookmarks.values() if viewer.may_see(bookmark.audience)]


def _find_audience(ruling: Ruling, by: str) -> Audience:
    """Return who may know of the ruling."""
    if ruling.audience is None:
        return None
    return tuple(dict.fromkeys((*ruling.audience, ruling.by, ruling.ruled.seat, by)))


def make_not_found(id: str) -> NotFound:
    return NotFound(f"There is no bookmark {id!r}.", code="bookmark-not-found")


def _must_have_room(mine: list[Bookmark]) -> None:
    if len(mine) >= MOST:
        raise _make_too_many()


def _make_too_many() -> WrongStatus:
    return WrongStatus(
        f"A seat can have at most {MOST} bookmarks of each kind. Remove one first.", code="too-many-bookmarks"
    )


# --- a seat's own ---


def keep(saves: Saves, call: Call, number: int, note: str, present: Present) -> Reply:
    """Keep a bookmark for the seat alone: 201, also if the request is repeated. The position does not change."""
    id = saves.keys.bookmark_id(call.campaign, call.seat, call.key)
    with saves.open_reading(call) as (book, viewer):
        must_be_as_expected(book, call)
        show_ruling(book, number, viewer)
        must_say("note", note)
        made = OwnBookmark(id, book.id, viewer.seat, number, note, format_now(), call.request)
        kept = open_own_bookmarks(saves, book.id).add(made)
        if kept is None:
            raise _make_too_many()
        if kept.request != call.request:
            raise KeyReused("This idempotency key was already used for a different request.")
        body = present(book, viewer, ShownBookmark(as_bookmark(kept), own=True))
        return replace(Reply(201, body, book.campaign.position), repeated=kept != made)


def drop(saves: Saves, call: Call, id: str, present: Present) -> Reply | None:
    """Remove one of the seat's own bookmarks; None if it has none with this id."""
    with saves.open_reading(call) as (book, viewer):
        must_be_as_expected(book, call)
        gone = open_own_bookmarks(saves, book.id).remove(book.id, viewer.seat, id)
        if gone is None:
            return None
        body = present(book, viewer, ShownBookmark(as_bookmark(gone), own=True))
        return Reply(200, body, book.campaign.position)


def open_own_bookmarks(saves: Saves, campaign: str) -> BookmarkStore:
    return BookmarkStore(saves.shelves.get_shelf_of(campaign))


def as_bookmark(bookmark: OwnBookmark) -> Bookmark:
    return Bookmark(bookmark.id, bookmark.ruling, bookmark.note, bookmark.seat, bookmark.at, (bookmark.seat,))
