"""Refuse a declaration that is already waiting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.waiting import may_know_everything
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.moves import find_settled_declaration
from ledger.rules.kernel.offers import EVERYBODY, Offer, Step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Subject, Viewer, scene
from ledger.rules.kernel.table import RulingTable


def must_be_new(book: Book, do: object, viewer: Viewer, named_scene: Subject | None) -> None:
    """Raise Refused `already-waiting` if the seat has the same declaration waiting in the same scene.

    This reveals nothing, because a seat knows its own declarations. `do`: the completed declaration.
    """
    if not book.campaign.waiting_ids:
        return
    for pending in list_same_declarations(book.list_waiting(), do, viewer, named_scene):
        raise make_repeat_refusal(pending)


def is_waiting_for_anybody(book: Book, step: Step, declarer: Viewer, named_scene: Subject | None) -> bool:
    """Return whether a declaration like this step is waiting for an answer, whichever seat declared it. Count only
    declarations that everybody may know of.
    """
    if not book.campaign.waiting_ids:
        return False
    table = RulingTable(book.ruleset, book, book.campaign.rulings + 1, declarer, named_scene)
    declaration = json_form.declaration_to_json(book.ruleset.meant(table, step.do))
    scene_id = named_scene.id if named_scene is not None else None
    return any(
        (pending.scene, pending.declared) == (scene_id, declaration) and EVERYBODY.may_see(pending.audience)
        for pending in book.list_waiting()
    )


def make_repeat_refusal(pending: Pending) -> Refused:
    return Refused("ledger.waiting", "already-waiting", (pending.seat,), waiting=pending.id, declared=pending.declared)


class Repeats:
    """Finds the moves that can only repeat a waiting declaration of the seat. Declarations that the viewer may not know
    of do not count.
    """

    def __init__(self, book: Book, seen: Seen) -> None:
        self._ruleset, self._seen = book.ruleset, seen
        seat, viewer = seen.seat.seat, seen.viewer
        waiting_declarations = book.list_waiting() if book.campaign.waiting_ids else ()
        self._waiting_declarations = [
            pending
            for pending in waiting_declarations
            if pending.seat == seat and (viewer.seat == seat or may_know_everything(viewer, pending))
        ]
        self._kinds = {pending.declared["kind"] for pending in self._waiting_declarations}

    def find_refusal(self, offer: Offer) -> Refused | None:
        """Return the refusal if the only declaration that a move allows is already waiting, else None."""
        if find_kind(offer.move.do) not in self._kinds or (do := find_settled_declaration(offer.move)) is None:
            return None
        named_scene = scene(offer.scene) if offer.scene is not None else self._seen.scene
        completed_declaration = do if self._ruleset.secrets else self._ruleset.meant(self._seen.table, do)
        repeats = list_same_declarations(
            self._waiting_declarations, completed_declaration, self._seen.seat, named_scene
        )
        return next(map(make_repeat_refusal, repeats), None)


def list_same_declarations(
    pendings: Iterable[Pending], do: object, viewer: Viewer, named_scene: Subject | None
) -> Iterator[Pending]:
    """Yield this seat's waiting declarations with the same content and scene."""
    declaration = json_form.declaration_to_json(do)
    scene_id = named_scene.id if named_scene is not None else None
    return (
        pending
        for pending in pendings
        if (pending.seat, pending.scene, pending.declared) == (viewer.seat, scene_id, declaration)
    )
