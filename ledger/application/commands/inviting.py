"""Inviting people to a seat: links and codes that give access to a seat once.

`make_invite_for_seat` and `make_invite_for_operator` make an invite. Its secret and code are derived from the server's
key and the invite's id. `redeem_invite` exchanges a link's secret or a code for a seat and its token.
`explain_why_ended` says why an unused invite no longer works.

A game master invites people to a new seat, which is made when the invite is used, in the same transaction. A seat can
invite another device of the same person to itself. Nobody else gets access to an existing seat, unless the operator
replaces its token first. A code never gives access to a game master's seat: with forty bits and a quarter of an hour,
it is safe enough only for other seats.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from eventsourcing.persistence import PersistenceError

from ledger.application.book import Book
from ledger.application.calls import Call, Done, hash_text
from ledger.application.commands import declaring, seating
from ledger.application.keys import Keys, is_same_hash
from ledger.application.saves import Saves
from ledger.errors import KeyReused, LedgerError, NotFound, WrongStatus
from ledger.events.codec import encode
from ledger.events.invites import MOST, Invite, InviteStore, NotOpen, Use
from ledger.events.shelves import ID
from ledger.rules.kernel.commands import HandOver
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Role, Viewer

CODE_LASTS = timedelta(minutes=15)
AGAIN = timedelta(minutes=10)  # how long a use can be repeated with its key
LONGEST = 4_000  # how many characters of the text are read
ROUTE = "POST /invites/use"
#: Letters that people mistake for digits, each with its digit.
MISHEARD = str.maketrans("OIL", "011")
log = logging.getLogger("ledger.invites")
CODE = re.compile("[0-9A-HJKMNP-TV-Z]{8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class InviteTerms:
    """The terms of an invite. `own`: the existing seat to join. Without it, the invite makes a new seat with this role
    and name.
    """

    role: Role
    name: str
    days: int
    own: str | None = None
    characters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Openers:
    """The secrets of an invite: the part of a link after the `#` and, for a player's or observer's seat, a code."""

    secret: str
    code: str | None


@dataclass(frozen=True, slots=True)
class Entered:
    """The result of using an invite. `generation`: the generation of the token. `is_repeated`: whether the invite was
    used before with the same key.
    """

    campaign: str
    seat: str
    generation: int
    token: str
    is_repeated: bool = False


# --- signing ---

NOT_SIGNED = "This invite was not signed by this service, or it was changed later. Create a new one."


def sign_invite(keys: Keys, invite: Invite) -> str:
    return keys.sign_invite_text(encode(invite.signed_part).decode())


def is_signed(keys: Keys, invite: Invite) -> bool:
    """Return whether this service wrote the whole row. If not, the invite does not work, and the log says so."""
    if invite.is_consistent and is_same_hash(invite.signature or "", sign_invite(keys, invite)):
        return True
    log.error("The invite %s of campaign %s is not valid: %s", invite.id, invite.campaign, NOT_SIGNED)
    return False


# --- making ---


def make_invite_for_seat(
    saves: Saves,
    store: InviteStore,
    call: Call,
    find_terms: Callable[[Book, Viewer], InviteTerms],
    at: datetime,
    make_document: Callable[[Book, Viewer, Invite], str],
) -> tuple[Invite, bool, int]:
    """Return the invite, whether it was made by an earlier call with the same request, and the campaign's position.
    Raise WrongStatus if too many invites are open.

    `find_terms` returns the terms that the seat may ask for, or raises an error. `make_document` makes the document for
    a repeated request.
    """
    id = saves.keys.make_invite_id(call.campaign, call.seat, call.key)
    with saves.open_for_seat(call) as (book, viewer):
        existing_invite = store.get(id)
        if existing_invite is not None:
            _check_same_request(existing_invite, call)
            if not is_signed(saves.keys, existing_invite):
                raise WrongStatus(NOT_SIGNED, code="invite-not-signed")
            return existing_invite, True, book.campaign.position
        generation = book.tokens[viewer.seat].generation
        invite = _make_invite(saves.keys, call, id, viewer.seat, generation, find_terms(book, viewer), at)
        stored_invite = _store_invite(saves.keys, store, replace(invite, answered=make_document(book, viewer, invite)))
        position = book.campaign.position
    _check_same_request(stored_invite, call)
    return stored_invite, stored_invite.made_at != at, position


def make_invite_for_operator(
    saves: Saves, store: InviteStore, campaign: str, key: str, terms: InviteTerms, at: datetime
) -> Invite:
    """Return an invite to a new seat of any role, or to an existing seat. Raise NotFound or WrongStatus. Before
    inviting to an existing seat, replace its token.
    """
    call = Call(campaign, "", key=key)
    with saves.open_for_service(campaign) as book:
        if not book.campaign.position:
            raise NotFound("There is no campaign with this id.", code="campaign-not-found")
        generation = seating.find_token_generation(book, terms.own) if terms.own is not None else 0
        return _store_invite(
            saves.keys,
            store,
            _make_invite(saves.keys, call, saves.keys.make_invite_id(campaign, "", key), "", generation, terms, at),
        )


def _make_invite(keys: Keys, call: Call, id: str, by: str, generation: int, terms: InviteTerms, at: datetime) -> Invite:
    has_code = terms.role != "gm"
    code = normalize_code(keys.make_invite_code(call.campaign, id))
    code_hash = keys.hash_invite_text("code", code) if has_code else None
    return Invite(
        id=id,
        campaign=call.campaign,
        made_by=by,
        generation=generation,
        made_at=at,
        own=terms.own,
        role=terms.role,
        name=terms.name,
        characters=terms.characters,
        good_until=at + timedelta(days=terms.days),
        code_until=at + CODE_LASTS if has_code else None,
        secret_hash=keys.hash_invite_text("secret", keys.make_invite_secret(call.campaign, id)),
        code_hash=code_hash,
        request=call.request,
        answered="",
    )


def _check_same_request(existing_invite: Invite, call: Call) -> None:
    if existing_invite.request != call.request:
        raise KeyReused("This idempotency key was already used for a different request.")


def _store_invite(keys: Keys, store: InviteStore, invite: Invite) -> Invite:
    stored_invite = store.add(invite, partial(sign_invite, keys))
    if stored_invite is None:
        detail = f"A campaign can have at most {MOST} open invites. Withdraw one first."
        raise WrongStatus(detail, code="too-many-invites", most=MOST)
    return stored_invite


def make_openers(keys: Keys, invite: Invite) -> Openers:
    code = keys.make_invite_code(invite.campaign, invite.id) if invite.code_hash is not None else None
    return Openers(keys.make_invite_secret(invite.campaign, invite.id), code)


# --- using ---


def redeem_invite(saves: Saves, text: str, key: str, at: datetime) -> Entered:
    """Redeem a link, its secret or a code. `key`: a random key, kept by the browser or program that asks.

    An invite works once: it makes a new seat, or gives access to an existing one. With the same key, the same answer is
    repeated for ten minutes. Raise NotFound, always in the same words, if the invite is wrong, used, withdrawn or
    expired, or if its maker may no longer invite. Raise Unavailable if the database does not answer.
    """
    secret_hash, code_hash = _hash_as_secret_and_code(saves.keys, text)
    key_hash = hashlib.sha256(key.encode()).hexdigest()
    for _ in range(2):
        invite = _find_invite(saves, text, secret_hash, code_hash)
        if invite is None or explain_why_ended(saves, invite, at) is not None:
            break
        if invite.status == "used":
            return _repeat_entry(saves, invite, key_hash, at)
        if not is_same_hash(invite.secret_hash, secret_hash) and (invite.code_until is None or invite.code_until <= at):
            break
        entry = _use_invite(saves, invite, key_hash, at)
        if entry is not None:
            _hand_characters_over(saves, invite, entry.seat)
            return entry
    raise make_dead_invite_error()


def _find_invite(saves: Saves, text: str, secret_hash: str, code_hash: str) -> Invite | None:
    """Return the invite, or None. If it is not found and a shelf does not answer, raise that shelf's error."""
    last_problem: PersistenceError | None = None
    shelves = saves.shelves
    campaign = text[:LONGEST].strip().rpartition("#")[2].partition(".")[0]
    for shelf in [shelves.get_shelf_of(campaign)] if ID.fullmatch(campaign) else shelves.list_shelves():
        try:
            invite = InviteStore(shelf).find(secret_hash, code_hash)
        except PersistenceError as problem:
            last_problem = problem
            continue
        if invite is not None:
            return invite
    if last_problem is not None:
        raise last_problem
    return None


def make_dead_invite_error() -> NotFound:
    return NotFound(
        "This invite doesn't work. It may be mistyped, already used or expired. Ask for a new one.",
        code="invite-opens-nothing",
    )


def is_code(text: str) -> bool:
    return CODE.fullmatch(normalize_code(text)) is not None


def normalize_code(text: str) -> str:
    """Return a code in its standard form: upper case, without spaces and hyphens."""
    return re.sub(r"[\s-]", "", text[:LONGEST]).upper().translate(MISHEARD)


def _hash_as_secret_and_code(keys: Keys, text: str) -> tuple[str, str]:
    """Return the hash of the text as a secret and its hash as a code. Both are always made, so the time taken does not
    show which one the text is.
    """
    secret = text[:LONGEST].strip().rpartition("#")[2]
    return keys.hash_invite_text("secret", secret), keys.hash_invite_text("code", normalize_code(text))


def explain_why_ended(saves: Saves, invite: Invite, at: datetime) -> str | None:
    """Return why an unused invite no longer works, or None if it works or was used."""
    if not is_signed(saves.keys, invite):
        return NOT_SIGNED
    if invite.status == "withdrawn":
        return "It was withdrawn."
    if invite.status == "open" and invite.good_until <= at:
        return "It has expired."
    if invite.status == "used" or not (invite.own or invite.made_by):
        return None
    with saves.open_for_service(invite.campaign) as book:
        return explain_end_by_seat(book, invite)


def explain_end_by_seat(book: Book, invite: Invite) -> str | None:
    """Return why the invite ended: its maker or its seat was removed, or that seat's token was replaced. Return None if
    it has not ended.
    """
    seat = invite.own or invite.made_by
    if not seat:
        return None
    if book.load_viewer(seat) is None:
        return f"The seat {seat} was removed."
    if seating.find_token_generation(book, seat) != invite.generation:
        return f"The token of the seat {seat} was replaced."
    return None


def _repeat_entry(saves: Saves, invite: Invite, key_hash: str, at: datetime) -> Entered:
    """Return the earlier answer. Raise NotFound if the key differs, ten minutes have passed, or the token is no longer
    valid.
    """
    assert invite.used_at is not None and invite.used_key is not None
    assert invite.seat is not None and invite.seat_generation is not None
    if not is_same_hash(invite.used_key, key_hash) or at - invite.used_at > AGAIN:
        raise make_dead_invite_error()
    with saves.open_for_service(invite.campaign) as book:
        is_at_table = book.load_viewer(invite.seat) is not None
        if not is_at_table or seating.find_token_generation(book, invite.seat) != invite.seat_generation:
            raise make_dead_invite_error()
    _hand_characters_over(saves, invite, invite.seat)  # finish what a crash left undone
    token = saves.keys.make_token(invite.campaign, invite.seat, invite.seat_generation)
    return Entered(invite.campaign, invite.seat, invite.seat_generation, token, is_repeated=True)


def _use_invite(saves: Saves, invite: Invite, key_hash: str, at: datetime) -> Entered | None:
    """Use the invite, and return the seat with its token. Return None if the invite is no longer open."""
    if invite.own is not None:
        seat, generation = invite.own, invite.generation
        store = InviteStore(saves.shelves.get_shelf_of(invite.campaign))
        if not store.use(_make_invite_use(saves.keys, invite, at, key_hash, seat, generation)):
            return None
    else:
        generation = 1
        try:
            seat = _take_new_seat(saves, invite, key_hash, at)
        except NotOpen:
            return None
    return Entered(invite.campaign, seat, generation, saves.keys.make_token(invite.campaign, seat, generation))


def _make_invite_use(keys: Keys, invite: Invite, at: datetime, key_hash: str, seat: str, generation: int) -> Use:
    used_invite = replace(invite, used_at=at, used_key=key_hash, seat=seat, seat_generation=generation)
    return Use(invite.id, at, key_hash, seat, generation, sign_invite(keys, used_invite))


def _take_new_seat(saves: Saves, invite: Invite, key_hash: str, at: datetime) -> str:
    """Make a new seat on behalf of the inviting seat, and store the use of the invite in the same transaction. Return
    the seat's id. Raise NotOpen.
    """

    def find_inviter(book: Book) -> Viewer | None:
        viewer = book.load_viewer(invite.made_by) if invite.made_by else None
        if invite.made_by and (viewer is None or viewer.role != "gm"):
            raise make_dead_invite_error()
        return viewer

    def make_use_record(result: Done) -> Use:
        return _make_invite_use(saves.keys, invite, at, key_hash, result.body, 1)

    act = seating.take_invited_seat(invite.name, invite.role, saves.keys)
    return saves.post_invited(invite.campaign, find_inviter, act, make_use_record).body


def _hand_characters_over(saves: Saves, invite: Invite, seat: str) -> None:
    """Hand over the invite's characters, each in a ruling of the inviting seat. If a handover is refused, the character
    stays with its player.
    """
    if not invite.characters:
        return
    token = saves.keys.make_token(invite.campaign, invite.made_by, invite.generation)
    for character in invite.characters:
        call = Call(invite.campaign, token, ROUTE, f"{invite.id} {character}", hash_text(f"{seat} {character}"))
        try:
            saves.post(call, declaring.declare(HandOver(character, seat), None, (), None, _present_nothing))
        except (LedgerError, Refused):
            continue


def _present_nothing(book: Book, viewer: Viewer | None, shown: object) -> str:
    return "{}"
