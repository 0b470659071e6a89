"""What somebody gets wrong who knows the game: refusals to which neither play nor a near miss would come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.subjects import CAMPAIGN
from ledger.rules.mnemonic.boards import read_board
from ledger.rules.mnemonic.checks import EnterRoll
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.referee import SeatReferee
from ledger.rules.mnemonic.rolls import Card

#: Ladders that are none: too short, a name twice or missing, no number, downhill, below zero, not for the Primary Role.
LADDERS: tuple[Any, ...] = (
    [["Low", 1]],
    [["Low", 1], ["low", 2]],
    [["Low", 1], [" ", 2]],
    [["Low", 1], ["High", "two"]],
    [["Low", 3], ["High", 1]],
    [["Low", -1], ["Moderately", 1], ["Very", 2]],
    [["Low", 1], ["High", 2]],
)
NAMES: tuple[Any, ...] = (
    ["Fading", "Reeling", "Battered"],
    ["Fading", "Reeling", "Battered", "Hurt", "Scratched", "fading"],
    ["Fading", "Reeling", "Battered", "Hurt", "Scratched", "Well"],
)


def slips(chance: Any) -> Iterator[Any]:
    """Of every sort what suits the table just now. `chance`: with a chance of its own, not the table's."""
    rng, table = chance.rng, chance.game.table()
    yield SetDial(chance.pick("traits.ladder", "traits.ladder", "chances.ladder"), rng.choice(LADDERS), "ours")
    yield SetDial("status.names", rng.choice(NAMES), "ours")
    yield SeatReferee(rng.choice(list(chance.game.people)))
    twice = (Card("7", "hearts"), Card("7", "hearts"), Card("2", "clubs"))
    for place in (CAMPAIGN, *table.subjects("scene")):
        for id, check in read_board(table, place).checks.items():
            if check.resolved is None:
                yield EnterRoll(id, cards=twice)
                yield EnterRoll(id, voices=((4,),))
            elif check.resolved.fluke == "spectacular_failure":
                yield NarrateConsequence(id, "It falls.", check.ruled.character)
    yield RuleInjury(chance.someone(), "referee", "dead", chance.chances(), None, importance=None, reason="r")
