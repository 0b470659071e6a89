"""The rolls, draws and choices of a ruling, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ledger.application import is_rolled_by_ledger
from ledger.rules.kernel.questions import Source
from projections.documents.shape import Document
from projections.documents.stored_rulings import StoredAnswer
from projections.redaction import Json, Lens, Person, Question
from projections.wording import word_plain_question

#: The fields of a question that its answer reveals anyway.
OF_THE_ANSWER = ("ask", "who", "seat", "count", "sides", "slot", "form")


class Whose(Document):
    subject: str
    name: str


class Given(Document):
    """An answer. `set_aside`: the answer was not used, because it no longer applied.

    `by`: the seat that made the choice or entered the dice. For a roll by the ledger (see `source`), the seat that made
    the declaration or the previous answer. `whose`: the character or seat that the dice, coins or cards are for.
    """

    question: Question
    answer: Json
    source: Source | None
    whose: Whose | None
    by: Person
    at: str
    set_aside: bool
    text: str


def show_answers(lens: Lens, answers: Iterable[StoredAnswer]) -> list[Given]:
    """Return the answers that the viewer may see. A seat always sees its own answers, except rolls by the ledger."""
    visible_answers: list[Given] = []
    for answer in answers:
        if lens.may_see_stored(answer):
            visible_answers.append(_show_answer(lens, answer, answer["question"]))
        elif answer["by"] == lens.viewer.seat and not is_rolled_by_ledger(answer["answer"]):
            visible_answers.append(_show_answer(lens, answer, _hide_details(answer["question"])))
    return visible_answers


def _show_answer(lens: Lens, answer: StoredAnswer, question: Json) -> Given:
    return {
        "question": cast(Question, {**question, "text": lens.fill_in_names(str(question["text"]))}),
        "answer": answer["answer"],
        "source": _read_source(answer["answer"]),
        "whose": _find_owner(lens, answer),
        "by": lens.name_person(answer["by"]),
        "at": answer["at"],
        "set_aside": answer["set_aside"],
        "text": lens.fill_in_names(answer["text"]),
    }


def _read_source(answer: Json) -> Source | None:
    ((_, answer_fields),) = answer.items()
    return cast("Source | None", answer_fields.get("source")) if isinstance(answer_fields, dict) else None


def _find_owner(lens: Lens, answer: StoredAnswer) -> Whose | None:
    subject = answer["question"].get("who")
    return {"subject": subject, "name": lens.fill_in_names(answer["whose"])} if isinstance(subject, str) else None


def _hide_details(question: Json) -> Json:
    """Return what the answer reveals about a question that the seat may not see."""
    purpose = question["purpose"] if question.get("form") else ""
    visible_fields = {**{name: question[name] for name in OF_THE_ANSWER if name in question}, "purpose": purpose}
    return {**visible_fields, "text": word_plain_question(visible_fields)}
