"""Compute derived facts again: facts that follow from others, such as the postings of lost levels.

A game names the kinds of these facts (`Ruleset.derived`) and returns those that follow from a fact (`Ruleset.follows`).
After a decision about an earlier ruling, a later ruling keeps its other facts, and only its derived facts are computed
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ledger.rules.kernel.contract import About, AnyRuleset, Verdict
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.fold import KERNEL_FACTS, Folded, Recorded
from ledger.rules.kernel.subjects import Subject


def recount(
    ruleset: AnyRuleset, find: Callable[[Subject], Folded[object] | None], facts: Iterable[tuple[Subject, Recorded]]
) -> Verdict[object] | None:
    """Return the ruling's own facts with the facts that follow from them here, or None if all are as recorded."""
    recorded_facts = sorted(
        (record.step, subject, record) for subject, record in facts if not isinstance(record.fact, Leg)
    )
    if not ruleset.derived or all(type(record.fact) in KERNEL_FACTS for _, _, record in recorded_facts):
        return None
    states: dict[Subject, object] = {}
    recounted_facts: list[About[object]] = []
    for _, subject, record in recorded_facts:
        if type(record.fact) in ruleset.derived:
            continue
        recounted_facts.append(About(subject, record.fact, record.postings, record.audience))
        if type(record.fact) in KERNEL_FACTS:
            continue
        if subject not in states:
            folded = find(subject)
            states[subject] = folded.state if folded is not None else ruleset.blank(subject.kind)
        state_before = states[subject]
        try:
            states[subject] = ruleset.apply(state_before, record.fact)
        except Exception:  # noqa: BLE001  (nothing follows from a fact on which the fold fails)
            continue
        recounted_facts += ruleset.follows(subject, state_before, states[subject], record.fact)
    recorded_essentials = [(subject, record.fact, record.postings) for _, subject, record in recorded_facts]
    if [(fact.subject, fact.fact, fact.postings) for fact in recounted_facts] == recorded_essentials:
        return None
    return Verdict(tuple(recounted_facts))
