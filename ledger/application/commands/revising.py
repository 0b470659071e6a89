"""Revise a ruling: correct its declaration or answers, keep the other answers, and rule it again at its own place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from ledger.aggregates.ruling import Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act
from ledger.application.commands.adjudicating import mark_as_typed, refuse_typed_dice
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.consequences import (
    list_clearing_settlements,
    make_rulings_again,
    must_know_what_follows,
    record_revision,
)
from ledger.application.commands.deciding import load_decidable_ruling, must_be_changeable_alone
from ledger.application.merging import apply_patch
from ledger.application.reading.comparisons import compare_with_revised
from ledger.application.reading.pasts import load_history, load_past_before, log_failure, read_answers
from ledger.application.reading.rulings import drop_legs
from ledger.application.reading.shown import Present, ShownComparison, ShownDecision, ShownRuling
from ledger.application.reading.veiling import must_see_balance, rests_on_hidden
from ledger.application.reading.waiting import is_answered_by_ledger
from ledger.application.save import Save, format_now
from ledger.errors import Malformed, NotYours
from ledger.events.records import Address, Code, Given, Settle
from ledger.rules.kernel.adjudication import Failed, Waiting
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_declarer, find_kind
from ledger.rules.kernel.questions import Answer, Choice
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Viewer
from ledger.rules.kernel.table import RulingTable, load_campaign_entry
from ledger.rules.kernel.thrown import list_typed_faces
from ledger.rules.kernel.upcasting import AsRecorded
from ledger.rules.kernel.world import Past, PastRuling, Revision


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction with its reason. `code`: a typing mistake (`entry`) or a wrong ruling (`ruling`).

    `declare`: the whole corrected declaration. `patch`: a merge patch of the recorded one. If both are None, the
    declaration stays the same. `answers`: new answers, in the order of the ruling's answers that the correcting seat
    sees. None, or a missing item at the end, keeps the old answer. If a question is no longer asked, its new answer
    goes to the first question without an answer.
    """

    reason: str
    code: Code
    declare: object = None
    answers: Sequence[Answer | None] = ()
    settle: Settle = "flag"
    if_match: int | None = None
    patch: Mapping[str, object] | None = None


def revise(number: int, correction: Correction, present: Present) -> Act:
    """Return the act that gives the ruling a new verdict at its own place. Each later ruling with a different result
    gets a finding, or is ruled again.

    Raise Refused if the rules refuse the correction, or Malformed `needs-dice` if it needs more answers than were
    recorded.
    """
    request = Request("revise", number, correction.reason, _make_correction_content(correction))
    return lambda save: carry_out_or_ask(save, request, make_revising(number, correction), present)


def make_revising(number: int, correction: Correction) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        assert save.viewer is not None
        shown_ruling = _load_ruling_to_revise(save.book, save.viewer, number, correction)
        revision, answers = _adjudicate_again(save.book, save.viewer, shown_ruling, correction, save.at)
        shown_comparison = compare_with_revised(save.book, revision, save.position, correction.settle)
        decision_fields: dict[str, object] = {"code": correction.code, "settle": correction.settle}
        revised_ruling = record_revision(
            save, shown_ruling.ruling, revision, answers, "revised", correction.reason, **decision_fields
        )
        addresses = set(revised_ruling.ruled.facts)
        fact_events = [
            event for event in save.events if Address(event.originator_id, event.originator_version) in addresses
        ]
        make_rulings_again(save, shown_comparison, number, correction.reason)
        settlements = list_clearing_settlements(save.book, shown_comparison, f"ruling {number} was revised")
        save.note_for_journal("revised", ruling=number, findings=shown_comparison.findings, settlements=settlements)
        shown_revision = ShownRuling(
            revised_ruling, drop_legs(fact_events), [*shown_ruling.earlier, shown_ruling.events]
        )
        return DecisionResult(
            200, ShownDecision(shown_revision, shown_comparison), shown_comparison, known_to=revised_ruling.audience
        )

    return make_decision


def _make_correction_content(correction: Correction) -> json_form.Json:
    """Return the correction in the form that `parse_correction` reads."""
    declaration = json_form.declaration_to_json(correction.declare) if correction.declare is not None else None
    answers = [json_form.answer_to_json(answer) if answer is not None else None for answer in correction.answers]
    return {
        "code": correction.code,
        "declare": declaration,
        "patch": dict(correction.patch) if correction.patch is not None else None,
        "answers": answers,
        "settle": correction.settle,
    }


def parse_correction(ruleset: AnyRuleset, reason: str, content: json_form.Json, edition: int) -> Correction:
    """Return the correction that was stored under this edition of the rules."""
    declaration = (
        json_form.declaration_from_json(ruleset, content["declare"], edition)
        if content["declare"] is not None
        else None
    )
    answers = [
        json_form.answer_from_json(ruleset, answer, edition) if answer is not None else None
        for answer in content["answers"]
    ]
    return Correction(reason, content["code"], declaration, answers, content["settle"], patch=content["patch"])


def preview_revising(book: Book, viewer: Viewer, number: int, correction: Correction) -> ShownComparison:
    """Return what revising would change, without saving anything. Raise the same refusals as revising."""
    shown_ruling = _load_ruling_to_revise(book, viewer, number, correction)
    revision, _ = _adjudicate_again(book, viewer, shown_ruling, correction, format_now())
    shown_comparison = compare_with_revised(book, revision, book.campaign.position + 1, correction.settle)
    must_know_what_follows(book, viewer, shown_comparison)
    return shown_comparison


def _load_ruling_to_revise(book: Book, viewer: Viewer, number: int, correction: Correction) -> ShownRuling:
    shown_ruling = load_decidable_ruling(
        book, viewer, number, "revise", correction.reason, correction.if_match, gm_only=True
    )
    must_be_changeable_alone(shown_ruling.ruling, "correct")
    revealing_events = shown_ruling.revealing_events
    is_visible = any(viewer.may_see(event.body.audience) for event in revealing_events)
    if revealing_events and not is_visible and viewer.seat != shown_ruling.ruling.responsible_seat:
        raise NotYours("You can't correct a ruling that is hidden from you.")
    return shown_ruling


def _adjudicate_again(
    book: Book, viewer: Viewer, shown_ruling: ShownRuling, correction: Correction, at: str
) -> tuple[Revision, list[Given]]:
    """Adjudicate the ruling again on the campaign as it was before. Return the result and the answers used."""
    ruling = shown_ruling.ruling
    history = load_history(book)
    past_ruling = history.rulings[ruling.number]
    past = load_past_before(book, history, past_ruling.place)
    past.tell(past_ruling.before)
    declaration = correction.declare
    if correction.patch is not None:
        if isinstance(past_ruling.declared, AsRecorded):
            raise _make_unreadable_error(ruling.number)
        declaration = apply_patch(book.ruleset, json_form.declaration_to_json(past_ruling.declared), correction.patch)
    if declaration is None and isinstance(past_ruling.declared, AsRecorded):
        raise _make_unreadable_error(ruling.number)
    if declaration is not None:
        _check_same_kind(past, past_ruling, declaration)
        if list_typed_faces(declaration) != list_typed_faces(past_ruling.declared):
            refuse_typed_dice(book, declaration)
        table = _make_table(past, past_ruling)
        past_ruling = replace(past_ruling, declared=past.ruleset.meant(table, declaration))
    answers, corrected_places, repeated_places = _correct_answers(
        _read_answers(book, ruling), viewer, correction.answers, at
    )
    refuse_typed_dice(
        book, *(json_form.answer_from_json(book.ruleset, answers[place].answer) for place in sorted(corrected_places))
    )
    if rests_on_hidden(book, replace(past_ruling, said=read_answers(book, answers)), viewer):
        must_see_balance(book, viewer, past_ruling.declared)
        raise NotYours(
            "You can't correct a ruling that depends on information hidden from you."
            " Overturn it and have it declared again.",
            code="rests-on-hidden",
        )

    def adjudicate(answers: Sequence[Given]) -> Revision:
        return past.rule_again(replace(past_ruling, said=read_answers(book, answers)), ruling.revision + 1)

    revision = adjudicate(answers)
    unasked_places = (corrected_places | repeated_places) - _list_used_places(revision)
    if unasked_places and isinstance(revision.outcome, Waiting) and revision.outcome.unfit is None:
        freed_answers = [
            replace(answer, question={}, by=viewer.seat, at=at) if place in unasked_places else answer
            for place, answer in enumerate(answers)
        ]
        revision = adjudicate(freed_answers)
        answers = [
            freed_answers[place] if place in _list_used_places(revision) else answer
            for place, answer in enumerate(answers)
        ]
    match revision.outcome:
        case Failed() as failure:
            log_failure(book, ruling.number, failure)
            raise failure
        case Refused() as refusal:
            raise refusal
        case Waiting() as waiting:
            _raise_unanswered_question(waiting, corrected_places, viewer)
    if corrected_places - _list_used_places(revision):
        raise Unfit("ledger.answer", "not-asked")
    return revision, answers


def _read_answers(book: Book, ruling: Ruling) -> list[Given]:
    """Return the answers in the form that the installed rules read."""
    edition = ruling.ruled.edition
    if edition == book.ruleset.edition:
        return list(ruling.ruled.answers)
    try:
        return list(json_form.upcast_answers(book.ruleset, ruling.ruled.answers, edition))
    except Malformed:
        raise _make_unreadable_error(ruling.number) from None


def _make_unreadable_error(number: int) -> Malformed:
    return Malformed(
        f"Ruling {number} was made under an earlier edition, which today's rules can't read."
        " Overturn it and declare it again.",
        code="unreadable-today",
    )


def _list_used_places(revision: Revision) -> set[int]:
    return {place for _, place in revision.replayed.answered}


def _make_table(past: Past, ruling: PastRuling) -> RulingTable:
    return RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene, after=ruling.after)


def _check_same_kind(past: Past, past_ruling: PastRuling, do: object) -> None:
    """Raise Malformed for a declaration of another kind, or NotYours if the declaring seat may not make it."""
    if find_kind(do) != find_kind(past_ruling.declared):
        raise Malformed(
            f"A correction must have the same kind, {find_kind(past_ruling.declared)!r}."
            " To declare another kind, overturn the ruling and declare again.",
            code="another-kind",
            kind=find_kind(past_ruling.declared),
        )
    declarer = find_declarer(do)
    if declarer.who == "owner" and declarer.of is not None:
        table = _make_table(past, past_ruling)
        owner = declarer.of(table, do)
        if owner in load_campaign_entry(past).roster and owner not in past_ruling.by.characters:
            raise NotYours(f"Your seat can't declare this correction. Only {declarer.text} can.")


def _correct_answers(
    recorded_answers: Sequence[Given], viewer: Viewer, corrections: Sequence[Answer | None], at: str
) -> tuple[list[Given], set[int], set[int]]:
    """Return all answers with the corrections applied, the indexes of the corrected answers, and the indexes of the
    answers repeated unchanged.

    Indexes do not count answers that were set aside. Raise Malformed for a change to dice that the ledger rolled.
    """
    answers = [recorded_answer for recorded_answer in recorded_answers if not recorded_answer.set_aside]
    has_rolls_by_ledger = any(map(is_answered_by_ledger, answers))
    visible_places = [
        place
        for place, recorded_answer in enumerate(answers)
        if viewer.may_see(recorded_answer.audience)
        or (recorded_answer.by == viewer.seat and not is_answered_by_ledger(recorded_answer))
    ]
    corrected_places: set[int] = set()
    repeated_places: set[int] = set()
    for index, answer in enumerate(corrections):
        if answer is None:
            continue
        new_answer = json_form.answer_to_json(mark_as_typed(answer))
        if index >= len(visible_places):
            if has_rolls_by_ledger and not isinstance(answer, Choice):
                raise _make_rolled_error("The ledger rolled the dice for this ruling. You can't add dice.")
            corrected_places.add(len(answers))
            answers.append(Given({}, new_answer, viewer.seat, at))
            continue
        place, earlier_answer = visible_places[index], answers[visible_places[index]]
        if _strip_source(new_answer) != _strip_source(earlier_answer.answer):
            if is_answered_by_ledger(earlier_answer):
                raise _make_rolled_error("The ledger rolled these dice. You can't change them.")
            corrected_places.add(place)
            answers[place] = replace(earlier_answer, answer=new_answer, by=viewer.seat, at=at)
        elif not is_answered_by_ledger(earlier_answer):
            repeated_places.add(place)
    return (
        [*answers, *(recorded_answer for recorded_answer in recorded_answers if recorded_answer.set_aside)],
        corrected_places,
        repeated_places,
    )


def _make_rolled_error(detail: str) -> Malformed:
    return Malformed(detail, code="dice-rolled")


def _strip_source(answer: json_form.Json) -> json_form.Json:
    """Return the answer without the information about who rolled."""
    ((kind, fields),) = answer.items()
    source_fields = () if kind == "choice" else ("source", "proof")
    return {kind: {name: value for name, value in fields.items() if name not in source_fields}}


def _raise_unanswered_question(waiting: Waiting, places: set[int], viewer: Viewer) -> NoReturn:
    """Raise Unfit if a new answer does not fit, else Malformed with the unanswered question."""
    if waiting.unfit is not None and waiting.place in places:
        raise waiting.unfit
    question = json_form.question_json(waiting.question)
    is_visible = viewer.may_see(waiting.question.audience)
    raise Malformed(
        "This correction needs answers that were not recorded. Overturn the ruling and declare it again.",
        code="needs-dice",
        question=question if is_visible else {"ask": question["ask"]},
    )
