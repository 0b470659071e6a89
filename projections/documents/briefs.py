"""A short form of a ruling, for one viewer."""

from __future__ import annotations

from ledger.application import Status
from ledger.rules.kernel import sentences
from projections.documents.rulings import AT, RULING, Ruling, find_status, list_revisions
from projections.documents.shape import Document, give_example
from projections.documents.stored_rulings import REVISING, StoredRuling, StoredVerdict
from projections.redaction import Lens, Person


@give_example(number=7, status="standing", text=RULING["text"], by=RULING["by"], at=AT)
class Brief(Document):
    """A ruling in one sentence, with its status."""

    number: int
    status: Status
    text: str
    by: Person
    at: str


class Behind(Document):
    """The ruling behind a fact: who declared what, its status, and the reason for the latest decision."""

    number: int
    kind: str
    by: Person
    status: str
    reason: str | None
    text: str


def shorten_ruling(ruling: Ruling) -> Brief:
    """Return the short form of a ruling."""
    return {
        "number": ruling["number"],
        "status": ruling["status"],
        "text": ruling["text"],
        "by": ruling["by"],
        "at": ruling["at"],
    }


def select_as_decided(ruling: StoredRuling, decision_count: int) -> StoredRuling:
    """Return a stored ruling as it was after this many decisions."""
    decisions_made = ruling["decisions"][:decision_count]
    revisions: list[StoredVerdict] = [*ruling["tellings"], ruling]
    revision = sum(decision["decision"] in REVISING for decision in decisions_made)
    verdict = revisions[revision]
    return {
        **ruling,
        "text": verdict["text"],
        "declared": verdict["declared"],
        "facts": verdict["facts"],
        "tellings": ruling["tellings"][:revision],
        "decisions": decisions_made,
    }


def make_gist(lens: Lens, ruling: StoredRuling) -> Behind | None:
    """Return the declaration, its seat and the status of a ruling, or None if the viewer may not know of the ruling."""
    if not lens.may_see_stored(ruling) and lens.viewer.seat not in (ruling["by"], ruling["seat"]):
        return None
    decisions = [
        decision
        for decision in ruling["decisions"]
        if lens.may_see_stored(decision) and decision["decision"] != "witnessed"
    ]
    is_declaration_visible = all(is_visible for _, is_visible in list_revisions(lens, ruling))
    return {
        "number": ruling["number"],
        "kind": str(ruling["declared"]["kind"]),
        "by": lens.name_person(ruling["seat"]),
        "status": find_status(lens, ruling),
        "reason": decisions[-1]["reason"] if decisions else None,
        "text": lens.fill_in_names(ruling["text"]) if is_declaration_visible else sentences.HIDDEN_DECLARATION,
    }
