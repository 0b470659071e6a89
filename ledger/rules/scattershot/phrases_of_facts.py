"""Sentences of results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ledger.rules.kernel.phrases import Phrase
from ledger.rules.scattershot import facts_of_characters as c
from ledger.rules.scattershot import facts_of_deeds as d
from ledger.rules.scattershot import facts_of_fights as m
from ledger.rules.scattershot import facts_of_play as p
from ledger.rules.scattershot import facts_of_rewards as r
from ledger.rules.scattershot import sayings_of_deeds as deeds
from ledger.rules.scattershot import sayings_of_fights as fights
from ledger.rules.scattershot import sayings_of_play as play
from ledger.rules.scattershot import sayings_of_rewards as rewards
from ledger.rules.scattershot.sayings import by, spoken, whether

_OF_PLAY: Mapping[type[object], Phrase] = {
    p.GameBegun: "The Game begins, with a Critical Juncture of {cj} and an Epic Index of {ei}.",
    p.ChartAdopted: whether("rows", "The table uses its own UE Chart.", "The table uses the standard UE Chart."),
    p.ChartRead: play.chart,
    p.GenreExpectationListed: play.expectation,
    p.AbilityListed: play.ability,
    p.AbilityUseListed: play.ability_use,
    p.AdvantageListed: play.advantage,
    p.WeaponListed: "Listed weapon: {name}, which adds {adds} to an RMIB.",
    p.FreeSkillListed: "Listed Free Skill: {name}, starting at {level}.",
    p.ListingUpheld: "The Gamemaster does not allow {character} to go beyond the listing of {name}.",
    p.PlayersSeated: whether(
        "clockwise", "The Players sit clockwise: {clockwise}.", "The Players sit in the order in which they joined."
    ),
    p.AttendanceNoted: play.present,
    p.RulingMade: play.ruling,
    p.ConsensusReached: play.consensus,
    p.ConsensusFailed: play.no_consensus,
    p.VoteCast: rewards.vote,
    p.ElementIntroduced: "{proprietor} is the Proprietor of {element}.",
    p.ProprietorshipTransferred: "{from} hands {element} to {to}, who is now the Proprietor.",
    p.ConsentAsked: "{asker} asks the Proprietor of {element} for consent: {change}.",
    p.ConsentGiven: play.consented,
    p.ConsentRefused: "The Proprietor of {element} does not consent: {change}.",
    p.ElementChanged: "{by} uses or changes {element}: {change}.",
    p.PlayModeShifted: play.shifted,
    p.SpeakerChanged: "{to} is now the Speaker[, after {from}].",
}
_OF_CHARACTERS: Mapping[type[object], Phrase] = {
    c.PersonaCreated: play.ready,
    c.EffectIndexed: play.indexed,
    c.TraitBought: play.bought,
    c.ProtectionDeclined: "The Gamemaster does not allow {character} this protection: {name}.",
    c.SheetDeviates: play.deviates,
    c.PointLimitSet: (
        "{seat}'s new Personae start with at most {limit:Development Point|Development Points}[: {reason}]."
    ),
    c.WordLimitSet: play.limited_in_words,
    c.WordLimitDeclined: "{seat} does not agree to a limit on new Personae: {words}.",
    c.LimitsShown: play.shown,
    c.LimitDeclined: (
        "{seat} does not agree to a limit of {limit:Development Point|Development Points} on new Personae."
    ),
    c.DevelopmentPointsAllocated: "{subject} puts {points:point|points} into {rating}.",
    c.RatingRaised: whether(
        "new",
        "{subject} learns {rating}, with {points:point|points}.",
        "{subject}'s Rating in {rating} rises by {points}.",
    ),
    c.CharacteristicCashedIn: whether(
        "left",
        "{subject} cashes in {points:point|points} of {rating} for as many dice, and {left:point is|points are} left.",
        "{subject} cashes in {points:point|points} of {rating} for as many dice, and none is left.",
    ),
    c.DevelopmentRolled: play.developed,
    c.DisadvantageGained: "{character} gains a Disadvantage: {name}, worth {value:point|points}.",
    c.DisadvantageTaken: play.disadvantaged,
    c.TraitStruck: by("trait", play.STRUCK),
    c.SheetChangeDeclined: "{against} does not agree to this change to {character}'s sheet: {name}.",
    c.ResidualPlaced: play.placed,
    c.ResidualEnded: "One of {subject}'s Residual modifiers ends.",
    c.OffGuardSet: play.guarded,
    c.ResourceReduced: play.reduced,
    c.ResourceUsed: "{subject}'s {resource} is now a Resource with a maximum of {maximum}.",
    c.ResourceRestored: "{character} regains {amount} {resource}[: {ruling}].",
    c.FightLeftRuled: "{character} may fight on: {reason}.",
    c.DamageListed: play.listed_damage,
    c.PowerSpent: play.spent_power,
    c.PenaltyDeferred: play.deferred,
    c.PenaltyTookEffect: play.penalty,
}
_OF_REWARDS: Mapping[type[object], Phrase] = {
    r.ExperienceDiceAwarded: "{to} is awarded {n:Experience Die|Experience Dice}[: {reason}].",
    r.CoolBeansGiven: "{from} gives {to} {n:Experience Die|Experience Dice}.",
    r.CoolBeansReplaced: "The Gamemaster replaces {n:Experience Die|Experience Dice} that {giver} gave away.",
    r.CoupCounted: rewards.coup_counted,
    r.GimmeTaken: whether(
        "grade",
        "{player} takes a {grade} Gimme of {n:die|dice}: {source}.",
        "{player} takes a Gimme of {n:die|dice}: {source}.",
    ),
    r.GimmeDeclined: "{player} is not granted a Gimme: {source}.",
    r.DiceDeclined: rewards.declined,
    r.PaybackPaid: rewards.paid_back,
    r.LoanerLapsed: whether(
        "kept",
        "{holder} keeps {n:Loaner|Loaners} from {borrower} as ordinary dice.",
        "{n:Loaner lapses|Loaners lapse}: borrowed by {borrower}, saved by {holder}.",
    ),
}
_OF_DEEDS: Mapping[type[object], Phrase] = {
    d.ActionDeclared: deeds.acted,
    d.PartDeclined: "{player} does not agree to play {character} in this Action.",
    d.PlotDeviceRolled: deeds.device,
    d.ResistorAnswered: deeds.answered,
    d.OffGuardReactionRolled: deeds.reaction,
    d.ModifierApplied: deeds.modified,
    d.OpportunityClosed: deeds.fixed,
    d.MibRolled: deeds.rolled,
    d.RollReported: deeds.reported,
    d.RollReplaced: "The Experience Dice replace {roll}'s ten-sided dice.",
    d.ExperienceDieRolled: deeds.contributed,
    d.ExperienceDieHandedOver: deeds.handed,
    d.DecisionClosed: deeds.totals,
    d.ChallengeTaken: partial(deeds.taken, "Challenge", "kind"),
    d.ChallengeOffered: deeds.offered,
    d.BenefitTaken: deeds.benefit,
    d.OutcomeReached: deeds.outcome,
    d.JunctureConsequenceNamed: deeds.consequence,
    d.AdvantageConverted: "{holder} gains {n:point|points} of Combat Advantage over {foe}.",
    d.ScalarRecorded: deeds.scalar,
    d.ApplicationClosed: "The resolution is over.",
}
_OF_FIGHTS: Mapping[type[object], Phrase] = {
    m.MechanicalPlayCalled: fights.called_for,
    m.ScopeShifted: whether(
        "too_small",
        "Mechanical Play shifts from {from} to {to} Scope, although that is too many Characters.",
        "Mechanical Play shifts from {from} to {to} Scope.",
    ),
    m.TurnStarted: whether(
        "actions",
        "{persona}'s Turn begins, with {actions:Action|Actions}.",
        "{persona}'s Turn begins, with no Actions left.",
    ),
    m.TurnEnded: "{persona}'s Turn is over.",
    m.RoundEnded: "Round {n} is over.",
    m.MechanicalPlayEnded: "Mechanical Play ends in Round {rounds}.",
    m.MechanicalPlayGoesOn: "Mechanical Play continues: {by} wants to end it, but {against} does not.",
    m.MechanicalPlayJoined: whether(
        "waits",
        "{character} joins Mechanical Play in the next Round; the order is {order}.",
        "{character} joins Mechanical Play; the order is {order}.",
    ),
    m.MechanicalPlayLeft: "{character} leaves Mechanical Play.",
    m.ActionExpended: fights.expends,
    m.ActionForfeited: "{persona} forfeits an Action of the next Turn.",
    m.FreeActionTaken: fights.free,
    m.FreeActionAccepted: fights.accepted,
    m.FreeActionDeclined: "{against} does not accept this as a Free Action: {action}.",
    m.FreeCapacityRestored: "{persona} can use all Free Actions again.",
    m.AllOutDeclared: by(
        "mode",
        {
            "attack": "{persona} makes an All-Out Attack[ on {foe}].",
            "defense": "{persona} chooses All-Out Defense[ against {foe}].",
            "focusing": "{persona} is Focusing[ on {foe}].",
        },
    ),
    m.FlurryStarted: fights.script,
    m.FlurryStepped: "Step {n} of the Flurry: {step}.",
    m.FlurryEnded: by(
        "by",
        {
            "hit": "The Flurry ends with a hit.",
            "interruption": "The Flurry is interrupted.",
            "limit": "The Flurry ends with its last step.",
        },
    ),
    m.AdvantageSeized: "{holder} Seizes the Advantage over {foe}[: {cause}].",
    m.AdvantageHeld: "{holder} Holds the Advantage over {foe} and gains 1 more[: {cause}].",
    m.AdvantageChecked: "{foe} Checks {holder}'s Advantage, which falls by 1[: {cause}].",
    m.AdvantageErased: "{holder} loses all Combat Advantage over {foe}, a total of {n}[: {cause}].",
    m.ActDeclined: "The Gamemaster does not allow this for {character}: {what}.",
    m.FoeChanged: whether("from", "{persona} turns from {from} to {to}.", "{persona} turns to {to}."),
}
FACTS: Mapping[type[object], Phrase] = spoken({**_OF_PLAY, **_OF_CHARACTERS, **_OF_REWARDS, **_OF_DEEDS, **_OF_FIGHTS})
