"""A table that plays any system at random, from the types of its words alone; and who plays which.

A system may bring a `tests/rules/<system>/chance.py` that knows how to get further: `play_at_random(seed, words)`.
"""

from __future__ import annotations

import dataclasses
import importlib
import types
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from random import Random
from typing import Any, Literal, Union, get_args, get_origin

from ledger.application.roller import answer_by_chance
from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.json_types import load_hints
from ledger.rules.kernel.questions import Ask, Choice
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Role
from tests.rules.world import World

PEOPLE: dict[str, Role] = {"gm": "gm", "ann": "player", "bob": "player"}
KERNEL = (commands.OpenScene, commands.CloseScene, commands.OpenSession, commands.CloseSession)
PATIENCE = 8  # tries for one word


def play(name: str, seed: int, words: int) -> World:
    """A campaign of the system, of about so many words."""
    if find_spec(f"tests.rules.{name}") and find_spec(f"tests.rules.{name}.chance"):
        game: World = importlib.import_module(f"tests.rules.{name}.chance").play_at_random(seed, words)
        return game
    return Anything(name, Random(seed)).play(words)


class Anything:
    """Says whatever the types allow, of what is there, until something is accepted."""

    def __init__(self, name: str, rng: Random, game: World | None = None) -> None:
        self.game, self.rng = game or World(systems()[name], {}, PEOPLE), rng

    def play(self, words: int) -> World:
        for count in range(words):
            kinds = (commands.Enrol,) if count < 2 else (*self.game.ruleset.inputs, *KERNEL, commands.Enrol)
            for _ in range(PATIENCE):
                with suppress(Refused):
                    self.declare(self.of(self.rng.choice(kinds)))
                    break
        return self.game

    def declare(self, do: Any) -> None:
        conversation, table = self.game.begin(do, self.rng.choice(list(PEOPLE)) if self.rng.random() < 0.3 else "gm")
        answers = []
        while (question := conversation.question) is not None:
            answer: Any = None
            if isinstance(question, Ask):
                answer = Choice(self.of(self.rng.choice(question.kinds)))
            else:
                answer = answer_by_chance(question, self.rng)
            conversation.answer(answer)
            answers.append(answer)
        assert conversation.verdict is not None
        self.game.record(do, table, answers, conversation.verdict)

    def name(self) -> str:
        """Of somebody or something there is; now and then of nobody."""
        there = [one.id for kind in ("character", "scene", "seat") for one in self.game.table().subjects(kind)]
        return self.rng.choice([*there, str(self.rng.randint(1, self.game.number)), "nobody"])

    def of(self, hint: Any) -> Any:
        """A value of the type."""
        rng, origin, parts = self.rng, get_origin(hint), get_args(hint)
        if origin is Literal:
            return rng.choice(parts)
        if origin in (Union, types.UnionType):
            return self.of(rng.choice(parts))
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return self.record(hint)
        if origin is tuple and parts[1:] == (Ellipsis,):
            return tuple(self.of(parts[0]) for _ in range(rng.randint(0, 3)))
        if origin is tuple:
            return tuple(map(self.of, parts))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {self.name(): self.of(parts[1]) for _ in range(rng.randint(0, 2))}
        plain = {bool: rng.random() < 0.5, int: rng.randint(0, 9), str: self.name(), type(None): None}
        return plain.get(hint)

    def record(self, cls: type) -> Any:
        """With what is left out as it comes, half of the time."""
        told = {}
        for field in dataclasses.fields(cls):
            needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            if cls is commands.Enrol and field.name == "sheet":
                told["sheet"] = self.of(self.game.ruleset.sheet)
            elif needed or self.rng.random() < 0.5:
                told[field.name] = self.of(load_hints(cls)[field.name])
        return cls(**told)
