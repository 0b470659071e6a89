"""Compare the campaign with itself after a decision, and list the findings that the decision would raise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from ledger.application.book import Book
from ledger.application.reading.doubles import find_doubles_by_decision
from ledger.application.reading.pasts import compare_pasts, end_comparison, load_chronicle, load_history
from ledger.application.reading.shown import ShownComparison
from ledger.application.reading.veiling import address_findings, find_comparison_as_known
from ledger.events.records import Settle
from ledger.events.records_of_journal import Finding, FindingKind
from ledger.rules.kernel.chronicle import Chronicle
from ledger.rules.kernel.comparison import Comparison, Other, compare_from
from ledger.rules.kernel.subjects import Viewer
from ledger.rules.kernel.world import PastRuling, Revision

FLAGGED: dict[str, FindingKind] = {"changes": "changes", "loses support": "loses support", "needs dice": "needs dice"}


def compare_without_rulings(
    book: Book,
    numbers: frozenset[int],
    *,
    position: int,
    cause: int | None = None,
    settle: Settle = "flag",
    fixed_options: Mapping[str, object] | None = None,
    finding_form: Literal["none", "bare", "addressed"] = "addressed",
    viewer: Viewer | None = None,
) -> ShownComparison:
    """Compare the campaign with itself without these rulings, and list the findings that a save at this position would
    raise.

    `viewer`: the only viewer of an unsaved comparison. Parts that this viewer may not know are skipped. `cause`: the
    ruling that the decision is about. By default, this is the first of these rulings. `fixed_options`: options that
    have these values from the start in the other past. `finding_form`: whether to list findings, and whether to decide
    who may see each.
    """
    history = load_history(book)
    standing_revisions = {**history.standing_revisions, **dict.fromkeys(numbers)}
    other_past = Other(
        standing_revisions, fixed_options=fixed_options or {}, rerule=settle == "rerule", openly=True, counts=True
    )
    known_comparison = (
        find_comparison_as_known(book, viewer, other_past) if viewer is not None and not other_past.rerule else None
    )
    comparison = compare_pasts(book, history, {1} if fixed_options else numbers, other_past, known_comparison)
    cause = cause or min(numbers, default=0)
    raised_findings, ended_ids = (
        _list_raised_and_ended_findings(book, comparison, cause) if finding_form != "none" else ((), ())
    )
    shown_comparison = ShownComparison(
        tuple(sorted(numbers)),
        (),
        comparison,
        raised_findings,
        dials=dict(fixed_options or {}),
        other=other_past,
        ended_ids=ended_ids,
        known_to=(viewer, known_comparison) if viewer is not None and known_comparison is not None else None,
    )
    return address_findings(book, shown_comparison, position) if finding_form == "addressed" else shown_comparison


def compare_with_rewound(book: Book, number: int, position: int, viewer: Viewer | None = None) -> ShownComparison:
    """Compare the campaign with itself without this ruling and every later one. `viewer`: the only viewer of an unsaved
    comparison.
    """
    history, last_number = load_history(book), book.campaign.rulings
    standing_revisions = {**history.standing_revisions, **dict.fromkeys(range(number, last_number + 1))}
    other_past = Other(standing_revisions, openly=True, counts=True, ends_before=number)
    known_comparison = find_comparison_as_known(book, viewer, other_past) if viewer is not None else None
    comparison = compare_pasts(book, history, (number,), other_past, known_comparison)
    raised_findings, ended_ids = _list_raised_and_ended_findings(book, comparison, number)
    shown_comparison = ShownComparison(
        (number,),
        (),
        comparison,
        raised_findings,
        other=other_past,
        ended_ids=ended_ids,
        known_to=(viewer, known_comparison) if viewer is not None and known_comparison is not None else None,
        through=last_number,
    )
    return address_findings(book, shown_comparison, position)


def find_restored_revisions(book: Book, number: int) -> dict[int, int]:
    """Return, by ruling, the revisions that will stand after this ruling is reinstated. If it is the first ruling of a
    rewind, all rulings of the rewind are included.
    """
    rulings = load_history(book).recorded_rulings
    ruling = rulings[number]
    if ruling.rewound_with != number:
        return {number: ruling.revision}
    last_number = ruling.decisions[-1].through or number
    return {
        later_number: rulings[later_number].revision
        for later_number in range(number, last_number + 1)
        if rulings[later_number].rewound_with == number
    }


def compare_with_reinstated(
    book: Book, number: int, revisions: Mapping[int, int], position: int, settle: Settle = "flag"
) -> ShownComparison:
    """Compare the campaign with itself after this overturned ruling is reinstated. `revisions`: the revisions that will
    stand then, by ruling (`find_restored_revisions`).
    """
    history = load_history(book)
    other_past = Other({**history.standing_revisions, **revisions}, rerule=settle == "rerule", openly=True, counts=True)
    comparison = compare_pasts(book, history, (number,), other_past)
    raised_findings, ended_ids = _list_raised_and_ended_findings(book, comparison, number)
    shown_comparison = ShownComparison(
        (),
        (number,),
        comparison,
        raised_findings,
        other=other_past,
        ended_ids=ended_ids,
        through=max(revisions) if len(revisions) > 1 else None,
    )
    return address_findings(book, shown_comparison, position)


def compare_with_revised(book: Book, revision: Revision, position: int, settle: Settle = "flag") -> ShownComparison:
    """Compare the campaign with itself after this ruling is ruled again."""
    history = load_history(book)
    number = revision.number
    other_past = Other(
        {**history.standing_revisions, number: revision.revision},
        {number: revision},
        rerule=settle == "rerule",
        openly=True,
        counts=True,
    )
    comparison = compare_pasts(book, history, (number,), other_past)
    raised_findings, ended_ids = _list_raised_and_ended_findings(book, comparison, number)
    shown_comparison = ShownComparison(
        (), (), comparison, raised_findings, revised=(number,), other=other_past, ended_ids=ended_ids
    )
    return address_findings(book, shown_comparison, position)


def compare_with_entered(book: Book, entered: PastRuling, position: int, settle: Settle = "flag") -> ShownComparison:
    """Compare the campaign with itself after this late entry, which is not recorded yet."""
    history = load_history(book)
    other_past = Other(history.standing_revisions, rerule=settle == "rerule", openly=True, counts=True)
    start = load_chronicle(book, history).start
    comparison = compare_from(
        Chronicle(start, history.list_in_play(entered)),
        entered.number,
        {**history.standing_revisions, entered.number: None},
        other_past,
    )
    end_comparison(book, history, comparison)
    rows = tuple(row for row in comparison.rows if row.number != entered.number)
    comparison = replace(comparison, rows=rows)
    raised_findings, ended_ids = _list_raised_and_ended_findings(book, comparison, entered.number)
    shown_comparison = ShownComparison(
        (), (), comparison, raised_findings, other=other_past, ended_ids=ended_ids, entered=entered
    )
    return address_findings(book, shown_comparison, position)


def _list_raised_and_ended_findings(
    book: Book, comparison: Comparison, cause: int
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Return the findings to raise, and the ids of findings about things held twice that no longer apply."""
    decided_ruling = load_history(book).recorded_rulings.get(cause)
    doubles = find_doubles_by_decision(book, comparison, decided_ruling, cause)
    return (*_list_findings(comparison, cause), *doubles.raised_findings), doubles.ended_ids


def _list_findings(comparison: Comparison, cause: int) -> tuple[Finding, ...]:
    """Return the findings that a decision raises: rulings with a different result than recorded, debts, and facts that
    no longer fit. `address_findings` sets their ids and audiences.
    """
    findings: list[Finding] = []

    def add_finding(kind: FindingKind, **details: Any) -> None:
        findings.append(Finding("", kind, cause, **details))

    for row in comparison.rows:
        if row.standpoint in FLAGGED and not row.as_recorded:
            add_finding(FLAGGED[row.standpoint], ruling=row.number)
    for subject in comparison.list_differing_subjects():
        folded_now, folded_then = comparison.now.told(subject), comparison.then.told(subject)
        for account, balance in folded_then.find_overdrawn_accounts().items():
            if balance != folded_now.purse.get(account, 0):
                add_finding("overdrawn", subject=str(subject), account=account, detail=str(balance))
        for number, step in folded_then.adrift:
            if (number, step) not in folded_now.adrift or comparison.has_other_revision(number):
                add_finding("adrift", subject=str(subject), ruling=number, detail=f"{number}.{step}")
    return tuple(findings)
