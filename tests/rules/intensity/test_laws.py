"""What this game alone promises, tried on random campaigns. The laws of all systems are in tests/laws/test_play.py."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.state import Campaign, Character, Scene, Seat
from ledger.rules.kernel.commands import Amend
from ledger.rules.kernel.fold import KERNEL_FACTS
from ledger.rules.kernel.purses import owner_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene, seat
from tests.levels import examples
from tests.rules.intensity.chance import Chance, play_at_random, try_out
from tests.rules.intensity.game import Game

SEEDS = st.integers(0, 2**32)
quickly = settings(max_examples=examples(10, 50, 200), deadline=None, suppress_health_check=list(HealthCheck))
slowly = settings(max_examples=examples(5, 15, 60), deadline=None, suppress_health_check=list(HealthCheck))


def books_balance(game: Game) -> None:
    """Every unit adds up over all accounts, and what is counted is what the states show."""
    banks: dict[str, int] = {}
    for verdict in game.verdicts:
        for about in verdict.facts:
            for posting in about.postings:
                for account, change in ((posting.source, -posting.amount), (posting.target, posting.amount)):
                    if owner_of(account) is None:
                        banks[posting.unit] = banks.get(posting.unit, 0) + change
    held: dict[str, int] = {}
    for account, balance in game.balances().items():
        assert balance > 0, account
        unit = account.partition("/")[2].partition(":")[0]
        held[unit] = held.get(unit, 0) + balance
    for unit in {*banks, *held}:
        assert banks.get(unit, 0) + held.get(unit, 0) == 0, unit
    shown_is_counted(game)


def shown_is_counted(game: Game) -> None:
    for id in game.everybody():
        assert game.balance(f"character:{id}/impact") == len(game.character(id).impacts)
    for place in game.table().subjects("scene"):
        state = game.state(place)
        for id in game.everybody():
            dice = state.round.participants[id].dice if state.round and id in state.round.participants else {}
            up = [die for die in dice.values() if die.picked_up]
            assert game.balance(f"{place}/die:defence-{id}") == len(up)
            assert game.balance(f"{place}/die:standing-{id}") == len(dice) - len(up)
            held = [one for one in state.fatals.values() if one.holder == id]
            assert game.balance(f"{place}/fatal:{id}") == len(held)


@quickly
@given(SEEDS)
def test_the_books_balance(seed):
    game = play_at_random(seed, 0)
    rng = Random(seed)
    chance = Chance(game, rng)
    for _ in range(80):
        if try_out(game, chance.word(), rng) is not None:
            shown_is_counted(game)
    books_balance(game)
    assert not [
        subject for subject, folded in game.past.folded.items() if folded.adrift or folded.find_overdrawn_accounts()
    ]


@slowly
@given(SEEDS)
def test_after_a_strike_play_goes_on_or_is_refused(seed):
    """Whatever was struck, later declarations meet nothing but rulings and refusals, refusals before the first die."""
    game = play_at_random(seed, 80)
    rng = Random(seed)
    struck = rng.sample(range(1, len(game.history) + 1), 3)
    game.past = game.without(*struck).then
    chance = Chance(game, rng)
    for _ in range(60):
        with suppress(Refused):  # `overdrawn`, by the kernel, when the verdict is recorded
            try_out(game, chance.word(), rng)
    for subject, folded in game.past.folded.items():
        assert len(folded.adrift) >= len(folded.state.adrift), subject
        game.view(subject)


SET_BY_HAND = [
    ("out", "scene"),
    ("out", None),
    ("impacts", {}),
    ("impacts/7", {"kind": "tax", "trait": "A", "by": "1", "cause": "the table"}),
    ("impacts/8", {"kind": "wound", "trait": None, "by": "1", "cause": "the table"}),
    ("healed_on", 3),
    ("traits", []),
    ("traits/0/base", 6),
    ("round", None),
    ("round/attack", None),
    ("round/groups", None),
    ("round/groups", []),
    ("round/rankings", [["1", "2"]]),
    ("round/participants", {}),
    ("round/participants/1/turn", "pending"),
    ("round/participants/2/dice", {}),
    ("round/participants/1/dice", {"trait": {"size": 8, "face": 8}}),
    ("round/participants/3", {"level": "calm", "turn": "pending", "target": "1"}),
    ("round/participants/2/level", None),
    ("round/participants/2/trait", None),
    ("round/attack/success", True),
    ("round/attack/defender", "1"),
    ("fatals", {}),
    ("fatals/77", {"holder": "1", "subject": "2", "trait_used": None, "attack": "0"}),
    ("links", [["1", "2"], ["1", "3"]]),
    ("last_scene", None),
]


@quickly
@given(SEEDS)
def test_whatever_the_table_sets_by_hand_play_goes_on_or_is_refused(seed):
    game = play_at_random(seed, 40)
    rng = Random(seed)
    chance = Chance(game, rng)
    for _ in range(60):
        if rng.random() < 0.3:
            subject = rng.choice(["campaign", f"scene:{game.scene_id}", f"character:{game.ann}"])
            field, value = rng.choice(SET_BY_HAND)
            try_out(game, Amend(subject, field, value, "the table rules so"), rng)
        else:
            try_out(game, chance.word(), rng)


def every_fact(game: Game) -> list[Any]:
    return [one.fact for _, one in game.told() if type(one.fact) not in KERNEL_FACTS]


@slowly
@given(SEEDS)
def test_any_fact_folds_into_any_state(seed):
    """Total: a state of the same kind comes out, and a fact that changes nothing in it is the last of its `adrift`."""
    game = play_at_random(seed, 60)
    states = [*(folded.state for folded in game.past.folded.values()), Character(), Scene(), Campaign(), Seat()]
    for state in states:
        for fact in every_fact(game):
            after = RULESET.apply(state, fact)
            assert type(after) is type(state)
            assert after.adrift in (state.adrift, (*state.adrift, fact))


@pytest.mark.parametrize("subject", [CAMPAIGN, character("1"), scene("1"), seat("gm")])
def test_a_blank_state_has_no_history(subject):
    assert RULESET.blank(subject.kind).adrift == ()


def test_no_subject_hears_of_a_round_that_is_not_there():
    """Strike the opening of a round: everything said in it goes adrift, nothing raises."""
    game = Game()
    opening = len(game.history) + 1
    game.duel("wound")
    state = game.had(scene(game.scene_id), opening)
    assert state.round is None
    assert len(state.adrift) == 10
    assert game.had(character(game.bea), opening).impacts  # the wound stands until it is ruled on
