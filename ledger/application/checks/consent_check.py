"""Checks that decisions made under the option `consent` had it, from what was recorded when they were made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ledger.aggregates.proposal import Proposal, belongs_to_proposal, fold_proposal
from ledger.application import json_form
from ledger.application.checks.as_known import Known
from ledger.application.reading.concerning import (
    SubjectFact,
    find_concerned_by_revisions,
    list_playing_seats,
    needs_consent,
)
from ledger.errors import Malformed
from ledger.events.envelope import Event
from ledger.events.records import Decided, Restored, Ruled, Struck
from ledger.events.records_of_consent import CarriedOut
from ledger.rules.kernel.dials import Dials
from ledger.rules.kernel.facts import SeatRemoved
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import find_viewer, load_campaign_entry, load_dials

CHANGES_THE_PAST = ("overturned", "reinstated", "revised")


@dataclass(frozen=True, slots=True)
class Deciding:
    """A decision in a save, as things stood before it. `owed`: the seats whose consent it needs, without the deciding
    seat.

    `voices`: all who play.
    """

    decider: str
    ruling: int | None
    dials: Dials
    owed: frozenset[str]
    voices: frozenset[str]

    def find_missing(self, agreed: frozenset[str], after: Dials) -> frozenset[str]:
        """Return the needed seats that have not consented. `after`: the options once the decision is made."""
        owed = (self.voices if after.protects_less(self.dials) else self.owed) - {self.decider}
        if self.dials.consent == "majority" and 2 * len(self.voices & {*agreed, self.decider}) > len(self.voices):
            return frozenset()
        return owed - agreed


class ConsentCheck:
    """Takes saves in order. `known`: the campaign as of the save before."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self._proposal_events: dict[str, list[Event]] = {}

    def find_decision(self, events: Sequence[Event]) -> Deciding | None:
        """Return the decision in these events of one save, if it may need consent."""
        self._note_proposals(events)
        first = next(self._list_decisions(events), None)
        if first is None or not self.known.seats():
            return None
        decider, ruling, decision = first
        entry = load_campaign_entry(self.known)
        dials: Dials = load_dials(Dials, entry)
        if dials.consent == "none":
            return None
        voices = list_playing_seats(self.known)
        owed: frozenset[str] = frozenset()
        match decision:
            case SeatRemoved():
                owed = frozenset(_list_removed(events)) & frozenset(entry.roster.values())
            case Ruled() if not self._is_asked_for(decision, dials, decider):
                return Deciding(decider, ruling, dials, frozenset(), voices)
            case _:
                owed = frozenset(self._list_concerned(events))
        return Deciding(decider, ruling, dials, voices if dials.consent == "majority" else owed, voices)

    def check_consent(self, deciding: Deciding, events: Sequence[Event]) -> str | None:
        """Return what is wrong with the decision, once it is made. None: nothing."""
        proposal = self._find_carried_out(events)
        agreed = proposal.agreed if proposal is not None else frozenset()
        missing_consents = deciding.find_missing(agreed, load_dials(Dials, load_campaign_entry(self.known)))
        decision_text = f"The decision about ruling {deciding.ruling}" if deciding.ruling else "What was decided"
        if not missing_consents:
            return None
        if proposal is None or not proposal.without:
            return f"{decision_text} is missing a consent that it needed."
        wait = timedelta(hours=deciding.dials.consent_hours)
        asked_at = [datetime.fromisoformat(proposal.asked[seat]) for seat in missing_consents if seat in proposal.asked]
        carried_out_at = datetime.fromisoformat(events[0].body.at)
        if len(asked_at) < len(missing_consents) or any(asked + wait > carried_out_at for asked in asked_at):
            return f"{decision_text} was carried out before the table's time to answer was over."
        return None

    # --- what was recorded ---

    def _note_proposals(self, events: Iterable[Event]) -> None:
        for event in events:
            _, kind, id = event.originator_id.split("/", 2)
            if kind == "waiting" and (id in self._proposal_events or belongs_to_proposal(event.body.fact)):
                self._proposal_events.setdefault(id, []).append(event)

    def _find_carried_out(self, events: Iterable[Event]) -> Proposal | None:
        for event in events:
            if isinstance(event.body.fact, CarriedOut):
                id = event.originator_id.rpartition("/")[2]
                return fold_proposal(id, self._proposal_events[id])
        return None

    def _list_decisions(
        self, events: Iterable[Event]
    ) -> Iterator[tuple[str, int | None, Decided | Ruled | SeatRemoved]]:
        """Yield who decides, about which ruling, and the recorded fact."""
        for event in events:
            body = event.body
            match body.fact:
                case Decided(decision=decision) as decided if decision in CHANGES_THE_PAST:
                    yield body.by, int(event.originator_id.rpartition("/")[2]), decided
                case Ruled() as ruled:
                    yield ruled.seat, int(event.originator_id.rpartition("/")[2]), ruled
                case SeatRemoved() as removed:
                    yield body.by, None, removed
                case _:
                    pass

    def _is_asked_for(self, ruled: Ruled, dials: Dials, decider: str) -> bool:
        try:
            do = json_form.declaration_from_json(self.known.ruleset, ruled.declared, ruled.edition)
        except Malformed:  # today's rules cannot read it, so they cannot say whom it asked
            return False
        return needs_consent(self.known, do, dials, decider)

    def _list_concerned(self, events: Sequence[Event]) -> Iterable[str]:
        roster = load_campaign_entry(self.known).roster
        return find_concerned_by_revisions(
            events, roster, roster, self._list_facts, self._find_revision, lambda id: find_viewer(self.known, seat(id))
        )

    def _list_facts(self, number: int) -> Iterator[SubjectFact]:
        for subject, bodies in self.known.events.items():
            for body in bodies:
                if body.ruling == number and not isinstance(body.fact, Struck | Restored):
                    yield subject, body

    def _find_revision(self, number: int) -> int | None:
        subject = next((subject for subject, _ in self._list_facts(number)), None)
        return self.known.load_stream(subject).revisions.get(number, 0) if subject is not None else 0


def _list_removed(events: Iterable[Event]) -> Iterator[str]:
    return (event.originator_id.rpartition("/")[2] for event in events if isinstance(event.body.fact, SeatRemoved))
