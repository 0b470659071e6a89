"""Near misses: what somebody declares with one part of it otherwise, or by another seat; tried out, never recorded.

For the laws that say what random play is never refused. The table plays on as if nobody had tried.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeVar, get_args, get_origin

from ledger.rules.kernel.domains import OPEN
from ledger.rules.kernel.json_types import load_hints
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.refusals import Refused
from tests.rules.anything import KERNEL, Anything
from tests.rules.world import World

#: What is said to a question: of the declaration, the question, and the answers given before.
Answering = Callable[[Any, Any, list[Any], Random], Any]


class NearMisses(Anything):
    """Has its own chance, so that the table's own goes on as it was; and knows the words that were said before."""

    def __init__(self, game: World, seed: int, answering: Answering) -> None:
        super().__init__(game.ruleset.name, Random(f"near misses {seed}"), game)
        self.answering = answering
        self.before: dict[type[Any], list[Any]] = {}
        self.words: dict[str, None] = {}

    def around(self, do: Any, by: str, tries: int) -> None:
        """So many tries just before `by` declares it. What each is refused with is added to `game.met`."""
        self.before.setdefault(type(do), []).append(do)
        self.words |= dict.fromkeys(_words(do))
        table = self.game.table()
        there = [one.id for one in table.subjects("seat") if table.is_open(one)]
        for _ in range(tries):
            self.attempt(self._something(do), by if self.rng.random() < 0.6 else self.rng.choice(there))

    def _something(self, do: Any) -> Any:
        """This with a part of it otherwise; something declared before, as it was or otherwise; or anything."""
        how = self.rng.random()
        if how < 0.2:
            return self.of(self.rng.choice((*self.game.ruleset.inputs, *KERNEL)))
        if how < 0.5:
            do = self.rng.choice(self.rng.choice(list(self.before.values())))
        return do if how < 0.3 else self.nearly(do)

    def some(self, those: Iterable[Any], number: int) -> list[Any]:
        found = list(those)
        return self.rng.sample(found, min(number, len(found)))

    def attempt(self, do: Any, by: str) -> None:
        """As far as it comes, with answers of which half nearly fit."""
        answers: list[Any] = []
        try:
            conversation, _ = self.game.begin(do, by)
            while (question := conversation.question) is not None:
                answer = self.answering(do, question, answers, self.rng)
                if isinstance(answer, Choice) and self.rng.random() < 0.5:
                    answer = Choice(self.nearly(answer.value))
                conversation.answer(answer)
                answers.append(answer)
        except Refused as no:
            self.game.met.add(no.code)

    def nearly(self, record: Any) -> Any:
        """The same record with one of its fields otherwise."""
        fields = dataclasses.fields(record)
        if not fields:
            return record
        name = self.rng.choice(fields).name
        return dataclasses.replace(
            record, **{name: self._otherwise(getattr(record, name), load_hints(type(record))[name])}
        )

    def _otherwise(self, value: Any, hint: Any) -> Any:
        if dataclasses.is_dataclass(value) and self.rng.random() < 0.8:
            return self.nearly(value)
        if isinstance(value, list | tuple) and value and self.rng.random() < 0.7:
            return type(value)(self._rearranged(list(value), _items(hint)))
        return self.of(hint)

    def _rearranged(self, values: list[Any], hint: Any) -> list[Any]:
        """One left out, one twice, the other way round, or one otherwise."""
        place, how = self.rng.randrange(len(values)), self.rng.randrange(6)
        one = values[place]
        if how == 0:
            return values[:place] + values[place + 1 :]
        if how == 1:
            return [*values, one]
        if how == 2:
            return values[::-1]
        return [*values[:place], self._otherwise(one, hint), *values[place + 1 :]]

    def of(self, hint: Any) -> Any:
        """As the types allow; where they say nothing, a small number or a word."""
        if isinstance(hint, TypeVar):
            return super().of(self.game.ruleset.sheet)
        if hint in OPEN:
            return self.rng.choice((-1, 0, 1, 2, 7, 99, "1/7", self.name()))
        return super().of(hint) if hint is not int else self.rng.choice((-1, 0, 1, 2, 3, 6, 12))

    def name(self) -> str:
        """More often than not a word that was said before; now and then nothing."""
        if self.rng.random() < 0.05:
            return " "
        if self.words and self.rng.random() < 0.6:
            return self.rng.choice(list(self.words))
        return super().name()


def _words(value: Any) -> Iterator[str]:
    """Every text in it."""
    if isinstance(value, str):
        yield value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _words(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _words(pair)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _words(one)


def _items(hint: Any) -> Any:
    """What a sequence of this type holds."""
    parts = get_args(hint)
    if get_origin(hint) is tuple and parts[1:] == (Ellipsis,):
        return parts[0]
    return next((found for part in parts if (found := _items(part)) is not Any), Any)
