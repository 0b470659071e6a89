"""Check from a campaign's events that every decision under the option `consent` had the consent that it needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ledger.aggregates.proposal import Proposal, belongs_to_proposal, fold_proposal
from ledger.aggregates.rewinds import StandingRevisions, find_struck_revisions
from ledger.application import json_form
from ledger.application.checks.as_known import KnownCampaign
from ledger.application.reading.concerning import (
    find_seats_concerned_by_revisions,
    list_playing_seats,
    needs_consent,
)
from ledger.errors import Malformed
from ledger.events.envelope import Event
from ledger.events.records import (
    Decided,
    Restored,
    RestoredRange,
    Rewind,
    Ruled,
    Struck,
    StruckRange,
    TakenBack,
)
from ledger.events.records_of_consent import CarriedOut
from ledger.rules.kernel.dials import Dials
from ledger.rules.kernel.facts import SeatRemoved
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import find_viewer, load_campaign_entry, load_dials

CHANGES_THE_PAST = ("overturned", "reinstated", "revised", "taken-back", "rewound")


@dataclass(frozen=True, slots=True)
class Deciding:
    """A decision, to be checked on the campaign as of the previous save. `owed_seats`: the seats that must consent. The
    deciding seat consents by deciding.

    `playing_seats`: all seats that play.
    """

    decider: str
    number: int | None
    dials: Dials
    owed_seats: frozenset[str]
    playing_seats: frozenset[str]

    def find_missing_consents(self, agreeing_seats: frozenset[str], dials_after: Dials) -> frozenset[str]:
        """Return the seats whose consent is missing. `dials_after`: the options after the decision."""
        owed_seats = (self.playing_seats if dials_after.protects_less(self.dials) else self.owed_seats) - {self.decider}
        if self.dials.consent == "majority" and 2 * len(self.playing_seats & {*agreeing_seats, self.decider}) > len(
            self.playing_seats
        ):
            return frozenset()
        return owed_seats - agreeing_seats


class ConsentCheck:
    """Checks the saves in order. `known_campaign`: the campaign as of the previous save."""

    def __init__(self, known_campaign: KnownCampaign) -> None:
        self.known_campaign = known_campaign
        self._proposal_events: dict[str, list[Event]] = {}
        self._standing = StandingRevisions()

    def find_decision(self, events: Sequence[Event]) -> Deciding | None:
        """Return the decision among one save's events, if it may need consent."""
        first_decision = next(self._list_decisions(events), None)
        if first_decision is None or not self.known_campaign.seats():
            return None
        decider, number, decision = first_decision
        entry = load_campaign_entry(self.known_campaign)
        dials: Dials = load_dials(Dials, entry)
        if dials.consent == "none":
            return None
        playing_seats = list_playing_seats(self.known_campaign)
        owed_seats: frozenset[str] = frozenset()
        match decision:
            case SeatRemoved():
                owed_seats = frozenset(_list_removed_seats(events)) & frozenset(entry.roster.values())
            case Ruled() if not decision.after and not self._needs_consent(decision, dials, decider):
                return Deciding(decider, number, dials, frozenset(), playing_seats)
            case _:
                owed_seats = frozenset(self._list_concerned_seats(events))
        # even under `majority`, a taken-back ruling needs consent only if that changes something that belongs to others
        if isinstance(decision, TakenBack):
            return Deciding(decider, number, dials, owed_seats, playing_seats)
        return Deciding(
            decider, number, dials, playing_seats if dials.consent == "majority" else owed_seats, playing_seats
        )

    def check_consent(self, decision: Deciding, events: Sequence[Event]) -> str | None:
        """Return a sentence that says what is wrong with the consent to the decision, or None. Call this after applying
        the decision to the campaign.
        """
        proposal = self._find_carried_out_proposal(events)
        agreeing_seats = proposal.agreed if proposal is not None else frozenset()
        missing_seats = decision.find_missing_consents(
            agreeing_seats, load_dials(Dials, load_campaign_entry(self.known_campaign))
        )
        decision_text = f"The decision about ruling {decision.number}" if decision.number else "A decision"
        if not missing_seats:
            return None
        if proposal is None or not proposal.without:
            return f"{decision_text} is missing a consent that it needed."
        waiting_time = timedelta(hours=decision.dials.consent_hours)
        times_asked = [datetime.fromisoformat(proposal.asked[seat]) for seat in missing_seats if seat in proposal.asked]
        carried_out_at = datetime.fromisoformat(events[0].body.at)
        if len(times_asked) < len(missing_seats) or any(
            time_asked + waiting_time > carried_out_at for time_asked in times_asked
        ):
            return f"{decision_text} was carried out before the time to answer had ended."
        return None

    # --- recorded decisions ---

    def note_proposals(self, events: Iterable[Event]) -> None:
        """Keep the events of each proposal until a save carries it out."""
        for event in events:
            _, kind, id = event.originator_id.split("/", 2)
            if kind == "waiting" and (id in self._proposal_events or belongs_to_proposal(event.body.fact)):
                self._proposal_events.setdefault(id, []).append(event)

    def _find_carried_out_proposal(self, events: Iterable[Event]) -> Proposal | None:
        for event in events:
            if isinstance(event.body.fact, CarriedOut):
                id = event.originator_id.rpartition("/")[2]
                return fold_proposal(id, self._proposal_events[id])
        return None

    def _list_decisions(
        self, events: Iterable[Event]
    ) -> Iterator[tuple[str, int | None, Decided | Ruled | SeatRemoved]]:
        """Yield each decision: the deciding seat, the ruling it is about, and the recorded fact."""
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

    def _needs_consent(self, record: Ruled, dials: Dials, decider: str) -> bool:
        try:
            do = json_form.declaration_from_json(self.known_campaign.ruleset, record.declared, record.edition)
        except Malformed:  # the installed rules cannot read it, so they cannot say which seats it asked
            return False
        return needs_consent(self.known_campaign, do, dials, decider)

    def _list_concerned_seats(self, events: Sequence[Event]) -> Iterable[str]:
        roster, facts_by_ruling = load_campaign_entry(self.known_campaign).roster, self.known_campaign.facts_by_ruling
        return find_seats_concerned_by_revisions(
            events,
            roster,
            roster,
            facts_by_ruling.__getitem__,
            lambda number: self._standing.revisions.get(number, 0),
            lambda id: find_viewer(self.known_campaign, seat(id)),
            self._find_rewound_revisions,
        )

    def _find_rewound_revisions(self, rewind: Rewind) -> dict[int, int]:
        """Return the rulings that a rewind strikes or reinstates, with their revisions before the rewind."""
        if rewind.decision == "reinstated":
            struck_revisions = self._standing.struck_ranges[rewind.first]
        else:
            mark, numbers = StruckRange(rewind.first, rewind.last), range(rewind.first, rewind.last + 1)
            struck_revisions = find_struck_revisions(mark, numbers, self._standing.revisions)
        return {number: revision or 0 for number, revision in struck_revisions.items()}

    def note_standing(self, events: Iterable[Event]) -> None:
        """Note which revisions stand after a save."""
        for event in events:
            match event.body.fact:
                case Struck() | Restored() as mark:
                    self._standing.apply_mark(mark, ())
                case Rewind(decision="rewound", first=first, last=last):
                    self._standing.apply_mark(StruckRange(first, last), range(first, last + 1))
                case Rewind(first=first):
                    self._standing.apply_mark(RestoredRange(first), ())
                case _:
                    pass


def _list_removed_seats(events: Iterable[Event]) -> Iterator[str]:
    return (event.originator_id.rpartition("/")[2] for event in events if isinstance(event.body.fact, SeatRemoved))
