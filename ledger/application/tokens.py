"""Check a seat's bearer token against the campaign's record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ledger.application.book import Book
from ledger.application.keys import Keys, is_same_hash
from ledger.errors import Denied
from ledger.events.codec import encode
from ledger.events.hooks import Hook
from ledger.events.records import TokenIssued
from ledger.rules.kernel.subjects import Viewer


def admit_seat(book: Book, seat: str, token: str, keys: Keys) -> Viewer:
    """Return the seat's viewer. Raise Denied for an invalid token. An old token gets the same refusal as one that never
    existed.
    """
    issue_record, viewer = book.tokens.get(seat), book.load_viewer(seat)
    if viewer is None:
        book.tokens.pop(seat, None)  # the token of a removed seat is not kept as known
    if issue_record is None or viewer is None or not is_last_token(book.id, seat, issue_record, token, keys):
        raise Denied("This token is not valid, or it was replaced.", code="token-unknown")
    return viewer


def is_last_token(campaign: str, seat: str, issue_record: TokenIssued, token: str, keys: Keys) -> bool:
    """Return whether this is the seat's latest token, as the server's key makes it.

    The stored hash proves nothing, because anybody who can append to the record can write one.
    """
    return is_same_hash(token, keys.make_token(campaign, seat, issue_record.generation))


#: A viewer without a seat, who sees what everybody may see.
ANYBODY = Viewer("(anybody)", "observer")


def admit_listener(
    book: Book, made_by: str, seat: str | None, generation: int, get_generation: Callable[[str], int]
) -> Viewer:
    """Return the viewer for a webhook. Raise Denied if its maker or its seat was removed, or if the seat's token was
    replaced since the seat agreed.

    `generation`: the generation of that token, or 0 while the seat has not agreed. `get_generation` returns the current
    generation of a seat's token.
    """
    for seat_id in filter(None, (made_by, seat)):
        if book.load_viewer(seat_id) is None:
            raise Denied(f"The seat {seat_id} was removed.", code="seat-removed")
    if seat is None:
        return ANYBODY
    viewer = book.load_viewer(seat)
    assert viewer is not None
    if generation and get_generation(seat) != generation:
        raise Denied(f"The token of the seat {seat} was replaced.", code="token-replaced")
    return viewer


NOT_SIGNED = "It was not signed by this service, or it was changed later. Create a new one."


def sign_hook(hook: Hook, keys: Keys) -> Hook:
    return replace(hook, signature=_make_signature(hook, keys))


def must_be_signed(hook: Hook, keys: Keys, is_from_before_signing: Callable[[Hook], bool]) -> None:
    """Raise Denied unless this service wrote the hook's seat, events and address, and the seat agreed.

    `is_from_before_signing`: whether the hook was made before hooks were signed.
    """
    is_ours = (
        is_same_hash(hook.signature, _make_signature(hook, keys))
        if hook.signature is not None
        else is_from_before_signing(hook)
    )
    has_agreed = hook.seat is None or hook.generation or hook.status != "on"
    if not (is_ours and has_agreed):
        raise Denied(NOT_SIGNED, code="hook-not-signed")


def _make_signature(hook: Hook, keys: Keys) -> str:
    return keys.sign_hook(encode(hook.signed_part).decode())
