"""Antares from the book's examples, a Wildcard, and how many dice his actions have."""

from __future__ import annotations

from typing import Any

from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import RollDice
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game, the

PRIMARIES = ("body", "mind", "spirit")
#: Each Secondary and Derived characteristic, and the Primaries above it.
ABOVE = {
    "S": "body",
    "T": "body",
    "Sp": "body",
    "R": "mind",
    "K": "mind",
    "P": "mind",
    "W": "spirit",
    "E": "spirit",
    "L": "spirit",
    "C": "body mind",
    "At": "body mind",
    "W2": "mind spirit",
    "Co": "mind spirit",
    "En": "body spirit",
    "Re": "body spirit",
    "Pr": "body mind spirit",
    "Li": "body mind spirit",
}
ANTARES = Sheet("wildcard", {"body": 2, "mind": 3, "spirit": 2, "R": 2, "C": 3, "L": 2}, {"Computers": 1, "Search": 2})


def table(**dials: Any) -> Game:
    """Antares: Body 2, Mind 3, Spirit 2; R 2, C 3, L 2; Computers 1, Search 2."""
    game = Game(begin=False, **dials)
    game.hero = game.enrol("Antares", ANTARES, "ann")
    game.session_begins()
    game.place = game.scene_begins(game.hero)
    return game


def dice(game: Game, action: str, part: int = 0) -> int:
    """Return this many typed dice, without a 10."""
    return next(n for n in range(40) if not refusal(game, RollDice(action, part, (3,) * n)))


def tn(game: Game, action: str) -> int:
    game.rolls(action, *(3,) * dice(game, action))
    return int(the(game.does(Resolve(action)), "ActionResolved").tn)
