"""3.1: modes of Play, proprietorship, consent; Sessions and scenes."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import CloseScene, CloseSession, HandOver, OpenSession, SetDial
from ledger.rules.kernel.subjects import CAMPAIGN, scene
from ledger.rules.scattershot.agreement import MakeRuling, RulingMade
from ledger.rules.scattershot.awards import CastVote
from ledger.rules.scattershot.cashing_in import Develop
from ledger.rules.scattershot.conditions import EndResidual, PlaceResidual
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.game import Attend, PassWord, SeatPlayers, ShiftMode
from ledger.rules.scattershot.listings import ListExpectation
from ledger.rules.scattershot.plot_devices import PlotDevice
from ledger.rules.scattershot.proprietorship import (
    AnswerConsent,
    AskConsent,
    ChangeElement,
    IntroduceElement,
    TransferProprietorship,
)
from ledger.rules.scattershot.rolls import RollMib
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game


def mode(game: Game) -> str:
    return str(game.state(scene(game.scene_id)).mode)


def test_modes():
    game = Game()
    for wanted in ("solo", "general", "specific"):
        game.does(ShiftMode(wanted, "so"), by="ann")
        assert mode(game) == wanted
    assert game.refuses(ShiftMode("mechanical")) == "not-in-mechanical-play"
    assert Game(scene=False).refuses(ShiftMode("general")) == "not-in-this-scene"


def test_general_play_has_no_mechanics_but_plot_devices():
    game = Game()
    game.dice("ann", 1)
    id = game.decision(game.ann)
    game.does(ShiftMode("general"))
    code = "no-mechanics-in-general-play"
    assert game.refuses(DeclareAction(game.ann, "run")) == code
    assert game.refuses(RollMib(id)) == code
    assert game.does(PlotDevice("a flood", player="ann"), (4,)).facts


def test_solo_play_has_no_dice_but_for_development():
    game = Game()
    game.dice("ann", 2)
    id = game.decision(game.ann)
    game.does(ShiftMode("solo"))
    assert game.refuses(PlotDevice("a flood"), by="ann") == "not-in-solo-play"
    assert game.refuses(ContributeDie(id), by="ann") == "not-in-solo-play"
    assert game.does(Develop(game.ann, 1), (6,), by="ann").facts
    assert game.refuses(ChangeElement(game.bob, "shaved"), by="ann") == "not-proprietor"
    assert game.does(ChangeElement(game.ann, "shaved"), by="ann").facts


def test_the_speaker():
    game = Game()
    game.does(PassWord("bob"), by="ann")
    assert game.state(scene(game.scene_id)).speaker == "bob"
    assert game.refuses(PassWord("o")) == "not-at-the-table"
    game.fight()
    assert game.refuses(PassWord("ann")) == "not-in-mechanical-play"


@pytest.mark.parametrize(
    ("do", "by", "owner"),
    [
        (IntroduceElement("the bridge"), "ann", "ann"),
        (IntroduceElement("the bridge", world=True), "ann", "gm"),
        (IntroduceElement("the bridge", "2"), "ann", "bob"),
        (IntroduceElement("the club", "4"), "ann", "gm"),
        (IntroduceElement("the bridge", player="cid"), "gm", "cid"),
    ],
)
def test_whose_an_element_is(do, by, owner):
    game = Game()
    assert game.does(do, by=by).facts[0].fact.proprietor == owner
    assert game.view(CAMPAIGN)["elements"][do.element]["proprietor"] == owner
    assert game.refuses(do, by=by) == "not-proprietor"


def test_handing_on():
    game = Game()
    game.does(IntroduceElement("the bridge"), by="ann")
    assert game.refuses(TransferProprietorship("the bridge", "bob"), by="gm") == "not-proprietor"
    assert game.refuses(TransferProprietorship("the bridge", "o"), by="ann") == "not-at-the-table"
    game.does(TransferProprietorship("the bridge", "bob"), by="ann")
    assert game.refuses(TransferProprietorship("the bridge", "cid"), by="ann") == "not-proprietor"
    game.does(TransferProprietorship("the moon", "cid"), by="gm")
    assert game.refuses(HandOver(game.ann, "bob")) == "not-proprietor"
    game.does(HandOver(game.ann, "bob"), by="ann")
    assert game.refuses(DeclareAction(game.ann, "run"), by="ann") == "not-proprietor"


def test_consent():
    game = Game()
    game.does(IntroduceElement("the bridge"), by="ann")
    burnt = ChangeElement("the bridge", "burnt")
    assert game.refuses(burnt, by="bob") == "proprietor-not-asked"
    assert game.refuses(AnswerConsent("the bridge", "burnt"), by="bob") == "not-proprietor"
    assert game.refuses(AnswerConsent("the bridge", "burnt", "maybe"), by="ann") == "bad-consent"
    assert game.refuses(AnswerConsent("the bridge", "burnt", "tacit"), by="bob") == "proprietor-not-asked"
    game.does(AskConsent("the bridge", "burnt"), by="bob")
    assert game.refuses(burnt, by="bob") == "proprietor-not-asked"
    game.does(AnswerConsent("the bridge", "burnt", "refused"), by="ann")
    assert game.refuses(burnt, by="bob") == "proprietor-refused"
    for _ in range(2):
        assert game.refuses(AnswerConsent("the bridge", "burnt", "tacit"), by="bob") == "proprietor-refused"
        game.does(AskConsent("the bridge", "burnt"), by="bob")
    game.does(AnswerConsent("the bridge", "burnt"), by="ann")
    game.does(AskConsent("the bridge", "burnt"), by="bob")
    game.does(burnt, by="bob")
    game.does(burnt, by="ann")
    assert game.does(burnt, by="bob").facts
    game.does(AnswerConsent("the bridge", "burnt", "refused"), by="ann")
    game.does(burnt, by="ann")
    assert game.refuses(burnt, by="bob") == "proprietor-refused"


def test_tacit_consent_of_who_is_present():
    game = Game()
    game.does(IntroduceElement("the bridge"), by="ann")
    game.does(OpenSession())
    game.does(Attend(("gm", "bob")))
    tacit = AnswerConsent("the bridge", "burnt", "tacit")
    assert game.refuses(tacit, by="bob") == "proprietor-not-asked"
    game.does(Attend(("gm", "ann", "bob")))
    game.does(tacit, by="bob")
    assert game.does(ChangeElement("the bridge", "burnt"), by="bob").facts


def test_who_is_at_the_table():
    game = Game()
    id = game.decision(game.ann)
    loan = ContributeDie(id, "loaner", 3, -1, player="cid")
    game.does(OpenSession())
    assert game.view(CAMPAIGN)["begun"]
    game.does(Attend(("gm", "ann", "bob")))
    assert game.refuses(loan) == "not-at-the-table"
    assert game.refuses(ContributeDie(id, player="o")) == "not-at-the-table"
    assert game.refuses(Attend(("o",))) == "not-at-the-table"
    assert game.refuses(SeatPlayers(("gm", "gm"))) == "not-at-the-table"
    session = game.table().session
    assert session is not None
    game.does(CloseSession(session))
    assert game.does(loan).facts


def test_residual_modifiers_of_the_session_end_with_it():
    game = Game()
    game.does(OpenSession())
    session = game.table().session
    game.does(PlaceResidual(game.ann, -1, "uphill", "a ruling"))
    game.does(PlaceResidual(game.ann, -2, "in the dark", "a ruling", "for ever"))
    game.does(CloseSession(session or ""))
    assert [one.amount for one in game.character(game.ann).residuals] == [-2]
    left = game.character(game.ann).residuals[0].residual
    game.does(EndResidual(game.ann, left))
    assert game.refuses(EndResidual(game.ann, left)) == "bad-number"
    too_soon = PlaceResidual(game.ann, -1, "uphill", "telling-blow", "scene")
    assert game.refuses(too_soon) == "ends-too-soon"


def test_no_scene_closes_over_dice_on_the_table():
    game = Game()
    id = game.decision(game.ann)
    game.does(ContributeDie(id, "loaner", 3, player="bob"))
    assert game.refuses(CloseScene(game.scene_id)) == "wrong-phase"
    game.does(RollMib(id), (5, 5))
    game.does(CloseDecision(id))
    game.fight(by="bob")
    told = [type(about.fact).__name__ for about in game.does(CloseScene(game.scene_id)).facts]
    assert "MechanicalPlayEnded" in told


def test_rulings_votes_and_expectations():
    game = Game()
    assert type(game.does(MakeRuling("gills", "of no use")).facts[0].fact) is RulingMade
    assert game.does(CastVote("ann for MVP"), by="bob").facts[0].fact.voter == "bob"
    assert game.refuses(ListExpectation("x", "gimme", -1)) == "bad-number"
    game.does(ListExpectation("the villain", "gimme", 2))
    assert game.view(CAMPAIGN)["expectations"]["the villain"]["value"] == 2


@pytest.mark.parametrize(("mode", "asked"), [("specific", ["ann", "bob", "cid"]), ("solo", ["ann"])])
def test_before_the_totals_those_are_asked_who_can_still_do_something(mode: str, asked: list[str]):
    game = Game()
    game.does(SetDial("forced_steps", "by_ledger", "faster"))
    id = game.decision(game.ann)
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(ShiftMode(mode))
    question = game.asks(CloseDecision(id))
    assert [each.seat for each in (question, *question.beside)] == asked
