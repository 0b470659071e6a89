"""Comparing two books of one campaign."""

from __future__ import annotations

from ledger.application import Book
from ledger.application.checks.snapshot_check import collect_campaign_contents, list_randomness_contents


def compare_books(first: Book, other: Book) -> str | None:
    """What two books of the same position disagree about. None: nothing."""
    if collect_campaign_contents(first.campaign) != collect_campaign_contents(other.campaign):
        return "the journal"
    for subject in first.campaign.subjects:
        one, another = first.load_stream(subject), other.load_stream(subject)
        names = ("version", "revisions", "name", "audiences_by_account", "has_secrets", "last_place")
        if not one.folded.same_as(another.folded) or any(getattr(one, at) != getattr(another, at) for at in names):
            return f"{subject.kind} {subject.id}"
    return (
        "the dice" if list_randomness_contents(first.randomness) != list_randomness_contents(other.randomness) else None
    )
