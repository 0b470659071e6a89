"""What the rulebook answers to a declaration. The test tables have it in their last column."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc.characters import Sheet
from tests.rules.moc.game import Game

#: Body 3, T 2, L 2: a pain capacity of ten, and a daze limit of five.
LANDON = {"body": 3, "spirit": 3, "T": 2, "Sp": 2, "L": 2}


def fight(**dials: Any) -> Game:
    """Return a scene with Harry, whose S is 2, and Landon."""
    game = Game(**dials)
    game.landon = game.enrol("Landon", Sheet("enigma", LANDON), "cleo")
    game.place = game.scene_begins(game.hero, game.landon)
    return game


def body(game: Game) -> str:
    """Return Landon's damage and pain."""
    who = game.character(game.landon)
    told: str = (
        f"{who.damage} damage {who.pain} pain" + (" dazed" if who.dazed else "") + (" down" * (who.status == "down"))
    )
    return told


def answers(game: Game, do: Any, *said: Any, by: str = "gm") -> str:
    """Record the declaration and return "", or return the code of its refusal, which changes nothing."""
    before = (game.number, game.balances())
    try:
        game.does(do, *said, by=by)
    except Refused as no:
        assert (game.number, game.balances()) == before, do
        return no.code
    return ""


def cites(verdict: Verdict[Any], rule: str) -> list[Any]:
    """Return the results of each step of the derivation that names the rule."""
    return [one.out for one in verdict.because if one.rule == rule]


def refusing_rule(game: Game, do: Any, *said: Any, by: str = "gm") -> str:
    """Return the rule of the refusal."""
    try:
        game.does(do, *said, by=by)
    except Refused as no:
        return no.rule
    raise AssertionError(f"not refused: {do}")


def takes(game: Game, id: str, what: str, amount: int) -> None:
    """Take something away: the opposite of `Game.gives`."""
    if amount:
        unit = what.partition(":")[0]
        game.declare(Adjust(f"character:{id}/{what}", f"bank/{what}", unit, amount, "for the test"))
