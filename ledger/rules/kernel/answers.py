"""Match recorded answers to the questions that the rules ask again.

A question is identified by the seat asked, the kind (with the number of sides) and the slot, so its wording can change.
One seat's dice are never used for another seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.open_dice import select_first_dice
from ledger.rules.kernel.questions import Answer, Ask, Dice, Drawn, Flipped, Question, question_json

#: The key of a question: the kind, the seat asked, the number of sides and the slot.
Key: TypeAlias = tuple[object, ...]
PROSE = frozenset({"purpose", "known"})  # fields that can differ between equal questions


@quick
@dataclass(frozen=True, slots=True)
class Said:
    """A recorded answer, and its question in the form of `question_json` (None or empty if unknown).

    `set_aside`: whether the ruling does not use the answer. A replay uses such an answer only after all other answers
    to the question. `is_private`: whether the answer was withheld when it was set aside. A private answer is never used
    again, because the result would reveal it.
    """

    answer: Answer
    question: Mapping[str, object] | None = None
    set_aside: bool = False
    is_private: bool = False


class RecordedAnswers:
    """The answers of a ruling, by question.

    If a question is asked several times, its answers are used in order. Old answers without slots are used in the order
    of the list, until a question does not match. An answer without a question is used for a question that has no other
    answer.
    """

    def __init__(self, answers: Sequence[Said]) -> None:
        self._answers = answers
        self._taken_places: set[int] = set()
        self._places_by_key: dict[Key, list[int]] = {}
        self._slotless_places: list[int] = []  # recorded before there were slots
        self._slotless_places_set_aside: list[int] = []
        self._places_without_question: list[int] = []
        for is_set_aside in (False, True):
            for place, answer in enumerate(answers):
                if answer.set_aside is is_set_aside:
                    self._file_answer(place, answer)

    def _file_answer(self, place: int, answer: Said) -> None:
        if answer.is_private:
            return
        if not answer.question:
            self._places_without_question.append(place)
        elif "slot" in answer.question:
            self._places_by_key.setdefault(make_recorded_key(answer.question), []).append(place)
        else:
            (self._slotless_places_set_aside if answer.set_aside else self._slotless_places).append(place)

    def claim_answer(self, questions: Sequence[Question]) -> tuple[int, int] | None:
        """Return the index of the first question that has an answer, and the place of that answer in the list. Return
        None if no question has one. Each place is returned only once.
        """
        if not questions or len(self._taken_places) == len(self._answers):
            return None
        claim = next(
            (
                (n, place)
                for n, question in enumerate(questions)
                if (place := self._take_next_place(question)) is not None
            ),
            None,
        )
        if claim is None and self._places_without_question:
            claim = (0, self._places_without_question.pop(0))
        if claim is not None:
            self._taken_places.add(claim[1])
        return claim

    def _take_next_place(self, question: Question) -> int | None:
        if self._slotless_places:
            if self._matches_next_slotless_answer(question_json(question)):
                return self._slotless_places.pop(0)
            self._slotless_places.clear()
        places = self._places_by_key.get(_make_key(question))
        if places:
            return places.pop(0)
        if self._slotless_places_set_aside:
            document = question_json(question)
            for place in self._slotless_places_set_aside:
                if asks_the_same(self._answers[place].question or {}, document):
                    self._slotless_places_set_aside.remove(place)
                    return place
        return None

    def _matches_next_slotless_answer(self, question_document: Mapping[str, object]) -> bool:
        recorded_question = self._answers[self._slotless_places[0]].question or {}
        key, recorded_key = make_recorded_key(question_document), make_recorded_key(recorded_question)
        return recorded_key[:-1] == key[:-1] and recorded_question.get("choices") == question_document.get("choices")


def make_recorded_key(question: Mapping[str, object]) -> Key:
    """Return the key of a recorded question. The last item is the slot, or None for an old question without a slot."""
    asked_seat = question.get("seat") if question.get("ask") == "choice" else question.get("who")
    return (question.get("ask"), asked_seat, question.get("sides"), question.get("slot"))


def _make_key(question: Question) -> Key:
    """Return the key of a question that is asked now."""
    if isinstance(question, Ask):
        return ("choice", question.seat, None, question.slot)
    who = str(question.who) if question.who is not None else None
    return (type(question).__name__.lower(), who, getattr(question, "sides", None), question.slot)


def asks_the_same(question: Mapping[str, object], other_question: Mapping[str, object]) -> bool:
    """Return whether two questions ask the same seat for the same thing, however they are worded."""
    ignored_fields = PROSE if "slot" in question and "slot" in other_question else PROSE | {"slot"}
    return _drop_fields(question, ignored_fields) == _drop_fields(other_question, ignored_fields)


def _drop_fields(question: Mapping[str, object], dropped_names: frozenset[str]) -> dict[str, object]:
    return {name: value for name, value in question.items() if name not in dropped_names}


def trim_answer_to(question: Question, answer: Answer) -> Answer:
    """Return the answer with only as many dice, cards or coins as the question asks for."""
    count = getattr(question, "count", None)
    if count is None:
        return answer
    if isinstance(answer, Dice):
        if len(answer.faces) <= count:
            return answer
        return replace(answer, faces=select_first_dice(answer.faces, count, getattr(question, "opens", None)))
    if isinstance(answer, Drawn):
        return answer if len(answer.cards) <= count else replace(answer, cards=answer.cards[:count])
    if isinstance(answer, Flipped):
        return answer if len(answer.coins) <= count else replace(answer, coins=answer.coins[:count])
    return answer
