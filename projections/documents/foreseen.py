"""The preview of a declaration, for the declaring seat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ledger.application import Pending, ShownPreview, json_form
from ledger.application.reading.verdicts import limit_fact_audiences
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.sentences import RESTS
from projections.documents.rulings import PROPOSED, RULING, Ended, Step, list_steps, sum_up_ruling
from projections.documents.shape import Document, give_example
from projections.documents.waiting import word_declaration
from projections.redaction import Asked, LiveLens, Proposed
from projections.wording import word_fact


class Foreseen(Document):
    """The result that a ruling would have, and how it is worked out. `text`: the ruling in one sentence."""

    text: str
    facts: list[Proposed]
    because: list[Step]


PREVIEW: Preview = {
    "preview": True,
    "text": "Giazza hits Kiro.",
    "verdict": {
        "text": "Giazza hits Kiro.",
        "facts": PROPOSED,
        "because": RULING["because"],
    },
    "question": None,
    "rests_on_hidden": False,
    "ends": [{"waiting": "w9", "text": "Kiro hits Giazza."}],
}


@give_example(**PREVIEW)
class Preview(Document):
    """The preview of a declaration: a verdict or the first question. Nothing is saved. `text`: the preview in one
    sentence.

    `rests_on_hidden`: the result depends on information hidden from this seat, so it is not shown. `ends`: waiting
    questions that would be cancelled.
    """

    preview: Literal[True]
    text: str
    verdict: Foreseen | None
    question: Asked | None
    rests_on_hidden: bool
    ends: list[Ended]


def describe_preview(lens: LiveLens, shown_preview: ShownPreview) -> Preview:
    """Return the preview: the ruling as the seat would see it, or the question."""
    outcome = shown_preview.outcome
    verdict = describe_foreseen(lens, shown_preview.do, outcome) if isinstance(outcome, Verdict) else None
    question = None
    if outcome is not None and not isinstance(outcome, Verdict):
        question = lens.show_question(json_form.question_json(outcome), lens.viewer.seat)
    is_hidden = verdict is None and question is None
    sentence = verdict["text"] if verdict is not None else str(question.get("text")) if question is not None else RESTS
    ended_declarations = list_lapsing_declarations(lens, shown_preview.lapsing_declarations)
    return {
        "preview": True,
        "text": sentence,
        "verdict": verdict,
        "question": question,
        "rests_on_hidden": is_hidden,
        "ends": ended_declarations,
    }


def list_lapsing_declarations(lens: LiveLens, waiting_declarations: Iterable[Pending]) -> list[Ended]:
    """Return the declarations that would lapse, if the viewer may know that they wait."""
    return [
        {"waiting": declaration.id, "text": word_declaration(lens, declaration)}
        for declaration in waiting_declarations
        if lens.may_know_pending(declaration)
    ]


def describe_foreseen(lens: LiveLens, do: object, verdict: Verdict[object]) -> Foreseen:
    facts, wording = limit_fact_audiences(verdict), lens.wording
    lens_with_joining_names = lens.add_joining_names((fact.subject, fact.fact) for fact in facts)
    weighed_texts = [
        (wording.weigh(fact.fact), word_fact(fact.subject, fact.fact)) for fact in facts if lens.may_see(fact.audience)
    ]
    return {
        "text": lens_with_joining_names.fill_in_names(
            sum_up_ruling(wording.word_stored_declaration(json_form.declaration_to_json(do)), weighed_texts)
        ),
        "facts": lens.describe_proposed_facts(facts),
        "because": list_steps(lens_with_joining_names, verdict.because),
    }
