"""The consequences of a decision: rulings are ruled again, and findings are raised and cleared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ledger.aggregates.ruling import Pending, Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.commands.recording import has_secret_moves
from ledger.application.reading.doubles import HELD_TWICE
from ledger.application.reading.pasts import load_history
from ledger.application.reading.shown import ShownComparison
from ledger.application.reading.veiling import find_known_part
from ledger.application.reading.verdicts import limit_fact_audiences, list_reasons
from ledger.application.save import Place, Save
from ledger.application.trying import try_past
from ledger.errors import NotYours
from ledger.events.records import Decided, Decision, Given, Restored, Retold, Struck, Unsupported, Withdrawn
from ledger.events.records_of_journal import Finding, Settlement
from ledger.rules.kernel.adjudication import Outcome, Replayed
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, Viewer
from ledger.rules.kernel.world import Revision

#: Decisions that may have waited for consent.
CONSENTED = ("overturned", "reinstated", "revised", "rewound")


# --- waiting declarations ---------------------------------------------------------------------------------------------


def withdraw(save: Save, pendings: Iterable[Pending], reason: str) -> None:
    """End each waiting declaration that depends on something that no longer stands."""
    for pending in pendings:
        save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, Withdrawn(reason), audience=pending.audience)


# --- findings -----------------------------------------------------------------------------------------------------


def list_settlements(
    book: Book, numbers: frozenset[int], shown_comparison: ShownComparison, reason: str
) -> list[Settlement]:
    """Return settlements of findings about the overturned rulings, and of findings that are no longer true without
    these rulings.
    """
    findings = book.campaign.open_findings.values()
    settlements = [Settlement(finding.id, "overturned", reason) for finding in findings if finding.ruling in numbers]
    settled_ids = {settlement.finding for settlement in settlements}
    return settlements + [
        settlement
        for settlement in list_clearing_settlements(book, shown_comparison, reason)
        if settlement.finding not in settled_ids
    ]


def list_clearing_settlements(book: Book, shown_comparison: ShownComparison, reason: str) -> list[Settlement]:
    """Return settlements of open findings that are no longer true or that a new finding replaces.

    A finding about a debt stays open if everybody knows about it but the account has a secret entry, because closing it
    would reveal the amount.
    """
    comparison = shown_comparison.comparison
    matters_raised_again = {
        _make_matter(finding) for finding in shown_comparison.findings if finding.kind != HELD_TWICE
    }
    numbers_as_recorded = {row.number for row in comparison.rows if row.as_recorded}
    folded_by_subject = {
        str(subject): comparison.then.told(subject) for subject in comparison.list_differing_subjects()
    }

    def is_cleared(finding: Finding) -> bool:
        if finding.kind == HELD_TWICE:
            return finding.id in shown_comparison.ended_ids
        if finding.kind == "overdrawn" and finding.audience is None and has_secret_moves(book, finding):
            return False
        if _make_matter(finding) in matters_raised_again:
            return True
        folded = folded_by_subject.get(finding.subject or "")
        if finding.kind == "overdrawn":
            return folded is not None and finding.account not in folded.find_overdrawn_accounts()
        if finding.kind == "adrift":
            places_adrift = {f"{number}.{step}" for number, step in folded.adrift} if folded is not None else set()
            return folded is not None and finding.detail not in places_adrift
        return finding.ruling in numbers_as_recorded

    return [
        Settlement(finding.id, "cleared", reason)
        for finding in book.campaign.open_findings.values()
        if is_cleared(finding)
    ]


def _make_matter(finding: Finding) -> tuple[object, ...]:
    """Return the matter of a finding: a ruling's outcome, an account or a fact."""
    if finding.kind == "overdrawn":
        return (finding.subject, finding.account)
    return ("adrift", finding.subject, finding.detail) if finding.kind == "adrift" else (finding.ruling,)


# --- into the record ----------------------------------------------------------------------------------------------


def mark_streams(save: Save, ruling: Ruling, mark: Struck | Restored) -> None:
    """Add the decision's mark to every stream that any revision of the ruling touched."""
    for stream in ruling.streams:
        _, kind, id = stream.split("/", 2)
        save.put_about(Subject(kind, id), mark)  # type: ignore[arg-type]


def record_decision(save: Save, ruling: Ruling, decision: Decided, audience: Audience = None) -> Ruling:
    """Put the decision into the ruling's stream. Return the ruling after it. `audience`: who may know of the decision.
    None means everybody who may know of the ruling.
    """
    decision_audience = audience if audience is not None else ruling.audience
    if decision.decision in CONSENTED:
        decision = replace(decision, consent=save.consent)
    save.put(f"{save.book.id}/ruling/{ruling.number}", ruling.stream_version, decision, audience=decision_audience)
    return ruling.apply_decision(decision, save.by, save.at, save.position, decision_audience)


def make_rulings_again(
    save: Save, shown_comparison: ShownComparison, cause: int, reason: str, decided_ruling: Ruling | None = None
) -> Ruling | None:
    """Record a new revision of each ruling that is ruled again or recounted because of the decision about `cause`.
    Return `decided_ruling`, recounted if necessary.

    `decided_ruling`: the ruling that the decision is about, after the decision. Seats that may not know of `cause`
    learn nothing about it from the new revisions.
    """
    assert save.viewer is not None
    must_know_what_follows(save.book, save.viewer, shown_comparison)
    try_past(save, shown_comparison.comparison)
    history = load_history(save.book)
    recorded_rulings = history.recorded_rulings
    is_cause_known = cause not in recorded_rulings or recorded_rulings[cause].audience is None
    shown_reason = reason if is_cause_known else "Another ruling was changed by a decision."
    for revision in shown_comparison.comparison.reruled:
        ruling = (
            decided_ruling
            if decided_ruling is not None and decided_ruling.number == revision.number
            else recorded_rulings[revision.number]
        )
        if revision.counted:
            audience = _find_recount_audience(ruling, history.facts[revision.number], revision.outcome)
            revised_ruling = _record_recount(
                save, ruling, revision, shown_reason, audience, cause if is_cause_known else None
            )
            decided_ruling = revised_ruling if ruling is decided_ruling else decided_ruling
            continue
        decision_fields: dict[str, object] = {"cause": cause if is_cause_known else None, "settle": "rerule"}
        revised_ruling = record_revision(
            save, ruling, revision, ruling.ruled.answers, "reruled", shown_reason, **decision_fields
        )
        decided_ruling = revised_ruling if ruling is decided_ruling else decided_ruling
    return decided_ruling


def _record_recount(
    save: Save, ruling: Ruling, revision: Revision, reason: str, audience: Audience, cause: int | None
) -> Ruling:
    """Record the recounted revision: the same answers, with new consequences of the ruling's own facts."""
    record, verdict = ruling.ruled, revision.outcome
    assert isinstance(verdict, Verdict)
    facts = save.put_facts(Place(ruling.number, revision.revision, ruling.ruled.after), verdict.facts)
    retold_record = Retold(
        declared=record.declared,
        answers=record.answers,
        edition=record.edition,
        dials=record.dials,
        because=record.because,
        reads=record.reads,
        facts=tuple(facts),
    )
    decision = Decided("recounted", reason, revision=revision.revision, cause=cause, retold=retold_record)
    recounted_ruling = record_decision(save, ruling, decision, audience)
    mark_streams(save, recounted_ruling, Restored(ruling.number, revision.revision))
    return recounted_ruling


def _find_recount_audience(ruling: Ruling, facts: Sequence[tuple[Subject, Any]], outcome: Outcome) -> Audience:
    """Return who may know that the ruling was recounted. If all its records are secret, return the seats that may see
    part of them.
    """
    audiences = [body.audience for _, body in facts]
    audiences += [fact.audience for fact in outcome.facts] if isinstance(outcome, Verdict) else []
    if ruling.audience is not None or not audiences or None in audiences:
        return ruling.audience
    return tuple(sorted({ruling.ruled.seat, *(entry for audience in audiences for entry in audience)}))


def must_know_what_follows(book: Book, viewer: Viewer, shown_comparison: ShownComparison) -> None:
    """Raise NotYours if a player's decision would reveal something hidden: the results of rulings that depend on hidden
    values, or a change that the player may not see.
    """
    known_comparison = find_known_part(book, shown_comparison, viewer) if viewer.role != "gm" else None
    if known_comparison is None or shown_comparison.other is None:
        return
    if shown_comparison.other.rerule and known_comparison.resting_numbers:
        raise NotYours(
            "Later rulings depend on information hidden from you, so only a game master can rule them again."
            " Use `flag` instead.",
            code="rests-on-hidden",
        )
    if known_comparison.possibly_changed_subjects:
        raise NotYours(
            "The result depends on information hidden from you, so only a game master can decide this.",
            code="rests-on-hidden",
        )


def record_revision(
    save: Save,
    ruling: Ruling,
    revision: Revision,
    answers: Sequence[Given],
    decision: Decision,
    reason: str,
    **decision_fields: Any,
) -> Ruling:
    """Record the decision, and the facts of the new revision in place of the earlier ones. `answers`: the answers used
    by the new revision.
    """
    outcome = revision.outcome
    verdict: Verdict[object] = outcome if isinstance(outcome, Verdict) else Verdict(())
    audience = verdict.audience if verdict.audience is not None else ruling.audience
    facts = save.put_facts(
        Place(ruling.number, revision.revision, ruling.ruled.after),
        limit_fact_audiences(replace(verdict, audience=audience)),
    )
    retold_record = Retold(
        declared=json_form.declaration_to_json(revision.declared),
        answers=sort_answers(answers, revision.replayed),
        edition=save.book.ruleset.edition,
        dials=dict(revision.dials),
        because=list_reasons(verdict),
        reads=tuple(sorted(revision.reads)),
        facts=tuple(facts),
        refused=_make_unsupported(outcome) if isinstance(outcome, Refused) else None,
    )
    revised_ruling = record_decision(
        save, ruling, Decided(decision, reason, revision=revision.revision, retold=retold_record, **decision_fields)
    )
    mark_streams(save, revised_ruling, Restored(ruling.number, revision.revision))
    return revised_ruling


def sort_answers(answers: Sequence[Given], replayed: Replayed) -> tuple[Given, ...]:
    """Return the used answers with their new questions, followed by the answers set aside."""
    ordered_answers = [answer for answer in answers if not answer.set_aside] + [
        answer for answer in answers if answer.set_aside
    ]
    used_places = {place for _, place in replayed.answered}
    answers_used = [_attach_question(question, ordered_answers[place]) for question, place in replayed.answered]
    return (
        *answers_used,
        *(replace(answer, set_aside=True) for place, answer in enumerate(ordered_answers) if place not in used_places),
    )


def _attach_question(question: Any, answer: Given) -> Given:
    """Return the answer with its current question and that question's audience."""
    audience = question.audience if question.audience is not None else answer.audience
    return replace(answer, question=json_form.question_json(question), audience=audience, set_aside=False)


def _make_unsupported(refusal: Refused) -> Unsupported:
    return Unsupported(refusal.rule, refusal.code, json_form.to_json(refusal.context), refusal.audience)
