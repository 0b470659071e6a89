"""Requests to create, list and withdraw invites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from api.http.mistakes import Mistake, make_choice_mistake
from api.http.problems import make_bad_request
from api.http.schemas import MakeInvite
from ledger.application import Book, Keys
from ledger.application.commands.declaring import check_not_blank
from ledger.application.commands.inviting import NOT_SIGNED, InviteTerms, explain_end_by_seat, is_signed
from ledger.errors import NotFound, NotYours, WrongStatus
from ledger.events.invites import Invite, InviteStore
from ledger.rules.kernel.subjects import Viewer
from projections.documents import invites as documents
from projections.documents.invites import InviteDocument, Invites
from projections.redaction import LiveLens

ONLY_ITSELF = "You can only invite another device to your own seat."


def make_terms_finder(body: MakeInvite) -> Callable[[Book, Viewer], InviteTerms]:
    """Return a function that checks the request and returns the terms of the invite. It raises NotYours, BadRequest
    with every mistake, or Malformed for an empty name.
    """

    def find_terms(book: Book, viewer: Viewer) -> InviteTerms:
        if body.seat is not None:
            return _make_terms_for_own_device(body, body.seat, book, viewer)
        if viewer.role != "gm":
            raise NotYours("Only a game master can invite people. To use another device, send your own `seat`.")
        if mistakes := [*_list_person_mistakes(body), *_list_character_mistakes(book, body.characters, body.role)]:
            raise make_bad_request(mistakes)
        assert body.name is not None and body.role is not None
        check_not_blank("name", body.name)
        return InviteTerms(body.role, body.name, body.days, characters=tuple(body.characters))

    return find_terms


def _make_terms_for_own_device(body: MakeInvite, seat: str, book: Book, viewer: Viewer) -> InviteTerms:
    if seat != viewer.seat:
        raise NotYours(ONLY_ITSELF)
    value_by_pointer = {"/name": body.name, "/role": body.role, "/characters": body.characters}
    message = "Leave this out. The seat already has a name, a role and characters."
    if mistakes := [_make_mistake(pointer, message) for pointer, value in value_by_pointer.items() if value]:
        raise make_bad_request(mistakes)
    return InviteTerms(viewer.role, LiveLens(book, viewer).find_seat_name(seat), body.days, own=seat)


def _list_person_mistakes(body: MakeInvite) -> list[Mistake]:
    missing_names = [name for name in ("name", "role") if getattr(body, name) is None]
    return [
        _make_mistake(f"/{name}", f"Enter the {name} of the person you invite, or your own `seat`.")
        for name in missing_names
    ]


def _list_character_mistakes(book: Book, characters: Sequence[str], role: str | None) -> list[Mistake]:
    if role == "observer" and characters:
        return [_make_mistake("/characters", "An observer can't play characters.")]
    roster = list(book.entry.roster)
    unknown_mistakes = [
        make_choice_mistake(f"/characters/{index}", f"There is no character {character!r} in play.", character, roster)
        for index, character in enumerate(characters)
        if character not in roster
    ]
    repeated_indexes = [index for index, character in enumerate(characters) if character in characters[:index]]
    return [
        *unknown_mistakes,
        *(_make_mistake(f"/characters/{index}", "This is listed twice.") for index in repeated_indexes),
    ]


def _make_mistake(pointer: str, message: str) -> Mistake:
    return {"pointer": pointer, "message": message, "type": "value_error"}


# --- existing invites ---


def list_invites_for_viewer(keys: Keys, store: InviteStore, lens: LiveLens, now: datetime) -> Invites:
    return documents.list_invites(
        [_describe_invite(keys, lens, invite, now) for invite in _list_visible_invites(store, lens)]
    )


def withdraw_invite(keys: Keys, store: InviteStore, lens: LiveLens, id: str, now: datetime) -> InviteDocument:
    """Withdraw the invite. Withdrawing it again changes nothing. Raise NotFound with the visible ids, or WrongStatus if
    the invite was used.
    """
    visible_invites = _list_visible_invites(store, lens)
    invite = next((invite for invite in visible_invites if invite.id == id), None)
    if invite is None:
        ids = [invite.id for invite in visible_invites]
        hint = f"Existing invites: {', '.join(ids)}." if ids else "There are no invites that you can see."
        raise NotFound(f"There is no invite {id!r} here. {hint}", code="invite-not-found", invites=ids)
    current_invite = store.withdraw(id) or store.get(id) or invite
    if current_invite.status == "used":
        text = documents.describe_invite(lens, current_invite, now, None)["text"]
        raise WrongStatus(
            f"It is too late to withdraw this invite. {text} You can remove the seat instead.", code="invite-used"
        )
    return _describe_invite(keys, lens, current_invite, now)


def _describe_invite(keys: Keys, lens: LiveLens, invite: Invite, now: datetime) -> InviteDocument:
    if invite.status != "open":
        return documents.describe_invite(lens, invite, now, None)
    end_reason = explain_end_by_seat(lens.book, invite) if is_signed(keys, invite) else NOT_SIGNED
    return documents.describe_invite(lens, invite, now, end_reason)


def _list_visible_invites(store: InviteStore, lens: LiveLens) -> list[Invite]:
    """Return the invites to the viewer's own seat and, for a game master, those to new seats."""
    viewer = lens.viewer
    return [
        invite
        for invite in store.list_for_campaign(lens.book.id)
        if (invite.own == viewer.seat if invite.own is not None else viewer.role == "gm")
    ]
