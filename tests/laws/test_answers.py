"""What a question says it can be answered with is what its rule accepts, and all that was ever answered lies in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from ledger.rules.intensity import healing
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.moves import Among, Domain, Shape, holds, make_move_by_type
from ledger.rules.kernel.questions import Answer, Ask, Choice
from ledger.rules.kernel.refusals import Declined, Refused
from ledger.rules.kernel.table import RulingTable
from ledger.rules.kernel.world import Past, PastRuling
from tests.laws.test_play import SEEDS, every_system
from tests.levels import examples
from tests.rules.anything import play
from tests.rules.moves import Filling, steps
from tests.rules.world import World

seldom = settings(max_examples=examples(3, 8, 40), deadline=None, suppress_health_check=list(HealthCheck))


def begun(past: Past, ruling: PastRuling, answers: Sequence[Answer]) -> Conversation:
    table = RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene)
    conversation = Conversation(past.ruleset, table, ruling.declared)
    for answer in answers:
        conversation.answer(answer)
    return conversation


def choices(past: Past, ruling: PastRuling) -> Iterator[tuple[Ask, Any, Sequence[Answer]]]:
    """Each choice that the ruling asked for, with what was chosen, and the answers before."""
    for place, answer in enumerate(ruling.answers):
        if isinstance(answer, Choice):
            question = begun(past, ruling, ruling.answers[:place]).question
            assert isinstance(question, Ask)
            yield question, answer.value, ruling.answers[:place]


def shapes(question: Ask, choice: type[Any]) -> list[Shape]:
    """How the choice is narrowed; where it is not, all that its type can say."""
    narrowed = [one for one in question.within if one.do is choice]
    whole = Shape(choice, make_move_by_type(choice).fields)
    return [one for one in narrowed if Among(()) not in one.fields.values()] if narrowed else [whole]


def looked_at(game: World, rng: Random) -> Counter[str]:
    """How often each kind was filled. AssertionError where an answer is refused, or was given and is not offered."""
    found: Counter[str] = Counter()
    for past, ruling in steps(game):
        filling = Filling(past.ruleset, past, rng)
        for question, chosen, before in choices(past, ruling):
            if getattr(chosen, "faces", None) is None:  # how many there are depends on the other fields
                assert any(holds(one, chosen) for one in shapes(question, type(chosen))), f"not offered: {chosen}"
            for kind in question.kinds:
                for shape in shapes(question, kind):
                    answer = filling._value(shape, kind)
                    try:
                        begun(past, ruling, (*before, Choice(answer)))
                    except Declined:
                        found["no"] += 1
                    except Refused as no:
                        pytest.fail(f"offered and refused: {answer}: {no.code}")
                    found[find_kind(kind)] += 1
    return found


@every_system
@seldom
@given(seed=SEEDS)
def test_an_answer_is_accepted_if_it_is_offered(name: str, seed: int) -> None:
    looked_at(play(name, seed, 50), Random(seed))


def healed(seed: int) -> Counter[str]:
    return looked_at(play("intensity", seed, 200), Random(seed))


def test_every_choice_is_looked_at() -> None:
    found = Counter[str]()
    for seed in range(80):
        found += healed(seed)
        if len(found) == 5:
            return
    pytest.fail(f"only {found}")


@pytest.mark.parametrize("wrong", ["wide", "narrow"])
def test_choices_that_are_narrowed_wrongly_are_found(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    own = healing.list_ways_to_heal

    def list_wrong_ways(*given: Any) -> Iterator[dict[str, Domain]]:
        for fields in own(*given):
            yield {**fields, "heal": Among(("wound", "damage", "none")) if wrong == "wide" else Among(("none",))}

    monkeypatch.setattr(healing, "list_ways_to_heal", list_wrong_ways)
    with pytest.raises((AssertionError, pytest.fail.Exception), match="offered"):
        for seed in range(80):
            healed(seed)
