"""One adjudication in progress: what is asked, what was answered, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.reading.pasts import read_answers
from ledger.application.reading.rights import must_be_asked, must_be_theirs
from ledger.application.reading.waiting import is_by_ledger, list_underway
from ledger.application.roller import answer_by_ledger
from ledger.application.save import Save
from ledger.events.records import Given
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.answers import RecordedAnswers, trim_answer_to
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Answer, Ask, Choice, Dice, Draw, Drawn, Flipped, Question, Shuffled
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.kernel.table import RulingTable
from ledger.rules.kernel.thrown import contains_dice


class Adjudication:
    """One adjudication on the table as it stands, with the answers given and who gave them.

    `recorded`: earlier answers, found again by their questions. Those that no longer fit are left out, and their
    questions asked again.
    """

    def __init__(
        self,
        save: Save,
        do: object,
        declarer: Viewer,
        named_scene: Subject | None,
        waits_as: str | None = None,
        recorded: Sequence[Given] = (),
    ) -> None:
        self.save = save
        self.do = do
        self.declarer = declarer
        self.named_scene = named_scene
        self.number = save.book.campaign.rulings + 1
        self.waits_as = waits_as
        self._recorded = [answer for answer in recorded if not answer.set_aside or is_by_ledger(answer)]
        self._earlier = tuple(recorded)
        self._heard: list[Given] = []
        self._begin()

    def _begin(self) -> None:
        book = self.save.book
        self.table = RulingTable(
            book.ruleset, book, self.number, self.declarer, self.named_scene, lambda: list_underway(book, self.waits_as)
        )
        self.given: list[Given] = []
        self._used: list[Given] = []
        self._answers = RecordedAnswers(read_answers(book, self._recorded))
        self.conversation = Conversation(book.ruleset, self.table, self.do)
        self._recall()

    def _recall(self) -> None:
        """Give earlier answers as their questions are asked. If one does not fit, start again without it."""
        while (claimed := self._answers.claim_answer(self.open)) is not None:
            number, place = claimed
            question, recorded = self.open[number], self._recorded[place]
            answer = json_form.answer_from_json(self.save.book.ruleset, recorded.answer)
            try:
                self.conversation.answer(trim_answer_to(question, answer), number)
            except Unfit:
                del self._recorded[place]
                self._begin()
                return
            self._used.append(recorded)
            earlier_audience = recorded.audience if not recorded.withheld else None
            audience = question.audience if question.audience is not None else earlier_audience
            self.given.append(
                Given(json_form.question_json(question), recorded.answer, recorded.by, recorded.at, audience)
            )

    @property
    def answers_set_aside(self) -> list[Given]:
        """The earlier answers on which nothing rests any more."""
        return [
            replace(answer, set_aside=True)
            for answer in (*self._earlier, *self._heard)
            if not any(answer is used for used in self._used)
        ]

    @property
    def question(self) -> Question | None:
        return self.conversation.question

    @property
    def open(self) -> tuple[Question, ...]:
        """The questions that are open at the same time."""
        return self.conversation.open

    def take_answer(self, answer: Answer, by: str, at: str, place: int = 0) -> None:
        """Take an answer to an open question. Unfit if it does not fit.

        Questions that are open at the same time are answered in the order of the rule, whoever answers first: so the
        ruling is the same, now and whenever it is replayed.
        """
        questions = self.open
        self.conversation.answer(answer, place)
        question = questions[place]
        asked = json_form.question_json(question)
        self.given.append(Given(asked, json_form.answer_to_json(answer), by, at, question.audience))
        self._recorded.append(self.given[-1])
        self._heard.append(self.given[-1])
        self._used.append(self.given[-1])
        if isinstance(question, Ask) and (question.beside or question.answered):
            self._begin()
        else:
            self._recall()

    def take_answer_from_seat(self, answer: Answer, place: int = 0) -> None:
        """Take an answer of the acting seat. NotYours if another seat is asked."""
        assert self.save.viewer is not None
        if self.open:
            asked = json_form.question_json(self.open[place])
            must_be_asked(self.save.book, asked, self.declarer.seat, self.save.viewer)
            must_be_theirs(self.save.book, asked, answer, self.save.viewer)
        self.take_answer(mark_as_typed(answer), self.save.by, self.save.at, place)

    def roll(self, *, only_cards_dealt: bool = False) -> None:
        """Roll the ledger's dice as long as dice are asked for. `only_cards_dealt`: only what nobody but the ledger can
        deal, whoever rolls: it would wait for nobody.

        Its earlier roll for a question is used again: nobody gets another roll by making an earlier answer unfit.
        """
        while (asked := self.question) is not None and not isinstance(asked, Ask):
            if only_cards_dealt and not (isinstance(asked, Draw) and asked.by_ledger):
                return
            self.take_answer(answer_by_ledger(self.save, asked, self.number), self.save.by, self.save.at)


def mark_as_typed(answer: Answer) -> Answer:
    """Return an answer as a person's: it is never the ledger's own roll, whatever it claims."""
    return answer if isinstance(answer, Choice) else changed(answer, source="table", proof=None)


def must_be_rolled(book: Book, *given: object) -> None:
    """Raise Refused `typed-dice` if the ledger rolls all dice (option `dice`) and one of these contains any."""
    if book.load_kernel_dials().dice == "ledger_only" and any(map(has_chance, given)):
        raise Refused("ledger.dice", "typed-dice")


def has_chance(given: object) -> bool:
    """Return whether a declaration or answer contains faces, cards or coins; not cards if the ledger deals."""
    if isinstance(given, Choice):
        return contains_dice(given.value)
    if isinstance(given, Dice | Drawn | Shuffled | Flipped):
        return given != Drawn(()) and given.source == "table"
    return contains_dice(given)
