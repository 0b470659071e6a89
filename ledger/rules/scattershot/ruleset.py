"""The game as the ledger knows it: every input to its chapter, and the record that holds it all together."""

from __future__ import annotations

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset
from ledger.rules.kernel.dispatch import Dispatch
from ledger.rules.scattershot import (
    accounts,
    actions,
    advantage,
    application,
    consequences,
    engaging,
    evolving,
    experience,
    flurries,
    game,
    inputs_of_characters,
    inputs_of_deeds,
    inputs_of_fights,
    inputs_of_outcomes,
    inputs_of_play,
    inputs_of_rewards,
    listings,
    melee,
    persona,
    proprietorship,
    resolution,
    resources,
    results,
    rewards,
    twice,
)
from ledger.rules.scattershot.choices import CHOICES
from ledger.rules.scattershot.dials import Dials, check_dials
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts import FACTS, Fact
from ledger.rules.scattershot.fold import FOLD
from ledger.rules.scattershot.inputs import INPUTS, Input
from ledger.rules.scattershot.labels import LABELS, REFERS, STEPS
from ledger.rules.scattershot.moves import moves
from ledger.rules.scattershot.people import PEOPLE
from ledger.rules.scattershot.phrases import PHRASES
from ledger.rules.scattershot.rolled import rolls
from ledger.rules.scattershot.rulebook import RULES
from ledger.rules.scattershot.sheet import Sheet
from ledger.rules.scattershot.state import State
from ledger.rules.scattershot.terms import REFERENCES
from ledger.rules.scattershot.thrown import thrown
from ledger.rules.scattershot.view import view

DISPATCH = Dispatch(
    Draft,
    INPUTS,
    {
        inputs_of_play.ListExpectation: game.list_expectation,
        inputs_of_play.ListAbility: listings.list_ability,
        inputs_of_play.ListFreeSkill: listings.list_free_skill,
        inputs_of_play.ListAdvantage: listings.list_advantage,
        inputs_of_play.BeginGame: game.begin,
        inputs_of_play.SeatPlayers: game.seat_players,
        inputs_of_play.Attend: game.attend,
        inputs_of_play.ShiftMode: game.shift_mode,
        inputs_of_play.PassWord: game.pass_word,
        inputs_of_play.ReadChart: game.read_chart,
        inputs_of_play.MakeRuling: game.make_ruling,
        inputs_of_play.IntroduceElement: proprietorship.introduce,
        inputs_of_play.TransferProprietorship: proprietorship.transfer,
        inputs_of_play.AskConsent: proprietorship.ask_consent,
        inputs_of_play.AnswerConsent: proprietorship.answer_consent,
        inputs_of_play.ChangeElement: proprietorship.change_element,
        inputs_of_characters.LimitPoints: persona.limit_points,
        inputs_of_characters.LimitInWords: persona.limit_in_words,
        inputs_of_characters.RaiseRating: evolving.raise_rating,
        inputs_of_characters.BuyTrait: evolving.buy_trait,
        inputs_of_characters.CashIn: evolving.cash_in,
        inputs_of_characters.Develop: evolving.develop,
        inputs_of_characters.UseResource: resources.use_resource,
        inputs_of_characters.ListDamage: results.list_damage,
        inputs_of_characters.SpendPower: resources.spend_power,
        inputs_of_characters.RestoreResource: resources.restore,
        inputs_of_characters.RuleFightLeft: resources.rule_fight_left,
        inputs_of_characters.PlaceResidual: results.place_residual,
        inputs_of_characters.EndResidual: results.end_residual,
        inputs_of_characters.SetOffGuard: results.set_off_guard,
        inputs_of_rewards.CastVote: rewards.cast_vote,
        inputs_of_rewards.AwardDice: rewards.award,
        inputs_of_rewards.GiveCoolBeans: rewards.give,
        inputs_of_rewards.ReplaceCoolBeans: rewards.replace,
        inputs_of_rewards.CountCoup: rewards.coup,
        inputs_of_rewards.ClaimGimme: rewards.gimme,
        inputs_of_rewards.ClaimPayback: rewards.payback,
        inputs_of_deeds.DeclareAction: resolution.declare,
        inputs_of_deeds.AnswerEngagement: engaging.answer,
        inputs_of_deeds.ReactOffGuard: engaging.react,
        inputs_of_deeds.ApplyModifier: resolution.apply_modifier,
        inputs_of_deeds.CloseOpportunity: resolution.close_opportunity,
        inputs_of_deeds.RollMib: resolution.roll_mib,
        inputs_of_deeds.ReplaceRoll: resolution.replace_roll,
        inputs_of_deeds.ContributeDie: experience.contribute,
        inputs_of_deeds.CloseDecision: resolution.close_decision,
        inputs_of_deeds.PlotDevice: experience.plot_device,
        inputs_of_outcomes.TakeChallenge: application.take_challenge,
        inputs_of_outcomes.OfferChallenge: application.offer_challenge,
        inputs_of_outcomes.TakeBenefit: application.take_benefit,
        inputs_of_outcomes.ReachOutcome: application.reach,
        inputs_of_outcomes.NameConsequences: consequences.name_consequences,
        inputs_of_outcomes.ChooseResults: results.choose,
        inputs_of_outcomes.CloseApplication: results.close,
        inputs_of_fights.CallMechanicalPlay: melee.call,
        inputs_of_fights.StartTurn: melee.start_turn,
        inputs_of_fights.EndTurn: melee.end_turn,
        inputs_of_fights.EndRound: melee.end_round,
        inputs_of_fights.EndMechanicalPlay: melee.end,
        inputs_of_fights.JoinMechanicalPlay: melee.join,
        inputs_of_fights.LeaveMechanicalPlay: melee.leave,
        inputs_of_fights.ExpendAction: actions.expend_action,
        inputs_of_fights.TakeFreeAction: actions.take_free_action,
        inputs_of_fights.AcceptFreeAction: actions.accept_free_action,
        inputs_of_fights.RestoreFreeActions: actions.restore_free,
        inputs_of_fights.ForfeitAction: actions.forfeit_action,
        inputs_of_fights.GoAllOut: actions.go_all_out,
        inputs_of_fights.StartFlurry: flurries.start_flurry,
        inputs_of_fights.StepFlurry: flurries.step_flurry,
        inputs_of_fights.InterruptFlurry: flurries.interrupt_flurry,
        inputs_of_fights.SeizeAdvantage: advantage.seize,
        inputs_of_fights.HoldAdvantage: advantage.hold,
        inputs_of_fights.CheckAdvantage: advantage.check,
        inputs_of_fights.EraseAdvantage: advantage.erase,
        inputs_of_fights.ChangeFoe: advantage.change_foe,
        commands.Enrol: persona.create,
        commands.HandOver: proprietorship.hand_over,
        commands.CloseScene: game.close_scene,
        commands.OpenSession: game.open_session,
        commands.CloseSession: game.close_session,
        commands.SetDial: game.set_dial,
    },
)

RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="scattershot",
    title="Scattershot",
    source="Scattershot presents: Just the Mechanix, by Fang Langford (2002)",
    edition=2,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=CHOICES,
    facts=FACTS,
    accounts=accounts.ACCOUNTS,
    references=REFERENCES,
    people=PEOPLE,
    phrases=PHRASES,
    labels=LABELS,
    refers=REFERS,
    steps=STEPS,
    rules=RULES,
    blank=FOLD.blank,
    adjudicate=DISPATCH.adjudicate,
    apply=FOLD.apply,
    view=view,
    bad_dial="bad-number",
    check_dials=check_dials,
    moves=moves,
    kept_twice=twice.kept_twice,
    thrown=thrown,
    rolls=rolls,
)
