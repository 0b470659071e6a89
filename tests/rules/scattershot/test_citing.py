"""An award cites votes: the rulings that recorded them, if these still stand."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.comparison import compare
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot.awards import AwardDice, CastVote
from tests.rules.scattershot.game import Game


@pytest.mark.parametrize("number", ["999", "1", "nonsense"])
def test_an_award_cites_only_votes(number: str) -> None:
    game = Game()
    game.declare(CastVote("ann, for the song"), by="bob")
    vote = str(len(game.history))
    with pytest.raises(Refused) as refused:
        game.declare(AwardDice("ann", 1, "the song", (vote, number)))
    assert refused.value.code == "no-such-ruling"
    game.declare(AwardDice("ann", 1, "the song", (vote,)))
    compared = compare(game.beginning(), game.history, {}, {int(vote): None})
    assert compared.rows[-1].standpoint == "loses support"
