"""What guards refuse or let pass: each condition was removed, and no other test failed."""

from __future__ import annotations

import pytest

from ledger.rules.kernel import commands
from ledger.rules.kernel.facts import SeatRemoved
from ledger.rules.kernel.subjects import seat
from ledger.rules.scattershot.actions import ForfeitAction
from ledger.rules.scattershot.conditions import SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import StartFlurry, StepFlurry
from ledger.rules.scattershot.mechanical_play import EndTurn, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.proprietorship import IntroduceElement
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.results import CloseApplication
from ledger.rules.scattershot.rolls import ReplaceRoll
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.offering import may, offers
from tests.rules.world import Told

DODGE = Oppose("dodge", "agility")


def react(game: Game, faces: tuple[int, int]) -> str:
    """Ann, Off-Guard towards Bob, reacts to his Action with these faces."""
    game.does(SetOffGuard(game.ann, (game.bob,)))
    id = game.act(game.bob, engages=(game.ann,))
    game.does(ReactOffGuard(id, game.ann, faces))
    return id


def test_who_opposes_what_it_noticed_may_look_at_it() -> None:
    game = Game()
    id = react(game, (1, 1))
    game.does(AnswerEngagement(id, game.ann, DODGE))
    assert game.does(DeclareAction(game.ann, "look", "observation", engages=(game.bob,))).facts


def test_nobody_is_passive_twice() -> None:
    game = Game()
    id = game.act(game.bob, engages=(game.ann,))
    passive = AnswerEngagement(id, game.ann, passive=True)
    assert may(game, passive) == ["gm", "ann"]
    game.does(passive)
    assert may(game, passive) == [] and game.refuses(passive) == "wrong-phase"


def test_who_noticed_nothing_is_told_so() -> None:
    game = Game()
    id = react(game, (10, 10))
    assert game.refuses(AnswerEngagement(id, game.ann, DODGE)) == "off-guard"


def test_a_turn_ends_though_who_left_play_owes_the_last_step() -> None:
    game = Game(epic_index=1)
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    game.does(StartFlurry(game.bob, game.ann, "Brawl", ("jab",)))
    game.does(StepFlurry("jab"))
    assert game.refuses(EndTurn(game.bob)) == "last-step-outstanding"
    game.does(commands.Retire(game.bob, "enough"))
    assert game.does(EndTurn(game.bob)).facts


def test_nobody_introduces_a_character_as_an_element() -> None:
    game = Game()
    assert game.refuses(IntroduceElement(game.bob), by="ann") == "not-proprietor"
    assert may(game, IntroduceElement(game.bob)) == []


@pytest.mark.parametrize(("mechanical", "expected"), [(False, ["gm", "ann"]), (True, [])])
def test_dice_replace_no_roll_in_mechanical_play(mechanical: bool, expected: list[str]) -> None:
    game = Game(preempt="replace")
    game.dice("ann", 1)
    if mechanical:
        game.fight(game.ann, game.bob, by="ann")
        game.does(StartTurn(game.ann))
    id = game.decision(game.ann)
    game.does(ContributeDie(id, face=3), by="ann")
    assert may(game, ReplaceRoll(id, "actor")) == expected


def test_nobody_forfeits_an_action_in_a_resolution_that_is_closed() -> None:
    """A closed resolution is kept until somebody has named the consequences."""
    game = Game()
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    id = game.basic(8, {game.ann: 0}, who=game.bob)
    forfeits = ForfeitAction(game.ann, id)
    assert may(game, forfeits) == ["gm", "ann"]
    game.does(ReachOutcome(id))
    game.does(CloseApplication(id))
    assert may(game, forfeits) == []
    assert game.refuses(forfeits) == "not-engaged-on-anothers-turn"


def test_a_gamemaster_hands_over_the_character_of_a_seat_that_is_gone() -> None:
    game = Game()
    hands_over = commands.HandOver(game.bob, "ann")
    assert may(game, hands_over) == ["bob"]
    game.past.tell([(seat("bob"), Told(game.number, 0, SeatRemoved()))])
    assert offers(game, hands_over, "gm")
