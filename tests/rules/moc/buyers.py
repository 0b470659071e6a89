"""Who has points for whatever is sold, what it costs, and the dice it gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ledger.rules.moc import inputs
from ledger.rules.moc.inputs_of_actions import RollDice
from ledger.rules.moc.sheet import Sheet
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game

POINT = 120
RAISE = "moc.char.raise"


def rich(**dials: Any) -> tuple[Game, str]:
    """A Hero of Body 3 in a scene, with ten Action beads and plenty of points."""
    game = Game(begin=False, **dials)
    id = game.enrol("Somebody", Sheet("hero", {"body": 3}), "ann")
    game.gives(id, "point", 1000 * POINT)
    return game, id


def playing(*bought: Any) -> tuple[Game, str]:
    game, id = rich()
    for one in bought:
        game.does(inputs.Buy(id, one))
    game.session_begins()
    game.place = game.scene_begins(id)
    return game, id


def price(game: Game, id: str, purchase: Any) -> Fraction:
    before = game.points(id)
    game.does(inputs.Buy(id, purchase))
    return Fraction(before - game.points(id), POINT)


def dice(game: Game, action: str) -> int:
    return next(n for n in range(40) if not refusal(game, RollDice(action, 0, (3,) * n)))
