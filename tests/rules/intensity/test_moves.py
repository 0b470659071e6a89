"""What the laws of moves seldom or never show of this game: what is narrowed to what."""

from __future__ import annotations

from typing import Any

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.advantage_points import SpendAdvantage
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.negotiation import Negotiate
from ledger.rules.intensity.out_of_play import FatalUse
from ledger.rules.intensity.rounds import Declare
from ledger.rules.kernel.moves import Among, Move, Some, list_settled_values
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import find_viewer
from ledger.rules.kernel.world import Past
from tests.rules.intensity import situations as at


def moves(past: Past, do: type[Any]) -> list[Move]:
    """What a game master is offered of this kind."""
    viewer = find_viewer(past, seat("gm"))
    assert viewer is not None
    offers = list_offers(RULESET, Seen(RULESET, past, viewer))
    return [offer.move for offer in offers if offer.move.do is do]


def test_a_die_that_is_not_named_is_the_only_one_that_counts() -> None:
    game = at.defended()
    rerolls = [
        move.fields
        for move in moves(game.past, SpendAdvantage)
        if "reroll" in list_settled_values(move.fields["effect"])
    ]
    assert [fields["die"] for fields in rerolls] == [Among((None, "intensity"))]


def test_one_held_fatal_is_offered_alone() -> None:
    game = at.holding()
    (move,) = moves(game.past, UseFatal)
    uses = move.fields["uses"]
    assert isinstance(uses, Some) and (uses.least, uses.most) == (1, 1)


def test_who_is_left_alone_in_a_round_only_defends() -> None:
    game = at.holding()
    game.open(game.ann, game.bea)
    game.does(UseFatal((FatalUse(game.fatal, "falls asleep", out="scene"),)))
    (move,) = moves(game.past, Declare)
    assert (move.fields["char"], move.fields["target"]) == (Among((game.ann,)), Among((None,), ("Only defend",)))


def test_nobody_bargains_alone() -> None:
    game = at.holding()
    others = [int(id) for id in game.everybody() if id != game.ann]
    assert moves(game.past, Negotiate)
    assert moves(game.without(*others).then, Negotiate) == []
