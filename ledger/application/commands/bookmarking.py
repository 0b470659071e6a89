"""Bookmarks: the table's, which are part of the record, and a seat's own, which are not."""

from __future__ import annotations

from dataclasses import replace

from ledger.aggregates.bookmarks import Bookmark, fold_bookmarks, name_bookmarks_stream
from ledger.aggregates.ruling import Ruling
from ledger.application.calls import Act, Call, Done, Reply, must_be_as_expected
from ledger.application.commands.declaring import check_not_blank
from ledger.application.reading.bookmarks import make_bookmark, open_own_bookmarks
from ledger.application.reading.rights import may_decide
from ledger.application.reading.rulings import load_visible_ruling
from ledger.application.reading.shown import Present, ShownBookmark
from ledger.application.save import Save, format_now
from ledger.application.saves import Saves
from ledger.errors import KeyReused, NotFound, NotYours, WrongStatus
from ledger.events.bookmarks import MOST, OwnBookmark
from ledger.events.records import Bookmarked, BookmarkRemoved
from ledger.rules.kernel.subjects import Audience


def add_table_bookmark(number: int, note: str, present: Present) -> Act:
    """Return the act that adds a bookmark for the whole table. Raise NotFound if this seat may not know of
    the ruling.
    """

    def act(save: Save) -> Done:
        assert save.viewer is not None
        shown_ruling = load_visible_ruling(save.book, number, save.viewer)
        check_not_blank("note", note)
        events, audience = (
            save.book.read(stream := name_bookmarks_stream(save.book.id)),
            _find_audience(shown_ruling.ruling, save.by),
        )
        _check_room([bookmark for bookmark in fold_bookmarks(events).values() if bookmark.by == save.by])
        bookmark = Bookmark(f"b{save.position}", number, note, save.by, save.at, audience)
        save.put(stream, len(events), Bookmarked(bookmark.id, number, note), audience=audience)
        save.note_for_journal("bookmarked", ruling=number)
        return Done(201, present(save.book, save.viewer, ShownBookmark(bookmark)))

    return act


def remove_table_bookmark(id: str, present: Present) -> Act:
    """Return the act that removes a bookmark, for its maker or a game master. Raise NotFound if this seat may not know
    of it.
    """

    def act(save: Save) -> Done:
        assert save.viewer is not None
        events = save.book.read(stream := name_bookmarks_stream(save.book.id))
        bookmark = fold_bookmarks(events).get(id)
        if bookmark is None or not save.viewer.may_see(bookmark.audience):
            raise make_not_found_error(id)
        if bookmark.by != save.by and not may_decide(save.book, save.viewer):
            raise NotYours("Only a game master or the person who made a bookmark can remove it.")
        save.put(stream, len(events), BookmarkRemoved(id), audience=bookmark.audience)
        save.note_for_journal("bookmark-removed", ruling=bookmark.ruling)
        return Done(200, present(save.book, save.viewer, ShownBookmark(bookmark)))

    return act


def _find_audience(ruling: Ruling, by: str) -> Audience:
    """Return who may know of the ruling."""
    if ruling.audience is None:
        return None
    return tuple(dict.fromkeys((*ruling.audience, ruling.by, ruling.ruled.seat, by)))


def make_not_found_error(id: str) -> NotFound:
    return NotFound(f"There is no bookmark {id!r}.", code="bookmark-not-found")


def _check_room(bookmarks: list[Bookmark]) -> None:
    if len(bookmarks) >= MOST:
        raise _make_too_many_error()


def _make_too_many_error() -> WrongStatus:
    return WrongStatus(
        f"A seat can have at most {MOST} bookmarks of each kind. Remove one first.", code="too-many-bookmarks"
    )


# --- private bookmarks ---


def keep_own_bookmark(saves: Saves, call: Call, number: int, note: str, present: Present) -> Reply:
    """Add a private bookmark of the seat. Return 201, even if the request is repeated. The position does not change."""
    id = saves.keys.make_bookmark_id(call.campaign, call.seat, call.key)
    with saves.open_for_seat(call) as (book, viewer):
        must_be_as_expected(book, call)
        load_visible_ruling(book, number, viewer)
        check_not_blank("note", note)
        bookmark = OwnBookmark(id, book.id, viewer.seat, number, note, format_now(), call.request)
        stored_bookmark = open_own_bookmarks(saves, book.id).add(bookmark)
        if stored_bookmark is None:
            raise _make_too_many_error()
        if stored_bookmark.request != call.request:
            raise KeyReused("This idempotency key was already used for a different request.")
        body = present(book, viewer, ShownBookmark(make_bookmark(stored_bookmark), own=True))
        return replace(Reply(201, body, book.campaign.position), is_repeated=stored_bookmark != bookmark)


def remove_own_bookmark(saves: Saves, call: Call, id: str, present: Present) -> Reply | None:
    """Remove one of the seat's private bookmarks. Return None if the seat has no bookmark with this id."""
    with saves.open_for_seat(call) as (book, viewer):
        must_be_as_expected(book, call)
        removed_bookmark = open_own_bookmarks(saves, book.id).remove(book.id, viewer.seat, id)
        if removed_bookmark is None:
            return None
        body = present(book, viewer, ShownBookmark(make_bookmark(removed_bookmark), own=True))
        return Reply(200, body, book.campaign.position)
