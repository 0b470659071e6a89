"""Bookmarks on rulings, with a note: the table's, and a seat's own."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.http import schemas
from api.http.answers import (
    LOCATION,
    POSITION,
    RECEIPT,
    describe_acting_answers,
    describe_answer,
    describe_reading_answers,
)
from api.http.bodies import Bodied
from api.http.request import Acting, Asking
from ledger.events.bookmarks import BookmarkStore
from ledger.events.read_transaction import ReadTransaction
from projections.documents.bookmarks import Bookmarks, MarkedRuling, list_all_bookmarks
from projections.documents.presenting import present
from projections.redaction import LiveLens

router = APIRouter(prefix="/campaigns/{campaign}/bookmarks", route_class=Bodied, tags=["rulings"])


@router.get(
    "",
    operation_id="list_bookmarks",
    response_model=Bookmarks,
    responses=describe_reading_answers(Bookmarks, "The bookmarks."),
)
def list_bookmarks(
    caller: Asking, mine: Annotated[bool, Query(description="Only private bookmarks.")] = False
) -> Response:
    """List the table's bookmarks, then this seat's private ones, in the order they were made."""

    def describe(lens: LiveLens, transaction: ReadTransaction) -> Bookmarks:
        return list_all_bookmarks(
            lens, BookmarkStore(transaction).list_of_seat(lens.book.id, lens.viewer.seat), own_only=mine
        )

    return caller.read_beside(describe)


@router.post(
    "",
    operation_id="bookmark_ruling",
    status_code=201,
    response_model=MarkedRuling,
    responses=describe_acting_answers(
        {201: describe_answer(MarkedRuling, "The bookmark.", POSITION, RECEIPT, LOCATION)}
    ),
)
def bookmark_ruling(body: schemas.Bookmark, caller: Acting) -> Response:
    """Bookmark a ruling with a note, for everybody who can see it. The bookmark is part of the record and stays if the
    ruling is overturned.

    With `mine`, the bookmark is private to this seat. It is not in the record, the seal or another seat's export. A
    seat can have at most 300 bookmarks of each kind.
    """
    return caller.answer(caller.ledger.add_bookmark(caller.call, body.ruling, body.note, present, is_own=body.mine))


@router.delete(
    "/{bookmark}",
    operation_id="remove_bookmark",
    response_model=MarkedRuling,
    responses=describe_acting_answers({200: describe_answer(MarkedRuling, "The removed bookmark.", POSITION, RECEIPT)}),
)
def remove_bookmark(
    bookmark: Annotated[str, Path(description="The bookmark's id.", examples=["b12"])], caller: Acting
) -> Response:
    """Remove a bookmark. Only the seat that made it can do this; a game master can also remove the table's
    bookmarks.
    """
    return caller.answer(caller.ledger.remove_bookmark(caller.call, bookmark, present))
