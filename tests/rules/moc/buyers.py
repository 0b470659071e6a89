"""A character with points for any purchase, its price, and the dice it gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.rolling import RollDice
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game

POINT = 120
RAISE = "moc.char.raise"


def rich(**dials: Any) -> tuple[Game, str]:
    """Return a Hero with Body 3 in a scene, with ten Action beads and plenty of points."""
    game = Game(begin=False, **dials)
    id = game.enrol("Somebody", Sheet("hero", {"body": 3}), "ann")
    game.gives(id, "point", 1000 * POINT)
    return game, id


def playing(*bought: Any) -> tuple[Game, str]:
    game, id = rich()
    for one in bought:
        game.does(Buy(id, one))
    game.session_begins()
    game.place = game.scene_begins(id)
    return game, id


def price(game: Game, id: str, purchase: Any) -> Fraction:
    before = game.points(id)
    game.does(Buy(id, purchase))
    return Fraction(before - game.points(id), POINT)


def dice(game: Game, action: str) -> int:
    return next(n for n in range(40) if not refusal(game, RollDice(action, 0, (3,) * n)))
