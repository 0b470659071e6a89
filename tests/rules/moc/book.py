"""What the rulebook answers to an input: the tables of the tests keep it in their last column."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from tests.rules.moc.game import Game


def answers(game: Game, do: Any, *said: Any, by: str = "gm") -> str:
    """`` where it is done (and recorded), else the code it is refused with; a refusal changes nothing."""
    before = (game.number, game.balances())
    try:
        game.does(do, *said, by=by)
    except Refused as no:
        assert (game.number, game.balances()) == before, do
        return no.code
    return ""


def cites(verdict: Verdict[Any], rule: str) -> list[Any]:
    """What came out of each step of the derivation that names the rule."""
    return [one.out for one in verdict.because if one.rule == rule]


def refusing_rule(game: Game, do: Any, *said: Any, by: str = "gm") -> str:
    """The rule that a refusal names."""
    try:
        game.does(do, *said, by=by)
    except Refused as no:
        return no.rule
    raise AssertionError(f"not refused: {do}")


def takes(game: Game, id: str, what: str, amount: int) -> None:
    """The other way round than `Game.gives`."""
    if amount:
        unit = what.partition(":")[0]
        game.declare(Adjust(f"character:{id}/{what}", f"bank/{what}", unit, amount, "for the test"))
