"""Agree to decisions that wait for consent, refuse them, override missing consent, or withdraw them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never

from ledger.aggregates.proposal import Proposal
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.commands.consenting import (
    NOBODY_ELSE,
    DecisionMaker,
    DecisionResult,
    find_concerned_seats,
    get_decision_preview,
    has_enough_consent,
)
from ledger.application.commands.declaring import check_not_blank, make_declaring
from ledger.application.commands.entering_late import LateDeclaration, make_entering_late
from ledger.application.commands.overturning import make_overturning, make_reinstating
from ledger.application.commands.revising import make_revising, parse_correction
from ledger.application.commands.rewinding import make_rewinding
from ledger.application.commands.seating import make_seat_change
from ledger.application.keys import Keys
from ledger.application.reading.concerning import Concerned
from ledger.application.reading.rights import may_decide
from ledger.application.reading.shown import Present, ShownProposal
from ledger.application.save import Save
from ledger.errors import LedgerError, NotYours, WrongStatus
from ledger.events.envelope import format_time
from ledger.events.records import Consent, Withdrawn
from ledger.events.records_of_consent import CarriedOut, ConsentAskedToo, Consented, RefusedConsent
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer


def answer_consent_request(id: str, does_agree: bool, reason: str, present: Present) -> Act:
    """Return the act by which an asked seat agrees or refuses. The seat can change its answer while the decision waits,
    even after refusing. With the last missing consent, the decision takes effect in the same save.
    """

    def act(save: Save) -> Done:
        proposal, viewer = _load_known_proposal(save, id)
        if not proposal.has_asked(viewer):
            raise NotYours("This seat's consent is not needed.", code="not-asked")
        proposal.check_still_waiting()
        check_not_blank("reason", reason)
        earlier_answer = proposal.said.get(viewer.seat)
        if earlier_answer is not None and earlier_answer.agreed == does_agree:
            raise WrongStatus("This seat has already given this answer.", code="said-already", waiting=id)
        fact = Consented(reason) if does_agree else RefusedConsent(reason)
        proposal = _put_proposal_fact(save, proposal, fact, proposal.find_audience(viewer.seat))
        if does_agree:
            proposal = _carry_out_if_enough_consent(save, proposal)
        if proposal.status == "waiting":
            save.note_for_journal("consented" if does_agree else "refused-consent", waiting=id)
        return Done(200, present(save.book, viewer, ShownProposal(proposal)))

    return act


def override_missing_consent(id: str, reason: str, present: Present) -> Act:
    """Return the act that carries out the decision without the missing consent, once the table's time to answer is
    over.

    If the decision now concerns further seats, they are asked first (202), and get the same time to answer.
    """

    def act(save: Save) -> Done:
        proposal, viewer = _load_known_proposal(save, id)
        if not may_decide(save.book, viewer):
            raise NotYours("Only a game master can override missing consent.")
        proposal.check_still_waiting()
        check_not_blank("reason", reason)
        place = save.mark_place()
        owing_seats, result = _try_decision(save, proposal, reason)
        new_seats = _select_unasked_seats(proposal, owing_seats)
        if new_seats:
            save.return_to(place)
            proposal = _ask_further_seats(save, proposal, new_seats)
            save.note_for_journal("consent-asked", waiting=id)
            return Done(202, present(save.book, viewer, ShownProposal(proposal, get_decision_preview(result))))
        _check_waiting_time(save, proposal, owing_seats)
        if not owing_seats:
            save.return_to(place)
            _try_decision(save, proposal, None)
        proposal = _put_carried_out_fact(save, proposal, reason if owing_seats else None)
        return Done(200, present(save.book, viewer, ShownProposal(proposal, get_decision_preview(result))))

    return act


def withdraw_proposal(proposal: Proposal, reason: str, present: Present) -> Act:
    """Return the act that withdraws a decision, for the deciding seat or a game master."""

    def act(save: Save) -> Done:
        stored_proposal, viewer = _load_known_proposal(save, proposal.id)
        if viewer.seat != stored_proposal.seat and viewer.role != "gm":
            raise NotYours("Only the deciding seat or a game master can withdraw this decision.")
        stored_proposal.check_still_waiting()
        check_not_blank("reason", reason)
        withdrawn_proposal = _put_proposal_fact(save, stored_proposal, Withdrawn(reason), NOBODY_ELSE)
        save.note_for_journal("withdrawn", waiting=stored_proposal.id)
        return Done(200, present(save.book, viewer, ShownProposal(withdrawn_proposal)))

    return act


def show_proposal_as_it_stands(book: Book, proposal: Proposal) -> ShownProposal:
    """Return the proposal with the changes it would make now, without saving anything."""
    decider = book.load_viewer(proposal.seat)
    if proposal.status != "waiting" or decider is None:
        return ShownProposal(proposal)
    save = Save(book, decider, Keys(bytes(16)))  # this key makes different dice, so only the changes are shown
    try:
        return ShownProposal(proposal, get_decision_preview(_load_decision_maker(book, proposal)(save)))
    except (LedgerError, Refused) as problem:
        return ShownProposal(proposal, problem=problem)


# --- carrying it out ----------------------------------------------------------------------------------------------


def _load_decision_maker(book: Book, proposal: Proposal) -> DecisionMaker:
    """Return the function that makes the proposed decision."""
    content, reason, number = proposal.request, proposal.reason, proposal.about or 0
    edition = book.campaign.find_edition(int(proposal.id[1:]))
    match proposal.decision:
        case "overturn":
            return make_overturning(number, reason, content["also"], content["settle"])
        case "rewind":
            return make_rewinding(number, reason)
        case "reinstate":
            return make_reinstating(number, reason, content["settle"])
        case "revise":
            return make_revising(number, parse_correction(book.ruleset, reason, content, edition))
        case "declare":
            answers = [json_form.answer_from_json(book.ruleset, answer, edition) for answer in content["answers"]]
            do = json_form.declaration_from_json(book.ruleset, content["declare"], edition)
            if "after" in content:
                return make_entering_late(
                    LateDeclaration(do, content["scene"], answers, content["after"], content["settle"])
                )
            return make_declaring(do, content["scene"], answers, content["dice"])
        case "remove-seat":
            return make_seat_change(content["seat"], content["name"], removed=True)
        case _:
            assert_never(proposal.decision)


def _carry_out_if_enough_consent(save: Save, proposal: Proposal) -> Proposal:
    """Carry out the decision if no consent is missing. If the decision now concerns further seats, ask them as well. If
    the decision can no longer take effect, keep it waiting.
    """
    place = save.mark_place()
    try:
        owing_seats, _ = _try_decision(save, proposal, None)
    except (LedgerError, Refused):
        save.return_to(place)
        return proposal
    if not owing_seats:
        return _put_carried_out_fact(save, proposal, None)
    save.return_to(place)
    new_seats = _select_unasked_seats(proposal, owing_seats)
    return _ask_further_seats(save, proposal, new_seats) if new_seats else proposal


def _try_decision(save: Save, proposal: Proposal, override_reason: str | None) -> tuple[Concerned, DecisionResult]:
    """Make the decision as the deciding seat's act. Return the seats that still have to consent, and the result.

    `override_reason`: the reason for overriding missing consent.
    """
    decider = save.book.load_viewer(proposal.seat)
    if decider is None:
        raise NotYours("The seat that proposed this has left the table. The proposal can only be withdrawn.")
    open_answers = tuple(answer for answer in proposal.said.values() if answer.seat in proposal.openly)
    by = save.by if override_reason is not None else None
    save.consent = Consent(proposal.id, open_answers, override_reason is not None, by, override_reason)
    try:
        with save.act_as(decider):
            result = _load_decision_maker(save.book, proposal)(save)
            asked_seats = find_concerned_seats(save, result)
    finally:
        save.consent = None
    if has_enough_consent(save.book, proposal.seat, proposal.agreed, asked_seats):
        return {}, result
    return {
        seat: is_asked_openly for seat, is_asked_openly in asked_seats.items() if seat not in proposal.agreed
    }, result


def _put_carried_out_fact(save: Save, proposal: Proposal, override_reason: str | None) -> Proposal:
    return _put_proposal_fact(
        save, proposal, CarriedOut(override_reason is not None, override_reason), proposal.known_to
    )


def _select_unasked_seats(proposal: Proposal, owing_seats: Concerned) -> Concerned:
    return {seat: is_asked_openly for seat, is_asked_openly in owing_seats.items() if seat not in proposal.asked}


def _ask_further_seats(save: Save, proposal: Proposal, new_seats: Concerned) -> Proposal:
    seat_ids = tuple(sorted(new_seats))
    request_fact = ConsentAskedToo(seat_ids, tuple(seat for seat in seat_ids if new_seats[seat]))
    return _put_proposal_fact(save, proposal, request_fact, NOBODY_ELSE)


def _check_waiting_time(save: Save, proposal: Proposal, owing_seats: Concerned) -> None:
    """Raise WrongStatus if a seat that has not consented was asked too recently."""
    waiting_time = timedelta(hours=save.book.load_kernel_dials().consent_hours)
    until = max((datetime.fromisoformat(proposal.asked[seat]) + waiting_time for seat in owing_seats), default=None)
    if until is not None and format_time(until) > save.at:
        raise WrongStatus(
            f"This decision is waiting for consent. You can override missing consent from {format_time(until)}.",
            code="too-early",
            waiting=proposal.id,
            until=format_time(until),
        )


# --- visibility ---------------------------------------------------------------------------------------------------


def _load_known_proposal(save: Save, id: str) -> tuple[Proposal, Viewer]:
    """Return the proposal and the viewer. Raise NotFound if there is no such proposal or the seat may not
    know of it.
    """
    viewer = save.viewer
    assert viewer is not None
    proposal = save.book.find_proposal(id)
    if proposal is None or not proposal.is_noticeable_to(viewer):
        save.book.load_pending("")
        raise AssertionError
    return proposal, viewer


def _put_proposal_fact(save: Save, proposal: Proposal, fact: object, audience: tuple[str, ...] | None) -> Proposal:
    stream = f"{save.book.id}/waiting/{proposal.id}"
    save.put(stream, proposal.version, fact, audience=audience)
    return proposal.apply_event(save.events[-1])
