"""What would be different: two pasts side by side, for one viewer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ledger.application import (
    Ruling,
    ShownComparison,
    as_may_be_shown,
    history_of,
    json_form,
    known_of_shown,
    may_be_found,
    resting_on_hidden,
    show_ruling,
)
from ledger.application.commands.consequences import without
from ledger.events.records import Finding
from ledger.rules.kernel.adjudication import Outcome
from ledger.rules.kernel.comparison import Known, Row
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.register import SceneEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from projections.documents import rulings
from projections.documents.findings import OTHERWISE, finding, visible
from projections.documents.subjects import flat, unseen_anywhere, whole
from projections.redaction import Json, Sight

#: Of a ruling that rests on what the viewer may not know: alike, however that comes out.
RESTS = "rests on what is hidden from you"
STANDPOINTS = ("stands", "changes", "loses support", "needs dice", RESTS)


def comparison(sight: Sight, shown: ShownComparison) -> Json:
    """Each later ruling, how many come out how, each subject that ends differently, the findings it raises."""
    known = known_of_shown(sight.book, shown, sight.viewer)
    resting = known.resting if known is not None else frozenset()
    rows = _rows(sight, shown, resting)
    alike = {row["number"] for row in rows if row["standpoint"] in ("stands", RESTS)}
    told = visible(sight, shown.findings)
    raised = [one for one in told if one.kind not in OTHERWISE or one.ruling not in alike]
    raised = [one for one in raised if may_be_found(known, one)]
    counts = Counter(row["standpoint"] for row in rows)
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


def _numbered(sight: Sight, raised: list[Finding]) -> list[Finding]:
    """Those of a what-if as they are counted by who asks; a decision's have their ids."""
    position = sight.book.campaign.position + 1
    return [one if one.id else replace(one, id=f"{position}-{place}") for place, one in enumerate(raised, 1)]


def one_ruling(sight: Sight, number: int) -> Json:
    """The ruling with the later ones that lean on it. NotFound when the viewer may not know of it."""
    shown = show_ruling(sight.book, number, sight.viewer)
    return rulings.ruling(sight, shown, _leaning(sight, shown.ruling))


def _leaning(sight: Sight, ruling: Ruling) -> list[int]:
    """Later rulings that would not come out the same if this one were struck: none that rests on what is hidden."""
    if not ruling.stands or ruling.number >= sight.book.campaign.rulings:
        return []
    position = sight.book.campaign.position + 1
    shown = without(sight.book, frozenset({ruling.number}), position=position, findings="none", viewer=sight.viewer)
    rows = _rows(sight, shown, resting_on_hidden(sight.book, shown, sight.viewer))
    return [row["number"] for row in rows if row["standpoint"] not in ("stands", RESTS)]


def _rows(sight: Sight, shown: ShownComparison, resting: frozenset[int]) -> list[Json]:
    history = history_of(sight.book)
    known = [row for row in shown.comparison.rows if sight.knows(history.recorded[row.number])]
    return [_row(sight, row, rests=row.number in resting) for row in known]


def _row(sight: Sight, row: Row, *, rests: bool) -> Json:
    told: Json = {"number": row.number, "standpoint": row.standpoint, "older_edition": row.older_edition}
    if rests:
        return {**told, "standpoint": RESTS, "reruled": False, "now": None, "then": None}
    now = outcome(sight, row.now) if row.now is not None else None
    then = outcome(sight, row.then) if row.then is not None else None
    if isinstance(row.now, Verdict) and isinstance(row.then, Verdict) and _facts(now) == _facts(then):
        told["standpoint"] = "stands"  # as far as the viewer may see
    if told["standpoint"] == "stands":
        now = then = None
    return {**told, "reruled": row.reruled and told["standpoint"] != "stands", "now": now, "then": then}


def _facts(document: Json | None) -> object:
    return document["facts"] if document is not None else None


def outcome(sight: Sight, one: Outcome) -> Json:
    """A verdict's facts and derivation, or the refusal, or the question nobody answered."""
    told: Json = {"facts": None, "because": None, "refusal": None, "question": None}
    if isinstance(one, Verdict):
        seen = not sight.hides_all(one.facts)
        steps = rulings.because(sight, one.because) if seen else []
        return {**told, "facts": sight.proposed(one.facts), "because": steps}
    if isinstance(one, Refused):
        return {**told, "refusal": rulings.refusal(one, seen=sight.may_see(one.audience))}
    return {**told, "question": sight.question(json_form.question_json(one.question))}


def _subjects(sight: Sight, shown: ShownComparison, known: Known | None) -> list[Json]:
    """Those that end differently for this viewer, field by field.

    Of what rests on what is hidden from him nothing is said: it is shown as it is now.
    Where rulings are ruled again, none of those about which one of them rests on what is hidden: it may be another now.
    """
    hidden = unseen_anywhere(sight)
    resting = known.resting if known is not None else frozenset()
    unsure = _told_by(sight, shown, resting) if shown.other is not None and shown.other.rerule else frozenset()
    ground = known.unsure if known is not None else frozenset()
    here, there = shown.comparison.now.find(CAMPAIGN), shown.comparison.then.find(CAMPAIGN)
    found = []
    for subject in shown.comparison.differing():
        if subject in unsure:
            continue
        now, then = shown.comparison.now.find(subject), shown.comparison.then.find(subject)
        then = as_may_be_shown(known, subject, now, then) if then is not None else None
        before, after = flat(whole(sight, now, hidden, here, ground)), flat(whole(sight, then, hidden, there, ground))
        fields = [
            {"field": field, "before": before.get(field), "after": after.get(field)}
            for field in dict.fromkeys([*before, *after])
            if before.get(field) != after.get(field)
        ]
        if fields:
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
