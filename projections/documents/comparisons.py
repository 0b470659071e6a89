"""What would be different: two pasts side by side, for one viewer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Literal, TypeAlias

from ledger import application
from ledger.application import (
    ShownComparison,
    ShownDecision,
    as_may_be_shown,
    history_of,
    json_form,
    known_of_shown,
    may_be_found,
    resting_on_hidden,
    show_ruling,
)
from ledger.application.commands.consequences import without
from ledger.events import records
from ledger.rules.kernel import adjudication
from ledger.rules.kernel import comparison as pasts
from ledger.rules.kernel.comparison import Known
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.register import SceneEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from projections.documents import rulings
from projections.documents.findings import OTHERWISE, Finding, finding, visible
from projections.documents.rulings import RULING, Refusal, Ruling, Step
from projections.documents.shape import Document, like
from projections.documents.subjects import Changed, differing, unseen_anywhere, whole
from projections.redaction import Asked, Json, Proposed, Sight

Standpoint: TypeAlias = Literal["stands", "changes", "loses support", "needs dice", "rests on what is hidden from you"]
#: Of a ruling that rests on what the viewer may not know: alike, however that comes out.
RESTS: Literal["rests on what is hidden from you"] = "rests on what is hidden from you"
STANDPOINTS: tuple[Standpoint, ...] = ("stands", "changes", "loses support", "needs dice", RESTS)


class Outcome(Document):
    """How a ruling comes out: facts and derivation, or a refusal, or a question nobody has answered."""

    facts: list[Proposed] | None
    because: list[Step] | None
    refusal: Refusal | None
    question: Asked | None


class Row(Document):
    """A later ruling (or the revised one) beside itself. `now` and `then` only where they differ.

    One that `rests on what is hidden from you` is told alike, however it comes out: without `now` and `then`.
    `reruled`: it takes what it comes out as `then`. `older_edition`: it was ruled under an earlier edition of the
    rules, and is never ruled again unasked.
    """

    number: int
    standpoint: Standpoint
    older_edition: bool
    reruled: bool
    now: Outcome | None
    then: Outcome | None


COMPARISON: Comparison = {
    "without": [5],
    "restored": [],
    "revised": [],
    "dials": {},
    "rulings": [
        {"number": 6, "standpoint": "stands", "older_edition": False, "reruled": False, "now": None, "then": None},
    ],
    "counts": {
        "stands": 1,
        "changes": 0,
        "loses support": 0,
        "needs dice": 0,
        "rests on what is hidden from you": 0,
    },
    "subjects": [
        {"subject": "character:2", "name": "Cleo", "fields": [{"field": "state/harm", "before": 4, "after": 0}]}
    ],
    "findings": [],
}


@like(**COMPARISON)
class Comparison(Document):
    """The campaign as it stands beside itself: without some rulings, or with them again, or with one revised.

    `dials`: as if it had been played with these from the start.
    """

    without: list[int]
    restored: list[int]
    revised: list[int]
    dials: Json
    rulings: list[Row]
    counts: dict[Standpoint, int]
    subjects: list[Changed]
    findings: list[Finding]


@like(**RULING, changed=None)
class Decided(Ruling):
    """The ruling after the decision, and what that changed."""

    changed: Comparison | None


def decided(sight: Sight, shown: ShownDecision) -> Decided:
    """The ruling after the decision, and what that changed where it changed anything."""
    changed = comparison(sight, shown.changed) if shown.changed is not None else None
    return {**rulings.ruling(sight, shown.ruling), "changed": changed}


def comparison(sight: Sight, shown: ShownComparison) -> Comparison:
    """Each later ruling, how many come out how, each subject that ends differently, the findings it raises."""
    known = known_of_shown(sight.book, shown, sight.viewer)
    resting = known.resting if known is not None else frozenset()
    rows = _rows(sight, shown, resting)
    alike = {row["number"] for row in rows if row["standpoint"] in ("stands", RESTS)}
    told = visible(sight, shown.findings)
    raised = [one for one in told if one.kind not in OTHERWISE or one.ruling not in alike]
    raised = [one for one in raised if may_be_found(known, one)]
    counts: Counter[Standpoint] = Counter(row["standpoint"] for row in rows)
    return {
        "without": list(shown.without),
        "restored": list(shown.restored),
        "revised": list(shown.revised),
        "dials": json_form.plain(shown.dials),
        "rulings": rows,
        "counts": {standpoint: counts[standpoint] for standpoint in STANDPOINTS},
        "subjects": _subjects(sight, shown, known),
        "findings": [finding(sight, one) for one in _numbered(sight, raised)],
    }


def _numbered(sight: Sight, raised: list[records.Finding]) -> list[records.Finding]:
    """Those of a what-if as they are counted by who asks; a decision's have their ids."""
    position = sight.book.campaign.position + 1
    return [one if one.id else replace(one, id=f"{position}-{place}") for place, one in enumerate(raised, 1)]


def one_ruling(sight: Sight, number: int) -> Ruling:
    """The ruling with the later ones that lean on it. NotFound when the viewer may not know of it."""
    shown = show_ruling(sight.book, number, sight.viewer)
    return rulings.ruling(sight, shown, _leaning(sight, shown.ruling))


def _leaning(sight: Sight, ruling: application.Ruling) -> list[int]:
    """Later rulings that would not come out the same if this one were struck: none that rests on what is hidden."""
    if not ruling.stands or ruling.number >= sight.book.campaign.rulings:
        return []
    position = sight.book.campaign.position + 1
    shown = without(sight.book, frozenset({ruling.number}), position=position, findings="none", viewer=sight.viewer)
    rows = _rows(sight, shown, resting_on_hidden(sight.book, shown, sight.viewer))
    return [row["number"] for row in rows if row["standpoint"] not in ("stands", RESTS)]


def _rows(sight: Sight, shown: ShownComparison, resting: frozenset[int]) -> list[Row]:
    history = history_of(sight.book)
    known = [row for row in shown.comparison.rows if sight.knows(history.recorded[row.number])]
    return [_row(sight, row, rests=row.number in resting) for row in known]


def _row(sight: Sight, row: pasts.Row, *, rests: bool) -> Row:
    if rests:
        return _alike(row, RESTS)
    now = outcome(sight, row.now) if row.now is not None else None
    then = outcome(sight, row.then) if row.then is not None else None
    same = isinstance(row.now, Verdict) and isinstance(row.then, Verdict) and _facts(now) == _facts(then)
    if same or row.standpoint == "stands":
        return _alike(row, "stands")  # as far as the viewer may see
    return {
        "number": row.number,
        "standpoint": row.standpoint,
        "older_edition": row.older_edition,
        "reruled": row.reruled,
        "now": now,
        "then": then,
    }


def _alike(row: pasts.Row, standpoint: Standpoint) -> Row:
    return {
        "number": row.number,
        "standpoint": standpoint,
        "older_edition": row.older_edition,
        "reruled": False,
        "now": None,
        "then": None,
    }


def _facts(document: Outcome | None) -> object:
    return document["facts"] if document is not None else None


def outcome(sight: Sight, one: adjudication.Outcome) -> Outcome:
    """A verdict's facts and derivation, or the refusal, or the question nobody answered."""
    told: Outcome = {"facts": None, "because": None, "refusal": None, "question": None}
    if isinstance(one, Verdict):
        seen = not sight.hides_all(one.facts)
        told["facts"] = sight.proposed(one.facts)
        told["because"] = rulings.because(sight, one.because) if seen else []
    elif isinstance(one, Refused):
        told["refusal"] = rulings.refusal(one, seen=sight.may_see(one.audience))
    else:
        told["question"] = sight.question(json_form.question_json(one.question))
    return told


def _subjects(sight: Sight, shown: ShownComparison, known: Known | None) -> list[Changed]:
    """Those that end differently for this viewer, field by field.

    Of what rests on what is hidden from him nothing is said: it is shown as it is now.
    Where rulings are ruled again, none of those about which one of them rests on what is hidden: it may be another now.
    """
    hidden = unseen_anywhere(sight)
    resting = known.resting if known is not None else frozenset()
    unsure = _told_by(sight, shown, resting) if shown.other is not None and shown.other.rerule else frozenset()
    ground = known.unsure if known is not None else frozenset()
    here, there = shown.comparison.now.find(CAMPAIGN), shown.comparison.then.find(CAMPAIGN)
    found: list[Changed] = []
    for subject in shown.comparison.differing():
        if subject in unsure:
            continue
        now, then = shown.comparison.now.find(subject), shown.comparison.then.find(subject)
        then = as_may_be_shown(known, subject, now, then) if then is not None else None
        before, after = whole(sight, now, hidden, here, ground), whole(sight, then, hidden, there, ground)
        if fields := differing(before, after):
            found.append({"subject": str(subject), "name": _name(sight, shown, subject), "fields": fields})
    return found


def _told_by(sight: Sight, shown: ShownComparison, numbers: frozenset[int]) -> frozenset[Subject]:
    """What these rulings are about, as recorded and as ruled again."""
    recorded = history_of(sight.book).facts
    told = [(subject, done) for number in numbers for subject, done in recorded.get(number, ())]
    told += [fact for one in shown.comparison.reruled if one.number in numbers for fact in one.facts]
    return frozenset(subject for subject, _ in told)


def _name(sight: Sight, shown: ShownComparison, subject: Subject) -> str:
    """As it is called in either past; a struck enrolment leaves none in the other."""
    for past in (shown.comparison.now, shown.comparison.then):
        folded = past.find(subject)
        if folded is not None and folded.entry is not None:
            return folded.entry.title if isinstance(folded.entry, SceneEntry) else folded.entry.name
    return sight.name(subject)
