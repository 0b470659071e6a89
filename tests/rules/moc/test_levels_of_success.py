"""Levels of success, Dice Rolling: results of actions, step by step of `moc.level.resolve`, and which levels pass."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.deciding import ShiftFailure
from ledger.rules.moc.dice import compute_number_needed
from ledger.rules.moc.resolving import Resolve
from tests.rules.moc.cited import refusal, steps
from tests.rules.moc.game import the
from tests.rules.moc.levels import NUMBERS, RESOLVE, ROLLS, adds, rolled, table, takes, told

# --- steps 1 to 3 ---


@pytest.mark.parametrize(
    ("roll", "added", "taken", "total", "level"),
    [
        ("spectacular_failure", 0, 0, 0, "spectacular_failure"),
        ("spectacular_failure", 1, 0, 1, "near"),
        ("spectacular_failure", 2, 0, 2, "marginal"),
        ("spectacular_failure", 1, 1, 0, "spectacular_failure"),
        ("spectacular_failure", 0, 1, 0, "spectacular_failure"),
        ("failure", 0, 0, 0, "failure"),
        ("failure", 0, 1, 0, "failure"),
        ("failure", 1, 0, 1, "near"),
        ("failure", 3, 0, 3, "success"),
        ("failure", 4, 0, 4, "outstanding"),
        ("failure", 5, 0, 5, "outstanding"),
        ("failure", 3, 2, 1, "near"),
        ("near", 0, 0, 1, "near"),
        ("near", 0, 1, 0, "failure"),
        ("near", 0, 2, 0, "failure"),
        ("near", 1, 1, 1, "near"),
        ("near", 1, 3, 0, "failure"),
        ("marginal", 0, 1, 1, "near"),
        ("success", 0, 0, 3, "success"),
        ("success", 1, 0, 4, "outstanding"),
        ("success", 0, 3, 0, "failure"),
        ("outstanding", 0, 0, 4, "outstanding"),
        ("outstanding", 2, 0, 6, "outstanding"),
        ("outstanding", 0, 1, 3, "success"),
    ],
)
def test_beads_after_the_roll(roll: str, added: int, taken: int, total: int, level: str) -> None:
    """One bead lifts any failure to Near. Successes never go below 0. Numbers above four are kept."""
    game = table()
    action = rolled(game, roll)
    adds(game, action, added)
    takes(game, action, taken)
    done = game.does(Resolve(action))
    said = the(done, "ActionResolved")
    assert (said.added, said.subtracted, said.net, said.level, said.number) == (
        added,
        taken,
        total,
        level,
        NUMBERS[level],
    )
    assert steps(done, RESOLVE) == [level]


@pytest.mark.parametrize(
    ("faces", "level"),
    [
        ((1, 2, 2, 2, 2), "spectacular_failure"),
        ((1, 1, 1, 1, 1), "spectacular_failure"),
        ((1, 6, 6, 2, 3), "near"),
        ((1, 6, 2, 3, 4), "spectacular_failure"),
        ((2, 2, 2, 2, 2), "failure"),
        ((1, 1, 1, 1, 7), "near"),
    ],
)
def test_a_one_counts_where_the_dice_scored_nothing(faces: tuple[int, ...], level: str) -> None:
    game = table()
    action = game.acts(game.hero)
    game.rolls(action, *faces)
    assert told(game, action).level == level


@pytest.mark.parametrize(
    ("faces", "points", "level"),
    [
        ((1, 2, 3, 4, 5), ((0, 0),), "spectacular_failure"),
        ((1, 2, 3, 4, 5), ((0, 1),), "failure"),
        ((1, 2, 3, 4, 5), ((1, 1),), "spectacular_failure"),
        ((1, 1, 3, 4, 5), ((0, 1),), "spectacular_failure"),
        ((1, 1, 3, 4, 5), ((0, 1), (1, 1)), "failure"),
        ((1, 2, 3, 4, 5), ((0, 6),), "near"),
        ((1, 2, 3, 4, 5), ((4, 2),), "near"),
        ((1, 2, 3, 4, 5), ((0, 8),), "success"),
    ],
)
def test_ones_and_successes_are_read_with_all_changes_in_place(
    faces: tuple[int, ...], points: tuple[tuple[int, int], ...], level: str
) -> None:
    game = table()
    action = game.acts(game.hero)
    game.rolls(action, *faces)
    game.does(PlayCard(action, game.hero, "8C", tuple(CardPoints(die, add) for die, add in points)))
    assert told(game, action).level == level


@pytest.mark.parametrize(
    ("spent", "level"),
    [
        ({"element": "action"}, "spectacular_failure"),
        ({"element": "storytelling"}, "spectacular_failure"),
        ({"element": "plot"}, "spectacular_failure"),
        ({"element": "drama"}, "spectacular_failure"),
        ({"card": "QC"}, "spectacular_failure"),
        ({"chip": "white"}, "spectacular_failure"),
        ({"chip": "red"}, "spectacular_failure"),
        ({"chip": "blue"}, "spectacular_failure"),
        ({}, "failure"),
    ],
)
def test_an_opponent_shifts_a_failure_with_any_em(spent: dict[str, Any], level: str) -> None:
    """One bead of any Element, a card or a chip is spent."""
    game = table()
    for what in ("bead:action", "bead:storytelling", "bead:plot", "chip:white", "chip:red", "chip:blue"):
        game.gives(game.villain, what, 1)
    before = game.balances()
    action = rolled(game, "failure")
    if spent:
        game.does(ShiftFailure(action, game.villain, **spent))
        gone = [name for name, n in before.items() if game.balances().get(name, 0) == n - 1]
        assert len(gone) == 1
    assert told(game, action).level == level


@pytest.mark.parametrize(
    ("roll", "added", "taken", "level"),
    [
        ("failure", 0, 0, "spectacular_failure"),
        ("failure", 1, 0, "near"),
        ("failure", 1, 1, "spectacular_failure"),
        ("near", 0, 0, "near"),
        ("near", 0, 1, "failure"),
        ("outstanding", 0, 4, "failure"),
        ("spectacular_failure", 0, 0, "spectacular_failure"),
    ],
)
def test_what_the_dice_scored_is_never_shifted(roll: str, added: int, taken: int, level: str) -> None:
    game = table()
    action = rolled(game, roll)
    game.does(ShiftFailure(action, game.villain, "drama"))
    adds(game, action, added)
    takes(game, action, taken)
    assert told(game, action).level == level


# --- step 7, moc.level.required ---


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize("required", ROLLS)
def test_it_passes_at_the_level_that_was_required(roll: str, required: str) -> None:
    game = table()
    done = game.does(Resolve(rolled(game, roll, required=required)))
    assert the(done, "ActionResolved").passes is (NUMBERS[roll] >= NUMBERS[required])
    assert steps(done, "moc.level.required") == [NUMBERS[roll] >= NUMBERS[required]]


@pytest.mark.parametrize(
    ("tn", "near", "marginal", "success", "outstanding"),
    [(2, 2, 3, 4, 5), (6, 6, 7, 8, 9), (7, 7, 8, 9, 10), (9, 9, 10, 11, 12), (11, 11, 12, 13, 14)],
)
def test_the_number_each_level_takes(tn: int, near: int, marginal: int, success: int, outstanding: int) -> None:
    found = {level: compute_number_needed(tn, level) for level in (1, 2, 3, 4)}
    assert found == {1: near, 2: marginal, 3: success, 4: outstanding}
    game = table()
    for level, needed in (("near", near), ("marginal", marginal), ("success", success), ("outstanding", outstanding)):
        action = game.acts(game.hero, required=level, needed=needed)
        assert game.scene(game.place).actions[action].parts[0].roll.tn == tn
        game.rolls(action, 2, 2, 2, 2, 2)
        cited = [one for one in game.does(Resolve(action)).because if one.rule == "moc.level.required"]
        assert [one.given["number"] for one in cited] == [needed]


@pytest.mark.parametrize("level", ["failure", "spectacular_failure", 0, -1])
def test_no_number_belongs_to_a_failure(level: Any) -> None:
    game = table()
    do = DeclareAction(game.hero, required=level, needed=7)
    assert refusal(game, do) == "moc.level.required no-number-for-level"
