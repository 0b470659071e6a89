"""A seat's bearer token, held against what the campaign knows of it."""

from __future__ import annotations

from collections.abc import Callable

from ledger.application.book import Book
from ledger.application.keys import same_hash, token_hash
from ledger.errors import Denied
from ledger.rules.kernel.subjects import Viewer


def admitted(book: Book, seat: str, token: str) -> Viewer:
    """Who it is. Denied for a token that opens nothing (any more): alike for one that never did."""
    known, viewer = book.tokens.get(seat), book.viewer(seat)
    if viewer is None:
        book.tokens.pop(seat, None)  # of a seat that was removed: it is not to be taken for known
    if known is None or viewer is None or not same_hash(known.hash, token_hash(token)):
        raise Denied("This token opens nothing here (any more).", code="token-unknown")
    return viewer


#: Who sits nowhere and sees what everybody at the table may.
ANYBODY = Viewer("(anybody)", "observer")


def listening(
    book: Book, made_by: str, seat: str | None, generation: int, generation_now: Callable[[str], int]
) -> Viewer:
    """Whose sight a hook has. Denied once its maker was removed, or its seat, or the token that agreed was replaced.

    `generation`: of that token; 0 while it has not agreed. `generation_now`: of a seat's token.
    """
    for one in filter(None, (made_by, seat)):
        if book.viewer(one) is None:
            raise Denied(f"The seat {one} was removed.", code="seat-removed")
    if seat is None:
        return ANYBODY
    viewer = book.viewer(seat)
    assert viewer is not None
    if generation and generation_now(seat) != generation:
        raise Denied(f"The token of the seat {seat} was replaced.", code="token-replaced")
    return viewer
