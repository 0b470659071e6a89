"""What would be different: two pasts side by side, for one viewer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ledger.application import History, Ruling, ShownComparison, history_of, show_ruling, wire
from ledger.application.consequences import without
from ledger.rules.comparison import Row
from ledger.rules.contract import Refused, Subject, Verdict
from ledger.rules.housekeeping import SceneCard
from ledger.rules.replay import Outcome
from projections import rulings
from projections.exit import Json, Sight
from projections.findings import finding, visible
from projections.subjects import flat, unseen_anywhere, whole


def comparison(sight: Sight, shown: ShownComparison) -> Json:
    """Each later ruling, how many come out how, each subject that ends differently, the findings it raises."""
    rows = _rows(sight, shown)
    alike = {row["number"] for row in rows if row["standpoint"] == "stands"}
    told = visible(sight, shown.findings)
    raised = [one for one in told if one.kind not in ("changes", "loses support") or one.ruling not in alike]
    counts = Counter(row["standpoint"] for row in rows)
    standpoints = ("stands", "changes", "loses support", "needs dice")
    return {
        "without": list(shown.without),
        "restored": list(shown.restored),
        "revised": list(shown.revised),
        "dials": wire.plain(shown.dials),
        "rulings": rows,
        "counts": {standpoint: counts[standpoint] for standpoint in standpoints},
        "subjects": _subjects(sight, shown),
        "findings": [finding(sight, one) for one in raised],
    }


def one_ruling(sight: Sight, number: int) -> Json:
    """The ruling with the later ones that lean on it. NotFound when the viewer may not know of it."""
    shown = show_ruling(sight.book, number, sight.viewer)
    return rulings.ruling(sight, shown, _leaning(sight, shown.ruling))


def _leaning(sight: Sight, ruling: Ruling) -> list[int]:
    """Later rulings that, as far as the viewer may see, would not come out the same if this one were struck."""
    if not ruling.stands or ruling.number >= sight.book.campaign.rulings:
        return []
    shown = without(sight.book, frozenset({ruling.number}), position=sight.book.campaign.position + 1)
    return [row["number"] for row in _rows(sight, shown) if row["standpoint"] != "stands"]


def _rows(sight: Sight, shown: ShownComparison) -> list[Json]:
    history = history_of(sight.book)
    known = [row for row in shown.comparison.rows if sight.knows(history.recorded[row.number])]
    return [_row(sight, row, secret=_is_secret(sight, history, row.number)) for row in known]


def _is_secret(sight: Sight, history: History, number: int) -> bool:
    """Whether the viewer may see nothing of what the ruling recorded. Then what it might have been is secret too.

    Another past may hide less (a dial that hides is struck in it), and would tell what was hidden in play.
    """
    ruling = history.recorded[number]
    facts: list[Any] = [body for _, body in history.facts[number]]
    last = max((body.revision for body in facts), default=0)  # one that found no support has none
    return not sight.sees_declaration(ruling.ruled.seat, [body for body in facts if body.revision == last])


def _row(sight: Sight, row: Row, *, secret: bool) -> Json:
    told: Json = {"number": row.number, "standpoint": row.standpoint, "older_edition": row.older_edition}
    now = outcome(sight, row.now) if row.now is not None else None
    then = outcome(sight, row.then) if row.then is not None else None
    if isinstance(row.now, Verdict) and isinstance(row.then, Verdict) and _facts(now) == _facts(then):
        told["standpoint"] = "stands"  # as far as the viewer may see
    if secret and isinstance(row.then, Refused) and not sight.may_see(row.then.audience):
        told["standpoint"] = "stands"  # why it would be refused may follow from what is hidden
    if told["standpoint"] == "stands":
        now = then = None
    elif secret:
        now = then = {"facts": [], "because": [], "refusal": None, "question": None}
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
    return {**told, "question": sight.question(wire.question_json(one.question))}


def _subjects(sight: Sight, shown: ShownComparison) -> list[Json]:
    """Those that end differently for this viewer, field by field."""
    hidden = unseen_anywhere(sight)
    found = []
    for subject in shown.comparison.differing():
        now, then = shown.comparison.now.find(subject), shown.comparison.then.find(subject)
        before, after = flat(whole(sight, now, hidden)), flat(whole(sight, then, hidden))
        fields = [
            {"field": field, "before": before.get(field), "after": after.get(field)}
            for field in dict.fromkeys([*before, *after])
            if before.get(field) != after.get(field)
        ]
        if fields:
            found.append({"subject": str(subject), "name": _name(sight, shown, subject), "fields": fields})
    return found


def _name(sight: Sight, shown: ShownComparison, subject: Subject) -> str:
    """As it is called in either past; a struck enrolment leaves none in the other."""
    for past in (shown.comparison.now, shown.comparison.then):
        folded = past.find(subject)
        if folded is not None and folded.card is not None:
            return folded.card.title if isinstance(folded.card, SceneCard) else folded.card.name
    return sight.name(subject)
