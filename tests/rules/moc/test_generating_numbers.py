"""Generating Numbers, Dice Rolling: faces, bonus dice, Effect Numbers, and which rolls are counted."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.stacks import SubPool
from tests.rules.moc.cited import FINE, refusal, steps
from tests.rules.moc.game import Game, the

FACES, OPEN, NUMBER = "moc.dice.faces", "moc.dice.open-ended", "moc.dice.effect-number"
OUT, UNEARNED, MISSING = f"{FACES} face-out-of-range", f"{OPEN} unearned-bonus-die", f"{OPEN} bonus-die-missing"


def table(*cards: str, **dials: Any) -> Game:
    """Return a scene in which Harry has five dice of Body, one of Mind, and these cards."""
    game = Game(**dials)
    game.session_begins()
    if cards:
        game.does(DrawHand(game.hero, cards, cards))
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def told(game: Game, action: str, **more: Any) -> Any:
    return the(game.does(Resolve(action, **more)), "ActionResolved")


# --- moc.dice.faces ---


@pytest.mark.parametrize(
    ("face", "sides", "outcome"),
    [
        (-1, 10, OUT),
        (0, 10, OUT),
        (1, 10, FINE),
        (2, 10, FINE),
        (9, 10, FINE),
        (11, 10, OUT),
        (100, 10, OUT),
        ("7", 10, OUT),
        (7.0, 10, OUT),
        (True, 10, OUT),
        (None, 10, OUT),
        (7, 6, f"{FACES} unknown-die"),
        (7, 8, f"{FACES} unknown-die"),
        (7, 0, f"{FACES} unknown-die"),
        (7, "10", f"{FACES} unknown-die"),
    ],
)
def test_every_roll_of_an_action_is_of_ten_sides(face: Any, sides: Any, outcome: str) -> None:
    game = table()
    action = game.acts(game.hero, primary="mind")
    assert refusal(game, RollDice(action, 0, (face,), (), sides)) == outcome


@pytest.mark.parametrize(("primary", "dice"), [("body", 2), ("mind", 2), ("spirit", 1)])
def test_the_dice_entered_are_those_of_the_pool(primary: str, dice: int) -> None:
    game = table()
    action = game.acts(game.enigma, primary=primary)
    outcomes = {n: refusal(game, RollDice(action, 0, (3,) * n)) for n in range(4)}
    wrong = f"{FACES} wrong-dice-count"
    assert outcomes == {0: f"{NUMBER} empty-pool", 1: wrong, 2: wrong, 3: wrong, dice: FINE}


# --- moc.dice.open-ended ---


@pytest.mark.parametrize(
    ("base", "bonus", "outcome"),
    [
        ((9, 9, 9, 9, 9), (), FINE),
        ((9, 9, 9, 9, 9), (1,), UNEARNED),
        ((9, 9, 9, 9, 9), (10,), UNEARNED),
        ((10, 9, 9, 9, 9), (), MISSING),
        ((10, 9, 9, 9, 9), (1,), FINE),
        ((10, 9, 9, 9, 9), (1, 1), UNEARNED),
        ((10, 9, 9, 9, 9), (10,), MISSING),
        ((10, 9, 9, 9, 9), (10, 9), FINE),
        ((10, 9, 9, 9, 9), (9, 10), UNEARNED),
        ((10, 9, 9, 9, 9), (10, 10, 10), MISSING),
        ((10, 9, 9, 9, 9), (10, 10, 10, 3), FINE),
        ((10, 10, 9, 9, 9), (3,), MISSING),
        ((10, 10, 9, 9, 9), (3, 4), FINE),
        ((10, 10, 9, 9, 9), (10, 3), MISSING),
        ((10, 10, 9, 9, 9), (3, 10, 4), FINE),
        ((10, 10, 9, 9, 9), (3, 4, 5), UNEARNED),
        ((10,) * 5, (9,) * 4, MISSING),
        ((10,) * 5, (9,) * 5, FINE),
        ((10,) * 5, (9,) * 6, UNEARNED),
        ((10, 9, 9, 9, 9), (0,), OUT),
        ((10, 9, 9, 9, 9), (11,), OUT),
    ],
)
def test_at_each_bonus_die_one_is_owed_and_none_at_the_end(
    base: tuple[int, ...], bonus: tuple[int, ...], outcome: str
) -> None:
    game = table()
    assert refusal(game, RollDice(game.acts(game.hero), 0, base, bonus)) == outcome


@pytest.mark.parametrize(
    ("skill", "dice"),
    [(None, 5), ("Dodge", 5), ("Driving", 4), ("Cryptography", 1), ("Pilot", 1), ("Psychic Focus", 1)],
)
def test_untrained_rolls_open_too(skill: str | None, dice: int) -> None:
    game = table()
    action = game.acts(game.hero, skill=skill)
    assert refusal(game, RollDice(action, 0, (10,) * dice)) == MISSING
    game.rolls(action, *(10,) * dice, bonus=(2,) * dice)


@pytest.mark.parametrize(
    ("base", "bonus", "level"),
    [
        ((1, 2, 3, 4, 5), (), "spectacular_failure"),
        ((10, 2, 3, 4, 5), (1,), "failure"),
        ((10, 1, 3, 4, 5), (1,), "spectacular_failure"),
        ((10, 2, 3, 4, 5), (10, 1), "failure"),
        ((10, 2, 3, 4, 5), (10, 10, 1), "near"),
    ],
)
def test_a_one_on_a_bonus_die_is_a_natural_two(base: tuple[int, ...], bonus: tuple[int, ...], level: str) -> None:
    """Against 12: two 10s are worth 11, three are worth 12. A 1 on a bonus die never makes a failure spectacular."""
    game = table()
    action = game.acts(game.hero, tn=12)
    game.rolls(action, *base, bonus=bonus)
    assert told(game, action).level == level


def test_a_die_raised_to_ten_opens_nothing() -> None:
    """`moc.dice.open-ended`, before and after the roll."""
    game = table("8C", "7C")
    first, second = game.acts(game.hero), game.acts(game.hero)
    game.does(PlayCard(first, game.hero, "8C", (CardPoints(0, 8),)))
    assert refusal(game, RollDice(first, 0, (2, 3, 4, 5, 6), (3,))) == UNEARNED
    game.rolls(first, 2, 3, 4, 5, 6)
    game.rolls(second, 3, 3, 4, 5, 6)
    game.does(PlayCard(second, game.hero, "7C", (CardPoints(0, 7),)))
    assert [told(game, one).rolled for one in (first, second)] == [4, 4]


# --- moc.dice.effect-number ---


@pytest.mark.parametrize(
    ("faces", "bonus", "number"),
    [
        ((1, 1, 1, 1, 1), (), 5),
        ((2, 2, 3, 4, 5), (), 5),
        ((5, 5, 6, 4, 3), (), 6),
        ((5, 5, 5, 4, 3), (), 7),
        ((5, 5, 5, 5, 8), (), 8),
        ((5, 5, 5, 5, 5), (), 9),
        ((7, 7, 8, 8, 1), (), 9),
        ((9, 9, 8, 8, 8), (), 10),
        ((9, 9, 9, 9, 9), (), 13),
        ((10, 1, 2, 3, 4), (2,), 10),
        ((10, 1, 2, 3, 4), (10, 2), 11),
        ((10, 9, 9, 9, 4), (9,), 12),
        ((10,) * 5, (9,) * 5, 14),
        ((10,) * 5, (10,) * 5 + (9,) * 5, 19),
    ],
)
def test_an_effect_number_has_no_upper_bound_and_one_set_counts(
    faces: tuple[int, ...], bonus: tuple[int, ...], number: int
) -> None:
    """One below the target number, equal, and above it. Successes are the difference plus one."""
    game = table()
    for tn, rolled in ((number - 1, 2), (number, 1), (number + 1, 0)):
        action = game.acts(game.hero, tn=tn)
        game.rolls(action, *faces, bonus=bonus)
        done = game.does(Resolve(action))
        assert steps(done, NUMBER) == [number]
        assert the(done, "ActionResolved").rolled == rolled


@pytest.mark.parametrize(
    ("faces", "points", "strict", "loose"),
    [
        ((7, 7, 7, 3, 2), ((0, 0),), 9, 9),
        ((7, 7, 7, 3, 2), ((0, 1),), 8, 8),
        ((7, 7, 7, 3, 2), ((0, 1), (1, 1), (2, 1)), 8, 10),
        ((8, 7, 6, 3, 2), ((1, 1),), 8, 9),
        ((8, 8, 7, 3, 2), ((2, 1),), 9, 10),
        ((9, 9, 2, 2, 2), ((0, 3),), 12, 12),
        ((3, 3, 3, 3, 3), ((0, 4),), 7, 7),
        ((3, 3, 3, 3, 3), ((0, 2), (1, 2)), 5, 6),
        ((6, 5, 4, 3, 2), ((0, 0), (1, 0), (2, 2)), 6, 7),
    ],
)
def test_a_changed_die_gives_its_number_but_is_no_duplicate(
    faces: tuple[int, ...], points: tuple[tuple[int, int], ...], strict: int, loose: int
) -> None:
    """`en_natural_only`. A change by 0 leaves a die natural. A changed die loses its old number."""
    for natural_only, number in ((True, strict), (False, loose)):
        game = table("8C", "2D", en_natural_only=natural_only)
        action = game.acts(game.hero)
        game.rolls(action, *faces)
        laid = tuple(CardPoints(die, add) for die, add in points)
        game.does(PlayCard(action, game.hero, "8C", laid))
        assert steps(game.does(Resolve(action)), NUMBER) == [number]


# --- moc.dice.successes ---


@pytest.mark.parametrize(
    ("kind", "opposed", "mixed", "en", "count"),
    [
        ("skill", False, 4, 4, 3),
        ("extended", False, 4, 4, 3),
        ("movement", False, 4, 4, 3),
        ("opposed", False, 3, 4, 3),
        ("dodge", False, 3, 4, 3),
        ("to_hit", False, 3, 4, 3),
        ("skill", True, 3, 4, 3),
        ("extended", True, 3, 4, 3),
        ("movement", True, 3, 4, 3),
        ("initiative", False, 3, 3, 3),
        ("damage", False, 3, 3, 3),
        ("resisting", False, 3, 3, 3),
        ("healing", False, 3, 3, 3),
    ],
)
def test_what_a_roll_of_each_kind_comes_to(kind: str, opposed: bool, mixed: int, en: int, count: int) -> None:
    """8, 8, 8 against 7: an Effect Number of 10 is four successes; three dice are counted."""
    for resolution, rolled in (("mixed", mixed), ("en", en), ("count", count)):
        game = table(resolution=resolution)
        action = game.acts(game.hero, roll_kind=kind, opposed=opposed)
        game.rolls(action, 8, 8, 8, 1, 2)
        assert told(game, action).rolled == rolled, resolution


@pytest.mark.parametrize(
    ("resolution", "split_rolls", "task", "attack", "dodge"),
    [
        ("mixed", "own_kind", 3, 2, 2),
        ("mixed", "count", 2, 2, 2),
        ("en", "own_kind", 3, 3, 3),
        ("en", "count", 3, 3, 3),
        ("count", "own_kind", 2, 2, 2),
        ("count", "count", 2, 2, 2),
    ],
)
def test_a_sub_pool_is_judged_by_the_kind_of_its_own_action(
    resolution: str, split_rolls: str, task: int, attack: int, dodge: int
) -> None:
    """8, 8 against 7: an Effect Number of 9 is three successes."""
    game = table(resolution=resolution, split_rolls=split_rolls)
    parts = (SubPool(2), SubPool(2, roll_kind="to_hit"), SubPool(2, roll_kind="dodge"))
    action = game.acts(game.hero, parts=parts, extra_dice=3, reason="well told")
    for part, rolled in enumerate((task, attack, dodge)):
        game.rolls(action, 8, 8, part=part)
        assert told(game, action).rolled == rolled


@pytest.mark.parametrize("tn", [2, 6, 7, 8, 9, 10, 11, 12])
def test_dice_are_counted_at_their_number_and_above(tn: int) -> None:
    """`moc.dice.successes`, counted: one for each die. Only an EM takes a die above 10."""
    game = table("9C", "2D", resolution="count")
    action = game.acts(game.hero, tn=tn)
    game.rolls(action, 2, 6, 7, 8, 9)
    assert told(game, action).rolled == sum(face >= tn for face in (2, 6, 7, 8, 9))
    raised = game.acts(game.hero, tn=tn)
    game.rolls(raised, 2, 6, 7, 8, 9)
    game.does(PlayCard(raised, game.hero, "9C", (CardPoints(4, 3),)))
    assert told(game, raised).rolled == sum(face >= tn for face in (2, 6, 7, 8, 12))
