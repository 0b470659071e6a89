"""Offers that the laws of all games check too seldom: who is waited for, answers, Actions."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel import commands
from ledger.rules.scattershot.actions import ExpendAction, ForfeitAction, TakeFreeAction
from ledger.rules.scattershot.advantage import HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.conditions import GoAllOut, SetOffGuard
from ledger.rules.scattershot.consequences import Consequences, Gained, NameConsequences
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.flurries import StartFlurry
from ledger.rules.scattershot.listings import ListAbility, ListedDefault
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, EndRound, EndTurn, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.power import RuleFightLeft
from ledger.rules.scattershot.ratings import Default
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.results import ChooseResults, CloseApplication, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import OGRE, Game
from tests.rules.scattershot.offering import doings, may, waits


@pytest.fixture
def game() -> Game:
    return Game()


# --- who is waited for -----------------------------------------------------------------------------------------------


def test_only_the_engaged_is_waited_for_and_only_its_player_says_how_it_responds(game: Game) -> None:
    assert waits(game) == {("gm", None, None)}
    id = game.act(game.ann, engages=(game.bob,))
    assert waits(game) == {("bob", "engage.player", game.bob)}
    assert may(game, AnswerEngagement(id, game.bob)) == ["gm", "ann", "bob", "cid"], "anybody puts the question"
    assert may(game, AnswerEngagement(id, game.bob, Oppose("a parry", "agility"))) == ["gm", "bob"]
    assert may(game, AnswerEngagement(id, game.bob, passive=True)) == ["gm", "bob"]
    assert may(game, AnswerEngagement(id, game.cid)) == may(game, CloseOpportunity(id)) == []
    game.does(AnswerEngagement(id, game.bob, Oppose("a parry", "agility")))
    assert waits(game) == {("ann", "resolve.phases", game.ann)}


def test_each_side_is_waited_for_until_it_has_rolled(game: Game) -> None:
    id = game.decision(game.ann, oppose={game.bob: "agility", game.ogre: "agility"})
    rolls = {("ann", game.ann), ("bob", game.bob), ("gm", game.ogre)}
    assert waits(game) == {(player, "mib.basic", id) for player, id in rolls}
    assert may(game, RollMib(id, game.bob)) == ["gm", "bob"] and may(game, CloseDecision(id)) == []
    for roll in ("actor", game.bob, game.ogre):
        game.does(RollMib(id, roll, (5, 5)))
    assert waits(game) == {("ann", "mib.close", game.ann)}
    assert may(game, RollMib(id)) == []


def test_turns_go_to_the_right_and_everybody_sees_whose_it_is(game: Game) -> None:
    game.fight(by="bob")
    assert waits(game) == {("bob", "mech.order", game.bob)}
    assert may(game, StartTurn(game.bob)) == ["gm", "bob"] and may(game, StartTurn(game.ann)) == []
    game.does(StartTurn(game.bob))
    assert may(game, EndTurn(game.bob)) == ["gm", "bob"] and may(game, ExpendAction(game.bob, cost=2)) == ["gm", "bob"]
    game.does(ExpendAction(game.bob))
    assert may(game, ExpendAction(game.bob, cost=2)) == []
    game.does(EndTurn(game.bob))
    assert waits(game) == {("ann", "mech.order", game.ann)}
    game.turn(game.ann, game.ogre, game.cid)
    assert waits(game) == {("gm", "mech.order", None)} and may(game, EndRound()) == ["gm", "ann", "bob", "cid"]


def test_who_has_results_is_waited_for_to_choose_them_and_not_to_end_the_turn(game: Game) -> None:
    game.fight(by="ann")
    game.does(StartTurn(game.ann))
    assert doings(game) == {("ann", EndTurn)}
    id = game.basic(3, {game.bob: 1}, who=game.ann)
    assert doings(game) == {("ann", ReachOutcome)}
    game.does(ReachOutcome(id))
    assert doings(game) == {("ann", ChooseResults)}
    assert may(game, EndTurn(game.ann)) == may(game, CloseApplication(id)) == ["gm", "ann"]
    game.does(ChooseResults(id, (Result(),)))
    assert doings(game) == {("ann", EndTurn)}


def test_who_opposed_and_came_out_ahead_is_waited_for_to_choose_and_where_nobody_did_the_end_is(game: Game) -> None:
    id = game.basic(-1, {game.bob: 2}, who=game.ann)
    game.does(ReachOutcome(id))
    assert doings(game) == {("bob", ChooseResults)}
    game.does(CloseApplication(id))
    id = game.basic(-1, {game.bob: -2}, who=game.ann)
    game.does(ReachOutcome(id))
    assert doings(game) == {("ann", CloseApplication)}


def test_who_suffers_a_juncture_is_waited_for_and_divides_no_more_than_there_is(game: Game) -> None:
    id = game.basic(7, {game.bob: -2}, who=game.ann)
    game.does(ReachOutcome(id))
    assert ("bob", "juncture.telling-blow", game.bob) in waits(game)
    said = Consequences("a scar", (Gained("Scarred"),), benefits=1)
    assert may(game, NameConsequences(id, 0, said)) == ["gm", "bob"]
    for beyond in (
        Consequences("", (Gained("Lame", 2),)),
        Consequences("", benefits=2),
        Consequences("", until="scene"),
    ):
        assert may(game, NameConsequences(id, 0, beyond)) == []


# --- answers ---------------------------------------------------------------------------------------------------------


def test_who_noticed_must_respond_as_long_as_there_is_anything_to_pay_with(game: Game) -> None:
    game.does(SetOffGuard(game.ann, (game.ogre,)))
    game.fight(by="gm")
    game.does(StartTurn(game.ogre))
    id = game.act(game.ogre, engages=(game.ann,), nature="attack")
    assert may(game, AnswerEngagement(id, game.ann, Oppose("a parry", "agility"))) == []
    assert may(game, ReactOffGuard(id, game.ann)) == ["gm", "ann"]
    game.does(ReactOffGuard(id, game.ann, (1, 1)))
    assert may(game, AnswerEngagement(id, game.ann, passive=True)) == []
    assert waits(game) >= {("ann", "engage.player", game.ann)}
    game.does(GoAllOut(game.ann, "attack"))
    assert may(game, AnswerEngagement(id, game.ann, passive=True)) == ["gm", "ann"]


def test_no_defense_after_an_all_out_attack_and_no_dodge(game: Game) -> None:
    game.fight(by="gm")
    game.does(StartTurn(game.ogre))
    id = game.act(game.ogre, engages=(game.bob,))
    parry = AnswerEngagement(id, game.bob, Oppose("a parry", "agility"))
    dodge = TakeFreeAction(game.bob, "last-ditch-dodge")
    assert may(game, parry) == may(game, dodge) == may(game, ForfeitAction(game.bob, id)) == ["gm", "bob"]
    game.does(GoAllOut(game.bob, "attack"))
    assert may(game, parry) == may(game, dodge) == []
    assert may(game, AnswerEngagement(id, game.bob, Oppose("a blow", "Brawl", nature="attack"))) == ["gm", "bob"]
    for _ in range(2):
        game.does(ForfeitAction(game.bob, id))
    assert may(game, ForfeitAction(game.bob, id)) == []


# --- Actions ---------------------------------------------------------------------------------------------------------


def test_who_has_no_fight_left_does_not_attack_until_it_is_ruled(game: Game) -> None:
    blow = DeclareAction(game.bob, "a blow", subject=game.ann, nature="attack")
    assert may(game, blow) == ["gm", "bob"] and may(game, RuleFightLeft(game.bob, "rage")) == []
    account = f"character:{game.bob}/resource:hit-points"
    game.does(commands.Adjust(account, "bank/resource", "resource", 10, "a wall fell on it"))
    assert may(game, blow) == [] and may(game, DeclareAction(game.bob, "a groan")) == ["gm", "bob"]
    game.does(RuleFightLeft(game.bob, "rage"))
    assert may(game, blow) == ["gm", "bob"]


def test_nobody_looks_at_whom_he_is_off_guard_towards(game: Game) -> None:
    game.does(SetOffGuard(game.ann, (game.bob,)))
    for looked_at in ({"subject": game.bob}, {"engages": (game.bob,)}):
        assert may(game, DeclareAction(game.ann, "looks", "observation", **looked_at)) == []
    assert may(game, DeclareAction(game.ann, "looks", "observation", "the door", (game.cid,))) == ["gm", "ann"]
    assert may(game, DeclareAction(game.ann, "strikes", "agility", game.bob)) == ["gm", "ann"]
    game.does(SetOffGuard(game.ann, (), game.cid))
    assert may(game, DeclareAction(game.ann, "looks", "observation", "the door")) == []
    assert may(game, DeclareAction(game.ann, "looks", "observation", game.cid)) == ["gm", "ann"]


def test_a_default_is_no_way_around_what_is_barred_or_special(game: Game) -> None:
    def cooks(**more: Any) -> DeclareAction:
        ability = more.pop("ability", "Cooking")
        return DeclareAction(more.pop("who", game.bob), "tries", default=Default(ability, **more))

    assert may(game, cooks(difficulty="easy")) == ["gm", "bob"]
    for allowed in (False, True):
        assert may(game, cooks(who=game.ann, difficulty="easy", allowed=allowed)) == []
    assert may(game, cooks()) == []
    assert may(game, cooks(related="Tactics", modifier=-2)) == ["gm", "bob"]
    assert may(game, cooks(related="Fencing")) == []
    game.does(ListAbility("Strategy", "easy", defaults=(ListedDefault("Tactics", -2),)))
    assert may(game, cooks(ability="Strategy")) == ["gm", "bob"], "its listing says the rest"
    assert may(game, cooks(ability="Flight", difficulty="easy", special=True)) == []
    assert may(game, cooks(ability="Flight", difficulty="easy", special=True, allowed=True)) == ["gm", "bob"]


def test_power_is_there_for_what_is_offered(game: Game) -> None:
    bolt = DeclareAction(game.cid, "a bolt", "Firebolt")
    assert may(game, bolt) == ["gm", "cid"]
    game.does(commands.Adjust(f"character:{game.cid}/resource:power", "bank/resource", "resource", 9, "tired"))
    assert may(game, bolt) == []


def test_a_few_may_fight_as_single_persons_and_only_in_melee_somebody_has_advantage(game: Game) -> None:
    more = [game.enrol(f"Guard {n}", OGRE) for n in range(4)]
    everybody = (game.ann, game.bob, game.cid, game.ogre, *more)
    assert may(game, CallMechanicalPlay(everybody)) == [] and may(game, CallMechanicalPlay(everybody[:7])) != []
    assert may(game, CallMechanicalPlay(everybody, "squad", caller="bob")) == ["gm", "bob"]
    game.fight(game.ann, game.bob, melee=False)
    seize = SeizeAdvantage(game.ann, game.bob, "Reach")
    assert may(game, seize) == may(game, StartFlurry(game.ann, game.bob, "Fencing")) == []


def test_advantage_is_taken_or_yielded_and_held_up_to_the_index() -> None:
    game = Game(epic_index=2)
    game.fight()
    seize, hold = SeizeAdvantage(game.ann, game.bob, "Reach"), HoldAdvantage(game.ann, game.bob, "Pressing")
    assert may(game, seize) == ["gm", "ann", "bob"] and may(game, hold) == []
    game.does(seize)
    assert may(game, seize) == [] and may(game, hold) == ["gm", "ann"]
    game.does(hold)
    assert may(game, hold) == []
