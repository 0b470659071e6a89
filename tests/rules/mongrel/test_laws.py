"""What this game alone promises, tried on random campaigns. The laws of all systems are in tests/laws/test_play.py."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.rules.kernel.commands import Amend
from ledger.rules.kernel.fold import KERNEL_FACTS
from ledger.rules.kernel.purses import owner_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene, seat
from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.state import Campaign, Character, Scene, Seat
from tests.levels import examples
from tests.rules.mongrel.chance import Chance, play_at_random, try_out
from tests.rules.mongrel.game import Game

SEEDS = st.integers(0, 2**32)
quickly = settings(max_examples=examples(10, 30, 150), deadline=None, suppress_health_check=list(HealthCheck))
slowly = settings(max_examples=examples(3, 8, 40), deadline=None, suppress_health_check=list(HealthCheck))


def books_balance(game: Game) -> None:
    """Every unit adds up over all accounts, and nothing is overdrawn."""
    banks: dict[str, int] = {}
    for verdict in game.verdicts:
        for about in verdict.facts:
            for posting in about.postings:
                assert posting.amount > 0
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


def sound(game: Game) -> None:
    """What is true of every character in play whose state nobody set by hand."""
    for id in game.everybody():
        who = game.character(id)
        assert not (who.dead and who.dying)
        assert not who.dying or (who.terminal and who.collapsed)
        assert 0 <= game.beauty(id) <= who.attributes["beauty"]
        assert who.damage >= 0 and who.physique_loss >= 0
        assert not (who.collapsed and who.recovering)


@quickly
@given(SEEDS)
def test_the_books_balance(seed):
    game = play_at_random(seed, 0)
    chance = Chance(game, Random(seed))
    for _ in range(80):
        if try_out(game, chance.word(), chance) is not None:
            sound(game)
    books_balance(game)
    assert not [
        subject for subject, folded in game.past.folded.items() if folded.adrift or folded.find_overdrawn_accounts()
    ]


@slowly
@given(SEEDS)
def test_after_a_strike_play_goes_on_or_is_refused(seed):
    game = play_at_random(seed, 80)
    rng = Random(seed)
    struck = rng.sample(range(5, len(game.history) + 1), 3)
    game.past = game.without(*struck).then
    chance = Chance(game, rng)
    for _ in range(60):
        with suppress(Refused):  # `overdrawn`, by the kernel, when the verdict is recorded
            try_out(game, chance.word(), chance)
    for subject in game.past.folded:
        game.view(subject)


SET_BY_HAND = [
    ("attributes", {}),
    ("attributes/physique", 0),
    ("attributes/size", 0),
    ("attributes/beauty", 0),
    ("identity", {}),
    ("expertise", {}),
    ("power/wings", 3),
    ("damage", 9),
    ("damage", -2),
    ("physique_loss", 9),
    ("collapsed", True),
    ("collapsed", False),
    ("terminal", True),
    ("dying", True),
    ("dead", True),
    ("dead", False),
    ("ap_imposed", True),
    ("recovering", True),
    ("refreshes", [5, 3, 900]),
    ("exhausted", True),
    ("used", [{"session": 1, "features": ["rend"]}]),
    ("vows", []),
    ("vows", [{"object": "revenge", "about": "goal", "ended": "fulfilled", "session": None}]),
    ("possessions", {}),
    ("possessions", {"7": {"item": "mail", "credit": 0, "house": None, "weapon": None, "armour": 2}}),
    ("played", [9, 1]),
    ("awards", [["1", 2]]),
    ("house", None),
    ("conflict", None),
    ("conflict", {"participants": ["1", "2"], "queue": []}),
    ("conflict/queue", ["3", "1"]),
    ("conflict/participants", []),
    ("closed", 0),
    ("last_session", None),
]


@quickly
@given(SEEDS)
def test_whatever_the_table_sets_by_hand_play_goes_on_or_is_refused(seed):
    game = play_at_random(seed, 30)
    rng = Random(seed)
    chance = Chance(game, rng)
    for _ in range(60):
        with suppress(Refused):
            if rng.random() < 0.3:
                subject = rng.choice(["campaign", f"scene:{game.scene_id}", f"character:{game.ahvia}"])
                field, value = rng.choice(SET_BY_HAND)
                try_out(game, Amend(subject, field, value, "the table rules so"), chance)
            else:
                try_out(game, chance.word(), chance)


def every_fact(game: Game) -> list[Any]:
    return [one.fact for _, one in game.told() if type(one.fact) not in KERNEL_FACTS]


@slowly
@given(SEEDS)
def test_any_fact_folds_into_any_state(seed):
    """Total: a state of the same kind comes out, and a fact without ground is the last of its `adrift`."""
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
