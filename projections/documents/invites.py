"""Invites, for the people who made them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypeAlias

from ledger.events.envelope import format_time
from ledger.events.invites import Invite
from ledger.rules.kernel.subjects import Role, character
from projections.documents.campaigns import SeatEntry, find_seat
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens, Person

State: TypeAlias = Literal["open", "used", "withdrawn", "expired", "ended"]
INVITE: InviteDocument = {
    "id": "q2mzt5a4ck3v7",
    "role": "player",
    "name": "Ben",
    "own": False,
    "characters": ["3"],
    "by": {"seat": "s1", "name": "Ann"},
    "made_at": "2026-11-24T19:30:00.000000Z",
    "good_until": "2026-12-01T19:30:00.000000Z",
    "status": "open",
    "seat": None,
    "used_at": None,
    "text": "Ben can join as a player until 2026-12-01 at 19:30 UTC.",
}
MADE: MadeInvite = {
    **INVITE,
    "link": "https://table.example/join#not-a-real-one",
    "code": "7K3M-9QXT",
    "code_until": "2026-11-24T19:45:00.000000Z",
    "qr": '<svg viewBox="0 0 41 41" class="segno">...</svg>',
}


@give_example(**INVITE)
class InviteDocument(Document):
    """An invite: a new seat of `role` for `name`, or (`own`) another device of an existing seat.

    `characters`: the characters given to the new seat. `by`: the seat that made the invite; null for the operator.
    `status`: `open`, `used` (by `seat`, at `used_at`), `withdrawn`, `expired`, or `ended` because the inviting seat was
    removed or its token was replaced. `text`: the status in one sentence.
    """

    id: str
    role: Role
    name: str
    own: bool
    characters: list[str]
    by: Person | None
    made_at: str
    good_until: str
    status: State
    seat: Person | None
    used_at: str | None
    text: str


@give_example(**MADE)
class MadeInvite(InviteDocument):
    """The invite with its link and code, which are shown only once.

    `link`: send it to one person, or show it as `qr`, an SVG for a page. `code`: say it aloud; it is valid until
    `code_until`. The code is null for a game master's seat.
    """

    link: str
    code: str | None
    code_until: str | None
    qr: str


@give_example(invites=[INVITE])
class Invites(Document):
    """Invites, oldest first."""

    invites: list[InviteDocument]


@give_example(
    campaign="k3v7q2mzt5a4c",
    title="The Long Winter",
    seat={"id": "s2", "name": "Ben", "role": "player", "removed": False, "holds": False},
    token="k3v7q2mzt5a4c.s2.not-a-real-one",
)
class Joined(Document):
    """The campaign that somebody joined, their seat, and its token."""

    campaign: str
    title: str
    seat: SeatEntry
    token: str


def describe_invite(lens: LiveLens, invite: Invite, now: datetime, end_reason: str | None) -> InviteDocument:
    """Return an invite. `end_reason`: why it ended unused (`inviting.explain_end`)."""
    status = find_status(invite, now, end_reason)
    return {
        "id": invite.id,
        "role": invite.role,
        "name": invite.name,
        "own": invite.own is not None,
        "characters": list(invite.characters),
        "by": lens.name_person(invite.made_by) if invite.made_by else None,
        "made_at": format_time(invite.made_at),
        "good_until": format_time(invite.good_until),
        "status": status,
        "seat": lens.name_person(invite.seat) if invite.seat is not None else None,
        "used_at": format_time(invite.used_at) if invite.used_at is not None else None,
        "text": _make_sentence(lens, invite, status, end_reason),
    }


def list_invites(documents: Sequence[InviteDocument]) -> Invites:
    return {"invites": list(documents)}


def describe_made_invite(
    document: InviteDocument, code: str | None, code_until: datetime | None, link: str, qr: str
) -> MadeInvite:
    code_expiry = format_time(code_until) if code is not None and code_until is not None else None
    return {**document, "link": link, "code": code, "code_until": code_expiry, "qr": qr}


def describe_joined_seat(lens: LiveLens, token: str) -> Joined:
    book = lens.book
    return {"campaign": book.id, "title": book.entry.name, "seat": find_seat(lens, lens.viewer.seat), "token": token}


def find_status(invite: Invite, now: datetime, end_reason: str | None) -> State:
    if invite.status != "open":
        return invite.status
    return "expired" if invite.good_until <= now else "ended" if end_reason is not None else "open"


def describe_invite_for_operator(invite: Invite, now: datetime, end_reason: str | None) -> dict[str, object]:
    """Return an invite for the operator, without names."""
    return {
        "id": invite.id,
        "campaign": invite.campaign,
        "by": invite.made_by or "operator",
        "role": invite.role,
        "seat": invite.seat or invite.own,
        "status": find_status(invite, now, end_reason),
        "made_at": format_time(invite.made_at),
        "good_until": format_time(invite.good_until),
    }


def _make_sentence(lens: LiveLens, invite: Invite, status: State, end_reason: str | None) -> str:
    match status:
        case "open" if invite.own is not None:
            name = lens.find_seat_name(invite.own)
            return f"{name} can use this on another device until {_format_minute(invite.good_until)}."
        case "open":
            role = {"gm": "a game master", "player": "a player", "observer": "an observer"}[invite.role]
            return f"{invite.name} can join as {role} until {_format_minute(invite.good_until)}."
        case "used":
            assert invite.used_at is not None and invite.seat is not None
            other_ids = [id for id in invite.characters if not _is_player_of(lens, invite.seat, id)]
            remark = (
                f" These characters were not handed over: {', '.join(map(lens.name, map(character, other_ids)))}."
                if other_ids
                else ""
            )
            return f"{lens.find_seat_name(invite.seat)} used this invite on {_format_minute(invite.used_at)}.{remark}"
        case "withdrawn":
            return "It was withdrawn."
        case "expired":
            return f"It expired on {_format_minute(invite.good_until)}."
        case "ended":
            return f"It is no longer valid: {end_reason}"


def _is_player_of(lens: LiveLens, seat_id: str, character_id: str) -> bool:
    viewer = lens.book.load_viewer(seat_id)
    return viewer is not None and character_id in viewer.characters


def _format_minute(time: datetime) -> str:
    time_text = format_time(time)
    return f"{time_text[:10]} at {time_text[11:16]} UTC"
