"""The fold of standing facts, adjudication on recorded answers, and the comparison of two pasts. Pure.

Facts fold by (ruling, step), never by the order in which they were stored. Which facts of a ruling stand is a map
`ruling -> revision` (None: struck; missing: 0, as first ruled), so striking, restoring and revising are one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ledger.rules.kernel import housekeeping, json_types, purses
from ledger.rules.kernel.answers import RecordedAnswers, Said, asks_the_same, cut_to, key_of
from ledger.rules.kernel.contract import (
    Answer,
    Audience,
    Posting,
    Question,
    Refused,
    Ruleset,
    Subject,
    Table,
    Unfit,
    Verdict,
)
from ledger.rules.kernel.questions import question_json

S = TypeVar("S")
Standing: TypeAlias = Mapping[int, int | None]
KERNEL_FACTS = frozenset(housekeeping.FACTS)


class Recorded(Protocol):
    """A fact as it was recorded: its place in the fold, and what it moved."""

    @property
    def ruling(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def revision(self) -> int: ...
    @property
    def fact(self) -> Any: ...
    @property
    def postings(self) -> tuple[Posting, ...]: ...
    @property
    def audience(self) -> Audience: ...


class Folded(Generic[S]):
    """A subject as its standing facts make it: the kernel's card, the system's state, its purse.

    Changes in place, fact by fact; the state and the card themselves are frozen. `adrift`: places (ruling, step) of
    facts that found no ground.
    """

    __slots__ = ("_prefix", "adrift", "card", "purse", "ruleset", "state", "subject")

    def __init__(self, ruleset: Ruleset[Any, Any], subject: Subject) -> None:
        self.ruleset = ruleset
        self.subject = subject
        self._prefix = f"{subject}/"
        self.card: housekeeping.Card | None = None
        self.state: S = ruleset.blank(subject.kind)
        self.purse: dict[str, int] = {}
        self.adrift: list[tuple[int, int]] = []

    def copy(self) -> Folded[S]:
        other: Folded[S] = Folded.__new__(Folded)
        other.ruleset, other.subject, other._prefix = self.ruleset, self.subject, self._prefix
        other.card, other.state, other.purse = self.card, self.state, dict(self.purse)
        other.adrift = list(self.adrift)
        return other

    def same_as(self, other: Folded[S]) -> bool:
        return (
            self.state == other.state
            and self.card == other.card
            and self.adrift == other.adrift
            and {account: n for account, n in self.purse.items() if n}
            == {account: n for account, n in other.purse.items() if n}
        )

    def take(self, done: Recorded) -> None:
        """One standing fact, in its turn. Total: whatever finds no ground is noted in `adrift`."""
        fact = done.fact
        if type(fact) in KERNEL_FACTS:
            if not self._keep(fact):
                self.adrift.append((done.ruling, done.step))
        else:
            before: Any = self.state
            after = self.ruleset.apply(before, fact)
            if after.adrift is not before.adrift and len(after.adrift) != len(before.adrift):
                self.adrift.append((done.ruling, done.step))
            self.state = after
        if done.postings:
            purses.post(self.purse, self._prefix, done.postings)

    def _keep(self, fact: Any) -> bool:
        if isinstance(fact, housekeeping.Amended):
            try:
                self.state = json_types.replace_at(self.state, fact.field, fact.value)
            except json_types.Misshapen:
                return False
            return True
        if isinstance(fact, housekeeping.Leg | housekeeping.Adjusted):
            return True
        card = housekeeping.apply(self.card, fact)
        if card is not None:
            self.card = card
        return card is not None

    def overdrawn(self) -> dict[str, int]:
        """Accounts below zero."""
        return {account: balance for account, balance in self.purse.items() if balance < 0}


def standing(facts: Iterable[Any], revisions: Standing) -> list[Any]:
    """The facts that stand, in the order in which they fold."""
    revision = revisions.get
    kept = [done for done in facts if revision(done.ruling, 0) == done.revision]
    kept.sort(key=attrgetter("ruling", "step"))
    return kept


def fold(ruleset: Ruleset[Any, Any], subject: Subject, facts: Iterable[Any], revisions: Standing) -> Folded[Any]:
    """A subject from its recorded facts and what stands of them."""
    folded: Folded[Any] = Folded(ruleset, subject)
    take = folded.take
    for done in standing(facts, revisions):
        take(done)
    return folded


# --- adjudication on answers --------------------------------------------------------------------------------------


class Conversation:
    """One adjudication in progress: its open question, or its verdict.

    Raises Refused as the rules do; an answer that does not fit raises Unfit and leaves `question` as it was.
    `answered`: the questions before it, in order.
    """

    def __init__(self, ruleset: Ruleset[Any, Any], table: Table[Any], do: Any) -> None:
        self._run = housekeeping.adjudicate(ruleset, table, do)
        self.question: Question | None = None
        self.answered: list[Question] = []
        self.verdict: Verdict[Any] | None = None
        self._advance(None)

    def answer(self, answer: Answer) -> None:
        if self.question is None:
            raise Unfit("ledger.answer", "not-asked")
        asked = self.question
        self._advance(answer)
        self.answered.append(asked)

    def _advance(self, answer: Answer) -> None:
        try:
            self.question = next(self._run) if answer is None else self._run.send(answer)
        except StopIteration as done:
            self.question, self.verdict = None, done.value


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """An adjudication that needs more than was recorded: its open question. Equal to another that asks the same.

    `unfit`: why the answer at this `place` does not fit it, where one was recorded.
    """

    question: Question
    unfit: Unfit | None = None
    place: int | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Waiting):
            return NotImplemented
        return asks_the_same(question_json(self.question), question_json(other.question))

    def __hash__(self) -> int:
        return hash(key_of(question_json(self.question)))


class Failed(Refused):
    """The rules broke on it: a defect of theirs (`problem`), which must not keep a table from deciding."""

    def __init__(self, problem: Exception) -> None:
        super().__init__("ledger.replay", "rules-failed")
        self.problem = problem


Outcome: TypeAlias = Verdict[Any] | Waiting | Refused


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a declaration comes out on recorded answers.

    `heard`: each question that was answered, and the place of its answer.
    """

    outcome: Outcome
    heard: tuple[tuple[Question, int], ...]


def replay(ruleset: Ruleset[Any, Any], table: Table[Any], do: Any, said: Sequence[Said]) -> Replayed:
    """A declaration on recorded answers. Never raises: a refusal is an outcome, so is a question nobody answered.

    Each question hears the answer that was given to it, also one that was set aside: no roll is ever made twice. Those
    no longer asked for are passed over; one that no longer fits is a question again.
    """
    heard: list[tuple[Question, int]] = []
    recorded = RecordedAnswers(said)
    try:
        conversation = Conversation(ruleset, table, do)
        while (question := conversation.question) is not None:
            place = recorded.place(question)
            if place is None:
                return Replayed(Waiting(question), tuple(heard))
            heard.append((question, place))
            try:
                conversation.answer(cut_to(question, said[place].answer))
            except Unfit as unfit:
                return Replayed(Waiting(question, unfit, place), tuple(heard[:-1]))
    except Refused as refusal:
        return Replayed(refusal, tuple(heard))
    except Exception as problem:  # noqa: BLE001  (whatever a system's defect raises; told to who looks, and logged)
        return Replayed(Failed(problem), tuple(heard))
    assert conversation.verdict is not None
    return Replayed(conversation.verdict, tuple(heard))
