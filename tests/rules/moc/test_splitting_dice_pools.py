"""Splitting Dice Pools: the penalty, the shares, who gets a skill's dice, and that all parts are one pool."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.actions import Token
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.pools import GrantDice, SpendToken
from ledger.rules.moc.stacks import SubPool
from tests.rules.moc.cited import FINE, refusal, steps
from tests.rules.moc.game import buys, the
from tests.rules.moc.splits import acts, dice, split, table

DIVIDE, PREEMPT = "moc.split.divide", "moc.split.pre-empt"
LARGE, NONE, NEGATIVE = f"{DIVIDE} split-too-large", f"{DIVIDE} sub-pool-without-dice", f"{DIVIDE} negative-dice"


# --- moc.split.divide: the penalty ---


@pytest.mark.parametrize(
    ("actions", "dodges", "extra", "exclude_defence", "all_subpools"),
    [
        (1, 0, 0, 0, 0),
        (0, 1, 0, 0, 0),
        (2, 0, 0, 1, 1),
        (1, 1, 0, 1, 1),
        (0, 2, 0, 1, 1),
        (3, 0, 0, 2, 2),
        (2, 1, 0, 1, 2),
        (1, 2, 0, 1, 2),
        (2, 2, 0, 1, 3),
        (3, 1, 0, 2, 3),
        (4, 0, 0, 3, 3),
        (2, 0, 1, 2, 2),
        (2, 1, 2, 3, 4),
        (3, 1, 3, 5, 6),
    ],
)
def test_each_action_after_the_first_costs_a_die(
    actions: int, dodges: int, extra: int, exclude_defence: int, all_subpools: int
) -> None:
    """max(1, N - 1), plus the game master's penalty. N excludes defences, unless the option counts them."""
    for dial, penalty in (("exclude_defence", exclude_defence), ("all_subpools", all_subpools)):
        game = table(split_penalty=dial)
        parts = acts(actions, dodges)
        more: Any = {"extra_dice": 10, "reason": "well told", "penalty": extra}
        done = game.does(split(game, *parts, **more))
        said = the(done, "PoolSplit")
        assert (said.pool, said.penalty, said.parts) == (15, penalty, (1,) * len(parts)), dial
        assert steps(done, DIVIDE) == [15 - penalty]


@pytest.mark.parametrize(
    ("penalty", "outcome"),
    [(0, FINE), (1, FINE), (2, FINE), (3, LARGE), (-1, NEGATIVE), (0.5, NEGATIVE), ("1", NEGATIVE)],
)
def test_the_game_master_takes_more(penalty: Any, outcome: str) -> None:
    """Body 5: two sub-pools of one die leave two dice to take."""
    game = table()
    assert refusal(game, split(game, SubPool(1), SubPool(1), penalty=penalty)) == outcome


# --- the shares ---


@pytest.mark.parametrize(
    ("shares", "outcome"),
    [
        ((5,), FINE),
        ((6,), LARGE),
        ((0,), NONE),
        ((2, 2), FINE),
        ((1, 3), FINE),
        ((1, 1), FINE),
        ((2, 3), LARGE),
        ((4, 1), LARGE),
        ((4, 0), NONE),
        ((0, 4), NONE),
        ((5, -1), NEGATIVE),
        ((1.0, 1), NEGATIVE),
        ((1, 1, 1), FINE),
        ((1, 1, 2), LARGE),
        ((1, 1, 1, 1), LARGE),
    ],
)
def test_what_a_pool_of_five_can_be_divided_into(shares: tuple[Any, ...], outcome: str) -> None:
    """Each part has a die, and their sum is at most what is available. Other dice are lost."""
    game = table()
    assert refusal(game, split(game, *(SubPool(share) for share in shares))) == outcome


def test_dice_left_over_are_lost() -> None:
    game = table()
    action = game.acts(game.hero, parts=(SubPool(1), SubPool(1)))
    assert [dice(game, action, part) for part in (0, 1)] == [1, 1]


@pytest.mark.parametrize(
    ("more", "most"),
    [
        ({}, 4),
        ({"tokens": (Token("Sp"),), "names": ("Sp",)}, 7),
        ({"tokens": (Token("Sp"), Token("S")), "names": ("Sp", "S")}, 9),
        ({"extra_dice": 2, "reason": "well told"}, 6),
        ({"base_time": 1, "time": 7}, 6),
        ({"primary": "mind", "extra_dice": 3}, 3),
    ],
)
def test_tokens_time_and_dice_of_the_game_master_join_the_whole_pool(more: dict[str, Any], most: int) -> None:
    game = table()
    assert refusal(game, split(game, SubPool(1), SubPool(most - 1), **more)) == FINE
    assert refusal(game, split(game, SubPool(1), SubPool(most), **more)) == LARGE


def test_a_token_later_goes_to_the_sub_pool_that_is_named() -> None:
    """Once an action, not again for another sub-pool."""
    game = table()
    action = game.acts(game.hero, parts=(SubPool(1), SubPool(1, skill="Dodge")))
    game.does(SpendToken(action, "Sp", part=1))
    assert [dice(game, action, part) for part in (0, 1)] == [1, 4]
    assert refusal(game, SpendToken(action, "Sp", part=0)) == "moc.skill.tokens already-activated"
    game.does(GrantDice(action, 2, "well told", part=0))
    assert [dice(game, action, part) for part in (0, 1)] == [3, 4]


@pytest.mark.parametrize(
    ("parts", "counts", "numbers"),
    [
        ((SubPool(2), SubPool(2)), (2, 2), (7, 7)),
        ((SubPool(2, skill="Strength Feat"), SubPool(2)), (5, 2), (7, 7)),
        ((SubPool(2), SubPool(1, skill="Strength Feat")), (2, 4), (7, 7)),
        ((SubPool(1, skill="Strength Feat"), SubPool(1, skill="Strength Feat")), (4, 4), (7, 7)),
        ((SubPool(2, skill="Driving"), SubPool(2)), (1, 2), (8, 7)),
        ((SubPool(1, skill="Driving"), SubPool(2)), (1, 2), (8, 7)),
        ((SubPool(2, skill="Dodge"), SubPool(2, skill="Pilot")), (2, 1), (7, 9)),
        ((SubPool(3, skill="Dodge"), SubPool(1, skill="Driving", tn=9)), (3, 1), (7, 10)),
    ],
)
def test_skill_dice_and_difficulty_are_their_own_sub_pools(
    parts: tuple[SubPool, ...], counts: tuple[int, ...], numbers: tuple[int, ...]
) -> None:
    """They are not divided. The untrained lose dice of that sub-pool, but keep one, and need a higher number."""
    game = table()
    done = game.does(split(game, *parts))
    action = the(done, "ActionDeclared").action
    assert the(done, "PoolSplit").pool == 5
    assert tuple(dice(game, action, part) for part in range(len(parts))) == counts
    rolls = [part.roll.tn for part in game.scene(game.place).actions[action].parts]
    assert tuple(rolls) == numbers


@pytest.mark.parametrize(("dial", "most", "rolled"), [("own_action", 3, 6), ("shared", 6, 6)])
def test_whether_skill_dice_are_shared(dial: str, most: int, rolled: int) -> None:
    """`split_skill_dice`: if shared, the skill's three dice join the pool; otherwise the sub-pool gets them."""
    game = table(split_skill_dice=dial)
    lift = SubPool(most, skill="Strength Feat")
    assert refusal(game, split(game, SubPool(most + 1, skill="Strength Feat"), SubPool(1))) == LARGE
    assert dice(game, game.new(split(game, lift, SubPool(1)))) == rolled


def test_the_level_of_martial_arts_is_for_the_attack_alone() -> None:
    """`moc.char.cost`, Martial Arts: the level is the skill level of an attack, but not of a dodge beside it."""
    game = table()
    boxer = game.enrol("Landon", Sheet("hero", {"body": 4}, purchases=(buys("martial-arts", "boxing", 2),)), "ann")
    parts = (SubPool(1, roll_kind="to_hit"), SubPool(1, roll_kind="dodge"), SubPool(1, skill="Dodge"))
    action = game.acts(boxer, parts=parts, martial_arts="boxing")
    assert [dice(game, action, part) for part in range(3)] == [3, 1, 1]


# --- moc.split.one-pool ---


@pytest.mark.parametrize(
    ("elements", "touched", "most"),
    [
        (("action", "action"), (0, 1), 8),
        (("action", "plot"), (0, 1), 4),
        (("action", "drama"), (0, 1), 4),
        (("plot", "drama"), (0, 1), 4),
        (("action", "drama"), (0,), 8),
        (("action", "drama"), (1,), 4),
    ],
)
def test_a_card_lies_across_sub_pools_with_the_lowest_class_it_touches(
    elements: tuple[str, ...], touched: tuple[int, ...], most: int
) -> None:
    """The 8 of clubs: eight points if all parts are Action, otherwise half."""
    game = table()
    action = game.acts(game.hero, parts=tuple(SubPool(2, element=one) for one in elements))
    share = most // len(touched)
    fits = tuple(CardPoints(0, share, part) for part in touched)
    over = (*fits[:-1], CardPoints(0, share + 1, touched[-1]))
    assert refusal(game, PlayCard(action, game.hero, "8C", over)) == "moc.card.dice card-overspent"
    assert refusal(game, PlayCard(action, game.hero, "8C", fits)) == FINE
