"""Sentences of what became true."""

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
    p.ChartAdopted: whether("rows", "The table has a UE Chart of its own.", "The table uses the UE Chart as it comes."),
    p.ChartRead: play.chart,
    p.GenreExpectationListed: play.expectation,
    p.AbilityListed: play.ability,
    p.AdvantageListed: play.advantage,
    p.FreeSkillListed: "Listed as a Free Skill: {name}, which starts at {level}.",
    p.ListingUpheld: "The Gamemaster allows {character} nothing beyond the listing of {name}.",
    p.PlayersSeated: whether(
        "clockwise", "The Players sit clockwise: {clockwise}.", "The Players sit in the order in which they came."
    ),
    p.AttendanceNoted: play.present,
    p.RulingMade: play.ruling,
    p.VoteCast: rewards.vote,
    p.ElementIntroduced: "{proprietor} is Proprietor of {element}.",
    p.ProprietorshipTransferred: "{from} hands {element} on to {to}, who is Proprietor now.",
    p.ConsentAsked: "{asker} asks for the Proprietor's consent about {element}: {change}.",
    p.ConsentGiven: play.consented,
    p.ConsentRefused: "The Proprietor of {element} does not consent: {change}.",
    p.ElementChanged: "{by} uses or changes {element}: {change}.",
    p.PlayModeShifted: play.shifted,
    p.SpeakerChanged: "{to} is the Speaker now[, after {from}].",
}
_OF_CHARACTERS: Mapping[type[object], Phrase] = {
    c.PersonaCreated: play.ready,
    c.EffectIndexed: play.indexed,
    c.TraitBought: play.bought,
    c.ProtectionDeclined: "The Gamemaster does not allow {character} this protection: {name}.",
    c.SheetDeviates: play.deviates,
    c.PointLimitSet: (
        "{seat}'s new Personae start with {limit:Development Point|Development Points} at most[: {reason}]."
    ),
    c.WordLimitSet: "New limit on {seat}'s Personae: {words}[ ({reason})].",
    c.WordLimitDeclined: "{seat} declines a limit on new Personae: {words}.",
    c.LimitsShown: play.shown,
    c.LimitDeclined: "{seat} does not agree to a limit of {limit:Development Point|Development Points}.",
    c.DevelopmentPointsAllocated: "{subject} puts {points:point|points} into {rating}.",
    c.RatingRaised: whether(
        "new",
        "{subject} has learned {rating}, with {points:point|points}.",
        "{subject}'s {rating} goes up by {points}.",
    ),
    c.CharacteristicCashedIn: whether(
        "left",
        "{subject} gives up {points:point|points} of {rating} for as many dice; {left:point is|points are} left in it.",
        "{subject} gives up {points:point|points} of {rating} for as many dice; none is left in it.",
    ),
    c.DevelopmentRolled: play.developed,
    c.DisadvantageGained: "{character} has a new disadvantage, {name}, worth {value:point|points}.",
    c.ResidualPlaced: play.placed,
    c.ResidualEnded: "{subject} is rid of a Residual modifier.",
    c.OffGuardSet: play.guarded,
    c.ResourceReduced: play.reduced,
    c.ResourceUsed: "{subject}'s {resource} is a Resource of {maximum} now.",
    c.ResourceRestored: "{character} gets {amount} {resource} back[: {ruling}].",
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
        "{holder} keeps {n:Loaner|Loaners} of {borrower}'s as dice of one's own.",
        "{n:Loaner lapses|Loaners lapse} that {borrower} had out and {holder} had saved.",
    ),
}
_OF_DEEDS: Mapping[type[object], Phrase] = {
    d.ActionDeclared: deeds.acted,
    d.PartDeclined: "{player} does not play {character} in this.",
    d.PlotDeviceRolled: deeds.device,
    d.ResistorAnswered: deeds.answered,
    d.OffGuardReactionRolled: deeds.reaction,
    d.ModifierApplied: deeds.modified,
    d.OpportunityClosed: deeds.fixed,
    d.MibRolled: deeds.rolled,
    d.RollReported: deeds.reported,
    d.RollReplaced: "The Experience Dice stand for {roll}'s whole roll.",
    d.ExperienceDieRolled: deeds.contributed,
    d.ExperienceDieHandedOver: deeds.handed,
    d.DecisionClosed: deeds.totals,
    d.ChallengeTaken: partial(deeds.taken, "Challenge", "kind"),
    d.ChallengeOffered: deeds.offered,
    d.BenefitTaken: deeds.benefit,
    d.OutcomeReached: deeds.outcome,
    d.JunctureConsequenceNamed: deeds.consequence,
    d.AdvantageConverted: "{holder} gains {n:Combat Advantage|Combat Advantages} over {foe} out of it.",
    d.ScalarRecorded: deeds.scalar,
    d.ApplicationClosed: "The resolution is over.",
}
_OF_FIGHTS: Mapping[type[object], Phrase] = {
    m.MechanicalPlayCalled: fights.called_for,
    m.TurnStarted: whether(
        "actions",
        "{persona}'s Turn begins, with {actions:Action|Actions}.",
        "{persona}'s Turn begins, with no Action left.",
    ),
    m.TurnEnded: "{persona}'s Turn is over.",
    m.RoundEnded: "Round {n} is over.",
    m.MechanicalPlayEnded: "Mechanical Play is over, in Round {rounds}.",
    m.MechanicalPlayGoesOn: "Mechanical Play goes on: {by} would end it, {against} would not.",
    m.MechanicalPlayJoined: whether(
        "waits",
        "{character} joins Mechanical Play with the next Round; the order is {order}.",
        "{character} joins Mechanical Play; the order is {order}.",
    ),
    m.MechanicalPlayLeft: "{character} leaves Mechanical Play.",
    m.ActionExpended: fights.expends,
    m.ActionForfeited: "{persona} forfeits an Action of the next Turn.",
    m.FreeActionTaken: fights.free,
    m.FreeActionAccepted: "This is a Free Action from now on: {action}[ ({reason})].",
    m.FreeActionDeclined: "This is no Free Action, as {against} does not agree: {action}.",
    m.FreeCapacityRestored: "{persona} has all Free Actions again.",
    m.AllOutDeclared: by(
        "mode",
        {
            "attack": "{persona} goes for All-Out Attack[ on {foe}].",
            "defense": "{persona} goes for All-Out Defense[ against {foe}].",
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
            "limit": "The Flurry has come to its last step.",
        },
    ),
    m.AdvantageSeized: "{holder} Seizes the Advantage over {foe}[: {cause}].",
    m.AdvantageHeld: "{holder} Holds the Advantage over {foe}, and gains one more[: {cause}].",
    m.AdvantageChecked: "{foe} Checks {holder}'s Advantage, which is one less[: {cause}].",
    m.AdvantageErased: "{holder} loses all Combat Advantage over {foe}, {n} in all[: {cause}].",
    m.ActDeclined: "The Gamemaster does not rule this for {character}: {what}.",
    m.FoeChanged: whether("from", "{persona} turns from {from} to {to}.", "{persona} turns to {to}."),
}
FACTS: Mapping[type[object], Phrase] = spoken({**_OF_PLAY, **_OF_CHARACTERS, **_OF_REWARDS, **_OF_DEEDS, **_OF_FIGHTS})
