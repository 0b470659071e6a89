"""A decision that waits for consent: the seats it asks, and their answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from ledger.errors import Fault, WrongStatus
from ledger.events.envelope import Body, Event, Json, format_time
from ledger.events.records import ConsentSaid, Withdrawn
from ledger.events.records_of_consent import (
    CarriedOut,
    ConsentAsked,
    ConsentAskedToo,
    Consented,
    Proposed,
    RefusedConsent,
)
from ledger.rules.kernel.subjects import Audience, Viewer

ProposalStatus: TypeAlias = Literal["waiting", "withdrawn", "carried-out"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A decision that waits for consent.

    - asked: when each seat was asked.
    - openly: the seats that were asked openly, so that everybody may know of them.
    - said: each seat's latest answer.
    - without: whether missing consent was overridden.
    - why: why missing consent was overridden, or why the decision was withdrawn.
    - ended_by: the seat that carried out or withdrew the decision, and the time.
    """

    id: str
    version: int
    at: str
    decision: Proposed
    seat: str
    about: int | None
    reason: str
    request: Json
    known_to: Audience
    asked: dict[str, str]
    openly: frozenset[str]
    said: dict[str, ConsentSaid] = field(default_factory=dict)
    status: ProposalStatus = "waiting"
    without: bool = False
    why: str | None = None
    ended_by: tuple[str, str] | None = None
    event_audiences: tuple[Audience, ...] = ()

    @property
    def agreed(self) -> frozenset[str]:
        return frozenset(seat for seat, answer in self.said.items() if answer.agreed)

    def has_asked(self, viewer: Viewer) -> bool:
        return viewer.seat in self.asked

    def is_noticeable_to(self, viewer: Viewer) -> bool:
        """Return whether the viewer may know that a decision waits."""
        return viewer.may_see(self.known_to) or self.is_known_to(viewer)

    def is_known_to(self, viewer: Viewer) -> bool:
        """Return whether the viewer may know which decision waits. Only the deciding seat and the asked seats may."""
        return viewer.seat == self.seat or self.has_asked(viewer)

    def select_visible_answers(self, viewer: Viewer) -> list[ConsentSaid]:
        """Return the answers that the viewer may know: their own, and those of openly asked seats if the proposal has
        ended or the viewer made it.
        """
        open_answers = [answer for answer in self.said.values() if answer.seat in self.openly]
        may_see_open_answers = self.status != "waiting" or viewer.seat == self.seat
        return [
            answer
            for answer in self.said.values()
            if answer.seat == viewer.seat or (may_see_open_answers and answer in open_answers)
        ]

    def count_version_for(self, viewer: Viewer) -> int:
        """Return the version as the viewer may know it: without hidden answers and requests."""
        return self.version - sum(not viewer.may_see(audience) for audience in self.event_audiences)

    def find_audience(self, seat: str) -> Audience:
        """Return who may know the seat's answer: the seat itself and, if it was asked openly, the deciding seat."""
        return (seat, self.seat) if seat in self.openly else (seat,)

    def find_deadline(self, viewer: Viewer, hours: int) -> str | None:
        """Return the time from which missing consent can be overridden, or None if the decision no longer waits.

        `hours`: counted from the request to the viewer, or from the proposal if the viewer was not asked.
        """
        if self.status != "waiting":
            return None
        return format_time(datetime.fromisoformat(self.asked.get(viewer.seat, self.at)) + timedelta(hours=hours))

    def check_still_waiting(self) -> None:
        if self.status != "waiting":
            what_happened = "was withdrawn" if self.status == "withdrawn" else "has taken effect"
            raise WrongStatus(
                f"{self.id} is no longer waiting: it {what_happened}.", waiting=self.id, status=self.status
            )

    def apply_event(self, event: Event) -> Proposal:
        """Return the proposal after one more event."""
        body: Body[object] = event.body
        updated_proposal = replace(self, version=event.originator_version)
        match body.fact:
            case ConsentAskedToo(seats=seats, openly=openly):
                asked = {**self.asked, **dict.fromkeys(seats, body.at)}
                return replace(
                    updated_proposal,
                    asked=asked,
                    openly=self.openly | set(openly),
                    event_audiences=(*self.event_audiences, body.audience),
                )
            case Consented(reason=reason) | RefusedConsent(reason=reason):
                answer = ConsentSaid(body.by, isinstance(body.fact, Consented), reason, body.at)
                return replace(
                    updated_proposal,
                    said={**self.said, body.by: answer},
                    event_audiences=(*self.event_audiences, body.audience),
                )
            case Withdrawn(reason=reason):
                return replace(updated_proposal, status="withdrawn", why=reason, ended_by=(body.by, body.at))
            case CarriedOut(without=without, reason=why):
                return replace(
                    updated_proposal, status="carried-out", without=without, why=why, ended_by=(body.by, body.at)
                )
            case _:
                raise Fault(f"The stream of {self.id} contains an unexpected event.")


def fold_proposal(id: str, events: Iterable[Event]) -> Proposal | None:
    """Return a proposal from its stream, or None if the stream does not contain one."""
    proposal: Proposal | None = None
    for event in events:
        fact, body = event.body.fact, event.body
        if proposal is not None:
            proposal = proposal.apply_event(event)
        elif isinstance(fact, ConsentAsked):
            proposal = Proposal(
                id,
                event.originator_version,
                body.at,
                fact.decision,
                fact.seat,
                fact.about,
                fact.reason,
                fact.said,
                fact.known_to,
                dict.fromkeys(fact.seats, body.at),
                frozenset(fact.openly),
            )
        else:
            return None
    return proposal


def belongs_to_proposal(fact: object) -> bool:
    """Return whether an event of a waiting stream belongs to a proposed decision."""
    return isinstance(fact, ConsentAsked | ConsentAskedToo | Consented | RefusedConsent | CarriedOut)
