"""Disputed rulings that are waiting for a decision, for one viewer."""

from __future__ import annotations

from ledger.application import attach_facts
from ledger.rules.kernel.seen import decides_for_table
from projections.documents.rulings import AT, RULING, describe_ruling
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens, Person

DISPUTE: Dispute = {
    "ruling": 7,
    "text": RULING["text"],
    "reason": "The door was shut.",
    "by": {"seat": "s3", "name": "Cleo"},
    "at": AT,
}


@give_example(**DISPUTE)
class Dispute(Document):
    """An undecided dispute: the ruling in one sentence, and who disputed it, when and why."""

    ruling: int
    text: str
    reason: str
    by: Person
    at: str


def list_disputes(lens: LiveLens, *, own_only: bool = False) -> list[Dispute]:
    """Return the disputes that the viewer may know of, in order of play. `own_only`: only those that the viewer has to
    decide.
    """
    if own_only and not decides_for_table(lens.book, lens.viewer):
        return []
    disputes: list[Dispute] = []
    rulings = [
        ruling
        for ruling in lens.book.load_rulings(sorted(lens.book.campaign.disputed_rulings))
        if lens.may_know(ruling)
    ]
    for document in (describe_ruling(lens, shown_ruling) for shown_ruling in attach_facts(lens.book, rulings)):
        if document["status"] == "disputed":
            last_dispute = next(
                decision for decision in reversed(document["decisions"]) if decision["decision"] == "disputed"
            )
            disputes.append(
                {
                    "ruling": document["number"],
                    "text": document["text"],
                    "reason": last_dispute["reason"],
                    "by": last_dispute["by"],
                    "at": last_dispute["at"],
                }
            )
    return disputes
