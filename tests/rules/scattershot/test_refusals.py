"""3.14: every refusal code, in a situation that gives exactly this code by the rule that the specification names.

The scene is ruling 5, so the first ruling of a situation, and a resolution that it begins, is "6".
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol, SetDial
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot import RULESET
from ledger.rules.scattershot.actions import ExpendAction, ForfeitAction, RestoreFreeActions, TakeFreeAction
from ledger.rules.scattershot.advantage import HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.agreement import SeekConsensus
from ledger.rules.scattershot.awards import AwardDice, GiveCoolBeans, ReplaceCoolBeans
from ledger.rules.scattershot.cashing_in import CashIn
from ledger.rules.scattershot.challenges import TakeBenefit, TakeChallenge
from ledger.rules.scattershot.chart import ReadChart
from ledger.rules.scattershot.conditions import GoAllOut, SetOffGuard
from ledger.rules.scattershot.consequences import Consequences, NameConsequences
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.evolving import BuyTrait, RaiseRating
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.game import BeginGame, ShiftMode
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback
from ledger.rules.scattershot.joining import JoinMechanicalPlay
from ledger.rules.scattershot.limits import LimitInWords, LimitPoints
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, EndRound, EndTurn, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.plot_devices import PlotDevice
from ledger.rules.scattershot.power import RuleFightLeft, SpendPower
from ledger.rules.scattershot.proprietorship import AnswerConsent, ChangeElement, IntroduceElement
from ledger.rules.scattershot.ratings import Default, Modifier
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, ReplaceRoll, RollMib
from ledger.rules.scattershot.sheet_in_play import StrikeTrait
from ledger.rules.scattershot.state import Advantage, Protection, Sheet
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game

SYSTEM = Path(__file__).parents[3] / "ledger" / "rules" / "scattershot"

#: The specification's list, in its order.
SPECIFICATION = """
    bad-number bad-d10 bad-d6 dice-missing rating-off-chart unknown-facet unknown-difficulty unknown-statistic
    unknown-dial juncture-plus-index-over-10 game-has-begun not-proprietor proprietor-not-asked
    proprietor-refused gm-may-not-cap not-at-the-table bad-consent rating-below-minimum no-such-free-skill
    default-barred no-default-for-special-ability wrong-phase no-mechanics-in-general-play
    resistor-has-not-answered nobody-engaged off-guard cannot-replace-the-roll no-such-roll challenges-over-epic-index
    benefits-overspent excess-overspent ends-too-soon no-result-from-failure protection-is-static-or-bought
    not-enough-power gm-holds-no-dice self-gift not-enough-dice stock-empty replacement-exceeds-gift
    no-gimme-for-this-grade no-such-expectation already-paid-back freebie-own-action-only freebie-in-favour-only
    freebie-already-used loaner-against-nobody loaner-limit no-such-saved-loaner
    saved-loaner-must-go-against-borrower unknown-die-kind not-enough-points-invested
    disadvantage-cannot-be-cashed-in not-in-mechanical-play not-in-solo-play scope-too-small not-in-melee
    not-in-this-scene another-turn-is-open turn-already-taken turns-outstanding not-your-turn no-actions-left
    free-action-limit free-action-kind-limit refresh-already-used not-engaged-on-anothers-turn
    forfeits-exhausted flurry-ended unknown-step all-out advantage-already-held advantage-held-by-foe
    no-advantage-held advantage-cap advantage-against-self
"""
#: And those of the amendments, in their order.
AMENDMENTS = """
    nothing-rolled no-occasion already-in-mechanical-play which-scope
    beyond-the-listing not-enough-points which-trait protection-belongs-to-no-ability
    not-a-free-action no-fight-left no-reason has-fight-left beyond-the-limit
    flurry-against-self last-step-outstanding nothing-interrupts not-the-act which-limit not-on-the-sheet
    no-agreement
"""
AMENDED = AMENDMENTS.split()
SPECIFIED = [*SPECIFICATION.split(), *AMENDED]

ANN, BOB, CID, OGRE = "1", "2", "3", "4"
R = "6"
ACT = DeclareAction(ANN, "an Action")
DECIDE = (ACT, CloseOpportunity(R))
CLOSED = (*DECIDE, RollMib(R, "actor", (5, 5)), CloseDecision(R))  # Agility 12: a MIB of 2
MISSED = (*DECIDE, RollMib(R, "actor", (7, 7)), CloseDecision(R), ReachOutcome(R))  # -2
BLOW = (
    DeclareAction(ANN, "a blow", subject=BOB, modifiers=(Modifier(7),)),
    CloseOpportunity(R),
    RollMib(R, "actor", (5, 5)),
    CloseDecision(R),
    ReachOutcome(R),
)  # 9: an excess of 3
BEATEN = (*BLOW, ChooseResults(R, tuple(Result("factor", ANN) for _ in range(2))))
BRIDGE = (IntroduceElement("the bridge", player="ann"),)
BURNT = ChangeElement("the bridge", "burnt")
BORROWED = (*DECIDE, ContributeDie(R, "loaner", 3, -1, player="bob"), RollMib(R, "actor", (5, 5)), CloseDecision(R))
FIGHT = (CallMechanicalPlay((ANN, BOB, CID, OGRE), caller="bob"),)
BESIDE = (CallMechanicalPlay((ANN, BOB)), CallMechanicalPlay((CID, OGRE), "squad"))
TURN = (*FIGHT, StartTurn(BOB))
ENGAGED = (*TURN, DeclareAction(BOB, "a blow", "Brawl", engages=(ANN,)))  # the resolution "8"
JABBING = StartFlurry(BOB, ANN, "Brawl", ("jab",))
REACH = SeizeAdvantage(ANN, BOB, "Reach")
DEXTEROUS = ContributeDie(R, "freebie", 3, advantage="Dexterity", player="ann")
GUARDS = tuple(Enrol(f"Guard {n}", "gm", Sheet("regular")) for n in range(4))
SMALL_CHART = {"ue_chart": ({"from": 0, "to": 30, "facets": {"multiplier": 1}},)}


def made(**sheet: Any) -> Enrol[Sheet]:
    return Enrol("Somebody", "ann", Sheet(**sheet))


def defaulting(*default: Any, **more: Any) -> DeclareAction:
    return DeclareAction(ANN, "try", default=Default(*default, **more))


#: Dials; what was done before (by the Gamemaster); what is refused; by whom it is declared; the rule; the code.
REFUSALS: tuple[tuple[dict[str, Any], tuple[Any, ...], Any, str, str, str], ...] = (
    # --- numbers
    ({}, (), AwardDice("ann", 0), "gm", "xd.instant", "bad-number"),
    ({}, DECIDE, RollMib(R, "actor", (0, 5)), "gm", "mib.basic", "bad-d10"),
    ({}, DECIDE, ContributeDie(R, "loaner", 7), "bob", "mib.basic", "bad-d6"),
    ({}, DECIDE, CloseDecision(R), "gm", "mib.close", "dice-missing"),
    (SMALL_CHART, (), ReadChart(31), "gm", "chart.band", "rating-off-chart"),
    (SMALL_CHART, (), ReadChart(9, "points"), "gm", "chart.quantity", "unknown-facet"),
    ({}, (), defaulting("Rowing", difficulty="simple"), "ann", "default.untrained", "unknown-difficulty"),
    ({}, (), made(statistics={"luck": 10}), "gm", "rating.statistic", "unknown-statistic"),
    ({}, (), SetDial("luck", 1, "so"), "gm", "ledger.dial", "unknown-dial"),
    # --- the game and what is whose
    ({}, (), SetDial("critical-juncture", 7, "so"), "gm", "game.numbers", "juncture-plus-index-over-10"),
    ({}, (BeginGame(),), SetDial("epic-index", 3, "so"), "gm", "game.numbers", "game-has-begun"),
    ({}, (), ACT, "bob", "resolve.declare", "not-proprietor"),
    ({}, BRIDGE, BURNT, "bob", "proprietor.consent", "proprietor-not-asked"),
    (
        {},
        (IntroduceElement("the bridge", world=True), AnswerConsent("the bridge", "burnt", "refused")),
        BURNT,
        "bob",
        "proprietor.consent",
        "proprietor-refused",
    ),
    ({}, (), LimitPoints(20, "ann"), "gm", "persona.no-cap", "gm-may-not-cap"),
    ({}, DECIDE, ContributeDie(R, "loaner", 3, player="o"), "gm", "mib.experience", "not-at-the-table"),
    ({}, BRIDGE, AnswerConsent("the bridge", "burnt", "maybe"), "ann", "proprietor.consent", "bad-consent"),
    # --- Ratings
    ({}, (), made(statistics={"power": 8}), "gm", "rating.statistic", "rating-below-minimum"),
    ({}, (), made(raises={"Whistling": 1}), "gm", "rating.free-skill", "no-such-free-skill"),
    ({}, (), defaulting("Cooking", difficulty="easy"), "ann", "default.barred", "default-barred"),
    (
        {},
        (),
        defaulting("Magic", difficulty="easy", special=True),
        "ann",
        "default.barred",
        "no-default-for-special-ability",
    ),
    # --- resolution
    ({}, (ACT,), RollMib(R, "actor", (5, 5)), "gm", "resolve.phases", "wrong-phase"),
    ({}, (ShiftMode("general"),), ACT, "ann", "play.general", "no-mechanics-in-general-play"),
    (
        {},
        (DeclareAction(ANN, "a blow", engages=(BOB,)),),
        CloseOpportunity(R),
        "ann",
        "engage.player",
        "resistor-has-not-answered",
    ),
    (
        {},
        (SetOffGuard(BOB, (ANN,)), DeclareAction(ANN, "a blow", engages=(BOB,))),
        AnswerEngagement("7", BOB, Oppose("dodge", "agility")),
        "bob",
        "engage.off-guard",
        "off-guard",
    ),
    ({}, (), DeclareAction(ANN, "a blow", nature="attack"), "ann", "mech.engage", "nobody-engaged"),
    ({"preempt": "replace"}, DECIDE, ReplaceRoll(R), "ann", "mib.preempt", "cannot-replace-the-roll"),
    ({}, DECIDE, ContributeDie(R, "loaner", 3, 1, BOB), "cid", "xd.against", "no-such-roll"),
    ({}, CLOSED, TakeChallenge(R, n=5), "ann", "apply.challenge-limit", "challenges-over-epic-index"),
    ({}, CLOSED, TakeBenefit(R, n=3), "ann", "apply.benefit", "benefits-overspent"),
    ({}, BLOW, NameConsequences(R, 0, Consequences("a scar", other=4)), "bob", "juncture.excess", "excess-overspent"),
    (
        {},
        BLOW,
        NameConsequences(R, 0, Consequences("a scar", until="scene")),
        "bob",
        "juncture.duration",
        "ends-too-soon",
    ),
    (
        {},
        MISSED,
        ChooseResults(R, (Result("residual", character=BOB),)),
        "ann",
        "result.choose",
        "no-result-from-failure",
    ),
    (
        {},
        (),
        made(protection=(Protection("hat", 1, "agility"),)),
        "gm",
        "damage.protection",
        "protection-is-static-or-bought",
    ),
    ({}, (), SpendPower(CID, 11), "cid", "resource.power", "not-enough-power"),
    # --- Experience Dice
    ({}, (), AwardDice("gm", 1), "gm", "xd.instant", "gm-holds-no-dice"),
    ({}, (AwardDice("ann", 1),), GiveCoolBeans("ann", 1), "ann", "xd.cool-beans", "self-gift"),
    ({}, (AwardDice("ann", 1),), GiveCoolBeans("bob", 2), "ann", "xd.cool-beans", "not-enough-dice"),
    ({"stock_size": 1}, (), AwardDice("ann", 2), "gm", "xd.instant", "stock-empty"),
    ({}, (), ReplaceCoolBeans("none", 1), "gm", "xd.cool-beans-replaced", "replacement-exceeds-gift"),
    ({}, (), ClaimGimme(ANN, "Can't Cook", None, "minor"), "gm", "xd.gimme", "no-gimme-for-this-grade"),
    ({}, (), ClaimGimme(ANN, None, "the villain"), "gm", "xd.gimme-genre", "no-such-expectation"),
    (
        {},
        (ClaimPayback(None, "a cue", player="ann"),),
        ClaimPayback(None, "a cue"),
        "ann",
        "xd.payback",
        "already-paid-back",
    ),
    ({}, DECIDE, ContributeDie(R, "freebie", 3, advantage="Dexterity"), "bob", "xd.freebie", "freebie-own-action-only"),
    (
        {},
        DECIDE,
        ContributeDie(R, "freebie", 3, -1, advantage="Dexterity"),
        "ann",
        "xd.freebie",
        "freebie-in-favour-only",
    ),
    ({}, (*DECIDE, DEXTEROUS), DEXTEROUS, "ann", "xd.freebie", "freebie-already-used"),
    ({}, DECIDE, ContributeDie(R, "loaner", 3), "gm", "xd.loaner", "loaner-against-nobody"),
    ({"loaner_limit": 0}, DECIDE, ContributeDie(R, "loaner", 3), "bob", "xd.loaner", "loaner-limit"),
    ({}, DECIDE, ContributeDie(R, "saved", 3, -1, borrower="ann"), "bob", "xd.loaner-use", "no-such-saved-loaner"),
    (
        {},
        (*BORROWED, DeclareAction(CID, "run"), CloseOpportunity("11")),
        ContributeDie("11", "saved", 3, -1, borrower="bob"),
        "ann",
        "xd.loaner-use",
        "saved-loaner-must-go-against-borrower",
    ),
    ({}, DECIDE, ContributeDie(R, "golden", 3), "ann", "xd.contribute", "unknown-die-kind"),
    ({}, (), CashIn(ANN, "Fencing", 5), "ann", "xd.cash-in", "not-enough-points-invested"),
    ({}, (), CashIn(ANN, "Reckless", 1), "ann", "xd.cash-in", "disadvantage-cannot-be-cashed-in"),
    ({}, (AwardDice("ann", 1), *FIGHT), PlotDevice("a flood"), "ann", "xd.plot-device", "not-in-mechanical-play"),
    ({}, (AwardDice("ann", 1), ShiftMode("solo")), PlotDevice("a flood"), "ann", "xd.plot-device", "not-in-solo-play"),
    # --- Mechanical Play
    ({}, GUARDS, CallMechanicalPlay((ANN, BOB, CID, OGRE, "6", "7", "8", "9")), "bob", "mech.scope", "scope-too-small"),
    ({}, (), StartFlurry(ANN, BOB, "Fencing"), "ann", "mech.flurry", "not-in-melee"),
    ({}, (CallMechanicalPlay((ANN, BOB), caller="bob"),), StartTurn(CID), "cid", "mech.order", "not-in-this-scene"),
    ({}, TURN, StartTurn(ANN), "ann", "mech.order", "another-turn-is-open"),
    ({}, (*TURN, EndTurn(BOB)), StartTurn(BOB), "bob", "mech.order", "turn-already-taken"),
    ({}, (*TURN, EndTurn(BOB)), EndRound(), "bob", "mech.order", "turns-outstanding"),
    ({}, FIGHT, StartTurn(CID), "cid", "mech.order", "not-your-turn"),
    ({}, (*TURN, ExpendAction(BOB, "draw", 2)), ExpendAction(BOB), "bob", "mech.actions", "no-actions-left"),
    (
        {"epic_index": 1},
        (*TURN, TakeFreeAction(ANN, "fall-down")),
        TakeFreeAction(ANN, "soliloquy"),
        "ann",
        "mech.free",
        "free-action-limit",
    ),
    (
        {},
        (*TURN, TakeFreeAction(ANN, "fall-down")),
        TakeFreeAction(ANN, "fall-down"),
        "ann",
        "mech.free",
        "free-action-kind-limit",
    ),
    ({}, (*TURN, RestoreFreeActions(BOB)), RestoreFreeActions(BOB), "bob", "mech.free-refresh", "refresh-already-used"),
    ({}, ENGAGED, ForfeitAction(CID, "8"), "cid", "mech.forfeit", "not-engaged-on-anothers-turn"),
    (
        {},
        (*ENGAGED, *[ForfeitAction(ANN, "8")] * 2),
        ForfeitAction(ANN, "8"),
        "ann",
        "mech.forfeit",
        "forfeits-exhausted",
    ),
    ({"epic_index": 0}, TURN, StartFlurry(BOB, ANN, "Brawl", ("jab",)), "bob", "mech.flurry", "flurry-ended"),
    ({}, (*TURN, StartFlurry(BOB, ANN, "Brawl", ("jab",))), StepFlurry("bite"), "bob", "mech.flurry", "unknown-step"),
    ({}, (*TURN, GoAllOut(BOB, "defense")), ExpendAction(BOB, "draw"), "bob", "mech.all-out", "all-out"),
    # --- the amendments
    ({}, (), ClaimPayback("9", player="ann"), "ann", "xd.payback", "nothing-rolled"),
    ({}, (), ClaimPayback(occasion=" "), "ann", "xd.payback", "no-occasion"),
    ({}, FIGHT, JoinMechanicalPlay(ANN), "ann", "mech.join", "already-in-mechanical-play"),
    ({}, (), made(advantages=(Advantage("Luck", 1, 1),)), "ann", "listing.advantage", "beyond-the-listing"),
    ({}, (), RaiseRating(ANN, "agility"), "ann", "persona.later-points", "not-enough-points"),
    ({}, (), BuyTrait(ANN), "ann", "persona.later-points", "which-trait"),
    (
        {},
        (),
        made(protection=(Protection("hat", bought="agility"),)),
        "gm",
        "damage.protection",
        "protection-belongs-to-no-ability",
    ),
    ({}, TURN, TakeFreeAction(ANN, "a somersault"), "ann", "mech.free", "not-a-free-action"),
    ({}, BEATEN, DeclareAction(ANN, "a blow", subject=BOB, nature="attack"), "ann", "stat.hit-points", "no-fight-left"),
    ({}, BEATEN, RuleFightLeft(ANN, " "), "gm", "stat.hit-points", "no-reason"),
    ({}, (), RuleFightLeft(ANN, "rage"), "gm", "stat.hit-points", "has-fight-left"),
    (
        {},
        (LimitPoints(3, "ann", True, True, "as agreed"),),
        made(statistics={"power": 14}),
        "ann",
        "persona.no-cap",
        "beyond-the-limit",
    ),
    ({}, BESIDE, EndRound(), "bob", "mech.order", "which-scope"),
    ({}, TURN, StartFlurry(BOB, BOB, "Brawl", ("jab",)), "bob", "mech.flurry", "flurry-against-self"),
    (
        {"epic_index": 1},
        (*TURN, JABBING, StepFlurry("jab")),
        EndTurn(BOB),
        "bob",
        "mech.flurry",
        "last-step-outstanding",
    ),
    ({}, (), LimitInWords(" "), "ann", "persona.limit-in-words", "which-limit"),
    ({}, (), StrikeTrait(ANN, "wound", "a cut"), "ann", "persona.in-play", "not-on-the-sheet"),
    ({}, (), SeekConsensus("magic", " "), "ann", "play.consensus", "no-agreement"),
    ({}, ENGAGED, SeizeAdvantage(CID, ANN, "Reach", "8"), "cid", "advantage.seize", "not-the-act"),
    ({}, (*TURN, JABBING), InterruptFlurry("a tackle"), "ann", "mech.flurry", "nothing-interrupts"),
    # --- Combat Advantage
    ({}, (*TURN, REACH), REACH, "ann", "advantage.seize", "advantage-already-held"),
    (
        {"seize_requires": "none-either-way"},
        (*TURN, REACH),
        SeizeAdvantage(BOB, ANN, "Reach"),
        "bob",
        "advantage.seize",
        "advantage-held-by-foe",
    ),
    ({}, TURN, HoldAdvantage(ANN, BOB, "Pressing"), "ann", "advantage.hold", "no-advantage-held"),
    ({"epic_index": 1}, (*TURN, REACH), HoldAdvantage(ANN, BOB, "Pressing"), "ann", "advantage.cap", "advantage-cap"),
    ({}, TURN, SeizeAdvantage(ANN, ANN, "Reach"), "ann", "advantage.seize", "advantage-against-self"),
)


@pytest.mark.parametrize(("dials", "before", "do", "by", "rule", "code"), REFUSALS, ids=[row[-1] for row in REFUSALS])
def test_refusals(dials, before, do, by, rule, code):
    game = Game(**dials)
    for step in before:
        game.does(step)
    rulings = game.number
    no: Refused = game.refusal(do, by=by)
    assert (no.rule.removeprefix("scattershot."), no.code) == (rule, code)
    assert game.number == rulings  # nothing is recorded


def test_every_code_of_the_specification_has_its_situation():
    assert sorted(row[-1] for row in REFUSALS) == sorted(SPECIFIED)


def test_the_game_has_a_sentence_for_every_code_of_the_specification_and_no_other():
    kernels, as_answer = {"unknown-dial"}, {"held"}  # a Player asked before the totals says it
    assert set(RULESET.phrases.refusals) == set(SPECIFIED) - kernels | as_answer
