"""Waiting declarations, for one viewer."""

from __future__ import annotations

from typing import Literal, cast

from ledger.application import Pending, WaitStatus
from ledger.application.reading.asking import list_answerable_questions, update_question
from ledger.rules.kernel.sentences import HIDDEN_DECLARATION
from projections.documents.answer_schemas import make_answer_schema
from projections.documents.answers import Given, show_answers
from projections.documents.comparisons import SHORT, Selection
from projections.documents.disputes import DISPUTE, Dispute, list_disputes
from projections.documents.moves import AWAITED, AwaitedOf, list_awaited
from projections.documents.proposals import PROPOSAL, Proposal, describe_current_proposal, list_proposals
from projections.documents.rulings import AT
from projections.documents.shape import Document, give_example
from projections.documents.stored_rulings import make_stored_answers
from projections.redaction import ANY_MASTER, Asked, Json, LiveLens, Person

WAITING: Waiting = {
    "id": "w9",
    "status": "waiting",
    "version": 1,
    "text": "Giazza hits Kiro.",
    "declared": {"kind": "hit", "char": "1", "target": "2"},
    "by": {"seat": "s2", "name": "Ben"},
    "at": AT,
    "scene": None,
    "dice": "ledger",
    "question": cast(
        Asked,
        {
            "ask": "choice",
            "seat": "s3",
            "choices": [{"kind": "dodge", "fields": []}, {"kind": "stand", "fields": []}],
            "purpose": "",
            "slot": "dodge",
            "text": "Do you dodge or stand?",
            "asked": {"seat": "s3", "name": "Cleo"},
        },
    ),
    "answer_schema": {
        "type": "object",
        "properties": {
            "choice": {
                "anyOf": [
                    {
                        "allOf": [
                            {"$ref": "/openapi.json#/components/schemas/toy_choice_stand"},
                            {"properties": {"kind": {"const": "stand"}}},
                        ]
                    }
                ]
            }
        },
        "required": ["choice"],
        "additionalProperties": False,
    },
    "others": [],
    "awaited": [{"seat": "s3", "name": "Cleo"}],
    "answers": [],
    "ruling": None,
    "reason": None,
}


class OtherQuestion(Document):
    """A question that is asked at the same time. `answered`: the question has an answer, which you can still change."""

    question: Asked
    answer_schema: Json | None
    answered: bool


@give_example(**WAITING)
class Waiting(Document):
    """A declaration that is waiting for an answer, the ruling it became, or the reason it was withdrawn or lapsed.

    A declaration is also withdrawn if the seat that was asked declines. It lapses if a later ruling makes it
    impossible. `text`: what was declared, in one sentence. `answer_schema`: a JSON Schema 2020-12 of the possible
    answers; null if this seat can't answer, or nobody can yet. If only the ledger deals cards at this table, the schema
    doesn't allow entering cards.

    A game can ask several seats at the same time. `question` is then the first one for this seat, or the first one that
    is open. `others`: the other questions that this seat can answer, each by its `slot`, and those that it has
    answered. An answer can be changed until everybody has answered. Other seats don't see it before that. `awaited`:
    the seats that still have to answer.
    """

    id: str
    status: WaitStatus
    version: int
    text: str
    declared: Json
    by: Person
    at: str
    scene: str | None
    dice: Literal["ledger", "table"]
    question: Asked | None
    answer_schema: Json | None
    others: list[OtherQuestion]
    awaited: list[Person]
    answers: list[Given]
    ruling: int | None
    reason: str | None


@give_example(waiting=[WAITING], awaited=[AWAITED], disputes=[DISPUTE], decisions=[PROPOSAL])
class AllWaiting(Document):
    """The waiting questions and the seats whose turn it is, as far as this seat can see them.

    `disputes`: undecided disputes. `decisions`: decisions that are waiting for consent.
    """

    waiting: list[Waiting]
    awaited: list[AwaitedOf]
    disputes: list[Dispute]
    decisions: list[Proposal]


def describe_waiting(lens: LiveLens, pending: Pending) -> Waiting:
    """Return a waiting declaration, or its outcome."""
    pending = update_question(lens.book, pending)
    answerable_questions, changeable_questions = list_answerable_questions(lens.book, pending, lens.viewer)
    own_question = next(
        (question for question in answerable_questions if question.get("seat") == lens.viewer.seat), pending.question
    )
    questions_and_answered = [(question, False) for question in answerable_questions] + [
        (question, True) for question in changeable_questions
    ]
    is_visible = _may_know(lens, pending)
    return {
        "id": pending.id,
        "status": pending.status,
        "version": pending.count_version_for(lens.viewer),
        "text": word_declaration(lens, pending),
        "declared": lens.show_declaration(pending.declared, is_visible),
        "by": lens.name_person(pending.seat),
        "at": pending.at,
        "scene": pending.scene,
        "dice": pending.dice,
        "question": lens.show_question(own_question, pending.seat),
        "answer_schema": make_answer_schema(lens, pending, own_question),
        "others": [
            {
                "question": shown_question,
                "answer_schema": make_answer_schema(lens, pending, other_question),
                "answered": is_answered,
            }
            for other_question, is_answered in questions_and_answered
            if other_question is not own_question
            and (shown_question := lens.show_question(other_question, pending.seat)) is not None
        ],
        "awaited": _list_awaited_people(lens, pending),
        "answers": show_answers(lens, make_stored_answers(lens.wording, pending.answers)),
        "ruling": pending.ruling,
        "reason": _find_reason(lens, pending) if is_visible else None,
    }


def _list_awaited_people(lens: LiveLens, pending: Pending) -> list[Person]:
    """Return the people who still have to answer, if the viewer may see their questions."""
    shown_questions = [lens.show_question(question, pending.seat) for question in pending.open]
    people = [
        question["asked"] for question in shown_questions if question is not None and question["asked"] is not None
    ]
    return [person for index, person in enumerate(people) if person not in people[:index]]


def _may_know(lens: LiveLens, pending: Pending) -> bool:
    """Return whether the viewer declared this, or may see an open question or the last one."""
    shown_questions = (lens.show_question(question, pending.seat) for question in (*pending.open, pending.last))
    return pending.seat == lens.viewer.seat or any(question is not None for question in shown_questions)


def word_declaration(lens: LiveLens, pending: Pending) -> str:
    """Return the declaration in a sentence."""
    return (
        lens.fill_in_names(lens.wording.word_stored_declaration(pending.declared))
        if _may_know(lens, pending)
        else HIDDEN_DECLARATION
    )


def _find_reason(lens: LiveLens, pending: Pending) -> str | None:
    """Return why the declaration is no longer waiting, or None."""
    if pending.lapsed is not None:
        return lens.fill_in_names(lens.wording.explain_lapse(pending.lapsed))
    if pending.declined is not None:
        return lens.fill_in_names(lens.wording.explain_decline(pending.declined))
    return pending.reason


def find_waiting(lens: LiveLens, id: str, selection: Selection = SHORT) -> Waiting | Proposal:
    """Return the declaration or decision with this id, even if it no longer waits. Raise NotFound if the viewer may not
    know of it. `selection`: which of its changes to show.
    """
    proposal = lens.book.find_proposal(id)
    if proposal is not None and proposal.is_noticeable_to(lens.viewer):
        return describe_current_proposal(lens, proposal, selection)
    pending = lens.book.load_pending(id)
    if not lens.may_know_pending(pending):
        lens.book.load_pending("")
    return describe_waiting(lens, pending)


def list_all_waiting(lens: LiveLens, *, own_only: bool = False) -> AllWaiting:
    """Return everything that is waiting, the oldest first. `own_only`: only what the viewer's own seat has to answer or
    do.
    """
    waiting_documents = [
        describe_waiting(lens, pending) for pending in lens.book.list_waiting() if lens.may_know_pending(pending)
    ]
    awaited_moves = list_awaited(lens)
    if own_only:
        seat = lens.viewer.seat
        seats = (seat, ANY_MASTER) if lens.viewer.role == "gm" else (seat,)
        waiting_documents = [
            wait for wait in waiting_documents if any(person["seat"] in seats for person in wait["awaited"])
        ]
        awaited_moves = [wait for wait in awaited_moves if wait["seat"]["seat"] == seat]
    return {
        "waiting": waiting_documents,
        "awaited": awaited_moves,
        "disputes": list_disputes(lens, own_only=own_only),
        "decisions": list_proposals(lens, own_only=own_only),
    }
