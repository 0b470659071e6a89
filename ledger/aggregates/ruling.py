"""A ruling and the whole list of decisions about it; and what waits before it is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ledger.errors import Fault, WrongStatus
from ledger.events.envelope import Body, Event
from ledger.events.records import Answered, Decided, Decision, Declared, Given, Json, Numbered, Ruled, Withdrawn
from ledger.rules.contract import Audience

Status: TypeAlias = Literal["waiting", "withdrawn", "standing", "disputed", "upheld", "overturned", "revised"]
Command: TypeAlias = Literal["dispute", "uphold", "overturn", "reinstate", "revise"]

#: Which command is allowed in which status. A dispute of an upheld ruling is an appeal.
ALLOWED: dict[Command, tuple[Status, ...]] = {
    "dispute": ("standing", "upheld", "revised"),
    "uphold": ("disputed",),
    "overturn": ("standing", "disputed", "upheld", "revised"),
    "reinstate": ("overturned",),
    "revise": ("standing", "disputed", "upheld", "revised"),
}
AFTER: dict[Decision, Status] = {
    "disputed": "disputed",
    "upheld": "upheld",
    "overturned": "overturned",
    "reinstated": "standing",
    "revised": "revised",
}


@dataclass(frozen=True, slots=True)
class Decree:
    """One decision: what, by which seat, when, why."""

    decision: Decision
    by: str
    at: str
    position: int
    reason: str
    settle: str | None
    also: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A numbered ruling. `revision`: the telling that stands, or stood before it was overturned."""

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
    revision: int = 0

    @property
    def stands(self) -> bool:
        return self.status != "overturned"

    def must_allow(self, command: Command) -> None:
        """WrongStatus unless the command is allowed in this status."""
        if self.status not in ALLOWED[command]:
            allowed = " or ".join(ALLOWED[command])
            raise WrongStatus(
                f"Ruling {self.number} is {self.status}; to {command} it, it must be {allowed}.",
                ruling=self.number,
                status=self.status,
            )


def fold_ruling(number: int, events: Iterable[Event]) -> Ruling | None:
    """A ruling from its stream; None when there is none."""
    first: Body[Ruled] | None = None
    decisions: list[Decree] = []
    status: Status = "standing"
    version = 0
    for event in events:
        version, body = event.originator_version, event.body
        match body.fact:
            case Ruled() if first is None:
                first = body
            case Decided() as made:
                decisions.append(
                    Decree(made.decision, body.by, body.at, body.position, made.reason, made.settle, made.also)
                )
                status = AFTER[made.decision]
            case _:
                raise Fault(f"The stream of ruling {number} holds something that is no ruling.", ruling=number)
    if first is None:
        return None
    where = (first.by, first.at, first.session, first.position, first.audience)
    return Ruling(number, version, *where, first.fact, status, tuple(decisions))


@dataclass(frozen=True, slots=True)
class Pending:
    """A declaration that waits, or waited."""

    id: str
    version: int
    at: str
    declared: Json
    seat: str
    scene: str | None
    dice: Literal["ledger", "table"]
    answers: tuple[Given, ...]
    question: Json | None
    status: Status
    audience: Audience
    ruling: int | None = None
    reason: str | None = None

    def must_wait(self) -> None:
        if self.status != "waiting":
            became = f"became ruling {self.ruling}" if self.ruling else "was withdrawn"
            raise WrongStatus(f"{self.id} waits no longer: it {became}.", waiting=self.id, status=self.status)


def fold_pending(id: str, events: Iterable[Event]) -> Pending | None:
    """What waits, from its stream; None when there is nothing of that id."""
    pending: Pending | None = None
    for event in events:
        version, body = event.originator_version, event.body
        fact = body.fact
        if isinstance(fact, Declared):
            pending = Pending(
                id, version, body.at, fact.declared, fact.seat, fact.scene, fact.dice, fact.answers, fact.question,
                "waiting", body.audience,
            )  # fmt: skip
            continue
        assert pending is not None, f"{id} was never declared"
        pending = _advance(pending, version, fact)
    return pending


def _advance(pending: Pending, version: int, fact: object) -> Pending:
    kept = (pending.id, version, pending.at, pending.declared, pending.seat, pending.scene, pending.dice)
    match fact:
        case Answered():
            return Pending(*kept, fact.answers, fact.question, "waiting", pending.audience)
        case Withdrawn():
            return Pending(*kept, pending.answers, None, "withdrawn", pending.audience, reason=fact.reason)
        case Numbered():
            return Pending(*kept, fact.answers, None, "standing", pending.audience, ruling=fact.ruling)
        case _:
            raise Fault(f"The stream of {pending.id} holds something that does not belong there.")
