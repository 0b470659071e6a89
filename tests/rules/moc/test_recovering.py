"""Daze, tokens and recovery, one table for each heading, with the rulebook's answer in the last column."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.actions import DeclareAction, Token
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.moc.deciding import ClaimSuccess, ShiftFailure
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.recovery import CompleteRecovery, DeclareRecovery, GrantRecovery, LoseAction, RecoverScene
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.trumps import Trump
from ledger.rules.moc.turns import Move
from tests.rules.moc.book import answers, cites, fight, refusing_rule, takes
from tests.rules.moc.game import Game, kinds_of

# --- moc.combat.dazed ---


def test_the_dazed_play_no_beads_but_cards_and_chips() -> None:
    game = Game()
    game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")))
    game.does(DrawHand(game.enigma, ("7C", "10C"), ("7C", "10C")))
    game.scene_begins(game.hero, game.enigma)
    game.gives(game.hero, "chip:white", 2)
    game.gives(game.enigma, "bead:action", 1)
    own, other = game.acts(game.hero), game.acts(game.enigma)
    laid = game.new(PlayCard(other, game.enigma, "7C", (CardPoints(0, 1),)))
    game.sets(game.hero, "dazed", True)
    beads = [
        PlayBeads(own, game.hero, "add_dice"),
        PlayBeads(own, game.hero, "reduce_difficulty"),
        PlayBeads(own, game.hero, "free_marginal"),
        ShiftFailure(other, game.hero, element="action"),
    ]
    assert [answers(game, do) for do in beads] == ["dazed-no-beads"] * 4
    assert {refusing_rule(game, do) for do in beads} == {"moc.combat.dazed"}
    assert answers(game, PlayCard(own, game.hero, "8C", (CardPoints(0, 1),))) == ""
    assert answers(game, Trump(other, game.hero, laid, "9C")) == ""
    game.rolls(own, 1, 2, 3, 3, 3)
    assert answers(game, ClaimSuccess(own, game.hero)) == ""


@pytest.mark.parametrize(
    ("dazed", "do", "code"),
    [
        (True, "act", "next-action-lost"),
        (True, "move", "next-action-lost"),
        (True, "rest", "next-action-lost"),
        (True, "lose", ""),
        (False, "act", ""),
        (False, "move", ""),
        (False, "rest", ""),
        (False, "lose", "not-dazed"),
    ],
)
def test_the_next_action_is_lost_and_then_it_ends(dazed: bool, do: str, code: str) -> None:
    game = fight()
    game.sets(game.landon, "dazed", dazed)
    acts = {
        "act": DeclareAction(game.landon),
        "move": Move(game.landon),
        "rest": DeclareRecovery(game.landon),
        "lose": LoseAction(game.landon),
    }
    assert answers(game, acts[do]) == code
    if code == "next-action-lost":
        assert refusing_rule(game, acts[do]) == "moc.combat.dazed"
        done = game.does(LoseAction(game.landon))
        assert kinds_of(done) == ["DazeEnded"] and cites(done, "moc.combat.dazed") == ["ended"]
        assert answers(game, acts[do]) == ""


# --- moc.char.tokens, moc.skill.tokens ---


@pytest.mark.parametrize(
    ("characteristic", "primary", "pools", "code"),
    [
        ("S", None, (2, 3, 3), ""),
        ("T", "body", (2, 3, 3), ""),
        ("Sp", "mind", None, "wrong-token-pool"),
        ("R", None, (3, 2, 3), ""),
        ("L", None, (3, 3, 2), ""),
        ("W", "body", None, "wrong-token-pool"),
        ("C", None, None, "wrong-token-pool"),
        ("C", "body", (2, 3, 3), ""),
        ("C", "mind", (3, 2, 3), ""),
        ("C", "spirit", None, "wrong-token-pool"),
        ("At", "spirit", None, "wrong-token-pool"),
        ("W2", "mind", (3, 2, 3), ""),
        ("W2", "spirit", (3, 3, 2), ""),
        ("W2", "body", None, "wrong-token-pool"),
        ("Co", "body", None, "wrong-token-pool"),
        ("En", "body", (2, 3, 3), ""),
        ("En", "spirit", (3, 3, 2), ""),
        ("Re", "mind", None, "wrong-token-pool"),
        ("Pr", "body", (2, 3, 3), ""),
        ("Pr", "mind", (3, 2, 3), ""),
        ("Pr", "spirit", (3, 3, 2), ""),
        ("Li", None, None, "wrong-token-pool"),
        ("Li", "mind", (3, 2, 3), ""),
        ("S", "soul", None, "unknown-characteristic"),
    ],
)
def test_a_token_comes_from_a_primary_above(
    characteristic: str, primary: str | None, pools: tuple[int, int, int] | None, code: str
) -> None:
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("hero", {"body": 3, "mind": 3, "spirit": 3}), "ann")
    game.scene_begins(id)
    do = DeclareAction(id, names=(characteristic,), tokens=(Token(characteristic, primary),))
    assert answers(game, do) == code
    assert game.tokens(id) == (pools or (3, 3, 3))


@pytest.mark.parametrize(
    ("held", "fatigue", "code", "tired"),
    [
        (3, 0, "", 0),
        (2, 0, "", 0),
        (1, 0, "", 1),
        (0, 0, "no-token", 0),
        (1, 2, "", 3),
        (1, 3, "primary-at-zero", 3),
        (2, 2, "", 2),
    ],
)
def test_the_token_that_empties_a_pool_tires(held: int, fatigue: int, code: str, tired: int) -> None:
    game = fight()
    takes(game, game.landon, "token:body", 3 - held)
    game.sets(game.landon, "fatigue", fatigue)
    assert answers(game, DeclareAction(game.landon, tokens=(Token("S"),), names=("S",))) == code
    assert game.character(game.landon).fatigue == tired
    assert game.tokens(game.landon)[0] == held - (code == "")


# --- moc.recover.scene ---


@pytest.mark.parametrize(
    ("damage", "held", "fatigue", "primary", "outcome"),
    [
        (0, 2, 0, "body", "3"),
        (0, 3, 0, "body", "pool-full"),
        (0, 0, 0, "body", "1"),
        (3, 2, 0, "body", "3"),
        (4, 1, 0, "body", "2"),
        (4, 2, 0, "body", "pool-full"),
        (5, 0, 0, "body", "1"),
        (5, 1, 0, "body", "pool-full"),
        (6, 0, 0, "body", "pool-full"),
        (0, 2, 1, "body", "2"),
        (0, 2, 1, None, "2"),
        (0, 3, 1, "body", "3"),
        (6, 0, 1, None, "0"),
        (0, 2, 0, None, "nothing-declared"),
        (0, 2, 0, "Body", "3"),
        (0, 2, 0, "S", "unknown-characteristic"),
        (0, 2, 0, "", "unknown-characteristic"),
    ],
)
def test_a_level_of_fatigue_else_a_token_up_to_six_less_the_damage(
    damage: int, held: int, fatigue: int, primary: str | None, outcome: str
) -> None:
    game = fight()
    game.sets(game.landon, "damage", damage)
    game.sets(game.landon, "fatigue", fatigue)
    takes(game, game.landon, "token:body", 3 - held)
    game.scene_ends(game.place)
    do = RecoverScene(game.landon, primary)
    code = answers(game, do)
    assert (code or str(game.tokens(game.landon)[0])) == outcome
    assert game.character(game.landon).fatigue == max(0, fatigue - (code == ""))
    assert answers(game, do) == (code or "no-recovery-due"), "one step each scene's end"


@pytest.mark.parametrize(
    ("level", "steps", "taken"),
    [("standard", 1, 1), ("heroic", 1, 1), ("heroic", 2, 2), ("superheroic", 3, 3)],
)
def test_heroes_recover_in_as_many_steps_as_the_table_says(level: str, steps: int, taken: int) -> None:
    game = fight(power_level=level, scene_recovery_steps=steps)
    game.sets(game.landon, "fatigue", 9)
    game.scene_ends(game.place)
    said = [answers(game, RecoverScene(game.landon)) for _ in range(taken + 1)]
    assert said == [""] * taken + ["no-recovery-due"]
    assert game.character(game.landon).fatigue == 9 - taken


def test_in_a_long_scene_one_step_a_day() -> None:
    game = fight()
    game.sets(game.landon, "fatigue", 3)
    for day in (1, 2):
        game.does(GrantRecovery(game.landon, "a day"))
        assert answers(game, RecoverScene(game.landon)) == ""
        assert answers(game, RecoverScene(game.landon)) == "no-recovery-due", day
    assert game.character(game.landon).fatigue == 1


# --- moc.recover.action ---


@pytest.mark.parametrize(
    ("pain", "toughness", "left"), [(5, 2, 3), (3, 2, 1), (2, 2, 0), (1, 2, 0), (0, 2, 0), (7, 1, 6), (7, 5, 2)]
)
def test_pain_less_toughness_and_not_below_nothing(pain: int, toughness: int, left: int) -> None:
    game = fight()
    game.sets(game.landon, "ratings/T", toughness)
    game.sets(game.landon, "pain", pain)
    game.does(DeclareRecovery(game.landon))
    assert game.character(game.landon).pain == pain, "it comes back when it is completed"
    game.does(EndTurn())
    done = game.does(CompleteRecovery(game.landon))
    assert game.character(game.landon).pain == left and cites(done, "moc.recover.action") == [left]
    assert game.character(game.landon).damage == 0 and game.tokens(game.landon) == (3, 1, 3)


def breaking(game: Game) -> dict[str, Any]:
    return {
        "an action": DeclareAction(game.landon),
        "a split": DeclareAction(game.landon, parts=(SubPool(1), SubPool(1))),
        "a dodge": DeclareAction(game.landon, skill="Dodge", roll_kind="dodge", defence=True),
        "a move": Move(game.landon),
        "damage": ApplyHarm(game.landon, unresistible=1),
        "pain": ApplyHarm(game.landon, pain=1),
    }


@pytest.mark.parametrize("what", ["an action", "a split", "a dodge", "a move", "damage", "pain"])
def test_what_breaks_a_recovery_off_is_not_refused(what: str) -> None:
    game = fight()
    game.sets(game.landon, "pain", 5)
    game.does(DeclareRecovery(game.landon))
    done = game.does(breaking(game)[what])
    assert "RecoveryPreEmpted" in kinds_of(done) and False in cites(done, "moc.recover.action")
    assert answers(game, CompleteRecovery(game.landon)) == "not-recovering"
    assert game.character(game.landon).pain == 5 + (what == "pain")


@pytest.mark.parametrize("what", ["fatigue", "another acts", "another is hurt", "a hit all removed", "the turn ends"])
def test_what_breaks_no_recovery_off(what: str) -> None:
    game = fight()
    game.sets(game.landon, "pain", 5)
    game.does(DeclareRecovery(game.landon))
    quiet = {
        "fatigue": ApplyHarm(game.landon, fatigue=1),
        "another acts": DeclareAction(game.hero),
        "another is hurt": ApplyHarm(game.hero, unresistible=1),
        "a hit all removed": ApplyHarm(game.landon, resistible=2, removals=2),
        "the turn ends": EndTurn(),
    }
    assert "RecoveryPreEmpted" not in kinds_of(game.does(quiet[what]))
    game.does(EndTurn())
    game.does(CompleteRecovery(game.landon))
    assert game.character(game.landon).pain == 3


@pytest.mark.parametrize(
    ("restores", "fatigue", "primary", "outcome"),
    [
        (False, 1, None, "1 2"),
        (False, 0, "body", "0 2"),
        (True, 1, None, "0 2"),
        (True, 1, "body", "0 2"),
        (True, 0, "body", "0 3"),
        (True, 0, None, "0 2"),
    ],
)
def test_an_action_restores_no_token_but_by_the_dial(
    restores: bool, fatigue: int, primary: str | None, outcome: str
) -> None:
    game = fight(action_recovery_also_restores=restores)
    game.sets(game.landon, "fatigue", fatigue)
    takes(game, game.landon, "token:body", 1)
    game.does(DeclareRecovery(game.landon))
    game.does(EndTurn())
    game.does(CompleteRecovery(game.landon, primary))
    assert f"{game.character(game.landon).fatigue} {game.tokens(game.landon)[0]}" == outcome
