"""Prepare the facts of a verdict for recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ledger.application import json_form
from ledger.events.records import Reason
from ledger.rules.kernel.contract import About, Verdict


def list_reasons(verdict: Verdict[object]) -> tuple[Reason, ...]:
    values = json_form.to_json([(reason.given, reason.out) for reason in verdict.because])
    return tuple(
        Reason(reason.rule, given, out, reason.audience)
        for reason, (given, out) in zip(verdict.because, values, strict=True)
    )


def limit_fact_audiences(verdict: Verdict[object]) -> Sequence[About[object]]:
    """Return the verdict's facts. If the ruling is hidden, facts without an audience get the ruling's audience."""
    if verdict.audience is None:
        return verdict.facts
    return [replace(fact, audience=verdict.audience) if fact.audience is None else fact for fact in verdict.facts]
