"""Healing and moving, with the rulebook's answer in the last column."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.moc.own_tables import SetTableRow
from ledger.rules.moc.recovery import Heal
from ledger.rules.moc.turns import Move
from tests.rules.moc.book import answers, cites, fight, refusing_rule
from tests.rules.moc.game import Game, kinds_of, the

# --- moc.recover.damage ---


@pytest.mark.parametrize(("damage", "period"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 14), (6, 28)])
def test_the_highest_point_heals_first_when_its_period_is_over(damage: int, period: int) -> None:
    game = fight()
    game.sets(game.landon, "damage", damage)
    dice = min(3, 6 - damage)
    if period > 1:
        early = Heal(game.landon, period - 1, faces=(7,) * dice)
        assert answers(game, early) == "healing-period-not-over"
        assert refusing_rule(game, early) == "moc.recover.damage"
    if not dice:
        assert kinds_of(game.does(Heal(game.landon, period, faces=()))) == ["HealingFailed"]
        return
    held = game.tokens(game.landon)
    failed = game.does(Heal(game.landon, period, faces=(6,) * dice))
    assert the(failed, "HealingFailed").period == period and game.character(game.landon).damage == damage
    again = Heal(game.landon, period, faces=(7,) * dice)
    assert answers(game, again) == "healing-period-not-over", "a failed try waits out a new period"
    done = game.does(Heal(game.landon, 2 * period, faces=(7,) * dice))
    assert game.character(game.landon).damage == damage - 1, "one point, however many successes"
    assert the(done, "DamageHealed").successes == dice and cites(done, "moc.recover.damage") == [dice]
    assert game.tokens(game.landon) == held, "lost tokens do not return by healing"


@pytest.mark.parametrize(
    ("fatigue", "luck", "token", "dice"),
    [(0, 2, None, 3), (1, 2, None, 2), (3, 2, None, 0), (0, 2, "spirit", 5), (0, 4, "spirit", 7), (2, 2, "spirit", 3)],
)
def test_spirit_heals_and_luck_with_a_token(fatigue: int, luck: int, token: str | None, dice: int) -> None:
    game = fight()
    for field, value in (("damage", 1), ("fatigue", fatigue), ("ratings/L", luck)):
        game.sets(game.landon, field, value)
    assert answers(game, Heal(game.landon, 1, token, (1,) * (dice + 1))) == "wrong-dice-count"
    assert answers(game, Heal(game.landon, 1, token, (1,) * dice)) == ""
    assert game.tokens(game.landon)[2] == 3 - (token is not None)


@pytest.mark.parametrize(
    ("days", "token", "faces", "bonus", "code"),
    [
        (0, None, (7, 1, 1), (), "time-not-positive"),
        (-1, None, (7, 1, 1), (), "time-not-positive"),
        (1.5, None, (7, 1, 1), (), "time-not-positive"),
        (1, "body", (7, 1, 1), (), "wrong-token-pool"),
        (1, None, (10, 1, 1), (), "bonus-die-missing"),
        (1, None, (9, 1, 1), (2,), "unearned-bonus-die"),
        (1, None, (0, 1, 1), (), "face-out-of-range"),
        (1, None, (), (), "empty-pool"),
        (1, None, (10, 1, 1), (7,), ""),
        (1, None, (1, 1, 1), (), ""),
    ],
)
def test_what_a_try_to_heal_takes(
    days: Any, token: str | None, faces: tuple[int, ...], bonus: tuple[int, ...], code: str
) -> None:
    game = fight()
    game.sets(game.landon, "damage", 1)
    assert answers(game, Heal(game.landon, days, token, faces, bonus)) == code


def test_the_same_days_heal_once() -> None:
    game = fight()
    game.sets(game.landon, "damage", 3)
    heals = [
        Heal(game.landon, days, faces=(7, 7, 7)[: 6 - damage])
        for days, damage in ((4, 3), (4, 2), (5, 2), (6, 2), (6, 1), (7, 1), (99, 1))
    ]
    said = [answers(game, heal) for heal in heals]
    early = "healing-period-not-over"
    assert said == ["", early, early, "", early, "", "no-damage-to-heal"]


def test_days_that_no_try_used_up_count_for_the_next() -> None:
    game = fight()
    game.sets(game.landon, "damage", 2)
    assert answers(game, Heal(game.landon, 3, faces=(7, 7, 7))) == ""
    assert answers(game, Heal(game.landon, 3, faces=(7, 7, 7))) == "", "two days used up, one is left"
    assert game.character(game.landon).damage == 0


def test_new_damage_begins_a_new_period_and_pain_does_not() -> None:
    game = fight()
    game.sets(game.landon, "damage", 2)
    game.does(Heal(game.landon, 2, faces=(7, 7, 7)))
    game.does(ApplyHarm(game.landon, pain=1))
    assert answers(game, Heal(game.landon, 2, faces=(7, 7, 7))) == "healing-period-not-over"
    game.does(ApplyHarm(game.landon, unresistible=1))
    assert answers(game, Heal(game.landon, 2, faces=(7, 7, 7))) == ""


def test_the_table_sets_its_own_periods() -> None:
    game = fight()
    game.does(SetTableRow("healing", "1", {"days": 3}))
    game.sets(game.landon, "damage", 1)
    said = [answers(game, Heal(game.landon, days, faces=(7, 7, 7))) for days in (2, 3, 3)]
    assert said == ["healing-period-not-over", "", "no-damage-to-heal"]


# --- moc.move.rate ---


@pytest.mark.parametrize(
    ("ratings", "mode", "metres"),
    [
        ({"body": 5, "Sp": 3}, "primary", 11),
        ({"body": 5, "Sp": 3}, "secondary", 8),
        ({}, "primary", 3),
        ({}, "secondary", 2),
        ({"body": 3, "Sp": 2}, "primary", 7),
        ({"body": 3, "Sp": 2}, "secondary", 5),
        ({"body": 1, "Sp": 5}, "primary", 11),
        ({"body": 1, "Sp": 5}, "secondary", 6),
        ({}, "fly", "none"),
    ],
)
def test_metres_a_turn(ratings: dict[str, int], mode: str, metres: object) -> None:
    """Ratings count: damage and fatigue do not slow a character down."""
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("hero", ratings), "ann")
    game.scene_begins(id)
    game.sets(id, "damage", 5)
    game.sets(id, "fatigue", 2)
    if metres == "none":
        assert answers(game, Move(id, mode)) == "unknown-movement-mode"
        return
    done = game.does(Move(id, mode))
    assert the(done, "MovementMade").metres == metres and cites(done, "moc.move.rate") == [metres]
