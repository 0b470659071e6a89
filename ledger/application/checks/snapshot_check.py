"""Checks a campaign's snapshot against the campaign rebuilt from its events."""

from __future__ import annotations

from typing import Any

from ledger.aggregates.campaign import Campaign
from ledger.aggregates.randomness import Randomness
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application.book import Book
from ledger.application.snapshots import Untrusted


def find_snapshot_fault(book: Book) -> str | None:
    """Return what is wrong with the snapshot of the book's campaign, in a sentence. None: nothing, or there is no
    snapshot.

    A snapshot made by other sources is never used, so it is not checked.
    """
    stored_snapshot = book.snapshots.store.load(book.id) if book.snapshots is not None else None
    if stored_snapshot is None or book.snapshots is None or not book.installed:
        return None
    try:
        snapshot = book.snapshots.open_snapshot(book.id, stored_snapshot)
    except Untrusted as problem:
        return (
            f"The snapshot at save {stored_snapshot.position} was not made by this ledger: {problem}. It was not used."
        )
    if snapshot is None or stored_snapshot.position > book.campaign.position:
        return None
    from_snapshot, from_record = Book(book.recorder, book.codec, book.id), Book(book.recorder, book.codec, book.id)
    from_snapshot.restore(snapshot)
    from_record.read_to(stored_snapshot.position)
    difference = compare_books(from_snapshot, from_record)
    return (
        f"The snapshot at save {stored_snapshot.position} is wrong about {difference}."
        if difference is not None
        else None
    )


def compare_books(first: Book, other: Book) -> str | None:
    """Return what two books of the same position disagree about. None: nothing."""
    if collect_campaign_contents(first.campaign) != collect_campaign_contents(other.campaign):
        return "the journal"
    for subject in first.campaign.subjects:
        if not _is_same(first.load_stream(subject), other.load_stream(subject)):
            return f"{subject.kind} {subject.id}"
    dice = [tuple(getattr(book.randomness, name) for name in Randomness.__slots__) for book in (first, other)]
    return "the dice" if dice[0] != dice[1] else None


def collect_campaign_contents(campaign: Campaign) -> dict[str, Any]:
    """Return everything that a campaign holds, for comparison."""
    attributes = {
        name: getattr(campaign, name) for name in Campaign.__slots__ if name not in ("named_streams", "lineage")
    }
    named_streams = {stream: campaign.named_streams[stream] for stream in campaign.named_streams}
    return {**attributes, "named_streams": named_streams, "lineage": campaign.lineage.ancestors}


def _is_same(first: SubjectStream, other: SubjectStream) -> bool:
    names = ("version", "revisions", "name", "audiences_by_account", "has_secrets", "_last_place")
    return first.folded.same_as(other.folded) and all(getattr(first, name) == getattr(other, name) for name in names)
