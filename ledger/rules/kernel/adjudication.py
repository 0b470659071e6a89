"""Adjudicate declarations, live or with recorded answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from ledger.rules.kernel import purses
from ledger.rules.kernel.amending import amend
from ledger.rules.kernel.answers import RecordedAnswers, Said, asks_the_same, make_recorded_key, trim_answer_to
from ledger.rules.kernel.citations import check_citations
from ledger.rules.kernel.commands import (
    INPUTS,
    Adjust,
    Amend,
    CloseScene,
    CloseSession,
    Enrol,
    HandOver,
    OpenScene,
    OpenSession,
    Retire,
    SetDial,
)
from ledger.rules.kernel.contract import About, AnyRuleset, Posting, Step, Table, Verdict, step
from ledger.rules.kernel.dials import check_dial
from ledger.rules.kernel.facts import (
    Adjusted,
    CharacterEnrolled,
    CharacterHandedOver,
    CharacterReseated,
    CharacterRetired,
    CharacterSeated,
    DialSet,
    SceneBegun,
    SceneClosed,
    SceneEnded,
    SceneOpened,
    SessionClosed,
    SessionOpened,
)
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.questions import Answer, Asking, Question, Reply, list_open_questions, question_json
from ledger.rules.kernel.refusals import Refused, Unfit, must_say
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene, seat
from ledger.rules.kernel.upcasting import AsRecorded

KernelFacts: TypeAlias = tuple[About[object], ...]


def adjudicate(ruleset: AnyRuleset, table: Table[object], do: object) -> Asking[Verdict[object]]:
    """Adjudicate a declaration. Raise Refused if an account cannot pay.

    For a declaration of the kernel, the kernel's facts come before the game's.
    """
    check_citations(table, do)
    game_asking = ruleset.adjudicate(table, do)
    if isinstance(do, Enrol):
        _check_enrolment(table, do, game_asking)
    kernel_facts, kernel_steps = _decide_kernel_part(ruleset, table, do) if type(do) in INPUTS else ((), ())
    verdict = yield from game_asking
    if kernel_facts:
        verdict = Verdict((*kernel_facts, *verdict.facts), (*kernel_steps, *verdict.because), verdict.audience)
    postings = [posting for fact in verdict.facts for posting in fact.postings]
    if postings:
        purses.check_spends(postings, table.balance)
    return verdict


def _decide_kernel_part(ruleset: AnyRuleset, table: Table[object], do: Any) -> tuple[KernelFacts, tuple[Step, ...]]:
    match do:
        case Enrol():
            return _make_enrolment_facts(table, do), ()
        case HandOver():
            return _make_handover_facts(table, do), ()
        case Retire():
            return _make_retirement_facts(table, do), ()
        case OpenScene():
            return _make_scene_opening_facts(table, do), ()
        case CloseScene():
            return _make_scene_closing_facts(table, do), ()
        case OpenSession():
            return _make_session_opening_facts(table, do), ()
        case CloseSession():
            return _make_session_closing_facts(table, do), ()
        case SetDial():
            return _make_dial_facts(ruleset, do)
        case Amend():
            return amend(ruleset, table, do)
        case _:
            return _make_adjustment_facts(table, do), ()


def _check_enrolment(table: Table[object], do: Enrol[object], game_asking: Asking[Verdict[object]]) -> None:
    """Check an enrolment. If the kernel finds faults, report the game's faults together with them."""
    faults = Faults()
    with faults.at("name"):
        must_say("ledger.enrol", name=do.name)
    with faults.at("seat"):
        _require_playing_seat("ledger.enrol", table, do.seat)
    if faults.found:
        with faults.at("sheet"), suppress(StopIteration):
            next(game_asking)
        faults.raise_found()


def _make_enrolment_facts(table: Table[object], do: Enrol[object]) -> KernelFacts:
    id = str(table.number)
    enrolment: About[object] = About(character(id), CharacterEnrolled(do.name, do.seat))
    return (enrolment, About(CAMPAIGN, CharacterSeated(id, do.seat)))


def _require_playing_seat(rule: str, table: Table[object], id: str) -> None:
    if not table.has(seat(id)):
        raise Refused(rule, "unknown-seat", seat=id, given=id)
    if not table.is_open(seat(id)):
        raise Refused(rule, "seat-removed", seat=id)


def _make_handover_facts(table: Table[object], do: HandOver) -> KernelFacts:
    table.owner(character(do.character))
    _require_playing_seat("ledger.hand-over", table, do.seat)
    handover: About[object] = About(character(do.character), CharacterHandedOver(do.seat))
    return (handover, About(CAMPAIGN, CharacterReseated(do.character, do.seat)))


def _make_retirement_facts(table: Table[object], do: Retire) -> KernelFacts:
    table.owner(character(do.character))
    must_say("ledger.retire", reason=do.reason)
    if not table.is_open(character(do.character)):
        raise Refused("ledger.retire", "already-retired", character=do.character)
    return (About(character(do.character), CharacterRetired(do.reason)),)


def _make_scene_opening_facts(table: Table[object], do: OpenScene) -> KernelFacts:
    must_say("ledger.scene", title=do.title)
    for id in do.cast:
        table.owner(character(id))
    if len(set(do.cast)) != len(do.cast):
        raise Refused("ledger.scene", "duplicate", cast=list(do.cast))
    id = str(table.number)
    opening: About[object] = About(scene(id), SceneOpened(do.title, do.cast))
    return (opening, About(CAMPAIGN, SceneBegun(id)))


def _make_scene_closing_facts(table: Table[object], do: CloseScene) -> KernelFacts:
    if not table.has(scene(do.scene)):
        raise Refused("ledger.scene", "unknown-scene", scene=do.scene, given=do.scene)
    if not table.is_open(scene(do.scene)):
        raise Refused("ledger.scene", "scene-closed", scene=do.scene)
    closing: About[object] = About(scene(do.scene), SceneClosed())
    return (closing, About(CAMPAIGN, SceneEnded(do.scene)))


def _make_session_opening_facts(table: Table[object], do: OpenSession) -> KernelFacts:
    if table.session is not None:
        raise Refused("ledger.session", "session-open", session=table.session)
    return (About(CAMPAIGN, SessionOpened(str(table.number), do.title)),)


def _make_session_closing_facts(table: Table[object], do: CloseSession) -> KernelFacts:
    if table.session != do.session:
        raise Refused("ledger.session", "session-not-open", session=do.session)
    return (About(CAMPAIGN, SessionClosed(do.session)),)


def _make_dial_facts(ruleset: AnyRuleset, do: SetDial) -> tuple[KernelFacts, tuple[Step, ...]]:
    rule = check_dial(ruleset, do.name, do.value)
    must_say("ledger.dial", reason=do.reason)
    return (About(CAMPAIGN, DialSet(do.name, do.value, do.reason)),), (step(rule, do.value, dial=do.name),)


def _make_adjustment_facts(table: Table[object], do: Adjust) -> KernelFacts:
    must_say("ledger.adjust", reason=do.reason)
    posting = Posting(do.source, do.target, do.unit, do.amount)
    try:
        owners = purses.list_owners((posting,))
    except ValueError as problem:
        raise Refused("ledger.adjust", "unknown-account", problem=str(problem)) from None
    for owner in owners:
        if not table.has(owner):
            raise Refused("ledger.adjust", f"unknown-{owner.kind}", account=str(owner))
    if not owners:
        raise Refused("ledger.adjust", "unlimited-accounts", source=do.source, target=do.target)
    return (About(owners[0], Adjusted(do.reason), (posting,), do.seen_by),)


class Conversation:
    """An adjudication in progress, with its open question or its verdict.

    Its methods raise Refused if a rule refuses, and Unfit if an answer does not fit. After Unfit, `question` is
    unchanged.

    `question`: the first open question. `answered`: the answered questions, in order.
    """

    def __init__(self, ruleset: AnyRuleset, table: Table[object], do: object) -> None:
        self._asking: Any = adjudicate(ruleset, table, do)
        self.question: Question | None = None
        self.answered: list[Question] = []
        self.verdict: Verdict[Any] | None = None
        self._advance(None)

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """All open questions."""
        return list_open_questions(self.question)

    def answer(self, answer: Answer, place: int = 0) -> None:
        """Take an answer. `place`: the index of its question in `open_questions`."""
        if self.question is None:
            raise Unfit("ledger.answer", "not-asked")
        question = self.open_questions[place]
        self._advance(Reply(place, answer) if place else answer)
        self.answered.append(question)

    def _advance(self, answer: Answer | Reply | None) -> None:
        try:
            self.question = next(self._asking) if answer is None else self._asking.send(answer)
        except StopIteration as stop:
            self.question, self.verdict = None, stop.value


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """An adjudication that waits for an answer. Two are equal if they have the same open questions.

    `unfit`: why the recorded answer does not fit, if there is one. `place`: the place of that answer.
    """

    question: Question
    unfit: Unfit | None = None
    place: int | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Waiting):
            return NotImplemented
        questions, other_questions = list_open_questions(self.question), list_open_questions(other.question)
        return len(questions) == len(other_questions) and all(
            asks_the_same(question_json(question), question_json(other_question))
            for question, other_question in zip(questions, other_questions, strict=True)
        )

    def __hash__(self) -> int:
        return hash(make_recorded_key(question_json(self.question)))


class Failed(Refused):
    """An outcome: the rules raised an unexpected error (`problem`). The table can still decide about the ruling."""

    def __init__(self, problem: Exception) -> None:
        super().__init__("ledger.replay", "rules-failed")
        self.problem = problem


Outcome: TypeAlias = Verdict[Any] | Waiting | Refused


@quick
@dataclass(frozen=True, slots=True)
class Replayed:
    """The outcome of a declaration with recorded answers.

    `answered`: each answered question, with the place of its answer.
    """

    outcome: Outcome
    answered: tuple[tuple[Question, int], ...]


def replay(ruleset: AnyRuleset, table: Table[object], do: object, answers: Sequence[Said]) -> Replayed:
    """Replay a declaration with recorded answers. Refusals, missing answers and errors are outcomes and are never
    raised.

    A question can also get an answer that was set aside, so that nobody rolls twice. If an answer no longer fits, its
    question is open again.
    """
    if isinstance(do, AsRecorded):
        return Replayed(Refused("ledger.edition", "unreadable-today"), ())
    answered_questions: list[tuple[Question, int]] = []
    recorded_answers = RecordedAnswers(answers)
    try:
        conversation = Conversation(ruleset, table, do)
        while conversation.question is not None:
            claim = recorded_answers.claim_answer(conversation.open_questions)
            if claim is None:
                return Replayed(Waiting(conversation.question), tuple(answered_questions))
            question_index, answer_place = claim
            question = conversation.open_questions[question_index]
            answered_questions.append((question, answer_place))
            try:
                conversation.answer(trim_answer_to(question, answers[answer_place].answer), question_index)
            except Unfit as unfit:
                return Replayed(Waiting(question, unfit, answer_place), tuple(answered_questions[:-1]))
    except Refused as refusal:
        return Replayed(refusal.with_traceback(None), tuple(answered_questions))  # a traceback keeps its frames alive
    except Exception as problem:  # noqa: BLE001  (a game's defect can raise anything; it is shown and logged)
        return Replayed(Failed(problem), tuple(answered_questions))
    assert conversation.verdict is not None
    return Replayed(conversation.verdict, tuple(answered_questions))
