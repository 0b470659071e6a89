"""Check a campaign's snapshot against the campaign folded from its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.aggregates.campaign import Campaign
from ledger.aggregates.randomness import Randomness
from ledger.aggregates.subject_stream import SubjectStream, find_subject_name
from ledger.application.book import Book
from ledger.application.checks.as_known import KnownCampaign, KnownSubject
from ledger.application.reading.pasts import log_problem
from ledger.application.snapshots import Snapshot, Untrusted
from ledger.events.envelope import Body, Event
from ledger.events.records import MARKS


class SnapshotCheck:
    """Reads the saves up to the snapshot's position, and then checks the snapshot. `known_campaign`: the campaign as of
    the last save. `fault`: a sentence about what is wrong with the snapshot, or None.

    A snapshot made by other versions of the source code is not checked, because it is never used.
    """

    def __init__(self, book: Book, known_campaign: KnownCampaign) -> None:
        self.book = book
        self.known_campaign = known_campaign
        self.campaign = Campaign(book.id)
        self.randomness = Randomness()
        self.fault: str | None = None
        self._snapshot = self._load_snapshot()

    def _load_snapshot(self) -> Snapshot | None:
        snapshots = self.book.snapshots
        stored_snapshot = (
            snapshots.store.load(self.book.id) if snapshots is not None and self.book.is_installed else None
        )
        if stored_snapshot is None or snapshots is None:
            return None
        try:
            return snapshots.open_snapshot(self.book.id, stored_snapshot)
        except Untrusted as problem:
            position = stored_snapshot.position
            self.fault = f"The snapshot at save {position} was not made by this ledger: {problem}. It was not used."
            return None

    def check_save(self, position: int, events: Iterable[Event], entries: Iterable[Event]) -> None:
        """Check the next save. `events`: the save's events without the journal entry. `entries`: the save's journal
        entry.
        """
        snapshot = self._snapshot
        if snapshot is None:
            return
        try:
            for event in events:
                if event.originator_id.split("/", 2)[1] == "randomness":
                    self.randomness.apply_event(event.originator_version, event.body)
            for entry in entries:
                self.campaign.apply_entry(entry.originator_version, entry.body)
            if position < snapshot.campaign.position:
                return
            difference = self._find_difference(snapshot)
        except Exception as problem:  # noqa: BLE001  (a record that is not ours can raise anything)
            log_problem(self.book.id, "the snapshot", problem)
            difference = f"the record up to save {position}"
        if difference is not None:
            self.fault = f"The snapshot at save {snapshot.campaign.position} is wrong about {difference}."
        self._snapshot = None

    def _find_difference(self, snapshot: Snapshot) -> str | None:
        """Return the name of the first part of the snapshot that is wrong, or None."""
        if collect_campaign_contents(snapshot.campaign) != collect_campaign_contents(self.campaign):
            return "the journal"
        book = Book(self.book.recorder, self.book.codec, self.book.id)
        book.is_guarded = False
        book.restore(snapshot)
        for subject in snapshot.subjects:
            known_subject = self.known_campaign.subjects.get(subject)
            if known_subject is None or not _is_same(book.load_stream(subject), known_subject):
                return f"{subject.kind} {subject.id}"
        return (
            "the dice"
            if list_randomness_contents(book.randomness) != list_randomness_contents(self.randomness)
            else None
        )


def collect_campaign_contents(campaign: Campaign) -> dict[str, Any]:
    """Return all contents of a campaign, for comparison."""
    attributes = {
        name: getattr(campaign, name) for name in Campaign.__slots__ if name not in ("named_streams", "lineage")
    }
    named_streams = {stream: campaign.named_streams[stream] for stream in campaign.named_streams}
    return {**attributes, "named_streams": named_streams, "lineage": campaign.lineage.ancestors}


def list_randomness_contents(randomness: Randomness) -> list[Any]:
    """Return all contents of the commitments, for comparison."""
    return [getattr(randomness, name) for name in Randomness.__slots__]


def _is_same(stream: SubjectStream, known_subject: KnownSubject) -> bool:
    facts = [body for body in known_subject.bodies if not isinstance(body.fact, MARKS)]
    audiences_by_account: dict[str, set[object]] = {}
    for body in facts:
        for posting in body.postings if body.audience is not None else ():
            for account in (posting.source, posting.target):
                audiences_by_account.setdefault(account, set()).add(body.audience)
    return (
        stream.version == known_subject.version
        and stream.revisions == known_subject.revisions
        and stream.name == next(filter(None, (find_subject_name(body.fact) for body in facts)), "")
        and stream.audiences_by_account == audiences_by_account
        and stream.has_secrets == any(body.audience is not None for body in facts)
        and stream.last_place == max(map(_get_place, facts), default=(0, 0))
        and stream.folded.same_as(known_subject.folded)
    )


def _get_place(body: Body[object]) -> tuple[int, int]:
    return body.ruling, body.step
