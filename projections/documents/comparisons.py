"""Previews: comparisons of two pasts, for one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NotRequired, TypeAlias, TypeVar, cast

from ledger import application
from ledger.application import (
    ShownComparison,
    ShownDecision,
    find_known_part,
    find_rulings_resting_on_hidden,
    hide_unknown_values,
    json_form,
    list_followers,
    load_history,
    load_visible_ruling,
    may_know_whether_fact_fits,
)
from ledger.application.reading.comparisons import compare_without_rulings
from ledger.events import records_of_journal as journal
from ledger.rules.kernel import comparison as pasts
from ledger.rules.kernel.comparison import Known
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.places import name_place
from ledger.rules.kernel.register import SceneEntry
from ledger.rules.kernel.sentences import HIDDEN_DECLARATION
from ledger.rules.kernel.sentences import STANDPOINTS as STANDPOINTS_SAID
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.world import PastRuling
from projections.documents import rulings
from projections.documents.continuing import WayOn, list_ways_on
from projections.documents.findings import OTHERWISE, Finding, describe_finding, select_visible
from projections.documents.outcomes import Outcome, describe_outcome, get_facts, list_outcome_texts
from projections.documents.rulings import PROPOSED, RULING, Ruling
from projections.documents.shape import Document, give_example
from projections.documents.subjects import Changed, describe_for_comparison, list_changed_fields, list_hidden_accounts
from projections.redaction import Json, LiveLens, to_text
from projections.wording import fill_frame, strip_end

Sized = TypeVar("Sized")
Standpoint: TypeAlias = Literal["stands", "changes", "loses support", "needs dice", "rests on what is hidden from you"]
#: The standpoint of a ruling that depends on something hidden. Its row reveals nothing about its result.
RESTS: Literal["rests on what is hidden from you"] = "rests on what is hidden from you"
SAID = 3  # the most results in the sentence about a ruling
MOST_ROWS = 200  # the rulings listed, unless the caller asks for more
#: The maximum size, in bytes, of the listed rulings and of the listed subjects. It keeps an answer below 100 kB.
ROOM, ROOM_OF_SUBJECTS = 50_000, 20_000
STANDPOINTS: tuple[Standpoint, ...] = ("stands", "changes", "loses support", "needs dice", RESTS)


class Row(Document):
    """A later ruling, or the corrected one, with its result before and after the change. `text`: the difference in one
    sentence.

    `now`, `then`: null if they are the same, or if the ruling `rests on what is hidden from you`. `reruled`: the ruling
    is ruled again, with the result `then`. `older_edition`: the ruling used an earlier edition of the rules, so it is
    not ruled again automatically.
    """

    number: int
    standpoint: Standpoint
    older_edition: bool
    reruled: bool
    now: Outcome | None
    then: Outcome | None
    text: str


class Entered(Document):
    """A ruling entered late: its place in play, and its result."""

    place: str
    outcome: Outcome


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
            "text": "Ruling 6 (Giazza hits Kiro) would have a different result: no result.",
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
    "followers": [],
}


@give_example(**COMPARISON)
class Comparison(Document):
    """The current campaign compared with a changed one: without some rulings, with some reinstated, or with one
    corrected.

    `dials`: the options that are different in the preview. `rulings`: rulings that change, in order, up to `limit`; by
    default at most 200 and as many as fit in a short answer. `more`: the ruling after which the list continues;
    `findings` cover the same range. `counts`: the number of rulings by `standpoint`, including those that stay the
    same. `subjects`: subjects with a different final state, all of them if you sent a `limit`; `more_subjects`: how
    many more there are.

    `followers`: rulings that followed automatically from the overturned rulings, depend on them and still stand. To
    overturn the followers, too, send their numbers as `also`.

    `through`: the last ruling of a rewind. The rewind begins with the ruling in `without` (or in `restored`).
    `entered`: the ruling that is entered late.
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
    followers: NotRequired[list[int]]  # answers stored by an earlier version do not have it
    through: NotRequired[int]
    entered: NotRequired[Entered]


@give_example(**RULING, changed=None)
class Decided(Ruling):
    """The ruling after the decision, and what changed. `ways`: how the table can go on if the ruling was overturned."""

    changed: Comparison | None
    ways: NotRequired[list[WayOn]]


def describe_decided_ruling(lens: LiveLens, shown_decision: ShownDecision) -> Decided:
    """Return the ruling after the decision, and what the decision changed, if anything."""
    comparison = describe_comparison(lens, shown_decision.changed) if shown_decision.changed is not None else None
    document = cast(Decided, {**rulings.describe_ruling(lens, shown_decision.shown_ruling), "changed": comparison})
    if ways := list_ways_on(lens, shown_decision):
        document["ways"] = ways
    return document


@dataclass(frozen=True, slots=True)
class Selection:
    """The rulings of a comparison to list. `with_unchanged`: whether to list rulings that do not change, too. `limit`:
    None lists as many rulings as fit in a short answer.
    """

    with_unchanged: bool = False
    after: int = 0
    limit: int | None = None


SHORT = Selection()


def describe_comparison(lens: LiveLens, shown_comparison: ShownComparison, selection: Selection = SHORT) -> Comparison:
    """Return the comparison as the viewer may see it."""
    knowledge = find_known_part(lens.book, shown_comparison, lens.viewer)
    resting_numbers = knowledge.resting_numbers if knowledge is not None else frozenset()
    rows = _make_rows(lens, shown_comparison, resting_numbers)
    find_place = lens.book.campaign.find_place
    after_place = find_place(selection.after)
    differing_rows = [
        row
        for row in rows
        if find_place(row["number"]) > after_place and (selection.with_unchanged or row["standpoint"] != "stands")
    ]
    unchanged_numbers = {row["number"] for row in rows if row["standpoint"] in ("stands", RESTS)}
    dependent_numbers = {row["number"] for row in rows if row["standpoint"] != "stands"}
    visible_findings = select_visible(lens, shown_comparison.findings)
    shown_findings = [
        open_finding
        for open_finding in visible_findings
        if open_finding.kind not in OTHERWISE or open_finding.ruling not in unchanged_numbers
    ]
    shown_findings = [
        open_finding for open_finding in shown_findings if may_know_whether_fact_fits(knowledge, open_finding)
    ]
    counts: Counter[Standpoint] = Counter(row["standpoint"] for row in rows)
    page = list(
        _take_fitting_documents(_add_texts(lens, differing_rows[: selection.limit or MOST_ROWS]), selection, ROOM)
    )
    next_after = page[-1]["number"] if len(page) < len(differing_rows) else None
    subjects = _list_changed_subjects(lens, shown_comparison, knowledge)
    changed_subjects = list(_take_fitting_documents(subjects, selection, ROOM_OF_SUBJECTS))
    document: Comparison = {
        "without": list(shown_comparison.without),
        "restored": list(shown_comparison.restored),
        "revised": list(shown_comparison.revised),
        "dials": json_form.to_json(shown_comparison.dials),
        "rulings": page,
        "more": next_after,
        "counts": {standpoint: counts[standpoint] for standpoint in STANDPOINTS},
        "subjects": changed_subjects,
        "more_subjects": len(subjects) - len(changed_subjects),
        "findings": [
            describe_finding(lens, open_finding)
            for open_finding in _number_findings(lens, shown_findings)
            if open_finding.ruling is None
            or after_place < find_place(open_finding.ruling) <= find_place(next_after or open_finding.ruling)
        ],
        "followers": [
            number for number in list_followers(lens.book, shown_comparison.without) if number in dependent_numbers
        ],
    }
    if shown_comparison.through is not None:
        document["through"] = shown_comparison.through
    if shown_comparison.entered is not None:
        document["entered"] = _describe_entered(lens, shown_comparison, shown_comparison.entered)
    return document


def _describe_entered(lens: LiveLens, shown_comparison: ShownComparison, entered: PastRuling) -> Entered:
    ordinal = len(lens.book.campaign.list_late_after(entered.after)) + 1
    verdict = shown_comparison.comparison.then.make_recorded_verdict(entered)
    return {
        "place": name_place(entered.number, entered.after, ordinal),
        "outcome": describe_outcome(lens, verdict),
    }


def _take_fitting_documents(documents: Iterable[Sized], selection: Selection, room: int) -> Iterator[Sized]:
    """Yield as many documents as fit into `room` bytes, at least one. Yield all of them if the caller gave a limit."""
    for index, document in enumerate(documents):
        room -= len(to_text(document)) if selection.limit is None else 0
        if room < 0 and index:
            return
        yield document


def _number_findings(lens: LiveLens, findings: list[journal.Finding]) -> list[journal.Finding]:
    """Return the findings, with ids for those that have none yet."""
    position = lens.book.campaign.position + 1
    return [
        open_finding if open_finding.id else replace(open_finding, id=f"{position}-{ordinal}")
        for ordinal, open_finding in enumerate(findings, 1)
    ]


def find_ruling(lens: LiveLens, number: int, *, with_dependents: bool = False) -> Ruling:
    """Return the ruling. `with_dependents`: whether to include the rulings that depend on it. Raise NotFound if the
    viewer may not know of it.
    """
    shown_ruling = load_visible_ruling(lens.book, number, lens.viewer)
    return rulings.describe_ruling(
        lens, shown_ruling, _list_dependent_numbers(lens, shown_ruling.ruling) if with_dependents else None
    )


def _list_dependent_numbers(lens: LiveLens, ruling: application.Ruling) -> list[int]:
    """Return later rulings that would change if this one were overturned, except those that depend on hidden values."""
    if not ruling.stands or lens.book.campaign.is_last_in_play(ruling.number):
        return []
    position = lens.book.campaign.position + 1
    shown_comparison = compare_without_rulings(
        lens.book, frozenset({ruling.number}), position=position, finding_form="none", viewer=lens.viewer
    )
    rows = _make_rows(lens, shown_comparison, find_rulings_resting_on_hidden(lens.book, shown_comparison, lens.viewer))
    return [row["number"] for row in rows if row["standpoint"] not in ("stands", RESTS)]


def _make_rows(lens: LiveLens, shown_comparison: ShownComparison, resting_numbers: frozenset[int]) -> list[Row]:
    history = load_history(lens.book)
    rows = [row for row in shown_comparison.comparison.rows if lens.may_know(history.recorded_rulings[row.number])]
    return [_make_row(lens, row, rests_on_hidden=row.number in resting_numbers) for row in rows]


def _add_texts(lens: LiveLens, rows: list[Row]) -> Iterator[Row]:
    rulings_by_number = load_history(lens.book).rulings
    for row in rows:
        yield {**row, "text": _make_sentence(lens, row, rulings_by_number[row["number"]])}


def _make_row(lens: LiveLens, row: pasts.Row, *, rests_on_hidden: bool) -> Row:
    if rests_on_hidden:
        return _make_shared_fields(row, RESTS)
    outcome_now = describe_outcome(lens, row.now) if row.now is not None else None
    outcome_then = describe_outcome(lens, row.then) if row.then is not None else None
    is_same = (
        isinstance(row.now, Verdict)
        and isinstance(row.then, Verdict)
        and get_facts(outcome_now) == get_facts(outcome_then)
    )
    if is_same or row.standpoint == "stands":
        return _make_shared_fields(row, "stands")  # the facts that the viewer may see are the same
    return {
        **_make_shared_fields(row, row.standpoint),
        "reruled": row.reruled,
        "now": outcome_now,
        "then": outcome_then,
    }


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
    """Return a sentence about how the ruling's result would change."""
    if row["standpoint"] in ("stands", RESTS):
        return fill_frame(STANDPOINTS_SAID[row["standpoint"]], {"number": row["number"]})
    outcome_now, outcome_then = row["now"], row["then"]
    bodies = [body for _, body in ruling.facts]
    last_revision = max((body.revision for body in bodies), default=0)
    is_declaration_visible = lens.may_see_declaration(
        ruling.by.seat, [body for body in bodies if body.revision == last_revision]
    )
    declaration_text = (
        lens.fill_in_names(lens.wording.word_input(ruling.declared)) if is_declaration_visible else HIDDEN_DECLARATION
    )
    texts_now, texts_then = list_outcome_texts(outcome_now), list_outcome_texts(outcome_then)
    frame_values = {
        "number": row["number"],
        "said": strip_end(declaration_text),
        "now": [text for text in texts_now if text not in texts_then][:SAID],
        "then": [text for text in texts_then if text not in texts_now][:SAID] or ["no result"],
    }
    return lens.fill_in_names(fill_frame(STANDPOINTS_SAID[row["standpoint"]], frame_values))


def _list_changed_subjects(lens: LiveLens, shown_comparison: ShownComparison, knowledge: Known | None) -> list[Changed]:
    """Return the fields that would end up different for this viewer, by subject.

    Values that depend on something hidden are shown unchanged. If rulings are made again, the subjects of a ruling that
    depends on something hidden are left out.
    """
    hidden_accounts = list_hidden_accounts(lens)
    resting_numbers = knowledge.resting_numbers if knowledge is not None else frozenset()
    uncertain_subjects = (
        _list_subjects_of_rulings(lens, shown_comparison, resting_numbers)
        if shown_comparison.other is not None and shown_comparison.other.rerule
        else frozenset()
    )
    unsure_facts = knowledge.unsure_facts if knowledge is not None else frozenset()
    campaign_now, campaign_then = (
        shown_comparison.comparison.now.find(CAMPAIGN),
        shown_comparison.comparison.then.find(CAMPAIGN),
    )
    changes: list[Changed] = []
    for subject in shown_comparison.comparison.list_differing_subjects():
        if subject in uncertain_subjects:
            continue
        folded_now, folded_then = (
            shown_comparison.comparison.now.find(subject),
            shown_comparison.comparison.then.find(subject),
        )
        folded_then = (
            hide_unknown_values(knowledge, subject, folded_now, folded_then) if folded_then is not None else None
        )
        document_now, document_then = (
            describe_for_comparison(lens, folded_now, hidden_accounts, campaign_now, unsure_facts),
            describe_for_comparison(lens, folded_then, hidden_accounts, campaign_then, unsure_facts),
        )
        if fields := list_changed_fields(document_now, document_then):
            changes.append(
                {"subject": str(subject), "name": _find_subject_name(lens, shown_comparison, subject), "fields": fields}
            )
    return changes


def _list_subjects_of_rulings(
    lens: LiveLens, shown_comparison: ShownComparison, numbers: frozenset[int]
) -> frozenset[Subject]:
    """Return the subjects of these rulings, as recorded and as ruled again."""
    recorded_facts = load_history(lens.book).facts
    subjects_and_facts = [(subject, fact) for number in numbers for subject, fact in recorded_facts.get(number, ())]
    subjects_and_facts += [
        fact for ruling in shown_comparison.comparison.reruled if ruling.number in numbers for fact in ruling.facts
    ]
    return frozenset(subject for subject, _ in subjects_and_facts)


def _find_subject_name(lens: LiveLens, shown_comparison: ShownComparison, subject: Subject) -> str:
    """Return the subject's name in either past."""
    for past in (shown_comparison.comparison.now, shown_comparison.comparison.then):
        folded = past.find(subject)
        if folded is not None and folded.entry is not None:
            return folded.entry.title if isinstance(folded.entry, SceneEntry) else folded.entry.name
    return lens.name(subject)
