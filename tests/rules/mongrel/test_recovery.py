"""Recovering and fatigue: every dial, every bound."""

from __future__ import annotations

import pytest

from ledger.rules.mongrel.conflict import OpenConflict
from ledger.rules.mongrel.death import ActionPointsRecovered
from ledger.rules.mongrel.deeds import Act
from ledger.rules.mongrel.recovery import Recover, Rest
from ledger.rules.mongrel.turns import Pass
from tests.rules.mongrel.game import AHVIA, Game, but, kinds_of, the

RECOVERIES = [
    # dials, AP before -> AP after or the refusal; Ahvia: Speed 6, Physique 3
    ({}, 0, 1),
    ({}, 1, 6),
    ({}, 5, 6),
    ({}, 6, "ap-full"),
    ({}, 8, "ap-full"),
    ({"starting_ap_bonus": 2}, 6, 8),
    ({"ap_refresh": "over_max"}, 0, 1),
    ({"ap_refresh": "over_max"}, 1, 4),
    ({"ap_refresh": "over_max"}, 5, 8),
    ({"ap_refresh": "over_max"}, 6, "ap-full"),
    ({"ap_refresh": "over_max"}, 7, 10),
    ({"ap_refresh": "over_max", "ap_refresh_flat": 5}, 7, 12),
    ({"ap_refresh": "over_max", "ap_refresh_amount": "half_speed"}, 5, 8),
    ({"ap_refresh": "over_max", "ap_refresh_amount": "physique"}, 5, 8),
]


def at(game, id, ap):
    if ap != game.ap(id):
        game.gives(id, "ap", ap - game.ap(id))


@pytest.mark.parametrize(("dials", "before", "after"), RECOVERIES)
def test_recovering(dials, before, after):
    game = Game(**dials)
    at(game, game.ahvia, before)
    if isinstance(after, str):
        assert game.refuses(Recover(game.ahvia, 0)) == after
    else:
        done = the(game.does(Recover(game.ahvia, 0)), ActionPointsRecovered)
        assert (game.ap(game.ahvia), done.amount, done.refresh) == (after, after - before, before > 0)
        assert game.character(game.ahvia).recovering


def test_half_speed_is_rounded_up():
    game = Game(ap_refresh="over_max", ap_refresh_amount="half_speed")
    at(game, game.vooruk, 1)
    game.does(Recover(game.vooruk, 0))
    assert game.ap(game.vooruk) == 3


def test_an_imposed_maximum_caps_over_max_too():
    game = Game(ap_refresh="over_max")
    game.chill(game.ahvia, 6)
    game.does(Recover(game.ahvia, 0))
    assert game.ap(game.ahvia) == 1
    assert game.refuses(Recover(game.ahvia, 0)) == "ap-full"


@pytest.mark.parametrize("minute", [-1, "3", None, 1.5])
def test_minutes_are_numbers(minute):
    game = Game()
    assert game.refuses(Recover(game.ahvia, minute)) == "bad-number"


def test_recovering_in_a_conflict_is_a_turn():
    game = Game()
    game.conflict()
    game.hit(game.vooruk, 13)
    assert game.refuses(Recover(game.ahvia, 0)) == "not-your-turn"
    verdict = game.does(Recover(game.vooruk, 3))
    assert kinds_of(verdict) == ["ClockMoved", "ActionPointsRecovered", "CharacterStoodUp", "TurnEnded"]
    game.does(Pass(game.giazza))
    game.does(Pass(game.ahvia))
    assert game.character(game.vooruk).recovering
    assert kinds_of(game.does(Pass(game.vooruk)))[0] == "RecoveryEnded"
    assert not game.character(game.vooruk).recovering


def test_recovering_ends_by_acting_collapsing_and_a_new_conflict():
    game = Game()
    for id in (game.vooruk, game.ahvia):
        at(game, id, 1)
        game.does(Recover(id, 0))
    assert "RecoveryEnded" in kinds_of(game.does(OpenConflict((game.vooruk, game.giazza))))
    assert not game.character(game.vooruk).recovering and game.character(game.ahvia).recovering
    game.hit(game.ahvia, 6)
    assert not game.character(game.ahvia).recovering
    game.sets(game.vooruk, "recovering", True)
    game.does(Act(game.vooruk, "rend", "size", faces=(1, 1, 1, 1)))
    assert not game.character(game.vooruk).recovering


def refresh(game, id, minute, ap=1):
    at(game, id, ap)
    return kinds_of(game.does(Recover(id, minute)))


@pytest.mark.parametrize(
    ("dials", "minutes", "from_zero", "exhausted"),
    [
        ({}, (0, 10, 20), False, True),
        ({}, (0, 10), False, False),
        ({}, (0, 10, 60), False, False),
        ({}, (1, 10, 60), False, True),
        ({}, (0, 0, 0), False, True),
        ({}, (0, 10, 20), True, False),
        ({"fatigue_counts": "all_recoveries"}, (0, 10, 20), True, True),
        ({"fatigue_uses_damaged_physique": True}, (0, 10), False, False),
    ],
)
def test_fatigue(dials, minutes, from_zero, exhausted):
    game = Game(**dials)
    for minute in minutes:
        told = refresh(game, game.ahvia, minute, 0 if from_zero else 1)
    assert game.character(game.ahvia).exhausted == exhausted == ("CharacterExhausted" in told)


@pytest.mark.parametrize(("dial", "after"), [(False, 3), (True, 1)])
def test_wounds_and_fatigue(dial, after):
    """Physique 3, wounded to 1."""
    game = Game(fatigue_uses_damaged_physique=dial)
    game.sets(game.ahvia, "physique_loss", 2)
    for n in range(1, 4):
        refresh(game, game.ahvia, n)
        assert game.character(game.ahvia).exhausted == (n >= after)


def test_exhausted():
    game = Game()
    id = game.ahvia
    for minute in (1, 2, 3):
        refresh(game, id, minute)
    assert refresh(game, id, 3, 2) == ["ActionPointsRecovered"] and game.ap(id) == 3
    assert game.character(id).refreshes == (1, 2, 3)
    assert game.refuses(Recover(id, 2)) == "time-backwards"
    game.does(Recover(id, 500))
    assert game.ap(id) == 4 and game.character(id).exhausted
    over = Game(ap_refresh="over_max")
    over.sets(over.ahvia, "exhausted", True)
    at(over, over.ahvia, 5)
    over.does(Recover(over.ahvia, 0))
    assert over.ap(over.ahvia) == 6


@pytest.mark.parametrize(
    ("hours", "required", "code"),
    [
        (3, 0, "rest-range"),
        (3, 7, "rest-range"),
        (-1, "2", "rest-range"),
        (-1, 2, "bad-number"),
        ("3", 2, "bad-number"),
    ],
)
def test_resting_refused(hours, required, code):
    game = Game()
    assert game.refuses(Rest(game.ahvia, hours, required)) == code


@pytest.mark.parametrize(("hours", "required", "rested"), [(3, 3, True), (9, 6, True), (2, 3, False), (0, 1, False)])
def test_resting(hours, required, rested):
    game = Game()
    for minute in (1, 2, 3):
        refresh(game, game.ahvia, minute)
    assert kinds_of(game.does(Rest(game.ahvia, hours, required))) == [
        "Rested",
        *["ClockMoved", "RecoveryEnded"][: 2 * hours],
        *["FatigueCleared"][:rested],
    ]
    who = game.character(game.ahvia)
    assert (who.exhausted, who.refreshes) == ((False, ()) if rested else (True, (1, 2, 3)))


def test_nothing_comes_back_by_itself():
    game = Game()
    at(game, game.ahvia, 2)
    game.close_scene()
    game.open_scene()
    assert game.ap(game.ahvia) == 2
    slow = game.enrol("Slow", but(AHVIA, lowered={**AHVIA.attributes, "speed": 1}))
    assert game.ap(slow) == 1
