"""Everything that one seat may see at one point on both clocks. Each part is the same as in its own document."""

from __future__ import annotations

from typing import cast

from ledger.errors import NotFound
from ledger.rules.kernel import register
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene
from projections.documents.campaigns import SeatEntry, SessionCard, list_sessions
from projections.documents.disputes import Dispute
from projections.documents.findings import Finding, list_open_findings
from projections.documents.moves import AwaitedOf
from projections.documents.shape import Document, give_example
from projections.documents.subjects import (
    As,
    Balance,
    Character,
    Clock,
    Scene,
    Snapshot,
    list_balances,
    list_hidden_accounts_of,
)
from projections.documents.systems import index_dial_values
from projections.documents.waiting import Waiting, list_all_waiting
from projections.redaction import Json, LiveLens


class CampaignThen(Document):
    """The campaign at the requested point. `session`: the session that was open then. `dials`: all options with their
    values then.
    """

    id: str
    name: str
    system: str
    edition: int
    dials: Json
    seats: list[SeatEntry]
    session: str | None
    sessions: list[SessionCard]
    state: Json
    balances: list[Balance]


@give_example(
    campaign={
        "id": "k3v7q2mzt5a4c",
        "name": "The Long Winter",
        "system": "system",
        "edition": 1,
        "dials": {"deciders": "gm"},
        "seats": [{"id": "s1", "name": "Ann", "role": "gm", "removed": False, "holds": False}],
        "session": None,
        "sessions": [],
        "state": {},
        "balances": [],
    },
    scenes=[],
    characters=[],
    waiting=[],
    awaited=[],
    disputes=[],
    findings=[],
    **{"at": None, "as": "corrected"},
)
class State(Document, As):
    """Everything this seat can see. `characters`: all of them, including retired ones. `scenes`: the open ones.

    `waiting`, `awaited`, `disputes`, `findings`: the current ones; null if you asked for another point in play.
    """

    campaign: CampaignThen
    characters: list[Character]
    scenes: list[Scene]
    waiting: list[Waiting] | None
    awaited: list[AwaitedOf] | None
    disputes: list[Dispute] | None
    findings: list[Finding] | None
    at: int | str | None


def describe_state(lens: LiveLens, clock: Clock) -> State:
    """Return the state. Raise NotFound for a point that does not exist, or is before the campaign was opened."""
    snapshot = Snapshot(lens, clock)
    entry = snapshot.campaign.entry
    if not isinstance(entry, register.CampaignEntry):
        raise NotFound("The campaign had not started yet.", code="not-open-yet")
    character_ids = [subject.id for subject in lens.book.campaign.subjects if subject.kind == "character"]
    snapshot.load_subjects(subject for subject in lens.book.campaign.subjects if subject.kind != "scene")
    snapshot.load_subjects(map(scene, entry.scenes))
    is_now = clock.at is None
    waiting_document = list_all_waiting(lens) if is_now else None
    return {
        "campaign": describe_campaign_at(snapshot, entry),
        "characters": [
            cast(Character, document)
            for id in character_ids
            if (document := snapshot.describe_existing(character(id))) is not None
        ],
        "scenes": [
            cast(Scene, document)
            for id in entry.scenes
            if (document := snapshot.describe_existing(scene(id))) is not None
        ],
        "waiting": waiting_document["waiting"] if waiting_document is not None else None,
        "awaited": waiting_document["awaited"] if waiting_document is not None else None,
        "disputes": waiting_document["disputes"] if waiting_document is not None else None,
        "findings": list_open_findings(lens) if is_now else None,
        "at": clock.point,
        "as": clock.basis,
    }


def describe_campaign_at(snapshot: Snapshot, entry: register.CampaignEntry) -> CampaignThen:
    """Return the campaign itself at one point."""
    book = snapshot.lens.book
    return {
        "id": book.id,
        "name": entry.name,
        "system": entry.system,
        "edition": entry.edition,
        "dials": index_dial_values(book.ruleset, entry),
        "seats": _list_seats(snapshot),
        "session": entry.session,
        "sessions": list_sessions(entry),
        "state": snapshot.lens.show_state(snapshot.campaign, snapshot.campaign),
        "balances": list_balances(snapshot.campaign, list_hidden_accounts_of(snapshot.lens, CAMPAIGN)),
    }


def _list_seats(snapshot: Snapshot) -> list[SeatEntry]:
    """Return the seats as they were then."""
    subjects_and_entries = (
        (subject, snapshot.load_folded(subject)[0].entry)
        for subject in snapshot.lens.book.campaign.subjects
        if subject.kind == "seat"
    )
    return [
        {"id": subject.id, "name": entry.name, "role": entry.role, "removed": entry.removed, "holds": entry.holds}
        for subject, entry in subjects_and_entries
        if isinstance(entry, register.SeatEntry)
    ]
