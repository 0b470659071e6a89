"""Bookmarks: the table's, and a seat's own."""

from __future__ import annotations

from ledger.aggregates.bookmarks import Bookmark, fold_bookmarks, name_bookmarks_stream
from ledger.application.book import Book
from ledger.application.saves import Saves
from ledger.events.bookmarks import BookmarkStore, OwnBookmark
from ledger.rules.kernel.subjects import Viewer


def list_table_bookmarks(book: Book, viewer: Viewer) -> list[Bookmark]:
    """Return the table's bookmarks that the viewer may know of, the oldest first."""
    bookmarks = fold_bookmarks(book.read(name_bookmarks_stream(book.id)))
    return [bookmark for bookmark in bookmarks.values() if viewer.may_see(bookmark.audience)]


def open_own_bookmarks(saves: Saves, campaign: str) -> BookmarkStore:
    return BookmarkStore(saves.shelves.get_shelf_of(campaign))


def make_bookmark(bookmark: OwnBookmark) -> Bookmark:
    return Bookmark(bookmark.id, bookmark.ruling, bookmark.note, bookmark.seat, bookmark.at, (bookmark.seat,))
