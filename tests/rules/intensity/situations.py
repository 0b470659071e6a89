"""The table at known moments: each function sets one up. Dials are given by name."""

from __future__ import annotations

from typing import Any

from ledger.rules.intensity.attacks import ChooseImpact
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.out_of_play import FatalUse, Fate
from ledger.rules.intensity.rounds import CloseRound
from tests.rules.intensity.game import Game


def before_any_scene(**dials: Any) -> Game:
    return Game(scene=False, **dials)


def in_a_scene(**dials: Any) -> Game:
    return Game(**dials)


def after_a_scene(**dials: Any) -> Game:
    """A scene has closed; nobody is hurt."""
    game = Game(**dials)
    game.close_scene()
    return game


def opened(**dials: Any) -> Game:
    """A round of Ann, Bea and Dan; nobody has declared."""
    game = Game(**dials)
    game.open(game.ann, game.bea, game.dan)
    return game


def declared(**dials: Any) -> Game:
    """Ann acts against Bea, Bea against Ann, Dan against nobody; all passionate, with A."""
    game = opened(**dials)
    game.says(game.ann, game.bea)
    game.says(game.bea, game.ann)
    game.says(game.dan)
    return game


def half_rolled(**dials: Any) -> Game:
    """Only Ann's dice lie on the table."""
    game = declared(**dials)
    game.rolls((game.ann, 9, 2))
    return game


def rolled(**dials: Any) -> Game:
    """Ann 9/2, Bea 7/5, Dan 3/1: Ann is next, then Bea."""
    game = declared(**dials)
    game.rolls((game.ann, 9, 2), (game.bea, 7, 5), (game.dan, 3, 1))
    return game


def tied(**dials: Any) -> Game:
    """Ann and Bea both 7/5."""
    game = declared(**dials)
    game.rolls((game.ann, 7, 5), (game.bea, 5, 7), (game.dan, 3, 1))
    return game


def attacked(**dials: Any) -> Game:
    """Ann's 9 against Bea; each holds 6 points against the other."""
    game = declared(**dials)
    game.gives(game.ann, game.bea, 6)
    game.gives(game.bea, game.ann, 6)
    game.rolls((game.ann, 9, 2), (game.bea, 7, 5), (game.dan, 3, 1))
    game.attack(game.ann)
    return game


def let_stand(**dials: Any) -> Game:
    game = attacked(**dials)
    game.defend()
    return game


def defended(**dials: Any) -> Game:
    """Bea picked up her D10 and rolled 4; her trait still stands with 5."""
    game = attacked(**dials)
    game.defend(("intensity", 4))
    return game


def succeeded(**dials: Any) -> Game:
    """Ann's 9 beat Bea's 4: rating 19."""
    game = defended(**dials)
    game.resolve()
    return game


def all_hit(**dials: Any) -> Game:
    """Ann's 12 on fanatical Bea, who let stand: rating 24; Bea's own action is to come."""
    game = Game(**dials)
    game.fight((game.ann, game.bea, "fanatical", "A", 12, 1), (game.bea, game.ann, "fanatical", "A", 3, 2))
    game.attack(game.ann)
    game.defend()
    game.resolve()
    return game


def holding(**dials: Any) -> Game:
    """Ann holds a fatal on Bea, achieved when Bea used A; no round is open."""
    game = Game(**dials)
    game.fatal = game.holds(game.ann, game.bea)
    return game


COMA = "three weeks of coma"


def in_a_coma(**dials: Any) -> Game:
    """Bea is out for a time."""
    game = holding(**dials)
    game.does(UseFatal((FatalUse(game.fatal, "A blow.", out="time", out_for=COMA),)))
    return game


def stand_off(**dials: Any) -> Game:
    """Ann holds a fatal on Bea and Bea one on Ann."""
    game = holding(**dials)
    game.answer = game.holds(game.bea, game.ann)
    return game


def holder_out(**dials: Any) -> Game:
    """Ann is out for the scene; her fatal on Bea is still held (only where fatals survive their holder)."""
    game = stand_off(held_fatal_when_holder_out="survive", **dials)
    game.does(UseFatal((FatalUse(game.answer, "senseless", out="scene"),)))
    return game


def gone(**dials: Any) -> Game:
    """Bea is permanently out."""
    game = all_hit(**dials)
    game.does(ChooseImpact("fatal", at_once=Fate("dead", out="permanent")))
    game.does(CloseRound())
    return game


def hurt(**dials: Any) -> Game:
    """No scene is open. Bea has a damage on A, a wound, and a tax on B; Ann is unharmed; they were in conflict."""
    game = Game(**dials)
    for impact, trait in (("damage", None), ("wound", None), ("tax", "B")):
        game.duel(impact, trait)
    game.close_scene()
    return game


def worn_out(**dials: Any) -> Game:
    """Dan's traits are both at 0 by two wounds."""
    game = Game(**dials)
    for _ in range(2):
        game.fight((game.ann, game.dan, "fanatical", "A", 12, 1), (game.dan, None, "calm", "A", 1, 1))
        game.hit(game.ann, "wound")
        game.does(CloseRound())
    return game
