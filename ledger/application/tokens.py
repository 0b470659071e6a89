"""A seat's bearer token, held against what the campaign knows of it."""

from __future__ import annotations

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
