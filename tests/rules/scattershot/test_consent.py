"""The seat that consents is asked. Only a Gamemaster with a reason can answer for another seat."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.declarations import find_chooser
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.subjects import CAMPAIGN
from ledger.rules.scattershot.actions import AcceptFreeAction, FreeActionDeclined, TakeFreeAction
from ledger.rules.scattershot.agreement import Agree, Decline, DiceDeclined, SpeakFor
from ledger.rules.scattershot.awards import CountCoup
from ledger.rules.scattershot.cashing_in import CashIn, Develop
from ledger.rules.scattershot.challenges import OfferChallenge
from ledger.rules.scattershot.declaring import DeclareAction, PartDeclined
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.evolving import BuyTrait
from ledger.rules.scattershot.game import ShiftMode
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback
from ledger.rules.scattershot.joining import EndMechanicalPlay
from ledger.rules.scattershot.limits import LimitPoints
from ledger.rules.scattershot.listings import ListFreeSkill
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, StartTurn
from ledger.rules.scattershot.proprietorship import AnswerConsent, ChangeElement, IntroduceElement
from ledger.rules.scattershot.ratings import Default
from ledger.rules.scattershot.rolls import RollMib
from ledger.rules.scattershot.state import Advantage, Sheet
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


def told(verdict: Any, cls: type[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts if type(about.fact) is cls]


def grown() -> Game:
    game = Game()
    game.does(Develop(ANN, 0, 3, (6, 6, 6)))
    game.dice("ann", 2)
    return game


def challenged() -> tuple[Game, str]:
    game = Game()
    return game, game.basic(-1)


# --- who says it -----------------------------------------------------------------------------------------------------


def test_a_yes_or_no_is_of_who_is_asked_and_for_another_only_a_gamemasters():
    assert (find_chooser(Agree()), find_chooser(Decline()), find_chooser(SpeakFor(True, "so"))) == (
        "asked",
        "asked",
        "gm",
    )


#: Everything that is asked for consent: what was done before, the input, by whom, who is asked.
CONSENTS: tuple[tuple[tuple[Any, ...], Any, str, str], ...] = (
    ((), CountCoup("bob", 1, "a Keeper"), "ann", "gm"),
    ((), ClaimGimme(ANN, "Reckless"), "ann", "gm"),
    ((), ClaimPayback(occasion="a cue"), "ann", "gm"),
    ((), CashIn(ANN, "Fencing", 2), "ann", "gm"),
    ((), LimitPoints(9, "bob", True), "ann", "bob"),
    ((), BuyTrait(ANN, Advantage("Luck", 1, 1)), "ann", "gm"),
    ((), BuyTrait(ANN, free_skill="Rowing", level=10), "ann", "gm"),
    ((), DeclareAction(ANN, "row", default=Default("Rowing", difficulty="easy")), "ann", "gm"),
    ((), DeclareAction(ANN, "row", player="bob"), "ann", "bob"),
    ((), AcceptFreeAction("a wink"), "ann", "gm"),
    ((CallMechanicalPlay((ANN, BOB), caller="bob"),), EndMechanicalPlay(), "ann", "gm"),
    ((CallMechanicalPlay((ANN, BOB), caller="bob"),), ShiftMode("general"), "ann", "gm"),
)


@pytest.mark.parametrize(("before", "do", "by", "asked"), CONSENTS, ids=lambda one: type(one).__name__)
def test_it_is_a_question_to_that_seat(before, do, by, asked):
    game = grown()
    for one in before:
        game.does(one)
    question = game.asks(do, by=by)
    assert isinstance(question, Ask)
    assert (question.seat, question.kinds) == (asked, (Agree, Decline, SpeakFor))
    assert game.refuses(do, SpeakFor(True, " "), by=by) == "no-reason"
    spoken = game._after(do, (SpeakFor(False, "away from the table"),), by).verdict
    assert spoken is not None, "a no ends the asking"
    assert any(dict(one.given).get("spoken_for") == "away from the table" for one in spoken.because)
    plain = game._after(do, (Decline(),), by).verdict
    assert plain is not None and [type(one.fact) for one in plain.facts] == [type(one.fact) for one in spoken.facts]


def test_a_challenge_is_its_sides_to_take():
    game, id = challenged()
    question = game.asks(OfferChallenge(id), by="bob")
    assert (question.seat, question.kinds) == ("ann", (Agree, Decline, SpeakFor))
    assert len(game.does(OfferChallenge(id), SpeakFor(True, "she nodded"), by="bob").facts) == 2


# --- Free Actions: "any other act accepted as 'Free' by the Group" ---------------------------------------------------


def fighting() -> Game:
    game = Game()
    game.fight()
    game.does(StartTurn(BOB))
    return game


def test_an_act_nobody_accepted_is_no_free_action():
    game = fighting()
    for do in (
        TakeFreeAction(ANN, "a wink"),
        DeclareAction(ANN, "wink", pays="free", free="a wink"),
        DeclareAction(ANN, "stab", subject=BOB, nature="attack", pays="free", free="look-around"),
    ):
        no = game.refusal(do, by="ann")
        assert (no.rule, no.code) == ("scattershot.mech.free", "not-a-free-action")
        assert "look-around" in no.context["accepted"]
    id = game.act(BOB, engages=(ANN,), nature="attack")
    back = AnswerEngagement(id, ANN, Oppose("stab", "agility", nature="attack", pays="free"))
    assert game.refuses(back, by="ann") == "not-a-free-action"
    assert tried(game, AnswerEngagement(id, ANN, Oppose("dodge", "agility", pays="free")), "ann") == "done"


def test_what_the_group_accepts_is_one_from_then_on():
    game = fighting()
    accepts = AcceptFreeAction("a wink")
    for said in ((), (Agree(),), (Agree(), Agree())):
        assert game.asks(accepts, *said, by="ann").seat == ("gm", "bob", "cid")[len(said)]
    no = game.does(accepts, Agree(), Decline(), by="ann")
    assert [(one.action, one.against) for one in told(no, FreeActionDeclined)] == [("a wink", "bob")]
    assert game.refuses(TakeFreeAction(ANN, "a wink")) == "not-a-free-action"
    game.does(accepts, Agree(), Agree(), Agree(), by="ann")
    assert game.view(CAMPAIGN)["free_actions"] == ["a wink"]
    game.does(TakeFreeAction(ANN, "a wink"), by="ann")
    assert game.refuses(TakeFreeAction(ANN, "a wink"), by="ann") == "free-action-kind-limit"
    assert (
        tried(game, DeclareAction(CID, "wink", subject=BOB, nature="attack", pays="free", free="a wink"), "cid")
        == "done"
    )


@pytest.mark.parametrize(
    ("do", "by", "expected"),
    [
        (AcceptFreeAction("a wink", True, "they all nodded"), "gm", "done"),
        (AcceptFreeAction("a wink", True), "gm", "no-reason"),
        (AcceptFreeAction("a wink", True, "they all nodded"), "ann", "not-proprietor"),
        (AcceptFreeAction(" "), "gm", "not-a-free-action"),
    ],
)
def test_or_a_gamemaster_records_it_with_a_reason(do, by, expected):
    assert tried(Game(), do, by) == expected


# --- dice for points given up ----------------------------------------------------------------------------------------


def test_nobody_gives_dice_to_themself_for_points_either():
    game = Game()
    declined = game.does(CashIn(ANN, "Fencing", 2), Decline(), by="ann")
    assert [(one.player, one.claim, one.source) for one in told(declined, DiceDeclined)] == [
        ("ann", "cash-in", "Fencing")
    ]
    assert (game.xd("ann"), game.character(ANN).ratings["Fencing"].points) == (0, 4)
    game.does(CashIn(ANN, "Fencing", 2), Agree(), by="ann")
    assert (game.xd("ann"), game.character(ANN).ratings["Fencing"].points) == (2, 2)
    assert Game(dice_granted_by="group").asks(CashIn(ANN, "Fencing", 2)).seat == "ann"


# --- who plays somebody else's Character -----------------------------------------------------------------------------


def test_who_is_to_play_anothers_character_is_asked():
    game = Game()
    lent = DeclareAction(ANN, "run", player="bob")
    declined = game.does(lent, Decline(), by="ann")
    assert [type(about.fact) for about in declined.facts] == [PartDeclined]
    id = str(game.number)
    game.does(lent, Agree(), by="ann")
    assert game.scene(game.scene_id).resolutions[id].player == "bob"
    assert game.refuses(RollMib(id), by="bob") == "wrong-phase"
    assert tried(game, DeclareAction(ANN, "run", player="ann"), "ann") == "done"
    assert tried(game, DeclareAction(OGRE, "run", player="bob"), "gm") == "done", "a game master records for others"


# --- Free Skills: "The starting level of each Free Skill is given on that list" --------------------------------------


def test_a_free_skill_starts_at_its_listed_level():
    game = grown()
    assert game.refuses(ListFreeSkill("Rowing", "x")) == "bad-number"
    game.does(ListFreeSkill("Rowing", 10))
    assert game.view(CAMPAIGN)["free_skills"] == {"Rowing": 10}
    for level, expected in ((10, "done"), (9, "done"), (11, "beyond-the-listing")):
        sheet = Sheet(free_skills={"Rowing": level})
        assert tried(game, Enrol("Somebody", "ann", sheet), "ann") == expected
        assert tried(game, Enrol("Somebody", "ann", sheet), "gm") == "done"
    assert tried(game, Enrol("Somebody", "ann", Sheet(free_skills={"Humming": 30})), "ann") == "beyond-the-listing"
    assert tried(game, BuyTrait(ANN, free_skill="Rowing", level=10), "ann") == "done"


# --- elements: the Proprietor's word, and a Gamemaster's for them ----------------------------------------------------


@pytest.mark.parametrize("consent", ["explicit", "refused"])
@pytest.mark.parametrize(
    ("by", "claimed", "reason", "expected"),
    [
        ("ann", False, "", "done"),
        ("bob", False, "", "not-proprietor"),
        ("bob", True, "she nodded", "not-proprietor"),
        ("gm", False, "", "not-proprietor"),
        ("gm", True, " ", "no-reason"),
        ("gm", True, "she nodded", "done"),
    ],
)
def test_consent_to_a_change_is_the_proprietors(consent, by, claimed, reason, expected):
    game = Game()
    game.does(IntroduceElement("the bridge"), by="ann")
    assert tried(game, AnswerConsent("the bridge", "burnt", consent, claimed, reason), by) == expected
    then = (
        {"explicit": "done", "refused": "proprietor-refused"}[consent] if expected == "done" else "proprietor-not-asked"
    )
    assert tried(game, ChangeElement("the bridge", "burnt"), "bob") == then
