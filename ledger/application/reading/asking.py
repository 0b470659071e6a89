"""The questions of waiting declarations, as the rules ask them now, and the seats that may answer them."""

from __future__ import annotations

from dataclasses import replace

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.pasts import read_answers
from ledger.application.reading.rights import must_be_asked
from ledger.application.reading.waiting import is_answered_by_ledger, list_underway_declarations
from ledger.errors import LedgerError, NotYours
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.answers import RecordedAnswers, asks_the_same, trim_answer_to
from ledger.rules.kernel.questions import Ask, Question, list_open_questions
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer, scene
from ledger.rules.kernel.table import RulingTable


def may_answer(book: Book, declaration: Pending, question: json_form.Json, viewer: Viewer) -> bool:
    """Return whether the seat may answer this open question."""
    if declaration.status != "waiting":
        return False
    try:
        must_be_asked(book, question, declaration.seat, viewer)
    except NotYours:
        return False
    return viewer.role != "observer"


def may_change_answer(declaration: Pending, question: json_form.Json, viewer: Viewer) -> bool:
    """Return whether the seat may change the answer to this question, because it was asked or gave the answer."""
    withheld_answers = (answer for answer in declaration.answers if answer.withheld and answer.question == question)
    return any(viewer.seat in (question.get("seat"), answer.by) for answer in withheld_answers)


def list_answerable_questions(
    book: Book, declaration: Pending, viewer: Viewer
) -> tuple[list[json_form.Json], list[json_form.Json]]:
    """Return two lists: the open questions that the seat may answer, its own first, and the questions with answers that
    the seat can change.
    """
    open_questions = [question for question in declaration.open if may_answer(book, declaration, question, viewer)]
    open_questions.sort(key=lambda question: question.get("seat") != viewer.seat)
    return open_questions, [
        question for question in declaration.changeable if may_change_answer(declaration, question, viewer)
    ]


def update_question(book: Book, declaration: Pending) -> Pending:
    """Return the waiting declaration, with the questions that the installed rules ask."""
    if declaration.status != "waiting" or not declaration.of_earlier_edition or declaration.unreadable:
        return declaration
    question = find_current_question(book, declaration)
    if question is None:
        return declaration
    first_question, questions_beside, changeable_questions = json_form.list_open_questions(question)
    return replace(declaration, question=first_question, beside=questions_beside, changeable=changeable_questions)


def find_question_now(book: Book, declaration: Pending, question_asked: json_form.Json) -> Question | None:
    """Return the asked question as the rules ask it on the current campaign, or None if they no longer ask it."""
    first_question = find_current_question(book, declaration)
    answered_questions = first_question.answered if isinstance(first_question, Ask) else ()
    questions = (*list_open_questions(first_question), *answered_questions)
    return next(
        (question for question in questions if asks_the_same(json_form.question_json(question), question_asked)), None
    )


def find_current_question(book: Book, declaration: Pending) -> Question | None:
    """Return the question that the rules ask on the current campaign (for example, with the remaining cards of a deck),
    or None.
    """
    try:
        return _find_question(book, declaration)
    except (LedgerError, Refused):
        return None


def _find_question(book: Book, declaration: Pending) -> Question | None:
    declarer = book.load_viewer(declaration.seat) or Viewer(declaration.seat, "player")
    named_scene = scene(declaration.scene) if declaration.scene is not None else None
    number = book.campaign.rulings + 1
    table = RulingTable(
        book.ruleset, book, number, declarer, named_scene, lambda: list_underway_declarations(book, declaration.id)
    )
    conversation = Conversation(
        book.ruleset, table, json_form.declaration_from_json(book.ruleset, declaration.declared)
    )
    usable_answers = (
        recorded_answer
        for recorded_answer in declaration.answers
        if not recorded_answer.set_aside or is_answered_by_ledger(recorded_answer)
    )
    ordered_answers = sorted(usable_answers, key=lambda recorded_answer: recorded_answer.set_aside)
    answers = RecordedAnswers(read_answers(book, ordered_answers))
    while (claim := answers.claim_answer(conversation.open_questions)) is not None:
        question_number, place = claim
        answer = json_form.answer_from_json(book.ruleset, ordered_answers[place].answer)
        conversation.answer(trim_answer_to(conversation.open_questions[question_number], answer), question_number)
    return conversation.question
