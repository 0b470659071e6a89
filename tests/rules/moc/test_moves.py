"""What is offered in Moment of Clarity, where the laws of moves cannot show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ledger.rules.kernel.moves import Move, allows
from ledger.rules.kernel.offers import awaited, offered
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import viewer_of
from ledger.rules.moc import inputs_of_actions
from tests.rules.moc.game import Game


def seen(game: Game, by: str) -> Seen:
    viewer = viewer_of(game.past, seat(by))
    assert viewer is not None
    return Seen(game.ruleset, game.past, viewer)


def moves(game: Game, by: str, do: type[Any]) -> list[Move]:
    return [one.move for one in offered(game.ruleset, seen(game, by)) if one.move.do is do]


def offers(game: Game, by: str, do: Any) -> bool:
    return any(allows(move, do) for move in moves(game, by, type(do)))


def waits(game: Game, kind: type[Any]) -> set[tuple[str, str | None]]:
    """Who is awaited to declare it: seat and character."""
    return {(one.seat, one.of) for one in awaited(game.ruleset, seen(game, "gm")) if one.do is kind}


def test_successes_are_declared_on_somebody_there_is() -> None:
    game = Game()
    game.scene_begins(game.hero, game.enigma)
    action = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(action, 7, 8, 2, 3, 4)
    assert game.refuses(inputs_of_actions.DeclareSuccesses(action, "nobody", 1)) == "unknown-character"


__all__ = ["Callable", "Iterator"]
