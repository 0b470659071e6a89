"""Actions at each level: a table to roll them on, and beads that add or remove successes."""

from __future__ import annotations

from typing import Any

from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.resolving import Resolve
from tests.rules.moc.game import Game, the

#: The level, and five dice of a task against 7 that result in it.
ROLLS = {
    "spectacular_failure": (1, 2, 3, 4, 5),
    "failure": (2, 3, 4, 5, 6),
    "near": (2, 3, 4, 5, 7),
    "marginal": (2, 3, 4, 5, 8),
    "success": (2, 3, 4, 5, 9),
    "outstanding": (2, 3, 4, 9, 9),
}
NUMBERS = {"spectacular_failure": -1, "failure": 0, "near": 1, "marginal": 2, "success": 3, "outstanding": 4}
RESOLVE = "moc.level.resolve"


def table(**dials: Any) -> Game:
    """Harry (a Hero) has ten Action beads and two cards; Rissh eight Storytelling ones; Santana cards and beads."""
    game = Game(**dials)
    game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "KS"), ("8C", "KS")))
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    game.does(DrawVillains(2, ("AC", "QC")))
    return game


def rolled(game: Game, level: str, **more: Any) -> str:
    action = game.acts(game.hero, **more)
    game.rolls(action, *ROLLS[level])
    return action


def told(game: Game, action: str, **more: Any) -> Any:
    return the(game.does(Resolve(action, **more)), "ActionResolved")


def adds(game: Game, action: str, beads: int) -> None:
    if beads:
        game.does(PlayBeads(action, game.hero, "add_successes", beads))


def takes(game: Game, action: str, beads: int) -> None:
    """Let Rissh remove this many successes, with one Storytelling bead each."""
    for _ in range(beads):
        game.does(PlayBeads(action, game.enigma, "storytelling", successes=-1))
