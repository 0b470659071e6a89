"""Records a verdict as a ruling: its number, its reasons, its facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ledger.aggregates.ruling import Pending, Ruling
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.commands.adjudicating import Adjudication
from ledger.application.commands.lapsing import lapse_unanswerable
from ledger.application.reading.doubles import find_doubles_by_ruling
from ledger.application.reading.shown import ShownRuling
from ledger.application.reading.veiling import add_ids
from ledger.application.reading.verdicts import limit_audiences, list_reasons
from ledger.application.roller import begin_epoch
from ledger.application.save import Place, Save
from ledger.events.records import Given, Numbered, Ruled
from ledger.events.records_of_journal import Finding, Settlement
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.facts import Leg, SessionClosed, SessionOpened
from ledger.rules.kernel.subjects import parse_subject


def record(
    adjudication: Adjudication,
    verdict: Verdict[object],
    pending: Pending | None,
    set_aside: Sequence[Given] = (),
    answered: json_form.Json | None = None,
) -> ShownRuling:
    """Put the verdict as the next ruling: its facts, its own stream, the journal entry. `answered`: the question that
    was answered last, if it waited for an answer.
    """
    save, number = adjudication.save, adjudication.number
    first = len(save.events)
    addresses = save.put_facts(Place(number), limit_audiences(verdict))
    stored = save.events[first:]
    ruled = Ruled(
        declared=json_form.declaration_to_json(adjudication.do),
        seat=adjudication.declarer.seat,
        role=adjudication.declarer.role,
        plays=tuple(sorted(adjudication.declarer.characters)),
        scene=adjudication.named_scene.id if adjudication.named_scene is not None else None,
        answers=(*adjudication.given, *set_aside),
        edition=save.book.ruleset.edition,
        dials=dict(save.book.entry.dials),
        because=list_reasons(verdict),
        reads=tuple(sorted(adjudication.table.reads)),
        facts=tuple(addresses),
        waited_as=_find_waiting_id(save, pending),
    )
    save.put(f"{save.book.id}/ruling/{number}", 0, ruled, audience=verdict.audience)
    if pending is not None:
        numbered = Numbered(number, ruled.answers, answered if answered != pending.question else None)
        save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, numbered, audience=pending.audience)
    for fact in verdict.facts:
        if isinstance(fact.fact, SessionOpened | SessionClosed):
            begin_epoch(save, fact.fact.session if isinstance(fact.fact, SessionOpened) else "")
    # a hidden ruling has no consequence that everybody sees
    ends = lapse_unanswerable(save, number, pending) if verdict.audience is None else ()
    waiting_id = pending.id if pending is not None else None
    known_to = (*verdict.audience, save.by, ruled.seat) if verdict.audience is not None else None
    doubles = find_doubles_by_ruling(save.book, number, verdict, known_to)
    settled = [Settlement(id, "cleared", f"ruling {number} left it in one place") for id in doubles.over]
    save.note(
        "ruled",
        ruling=number,
        waiting=waiting_id,
        findings=add_ids(doubles.raised, save.position),
        settled=[*_list_paid_back(save, number, verdict), *settled],
    )
    stamp = (save.by, save.at, save.session, save.position, verdict.audience)
    ruling = Ruling(number, 1, *stamp, ruled, "standing", ())
    facts = [event for event in stored if not isinstance(event.body.fact, Leg)]
    return ShownRuling(ruling, facts, ends=ends, declared=adjudication.do)


def _list_paid_back(save: Save, number: int, verdict: Verdict[object]) -> list[Settlement]:
    """Return findings, now settled, about accounts that are no longer below zero.

    None for an account with a secret movement: closing the finding would reveal how much.
    """
    debts = [finding for finding in save.book.campaign.open_findings.values() if finding.kind == "overdrawn"]
    moved: dict[str, int] = defaultdict(int)
    hidden: set[str] = set()
    for fact in verdict.facts if debts else ():
        for posting in fact.postings:
            moved[posting.source] -= posting.amount
            moved[posting.target] += posting.amount
            if fact.audience is not None or verdict.audience is not None:
                hidden |= {posting.source, posting.target}
    settled = []
    for debt in debts:
        account = debt.account or ""
        if account in moved and account not in hidden and not has_secret_moves(save.book, debt):
            stream = save.book.load_stream(parse_subject(debt.subject or ""))
            if stream.folded.purse.get(account, 0) + moved[account] >= 0:
                settled.append(Settlement(debt.id, "cleared", f"ruling {number} paid it back"))
    return settled


def has_secret_moves(book: Book, debt: Finding) -> bool:
    """Return whether anything in the account was ever moved that not everybody may see."""
    return bool(book.load_stream(parse_subject(debt.subject or "")).audiences_by_account.get(debt.account or ""))


def _find_waiting_id(save: Save, pending: Pending | None) -> str | None:
    """Return the id under which the ruling waited, for its answers or for consent."""
    if pending is not None:
        return pending.id
    return save.consent.waited_as if save.consent is not None else None
