"""The same declared again: refused while it waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, Viewer


def must_be_new(book: Book, do: object, viewer: Viewer, named: Subject | None) -> None:
    """Refuses `already-waiting` where the seat's own, word for word and in the same scene, waits for an answer.

    It looks at nothing else: a seat knows what it declared. `do`: as it is meant.
    """
    if not book.campaign.waiting:
        return
    for pending in the_same(book.waiting(), do, viewer, named):
        raise Refused(
            "ledger.waiting", "already-waiting", (viewer.seat,), waiting=pending.id, declared=pending.declared
        )


def the_same(those: Iterable[Pending], do: object, viewer: Viewer, named: Subject | None) -> Iterator[Pending]:
    """Those that this seat declared in the same words, in the same scene."""
    declared = json_form.input_json(do)
    where = named.id if named is not None else None
    return (one for one in those if (one.seat, one.scene, one.declared) == (viewer.seat, where, declared))
