"""A turn holds one full action, such as resting, or two halves (headings "Initiative", "Recovery")."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.moc.recovery import CompleteRecovery, DeclareRecovery, LoseAction
from ledger.rules.moc.resolving import TellConsequence
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.turns import Move, RollInitiative
from tests.rules.moc.book import answers, fight
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game, kinds_of, the


def in_initiative(**dials: Any) -> Game:
    game = fight(**dials)
    game.does(RollInitiative({game.hero: (2,) * 8, game.landon: (2,) * 5}))
    return game


@pytest.fixture(params=[fight, in_initiative])
def hurt(request: Any) -> Game:
    """Return Landon with five pain and Toughness 2."""
    game: Game = request.param()
    game.sets(game.landon, "pain", 5)
    return game


# --- moc.recover.action ---


def test_a_recovery_is_completed_when_the_next_turn_has_come_and_once(hurt: Game) -> None:
    complete = CompleteRecovery(hurt.landon)
    hurt.does(DeclareRecovery(hurt.landon))
    assert answers(hurt, complete) == "turn-not-over"
    hurt.does(EndTurn())
    assert answers(hurt, complete) == ""
    assert answers(hurt, complete) == "not-recovering"
    assert hurt.character(hurt.landon).pain == 3
    hurt.does(DeclareRecovery(hurt.landon))
    assert answers(hurt, complete) == "turn-not-over"


@pytest.mark.parametrize("kind", [DeclareAction, Move])
def test_the_next_action_completes_it(hurt: Game, kind: Any) -> None:
    hurt.does(DeclareRecovery(hurt.landon))
    hurt.does(EndTurn())
    done = hurt.does(kind(hurt.landon))
    assert the(done, "RecoveryCompleted").pain == 2 and "RecoveryPreEmpted" not in kinds_of(done)
    assert hurt.character(hurt.landon).pain == 3 and not hurt.character(hurt.landon).recovering


@pytest.mark.parametrize("what", ["an action", "a move", "a dodge", "an injury"])
def test_what_comes_before_the_next_turn_breaks_it_off_and_is_not_refused(hurt: Game, what: str) -> None:
    doings: dict[str, Any] = {
        "an action": DeclareAction(hurt.landon),
        "a move": Move(hurt.landon),
        "a dodge": DeclareAction(hurt.landon, roll_kind="dodge"),
        "an injury": ApplyHarm(hurt.landon, pain=1),
    }
    hurt.does(DeclareRecovery(hurt.landon))
    assert "RecoveryPreEmpted" in kinds_of(hurt.does(doings[what]))
    hurt.does(EndTurn())
    assert answers(hurt, CompleteRecovery(hurt.landon)) == "not-recovering"


def test_a_dodge_of_the_next_turn_before_its_action_breaks_it_off(hurt: Game) -> None:
    hurt.does(DeclareRecovery(hurt.landon))
    hurt.does(EndTurn())
    assert "RecoveryPreEmpted" in kinds_of(hurt.does(DeclareAction(hurt.landon, roll_kind="dodge")))


def test_the_table_completes_it_by_the_dial_when_it_says() -> None:
    game = fight(turn_actions="table")
    game.sets(game.landon, "pain", 5)
    game.does(DeclareRecovery(game.landon))
    assert answers(game, CompleteRecovery(game.landon)) == ""


# --- moc.combat.initiative: what a turn holds ---


def does(game: Game, what: str) -> Any:
    of = game.landon
    doings: dict[str, Any] = {
        "full": DeclareAction(of),
        "half": DeclareAction(of, half=True),
        "move": Move(of),
        "dodge": DeclareAction(of, roll_kind="dodge"),
        "defence": DeclareAction(of, defence=True),
        "split": DeclareAction(of, parts=(SubPool(1), SubPool(1)), half=True),
        "rest": DeclareRecovery(of),
    }
    return doings[what]


@pytest.mark.parametrize(
    ("before", "then", "code"),
    [
        ((), "full", ""),
        ((), "half", ""),
        (("half",), "half", ""),
        (("half",), "full", "no-action-left"),
        (("half", "half"), "half", "no-action-left"),
        (("full",), "half", "no-action-left"),
        (("full",), "move", "no-action-left"),
        (("half",), "move", "no-action-left"),
        (("move",), "half", "no-action-left"),
        (("half",), "split", "no-action-left"),
        (("split",), "half", "no-action-left"),
        (("full",), "rest", "no-action-left"),
        (("half",), "rest", "no-action-left"),
        (("full",), "dodge", ""),
        (("full",), "defence", ""),
        (("dodge", "dodge"), "full", ""),
        (("rest", "full"), "half", "no-action-left"),
        (("rest", "half"), "half", ""),
        (("rest",), "rest", "already-recovering"),
    ],
)
def test_a_turn_holds_a_full_action_or_two_halves(before: tuple[str, ...], then: str, code: str) -> None:
    game = in_initiative()
    for what in before:
        game.does(does(game, what))
    assert answers(game, does(game, then)) == code
    game.does(EndTurn())
    assert answers(game, does(game, "full")) == "", "the next turn begins anew"


@pytest.mark.parametrize("game", [fight, lambda: in_initiative(turn_actions="table")])
def test_nothing_is_counted_without_initiative_or_where_the_dial_leaves_it_to_the_table(game: Any) -> None:
    played = game()
    for _ in range(3):
        done = played.does(DeclareAction(played.landon))
        assert "ActionTaken" not in kinds_of(done)


def test_the_action_that_daze_loses_is_the_action_of_the_turn() -> None:
    game = in_initiative()
    game.sets(game.landon, "dazed", True)
    game.does(LoseAction(game.landon))
    assert answers(game, DeclareAction(game.landon)) == "no-action-left"
    assert answers(game, DeclareAction(game.hero)) == "", "everybody has an action"


@pytest.mark.parametrize(("ratings", "whole", "half"), [(5, 5, 2), (4, 4, 2), (1, 1, 0)])
def test_half_defence_is_half_the_dice_rounded_down(ratings: int, whole: int, half: int) -> None:
    game = fight()
    game.sets(game.landon, "ratings/body", ratings)
    leap = game.acts(game.landon)
    game.rolls(leap, *(2,) * whole)
    assert answers(game, TellConsequence(leap, "He hangs on the ledge.", half_defence=True), by="cleo") != ""
    game.does(TellConsequence(leap, "He hangs on the ledge.", half_defence=True))

    def dodges() -> int:
        dodge = game.acts(game.landon, roll_kind="dodge")
        return next(n for n in range(9) if not refusal(game, RollDice(dodge, 0, (2,) * n)))

    assert dodges() == half
    attack = game.acts(game.landon)
    assert not refusal(game, RollDice(attack, 0, (2,) * whole)), "only what defends is halved"
    game.does(EndTurn())
    assert dodges() == whole


def test_an_overturned_action_is_not_spent() -> None:
    game = in_initiative()
    spent = game.number
    game.does(DeclareAction(game.landon))
    game.past = game.without(spent).then
    assert answers(game, DeclareAction(game.landon)) == ""
