"""Take back one's own latest ruling: it is overturned with the automatic steps after it, if nobody else has acted
since.

Every condition depends only on what the declaring seat may know. So a refusal can give its reason without revealing
anything hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from ledger.aggregates.ruling import Pending, Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.commands.consenting import DecisionResult, concerns_others
from ledger.application.commands.consequences import (
    list_settlements,
    make_rulings_again,
    mark_streams,
    must_know_what_follows,
    record_decision,
    withdraw,
)
from ledger.application.commands.deciding import must_match_version
from ledger.application.commands.following import MOST_STEPS
from ledger.application.reading.comparisons import compare_without_rulings
from ledger.application.reading.moments import load_journal_entries
from ledger.application.reading.pasts import load_history, read_answers
from ledger.application.reading.rulings import load_visible_ruling
from ledger.application.reading.shown import Present, ShownComparison, ShownDecision, ShownRuling
from ledger.application.reading.veiling import rests_on_hidden
from ledger.application.reading.waiting import is_answered_by_ledger
from ledger.application.save import Save
from ledger.errors import NotYours, WrongStatus
from ledger.events.records import Answered, Declared, Struck, TakenBack
from ledger.rules.kernel.subjects import Viewer, scene
from ledger.rules.kernel.world import PastRuling


@dataclass(frozen=True, slots=True)
class Slip:
    """A ruling to take back, the steps that followed from it, and the steps that are waiting for an answer."""

    shown_ruling: ShownRuling
    steps: tuple[Ruling, ...]
    waiting_steps: tuple[Pending, ...]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        return (self.shown_ruling.ruling, *self.steps)

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(ruling.number for ruling in self.rulings)


def take_back(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    """Return the act that overturns the ruling, for the seat that declared it. Raise WrongStatus or NotYours if
    somebody may already have benefited from the mistake.
    """

    def act(save: Save) -> Done:
        shown_decision, _ = _take_back(save, number, reason, if_match)
        return Done(200, present(save.book, save.viewer, shown_decision))

    return act


def preview_taking_back(save: Save, number: int, reason: str, if_match: int | None) -> ShownComparison:
    """Return what taking the ruling back would change. `save` is not stored. Raise the same refusals as the
    act itself.
    """
    return _take_back(save, number, reason, if_match)[1]


def _take_back(save: Save, number: int, reason: str, if_match: int | None) -> tuple[ShownDecision, ShownComparison]:
    viewer = save.viewer
    assert viewer is not None
    slip = _find_slip(save.book, viewer, number, if_match)
    _must_rest_on_known(save.book, viewer, slip)
    _must_be_without_chance(slip)
    shown_comparison = compare_without_rulings(save.book, slip.numbers, position=save.position, cause=number)
    try:
        must_know_what_follows(save.book, viewer, shown_comparison)
    except NotYours:
        _refuse_hidden(number)
    for ruling in slip.rulings:
        mark_streams(save, ruling, Struck(ruling.number))
    taken_back_ruling, *_ = [
        record_decision(
            save, ruling, TakenBack("taken-back", reason, "flag", tuple(sorted(slip.numbers - {ruling.number})))
        )
        for ruling in slip.rulings
    ]
    make_rulings_again(save, shown_comparison, number, reason)
    withdraw(save, slip.waiting_steps, f"Ruling {number} was taken back.")
    settlements = list_settlements(save.book, slip.numbers, shown_comparison, f"ruling {number} was taken back")
    save.note_for_journal("taken-back", ruling=number, findings=shown_comparison.findings, settlements=settlements)
    shown_decision = ShownDecision(replace(slip.shown_ruling, ruling=taken_back_ruling), shown_comparison)
    if concerns_others(save, DecisionResult(200, shown_decision, shown_comparison)):
        raise NotYours(
            f"Taking this back would change another player's values. {_suggest_dispute(number)}",
            code="concerns-others",
            ruling=number,
        )
    return shown_decision, shown_comparison


# --- conditions ---------------------------------------------------------------------------------------------------


def _find_slip(book: Book, viewer: Viewer, number: int, if_match: int | None) -> Slip:
    """Return the ruling with the steps that followed. Raise an error unless the ruling is the viewer's own and nothing
    else was saved since.
    """
    shown_ruling = load_visible_ruling(book, number, viewer)
    ruling = shown_ruling.ruling
    must_match_version(ruling.count_version_for(viewer), if_match)
    if viewer.seat != ruling.ruled.seat:
        raise NotYours(
            f"Only the seat that declared a ruling can take it back. {_suggest_dispute(number)}",
            code="not-declarer",
            ruling=number,
        )
    ruling.check_allows("take-back")
    if ruling.ruled.after:
        raise WrongStatus(
            f"Ruling {number} was entered late, so it can't be taken back. {_suggest_dispute(number)}",
            code="entered-late",
            ruling=number,
        )
    if ruling.ruled.follows is not None:
        raise WrongStatus(
            f"Ruling {number} followed automatically from ruling {ruling.ruled.follows}."
            f" Take ruling {ruling.ruled.follows} back instead.",
            code="followed-automatically",
            ruling=number,
            first=ruling.ruled.follows,
        )
    slip = Slip(shown_ruling, *_load_steps(book, ruling))
    if _has_ended_others(book, slip):
        raise WrongStatus(
            f"Ruling {number} ended a declaration that was waiting for an answer. {_suggest_dispute(number)}",
            code="ended-declarations",
            ruling=number,
        )
    if _has_revealed_answers(book, ruling):
        raise WrongStatus(
            f"Ruling {number} revealed what others had chosen in secret. {_suggest_dispute(number)}",
            code="answers-revealed",
            ruling=number,
        )
    return slip


def _load_steps(book: Book, ruling: Ruling) -> tuple[tuple[Ruling, ...], tuple[Pending, ...]]:
    """Return the steps that followed, and the steps that are waiting. Raise WrongStatus if anything else was saved
    since the ruling.
    """
    campaign, number = book.campaign, ruling.number
    positions = range(campaign.ruling_positions[number - 1] + 1, campaign.position + 1)
    entries = load_journal_entries(book, positions) if len(positions) <= MOST_STEPS else {}
    pendings_by_id = {pending.id: pending for pending in book.list_waiting()} if entries else {}
    step_numbers: list[int] = []
    waiting_steps: list[Pending] = []
    for entry in entries.values():
        pending = pendings_by_id.get(entry.waiting or "")
        if entry.did == "ruled" and entry.ruling is not None and entry.follows == number:
            step_numbers.append(entry.ruling)
        elif entry.did == "declared" and pending is not None and pending.follows == number:
            waiting_steps.append(pending)
    if len(step_numbers) + len(waiting_steps) < len(positions):
        raise WrongStatus(
            f"The game has moved on since ruling {number}. {_suggest_dispute(number)}", code="played-on", ruling=number
        )
    return tuple(book.load_rulings(step_numbers)), tuple(waiting_steps)


def _has_ended_others(book: Book, slip: Slip) -> bool:
    """Return whether a save of these rulings ended another waiting declaration."""
    positions = [book.campaign.ruling_positions[ruling.number - 1] for ruling in slip.rulings]
    return any(
        stream.rpartition("/")[2] != entry.waiting
        for entry in load_journal_entries(book, positions).values()
        for stream in entry.streams
        if stream.split("/", 2)[1] == "waiting"
    )


def _has_revealed_answers(book: Book, ruling: Ruling) -> bool:
    """Return whether the ruling revealed answers that were hidden until every seat asked had answered."""
    if ruling.ruled.waited_as is None:
        return False
    facts = (event.body.fact for event in book.read(f"{book.id}/waiting/{ruling.ruled.waited_as}"))
    return any(isinstance(fact, Declared | Answered) and (fact.beside or fact.changeable) for fact in facts)


def _must_rest_on_known(book: Book, viewer: Viewer, slip: Slip) -> None:
    """Raise an error if one of these rulings depends on information hidden from the declaring seat."""
    rulings_by_number = load_history(book).rulings
    past_rulings = [rulings_by_number[ruling.number] for ruling in slip.rulings]
    past_rulings += [_make_past_ruling(book, pending) for pending in slip.waiting_steps]
    if any(rests_on_hidden(book, past_ruling, viewer) for past_ruling in past_rulings):
        _refuse_hidden(slip.shown_ruling.ruling.number)


def _make_past_ruling(book: Book, pending: Pending) -> PastRuling:
    """Return a waiting step as a `PastRuling`, so that it can be adjudicated again."""
    declarer = book.load_viewer(pending.seat) or Viewer(pending.seat, "player")
    return PastRuling(
        book.campaign.rulings + 1,
        json_form.declaration_from_json(book.ruleset, pending.declared),
        declarer,
        scene(pending.scene) if pending.scene is not None else None,
        read_answers(book, pending.answers),
        (),
        frozenset(),
        book.ruleset.edition,
    )


def _must_be_without_chance(slip: Slip) -> None:
    """Raise an error if the ledger rolled dice or dealt cards, because nobody may get new ones instead."""
    answers = [answer for ruling in slip.rulings for answer in ruling.ruled.answers]
    answers += [answer for pending in slip.waiting_steps for answer in pending.answers]
    if any(map(is_answered_by_ledger, answers)):
        number = slip.shown_ruling.ruling.number
        raise WrongStatus(
            f"The ledger rolled dice or dealt cards for ruling {number}. {_suggest_dispute(number)}",
            code="dice-rolled",
            ruling=number,
        )


def _refuse_hidden(number: int) -> NoReturn:
    raise NotYours(
        f"Ruling {number} depends on information hidden from you, and may have revealed some of it."
        f" {_suggest_dispute(number)}",
        code="rests-on-hidden",
        ruling=number,
    )


def _suggest_dispute(number: int) -> str:
    return f"To ask for a decision, dispute ruling {number}."
