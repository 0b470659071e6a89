"""Offers that the laws of all games check too seldom: results, Experience Dice, elements."""

from __future__ import annotations

import pytest

from ledger.rules.kernel import commands
from ledger.rules.kernel.moves import Among
from ledger.rules.kernel.offers import list_offers
from ledger.rules.scattershot.cashing_in import CashIn, Develop
from ledger.rules.scattershot.challenges import TakeBenefit, TakeChallenge
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement
from ledger.rules.scattershot.evolving import RaiseRating
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.game import Attend
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.plot_devices import DeviceDie, PlotDevice
from ledger.rules.scattershot.proprietorship import (
    AnswerConsent,
    AskConsent,
    ChangeElement,
    IntroduceElement,
    TransferProprietorship,
)
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.rolls import RollMib
from ledger.rules.scattershot.state import Advantage, Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game
from tests.rules.scattershot.offering import may, seen, waits


@pytest.fixture
def game() -> Game:
    return Game()


# --- the Application Phase -------------------------------------------------------------------------------------------


def test_who_is_ahead_spends_its_lead_and_then_nobody_takes_a_challenge(game: Game) -> None:
    id = game.basic(6, {game.bob: 4}, who=game.ann)
    assert may(game, TakeBenefit(id, n=2)) == ["gm", "ann"] and may(game, TakeBenefit(id, n=3)) == []
    assert may(game, TakeBenefit(id, side=game.bob)) == []
    assert may(game, TakeChallenge(id, n=4, side=game.bob)) == ["gm", "bob"]
    assert may(game, TakeChallenge(id, n=5, side=game.bob)) == []
    game.does(TakeBenefit(id))
    assert may(game, TakeChallenge(id, side=game.bob)) == []
    assert waits(game) == {("ann", "apply.outcome", game.ann)}


def test_a_player_hurts_who_is_engaged_and_lays_nobody_elses_armour_aside(game: Game) -> None:
    id = game.basic(5, {game.bob: 1}, who=game.ann)
    game.does(ReachOutcome(id))
    assert may(game, ChooseResults(id, (Result(weapon="long-sword"),))) == ["gm", "ann"]
    assert may(game, ChooseResults(id, (Result(protection=()),))) == ["gm"]
    assert may(game, ChooseResults(id, (Result(character=game.cid),))) == ["gm"]
    assert may(game, ChooseResults(id, (Result("residual"),), side=game.bob)) == []


def test_all_grades_of_a_gimme_are_one_move(game: Game) -> None:
    """One for all Disadvantages that can have the same grades."""
    own = Sheet(disadvantages=(Advantage("Proud", 3), Advantage("Bad Knee", 4), Advantage("Shy", 1)))
    game.does(commands.Enrol("Dee", "bob", own))
    moves = [each.move.fields for each in list_offers(game.ruleset, seen(game, "bob")) if each.move.do is ClaimGimme]
    assert [(fields["disadvantage"], fields["grade"]) for fields in moves] == [
        (Among(("Slow",)), Among(("solid",))),  # of the Persona that Bob has
        (Among(("Shy",)), Among(("solid",))),
        (Among(("Bad Knee", "Proud")), Among(("solid", "minor", "mediocre"))),
    ]


# --- dice ------------------------------------------------------------------------------------------------------------


def test_a_die_that_lies_on_the_table_is_not_there_a_second_time(game: Game) -> None:
    game.dice("ann", 1)
    id = game.decision(game.ann, oppose={game.bob: "agility", game.ogre: "agility"})
    own = ContributeDie(id, against=game.bob)
    assert may(game, own) == ["ann"] and may(game, ContributeDie(id)) == [], "against whom, of two?"
    assert may(game, ContributeDie(id, "loaner", against=game.bob)) == ["gm", "ann", "bob", "cid"]
    assert may(game, commands.CloseScene(game.scene_id)) == ["gm"]
    game.does(ContributeDie(id, face=3, against=game.bob), by="ann")
    assert may(game, own) == [] and may(game, commands.CloseScene(game.scene_id)) == []


def test_who_is_away_rolls_no_dice_and_votes_for_nobody(game: Game) -> None:
    game.does(commands.OpenSession())
    id = game.decision(game.ann)
    assert may(game, ContributeDie(id, "loaner")) == ["ann", "bob", "cid"], "nobody saves a Gamemaster's own"
    device = PlotDevice("a fall", (DeviceDie("loaner"),))
    assert may(game, device) == ["ann", "bob", "cid"]
    game.does(Attend(("gm", "ann")))
    assert may(game, ContributeDie(id, "loaner")) == may(game, device) == ["ann"]


def test_a_saved_loaner_goes_against_its_borrower(game: Game) -> None:
    id = game.decision(game.ann, oppose={game.bob: "agility"})
    game.does(ContributeDie(id, "loaner", 3), by="ann")
    for roll in ("actor", game.bob):
        game.does(RollMib(id, roll, (5, 5)))
    game.does(CloseDecision(id))
    saved = (DeviceDie("saved", borrower="ann"),)
    assert may(game, PlotDevice("a fall", saved, target="ann")) == ["bob"]
    assert may(game, PlotDevice("a fall", saved, subject=game.ann)) == ["bob"]
    assert may(game, PlotDevice("a fall", saved, target="cid")) == []
    game.fight()
    assert may(game, PlotDevice("a fall", saved, target="ann")) == []


def test_a_payback_is_had_once(game: Game) -> None:
    claim = ClaimPayback(occasion="a cue", player="ann")
    assert may(game, claim) == ["gm", "ann"]
    game.does(claim)
    assert may(game, claim) == [] and may(game, ClaimPayback(occasion="another", player="ann")) == ["gm", "ann"]


def test_points_and_dice_are_offered_as_far_as_they_go(game: Game) -> None:
    game.dice("ann", 2)
    assert may(game, Develop(game.ann, 2)) == ["gm", "ann"] and may(game, Develop(game.ann, 3)) == []
    assert may(game, Develop(game.ogre, 0, 1)) == [], "no Gamemaster's"
    assert may(game, RaiseRating(game.ann, "agility")) == []
    game.does(commands.Adjust("bank/dp", f"character:{game.ann}/dp", "dp", 2, "a summer"))
    assert may(game, RaiseRating(game.ann, "Riding", 2, skill=Skill("Riding", "easy"))) == ["gm", "ann"]
    assert may(game, RaiseRating(game.ann, "Riding")) == may(game, RaiseRating(game.ann, "agility", 3)) == []
    assert may(game, CashIn(game.ann, "agility", 3)) == ["gm", "ann"], "1 point stays in a Statistic"
    assert may(game, CashIn(game.ann, "agility", 4)) == may(game, CashIn(game.ann, "Reckless")) == []


# --- elements --------------------------------------------------------------------------------------------------------


def test_whose_it_is_says_what_becomes_of_it(game: Game) -> None:
    change = ChangeElement("the bridge", "broken")
    assert may(game, change) == ["gm"], "what nobody knows is the world's"
    game.does(IntroduceElement("the bridge"), by="bob")
    assert may(game, change) == ["bob"] and may(game, TransferProprietorship("the bridge", "cid")) == ["bob"]
    assert may(game, IntroduceElement("the bridge")) == may(game, TransferProprietorship(game.bob, "ann")) == []
    game.does(AskConsent("the bridge", "broken"), by="ann")
    assert may(game, AnswerConsent("the bridge", "broken")) == ["bob"]
    assert may(game, AnswerConsent("the bridge", "broken", claimed=True, reason="a nod")) == ["gm", "bob"]
    assert may(game, AnswerConsent("the bridge", "burnt", "tacit")) == []
    game.does(AnswerConsent("the bridge", "broken"), by="bob")
    assert may(game, change) == ["gm", "ann", "bob", "cid"]


def test_a_gamemaster_hands_over_nobody_elses_character(game: Game) -> None:
    assert may(game, commands.HandOver(game.ogre, "ann")) == ["gm"]
    assert may(game, commands.HandOver(game.bob, "ann")) == ["bob"]


def test_where_all_players_decide_each_still_speaks_for_its_own() -> None:
    game = Game(deciders="all_players")
    id = game.act(game.ann, engages=(game.bob,))
    assert may(game, AnswerEngagement(id, game.bob, passive=True)) == ["gm", "bob"]
    assert may(game, DeclareAction(game.cid, "waits")) == ["gm", "cid"]


# --- what a game master set right ------------------------------------------------------------------------------------


def _taken(game: Game, account: str) -> None:
    unit = account.partition("/")[2].partition(":")[0]
    game.does(commands.Adjust(account, f"bank/{unit}", unit, game.balance(account), "for the test"))


def test_the_totals_are_called_though_the_dice_on_the_table_were_taken_from_its_account(game: Game) -> None:
    """This was offered and then refused, because the scene's account was short."""
    game.dice("ann", 2)
    id = game.decision(game.ann)
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(ContributeDie(id, face=3), by="ann")
    table = f"scene:{game.scene_id}/xd"
    _taken(game, table)
    assert may(game, CloseDecision(id))
    game.does(CloseDecision(id))
    assert game.xd("ann") == 1 and game.balance(table) == 0


def test_a_loaner_is_paid_back_as_far_as_it_is_owed(game: Game) -> None:
    for actor, by, die in ((game.ann, "bob", "loaner"), (game.ogre, "gm", "saved")):
        id = game.decision(actor, subject=game.bob if die == "saved" else None)
        game.does(RollMib(id, "actor", (5, 5)))
        game.does(ContributeDie(id, die, 3, borrower="bob" if die == "saved" else None), by=by)
        if die == "saved":
            assert game.karmic("bob") == -1
            _taken(game, "seat:bob/karmic")
        game.does(CloseDecision(id))
    assert game.karmic("bob") == 0 and game.saved("gm", "bob") == 0
