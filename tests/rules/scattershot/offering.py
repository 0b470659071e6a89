"""What a seat is offered, compared with what the rules accept."""

from __future__ import annotations

from random import Random
from typing import Any

from ledger.rules.kernel.moves import allows
from ledger.rules.kernel.offers import list_awaited_now, list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import find_viewer
from tests.rules.moves import refusal
from tests.rules.scattershot.game import Game

EVERYBODY = ("gm", "ann", "bob", "cid", "o")


def seen(game: Game, by: str) -> Seen:
    viewer = find_viewer(game.past, seat(by))
    assert viewer is not None
    return Seen(game.ruleset, game.past, viewer)


def offers(game: Game, do: Any, by: str) -> bool:
    """Return whether it is offered. Fails if the rules disagree."""
    looking = seen(game, by)
    there = any(allows(one.move, do) for one in list_offers(game.ruleset, looking))
    code = refusal(game.past, game.number, do, looking.seat, None, Random(1))
    assert there == (code is None), f"{'offered' if there else 'not offered'} to {by}, and {code}: {do}"
    return there


def may(game: Game, do: Any) -> list[str]:
    """Return the seats it is offered to."""
    return [by for by in EVERYBODY[:-1] if offers(game, do, by)]


def waits(game: Game) -> set[tuple[str, str | None, str | None]]:
    """Return whom the game waits for, by which rule, for which Character. Everybody must see the same."""
    found = [
        {(one.seat, one.rule, one.of) for one in list_awaited_now(game.ruleset, seen(game, by))} for by in EVERYBODY
    ]
    assert all(one == found[0] for one in found), found
    return {(one, rule.removeprefix("scattershot.") if rule else None, of) for one, rule, of in found[0]}


def doings(game: Game) -> set[tuple[str, type[object] | None]]:
    """Return whom the game waits for, to do what. Everybody must see the same."""
    found = [{(one.seat, one.do) for one in list_awaited_now(game.ruleset, seen(game, by))} for by in EVERYBODY]
    assert all(one == found[0] for one in found), found
    return found[0]
