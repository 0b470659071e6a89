"""Section 7: what is flagged when a fact is overturned. Each story is played, one ruling struck, the others checked.

A later ruling is flagged if it comes out differently: changed, refused, or short of dice. So are those that follow from
a ruling that is then ruled again.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.rules.kernel.commands import CloseSession, HandOver, OpenSession, SetDial
from ledger.rules.scattershot.actions import ExpendAction, ForfeitAction, RestoreFreeActions, TakeFreeAction
from ledger.rules.scattershot.advantage import ChangeFoe, CheckAdvantage, HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.agreement import Agree
from ledger.rules.scattershot.awards import AwardDice, CountCoup, GiveCoolBeans, ReplaceCoolBeans
from ledger.rules.scattershot.cashing_in import CashIn, Develop
from ledger.rules.scattershot.challenges import TakeBenefit, TakeChallenge
from ledger.rules.scattershot.conditions import PlaceResidual
from ledger.rules.scattershot.consequences import Consequences, Gained, NameConsequences, Residual
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.evolving import RaiseRating
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.game import ShiftMode
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback
from ledger.rules.scattershot.joining import EndMechanicalPlay
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, EndTurn, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.plot_devices import PlotDevice
from ledger.rules.scattershot.proprietorship import (
    AnswerConsent,
    ChangeElement,
    IntroduceElement,
    TransferProprietorship,
)
from ledger.rules.scattershot.ratings import ApplyModifier, Default
from ledger.rules.scattershot.resources import ListDamage
from ledger.rules.scattershot.results import ChooseResults, CloseApplication, Result
from ledger.rules.scattershot.rolls import CloseOpportunity
from tests.rules.scattershot.story import Story

ANN, BOB, CID, OGRE = "1", "2", "3", "4"

# --- the stories -----------------------------------------------------------------------------------------------------


def a_die() -> Story:
    """Bob's die against Ann goes to Ann, who rolls it. He is paid back."""
    story = Story()
    story.tell("award", AwardDice("bob", 1))
    id = story.act("first")
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("die", ContributeDie(id, face=4, sign=-1), by="bob")
    story.decide("first", id)
    story.tell("outcome", ReachOutcome(id))
    story.tell("results", ChooseResults(id, (Result("scalar"),)))
    story.tell("payback", ClaimPayback(id, interest=True), Agree(), by="bob")
    story.tell("gift", GiveCoolBeans("cid", 1), by="ann")
    story.tell("develop", Develop(CID, 1, faces=(6,)), by="cid")
    story.tell("raise", RaiseRating(CID, "agility"), by="cid")
    return story


def a_loaner() -> Story:
    """Ann borrows against Bob, who uses one back. The other lapses."""
    story = Story()
    story.tell("session", OpenSession())
    id = story.act("first", engages=(BOB,))
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("loaner", ContributeDie(id, "loaner", 4), by="ann")
    story.decide("first", id, (5, 5), BOB)
    again = story.act("second")
    story.tell("again", CloseOpportunity(again))
    story.tell("used back", ContributeDie(again, "saved", 3, -1, borrower="ann"), by="bob")
    story.decide("second", again)
    return story


def a_loaner_that_lapses() -> Story:
    story = Story()
    session = story.tell("session", OpenSession())
    id = story.act("first", engages=(BOB,))
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("loaner", ContributeDie(id, "loaner", 4), by="ann")
    story.decide("first", id, (5, 5), BOB)
    story.tell("lapse", CloseSession(session))
    return story


def gifts() -> Story:
    """Each way to get dice, and what is spent of them."""
    story = Story()
    story.tell("award", AwardDice("ann", 2))
    story.tell("gift", GiveCoolBeans("bob", 2), by="ann")
    story.tell("replaced", ReplaceCoolBeans(story.last.facts[0].fact.gift, 1))
    story.tell("bob spends", GiveCoolBeans("cid", 2), by="bob")
    story.tell("ann spends", Develop(ANN, 1, faces=(3,)), by="ann")
    return story


def other_dice() -> Story:
    story = Story()
    story.tell("gimme", ClaimGimme(ANN, "Reckless", grade="minor"))
    story.tell("ann gives", GiveCoolBeans("cid", 1), by="ann")
    story.tell("coup", CountCoup("bob", 1), Agree(), by="cid")
    story.tell("bob gives", GiveCoolBeans("ann", 1), by="bob")
    story.tell("payback", ClaimPayback(occasion="a cue"), Agree(), by="bob")
    story.tell("bob gives again", GiveCoolBeans("ann", 1), by="bob")
    return story


def a_freebie() -> Story:
    """Ann's Freebie against Bob becomes his, and he rolls it."""
    story = Story()
    id = story.act("first", engages=(BOB,))
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("freebie", ContributeDie(id, "freebie", 5, advantage="Dexterity"), by="ann")
    story.decide("first", id, (5, 5), BOB)
    story.tell("bob gives", GiveCoolBeans("cid", 1), by="bob")
    return story


def development() -> Story:
    """Points for Cid's Power and Ann's Strength: what is rolled, listed and indexed by them."""
    story = Story()
    story.tell("award", AwardDice("cid", 2))
    story.tell("develop", Develop(CID, 2, 1, faces=(6, 6, 6)), by="cid")
    story.tell("power", RaiseRating(CID, "power", 2), by="cid")
    story.tell("strength", RaiseRating(CID, "strength", 2), by="cid")
    story.tell("spell", ListDamage(CID, 1), by="cid")
    id = story.act("push", CID, rating="strength")
    story.tell("push: opportunity", CloseOpportunity(id))
    story.decide("push", id)
    near = Default("Wrestling", "strength", -1)
    story.tell("default", DeclareAction(CID, "wrestle", default=near))
    again = story.act("second", CID)
    story.tell("second: opportunity", CloseOpportunity(again))
    story.tell("saved by the Gamemaster", ContributeDie(again, "saved", 2, -1, borrower="cid"), by="gm")
    return story


def cashing_in() -> Story:
    story = Story()
    story.tell("cash in", CashIn(ANN, "Fencing", 3))
    story.tell("gift", GiveCoolBeans("bob", 3), by="ann")
    id = story.act("blow", rating="Fencing")
    story.tell("blow: opportunity", CloseOpportunity(id))
    story.decide("blow", id)
    return story


def a_telling_blow() -> Story:
    """A MIB of 9 with a modifier, a Challenge and a Benefit, consequences in a melee, and a Gimme for one."""
    story = Story()
    story.tell("melee", CallMechanicalPlay((ANN, BOB, CID)), by="ann")
    story.tell("turn", StartTurn(ANN))
    id = story.act("blow", nature="attack", engages=(BOB,))
    story.tell("modifier", ApplyModifier(id, 8))
    story.tell("opportunity", CloseOpportunity(id))
    story.decide("blow", id, (5, 5), BOB)
    story.tell("challenge", TakeChallenge(id, n=2))
    story.tell("benefit", TakeBenefit(id))
    story.tell("outcome", ReachOutcome(id))
    lasting = Consequences("a limp", (Gained("Lame"),), (Residual("running"),), advantages=1, other=3)
    story.tell("consequences", NameConsequences(id, 0, lasting))
    story.tell("results", ChooseResults(id, (Result("damage"), Result("residual"))))
    story.tell("check", CheckAdvantage(ANN, BOB, "Backing Off"))
    story.tell("gimme", ClaimGimme(BOB, "Lame"))
    return story


def a_residual() -> Story:
    story = Story()
    story.tell("residual", PlaceResidual(ANN, -2, "uphill", "a ruling"))
    residual = story.last.facts[0].fact.residual
    for name in ("first", "second"):
        id = story.act(name, residuals=(residual,))
        story.tell(f"{name}: opportunity", CloseOpportunity(id))
        story.decide(name, id)
    return story


def wounds() -> Story:
    """A penalty that waits for the lull, and a Flurry ended by the hit."""
    story = Story(resource_penalty=({"at": 8, "penalty": 1},))
    story.tell("melee", CallMechanicalPlay((ANN, BOB, CID)), by="ann")
    story.tell("turn", StartTurn(ANN))
    story.tell("flurry", StartFlurry(ANN, BOB, "Fencing"))
    story.tell("step", StepFlurry("riposte"))
    id = story.tell("blow", DeclareAction(ANN, "riposte", nature="attack", pays="flurry", subject=BOB))
    story.tell("passive", AnswerEngagement(id, BOB, passive=True))
    story.tell("opportunity", CloseOpportunity(id))
    story.decide("blow", id, (3, 4))
    story.tell("outcome", ReachOutcome(id))
    story.tell("results", ChooseResults(id, (Result("factor"),)))
    story.tell("lull", EndMechanicalPlay(claimed=True, reason="so"))
    hurt = story.act("hurt", BOB)
    story.tell("hurt: opportunity", CloseOpportunity(hurt))
    return story


def advantages() -> Story:
    story = Story(epic_index=3)
    story.tell("melee", CallMechanicalPlay((ANN, BOB, CID)), by="bob")
    story.tell("seize", SeizeAdvantage(ANN, BOB, "Reach"))
    story.tell("hold", HoldAdvantage(ANN, BOB, "Cornering"))
    story.tell("hold again", HoldAdvantage(ANN, BOB, "Pressing"))
    story.tell("check", CheckAdvantage(ANN, BOB, "Backing Off"))
    story.tell("turn", StartTurn(BOB))
    id = story.act("blow", BOB)
    story.tell("opportunity", CloseOpportunity(id))
    story.decide("blow", id)
    story.tell("after the check", HoldAdvantage(ANN, BOB, "High Ground"))
    story.tell("foe", ChangeFoe(ANN, CID))
    story.tell("seize anew", SeizeAdvantage(ANN, BOB, "Reach"))
    return story


def actions() -> Story:
    """What is forfeited, free or spent counts against later Actions."""
    story = Story(epic_index=1)
    story.tell("melee", CallMechanicalPlay((ANN, BOB, CID)), by="bob")
    story.tell("bob", StartTurn(BOB))
    id = story.tell("blow", DeclareAction(BOB, "a blow", nature="attack", engages=(ANN,)))
    story.tell("spent", ExpendAction(BOB, "draw"))
    story.tell("forfeit", ForfeitAction(ANN, id))
    story.tell("answer", AnswerEngagement(id, ANN, Oppose("dodge", "agility")))
    story.tell("bob ends", EndTurn(BOB))
    story.tell("ann", StartTurn(ANN))
    story.tell("free", TakeFreeAction(CID, "soliloquy"))
    story.tell("ann ends", EndTurn(ANN))
    story.tell("cid", StartTurn(CID))
    story.tell("refresh", RestoreFreeActions(CID))
    story.tell("free again", TakeFreeAction(CID, "soliloquy"))
    return story


def the_lull() -> Story:
    """A penalty takes effect because Mechanical Play is called and ended."""
    story = Story(resource_penalty=({"at": 9, "penalty": 1},))
    story.tell("melee", CallMechanicalPlay((ANN, BOB, CID)), by="ann")
    story.tell("turn", StartTurn(ANN))
    id = story.act("blow", subject=BOB)
    story.tell("opportunity", CloseOpportunity(id))
    story.decide("blow", id, (3, 4))
    story.tell("outcome", ReachOutcome(id))
    story.tell("results", ChooseResults(id, (Result("factor"),)))
    story.tell("lull", ShiftMode("specific", "so", True))
    story.tell("award", AwardDice("bob", 1))
    story.tell("flood", PlotDevice("a flood", player="bob"), (5,))
    hurt = story.act("hurt", BOB)
    story.tell("hurt: opportunity", CloseOpportunity(hurt))
    return story


def a_flurry() -> Story:
    story = Story()
    story.tell("melee", CallMechanicalPlay((ANN, BOB, CID)), by="ann")
    story.tell("turn", StartTurn(ANN))
    story.tell("flurry", StartFlurry(ANN, BOB, "Fencing"))
    story.tell("first step", StepFlurry("parry"))
    story.tell("second step", StepFlurry("riposte"))
    story.tell("interrupted", InterruptFlurry("a tackle", character=BOB))
    story.tell("another", StartFlurry(ANN, CID, "Fencing"))
    return story


def property_of() -> Story:
    """The bridge is Cid's by transfer. It saves the Loaner, and is changed with his consent."""
    story = Story()
    story.tell("bridge", IntroduceElement("the bridge"), by="bob")
    story.tell("transfer", TransferProprietorship("the bridge", "cid"), by="bob")
    id = story.act("first", subject="the bridge")
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("loaner", ContributeDie(id, "loaner", 6), by="ann")
    story.decide("first", id, (1, 1))
    story.tell("outcome", ReachOutcome(id))
    story.tell("consequences", NameConsequences(id, 0, Consequences("it creaks")), by="cid")
    story.tell("end", CloseApplication(id))
    story.tell("consent", AnswerConsent("the bridge", "burnt"), by="cid")
    story.tell("burnt", ChangeElement("the bridge", "burnt"), by="ann")
    return story


def hands() -> Story:
    """Ann's Persona goes to Bob, who plays it from then on."""
    story = Story()
    story.tell("hand over", HandOver(ANN, "bob"), by="ann")
    story.tell("award", AwardDice("cid", 1))
    id = story.tell("declared", DeclareAction(ANN, "run"), by="bob")
    story.tell("opportunity", CloseOpportunity(id))
    story.tell("die", ContributeDie(id, face=2, sign=-1), by="cid")
    story.decide("run", id)
    story.tell("bob gives", GiveCoolBeans("cid", 1), by="bob")
    return story


def dials() -> Story:
    story = Story()
    id = story.act("before")
    story.tell("before: opportunity", CloseOpportunity(id))
    story.decide("before", id, (10, 8))
    story.tell("before: outcome", ReachOutcome(id))
    story.tell("boundary", SetDial("catastrophe-boundary", "below", "milder"))
    rows = ({"from": 0, "to": 99, "facets": {"multiplier": 3, "points": 2, "bonus": 2}},)
    story.tell("chart", SetDial("ue-chart", rows, "steeper"))
    story.tell("listed", ListDamage(BOB))
    again = story.act("after")
    story.tell("after: opportunity", CloseOpportunity(again))
    story.decide("after", again, (10, 8))
    story.tell("after: outcome", ReachOutcome(again))
    return story


OVERTURNED: list[tuple[Callable[[], Story], str, set[str]]] = [
    (a_die, "die", {"first: decision", "outcome", "results", "payback", "gift"}),
    (a_die, "first: decision", {"outcome", "results", "gift"}),
    (a_die, "award", {"die"}),
    (a_die, "gift", {"develop"}),
    (a_die, "develop", {"raise"}),
    (a_die, "payback", set()),
    (a_loaner, "loaner", {"first: decision", "used back"}),
    (a_loaner, "used back", {"second: decision"}),
    (a_loaner_that_lapses, "loaner", {"first: decision", "lapse"}),
    (gifts, "award", {"gift"}),
    (gifts, "gift", {"replaced", "bob spends"}),
    (gifts, "replaced", set()),
    (other_dice, "gimme", {"ann gives"}),
    (other_dice, "coup", {"bob gives"}),
    (other_dice, "payback", {"bob gives again"}),
    (a_freebie, "freebie", {"first: decision", "bob gives"}),
    (development, "develop", {"power", "strength", "saved by the Gamemaster"}),
    (development, "strength", {"spell", "push", "push: opportunity", "push: decision", "default"}),
    (development, "award", {"develop"}),
    (cashing_in, "cash in", {"gift", "blow", "blow: opportunity", "blow: decision"}),
    (a_telling_blow, "blow: roll", {"blow: decision", "outcome", "results"}),
    (a_telling_blow, "blow: 2 rolls", {"blow: decision", "outcome", "results"}),
    (a_telling_blow, "modifier", {"opportunity", "blow: decision", "outcome", "consequences", "results"}),
    (a_telling_blow, "challenge", {"outcome", "consequences"}),
    (a_telling_blow, "benefit", {"outcome"}),
    (a_telling_blow, "outcome", {"consequences", "results"}),
    (a_telling_blow, "consequences", {"check", "gimme"}),
    (a_telling_blow, "melee", {"turn", "check"}),
    (a_residual, "residual", {"first", "second"}),
    (wounds, "results", {"lull"}),
    (wounds, "outcome", {"results"}),
    (wounds, "lull", {"hurt", "hurt: opportunity"}),
    (wounds, "flurry", {"step", "blow", "outcome"}),
    (advantages, "seize", {"hold"}),
    (advantages, "hold", {"opportunity"}),
    (advantages, "check", {"opportunity", "after the check"}),
    (advantages, "foe", {"seize anew"}),
    (actions, "forfeit", {"ann"}),
    (actions, "answer", {"ann"}),
    (actions, "spent", {"bob ends"}),
    (actions, "bob", {"blow", "spent", "forfeit", "bob ends"}),
    (actions, "refresh", {"free again"}),
    (the_lull, "melee", {"turn", "lull"}),
    (the_lull, "lull", {"flood", "hurt: opportunity"}),
    (a_flurry, "interrupted", set()),
    (a_flurry, "first step", {"second step"}),
    (property_of, "transfer", {"loaner", "outcome", "consequences", "consent"}),
    (property_of, "consent", {"burnt"}),
    (property_of, "bridge", {"transfer", "consent"}),
    (hands, "hand over", {"declared", "die", "bob gives"}),
    (dials, "boundary", {"after: outcome"}),
    (dials, "chart", {"listed"}),
]


def _named(one):
    """Return the names in an order that is the same in every process, unlike a set's."""
    return ", ".join(sorted(one)) if isinstance(one, set) else getattr(one, "__name__", str(one))


@pytest.mark.parametrize(("story", "struck", "expected"), OVERTURNED, ids=_named)
def test_what_is_flagged(story, struck, expected):
    assert story().flagged(struck) >= expected


@pytest.mark.parametrize(
    ("story", "struck", "later", "code"),
    [
        (a_die, "award", "die", "not-enough-dice"),
        (gifts, "gift", "bob spends", "not-enough-dice"),
        (a_loaner, "loaner", "used back", "no-such-saved-loaner"),
        (a_telling_blow, "consequences", "gimme", "no-gimme-for-this-grade"),
        (a_telling_blow, "challenge", "consequences", "excess-overspent"),
        (advantages, "seize", "hold", "no-advantage-held"),
        (a_flurry, "flurry", "first step", "flurry-ended"),
        (the_lull, "lull", "flood", "not-in-mechanical-play"),
        (property_of, "consent", "burnt", "proprietor-not-asked"),
        (hands, "hand over", "declared", "not-proprietor"),
        (development, "develop", "power", "not-enough-points"),
    ],
    ids=_named,
)
def test_why_it_is_flagged(story, struck, later, code):
    assert story().why(struck, later) == code
