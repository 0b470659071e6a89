"""Harry splits his pool: a table for it, and how many dice a part has."""

from __future__ import annotations

from typing import Any

from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.stacks import SubPool
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game, buys


def table(**dials: Any) -> Game:
    """Harry has Body 5, ten Action beads and two cards; Strength Feat 3."""
    game = Game(**dials)
    game.session_begins()
    game.gives(game.hero, "point", 1200)
    game.does(Buy(game.hero, buys("skill", "Strength Feat", 3)))
    game.does(DrawHand(game.hero, ("8C", "9D"), ("8C", "9D")))
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def dice(game: Game, action: str, part: int = 0) -> int:
    return next(n for n in range(40) if not refusal(game, RollDice(action, part, (3,) * n)))


def split(game: Game, *parts: SubPool, **more: Any) -> DeclareAction:
    return DeclareAction(game.hero, parts=parts, **more)


def acts(number: int, dodges: int = 0) -> tuple[SubPool, ...]:
    return (SubPool(1),) * number + (SubPool(1, roll_kind="dodge"),) * dodges
