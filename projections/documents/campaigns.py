"""A campaign and its seats."""

from __future__ import annotations

from typing import NotRequired, TypeVar

from ledger.application import Book, Shown, ShownFork, ShownSeat
from ledger.errors import NotFound
from ledger.rules.kernel import register
from ledger.rules.kernel.subjects import CAMPAIGN, Role, SubjectKind, Viewer
from projections.documents import origins
from projections.documents.findings import Finding, list_open_findings
from projections.documents.origins import ORIGIN, Origin
from projections.documents.shape import Document, give_example
from projections.documents.subjects import Balance, list_balances, list_hidden_accounts_of
from projections.documents.systems import index_dial_values
from projections.redaction import Json, LiveLens, to_text

E = TypeVar("E")


@give_example(id="s2", name="Ben", role="player", removed=False, holds=False)
class SeatEntry(Document):
    """A seat. `holds`: whether this player wants to act first, so that no step follows automatically."""

    id: str
    name: str
    role: Role
    removed: bool
    holds: bool


SEAT: Seat = {
    "id": "s1",
    "name": "Ann",
    "role": "gm",
    "removed": False,
    "holds": False,
    "token": "k3v7q2mzt5a4c.s1.not-a-real-one",
}


@give_example(id="s2", name="Ben", role="player", removed=False, holds=False, token="k3v7q2mzt5a4c.s2.not-a-real-one")
class Seat(Document):
    """A seat. `holds`: whether this player wants to act first, so that no step follows automatically. `token`: included
    only in the answer that creates the seat. It is never shown again.
    """

    id: str
    name: str
    role: Role
    removed: bool
    holds: NotRequired[bool]  # answers stored by an earlier version do not have it
    token: str | None


@give_example(id="k3v7q2mzt5a4c", name="The Long Winter", system="system", edition=1, seat=SEAT)
class OpenedCampaign(Document):
    """A new campaign, with its first game master's seat and token."""

    id: str
    name: str
    system: str
    edition: int
    seat: Seat


@give_example(id="k3v7q2mzt5a4c", name="Had we let him live", system="system", edition=1, seat=SEAT, origin=ORIGIN)
class ForkedCampaign(Document):
    """A new fork, with the creator's seat and token."""

    id: str
    name: str
    system: str
    edition: int
    seat: Seat
    origin: Origin


class CharacterEntry(Document):
    id: str
    name: str
    seat: str
    retired: bool


class CharacterSummary(CharacterEntry):
    """A character in a list. `player`: the player's name."""

    player: str


@give_example(characters=[{"id": "1", "name": "Giazza", "seat": "s2", "player": "Ben", "retired": False}])
class Characters(Document):
    """Characters in the order they joined, including retired ones."""

    characters: list[CharacterSummary]


class SessionCard(Document):
    id: str
    title: str
    open: bool


class SceneEntry(Document):
    id: str
    title: str
    cast: list[str]
    open: bool


@give_example(
    id="k3v7q2mzt5a4c",
    name="The Long Winter",
    system="system",
    edition=1,
    dials={"deciders": "gm"},
    seats=[{"id": "s1", "name": "Ann", "role": "gm", "removed": False, "holds": False}],
    characters=[],
    session=None,
    sessions=[],
    scenes=[],
    state={},
    balances=[],
    findings=[],
    rulings=0,
    position=1,
    origin=None,
)
class Campaign(Document):
    """The current campaign. `session`: the open session. `dials`: all options with their values. `findings`: the open
    findings.

    `state`, `balances`: what the game keeps for the campaign itself, as this seat sees it. `origin`: the campaign that
    a fork continues.
    """

    id: str
    name: str
    system: str
    edition: int
    dials: Json
    seats: list[SeatEntry]
    characters: list[CharacterEntry]
    session: str | None
    sessions: list[SessionCard]
    scenes: list[SceneEntry]
    state: Json
    balances: list[Balance]
    findings: list[Finding]
    rulings: int
    position: int
    origin: Origin | None


def describe_seat(shown_seat: ShownSeat) -> Seat:
    """Return a seat, with its token if one was just issued."""
    return {
        "id": shown_seat.id,
        "name": shown_seat.name,
        "role": shown_seat.role,
        "removed": shown_seat.removed,
        "holds": shown_seat.holds,
        "token": shown_seat.token,
    }


def describe_opened_campaign(id: str, name: str, system: str, edition: int, gm: ShownSeat) -> OpenedCampaign:
    """Return a campaign that was just opened, with its first game master's seat and token."""
    return {"id": id, "name": name, "system": system, "edition": edition, "seat": describe_seat(gm)}


def present_forked_campaign(book: Book, viewer: Viewer | None, result: Shown) -> str:
    """Return a campaign that was just forked, before it is stored."""
    assert isinstance(result, ShownFork)
    document: ForkedCampaign = {
        **describe_opened_campaign(book.id, result.forked.name, book.entry.system, book.entry.edition, result.gm),
        "origin": origins.describe_origin(result.forked, result.unclaimed),
    }
    return to_text(document)


def present_imported_campaign(book: Book, gm: ShownSeat) -> str:
    """Return a campaign that was just imported, with its first game master's seat and token."""
    return to_text(describe_opened_campaign(book.id, book.entry.name, book.entry.system, book.entry.edition, gm))


def present_issued_seat(book: Book, viewer: Viewer | None, result: Shown) -> str:
    """Return a seat for the operator, who issued its new token."""
    assert isinstance(result, ShownSeat)
    return to_text(describe_seat(result))


def describe_campaign(lens: LiveLens) -> Campaign:
    """Return the current campaign: seats, characters, scenes, options and open findings."""
    book = lens.book
    entry = book.entry
    return {
        "id": book.id,
        "name": entry.name,
        "system": entry.system,
        "edition": entry.edition,
        "dials": index_dial_values(book.ruleset, entry),
        "seats": _list_seats(lens),
        "characters": list_characters(lens),
        "session": entry.session,
        "sessions": list_sessions(entry),
        "scenes": _list_scenes(lens),
        "state": lens.show_state(book.load_stream(CAMPAIGN).folded),
        "balances": list_balances(book.load_stream(CAMPAIGN).folded, list_hidden_accounts_of(lens, CAMPAIGN)),
        "findings": list_open_findings(lens),
        "rulings": book.campaign.rulings,
        "position": book.campaign.position,
        "origin": origins.find_origin(book),
    }


def _list_entries(lens: LiveLens, kind: SubjectKind, entry_class: type[E]) -> list[tuple[str, E]]:
    """Return the id and entry of every existing subject of a kind, in order."""
    subjects = [subject for subject in lens.book.campaign.subjects if subject.kind == kind]
    folded_subjects = [(subject.id, lens.book.find(subject)) for subject in subjects]
    entries = ((id, folded.entry) for id, folded in folded_subjects if folded is not None)
    return [(id, entry) for id, entry in entries if isinstance(entry, entry_class)]


def list_sessions(entry: register.CampaignEntry) -> list[SessionCard]:
    return [{"id": id, "title": title, "open": id == entry.session} for id, title in entry.sessions]


def _list_seats(lens: LiveLens) -> list[SeatEntry]:
    entries = _list_entries(lens, "seat", register.SeatEntry)
    return [
        {"id": id, "name": seat.name, "role": seat.role, "removed": seat.removed, "holds": seat.holds}
        for id, seat in entries
    ]


def find_seat(lens: LiveLens, id: str) -> SeatEntry:
    """Return a seat of the campaign, removed or not. Raise NotFound if there is no such seat."""
    for seat in _list_seats(lens):
        if seat["id"] == id:
            return seat
    raise NotFound(f"There is no seat {id!r}.", code="seat-not-found")


def list_characters(lens: LiveLens) -> list[CharacterEntry]:
    entries = _list_entries(lens, "character", register.CharacterEntry)
    return [
        {"id": id, "name": character.name, "seat": character.seat, "retired": character.retired}
        for id, character in entries
    ]


def list_all_characters(lens: LiveLens) -> Characters:
    """Return the characters of the campaign."""
    return {
        "characters": [
            {**character, "player": lens.find_seat_name(character["seat"])} for character in list_characters(lens)
        ]
    }


def _list_scenes(lens: LiveLens) -> list[SceneEntry]:
    entries = _list_entries(lens, "scene", register.SceneEntry)
    return [{"id": id, "title": scene.title, "cast": list(scene.cast), "open": scene.open} for id, scene in entries]
