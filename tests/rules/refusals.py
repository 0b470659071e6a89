"""What play is refused with, held against what a game says of it: its sentences and its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from ledger.rules.kernel import chapters
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.sentences import PHRASES as KERNEL
from projections.wording import list_needed_names


@dataclass
class Heard:
    """`contexts`: of each rule and code, by the names given with it, what these were once."""

    contexts: dict[tuple[str, str], dict[frozenset[str], Mapping[str, Any]]] = field(default_factory=dict)

    def take(self, no: Refused) -> None:
        self.contexts.setdefault((no.rule, no.code), {}).setdefault(frozenset(no.context), no.context)

    @property
    def codes(self) -> set[str]:
        return {code for _, code in self.contexts}

    @property
    def rules(self) -> set[str]:
        return {rule for rule, _ in self.contexts}

    def told(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Each rule and code with what was given with it."""
        for (rule, code), contexts in self.contexts.items():
            for context in contexts.values():
                yield rule, code, context


@contextmanager
def heard() -> Iterator[Heard]:
    """Every refusal that is made meanwhile, by its constructor or by a chapter, whatever becomes of it."""
    found, made, filled = Heard(), Refused.__init__, chapters._make_refusal

    def heard_as_well(self: Refused, *said: Any, **context: Any) -> None:
        made(self, *said, **context)
        found.take(self)

    def filled_as_well(*said: Any) -> Refused:
        refused = filled(*said)
        found.take(refused)
        return refused

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Refused, "__init__", heard_as_well)
        patch.setattr(chapters, "_make_refusal", filled_as_well)
        yield found


def unsaid(game: AnyRuleset, found: Heard) -> list[str]:
    """Codes without a sentence; and what a sentence cannot do without that was not given."""
    wrong: list[str] = []
    for rule, code, context in found.told():
        sentence = find_sentence(game, rule, code)
        if sentence is None:
            wrong.append(f"{code} has no sentence")
        else:
            wrong += [f"{code} without {name}" for name in list_needed_names(sentence) if name not in context]
    return wrong


def find_sentence(game: AnyRuleset, rule: str, code: str) -> str | None:
    """Return the sentence of the rule, else the one that several rules share."""
    return game.phrases.refusals_of.get((rule, code)) or {**KERNEL.refusals, **game.phrases.refusals}.get(code)


def unmet(game: AnyRuleset, found: Heard) -> set[str]:
    """The codes that the game has a sentence for, and that were not met."""
    return set(game.phrases.refusals) - found.codes


def uncited(game: AnyRuleset, found: Heard, cited: set[str]) -> set[str]:
    """The rules in the book that are cited by no step (`cited`), no refusal and no dial."""
    dials = {one.metadata["rule"] for one in list_dial_fields(game.dials).values()}
    return set(game.rules) - cited - found.rules - dials
