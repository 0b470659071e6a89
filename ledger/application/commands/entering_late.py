"""Enter a ruling late: a declaration that the table forgot to enter is ruled at its own place in play.

The declaration must be complete: it waits for nobody, and the ledger rolls and deals nothing for it. So it reveals no
future roll to anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from ledger.aggregates.ruling import Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act
from ledger.application.commands.adjudicating import Adjudication, mark_as_typed, refuse_typed_dice
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.consequences import (
    list_clearing_settlements,
    make_rulings_again,
    must_know_what_follows,
)
from ledger.application.reading.comparisons import compare_with_entered
from ledger.application.reading.doubles import adds_things
from ledger.application.reading.pasts import load_history, load_past_before, read_answers
from ledger.application.reading.rights import may_decide, must_be_declarer
from ledger.application.reading.rulings import drop_legs, load_visible_ruling
from ledger.application.reading.shown import Present, ShownComparison, ShownRuling
from ledger.application.reading.veiling import load_campaign_as_known_before, must_see_balance, rests_on_hidden
from ledger.application.reading.verdicts import limit_fact_audiences, list_reasons
from ledger.application.save import Place, Save
from ledger.errors import LedgerError, Malformed, NotYours, WrongStatus
from ledger.events.records import RuledLate, Settle
from ledger.rules.kernel.answers import Said
from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.commands import CloseSession, Enrol, HandOver, OpenSession, Retire, SetDial
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.declarations import find_declarer, find_kind
from ledger.rules.kernel.declarers import may_declare
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.questions import Answer, question_json
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import decides_for_table
from ledger.rules.kernel.subjects import Subject, Viewer, scene, seat
from ledger.rules.kernel.table import RulingTable, Subjects, find_open_session, find_viewer, load_campaign_entry
from ledger.rules.kernel.veils import Veiled
from ledger.rules.kernel.world import PastRuling, list_recorded

#: Declarations that cannot be entered late, because they are about seats, players of characters, or options.
OF_THE_TABLE = (OpenSession, CloseSession, HandOver, Enrol, Retire, SetDial)
DEALS = ("draw", "shuffle")


@dataclass(frozen=True, slots=True)
class LateDeclaration:
    """A declaration to enter late, with its answers in order. `after`: the ruling that it follows in play."""

    do: object
    scene: str | None
    answers: Sequence[Answer]
    after: int
    settle: Settle = "flag"


def enter_late(late: LateDeclaration, present: Present) -> Act:
    """Return the act that rules on the declaration at its place in play, using the state there as it is known today.
    Each later ruling with a different result gets a finding, or is ruled again.
    """
    content = {
        "declare": json_form.declaration_to_json(late.do),
        "scene": late.scene,
        "answers": [json_form.answer_to_json(mark_as_typed(answer)) for answer in late.answers],
        "dice": "table",
        "after": late.after,
        "settle": late.settle,
    }
    request = Request("declare", None, getattr(late.do, "reason", ""), content)
    return lambda save: carry_out_or_ask(save, request, make_entering_late(late), present)


def make_entering_late(late: LateDeclaration) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        entering = _Entering(save, late)
        shown_comparison = entering.compare()
        shown_ruling = entering.record(shown_comparison)
        return DecisionResult(201, shown_ruling, shown_comparison, do=entering.declaration)

    return make_decision


def preview_entering_late(save: Save, late: LateDeclaration) -> ShownComparison:
    """Return the changes that a late entry would make. `save` is not stored. Raise the same refusals as the
    late entry.
    """
    shown_comparison = _Entering(save, late).compare()
    assert save.viewer is not None
    must_know_what_follows(save.book, save.viewer, shown_comparison)
    return shown_comparison


class _Entering:
    """Rules on a declaration at its place in play, or refuses it if it cannot be entered there."""

    def __init__(self, save: Save, late: LateDeclaration) -> None:
        assert save.viewer is not None
        self.save, self.book, self.late, self.viewer = save, save.book, late, save.viewer
        self.number = save.book.campaign.rulings + 1
        self.after = _find_base(save.book, late.after, save.viewer)
        self.place = place_of(self.number, self.after)
        self._check_kind()
        self.past = load_past_before(save.book, load_history(save.book), self.place)
        self.declarer = self._find_declarer_then()
        self.scene = self._find_scene_then()
        known_campaign = load_campaign_as_known_before(save.book, save.viewer, self.place)
        self.declaration = self._complete_declaration(known_campaign)
        refuse_typed_dice(self.book, self.declaration, *map(mark_as_typed, late.answers))
        must_see_balance(self.book, self.viewer, self.declaration)
        answers = tuple(Said(mark_as_typed(answer), {}) for answer in late.answers)
        if known_campaign is not None and known_campaign.rests_on_hidden(self._make_past_ruling(answers)):
            _refuse_hidden()
        self.adjudication = self._adjudicate()
        verdict = self.adjudication.conversation.verdict
        assert verdict is not None
        self.verdict: Verdict[object] = verdict
        self.ruling = replace(
            self._make_past_ruling(read_answers(self.book, self.adjudication.answers_given)),
            facts=tuple(list_recorded(self.number, 0, verdict, self.after)),
            reads=frozenset(self.adjudication.table.reads),
        )
        if rests_on_hidden(self.book, self.ruling, self.viewer):
            _refuse_hidden()
        if adds_things(self.book, self.past.find, self.ruling.facts):
            _refuse_cards()

    def _check_kind(self) -> None:
        if not may_decide(self.book, self.viewer):
            raise NotYours("Only a game master can enter a ruling late.")
        if isinstance(self.late.do, OF_THE_TABLE):
            raise Malformed(
                f"{find_kind(self.late.do)!r} can't be entered late. Declare it now instead.",
                code="not-late",
                kind=find_kind(self.late.do),
            )

    def _find_declarer_then(self) -> Viewer:
        declarer = find_viewer(self.past, seat(self.viewer.seat))
        if declarer is None:
            raise NotYours(f"Your seat was not at the table after ruling {self.after}.", code="not-then")
        return declarer

    def _find_scene_then(self) -> Subject | None:
        scenes, id = load_campaign_entry(self.past).scenes, self.late.scene
        if id is None:
            return scene(scenes[0]) if len(scenes) == 1 else None
        if id not in scenes:
            folded = self.past.find(scene(id))
            has_existed = folded is not None and folded.entry is not None
            raise Refused("ledger.scene", "scene-closed" if has_existed else "unknown-scene", scene=id, given=id)
        return scene(id)

    def _complete_declaration(self, known_campaign: AsKnown | None) -> object:
        """Return the completed declaration. Raise NotYours unless the seat may declare it both today and at
        that place.
        """
        subjects: Subjects = known_campaign or self.past
        try:
            must_be_declarer(self.book, self.late.do, self.viewer, self.scene)
            table = self._make_table(subjects)
            is_allowed = may_declare(
                self.late.do, table, decides_for_table(self.past, self.declarer), load_campaign_entry(self.past).roster
            )
            declaration = self.book.ruleset.meant(self._make_table(subjects), self.late.do)
        except (LedgerError, Refused):
            raise
        except Veiled:
            _refuse_hidden()
        except Exception:
            if known_campaign is None:
                raise
            _refuse_hidden()  # rules without a defect fail only because of a veil
        if is_allowed is False:
            raise NotYours(
                f"Only {find_declarer(self.late.do).text} could declare that after ruling {self.after}.",
                code="not-then",
            )
        self.is_unsure = is_allowed is None
        return declaration

    def _make_table(self, subjects: Subjects) -> RulingTable:
        return RulingTable(self.book.ruleset, subjects, self.number, self.declarer, self.scene, after=self.after)

    def _make_past_ruling(self, answers: tuple[Said, ...]) -> PastRuling:
        edition = self.book.ruleset.edition
        return PastRuling(
            self.number,
            self.declaration,
            self.declarer,
            self.scene,
            answers,
            (),
            frozenset(),
            edition,
            after=self.after,
        )

    def _adjudicate(self) -> Adjudication:
        adjudication = Adjudication(
            self.save, self.declaration, self.declarer, self.scene, past=self.past, after=self.after
        )
        for answer in self.late.answers:
            _refuse_dealing(adjudication)
            adjudication.take_answer_from_seat(answer)
        _refuse_dealing(adjudication)
        if self.is_unsure:
            raise NotYours("Your seat can't declare that.")
        if adjudication.question is not None:
            question = question_json(adjudication.question)
            is_visible = self.viewer.may_see(adjudication.question.audience)
            raise Malformed(
                "A ruling entered late must be complete: send every answer with it, and enter the dice.",
                code="late-incomplete",
                question=question if is_visible else {"ask": question["ask"]},
            )
        _refuse_secret(adjudication)
        return adjudication

    def compare(self) -> ShownComparison:
        return compare_with_entered(self.book, self.ruling, self.save.position, self.late.settle)

    def record(self, shown_comparison: ShownComparison) -> ShownRuling:
        """Put the ruling and its consequences into the save."""
        save, adjudication = self.save, self.adjudication
        save.session = find_open_session(self.past) or ""
        first_place = len(save.events)
        addresses = save.put_facts(Place(self.number, after=self.after), limit_fact_audiences(self.verdict))
        fact_events = drop_legs(save.events[first_place:])
        record = RuledLate(
            declared=json_form.declaration_to_json(self.declaration),
            seat=self.declarer.seat,
            role=self.declarer.role,
            plays=tuple(sorted(self.declarer.characters)),
            scene=self.scene.id if self.scene is not None else None,
            answers=(*adjudication.answers_given, *adjudication.answers_set_aside),
            edition=self.book.ruleset.edition,
            dials=dict(load_campaign_entry(self.past).dials),
            because=list_reasons(self.verdict),
            reads=tuple(sorted(adjudication.table.reads)),
            facts=tuple(addresses),
            waited_as=save.consent.waited_as if save.consent is not None else None,
            after=self.after,
            ordinal=len(self.book.campaign.list_late_after(self.after)) + 1,
        )
        save.put(f"{self.book.id}/ruling/{self.number}", 0, record)
        reason = f"Ruling {self.number} was entered late, after ruling {self.after}."
        make_rulings_again(save, shown_comparison, self.number, reason)
        save.note_for_journal(
            "ruled",
            ruling=self.number,
            findings=shown_comparison.findings,
            settlements=list_clearing_settlements(self.book, shown_comparison, reason),
            after=self.after,
        )
        stamp = (save.by, save.at, save.session, save.position, None)
        ruling = Ruling(self.number, 1, *stamp, record, "standing", ())
        return ShownRuling(ruling, fact_events, declared=self.declaration)


def _find_base(book: Book, after: int, viewer: Viewer) -> int:
    """Return the ruling that the late entry follows: `after`, or if `after` was itself entered late, the ruling that
    `after` follows. Raise WrongStatus if `after` is not the last late entry at its place.
    """
    load_visible_ruling(book, after, viewer)
    base = book.campaign.bases.get(after)
    if base is None:
        return after
    last_number = book.campaign.list_late_after(base)[-1]
    if after != last_number:
        raise WrongStatus(
            f"Ruling {last_number} was entered late at the same place. Use ruling {base} or {last_number}.",
            code="not-last-there",
            ruling=after,
            last=last_number,
        )
    return base


def _refuse_dealing(adjudication: Adjudication) -> None:
    if adjudication.question is not None and question_json(adjudication.question)["ask"] in DEALS:
        _refuse_cards()


def _refuse_cards() -> NoReturn:
    """Refuse a ruling that draws, adds or shuffles cards, because later rulings may have drawn the same cards."""
    raise Malformed("A ruling that draws, adds or shuffles cards can't be entered late.", code="late-cards")


def _refuse_secret(adjudication: Adjudication) -> None:
    verdict = adjudication.conversation.verdict
    if verdict is not None and verdict.audience is not None:
        raise Malformed("You can't enter a ruling late if it is hidden from some players.", code="late-secret")


def _refuse_hidden() -> NoReturn:
    raise NotYours(
        "You can't enter this late, because it depends on information hidden from you.", code="rests-on-hidden"
    )
