"""A save that is being prepared: events for any streams, and exactly one journal entry that names them."""

from __future__ import annotations

import os
from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ledger.aggregates.campaign import name_journal_stream, name_subject_stream
from ledger.application.book import Book
from ledger.application.keys import Keys
from ledger.events.envelope import Body, Event, format_time
from ledger.events.records import Address, Consent
from ledger.events.records_of_journal import (
    UNSAID,
    Entry,
    Finding,
    LateEntry,
    RewoundEntry,
    SetAsideEntry,
    Settlement,
    TakenBackEntry,
)
from ledger.events.sealing import is_sealed_stream
from ledger.rules.kernel.contract import About, Posting
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.purses import list_owners
from ledger.rules.kernel.subjects import Audience, Subject, Viewer

#: Entries stored under their own names, so that an older version of the ledger stops at them and asks for an update.
ENTRY_CLASSES: Mapping[str, type[Entry]] = {
    "set-aside": SetAsideEntry,
    "taken-back": TakenBackEntry,
    "rewound": RewoundEntry,
}


def format_now() -> str:
    return format_time(datetime.now(UTC))


def draw_salts() -> Iterator[str]:
    """Yield texts of 144 random bits each, drawn eight at a time."""
    while True:
        drawn_text = b2a_base64(os.urandom(18 * 8), newline=False).decode()
        yield from (drawn_text[start : start + 24] for start in range(0, len(drawn_text), 24))


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a fact in the fold. `after`: for a late entry, the ruling that it follows in play; else 0."""

    ruling: int
    revision: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class SavePlace:
    """A point in the preparation of a save. `return_to` goes back to it."""

    event_count: int
    versions: dict[str, int]
    entry: Entry
    roll_count: int
    session: str


class Save:
    """The events that a command will save. `viewer`: the acting seat, or None for the operator. `position`: the number
    of the save's journal entry.

    `roll_count`: how often the ledger has rolled for the campaign, including this save. `consent`: the consent that the
    decision waited for. `follows`: the ruling that this declaration followed from automatically. `edition`: the edition
    of the game's rules.
    """

    def __init__(self, book: Book, viewer: Viewer | None, keys: Keys) -> None:
        self.book = book
        self.keys = keys
        self.viewer = viewer
        self.by = viewer.seat if viewer is not None else ""
        self.at = format_now()
        self.position = book.campaign.position + 1
        self.session = (book.entry.session or "") if book.campaign.position else ""
        self.roll_count = book.campaign.rolls
        self.edition = book.ruleset.edition if book.campaign.position else UNSAID
        self.events: list[Event] = []
        self.entry = Entry("", {})
        self.consent: Consent | None = None
        self.follows: int | None = None
        self._versions: dict[str, int] = {}
        self._salts = draw_salts()

    @contextmanager
    def act_as(self, viewer: Viewer) -> Iterator[None]:
        """Within the block, record events as this seat's act, even if another seat gave the last consent."""
        earlier_viewer, earlier_by = self.viewer, self.by
        self.viewer, self.by = viewer, viewer.seat
        try:
            yield
        finally:
            self.viewer, self.by = earlier_viewer, earlier_by

    def mark_place(self) -> SavePlace:
        """Return the current point, for `return_to`."""
        return SavePlace(len(self.events), dict(self._versions), self.entry, self.roll_count, self.session)

    def return_to(self, place: SavePlace) -> None:
        """Remove everything that was put since that point."""
        del self.events[place.event_count :]
        self._versions, self.entry, self.roll_count = dict(place.versions), place.entry, place.roll_count
        self.session = place.session

    def put(
        self,
        stream: str,
        version: int,
        fact: object,
        *,
        place: Place | None = None,
        step: int = 0,
        audience: Audience = None,
        postings: tuple[Posting, ...] = (),
        roll_count: int = 0,
    ) -> Address:
        """Put an event into a stream. `version`: the stream's latest version before this save."""
        version = self._versions[stream] = self._versions.get(stream, version) + 1
        body = Body(
            position=self.position,
            by=self.by,
            at=self.at,
            salt=next(self._salts),
            ruling=place.ruling if place else 0,
            step=step,
            revision=place.revision if place else 0,
            after=place.after if place else 0,
            session=self.session,
            audience=audience,
            postings=postings,
            rolls=roll_count,
            fact=fact,
        )
        self.events.append(Event(stream, version, body))
        return Address(stream, version)

    def put_about(self, subject: Subject, fact: object, **details: Any) -> Address:
        """Put an event about a subject into its stream."""
        is_recorded = subject in self.book.campaign.subjects
        version = self.book.load_stream(subject).version if is_recorded else 0
        return self.put(name_subject_stream(self.book.id, subject), version, fact, **details)

    def put_facts(self, place: Place, facts: Iterable[About[object]]) -> list[Address]:
        """Put a verdict's facts. If a fact changes accounts of other subjects, put a `Leg` into the stream of each of
        these.
        """
        addresses: list[Address] = []
        for step, fact in enumerate(facts):
            details: dict[str, object] = {
                "place": place,
                "step": step,
                "audience": fact.audience,
                "postings": fact.postings,
            }
            addresses.append(self.put_about(fact.subject, fact.fact, **details))
            if fact.postings:
                other_owners = [owner for owner in list_owners(fact.postings) if owner != fact.subject]
                addresses += [self.put_about(owner, Leg(f"{place.ruling}.{step}"), **details) for owner in other_owners]
        return addresses

    def note_for_journal(
        self,
        deed: str,
        *,
        ruling: int | None = None,
        waiting: str | None = None,
        findings: Iterable[Finding] = (),
        settlements: Iterable[Settlement] = (),
        follows: int | None = None,
        **more: int,
    ) -> None:
        """Set the contents of the journal entry for this save. `more`: further fields of this kind of entry."""
        entry_class = LateEntry if "after" in more else ENTRY_CLASSES.get(deed, Entry)
        self.entry = entry_class(
            deed, {}, ruling, waiting, tuple(findings), tuple(settlements), follows=follows, **more
        )

    def seal(self) -> list[Event]:
        """Return all events, with the journal entry last. Nothing can be added afterwards."""
        assert self.entry.did, "every save must say what it did"
        sealed_events = [event for event in self.events if is_sealed_stream(event.originator_id)]
        named_versions = {event.originator_id: event.originator_version for event in sealed_events}
        entry = changed(self.entry, streams=named_versions, events=len(sealed_events), edition=self.edition)
        self.put(name_journal_stream(self.book.id), self.position - 1, entry, roll_count=self.roll_count)
        return self.events
