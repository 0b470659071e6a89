"""The game as the ledger knows it: every input to its chapter, and the record that holds it all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset, Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import (
    accounts,
    advantage,
    agreement,
    application,
    deedinputs,
    engaging,
    evolving,
    experience,
    flurries,
    game,
    inputs,
    listings,
    melee,
    persona,
    resolution,
    resources,
    results,
    rewards,
    strifeinputs,
)
from ledger.rules.scattershot.dials import Dials, check_dials
from ledger.rules.scattershot.facts import FACTS, Fact
from ledger.rules.scattershot.folding import apply, blank
from ledger.rules.scattershot.ground import Ruling
from ledger.rules.scattershot.inputs import INPUTS, Input
from ledger.rules.scattershot.rulebook import RULES
from ledger.rules.scattershot.sheet import Sheet
from ledger.rules.scattershot.state import State
from ledger.rules.scattershot.view import view

#: What needs no answer of anybody.
QUIETLY: Mapping[type[Any], Callable[[Ruling, Any], None]] = {
    inputs.ListExpectation: game.list_expectation,
    inputs.ListAbility: listings.list_ability,
    inputs.ListFreeSkill: listings.list_free_skill,
    inputs.ListAdvantage: listings.list_advantage,
    inputs.BeginGame: lambda ruling, do: game.begin(ruling),
    inputs.SeatPlayers: game.seat_players,
    inputs.Attend: game.attend,
    inputs.PassWord: game.pass_word,
    inputs.ReadChart: game.read_chart,
    inputs.MakeRuling: game.make_ruling,
    inputs.IntroduceElement: game.introduce,
    inputs.TransferProprietorship: game.transfer,
    inputs.AskConsent: game.ask_consent,
    inputs.AnswerConsent: game.answer_consent,
    inputs.ChangeElement: game.change_element,
    inputs.RaiseRating: evolving.raise_rating,
    inputs.UseResource: resources.use_resource,
    inputs.ListDamage: results.list_damage,
    inputs.SpendPower: resources.spend_power,
    inputs.RestoreResource: resources.restore,
    inputs.RuleFightLeft: resources.rule_fight_left,
    inputs.PlaceResidual: results.place_residual,
    inputs.EndResidual: results.end_residual,
    inputs.SetOffGuard: results.set_off_guard,
    inputs.CastVote: rewards.cast_vote,
    inputs.AwardDice: rewards.award,
    inputs.GiveCoolBeans: rewards.give,
    inputs.ReplaceCoolBeans: rewards.replace,
    deedinputs.ApplyModifier: resolution.apply_modifier,
    deedinputs.CloseOpportunity: resolution.close_opportunity,
    deedinputs.ReplaceRoll: resolution.replace_roll,
    deedinputs.CloseDecision: resolution.close_decision,
    deedinputs.TakeChallenge: application.take_challenge,
    deedinputs.TakeBenefit: application.take_benefit,
    deedinputs.ReachOutcome: application.reach,
    deedinputs.ChooseResults: results.choose,
    deedinputs.CloseApplication: results.close,
    strifeinputs.CallMechanicalPlay: melee.call,
    strifeinputs.StartTurn: melee.start_turn,
    strifeinputs.EndTurn: melee.end_turn,
    strifeinputs.EndRound: melee.end_round,
    strifeinputs.JoinMechanicalPlay: melee.join,
    strifeinputs.LeaveMechanicalPlay: melee.leave,
    strifeinputs.ExpendAction: melee.expend_action,
    strifeinputs.TakeFreeAction: melee.take_free_action,
    strifeinputs.RestoreFreeActions: melee.restore_free,
    strifeinputs.ForfeitAction: melee.forfeit_action,
    strifeinputs.GoAllOut: melee.go_all_out,
    strifeinputs.StartFlurry: flurries.start_flurry,
    strifeinputs.StepFlurry: flurries.step_flurry,
    strifeinputs.InterruptFlurry: flurries.interrupt_flurry,
    strifeinputs.SeizeAdvantage: advantage.seize,
    strifeinputs.HoldAdvantage: advantage.hold,
    strifeinputs.CheckAdvantage: advantage.check,
    strifeinputs.EraseAdvantage: advantage.erase,
    strifeinputs.ChangeFoe: advantage.change_foe,
    commands.Enrol: lambda ruling, do: persona.create(ruling, do.seat, do.sheet),
    commands.HandOver: game.hand_over,
    commands.CloseScene: game.close_scene,
    commands.OpenSession: game.open_session,
    commands.CloseSession: game.close_session,
    commands.SetDial: game.set_dial,
}
#: What may need dice, or somebody's choice.
ASKING: Mapping[type[Any], Callable[[Ruling, Any], Asking[None]]] = {
    inputs.ShiftMode: game.shift_mode,
    strifeinputs.EndMechanicalPlay: melee.end,
    inputs.LimitPoints: game.limit_points,
    inputs.BuyTrait: evolving.buy_trait,
    inputs.CashIn: evolving.cash_in,
    inputs.Develop: evolving.develop,
    inputs.CountCoup: rewards.coup,
    inputs.ClaimGimme: rewards.gimme,
    inputs.ClaimPayback: rewards.payback,
    strifeinputs.AcceptFreeAction: melee.accept_free_action,
    deedinputs.DeclareAction: resolution.declare,
    deedinputs.AnswerEngagement: engaging.answer,
    deedinputs.ReactOffGuard: engaging.react,
    deedinputs.RollMib: resolution.roll_mib,
    deedinputs.ContributeDie: experience.contribute,
    deedinputs.PlotDevice: experience.plot_device,
    deedinputs.OfferChallenge: application.offer_challenge,
    deedinputs.NameConsequences: application.name_consequences,
}


def adjudicate(table: Table[Dials], do: Input | commands.Input) -> Asking[Verdict[Fact]]:
    """Any input of the game or the kernel. May raise Refused, nothing else."""
    ruling = Ruling(table)
    quietly, asking = QUIETLY.get(type(do)), ASKING.get(type(do))
    if quietly is not None:
        quietly(ruling, do)
    elif asking is not None:
        yield from asking(ruling, do)
    return ruling.verdict()


RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="scattershot",
    title="Scattershot",
    source="Scattershot presents: Just the Mechanix, by Fang Langford (2002)",
    edition=1,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=(*agreement.CHOICES, *deedinputs.CHOICES),
    facts=FACTS,
    accounts=accounts.ACCOUNTS,
    rules=RULES,
    blank=blank,
    adjudicate=adjudicate,
    apply=apply,
    view=view,
    bad_dial="bad-number",
    check_dials=check_dials,
)
