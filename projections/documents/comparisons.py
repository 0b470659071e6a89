"""Previews: two pasts side by side, for one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from ledger import application
from ledger.application import (
    ShownComparison,
    ShownDecision,
    find_known_part,
    find_rulings_resting_on_hidden,
    hide_unknown_values,
    json_form,
    load_history,
    load_visible_ruling,
    may_know_whether_fact_fits,
)
from ledger.application.reading.comparisons import compare_without_rulings
from ledger.events import records_of_journal as journal
from ledger.rules.kernel import comparison as pasts
from ledger.rules.kernel.comparison import Known
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.register import SceneEntry
from ledger.rules.kernel.sentences import HIDDEN_DECLARATION
from ledger.rules.kernel.sentences import STANDPOINTS as STANDPOINTS_SAID
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.world import PastRuling
from projections.documents import rulings
from projections.documents.findings import OTHERWISE, Finding, describe_finding, select_visible
from projections.documents.outcomes import Outcome, describe_outcome, get_facts, list_outcome_texts
from projections.documents.rulings import PROPOSED, RULING, Ruling
from projections.documents.shape import Document, give_example
from projections.documents.subjects import Changed, describe_for_comparison, list_changed_fields, list_hidden_accounts
from projections.redaction import Json, LiveLens, to_text
from projections.wording import fill_frame, strip_end

Sized = TypeVar("Sized")
Standpoint: TypeAlias = Literal["stands", "changes", "loses support", "needs dice", "rests on what is hidden from you"]
#: For a ruling that rests on something hidden: the same, whatever its outcome.
RESTS: Literal["rests on what is hidden from you"] = "rests on what is hidden from you"
SAID = 3  # sentences at most
MOST_ROWS = 200  # rulings listed, unless more are asked for
#: Bytes that these rulings and subjects may take: with its findings an answer stays below 100 kB.
ROOM, ROOM_OF_SUBJECTS = 50_000, 20_000
STANDPOINTS: tuple[Standpoint, ...] = ("stands", "changes", "loses support", "needs dice", RESTS)


class Row(Document):
    """A later ruling, or the corrected one, with its result before and after the change. `text`: the difference in one
    sentence.

    `now` and `then` are only present if they differ.

    A ruling that `rests on what is hidden from you` never has `now` and `then`. `reruled`: the ruling gets the result
    `then`. `older_edition`: the ruling used an earlier edition of the rules, so it is not ruled again automatically.
    """

    number: int
    standpoint: Standpoint
    older_edition: bool
    reruled: bool
    now: Outcome | None
    then: Outcome | None
    text: str


COMPARISON: Comparison = {
    "without": [5],
    "restored": [],
    "revised": [],
    "dials": {},
    "rulings": [
        {
            "number": 6,
            "standpoint": "changes",
            "older_edition": False,
            "reruled": False,
            "now": {"facts": PROPOSED, "because": RULING["because"], "refusal": None, "question": None},
            "then": {"facts": [], "because": [], "refusal": None, "question": None},
            "text": "Ruling 6 would have a different result (Giazza hits Kiro): no result.",
        },
    ],
    "more": None,
    "counts": {
        "stands": 11,
        "changes": 1,
        "loses support": 0,
        "needs dice": 0,
        "rests on what is hidden from you": 0,
    },
    "subjects": [
        {"subject": "character:2", "name": "Cleo", "fields": [{"field": "state/harm", "before": 4, "after": 0}]}
    ],
    "more_subjects": 0,
    "findings": [],
}


@give_example(**COMPARISON)
class Comparison(Document):
    """The current campaign compared with itself: without some rulings, with them again, or with one corrected.

    `dials`: the options that are different in the preview. `rulings`: rulings that change, in order, up to
    `limit`; by default at most 200 and as many as fit in a short answer. `more`: the ruling after which the list
    continues; `findings` cover the same range. `counts`: all rulings, including those that stay the same. `subjects`:
    subjects that end differently, all of them if you sent a `limit`; `more_subjects`: how many others there are.
    """

    without: list[int]
    restored: list[int]
    revised: list[int]
    dials: Json
    rulings: list[Row]
    more: int | None
    counts: dict[Standpoint, int]
    subjects: list[Changed]
    more_subjects: int
    findings: list[Finding]


@give_example(**RULING, changed=None)
class Decided(Ruling):
    """The ruling after the decision, and what changed."""

    changed: Comparison | None


def describe_decided(lens: LiveLens, shown: ShownDecision) -> Decided:
    """Return the ruling after the decision, and what the decision changed, if anything."""
    changed = describe_comparison(lens, shown.changed) if shown.changed is not None else None
    return {**rulings.describe_ruling(lens, shown.ruling), "changed": changed}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rulings of a comparison are listed. `stands`: also those that do not change. `limit`: None for as many as
    make a short answer.
    """

    stands: bool = False
    after: int = 0
    limit: int | None = None


SHORT = Wanted()


def describe_comparison(lens: LiveLens, shown: ShownComparison, wanted: Wanted = SHORT) -> Comparison:
    """Return each later ruling that would change, the counts by outcome, each subject that ends differently, and the
    findings it raises.
    """
    known = find_known_part(lens.book, shown, lens.viewer)
    resting = known.resting if known is not None else frozenset()
    rows = _make_rows(lens, shown, resting)
    differing = [
        row for row in rows if row["number"] > wanted.after and (wanted.stands or row["standpoint"] != "stands")
    ]
    unchanged = {row["number"] for row in rows if row["standpoint"] in ("stands", RESTS)}
    visible = select_visible(lens, shown.findings)
    shown_findings = [
        open_finding
        for open_finding in visible
        if open_finding.kind not in OTHERWISE or open_finding.ruling not in unchanged
    ]
    shown_findings = [
        open_finding for open_finding in shown_findings if may_know_whether_fact_fits(known, open_finding)
    ]
    counts: Counter[Standpoint] = Counter(row["standpoint"] for row in rows)
    page = list(_take_fitting(_add_texts(lens, differing[: wanted.limit or MOST_ROWS]), wanted, ROOM))
    more = page[-1]["number"] if len(page) < len(differing) else None
    subjects = _list_subjects(lens, shown, known)
    changed = list(_take_fitting(subjects, wanted, ROOM_OF_SUBJECTS))
    return {
        "without": list(shown.without),
        "restored": list(shown.restored),
        "revised": list(shown.revised),
        "dials": json_form.to_json(shown.dials),
        "rulings": page,
        "more": more,
        "counts": {standpoint: counts[standpoint] for standpoint in STANDPOINTS},
        "subjects": changed,
        "more_subjects": len(subjects) - len(changed),
        "findings": [
            describe_finding(lens, open_finding)
            for open_finding in _number_findings(lens, shown_findings)
            if open_finding.ruling is None or wanted.after < open_finding.ruling <= (more or open_finding.ruling)
        ],
    }


def _take_fitting(documents: Iterable[Sized], wanted: Wanted, room: int) -> Iterator[Sized]:
    """Return as many as fit, at least the first; all of them if the caller gave a number."""
    for place, document in enumerate(documents):
        room -= len(to_text(document)) if wanted.limit is None else 0
        if room < 0 and place:
            return
        yield document


def _number_findings(lens: LiveLens, findings: list[journal.Finding]) -> list[journal.Finding]:
    """Number the findings of a what-if for this viewer; those of a decision have their ids."""
    position = lens.book.campaign.position + 1
    return [
        open_finding if open_finding.id else replace(open_finding, id=f"{position}-{place}")
        for place, open_finding in enumerate(findings, 1)
    ]


def find_ruling(lens: LiveLens, number: int, *, leaning: bool = False) -> Ruling:
    """Return the ruling; `leaning`: with those that depend on it. NotFound if the viewer may not know of it."""
    shown = load_visible_ruling(lens.book, number, lens.viewer)
    return rulings.describe_ruling(lens, shown, _list_dependent_rulings(lens, shown.ruling) if leaning else None)


def _list_dependent_rulings(lens: LiveLens, ruling: application.Ruling) -> list[int]:
    """Return later rulings that would change if this one were overturned, except those resting on hidden values."""
    if not ruling.stands or ruling.number >= lens.book.campaign.rulings:
        return []
    position = lens.book.campaign.position + 1
    shown = compare_without_rulings(
        lens.book, frozenset({ruling.number}), position=position, findings="none", viewer=lens.viewer
    )
    rows = _make_rows(lens, shown, find_rulings_resting_on_hidden(lens.book, shown, lens.viewer))
    return [row["number"] for row in rows if row["standpoint"] not in ("stands", RESTS)]


def _make_rows(lens: LiveLens, shown: ShownComparison, resting: frozenset[int]) -> list[Row]:
    history = load_history(lens.book)
    rows = [row for row in shown.comparison.rows if lens.may_know(history.recorded_rulings[row.number])]
    return [_make_row(lens, row, rests=row.number in resting) for row in rows]


def _add_texts(lens: LiveLens, rows: list[Row]) -> Iterator[Row]:
    rulings = load_history(lens.book).rulings
    for row in rows:
        yield {**row, "text": _make_sentence(lens, row, rulings[row["number"]])}


def _make_row(lens: LiveLens, row: pasts.Row, *, rests: bool) -> Row:
    if rests:
        return _make_shared_fields(row, RESTS)
    now = describe_outcome(lens, row.now) if row.now is not None else None
    then = describe_outcome(lens, row.then) if row.then is not None else None
    is_same = isinstance(row.now, Verdict) and isinstance(row.then, Verdict) and get_facts(now) == get_facts(then)
    if is_same or row.standpoint == "stands":
        return _make_shared_fields(row, "stands")  # what the viewer may see
    return {**_make_shared_fields(row, row.standpoint), "reruled": row.reruled, "now": now, "then": then}


def _make_shared_fields(row: pasts.Row, standpoint: Standpoint) -> Row:
    return {
        "number": row.number,
        "standpoint": standpoint,
        "older_edition": row.older_edition,
        "reruled": False,
        "now": None,
        "then": None,
        "text": "",
    }


def _make_sentence(lens: LiveLens, row: Row, ruling: PastRuling) -> str:
    """Return what would differ about a ruling, and why."""
    if row["standpoint"] in ("stands", RESTS):
        return fill_frame(STANDPOINTS_SAID[row["standpoint"]], {"number": row["number"]})
    now, then = row["now"], row["then"]
    bodies = [body for _, body in ruling.facts]
    last = max((body.revision for body in bodies), default=0)
    is_declaration_visible = lens.may_see_declaration(
        ruling.by.seat, [body for body in bodies if body.revision == last]
    )
    shown = (
        lens.fill_in_names(lens.wording.word_input(ruling.declared)) if is_declaration_visible else HIDDEN_DECLARATION
    )
    before, after = list_outcome_texts(now), list_outcome_texts(then)
    values = {
        "number": row["number"],
        "said": strip_end(shown),
        "now": [text for text in before if text not in after][:SAID],
        "then": [text for text in after if text not in before][:SAID] or ["no result"],
    }
    return lens.fill_in_names(fill_frame(STANDPOINTS_SAID[row["standpoint"]], values))


def _list_subjects(lens: LiveLens, shown: ShownComparison, known: Known | None) -> list[Changed]:
    """Return the subjects that end differently for this viewer, field by field.

    Values that rest on something hidden are shown as they are now. If rulings are ruled again, subjects of a ruling
    that rests on something hidden are left out: another ruling may take its place now.
    """
    hidden = list_hidden_accounts(lens)
    resting = known.resting if known is not None else frozenset()
    uncertain_subjects = (
        _list_subjects_of(lens, shown, resting) if shown.other is not None and shown.other.rerule else frozenset()
    )
    unsure_facts = known.unsure if known is not None else frozenset()
    entry_now, entry_then = shown.comparison.now.find(CAMPAIGN), shown.comparison.then.find(CAMPAIGN)
    changes: list[Changed] = []
    for subject in shown.comparison.list_differing():
        if subject in uncertain_subjects:
            continue
        now, then = shown.comparison.now.find(subject), shown.comparison.then.find(subject)
        then = hide_unknown_values(known, subject, now, then) if then is not None else None
        before, after = (
            describe_for_comparison(lens, now, hidden, entry_now, unsure_facts),
            describe_for_comparison(lens, then, hidden, entry_then, unsure_facts),
        )
        if fields := list_changed_fields(before, after):
            changes.append({"subject": str(subject), "name": _find_name(lens, shown, subject), "fields": fields})
    return changes


def _list_subjects_of(lens: LiveLens, shown: ShownComparison, numbers: frozenset[int]) -> frozenset[Subject]:
    """Return the subjects of these rulings, as recorded and as ruled again."""
    recorded = load_history(lens.book).facts
    facts = [(subject, fact) for number in numbers for subject, fact in recorded.get(number, ())]
    facts += [fact for ruling in shown.comparison.reruled if ruling.number in numbers for fact in ruling.facts]
    return frozenset(subject for subject, _ in facts)


def _find_name(lens: LiveLens, shown: ShownComparison, subject: Subject) -> str:
    """Return the subject's name in either past. An overturned enrolment leaves none in the other."""
    for past in (shown.comparison.now, shown.comparison.then):
        folded = past.find(subject)
        if folded is not None and folded.entry is not None:
            return folded.entry.title if isinstance(folded.entry, SceneEntry) else folded.entry.name
    return lens.name(subject)
