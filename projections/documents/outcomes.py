"""How a ruling comes out in a past, for one viewer."""

from __future__ import annotations

from ledger.application import json_form
from ledger.rules.kernel import adjudication
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from projections.documents.refusals import Refusal, refusal
from projections.documents.rulings import Step, because
from projections.documents.shape import Document
from projections.redaction import Asked, LiveLens, Proposed
from projections.wording import unended


class Outcome(Document):
    """The result of a ruling: facts and derivation, a refusal, or an unanswered question."""

    facts: list[Proposed] | None
    because: list[Step] | None
    refusal: Refusal | None
    question: Asked | None


def outcome_texts(outcome: Outcome | None) -> list[str]:
    """What becomes true, why it is refused, or what is asked."""
    if outcome is None:
        return []
    told = [one["text"] for one in (*(outcome["facts"] or ()), outcome["refusal"], outcome["question"]) if one]
    return [unended(one) for one in told]


def facts_of(document: Outcome | None) -> object:
    """What is compared of it: the facts as the viewer sees them."""
    return document["facts"] if document is not None else None


def outcome(lens: LiveLens, one: adjudication.Outcome) -> Outcome:
    """A verdict's facts and derivation, or the refusal, or the question nobody answered."""
    document: Outcome = {"facts": None, "because": None, "refusal": None, "question": None}
    if isinstance(one, Verdict):
        seen = not lens.hides_all(one.facts)
        document["facts"] = lens.proposed(one.facts)
        document["because"] = because(lens, one.because) if seen else []
    elif isinstance(one, Refused):
        document["refusal"] = refusal(lens, one)
    else:
        document["question"] = lens.question(json_form.question_json(one.question))
    return document
