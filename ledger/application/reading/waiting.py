"""Waiting declarations, and what a seat may know of them."""

from __future__ import annotations

from typing import Any

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.rights import find_question_audience
from ledger.events.records import Given
from ledger.rules.kernel.contract import Underway
from ledger.rules.kernel.subjects import Viewer, scene
from ledger.rules.kernel.veils import Veiled


def is_answered_by_ledger(answer: Given) -> bool:
    """Return whether the ledger itself rolled, drew, shuffled or flipped the answer."""
    return is_rolled_by_ledger(answer.answer)


def is_rolled_by_ledger(answer: json_form.Json) -> bool:
    return any(kind in json_form.ANSWER_CLASSES and fields.get("source") == "ledger" for kind, fields in answer.items())


def list_underway_declarations(
    book: Book, excluded_id: str | None, known_to: Viewer | None = None
) -> tuple[Underway, ...]:
    """Return the other waiting declarations, for a rule that needs them. Raise Veiled if `known_to` may not know all of
    them.
    """
    other_declarations = [
        pending for pending in book.list_waiting() if pending.id != excluded_id and not pending.unreadable
    ]
    if known_to is not None and not all(may_know_everything(known_to, pending) for pending in other_declarations):
        raise Veiled
    return tuple(
        Underway(
            json_form.declaration_from_json(book.ruleset, pending.declared),
            scene(pending.scene) if pending.scene is not None else None,
            bool(pending.answers),
            tuple(str(answer.question.get("slot", "")) for answer in pending.answers),
        )
        for pending in other_declarations
    )


def list_answered_classes(book: Book) -> frozenset[type[Any]]:
    """Return the classes of waiting declarations that already have an answer, including hidden ones."""
    if not book.campaign.waiting_ids:
        return frozenset()
    classes_by_kind = json_form.index_declaration_classes(book.ruleset)
    return frozenset(
        classes_by_kind[pending.declared["kind"]]
        for pending in book.list_waiting()
        if pending.answers and not pending.unreadable
    )


def may_know_everything(viewer: Viewer, pending: Pending) -> bool:
    """Return whether the seat may know the declaration, the question and all answers."""
    audiences = (
        pending.audience,
        find_question_audience(pending.question or {}),
        *(answer.audience for answer in pending.answers if not answer.withheld),
    )
    return viewer.seat == pending.seat or all(map(viewer.may_see, audiences))
