"""The question that a waiting seat gets, as the rules ask it, with all possible answers."""

from __future__ import annotations

from dataclasses import replace

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.commands.adjudicating import is_by_ledger, list_underway
from ledger.application.commands.rights import must_be_asked
from ledger.application.reading.pasts import read_answers
from ledger.errors import LedgerError, NotYours
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.answers import RecordedAnswers, asks_the_same, trim_answer_to
from ledger.rules.kernel.questions import Question
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer, scene
from ledger.rules.kernel.table import RulingTable


def may_answer(book: Book, pending: Pending, viewer: Viewer) -> bool:
    """Return whether the question is for this seat to answer."""
    if pending.question is None or pending.status != "waiting":
        return False
    try:
        must_be_asked(book, pending.question, pending.seat, viewer)
    except NotYours:
        return False
    return viewer.role != "observer"


def ask_anew(book: Book, pending: Pending) -> Pending:
    """Return what waits since an earlier edition with the question that today's rules ask, if any."""
    if pending.status != "waiting" or not pending.of_earlier_edition or pending.unreadable:
        return pending
    question = find_current_question(book, pending)
    return replace(pending, question=json_form.question_json(question)) if question is not None else pending


def find_question_if_unchanged(book: Book, pending: Pending) -> Question | None:
    """Return the open question on the table as it stands. None if it would no longer be asked."""
    question = find_current_question(book, pending)
    is_same = question is not None and asks_the_same(json_form.question_json(question), pending.question or {})
    return question if is_same else None


def find_current_question(book: Book, pending: Pending) -> Question | None:
    """Return what would be asked on the table as it stands, if anything (for example, with what is left of a deck)."""
    try:
        return _find_question(book, pending)
    except (LedgerError, Refused):
        return None


def _find_question(book: Book, pending: Pending) -> Question | None:
    declarer = book.load_viewer(pending.seat) or Viewer(pending.seat, "player")
    named_scene = scene(pending.scene) if pending.scene is not None else None
    number = book.campaign.rulings + 1
    table = RulingTable(book.ruleset, book, number, declarer, named_scene, lambda: list_underway(book, pending.id))
    conversation = Conversation(book.ruleset, table, json_form.declaration_from_json(book.ruleset, pending.declared))
    usable = (given for given in pending.answers if not given.set_aside or is_by_ledger(given))
    in_order = sorted(usable, key=lambda given: given.set_aside)
    answers = RecordedAnswers(read_answers(book, in_order))
    while (question := conversation.question) is not None and (place := answers.claim_place(question)) is not None:
        answer = json_form.answer_from_json(book.ruleset, in_order[place].answer)
        conversation.answer(trim_answer_to(question, answer))
    return question
