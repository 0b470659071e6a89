"""An adjudication in progress: the questions asked, the answers given, and the seats that gave them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.pasts import read_answers
from ledger.application.reading.rights import must_be_asked, must_be_chooser
from ledger.application.reading.waiting import is_answered_by_ledger, list_underway_declarations
from ledger.application.roller import answer_by_ledger
from ledger.application.save import Save
from ledger.events.records import Given
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.answers import RecordedAnswers, trim_answer_to
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Answer, Ask, Choice, Dice, Draw, Drawn, Flipped, Question, Shuffled
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.kernel.table import RulingTable, Subjects
from ledger.rules.kernel.thrown import contains_dice


class Adjudication:
    """An adjudication of a declaration, with the answers so far and the seats that gave them.

    `earlier_answers`: earlier answers, matched to their questions. Those that no longer fit are set aside, and their
    questions are asked again. `past`, `after`: for a late entry, the campaign at its place, and the ruling that it
    follows.
    """

    def __init__(
        self,
        save: Save,
        do: object,
        declarer: Viewer,
        named_scene: Subject | None,
        waiting_id: str | None = None,
        earlier_answers: Sequence[Given] = (),
        past: Subjects | None = None,
        after: int = 0,
    ) -> None:
        self.save = save
        self.past, self.after = past, after
        self.do = do
        self.declarer = declarer
        self.named_scene = named_scene
        self.number = save.book.campaign.rulings + 1
        self.waiting_id = waiting_id
        self._answers_to_recall = [
            answer for answer in earlier_answers if not answer.set_aside or is_answered_by_ledger(answer)
        ]
        self._earlier_answers = tuple(earlier_answers)
        self._new_answers: list[Given] = []
        self._begin()

    def _begin(self) -> None:
        book = self.save.book
        self.table = RulingTable(
            book.ruleset,
            self.past or book,
            self.number,
            self.declarer,
            self.named_scene,
            lambda: list_underway_declarations(book, self.waiting_id) if self.past is None else (),
            after=self.after,
        )
        self.answers_given: list[Given] = []
        self._used_answers: list[Given] = []
        self._recorded_answers = RecordedAnswers(read_answers(book, self._answers_to_recall))
        self.conversation = Conversation(book.ruleset, self.table, self.do)
        self._recall_answers()

    def _recall_answers(self) -> None:
        """Give each earlier answer when its question is asked. If one does not fit, start again without it."""
        while (claim := self._recorded_answers.claim_answer(self.open_questions)) is not None:
            question_place, answer_place = claim
            question, recorded_answer = self.open_questions[question_place], self._answers_to_recall[answer_place]
            answer = json_form.answer_from_json(self.save.book.ruleset, recorded_answer.answer)
            try:
                self.conversation.answer(trim_answer_to(question, answer), question_place)
            except Unfit:
                del self._answers_to_recall[answer_place]
                self._begin()
                return
            self._used_answers.append(recorded_answer)
            earlier_audience = recorded_answer.audience if not recorded_answer.withheld else None
            audience = question.audience if question.audience is not None else earlier_audience
            self.answers_given.append(
                Given(
                    json_form.question_json(question),
                    recorded_answer.answer,
                    recorded_answer.by,
                    recorded_answer.at,
                    audience,
                )
            )

    @property
    def answers_set_aside(self) -> list[Given]:
        """Return the answers, earlier or new, that are no longer used."""
        return [
            replace(answer, set_aside=True)
            for answer in (*self._earlier_answers, *self._new_answers)
            if not any(answer is used_answer for used_answer in self._used_answers)
        ]

    @property
    def question(self) -> Question | None:
        return self.conversation.question

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Return the questions that are open at the same time."""
        return self.conversation.open_questions

    def take_answer(self, answer: Answer, by: str, at: str, place: int = 0) -> None:
        """Take an answer to an open question. Raise Unfit if it does not fit.

        Answers to questions that are open at the same time are applied in the rule's order, whichever seat answers
        first. So a replay gives the same ruling.
        """
        questions = self.open_questions
        self.conversation.answer(answer, place)
        question = questions[place]
        question_asked = json_form.question_json(question)
        self.answers_given.append(Given(question_asked, json_form.answer_to_json(answer), by, at, question.audience))
        self._answers_to_recall.append(self.answers_given[-1])
        self._new_answers.append(self.answers_given[-1])
        self._used_answers.append(self.answers_given[-1])
        if isinstance(question, Ask) and (question.beside or question.answered):
            self._begin()
        else:
            self._recall_answers()

    def take_answer_from_seat(self, answer: Answer, place: int = 0) -> None:
        """Take an answer of the acting seat. Raise NotYours if another seat is asked."""
        assert self.save.viewer is not None
        if self.open_questions:
            question_asked = json_form.question_json(self.open_questions[place])
            must_be_asked(self.save.book, question_asked, self.declarer.seat, self.save.viewer)
            must_be_chooser(self.save.book, question_asked, answer, self.save.viewer)
        self.take_answer(mark_as_typed(answer), self.save.by, self.save.at, place)

    def roll(self, *, only_cards_dealt: bool = False) -> None:
        """Roll the ledger's dice as long as dice are asked for. `only_cards_dealt`: only deal the cards that the ledger
        must deal, for a table that rolls its own dice.

        An earlier roll of the ledger is used again, so making an earlier answer invalid gives nobody another roll.
        """
        while (question := self.question) is not None and not isinstance(question, Ask):
            if only_cards_dealt and not (isinstance(question, Draw) and question.by_ledger):
                return
            self.take_answer(answer_by_ledger(self.save, question, self.number), self.save.by, self.save.at)


def mark_as_typed(answer: Answer) -> Answer:
    """Return the answer, marked as entered by a person, so that it never counts as the ledger's own roll."""
    return answer if isinstance(answer, Choice) else changed(answer, source="table", proof=None)


def refuse_typed_dice(book: Book, *values: object) -> None:
    """Raise Refused `typed-dice` if only the ledger rolls (option `dice`) and a declaration or answer contains dice."""
    if book.load_kernel_dials().dice == "ledger_only" and any(map(has_chance, values)):
        raise Refused("ledger.dice", "typed-dice")


def has_chance(value: object) -> bool:
    """Return whether a person entered faces, coins or cards in the declaration or answer."""
    if isinstance(value, Choice):
        return contains_dice(value.value)
    if isinstance(value, Dice | Drawn | Shuffled | Flipped):
        return value != Drawn(()) and value.source == "table"
    return contains_dice(value)
