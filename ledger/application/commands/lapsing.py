"""Let waiting declarations lapse in the save of the ruling that makes them impossible.

Everybody sees that a declaration lapsed, so it lapses only if that reveals nothing hidden. A declaration that depends
on something hidden keeps waiting until it is withdrawn. A hidden declaration lapses only with its scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.pasts import log_problem, read_answers
from ledger.application.reading.repeating import list_same_declarations
from ledger.application.reading.veiling import NOBODY, make_campaign_known_to_all
from ledger.application.reading.waiting import is_answered_by_ledger, may_know_everything
from ledger.application.save import Save
from ledger.events.envelope import Event
from ledger.events.records import Given, Lapsed, Unsupported
from ledger.rules.kernel.adjudication import Failed, Outcome, Waiting, replay
from ledger.rules.kernel.answers import asks_the_same
from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.declarations import can_outlive_scene
from ledger.rules.kernel.declarers import may_declare
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.questions import list_open_questions, question_json
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import decides_for_table
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Subject, Viewer, scene, seat
from ledger.rules.kernel.table import RulingTable, Subjects, find_viewer, load_campaign_entry
from ledger.rules.kernel.veils import VEIL, Veiled
from ledger.rules.kernel.world import PastRuling

#: Returns the outcome of a declaration with its answers so far, or None if the outcome depends on something hidden.
Replay = Callable[[PastRuling], Outcome | None]


def lapse_unanswerable_declarations(
    save: Save, number: int, answered_declaration: Pending | None
) -> tuple[Pending, ...]:
    """Put into the ruling's save the lapse of each declaration that the ruling makes impossible. Return these
    declarations.

    Call this after all facts of the ruling. `answered_declaration`: the declaration that became the ruling.
    """
    waiting_ids = save.book.campaign.waiting_ids
    if not waiting_ids or (
        answered_declaration is not None and len(waiting_ids) == 1 and answered_declaration.id in waiting_ids
    ):
        return ()
    campaign_after = _CampaignAfter(save)
    ended_declarations: list[Pending] = []
    for pending in save.book.list_waiting():
        if answered_declaration is None or pending.id != answered_declaration.id:
            if pending.unreadable:
                record_lapse(save, pending, make_unreadable_lapse(number))
                ended_declarations.append(pending)
                continue
            lapse = (
                campaign_after.find_lapse(pending, number)
                if may_know_everything(NOBODY, pending)
                else campaign_after.find_lapse_with_scene(pending, number)
            )
            if lapse is not None:
                record_lapse(save, pending, lapse)
                ended_declarations.append(pending)
    return tuple(ended_declarations)


def record_lapse(save: Save, pending: Pending, lapse: Lapsed) -> Pending:
    """Record in the save that a declaration lapsed. Return the updated declaration."""
    save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, lapse, audience=pending.audience)
    return replace(pending.finish(), version=pending.version + 1, status="lapsed", lapsed=lapse)


def make_unreadable_lapse(number: int) -> Lapsed:
    """Return the lapse of a declaration that the installed rules cannot read. `number`: the last ruling."""
    return Lapsed(number, Unsupported("ledger.edition", "unreadable-today", {}))


class _CampaignAfter:
    """The campaign after this save, with veils over every subject that has a hidden fact. If a rule looks behind a
    veil, the campaign as everybody knows it is used instead.
    """

    def __init__(self, save: Save) -> None:
        self.book = save.book
        self.facts = list(_list_facts(save.events))
        self.bare_subjects = _BareSubjects(save.book, self.facts)
        self._campaign_as_known: AsKnown | None = None

    def find_lapse(self, pending: Pending, number: int) -> Lapsed | None:
        """Return the lapse of the declaration, or None. An error in the rules is logged and does not stop
        the ruling.
        """
        try:
            try:
                return find_lapse(self.book, self.bare_subjects, self.bare_subjects.adjudicate, pending, number)
            except Veiled:
                return find_lapse(self.book, self.campaign_as_known, self._replay_as_known, pending, number)
        except Veiled:
            return None
        except Exception as problem:  # noqa: BLE001  (a game's defect can raise anything)
            log_problem(self.book.id, pending.id, problem)
            return None

    def find_lapse_with_scene(self, pending: Pending, number: int) -> Lapsed | None:
        """Return the lapse of a hidden declaration if its scene was closed, or None."""
        return _find_lapse_with_scene(
            self.bare_subjects, json_form.declaration_from_json(self.book.ruleset, pending.declared), pending, number
        )

    @property
    def campaign_as_known(self) -> AsKnown:
        if self._campaign_as_known is None:
            self._campaign_as_known = make_campaign_known_to_all(self.book, self.facts)
        return self._campaign_as_known

    def _replay_as_known(self, ruling: PastRuling) -> Outcome | None:
        replayed_ruling = self.campaign_as_known.replay(ruling)
        return replayed_ruling.outcome if replayed_ruling is not None else None


def find_lapse(book: Book, subjects: Subjects, replay_ruling: Replay, pending: Pending, number: int) -> Lapsed | None:
    """Return the lapse of the declaration because of ruling `number`, or None. Raise Veiled if the answer depends on a
    veil.
    """
    entry = load_campaign_entry(subjects)
    do = json_form.declaration_from_json(book.ruleset, pending.declared)
    named_scene = scene(entry.scenes[0]) if len(entry.scenes) == 1 else None
    if pending.scene is not None:
        if (lapse := _find_lapse_with_scene(subjects, do, pending, number)) is not None:
            return lapse
        named_scene = scene(pending.scene)
    declarer = find_viewer(subjects, seat(pending.seat)) or Viewer(pending.seat, "player")
    table = RulingTable(book.ruleset, subjects, number + 1, declarer, named_scene)
    is_allowed = may_declare(do, table, decides_for_table(subjects, declarer), entry.roster)
    if is_allowed is False:
        return Lapsed(number)
    usable_answers = [answer for answer in pending.answers if not answer.set_aside or is_answered_by_ledger(answer)]

    def replay_on(answers: Iterable[Given]) -> Outcome | None:
        parsed_answers, edition = read_answers(book, answers), book.ruleset.edition
        return replay_ruling(
            PastRuling(number + 1, do, declarer, named_scene, parsed_answers, (), frozenset(), edition)
        )

    outcome = replay_on(answer for answer in usable_answers if not answer.withheld)
    if isinstance(outcome, Waiting) and _are_answered(outcome, usable_answers):
        outcome = replay_on(usable_answers)
    if isinstance(outcome, Refused) and not isinstance(outcome, Failed):
        context = json_form.to_json(outcome.context)
        return Lapsed(number, Unsupported(outcome.rule, outcome.code, context, outcome.audience))
    if isinstance(outcome, Verdict):
        return Lapsed(number)  # no seat is asked any more, so nobody could answer it
    return Lapsed(number) if is_allowed is None and outcome is not None else None  # its owner cannot be determined


def _are_answered(waiting: Waiting, answers: Iterable[Given]) -> bool:
    """Return whether the withheld answers answer every open question."""
    answered_questions = [answer.question for answer in answers if answer.withheld]
    questions = map(question_json, list_open_questions(waiting.question))
    return all(
        any(asks_the_same(question, answered_question) for answered_question in answered_questions)
        for question in questions
    )


def _find_lapse_with_scene(subjects: Subjects, do: object, pending: Pending, number: int) -> Lapsed | None:
    """Return the lapse of the declaration if its scene was closed, else None."""
    if pending.scene is None or pending.scene in load_campaign_entry(subjects).scenes or can_outlive_scene(do):
        return None
    return Lapsed(number, Unsupported("ledger.scene", "scene-closed", {"scene": pending.scene}))


def _list_facts(events: Iterable[Event]) -> Iterator[tuple[Subject, Recorded]]:
    for event in events:
        _, kind, id = event.originator_id.split("/", 2)
        if kind in SUBJECT_KINDS:
            yield Subject(kind, id), event.body


class _NoPurse(dict[str, int]):
    """Balances that must not be read."""

    def get(self, account: str, default: Any = None) -> NoReturn:
        raise Veiled


class _BareSubjects:
    """The subjects after a save. A subject with a hidden fact shows only its identity."""

    def __init__(self, book: Book, facts: Iterable[tuple[Subject, Recorded]]) -> None:
        self.book = book
        self.ruleset = book.ruleset
        self._new_bodies: dict[Subject, list[Recorded]] = {}
        for subject, body in facts:
            self._new_bodies.setdefault(subject, []).append(body)
        self._folded_subjects: dict[Subject, Folded[Any] | None] = {}

    def find(self, subject: Subject) -> Folded[Any] | None:
        if subject not in self._folded_subjects:
            self._folded_subjects[subject] = self._fold_after(subject)
        return self._folded_subjects[subject]

    def seats(self) -> Sequence[Subject]:
        return self.book.seats()

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        facts = self.book.cited(number)
        if any(body.audience is not None for _, body in facts):
            raise Veiled
        return facts

    def adjudicate(self, ruling: PastRuling) -> Outcome:
        table = RulingTable(self.ruleset, self, ruling.number, ruling.by, ruling.scene)
        return replay(self.ruleset, table, ruling.declared, ruling.said).outcome

    def _fold_after(self, subject: Subject) -> Folded[Any] | None:
        folded_before: Folded[Any] | None = self.book.find(subject)
        bodies = self._new_bodies.get(subject, ())
        is_secret = any(body.audience is not None for body in bodies)
        if folded_before is not None:
            is_secret = is_secret or self.book.load_stream(subject).has_secrets
        if not bodies and not is_secret:
            return folded_before
        folded_after: Folded[Any] = (
            folded_before.copy_ahead() if folded_before is not None else Folded(self.ruleset, subject)
        )
        for body in bodies:
            folded_after.apply_fact(body)
        if is_secret:
            folded_after.state, folded_after.purse = VEIL, _NoPurse()
        return folded_after


# --- declared again ---


def find_rolled_declaration(book: Book, do: object, viewer: Viewer, named_scene: Subject | None) -> Pending | None:
    """Return the lapsed declaration that the seat declares again, or None. The ledger's dice are kept, and the answers
    that people gave are set aside.
    """
    for pending in list_same_declarations(book.load_pendings(book.campaign.lapsed_ids), do, viewer, named_scene):
        return replace(pending, answers=tuple(map(_set_aside_unless_by_ledger, pending.answers)))
    return None


def _set_aside_unless_by_ledger(answer: Given) -> Given:
    return answer if is_answered_by_ledger(answer) else replace(answer, set_aside=True)
