"""Dice that a Player proposes for another, and Paybacks whose value a Genre Expectation sets."""

from __future__ import annotations

import pytest

from ledger.rules.scattershot.agreement import Agree, Decline, DiceDeclined
from ledger.rules.scattershot.awards import AwardDice, ExperienceDiceAwarded
from ledger.rules.scattershot.gimmes import ClaimPayback, PaybackPaid
from ledger.rules.scattershot.listings import ListExpectation
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.offering import may

AWARD = AwardDice("ann", 2, "the song")


def test_a_player_proposes_dice_for_another_and_the_gamemaster_grants_them():
    game = Game()
    assert may(game, AWARD) == ["gm", "bob", "cid"]
    assert game.refuses(AWARD, by="ann") == "self-gift"
    verdict = game.does(AWARD, Agree(), by="bob")
    assert (game.only(verdict, ExperienceDiceAwarded).n, game.xd("ann")) == (2, 2)


def test_an_award_that_is_not_granted_moves_nothing():
    game = Game()
    verdict = game.does(AWARD, Decline(), by="bob")
    assert [about.fact for about in verdict.facts] == [DiceDeclined("ann", "award", "the song")]
    assert game.xd("ann") == 0


def test_the_group_grants_what_a_player_proposes_where_it_grants_dice():
    game = Game(dice_granted_by="group")
    game.does(AWARD, Agree(), Agree(), Agree(), by="bob")
    assert game.xd("ann") == 2
    game.does(AWARD)
    assert game.xd("ann") == 4


def test_a_payback_is_worth_at_least_its_genre_expectation():
    game = Game()
    game.does(ListExpectation("the rescue", "payback", 3))
    game.does(ListExpectation("the feud", "payback", 2, game.bob))
    game.does(ListExpectation("the chase", "gimme", 2))
    rescue = ClaimPayback(None, "the rope", player="bob", expectation="the rescue")
    assert may(game, rescue) == ["gm", "bob"]
    assert game.only(game.does(rescue), PaybackPaid).n == 3
    feud = ClaimPayback(None, "a duel", expectation="the feud", interest=True)
    assert may(game, feud) == ["bob"]
    assert game.only(game.does(feud, Agree(), by="bob"), PaybackPaid).n == 3


@pytest.mark.parametrize("name", ["the chase", "the feud", "odd"])
def test_a_payback_names_an_expectation_that_gives_paybacks_to_its_player(name: str):
    game = Game()
    game.does(ListExpectation("the feud", "payback", 2, "bob"))
    game.does(ListExpectation("the chase", "gimme", 2))
    assert game.refuses(ClaimPayback(None, "a duel", player="ann", expectation=name)) == "no-such-expectation"
