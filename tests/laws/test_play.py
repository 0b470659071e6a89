"""Laws of every system on random play: books that balance, faithful replay, and the law of overturning.

A system that brings a `tests/rules/<system>/chance.py` is played further than its types alone can be
(`tests.rules.anything`). What only one game promises stands in its folder.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.application import json_form
from ledger.application.roller import answer_by_chance
from ledger.rules import systems
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.commands import INPUTS
from ledger.rules.kernel.comparison import compare, is_in_same_order
from ledger.rules.kernel.declarations import find_fact_kind, find_kind, list_recorded_kinds
from ledger.rules.kernel.purses import owner_of, unit_of
from ledger.rules.kernel.questions import Ask, Choice
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.table import RulingTable
from tests.levels import examples
from tests.rules.anything import play
from tests.rules.world import World

SEEDS = st.integers(0, 2**32)
quickly = settings(max_examples=examples(5, 10, 100), deadline=None, suppress_health_check=list(HealthCheck))
slowly = settings(max_examples=examples(2, 3, 40), deadline=None, suppress_health_check=list(HealthCheck))
every_system = pytest.mark.parametrize("name", sorted(systems()))


@every_system
@quickly
@given(seed=SEEDS)
def test_every_unit_adds_up_to_nothing(name: str, seed: int) -> None:
    """Over all accounts, the unlimited ones too; and nobody owes what was never struck."""
    game = play(name, seed, 80)
    units: Counter[str] = Counter()
    for verdict in game.verdicts:
        for about in verdict.facts:
            for posting in about.postings:
                assert posting.amount > 0
                for account, change in ((posting.source, -posting.amount), (posting.target, posting.amount)):
                    assert unit_of(account) == posting.unit
                    units[posting.unit] += change if owner_of(account) is None else 0
    for folded in game.past.folded.values():
        assert not folded.find_overdrawn_accounts() and not folded.adrift
        for account, balance in folded.purse.items():
            units[unit_of(account)] += balance
    assert not +units and not -units


@every_system
@quickly
@given(seed=SEEDS)
def test_the_same_answers_give_the_same_verdicts(name: str, seed: int) -> None:
    game = play(name, seed, 80)
    past = game.beginning()
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        assert past.readjudicate(ruling) == verdict
        past.tell(ruling.facts)


@every_system
@quickly
@given(seed=SEEDS)
def test_every_step_cites_a_rule_and_every_fact_was_announced(name: str, seed: int) -> None:
    game = play(name, seed, 80)
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        for one in verdict.because:
            assert one.rule in systems()[name].rules or one.rule.startswith("ledger.")
            json.dumps([json_form.to_json(one.given), json_form.to_json(one.out)])
        if type(ruling.declared) not in INPUTS:
            told = {find_fact_kind(about.fact).partition("@")[0] for about in verdict.facts}
            assert told <= set(list_recorded_kinds(ruling.declared)), find_kind(ruling.declared)


@every_system
@quickly
@given(seed=SEEDS)
def test_no_dice_make_a_declaration_bad(name: str, seed: int) -> None:
    """All refusals come before the first roll: other dice give another ruling, never a refusal."""
    game = play(name, seed, 60)
    past, rng = game.beginning(), Random(seed)
    for ruling in game.history:
        for _ in range(3 if ruling.answers else 1):
            try:
                reroll(game, past, ruling, rng)
            except Unfit:
                break  # a recorded choice that goes with the recorded dice only: it would be asked for again
            except Refused as refusal:
                pytest.fail(f"{ruling.declared} was refused after its dice: {refusal}")
        past.tell(ruling.facts)


def reroll(game: World, past: Any, ruling: Any, rng: Random) -> None:
    """The same declaration on other dice and the recorded choices, as far as these are asked for."""
    table = RulingTable(game.ruleset, past, ruling.number, ruling.by, ruling.scene)
    conversation = Conversation(game.ruleset, table, ruling.declared)
    choices = [one for one in ruling.answers if isinstance(one, Choice)]
    while conversation.question is not None:
        question = conversation.question
        if not isinstance(question, Ask):
            conversation.answer(answer_by_chance(question, rng))
            continue
        fitting = [one for one in choices if isinstance(one.value, question.kinds)]
        if not fitting:
            return
        choices.remove(fitting[0])
        conversation.answer(fitting[0])


@every_system
@slowly
@given(seed=SEEDS)
def test_what_is_struck_is_as_if_never_recorded(name: str, seed: int) -> None:
    """fold(log + overturn n) == fold(log without n), for every n and subject; and so does the comparison tell it."""
    game = play(name, seed, 80)
    for ruling in game.history:
        compared = game.without(ruling.number)
        for subject in list(game.past.folded):
            left_out = game.fold(subject, left_out=[ruling.number])
            assert game.fold(subject, struck=[ruling.number]).same_as(left_out)
            assert compared.then.told(subject).same_as(left_out)


@every_system
@slowly
@given(seed=SEEDS)
def test_passing_over_what_read_nothing_changed_misses_nothing(name: str, seed: int) -> None:
    game = play(name, seed, 80)
    for number in Random(seed).sample(range(1, len(game.history) + 1), min(8, len(game.history))):
        then = {number: None}
        quick = compare(game.beginning(), game.history, {}, then)
        thorough = compare(game.beginning(), game.history, {}, then, skip=False)
        assert [(one.number, one.standpoint) for one in quick.rows] == [
            (one.number, one.standpoint) for one in thorough.rows
        ]
        assert quick.list_differing_subjects() == thorough.list_differing_subjects()
        for subject in quick.list_differing_subjects():
            assert quick.now.told(subject).same_as(thorough.now.told(subject))
            assert quick.then.told(subject).same_as(thorough.then.told(subject))


@dataclass(frozen=True)
class Fights:
    there: Mapping[str, tuple[dict[str, int], ...]]


def test_states_that_tell_the_same_in_another_order_are_told_apart() -> None:
    """Closing a scene ends what is open in it in order: told as the same, such a ruling was passed over."""
    one, other = {"squad": 1, "individual": 2}, {"individual": 2, "squad": 1}
    assert Fights({"x": (one,)}) == Fights({"x": (other,)})
    assert not is_in_same_order(Fights({"x": (one,)}), Fights({"x": (other,)}))
    assert is_in_same_order(Fights({"x": (one,)}), Fights({"x": (dict(one),)}))
