"""A ruling with all decisions about it, and the waiting declaration before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ledger.aggregates.rewinds import RecordedRewind
from ledger.errors import Fault, WrongStatus
from ledger.events.envelope import Body, Event, Json
from ledger.events.records import (
    Answered,
    Code,
    Consent,
    Decided,
    Decision,
    Declared,
    Declined,
    Given,
    Lapsed,
    Numbered,
    Retold,
    Rewound,
    Ruled,
    Settle,
    Unsupported,
    Withdrawn,
)
from ledger.rules.kernel.subjects import Audience, Viewer

Status: TypeAlias = Literal["standing", "disputed", "upheld", "overturned", "revised"]
#: The states of a waiting declaration. `standing`: it became a ruling.
WaitStatus: TypeAlias = Literal["waiting", "withdrawn", "lapsed", "standing"]
Command: TypeAlias = Literal["dispute", "uphold", "overturn", "reinstate", "revise", "witness", "take-back", "rewind"]

#: Decisions that change which facts stand.
CHANGING = frozenset(
    {"overturned", "reinstated", "revised", "reruled", "recounted", "set-aside", "taken-back", "rewound"}
)
#: The commands allowed in each status. Disputing an upheld ruling is an appeal.
ALLOWED: dict[Command, tuple[Status, ...]] = {
    "dispute": ("standing", "upheld", "revised"),
    "uphold": ("disputed",),
    "overturn": ("standing", "disputed", "upheld", "revised"),
    "reinstate": ("overturned",),
    "revise": ("standing", "disputed", "upheld", "revised", "overturned"),
    "witness": ("standing", "disputed", "upheld", "revised"),
    "take-back": ("standing", "disputed", "upheld", "revised"),
    "rewind": ("standing", "disputed", "upheld", "revised"),
}


def advance_status(status: Status, decision: Decided) -> Status:
    """Return the status after a decision. Witnessing or recounting a ruling does not change it."""
    match decision.decision:
        case "witnessed" | "recounted":
            return status
        case "set-aside" | "taken-back" | "rewound":
            return "overturned"
        case "reinstated":
            return "revised" if decision.revision else "standing"
        case "reruled":
            return "disputed" if status == "disputed" else "revised"
        case reached_status:
            return reached_status


@dataclass(frozen=True, slots=True)
class Decree:
    """A decision about a ruling, with its seat, time and reason.

    - revision: the revision that stands after it, if any.
    - status: the ruling's status after it.
    - audience: who may know of the decision, if this is not the ruling's audience.
    - consent: the consent that it waited for.
    - through: the last ruling that a rewind overturned.
    - shared: the decision's version in the stream of rewinds, if it is not in the ruling's own stream; else 0.
    """

    decision: Decision
    by: str
    at: str
    position: int
    reason: str
    settle: Settle | None
    also: tuple[int, ...]
    revision: int | None = None
    code: Code | None = None
    cause: int | None = None
    status: Status = "standing"
    audience: Audience = None
    consent: Consent | None = None
    through: int | None = None
    shared: int = 0


@dataclass(frozen=True, slots=True)
class EarlierRevision:
    """An earlier revision of a ruling, with its seat and time. `refused`: the refusal, if the rules refused it. It then
    has no facts.
    """

    ruled: Ruled
    by: str
    at: str
    position: int
    refused: Unsupported | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A numbered ruling. `by`, `at`, `position`: the seat, time and position of its first revision. `earlier`: the
    replaced revisions, in order.

    `ruled`, `refused`, `revision`: the latest revision, which stands unless the ruling is overturned.
    """

    number: int
    version: int
    by: str
    at: str
    session: str
    position: int
    audience: Audience
    ruled: Ruled
    status: Status
    decisions: tuple[Decree, ...]
    earlier: tuple[EarlierRevision, ...] = ()
    refused: Unsupported | None = None

    @property
    def stream_version(self) -> int:
        """Return the version of the latest event in the ruling's own stream."""
        return self.version - sum(decree.shared > 0 for decree in self.decisions)

    @property
    def rewound_with(self) -> int | None:
        """Return the first ruling of the rewind that overturned this ruling, or None."""
        last_decree = self.decisions[-1] if self.decisions else None
        if last_decree is None or last_decree.decision != "rewound":
            return None
        return last_decree.cause or self.number

    @property
    def stands(self) -> bool:
        return self.status != "overturned"

    @property
    def revision(self) -> int:
        return len(self.earlier)

    @property
    def standing(self) -> int | None:
        """Return the standing revision, or None."""
        return self.revision if self.stands else None

    @property
    def change_count(self) -> int:
        """Return the number of decisions that changed which facts of the ruling stand."""
        return sum(decree.decision in CHANGING for decree in self.decisions)

    @property
    def responsible_seat(self) -> str:
        """Return the seat responsible for the current declaration: the seat that last revised it, or the declarer."""
        return next((decree.by for decree in reversed(self.decisions) if decree.decision == "revised"), self.ruled.seat)

    @property
    def refusals(self) -> list[Unsupported | None]:
        """Return the refusal of each revision, in order. None means that the revision was not refused."""
        return [*(earlier.refused for earlier in self.earlier), self.refused]

    @property
    def streams(self) -> list[str]:
        """Return every stream that a revision of the ruling changed."""
        rulings = [*(earlier.ruled for earlier in self.earlier), self.ruled]
        return list(dict.fromkeys(address.stream for ruled in rulings for address in ruled.facts))

    def count_version_for(self, viewer: Viewer) -> int:
        """Return the version as the seat may know it: without hidden decisions."""
        return self.version - sum(not viewer.may_see(decree.audience) for decree in self.decisions)

    def apply_decision(
        self, decision: Decided, by: str, at: str, position: int, audience: Audience = None, shared: int = 0
    ) -> Ruling:
        """Return the ruling after one more decision. `shared`: as in `Decree`."""
        status = advance_status(self.status, decision)
        seen_by = audience if audience != self.audience else None
        decree = Decree(
            decision.decision,
            by,
            at,
            position,
            decision.reason,
            decision.settle,
            decision.also,
            decision.revision,
            decision.code,
            decision.cause,
            status,
            seen_by,
            decision.consent,
            decision.through if isinstance(decision, Rewound) else None,
            shared,
        )
        ruling = replace(self, version=self.version + 1, status=status, decisions=(*self.decisions, decree))
        return ruling if decision.retold is None else ruling._apply_revision(decision.retold)

    def apply_rewind(self, recorded: RecordedRewind) -> Ruling:
        """Return the ruling after a rewind that began at an earlier ruling, or after such a rewind is reinstated."""
        rewind, decision = recorded.rewind, None
        if rewind.decision == "rewound" and self.stands:
            decision = Decided("rewound", rewind.reason, "flag", cause=rewind.first)
        elif rewind.decision == "reinstated" and self.rewound_with == rewind.first:
            decision = Decided("reinstated", rewind.reason, revision=self.revision, cause=rewind.first)
        if decision is None or not recorded.covers(self.number):
            return self
        stamp = (recorded.by, recorded.at, recorded.position, self.audience)
        return self.apply_decision(decision, *stamp, shared=recorded.version)

    def _apply_revision(self, retold: Retold) -> Ruling:
        earlier_decisions = self.decisions[-2::-1]
        last_revising = next(
            (decree for decree in earlier_decisions if decree.decision in ("revised", "reruled", "recounted")), None
        )
        by, at, position = (
            (last_revising.by, last_revising.at, last_revising.position)
            if last_revising
            else (self.by, self.at, self.position)
        )
        replaced_revision = EarlierRevision(self.ruled, by, at, position, self.refused)
        ruled = replace(
            self.ruled,
            declared=retold.declared,
            answers=retold.answers,
            edition=retold.edition,
            dials=retold.dials,
            because=retold.because,
            reads=retold.reads,
            facts=retold.facts,
        )
        return replace(self, ruled=ruled, refused=retold.refused, earlier=(*self.earlier, replaced_revision))

    def check_allows(self, command: Command) -> None:
        """Raise WrongStatus unless the command is allowed in this status."""
        if self.status not in ALLOWED[command]:
            allowed_statuses = " or ".join(ALLOWED[command])
            verb = command.replace("-", " ")
            raise WrongStatus(
                f"Ruling {self.number} is {self.status}. To {verb} it, it must be {allowed_statuses}.",
                ruling=self.number,
                status=self.status,
            )


def fold_ruling(number: int, events: Iterable[Event], rewinds: Iterable[RecordedRewind] = ()) -> Ruling | None:
    """Return a ruling from its stream, or None if there is none. `rewinds`: the campaign's rewinds, in order."""
    ruling: Ruling | None = None
    covering_rewinds = deque(recorded for recorded in rewinds if recorded.covers(number))
    for event in events:
        body: Body[object] = event.body
        while ruling is not None and covering_rewinds and covering_rewinds[0].position <= body.position:
            ruling = ruling.apply_rewind(covering_rewinds.popleft())
        match body.fact:
            case Ruled() as ruled if ruling is None:
                origin = (body.by, body.at, body.session, body.position, body.audience)
                ruling = Ruling(number, event.originator_version, *origin, ruled, "standing", ())
            case Decided() as decision if ruling is not None:
                ruling = ruling.apply_decision(decision, body.by, body.at, body.position, body.audience)
            case _:
                raise Fault(f"The stream of ruling {number} contains an unexpected event.", ruling=number)
    for recorded in covering_rewinds:
        ruling = ruling.apply_rewind(recorded) if ruling is not None else None
    return ruling


@dataclass(frozen=True, slots=True)
class Pending:
    """A declaration that waits, or waited, for an answer.

    - secretly: for each answer to a secret question, the asked seat and the question's audience.
    - beside: the questions that are open at the same time as `question`.
    - changeable: questions asked at the same time and already answered. Their answers can still be changed.
    - answered: the question answered last.
    - last: the question that was open at the end.
    - follows: for an automatic step, the ruling that began the steps.
    - lapsed: the ruling that made the declaration impossible, and the reason.
    - declined: the refusal that ended the declaration.
    - position: the position of the save with the declaration.
    - of_earlier_edition: whether the declaration was stored under an earlier edition of the game's rules. It is
      converted to the current form, unless the installed rules can't read it (`unreadable`).
    """

    id: str
    version: int
    at: str
    declared: Json
    seat: str
    scene: str | None
    dice: Literal["ledger", "table"]
    answers: tuple[Given, ...]
    question: Json | None
    status: WaitStatus
    audience: Audience
    ruling: int | None = None
    reason: str | None = None
    secretly: tuple[tuple[str, Audience], ...] = ()
    lapsed: Lapsed | None = None
    declined: Declined | None = None
    last: Json | None = None
    position: int = 0
    of_earlier_edition: bool = False
    unreadable: bool = False
    beside: tuple[Json, ...] = ()
    changeable: tuple[Json, ...] = ()
    answered: Json | None = None
    follows: int | None = None

    @property
    def open(self) -> tuple[Json, ...]:
        """Return all open questions."""
        return (self.question, *self.beside) if self.question is not None else ()

    def count_version_for(self, viewer: Viewer) -> int:
        """Return the version as the seat may know it: without hidden answers. For the declarer, all answers count."""
        if viewer.seat == self.seat:
            return self.version
        return self.version - sum(
            viewer.seat != asked_seat and not viewer.may_see(audience) for asked_seat, audience in self.secretly
        )

    def add_answer(self, fact: Answered) -> Pending:
        """Return the declaration after an answer to a question, with the next question."""
        answered_question = fact.answered or self.question or {}
        audience = answered_question.get("audience")
        seats_and_audiences = self.secretly
        if audience is not None:
            seats_and_audiences = (*seats_and_audiences, (answered_question.get("seat") or "", tuple(audience)))
        return replace(
            self,
            version=self.version + 1,
            answers=fact.answers,
            question=fact.question,
            secretly=seats_and_audiences,
            beside=fact.beside,
            changeable=fact.changeable,
            answered=answered_question,
        )

    def finish(self, last_question: Json | None = None) -> Pending:
        """Return the declaration after its last question. `last_question`: that question, if it is not `question`."""
        last_question = last_question or self.question
        return replace(
            self, question=None, last=last_question or self.last, answered=last_question, beside=(), changeable=()
        )

    def check_still_waiting(self) -> None:
        if self.status != "waiting":
            what_happened = f"became ruling {self.ruling}" if self.ruling else "was withdrawn"
            if self.lapsed is not None:
                what_happened = f"is no longer possible because of ruling {self.lapsed.ruling}"
            raise WrongStatus(
                f"{self.id} is no longer waiting: it {what_happened}.", waiting=self.id, status=self.status
            )


def fold_pending(id: str, events: Iterable[Event]) -> Pending | None:
    """Return a waiting declaration from its stream, or None if the stream has no events."""
    pending: Pending | None = None
    for event in events:
        version, body = event.originator_version, event.body
        fact = body.fact
        if isinstance(fact, Declared):
            pending = Pending(
                id,
                version,
                body.at,
                fact.declared,
                fact.seat,
                fact.scene,
                fact.dice,
                fact.answers,
                fact.question,
                "waiting",
                body.audience,
                position=body.position,
                beside=fact.beside,
                changeable=fact.changeable,
                follows=fact.follows,
            )
            continue
        assert pending is not None, f"{id} was never declared"
        pending = _advance_pending(pending, version, fact)
    return pending


def _advance_pending(pending: Pending, version: int, fact: object) -> Pending:
    match fact:
        case Answered():
            return replace(pending.add_answer(fact), version=version)
        case Withdrawn():
            return replace(pending.finish(), version=version, status="withdrawn", reason=fact.reason)
        case Declined():
            ended_pending = replace(pending.finish(), version=version, answers=fact.answers)
            return replace(ended_pending, status="withdrawn", declined=fact)
        case Lapsed():
            return replace(pending.finish(), version=version, status="lapsed", lapsed=fact)
        case Numbered():
            ended_pending = replace(pending.finish(fact.answered), version=version, answers=fact.answers)
            return replace(ended_pending, status="standing", ruling=fact.ruling, lapsed=None)
        case _:
            raise Fault(f"The stream of {pending.id} contains an unexpected event.")
