"""3.11: Experience Dice, from award to hand-over."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from ledger.rules.kernel.commands import CloseSession, OpenSession
from ledger.rules.kernel.questions import Ask, Roll
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot.agreement import Agree, Decline
from ledger.rules.scattershot.awards import AwardDice, CoolBeansGiven, CountCoup, GiveCoolBeans, ReplaceCoolBeans
from ledger.rules.scattershot.challenges import TakeChallenge
from ledger.rules.scattershot.experience import ContributeDie, ExperienceDieRolled
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback, GimmeTaken, PaybackPaid
from ledger.rules.scattershot.listings import ListExpectation
from ledger.rules.scattershot.plot_devices import DeviceDie, PlotDevice, say_device
from ledger.rules.scattershot.rolls import RollMib
from ledger.rules.scattershot.totals import CloseDecision, DecisionClosed, LoanerLapsed
from tests.rules.scattershot.game import Game

if TYPE_CHECKING:
    from ledger.rules.kernel.phrases import Names

# --- awards, gifts, coups --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (AwardDice("gm", 1), "gm", "gm-holds-no-dice"),
        (AwardDice("ann", 0), "gm", "bad-number"),
        (AwardDice("o", 1), "gm", "not-at-the-table"),
        (GiveCoolBeans("ann", 1), "ann", "self-gift"),
        (GiveCoolBeans("bob", 3), "ann", "not-enough-dice"),
        (GiveCoolBeans("bob", -1), "ann", "bad-number"),
        (GiveCoolBeans("bob", 1), "gm", "gm-holds-no-dice"),
        (GiveCoolBeans("nobody", 1), "ann", "not-at-the-table"),
        (ReplaceCoolBeans("7", 1), "gm", "replacement-exceeds-gift"),
        (CountCoup("bob", 1), "gm", "gm-holds-no-dice"),
        (CountCoup("gm", 1), "ann", "gm-holds-no-dice"),
        (CountCoup("bob", 0), "ann", "bad-number"),
    ],
)
def test_rewards_that_are_refused(do, by, code):
    game = Game()
    game.dice("ann", 2)
    assert game.refuses(do, by=by) == code


def test_gifts_and_their_replacement():
    game = Game()
    game.dice("ann", 3)
    gift = game.only(game.does(GiveCoolBeans("bob", 2), by="ann"), CoolBeansGiven).gift
    assert (game.xd("ann"), game.xd("bob")) == (1, 2)
    assert game.refuses(ReplaceCoolBeans(gift, 3)) == "replacement-exceeds-gift"
    game.does(ReplaceCoolBeans(gift, 1))
    game.does(ReplaceCoolBeans(gift, 1))
    assert game.refuses(ReplaceCoolBeans(gift, 1)) == "replacement-exceeds-gift"
    game.does(GiveCoolBeans("gm", 1), by="ann")
    assert (game.xd("ann"), game.xd("gm")) == (2, 0)


@pytest.mark.parametrize(("extra", "caught"), [(1, 1), (0, 0), (2, 2)])
def test_counting_coup(extra, caught):
    game = Game(coup_extra=extra)
    game.does(CountCoup("bob", 3, "three laughs"), Agree(), by="ann")
    assert (game.xd("bob"), game.xd("ann")) == (3, caught)
    game.does(CountCoup("ann", 1), Agree(), by="ann")
    assert game.xd("ann") == 1 + 2 * caught


def test_a_stock_that_ends():
    game = Game(stock_size=3)
    game.dice("ann", 2)
    assert game.refuses(AwardDice("bob", 2)) == "stock-empty"
    game.dice("bob", 1)
    assert game.refuses(CountCoup("bob", 1), by="ann") == "stock-empty"
    id = game.decision(game.bob)
    game.does(ContributeDie(id, "loaner", 3, player="cid"))
    game.does(ContributeDie(id, "own", 3, player="ann"))
    assert game.refuses(AwardDice("bob", 1)) == "stock-empty"
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(CloseDecision(id))
    game.dice("bob", 1)


# --- Gimmes and Paybacks ---------------------------------------------------------------------------------------------


def test_the_gamemaster_agrees_to_a_gimme_or_not():
    game = Game()
    claim = ClaimGimme(game.ann, "Reckless")
    question = game.asks(claim, by="ann")
    assert isinstance(question, Ask) and question.seat == "gm"
    game.does(claim, Decline(), by="ann")
    assert game.xd("ann") == 0
    game.does(claim, Agree(), by="ann")
    assert game.xd("ann") == 3
    assert game.refuses(claim, by="bob") == "not-proprietor"
    game.does(ClaimGimme(game.ann, "Reckless", None, "mediocre"))
    assert game.xd("ann") == 5


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (ClaimGimme("1", "Can't Cook", None, "minor"), "no-gimme-for-this-grade"),
        (ClaimGimme("1", "Reckless", None, "awful"), "no-gimme-for-this-grade"),
        (ClaimGimme("1", "Lame"), "no-gimme-for-this-grade"),
        (ClaimGimme("1", None, "the villain"), "no-such-expectation"),
        (ClaimGimme("1", None, "the escape"), "no-such-expectation"),
    ],
)
def test_gimmes_that_are_refused(do, code):
    game = Game()
    game.does(ListExpectation("the escape", "freebie"))
    assert game.refuses(do) == code


def test_gimmes_of_the_gamemaster_move_nothing():
    game = Game()
    game.does(ListExpectation("the villain", "gimme", 2))
    verdict = game.does(ClaimGimme(game.ogre, None, "the villain"))
    assert game.only(verdict, GimmeTaken).n == 2
    assert not verdict.facts[0].postings
    game.does(ClaimGimme(game.ann, None, "the villain"))
    assert game.xd("ann") == 2


def test_payback_for_what_was_spent():
    game = Game()
    game.dice("ann", 3)
    id = str(game.number)
    game.does(PlotDevice("a flood", (DeviceDie(face=2), DeviceDie(face=1), DeviceDie("loaner", 3))), by="ann")
    verdict = game.does(ClaimPayback(id, interest=True), Agree(), by="ann")
    done = game.only(verdict, PaybackPaid)
    assert (done.spent, done.interest, done.n) == (3, 1, 4)
    assert game.xd("ann") == 1 + 4
    assert game.refuses(ClaimPayback(id), by="ann") == "already-paid-back"
    assert game.refuses(ClaimPayback(id), by="bob") == "nothing-rolled"


@pytest.mark.parametrize(
    ("dials", "interest", "n"),
    [({}, False, 1), ({}, True, 2), ({"payback_minimum": 0}, False, 0), ({"payback_interest": 2}, True, 3)],
)
def test_payback_for_an_occasion(dials, interest, n):
    game = Game(**dials)
    game.does(ClaimPayback(None, "a cue", interest), Agree(), by="ann")
    assert game.xd("ann") == n
    assert game.refuses(ClaimPayback(None, "a cue"), by="ann") == "already-paid-back"
    assert game.does(ClaimPayback(None, "another cue"), Agree(), by="ann").facts
    long = "a cue that was given at length " * 30
    paid = game.only(game.does(ClaimPayback(None, long), Agree(), by="ann"), PaybackPaid)
    assert paid.for_ == long.strip()
    assert game.refuses(ClaimPayback(None, long), by="ann") == "already-paid-back"


# --- into a MIB ------------------------------------------------------------------------------------------------------


def contest(game: Game) -> str:
    """Return a contest of Ann's Persona against Bob's."""
    return game.decision(game.ann, oppose={game.bob: "agility"})


def closed(game: Game, id: str) -> dict[str, int]:
    """Return the basic MIBs, with fives on all dice."""
    one = game.state(scene(game.scene_id)).resolutions[id]
    for side in one.sides if one.actor is not None else ():
        game.does(RollMib(id, side, (5, 5)))
    return dict(game.only(game.does(CloseDecision(id)), DecisionClosed).basic_mibs)


@pytest.mark.parametrize(
    ("sign", "target", "opposed", "against"),
    [
        (1, "actor", True, "bob"),
        (-1, "actor", True, "ann"),
        (1, "2", True, "ann"),
        (-1, "2", True, "bob"),
        (1, "actor", False, None),
        (-1, "actor", False, "ann"),
    ],
)
def test_whom_a_die_goes_against(sign, target, opposed, against):
    game = Game()
    game.dice("cid", 1)
    id = contest(game) if opposed else game.decision(game.ann)
    die = game.only(game.does(ContributeDie(id, "own", 4, sign, target), by="cid"), ExperienceDieRolled)
    assert (die.against, die.to) == (against, f"scene:{game.scene_id}/xd")
    basic = closed(game, id)
    assert basic[target] == (2 if target == "actor" else 0) + sign * 4
    assert [game.xd(player) for player in ("ann", "bob", "cid")] == [against == "ann", against == "bob", 0]
    assert game.balance(f"scene:{game.scene_id}/xd") == 0


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        ({}, "bob", "not-enough-dice"),
        ({}, "gm", "gm-holds-no-dice"),
        ({"die": "odd"}, "ann", "unknown-die-kind"),
        ({"face": 0}, "ann", "bad-d6"),
        ({"face": 7}, "ann", "bad-d6"),
        ({"face": "6"}, "ann", "bad-d6"),
        ({"sign": 0}, "ann", "bad-number"),
        ({"target": "3"}, "ann", "no-such-roll"),
        ({"die": "loaner"}, "gm", None),
        ({"die": "loaner", "sign": -1, "target": "4"}, "gm", "no-such-roll"),
        ({"die": "saved", "borrower": "ann"}, "bob", "no-such-saved-loaner"),
        ({"die": "freebie", "advantage": "Dexterity", "sign": -1}, "ann", "freebie-in-favour-only"),
        ({"die": "freebie", "advantage": "Dexterity", "target": "2"}, "ann", "freebie-own-action-only"),
        ({"die": "freebie", "advantage": "Wings"}, "ann", "no-such-expectation"),
        ({"die": "freebie", "expectation": "Wings"}, "ann", "no-such-expectation"),
    ],
)
def test_contributions_that_are_refused(do, by, code):
    game = Game()
    game.dice("ann", 1)
    id = contest(game)
    die = ContributeDie(id, **{"face": 3, **do})
    if code is None:
        assert game.does(die, by=by).facts
    else:
        assert game.refuses(die, by=by) == code


def test_a_die_is_asked_for_where_none_was_typed():
    game = Game()
    game.dice("cid", 1)
    id = contest(game)
    question = game.asks(ContributeDie(id), by="cid")
    assert isinstance(question, Roll) and (question.count, question.sides) == (1, 6)
    game.does(ContributeDie(id), (6,), by="cid")
    assert closed(game, id)["actor"] == 8
    assert game.refuses(ContributeDie(id, face=3), by="bob") == "wrong-phase"


def test_no_die_is_rolled_twice_in_one_decision_phase():
    game = Game()
    game.dice("ann", 1)
    id = contest(game)
    game.does(ContributeDie(id, face=4), by="ann")
    assert game.refuses(ContributeDie(id, face=6, sign=-1), by="bob") == "not-enough-dice"
    other = Game(dice_handover="immediate")
    other.dice("ann", 1)
    id = contest(other)
    other.does(ContributeDie(id, face=4), by="ann")
    other.does(ContributeDie(id, face=6, sign=-1), by="bob")
    other.does(ContributeDie(id, face=5), by="ann")
    assert closed(other, id)["actor"] == 2 + 3
    assert (other.xd("ann"), other.xd("bob")) == (0, 1)


@pytest.mark.parametrize(
    ("dials", "sign", "back"),
    [({}, -1, 1), ({"self_against": "to-stock"}, -1, 0), ({}, 1, 0), ({"unopposed_dice": "whole-roll"}, -1, 0)],
)
def test_a_die_against_oneself(dials, sign, back):
    for handover in ("after-decision", "immediate"):
        game = Game(dice_handover=handover, **dials)
        game.dice("ann", 1)
        id = game.decision(game.ann)
        game.does(ContributeDie(id, face=2, sign=sign), by="ann")
        closed(game, id)
        assert game.xd("ann") == back


@pytest.mark.parametrize(("dial", "to"), [("only-when-nobody", 1), ("whole-roll", 0)])
def test_a_die_subtracted_from_an_unopposed_action(dial, to):
    game = Game(unopposed_dice=dial)
    game.dice("bob", 1)
    id = game.decision(game.ann)
    game.does(ContributeDie(id, face=2, sign=-1), by="bob")
    closed(game, id)
    assert game.xd("ann") == to


def test_dice_of_the_gamemaster():
    game = Game(gm_dice="stock")
    id = contest(game)
    game.does(ContributeDie(id, face=4), by="gm")
    closed(game, id)
    assert (game.xd("gm"), game.xd("bob")) == (0, 1)
    empty = Game(gm_dice="stock", stock_size=0)
    assert empty.refuses(ContributeDie(contest(empty), face=4), by="gm") == "stock-empty"


# --- Freebies --------------------------------------------------------------------------------------------------------


def test_freebies():
    game = Game()
    game.does(ListExpectation("the escape", "freebie", 2))
    id = contest(game)
    game.does(ContributeDie(id, "freebie", 3, advantage="Dexterity"), by="ann")
    for name in ("Dexterity", "Keen Eyes"):
        again = ContributeDie(id, "freebie", 3, advantage=name)
        assert game.refuses(again, by="ann") == "freebie-already-used"
    escape = ContributeDie(id, "freebie", 1, expectation="the escape")
    game.does(escape, by="ann")
    game.does(escape, by="ann")
    assert game.refuses(escape, by="ann") == "freebie-already-used"
    assert closed(game, id)["actor"] == 2 + 5
    assert game.xd("bob") == 3


def test_freebies_under_other_dials():
    game = Game(freebies_per_action="per-advantage", freebie_routing="to-stock")
    id = contest(game)
    for name in ("Dexterity", "Keen Eyes"):
        game.does(ContributeDie(id, "freebie", 3, advantage=name), by="ann")
    assert game.refuses(ContributeDie(id, "freebie", 3, advantage="Dexterity"), by="ann") == "freebie-already-used"
    closed(game, id)
    assert game.xd("bob") == 0


# --- Loaners ---------------------------------------------------------------------------------------------------------


def lent(game: Game, to: str = "ann", against: str = "bob") -> None:
    id = contest(game)
    game.does(ContributeDie(id, "loaner", 4), by=to)
    closed(game, id)
    assert game.saved(against, to) == 1 and game.karmic(to) == -1


@pytest.mark.parametrize(
    ("by", "subject", "sign", "holder"),
    [
        ("bob", None, 1, "gm"),
        ("bob", "3", 1, "cid"),
        ("cid", "3", 1, "gm"),
        ("bob", "the door", 1, "gm"),
        ("bob", "3", -1, "ann"),
        ("ann", "3", -1, "gm"),
        ("gm", "3", 1, "cid"),
        ("gm", None, -1, "ann"),
    ],
)
def test_who_saves_a_loaner(by, subject, sign, holder):
    game = Game()
    id = game.decision(game.ann, subject=subject)
    game.does(ContributeDie(id, "loaner", 3, sign), by=by)
    closed(game, id)
    assert (game.saved(holder, by), game.karmic(by)) == (1, -1)


def test_loaners_that_are_refused():
    game = Game()
    id = game.decision(game.ann)
    assert game.refuses(ContributeDie(id, "loaner", 3), by="gm") == "loaner-against-nobody"
    other = Game(loaner_unopposed="refuse")
    id = other.decision(other.ann)
    assert other.refuses(ContributeDie(id, "loaner", 3), by="bob") == "loaner-against-nobody"
    limited = Game(loaner_limit=1)
    lent(limited)
    id = contest(limited)
    assert limited.refuses(ContributeDie(id, "loaner", 3), by="ann") == "loaner-limit"


@pytest.mark.parametrize(("dial", "keeps"), [("karmic", 0), ("keeper", 1)])
@pytest.mark.parametrize("handover", ["after-decision", "immediate"])
def test_using_a_loaner_back(dial, keeps, handover):
    game = Game(loaner_repaid=dial, dice_handover=handover)
    lent(game)
    wrong = game.decision(game.cid)
    saved = ContributeDie(wrong, "saved", 4, -1, borrower="ann")
    assert game.refuses(saved, by="bob") == "saved-loaner-must-go-against-borrower"
    id = game.decision(game.ann)
    game.does(ContributeDie(id, "saved", 4, -1, borrower="ann"), by="bob")
    assert game.refuses(ContributeDie(id, "saved", 4, -1, borrower="ann"), by="bob") == "no-such-saved-loaner"
    closed(game, id)
    assert (game.saved("bob", "ann"), game.karmic("ann"), game.xd("ann")) == (0, 0, keeps)


def test_a_loaner_back_against_what_the_borrower_owns():
    game = Game()
    lent(game)
    id = game.decision(game.bob, subject=game.ann)
    game.does(ContributeDie(id, "saved", 4, borrower="ann"), by="bob")
    closed(game, id)
    lent(game)
    game.does(PlotDevice("a curse", (DeviceDie("saved", 5, "ann"),), "ann"), by="bob")
    assert game.karmic("ann") == -1
    game.does(CloseDecision(str(game.number - 1)))
    assert game.karmic("ann") == 0


@pytest.mark.parametrize(
    ("dial", "saved", "karmic", "kept"), [("lapse", 0, 0, 0), ("carry", 1, -1, 0), ("keep", 0, 0, 1)]
)
def test_loaners_when_the_session_closes(dial, saved, karmic, kept):
    game = Game(loaner_expiry=dial)
    game.does(OpenSession())
    session = game.table().session
    lent(game)
    verdict = game.does(CloseSession(session or ""))
    assert (game.saved("bob", "ann"), game.karmic("ann"), game.xd("bob")) == (saved, karmic, kept)
    assert [type(about.fact) for about in verdict.facts].count(LoanerLapsed) == (dial != "carry")


# --- plot devices ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ((DeviceDie(), DeviceDie()), "A plot device with 2 Experience Dice"),
        ((DeviceDie(),), " with 1 Experience Die"),
        ("...", "A plot device."),
    ],
)
def test_how_many_dice_a_plot_device_has_is_told_once_it_is_said(dice, said):
    """In an offer the number is still open."""
    assert said in f"{say_device(PlotDevice('', dice), cast('Names', None))}."


@pytest.mark.parametrize(
    ("more", "by", "code"),
    [
        ({"dice": ()}, "ann", "bad-number"),
        ({"dice": (DeviceDie("freebie"),)}, "ann", "freebie-own-action-only"),
        ({"dice": (DeviceDie("odd"),)}, "ann", "unknown-die-kind"),
        ({"dice": (DeviceDie(), DeviceDie())}, "ann", "not-enough-dice"),
        ({"dice": (DeviceDie(face=9),)}, "ann", "bad-d6"),
        ({"dice": (DeviceDie("saved", 3, "bob"),)}, "ann", "no-such-saved-loaner"),
        ({"dice": (DeviceDie("loaner"),)}, "gm", "loaner-against-nobody"),
        ({"target": "o"}, "ann", "not-at-the-table"),
        ({}, "gm", "gm-holds-no-dice"),
    ],
)
def test_plot_devices_that_are_refused(more, by, code):
    game = Game()
    game.dice("ann", 1)
    assert game.refuses(PlotDevice("a flood", **more), by=by) == code


def test_no_plot_device_in_mechanical_play():
    game = Game()
    game.dice("ann", 1)
    game.fight()
    assert game.refuses(PlotDevice("a flood"), by="ann") == "not-in-mechanical-play"


@pytest.mark.parametrize(
    ("target", "subject", "to"),
    [("bob", None, "bob"), (None, "2", "bob"), ("ann", None, None), (None, None, None), (None, "the door", None)],
)
def test_where_the_dice_of_a_plot_device_go(target, subject, to):
    game = Game()
    game.dice("ann", 1)
    id = str(game.number)
    game.does(PlotDevice("a flood", (DeviceDie(),), target, subject), (5,), by="ann")
    assert closed(game, id) == {"actor": 5}
    assert [game.xd(player) for player in ("ann", "bob")] == [0, to == "bob"]


def test_bidding_against_a_plot_device():
    game = Game()
    game.dice("ann", 1)
    game.dice("bob", 2)
    id = str(game.number)
    game.does(PlotDevice("a flood", (DeviceDie(face=5),), "bob"), by="ann")
    game.does(ContributeDie(id, face=6, sign=-1), by="bob")
    game.does(ContributeDie(id, face=1), by="bob")
    assert closed(game, id) == {"actor": 0}
    assert (game.xd("ann"), game.xd("bob")) == (1, 1)  # his own addition went against nobody
    game.does(TakeChallenge(id, n=2), by="ann")
    assert game.refuses(TakeChallenge(id), by="bob") == "not-proprietor"
    assert game.outcome(id).adjusted == 2
    assert game.refuses(RollMib(id)) == "wrong-phase"
