"""Offers that other tests do not check: each condition was removed, and few other tests failed."""

from __future__ import annotations

from ledger.rules.kernel import commands
from ledger.rules.scattershot.cashing_in import Develop
from ledger.rules.scattershot.challenges import TakeChallenge
from ledger.rules.scattershot.consequences import Consequences, NameConsequences
from ledger.rules.scattershot.evolving import BuyTrait
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import StartFlurry
from ledger.rules.scattershot.game import PassWord, ShiftMode
from ledger.rules.scattershot.mechanical_play import StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.results import CloseApplication
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.offering import may


def test_no_more_loaners_are_rolled_than_the_table_allows() -> None:
    game = Game(loaner_limit=1)
    game.dice("ann", 1)
    assert may(game, Develop(game.ann, 1, 1)) == ["gm", "ann"]
    assert may(game, Develop(game.ann, 1, 2)) == []


def test_challenges_already_taken_count() -> None:
    game = Game(epic_index=2)
    id = game.basic(1)
    game.does(TakeChallenge(id))
    assert may(game, TakeChallenge(id)) == ["gm", "ann"] and may(game, TakeChallenge(id, n=2)) == []


def test_consequences_are_named_once_also_when_the_resolution_is_closed() -> None:
    game = Game()
    id = game.basic(8, {game.bob: 0})
    game.does(ReachOutcome(id))
    names = NameConsequences(id, 0, Consequences("a scar"))
    assert may(game, names) == ["gm", "bob"]
    game.does(CloseApplication(id))
    assert may(game, names) == ["gm", "bob"]
    game.does(names)
    assert may(game, names) == []


def test_consequences_that_are_named_are_not_offered_again() -> None:
    game = Game()
    id = game.basic(8, {game.bob: 0})
    game.does(ReachOutcome(id))
    names = NameConsequences(id, 0, Consequences("a scar"))
    game.does(names)
    assert may(game, names) == []


def test_nobody_rolls_experience_dice_in_solo_play() -> None:
    game = Game()
    game.dice("ann", 1)
    id = game.decision(game.ann)
    assert may(game, ContributeDie(id)) == ["ann"]
    game.does(ShiftMode("solo"))
    assert may(game, ContributeDie(id)) == []


def test_without_an_epic_index_there_are_no_flurries() -> None:
    for index, seats in ((1, ["gm", "ann"]), (0, [])):
        game = Game(epic_index=index)
        game.fight(game.ann, game.bob, by="ann")
        game.does(StartTurn(game.ann))
        assert may(game, StartFlurry(game.ann, game.bob, "Fencing")) == seats


def test_nobody_passes_the_word_in_mechanical_play() -> None:
    game = Game()
    assert may(game, PassWord("bob")) == ["gm", "ann", "bob", "cid"]
    game.fight()
    assert may(game, PassWord("bob")) == []


def test_an_element_is_bought_with_points() -> None:
    game = Game()
    scar = BuyTrait(game.ann, element="a scar")
    assert may(game, scar) == []
    game.does(commands.Adjust("bank/dp", f"character:{game.ann}/dp", "dp", 1, "a summer"))
    assert may(game, scar) == ["gm", "ann"]
