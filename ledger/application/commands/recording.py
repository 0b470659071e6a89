"""Record a verdict as a ruling, with its number, reasons and facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ledger.aggregates.ruling import Pending, Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.commands.adjudicating import Adjudication
from ledger.application.commands.lapsing import lapse_unanswerable_declarations
from ledger.application.reading.doubles import find_doubles_by_ruling
from ledger.application.reading.shown import ShownRuling
from ledger.application.reading.veiling import add_finding_ids
from ledger.application.reading.verdicts import limit_fact_audiences, list_reasons
from ledger.application.roller import begin_epoch
from ledger.application.save import Place, Save
from ledger.events.records import Given, Numbered, Ruled
from ledger.events.records_of_journal import Finding, Settlement
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.facts import Leg, SessionClosed, SessionOpened
from ledger.rules.kernel.subjects import parse_subject


def record_ruling(
    adjudication: Adjudication,
    verdict: Verdict[object],
    pending: Pending | None,
    answers_set_aside: Sequence[Given] = (),
    question_answered: json_form.Json | None = None,
) -> ShownRuling:
    """Put the verdict into the save as the next ruling. `question_answered`: the last question answered, if the
    declaration had waited.
    """
    save, number = adjudication.save, adjudication.number
    first_place = len(save.events)
    addresses = save.put_facts(Place(number), limit_fact_audiences(verdict))
    fact_events = save.events[first_place:]
    ruled_record = Ruled(
        declared=json_form.declaration_to_json(adjudication.do),
        seat=adjudication.declarer.seat,
        role=adjudication.declarer.role,
        plays=tuple(sorted(adjudication.declarer.characters)),
        scene=adjudication.named_scene.id if adjudication.named_scene is not None else None,
        answers=(*adjudication.answers_given, *answers_set_aside),
        edition=save.book.ruleset.edition,
        dials=dict(save.book.entry.dials),
        because=list_reasons(verdict),
        reads=tuple(sorted(adjudication.table.reads)),
        facts=tuple(addresses),
        waited_as=_find_waiting_id(save, pending),
        follows=pending.follows if pending is not None else save.follows,
    )
    save.put(f"{save.book.id}/ruling/{number}", 0, ruled_record, audience=verdict.audience)
    if pending is not None:
        numbered_record = Numbered(
            number, ruled_record.answers, question_answered if question_answered != pending.question else None
        )
        save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, numbered_record, audience=pending.audience)
    for fact in verdict.facts:
        if isinstance(fact.fact, SessionOpened | SessionClosed):
            begin_epoch(save, fact.fact.session if isinstance(fact.fact, SessionOpened) else "")
    # a hidden ruling must not have consequences that everybody sees
    lapsing_declarations = lapse_unanswerable_declarations(save, number, pending) if verdict.audience is None else ()
    waiting_id = pending.id if pending is not None else None
    known_to = (*verdict.audience, save.by, ruled_record.seat) if verdict.audience is not None else None
    doubles = find_doubles_by_ruling(save.book, number, verdict, known_to)
    settlements = [
        Settlement(id, "cleared", f"ruling {number} changed who holds it or who sees it") for id in doubles.ended_ids
    ]
    save.note_for_journal(
        "ruled",
        ruling=number,
        waiting=waiting_id,
        findings=add_finding_ids(doubles.raised_findings, save.position),
        settlements=[*_list_settlements_of_paid_debts(save, number, verdict), *settlements],
        follows=ruled_record.follows,
    )
    stamp = (save.by, save.at, save.session, save.position, verdict.audience)
    ruling = Ruling(number, 1, *stamp, ruled_record, "standing", ())
    events = [event for event in fact_events if not isinstance(event.body.fact, Leg)]
    return ShownRuling(ruling, events, lapsing_declarations=lapsing_declarations, declared=adjudication.do)


def _list_settlements_of_paid_debts(save: Save, number: int, verdict: Verdict[object]) -> list[Settlement]:
    """Return the settlements of findings about accounts that are no longer below zero.

    Leave out accounts with a secret entry, because closing the finding would reveal the amount.
    """
    open_debts = [finding for finding in save.book.campaign.open_findings.values() if finding.kind == "overdrawn"]
    amounts_moved: dict[str, int] = defaultdict(int)
    hidden_accounts: set[str] = set()
    for fact in verdict.facts if open_debts else ():
        for posting in fact.postings:
            amounts_moved[posting.source] -= posting.amount
            amounts_moved[posting.target] += posting.amount
            if fact.audience is not None or verdict.audience is not None:
                hidden_accounts |= {posting.source, posting.target}
    settlements = []
    for debt in open_debts:
        account = debt.account or ""
        if account in amounts_moved and account not in hidden_accounts and not has_secret_moves(save.book, debt):
            stream = save.book.load_stream(parse_subject(debt.subject or ""))
            if stream.folded.purse.get(account, 0) + amounts_moved[account] >= 0:
                settlements.append(Settlement(debt.id, "cleared", f"ruling {number} repaid the debt"))
    return settlements


def has_secret_moves(book: Book, debt: Finding) -> bool:
    """Return whether the account has an entry that not everybody may see."""
    return bool(book.load_stream(parse_subject(debt.subject or "")).audiences_by_account.get(debt.account or ""))


def _find_waiting_id(save: Save, pending: Pending | None) -> str | None:
    """Return the id of the declaration or decision that waited before this ruling, or None."""
    if pending is not None:
        return pending.id
    return save.consent.waited_as if save.consent is not None else None
