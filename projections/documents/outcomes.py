"""A ruling's result in one of two pasts, for one viewer."""

from __future__ import annotations

from ledger.application import json_form
from ledger.rules.kernel import adjudication
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from projections.documents.refusals import Refusal, describe_refusal
from projections.documents.rulings import Step, list_steps
from projections.documents.shape import Document
from projections.redaction import Asked, LiveLens, Proposed
from projections.wording import strip_end


class Outcome(Document):
    """The result of a ruling: facts and derivation, a refusal, or an unanswered question."""

    facts: list[Proposed] | None
    because: list[Step] | None
    refusal: Refusal | None
    question: Asked | None


def list_outcome_texts(outcome: Outcome | None) -> list[str]:
    """Return the results, the reason for the refusal, or the question, in sentences."""
    if outcome is None:
        return []
    texts = [piece["text"] for piece in (*(outcome["facts"] or ()), outcome["refusal"], outcome["question"]) if piece]
    return [strip_end(text) for text in texts]


def get_facts(document: Outcome | None) -> object:
    """Return the document's facts, if there are any."""
    return document["facts"] if document is not None else None


def describe_outcome(lens: LiveLens, outcome: adjudication.Outcome) -> Outcome:
    """Return a verdict's facts and derivation, or the refusal, or the unanswered question."""
    document: Outcome = {"facts": None, "because": None, "refusal": None, "question": None}
    if isinstance(outcome, Verdict):
        is_visible = not lens.are_all_hidden(outcome.facts)
        document["facts"] = lens.describe_proposed_facts(outcome.facts)
        document["because"] = list_steps(lens, outcome.because) if is_visible else []
    elif isinstance(outcome, Refused):
        document["refusal"] = describe_refusal(lens, outcome)
    else:
        document["question"] = lens.show_question(json_form.question_json(outcome.question))
    return document
