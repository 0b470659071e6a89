"""Previews of declarations: nothing is saved, rolled or answered."""

from __future__ import annotations

from dataclasses import replace

from ledger.application.book import Book
from ledger.application.commands.adjudicating import refuse_typed_dice
from ledger.application.commands.declaring import find_scene
from ledger.application.commands.lapsing import lapse_unanswerable_declarations
from ledger.application.reading.repeating import must_be_new
from ledger.application.reading.rights import must_be_declarer
from ledger.application.reading.shown import ShownPreview
from ledger.application.reading.veiling import load_campaign_as_known, must_see_balance
from ledger.application.reading.verdicts import limit_fact_audiences
from ledger.application.reading.waiting import list_underway_declarations
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


def preview_declaration(book: Book, viewer: Viewer, do: object, scene_id: str | None) -> ShownPreview:
    """Return the verdict, or the first question. Raise Refused or NotYours if the declaration itself would be refused.

    If the result depends on something hidden from the viewer, the preview says only that.
    """
    named_scene = find_scene(book, scene_id)
    preview = _Preview(book, viewer, named_scene, load_campaign_as_known(book, viewer))
    try:
        return preview.make_preview(do)
    except Veiled:
        must_see_balance(book, viewer, do)
        return ShownPreview(do, None)


def add_lapsing_declarations(shown_preview: ShownPreview, save: Save) -> ShownPreview:
    """Return the preview with the declarations that would lapse because of facts that everybody sees. `save` is not
    stored.
    """
    outcome, number = shown_preview.outcome, save.book.campaign.rulings + 1
    if not isinstance(outcome, Verdict) or outcome.audience is not None or not save.book.campaign.waiting_ids:
        return shown_preview
    save.put_facts(Place(number), limit_fact_audiences(outcome))
    return replace(shown_preview, lapsing_declarations=lapse_unanswerable_declarations(save, number, None))


class _Preview:
    """Makes one preview. `campaign_as_known`: the campaign as the viewer may know it, or None if nothing is hidden."""

    def __init__(
        self, book: Book, viewer: Viewer, named_scene: Subject | None, campaign_as_known: AsKnown | None
    ) -> None:
        self.book, self.viewer, self.named_scene, self.campaign_as_known = book, viewer, named_scene, campaign_as_known
        self.number = book.campaign.rulings + 1

    def make_preview(self, do: object) -> ShownPreview:
        """Return the preview. Raise Veiled if it depends on something hidden."""
        is_unsure, completed_declaration = self._complete_declaration(do)
        must_be_new(self.book, completed_declaration, self.viewer, self.named_scene)
        refuse_typed_dice(self.book, completed_declaration)
        if (
            self.campaign_as_known is not None
            and self.campaign_as_known.replay(
                self._make_ruling_to_replay(completed_declaration), self._list_underway, twice=True
            )
            is None
        ):
            raise Veiled
        conversation = self._start_conversation(do, completed_declaration)
        if is_unsure:
            raise NotYours("Your seat can't declare that.")
        return ShownPreview(completed_declaration, conversation.question or conversation.verdict)

    def _complete_declaration(self, do: object) -> tuple[bool, object]:
        """Return whether the owner of the declaration cannot be determined, and the completed declaration."""
        book, subjects = self.book, self.campaign_as_known or self.book
        try:
            is_unsure = must_be_declarer(book, do, self.viewer, self.named_scene, subjects)
            return is_unsure, book.ruleset.meant(self._make_table(subjects), do)
        except (LedgerError, Refused):
            raise
        except Exception:
            if self.campaign_as_known is None:
                raise
            raise Veiled from None  # rules without a defect fail only because of a veil

    def _start_conversation(self, do: object, completed_declaration: object) -> Conversation:
        try:
            conversation = Conversation(self.book.ruleset, self._make_table(self.book), completed_declaration)
        except Refused as refusal:
            if refusal.code == "overdrawn":
                must_see_balance(self.book, self.viewer, do)
            raise
        must_see_balance(self.book, self.viewer, do)
        return conversation

    def _make_table(self, subjects: Subjects) -> RulingTable:
        return RulingTable(self.book.ruleset, subjects, self.number, self.viewer, self.named_scene, self._list_underway)

    def _list_underway(self) -> tuple[Underway, ...]:
        return list_underway_declarations(self.book, None, self.viewer)

    def _make_ruling_to_replay(self, completed_declaration: object) -> PastRuling:
        edition = self.book.ruleset.edition
        return PastRuling(
            self.number, completed_declaration, self.viewer, self.named_scene, (), (), frozenset(), edition
        )
