"""Invites as their makers see them: for whom, how long they are valid, and what became of them."""

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

    `link`: send it to one person, or show it as `qr`, an SVG for a page. `code`: say it aloud; valid until
    `code_until`. It is null for a game master's seat.
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
    seat={"id": "s2", "name": "Ben", "role": "player", "removed": False},
    token="k3v7q2mzt5a4c.s2.not-a-real-one",
)
class Joined(Document):
    """The campaign that somebody joined, their seat, and its token."""

    campaign: str
    title: str
    seat: SeatEntry
    token: str


def describe_invite(lens: LiveLens, row: Invite, at: datetime, end_reason: str | None) -> InviteDocument:
    """Return an invite. `ended`: why it ended unused (`inviting.explain_end_by_seat`)."""
    status = find_state(row, at, end_reason)
    return {
        "id": row.id,
        "role": row.role,
        "name": row.name,
        "own": row.own is not None,
        "characters": list(row.characters),
        "by": lens.name_person(row.made_by) if row.made_by else None,
        "made_at": format_time(row.made_at),
        "good_until": format_time(row.good_until),
        "status": status,
        "seat": lens.name_person(row.seat) if row.seat is not None else None,
        "used_at": format_time(row.used_at) if row.used_at is not None else None,
        "text": _make_sentence(lens, row, status, end_reason),
    }


def list_invites(documents: Sequence[InviteDocument]) -> Invites:
    return {"invites": list(documents)}


def describe_made_invite(
    document: InviteDocument, code: str | None, code_until: datetime | None, link: str, qr: str
) -> MadeInvite:
    until = format_time(code_until) if code is not None and code_until is not None else None
    return {**document, "link": link, "code": code, "code_until": until, "qr": qr}


def describe_joined(lens: LiveLens, token: str) -> Joined:
    book = lens.book
    return {"campaign": book.id, "title": book.entry.name, "seat": find_seat(lens, lens.viewer.seat), "token": token}


def find_state(row: Invite, at: datetime, end_reason: str | None) -> State:
    if row.status != "open":
        return row.status
    return "expired" if row.good_until <= at else "ended" if end_reason is not None else "open"


def describe_for_operator(row: Invite, at: datetime, end_reason: str | None) -> dict[str, object]:
    """Return an invite for the operator, who has no seat: without names."""
    return {
        "id": row.id,
        "campaign": row.campaign,
        "by": row.made_by or "operator",
        "role": row.role,
        "seat": row.seat or row.own,
        "status": find_state(row, at, end_reason),
        "made_at": format_time(row.made_at),
        "good_until": format_time(row.good_until),
    }


def _make_sentence(lens: LiveLens, row: Invite, status: State, end_reason: str | None) -> str:
    match status:
        case "open" if row.own is not None:
            return f"{lens.find_seat_name(row.own)} can use this on another device until {_write_time(row.good_until)}."
        case "open":
            role = {"gm": "a game master", "player": "a player", "observer": "an observer"}[row.role]
            return f"{row.name} can join as {role} until {_write_time(row.good_until)}."
        case "used":
            assert row.used_at is not None and row.seat is not None
            not_given = [id for id in row.characters if not _is_player_of(lens, row.seat, id)]
            remark = f" Not given to them: {', '.join(map(lens.name, map(character, not_given)))}." if not_given else ""
            return f"{lens.find_seat_name(row.seat)} used this invite on {_write_time(row.used_at)}.{remark}"
        case "withdrawn":
            return "It was withdrawn."
        case "expired":
            return f"It expired on {_write_time(row.good_until)}."
        case "ended":
            return f"It is no longer valid: {end_reason}"


def _is_player_of(lens: LiveLens, seat: str, id: str) -> bool:
    viewer = lens.book.load_viewer(seat)
    return viewer is not None and id in viewer.characters


def _write_time(at: datetime) -> str:
    shown = format_time(at)
    return f"{shown[:10]} at {shown[11:16]} UTC"
