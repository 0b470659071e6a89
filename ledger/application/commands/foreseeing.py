"""Previews of declarations: nothing is saved, rolled or answered."""

from __future__ import annotations

from dataclasses import replace

from ledger.application.book import Book
from ledger.application.commands.adjudicating import must_be_rolled
from ledger.application.commands.declaring import find_scene
from ledger.application.commands.lapsing import lapse_unanswerable
from ledger.application.reading.repeating import must_be_new
from ledger.application.reading.rights import must_be_declarer
from ledger.application.reading.shown import ShownPreview
from ledger.application.reading.veiling import load_known_now, must_see_balance
from ledger.application.reading.verdicts import limit_audiences
from ledger.application.reading.waiting import list_underway
from ledger.application.save import Place, Save
from ledger.errors import LedgerError, NotYours
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.contract import Underway, Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.kernel.table import RulingTable, Subjects
from ledger.rules.kernel.veils import Veiled
from ledger.rules.kernel.world import PastRuling


def foresee(book: Book, viewer: Viewer, do: object, scene_id: str | None) -> ShownPreview:
    """Return the verdict, or the first question. Refused or NotYours as the declaration would be.

    If it rests on something hidden from the viewer, it says only that, the same for every hidden value. It is
    adjudicated first as the viewer may know the campaign, then as the campaign is.
    """
    named_scene = find_scene(book, scene_id)
    foreseen = _Foreseen(book, viewer, named_scene, load_known_now(book, viewer))
    try:
        return foreseen.preview(do)
    except Veiled:
        must_see_balance(book, viewer, do)
        return ShownPreview(do, None)


def add_lapsing_declarations(shown: ShownPreview, save: Save) -> ShownPreview:
    """Add the declarations that would lapse. `save`: one that is never saved. Only what everybody sees makes them
    lapse.
    """
    verdict, number = shown.outcome, save.book.campaign.rulings + 1
    if not isinstance(verdict, Verdict) or verdict.audience is not None or not save.book.campaign.waiting_ids:
        return shown
    save.put_facts(Place(number), limit_audiences(verdict))
    return replace(shown, ends=lapse_unanswerable(save, number, None))


class _Foreseen:
    """One preview. `known`: the campaign as the viewer may know it; None: as it is."""

    def __init__(self, book: Book, viewer: Viewer, named_scene: Subject | None, known: AsKnown | None) -> None:
        self.book, self.viewer, self.named_scene, self.known = book, viewer, named_scene, known
        self.number = book.campaign.rulings + 1

    def preview(self, do: object) -> ShownPreview:
        """Return the preview. Raises Veiled if it rests on something hidden."""
        is_unsure, completed = self._complete_declaration(do)
        must_be_new(self.book, completed, self.viewer, self.named_scene)
        must_be_rolled(self.book, completed)
        if (
            self.known is not None
            and self.known.replay(self._make_ruling(completed), self._list_underway, twice=True) is None
        ):
            raise Veiled
        conversation = self._start_conversation(do, completed)
        if is_unsure:
            raise NotYours("Your seat can't declare that.")
        return ShownPreview(completed, conversation.question or conversation.verdict)

    def _complete_declaration(self, do: object) -> tuple[bool, object]:
        """Return whether its owner cannot be determined, and the completed declaration."""
        book, subjects = self.book, self.known or self.book
        try:
            is_unsure = must_be_declarer(book, do, self.viewer, self.named_scene, subjects)
            return is_unsure, book.ruleset.meant(self._make_table(subjects), do)
        except (LedgerError, Refused):
            raise
        except Exception:
            if self.known is None:
                raise
            raise Veiled from None  # sound rules fail only on a veil

    def _start_conversation(self, do: object, completed: object) -> Conversation:
        try:
            conversation = Conversation(self.book.ruleset, self._make_table(self.book), completed)
        except Refused as refusal:
            if refusal.code == "overdrawn":
                must_see_balance(self.book, self.viewer, do)
            raise
        must_see_balance(self.book, self.viewer, do)
        return conversation

    def _make_table(self, subjects: Subjects) -> RulingTable:
        return RulingTable(self.book.ruleset, subjects, self.number, self.viewer, self.named_scene, self._list_underway)

    def _list_underway(self) -> tuple[Underway, ...]:
        return list_underway(self.book, None, self.viewer)

    def _make_ruling(self, completed: object) -> PastRuling:
        edition = self.book.ruleset.edition
        return PastRuling(self.number, completed, self.viewer, self.named_scene, (), (), frozenset(), edition)
