"""The consequences of a decision: both pasts compared, rulings ruled again, findings raised and cleared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ledger.aggregates.ruling import Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.commands.recording import has_secret_moves
from ledger.application.reading.doubles import HELD_TWICE
from ledger.application.reading.pasts import load_history
from ledger.application.reading.shown import ShownComparison
from ledger.application.reading.veiling import find_known_of_shown
from ledger.application.reading.verdicts import limit_audiences, list_reasons
from ledger.application.save import Place, Save
from ledger.application.trying import try_past
from ledger.errors import NotYours
from ledger.events.records import Decided, Decision, Given, Restored, Retold, Struck, Unsupported
from ledger.events.records_of_journal import Finding, Settlement
from ledger.rules.kernel.adjudication import Outcome, Replayed
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, Viewer
from ledger.rules.kernel.world import Revision

#: Decisions that may have waited for consent.
CONSENTED = ("overturned", "reinstated", "revised")


# --- both pasts ---------------------------------------------------------------------------------------------------


# --- findings -----------------------------------------------------------------------------------------------------


def list_settled_findings(
    book: Book, numbers: frozenset[int], changed: ShownComparison, reason: str
) -> list[Settlement]:
    """Return the findings about the rulings overturned, and those that no longer hold without them."""
    findings = book.campaign.open_findings.values()
    settled = [Settlement(finding.id, "overturned", reason) for finding in findings if finding.ruling in numbers]
    settled_ids = {settlement.finding for settlement in settled}
    return settled + [
        settlement
        for settlement in list_cleared_findings(book, changed, reason)
        if settlement.finding not in settled_ids
    ]


def list_cleared_findings(book: Book, changed: ShownComparison, reason: str) -> list[Settlement]:
    """Return open findings that no longer hold: the ruling comes out as recorded, the debt is gone, the fact fits
    again.

    Also those replaced by a new one: the ruling comes out differently again, the debt is greater. An open debt that
    everybody knows stays if something was moved in secret: its end would reveal how much.
    """
    comparison = changed.comparison
    raised_again = {_identify(finding) for finding in changed.findings if finding.kind != HELD_TWICE}
    as_recorded = {row.number for row in comparison.rows if row.as_recorded}
    differing = {str(subject): comparison.then.told(subject) for subject in comparison.list_differing()}

    def is_cleared(finding: Finding) -> bool:
        if finding.kind == HELD_TWICE:
            return finding.id in changed.over
        if finding.kind == "overdrawn" and finding.audience is None and has_secret_moves(book, finding):
            return False
        if _identify(finding) in raised_again:
            return True
        folded = differing.get(finding.subject or "")
        if finding.kind == "overdrawn":
            return folded is not None and finding.account not in folded.overdrawn()
        if finding.kind == "adrift":
            places = {f"{ruling}.{step}" for ruling, step in folded.adrift} if folded is not None else set()
            return folded is not None and finding.detail not in places
        return finding.ruling in as_recorded

    return [
        Settlement(finding.id, "cleared", reason)
        for finding in book.campaign.open_findings.values()
        if is_cleared(finding)
    ]


def _identify(finding: Finding) -> tuple[object, ...]:
    """Return the matter of a finding: a ruling's outcome, an account, a fact."""
    if finding.kind == "overdrawn":
        return (finding.subject, finding.account)
    return ("adrift", finding.subject, finding.detail) if finding.kind == "adrift" else (finding.ruling,)


# --- into the record ----------------------------------------------------------------------------------------------


def mark_streams(save: Save, ruling: Ruling, mark: Struck | Restored) -> None:
    """Mark every stream that any revision of the ruling touched."""
    for stream in ruling.streams:
        _, kind, id = stream.split("/", 2)
        save.put_about(Subject(kind, id), mark)  # type: ignore[arg-type]


def decide(save: Save, ruling: Ruling, decided: Decided, audience: Audience = None) -> Ruling:
    """Put the decision into the ruling's stream. Return the ruling after it. `audience`: if fewer may know of the
    decision.
    """
    seen_by = audience if audience is not None else ruling.audience
    if decided.decision in CONSENTED:
        decided = replace(decided, consent=save.consent)
    save.put(f"{save.book.id}/ruling/{ruling.number}", ruling.version, decided, audience=seen_by)
    return ruling.apply_decision(decided, save.by, save.at, save.position, seen_by)


def make_rulings_again(
    save: Save, changed: ShownComparison, cause: int, reason: str, after: Ruling | None = None
) -> Ruling | None:
    """Put the new revision of every ruling that is ruled or counted again because of the decision about `cause`.

    `after`: the ruling decided about, after the decision. It is returned, because it may itself be counted again. Seats
    that may not know of the `cause` do not learn from this that there is one.
    """
    assert save.viewer is not None
    must_know_what_follows(save.book, save.viewer, changed)
    try_past(save, changed.comparison)
    history = load_history(save.book)
    recorded = history.recorded
    is_known = recorded[cause].audience is None
    shown_reason = reason if is_known else "Another ruling was changed by a decision."
    for revision in changed.comparison.reruled:
        ruling = after if after is not None and after.number == revision.number else recorded[revision.number]
        if revision.counted:
            audience = _find_recount_audience(ruling, history.facts[revision.number], revision.outcome)
            revised_ruling = _record_recount(
                save, ruling, revision, shown_reason, audience, cause if is_known else None
            )
            after = revised_ruling if ruling is after else after
            continue
        details: dict[str, object] = {"cause": cause if is_known else None, "settle": "rerule"}
        revised_ruling = record_revision(
            save, ruling, revision, ruling.ruled.answers, "reruled", shown_reason, **details
        )
        after = revised_ruling if ruling is after else after
    return after


def _record_recount(
    save: Save, ruling: Ruling, revision: Revision, reason: str, seen_by: Audience, cause: int | None
) -> Ruling:
    """Put the revision as it was, with the facts that follow from its own as they are now."""
    ruled, verdict = ruling.ruled, revision.outcome
    assert isinstance(verdict, Verdict)
    facts = save.put_facts(Place(ruling.number, revision.revision), verdict.facts)
    retold = Retold(
        declared=ruled.declared,
        answers=ruled.answers,
        edition=ruled.edition,
        dials=ruled.dials,
        because=ruled.because,
        reads=ruled.reads,
        facts=tuple(facts),
    )
    decided = Decided("recounted", reason, revision=revision.revision, cause=cause, retold=retold)
    after = decide(save, ruling, decided, seen_by)
    mark_streams(save, after, Restored(ruling.number, revision.revision))
    return after


def _find_recount_audience(ruling: Ruling, facts: Sequence[tuple[Subject, Any]], outcome: Outcome) -> Audience:
    """Return who may know that it was counted again: if everything recorded is secret, those who see some of it."""
    audiences = [body.audience for _, body in facts]
    audiences += [fact.audience for fact in outcome.facts] if isinstance(outcome, Verdict) else []
    if ruling.audience is not None or not audiences or None in audiences:
        return ruling.audience
    return tuple(sorted({ruling.ruled.seat, *(entry for audience in audiences for entry in audience)}))


def must_know_what_follows(book: Book, viewer: Viewer, changed: ShownComparison) -> None:
    """Raise NotYours for a player who would have rulings made again that rest on hidden values, because they would see
    them.

    Also if something hidden from them affects somebody in a way nobody saw: reinstating it at once would reveal it.
    """
    known = find_known_of_shown(book, changed, viewer) if viewer.role != "gm" else None
    if known is None or changed.other is None:
        return
    if changed.other.rerule and known.resting_rulings:
        raise NotYours(
            "Later rulings depend on information hidden from you, so only a game master can rule them again."
            " Use `flag` instead.",
            code="rests-on-hidden",
        )
    if known.possibly_changed_subjects:
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
    **more: Any,
) -> Ruling:
    """Put the facts of the new revision in place of the earlier ones, and the decision. `answers`: those it was
    replayed on.
    """
    outcome = revision.outcome
    verdict: Verdict[object] = outcome if isinstance(outcome, Verdict) else Verdict(())
    audience = verdict.audience if verdict.audience is not None else ruling.audience
    facts = save.put_facts(
        Place(ruling.number, revision.revision), limit_audiences(replace(verdict, audience=audience))
    )
    retold = Retold(
        declared=json_form.declaration_to_json(revision.declared),
        answers=sort_answers(answers, revision.replayed),
        edition=save.book.ruleset.edition,
        dials=dict(revision.dials),
        because=list_reasons(verdict),
        reads=tuple(sorted(revision.reads)),
        facts=tuple(facts),
        refused=_make_unsupported(outcome) if isinstance(outcome, Refused) else None,
    )
    after = decide(save, ruling, Decided(decision, reason, revision=revision.revision, retold=retold, **more))
    mark_streams(save, after, Restored(ruling.number, revision.revision))
    return after


def sort_answers(answers: Sequence[Given], replayed: Replayed) -> tuple[Given, ...]:
    """Return the answers with the questions they answered this time, then those set aside."""
    in_order = [answer for answer in answers if not answer.set_aside] + [
        answer for answer in answers if answer.set_aside
    ]
    used_places = {place for _, place in replayed.answered}
    answers_used = [_attach_question(question, in_order[place]) for question, place in replayed.answered]
    return (
        *answers_used,
        *(replace(answer, set_aside=True) for place, answer in enumerate(in_order) if place not in used_places),
    )


def _attach_question(question: Any, given: Given) -> Given:
    """Return the answer with the question that it answered this time, and the audience of that question."""
    audience = question.audience if question.audience is not None else given.audience
    return replace(given, question=json_form.question_json(question), audience=audience, set_aside=False)


def _make_unsupported(refused: Refused) -> Unsupported:
    return Unsupported(refused.rule, refused.code, json_form.to_json(refused.context), refused.audience)
