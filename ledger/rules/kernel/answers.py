"""Recorded answers, found again by the questions they were given to. Pure.

An answer is its question's: who is asked, what kind of thing (how many sides) and the slot the rule names
(`ledger.rules.kernel.questions`). What the question was called or described as is no part of it. Nobody's dice become
another's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.open_dice import first_to_fall
from ledger.rules.kernel.questions import Answer, Ask, Dice, Drawn, Flipped, Question, question_json

#: Of whom what is asked, and for what: a question's identity.
Key: TypeAlias = tuple[object, ...]
PROSE = frozenset({"purpose", "known"})  # and who may hear of it


@quick
@dataclass(frozen=True, slots=True)
class Said:
    """An answer, and the question it was given to (`dice.question_json`; empty: to whichever nobody answered).

    `set_aside`: nothing rests on it. It answers its question only where that is asked once more than it was answered.
    """

    answer: Answer
    question: Mapping[str, object] | None = None
    set_aside: bool = False


class RecordedAnswers:
    """The answers of a ruling, given out as their questions are asked.

    The k-th asking of a question takes its k-th answer. Answers from before questions had slots are given out by their
    place in the list, up to the first question that is not the one they answered; those without a question, in order,
    to questions that have none.
    """

    def __init__(self, answers: Sequence[Said]) -> None:
        self._said = answers
        self._taken: set[int] = set()
        self._by_key: dict[Key, list[int]] = {}
        self._in_a_row: list[int] = []  # of before there were slots
        self._aside_then: list[int] = []
        self._free: list[int] = []
        for aside in (False, True):
            for place, answer in enumerate(answers):
                if answer.set_aside is aside:
                    self._sort(place, answer)

    def _sort(self, place: int, answer: Said) -> None:
        if not answer.question:
            self._free.append(place)
        elif "slot" in answer.question:
            self._by_key.setdefault(key_of(answer.question), []).append(place)
        else:
            (self._aside_then if answer.set_aside else self._in_a_row).append(place)

    def place(self, question: Question) -> int | None:
        """Return where in the list its answer is; None when nobody answered it. Each place is returned once."""
        if len(self._taken) == len(self._said):
            return None
        place = self._own(question)
        if place is None and self._free:
            place = self._free.pop(0)
        if place is not None:
            self._taken.add(place)
        return place

    def _own(self, question: Question) -> int | None:
        if self._in_a_row:
            if self._next_in_a_row(question_json(question)):
                return self._in_a_row.pop(0)
            self._in_a_row.clear()
        own = self._by_key.get(_key(question))
        if own:
            return own.pop(0)
        if self._aside_then:
            asked = question_json(question)
            for place in self._aside_then:
                if asks_the_same(self._said[place].question or {}, asked):
                    self._aside_then.remove(place)
                    return place
        return None

    def _next_in_a_row(self, asked: Mapping[str, object]) -> bool:
        answered = self._said[self._in_a_row[0]].question or {}
        return key_of(answered)[:-1] == key_of(asked)[:-1] and answered.get("choices") == asked.get("choices")


def key_of(question: Mapping[str, object]) -> Key:
    """Return the key of a recorded question. The slot comes last; None for questions from before there were slots."""
    whose = question.get("seat") if question.get("ask") == "choice" else question.get("who")
    return (question.get("ask"), whose, question.get("sides"), question.get("slot"))


def _key(question: Question) -> Key:
    """Return the key (`key_of`) of a question that is asked now."""
    if isinstance(question, Ask):
        return ("choice", question.seat, None, question.slot)
    who = str(question.who) if question.who is not None else None
    return (type(question).__name__.lower(), who, getattr(question, "sides", None), question.slot)


def asks_the_same(question: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Return whether two questions ask the same thing of the same seat, in whatever words."""
    apart = PROSE if "slot" in question and "slot" in other else PROSE | {"slot"}
    return _without(question, apart) == _without(other, apart)


def _without(question: Mapping[str, object], apart: frozenset[str]) -> dict[str, object]:
    return {name: value for name, value in question.items() if name not in apart}


def cut_to(question: Question, answer: Answer) -> Answer:
    """Return a recorded answer cut to this question: where fewer are asked for than recorded, the first of them."""
    count = getattr(question, "count", None)
    if count is None:
        return answer
    if isinstance(answer, Dice):
        if len(answer.faces) <= count:
            return answer
        return replace(answer, faces=first_to_fall(answer.faces, count, getattr(question, "opens", None)))
    if isinstance(answer, Drawn):
        return answer if len(answer.cards) <= count else replace(answer, cards=answer.cards[:count])
    if isinstance(answer, Flipped):
        return answer if len(answer.coins) <= count else replace(answer, coins=answer.coins[:count])
    return answer
