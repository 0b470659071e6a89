"""The option `consent`: a decision that concerns others waits until they agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from ledger.aggregates.proposal import Proposal
from ledger.application.book import Book
from ledger.application.calls import Done
from ledger.application.json_form import Json
from ledger.application.reading.concerning import (
    Concerned,
    find_seats_concerned_by_decision,
    find_seats_concerned_by_sight,
    list_owners,
    list_playing_seats,
    load_kernel_dials_of_other_past,
    needs_consent,
)
from ledger.application.reading.shown import Present, Shown, ShownComparison, ShownProposal, ShownRuling
from ledger.application.save import Save
from ledger.errors import WrongStatus
from ledger.events.records_of_consent import ConsentAsked, LateAsked, Proposed, RewindAsked
from ledger.rules.kernel.commands import Adjust, Amend, HandOver, Retire, SetDial
from ledger.rules.kernel.dials import Dials, apply_dials, list_dial_fields
from ledger.rules.kernel.purses import owner_of
from ledger.rules.kernel.subjects import Audience, Subject, parse_subject
from ledger.rules.kernel.table import load_campaign_entry

#: The audience of events that list the seats asked: nobody. Documents tell each of these seats only that it was asked.
NOBODY_ELSE: Audience = ()


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The result of a decision, in a save that is not stored yet.

    `shown_comparison`: what the decision changes. `do`: the declaration. `removed_seat`: the seat that leaves the
    table. `known_to`: who may know of the decision.
    """

    status: int
    shown: Shown
    shown_comparison: ShownComparison | None = None
    do: Any = None
    removed_seat: str | None = None
    known_to: Audience = None


#: A function that makes the decision and puts its records into the save. It raises the decision's own refusals.
DecisionMaker: TypeAlias = Callable[[Save], DecisionResult]


@dataclass(frozen=True, slots=True)
class Request:
    """A decision that a seat asks for. `content`: everything except the ruling and the reason, in the form that is
    stored.
    """

    decision: Proposed
    about: int | None
    reason: str
    content: Json


def carry_out_or_ask(save: Save, request: Request, make_decision: DecisionMaker, present: Present) -> Done:
    """Carry out the decision, or let it wait for consent (202)."""
    assert save.viewer is not None
    place = save.mark_place()
    result = make_decision(save)
    asked_seats = find_concerned_seats(save, result)
    if not asked_seats or has_enough_consent(save.book, save.by, frozenset(), asked_seats):
        return Done(result.status, present(save.book, save.viewer, result.shown))
    save.return_to(place)
    proposal = _ask_for_consent(save, request, result, asked_seats)
    return Done(202, present(save.book, save.viewer, ShownProposal(proposal, get_decision_preview(result))))


def get_decision_preview(result: DecisionResult) -> ShownComparison | ShownRuling | None:
    """Return the preview of the decision for the seats asked."""
    return result.shown_comparison or (result.shown if isinstance(result.shown, ShownRuling) else None)


def _ask_for_consent(save: Save, request: Request, result: DecisionResult, asked_seats: Concerned) -> Proposal:
    for proposal in save.book.list_proposals():
        if (proposal.seat, proposal.decision, proposal.about, proposal.request) == (
            save.by,
            request.decision,
            request.about,
            request.content,
        ):
            raise WrongStatus(
                "The same decision is already waiting for consent.", code="already-waiting", waiting=proposal.id
            )
    id, seats = f"w{save.position}", tuple(sorted(asked_seats))
    openly_asked_seats = tuple(seat for seat in seats if asked_seats[seat])
    record_class = (
        RewindAsked if request.decision == "rewind" else LateAsked if "after" in request.content else ConsentAsked
    )
    record = record_class(
        request.decision,
        save.by,
        request.about,
        request.reason,
        request.content,
        seats,
        openly_asked_seats,
        result.known_to,
    )
    save.put(f"{save.book.id}/waiting/{id}", 0, record, audience=NOBODY_ELSE)
    save.note_for_journal("consent-asked", waiting=id)
    return Proposal(
        id,
        1,
        save.at,
        record.decision,
        save.by,
        record.about,
        record.reason,
        record.said,
        record.known_to,
        dict.fromkeys(seats, save.at),
        frozenset(openly_asked_seats),
    )


# --- whose consent ------------------------------------------------------------------------------------------------


def find_concerned_seats(save: Save, result: DecisionResult) -> Concerned:
    """Return the seats that must consent to the decision in this save, without the deciding seat."""
    book = save.book
    dials = book.load_kernel_dials()
    if dials.consent == "none":
        return {}
    playing_seats = dict.fromkeys(list_playing_seats(book), True)
    concerned_seats: Concerned = {}
    if _does_protect_less(book, result, dials):
        concerned_seats = playing_seats
    elif result.shown_comparison or result.removed_seat or needs_consent(book, result.do, dials, save.by):
        concerned_seats = playing_seats if dials.consent == "majority" else _find_affected_seats(save, result)
    return {seat: is_asked_openly for seat, is_asked_openly in concerned_seats.items() if seat != save.by}


def has_enough_consent(book: Book, decider: str, agreeing_seats: frozenset[str], asked_seats: Concerned) -> bool:
    """Return whether enough seats agreed: all seats asked, or more than half of all seats that play."""
    if book.load_kernel_dials().consent != "majority":
        return not set(asked_seats) - agreeing_seats
    playing_seats = list_playing_seats(book)
    return not asked_seats or 2 * len(playing_seats & {*agreeing_seats, decider}) > len(playing_seats)


def concerns_others(save: Save, result: DecisionResult) -> bool:
    """Return whether the option `consent` protects other seats from the decision."""
    dials = save.book.load_kernel_dials()
    if dials.consent == "none":
        return False
    return _does_protect_less(save.book, result, dials) or bool(_find_affected_seats(save, result).keys() - {save.by})


def _does_protect_less(book: Book, result: DecisionResult, dials: Dials) -> bool:
    """Return whether fewer decisions will need consent after this one."""
    if result.shown_comparison is not None:
        return load_kernel_dials_of_other_past(result.shown_comparison.comparison).protects_less(dials)
    if not isinstance(result.do, SetDial) or result.do.name not in list_dial_fields(Dials):
        return False
    new_dials = apply_dials(Dials, {**book.entry.read_dials_in_force(), result.do.name: result.do.value})
    assert isinstance(new_dials, Dials)
    return new_dials.protects_less(dials)


def _find_affected_seats(save: Save, result: DecisionResult) -> Concerned:
    book = save.book
    if result.removed_seat is not None:
        return {result.removed_seat: True} if result.removed_seat in book.entry.roster.values() else {}
    if result.shown_comparison is not None:
        comparison = result.shown_comparison.comparison
        affected_seats = find_seats_concerned_by_decision(
            book, save.events, load_campaign_entry(comparison.then).roster
        )
        for seat, is_asked_openly in find_seats_concerned_by_sight(book, comparison).items():
            affected_seats[seat] = affected_seats.get(seat, False) or is_asked_openly
        return affected_seats
    if isinstance(result.shown, ShownRuling):
        return find_seats_concerned_by_decision(book, save.events, {})
    return {
        seat: True for subject in _list_subjects_named(result.do) for seat in list_owners(subject, book.entry.roster)
    }


def _list_subjects_named(do: Any) -> list[Subject]:
    """Return the subjects that the declaration names, if there is no verdict yet."""
    match do:
        case HandOver(character=id) | Retire(character=id):
            return [Subject("character", id)]
        case Amend(subject=subject):
            return [parse_subject(subject)]
        case Adjust(source=source, target=target):
            return [owner for owner in map(owner_of, (source, target)) if owner is not None]
        case _:
            return []
