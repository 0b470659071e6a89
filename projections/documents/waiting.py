"""What waits to become a ruling, for one viewer."""

from __future__ import annotations

from typing import Literal, cast

from ledger.application import Pending, WaitStatus
from projections.documents.rulings import AT, Given, seen_answers
from projections.documents.shape import Document, like
from projections.documents.stored_rulings import stored_answers
from projections.redaction import Asked, Json, Person, Sight

WAITING: Waiting = {
    "id": "w9",
    "status": "waiting",
    "version": 1,
    "declared": {"kind": "hit", "char": "1", "target": "2"},
    "by": {"seat": "s2", "name": "Ben"},
    "at": AT,
    "scene": None,
    "dice": "ledger",
    "question": cast(
        Asked,
        {
            "ask": "choice",
            "seat": "s3",
            "choices": [{"kind": "dodge", "fields": []}, {"kind": "stand", "fields": []}],
            "purpose": "",
            "slot": "dodge",
            "asked": {"seat": "s3", "name": "Cleo"},
        },
    ),
    "answers": [],
    "ruling": None,
    "reason": None,
}


@like(**WAITING)
class Waiting(Document):
    """What was declared and waits for an answer; the ruling it became; or the reason it was withdrawn."""

    id: str
    status: WaitStatus
    version: int
    declared: Json
    by: Person
    at: str
    scene: str | None
    dice: Literal["ledger", "table"]
    question: Asked | None
    answers: list[Given]
    ruling: int | None
    reason: str | None


@like(waiting=[WAITING])
class AllWaiting(Document):
    waiting: list[Waiting]


def waiting(sight: Sight, pending: Pending) -> Waiting:
    """What waits, or waited. Its declaration is as secret as its question."""
    question = sight.question(pending.question, pending.seat)
    seen = pending.seat == sight.viewer.seat or question is not None or pending.question is None
    return {
        "id": pending.id,
        "status": pending.status,
        "version": pending.version_for(sight.viewer),
        "declared": sight.declared(pending.declared, seen),
        "by": sight.person(pending.seat),
        "at": pending.at,
        "scene": pending.scene,
        "dice": pending.dice,
        "question": question,
        "answers": seen_answers(sight, stored_answers(pending.answers)),
        "ruling": pending.ruling,
        "reason": pending.reason,
    }


def all_waiting(sight: Sight) -> AllWaiting:
    """In the order in which they were declared."""
    found = [sight.book.pending(id) for id in sight.book.campaign.waiting]
    return {"waiting": [waiting(sight, one) for one in found if sight.pending(one)]}
