"""The sentences of Scattershot: what a table would say aloud. Another language is another file like this."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.phrases import Phrase, Phrases
from ledger.rules.kernel.sentences import moving
from ledger.rules.scattershot import choices as ch
from ledger.rules.scattershot import facts_of_characters as fc
from ledger.rules.scattershot import facts_of_deeds as fd
from ledger.rules.scattershot import facts_of_fights as ff
from ledger.rules.scattershot import facts_of_play as fp
from ledger.rules.scattershot import facts_of_rewards as fr
from ledger.rules.scattershot import inputs_of_characters as c
from ledger.rules.scattershot import inputs_of_deeds as d
from ledger.rules.scattershot import inputs_of_fights as m
from ledger.rules.scattershot import inputs_of_outcomes as o
from ledger.rules.scattershot import inputs_of_play as p
from ledger.rules.scattershot import inputs_of_rewards as r
from ledger.rules.scattershot import sayings_of_deeds as deeds
from ledger.rules.scattershot import sayings_of_fights as fights
from ledger.rules.scattershot import sayings_of_play as play
from ledger.rules.scattershot import sayings_of_rewards as rewards
from ledger.rules.scattershot.phrases_of_facts import FACTS
from ledger.rules.scattershot.phrases_of_refusals import PEOPLE, REFUSALS, SEATS
from ledger.rules.scattershot.sayings import by, called, spoken, whether
from ledger.rules.scattershot.tables import SCOPES, STATISTICS

_PLAY: Mapping[type[object], Phrase] = {
    p.ListExpectation: play.expectation,
    p.ListAbility: play.ability,
    p.ListFreeSkill: "Listed as a Free Skill: {name}, which starts at {level}.",
    p.ListAdvantage: play.advantage,
    p.BeginGame: "The Game begins.",
    p.SeatPlayers: whether(
        "clockwise", "The Players sit clockwise: {clockwise}.", "The Players sit in the order in which they came."
    ),
    p.Attend: play.present,
    p.ShiftMode: play.shifts,
    p.PassWord: "{to} is to be the Speaker.",
    p.ReadChart: "The UE Chart is read for a Rating of {rating}: {facet}.",
    p.MakeRuling: play.ruling,
    p.IntroduceElement: play.introduces,
    p.TransferProprietorship: "{element} is handed on to {to}.",
    p.AskConsent: "The Proprietor of {element} is asked for consent: {change}.",
    p.AnswerConsent: play.consents,
    p.ChangeElement: "{element} is used or changed: {change}.",
}
_CHARACTERS: Mapping[type[object], Phrase] = {
    c.LimitPoints: play.limits,
    c.LimitInWords: play.limits_in_words,
    c.RaiseRating: play.raises,
    c.BuyTrait: play.buys,
    c.CashIn: "{character} gives up {points:point|points} of {characteristic} for dice[: {reason}].",
    c.Develop: play.develops,
    c.UseResource: "{character}'s {rating} is used as a Resource.",
    c.ListDamage: play.lists_damage,
    c.SpendPower: play.spends_power,
    c.RestoreResource: "{character} is to get {amount} {resource} back, by ruling[: {ruling}].",
    c.RuleFightLeft: "{character} may fight on, by ruling: {reason}.",
    c.PlaceResidual: play.places,
    c.EndResidual: "{character} is rid of a Residual modifier.",
    c.SetOffGuard: play.guards,
}
_REWARDS: Mapping[type[object], Phrase] = {
    r.CastVote: rewards.vote,
    r.AwardDice: "{to} is awarded {n:Experience Die|Experience Dice}[: {reason}].",
    r.GiveCoolBeans: "{to} is given {n:Experience Die|Experience Dice}[ by {player}].",
    r.ReplaceCoolBeans: "The Gamemaster replaces {n:die|dice} of what was given away.",
    r.CountCoup: rewards.coup,
    r.ClaimGimme: rewards.gimme,
    r.ClaimPayback: rewards.payback,
}
_DEEDS: Mapping[type[object], Phrase] = {
    d.DeclareAction: deeds.action,
    d.AnswerEngagement: deeds.answer,
    d.ReactOffGuard: "{character}, Off-Guard, rolls for a Reaction.",
    d.ApplyModifier: deeds.modifies,
    d.CloseOpportunity: "The Opportunity Phase ends.",
    d.RollMib: deeds.rolls,
    d.ReplaceRoll: "The Experience Dice are to stand for {roll}'s whole roll.",
    d.ContributeDie: deeds.contributes,
    d.CloseDecision: "The totals are called.",
    d.PlotDevice: deeds.device,
    o.TakeChallenge: partial(deeds.taken, "Challenge", "challenge"),
    o.OfferChallenge: deeds.offers,
    o.TakeBenefit: partial(deeds.taken, "Benefit", "benefit"),
    o.ReachOutcome: "The outcome is settled.",
    o.NameConsequences: deeds.names_consequences,
    o.ChooseResults: deeds.results,
    o.CloseApplication: "The Application Phase ends.",
}
_FIGHTS: Mapping[type[object], Phrase] = {
    m.CallMechanicalPlay: fights.called_for,
    m.StartTurn: "{character}'s Turn begins.",
    m.EndTurn: "{character}'s Turn ends.",
    m.EndRound: "The Round ends.",
    m.EndMechanicalPlay: fights.ends,
    m.JoinMechanicalPlay: "{character} joins Mechanical Play.",
    m.LeaveMechanicalPlay: "{character} leaves Mechanical Play.",
    m.ExpendAction: fights.expends,
    m.TakeFreeAction: fights.free,
    m.AcceptFreeAction: "This is proposed as a Free Action: {action}[ ({reason})].",
    m.RestoreFreeActions: "{character} spends an Action on getting all Free Actions back.",
    m.ForfeitAction: "{character} forfeits an Action of the next Turn.",
    m.GoAllOut: by(
        "mode",
        {
            "attack": "{character} goes for All-Out Attack[ on {foe}].",
            "defense": "{character} goes for All-Out Defense[ against {foe}].",
            "focusing": "{character} is Focusing[ on {foe}].",
        },
    ),
    m.StartFlurry: "{character} begins a Flurry against {foe} with {ability}.",
    m.StepFlurry: "The Flurry goes on: {step}.",
    m.InterruptFlurry: "The Flurry is interrupted: {what}.",
    m.SeizeAdvantage: "{holder} Seizes the Advantage over {foe}[: {cause}].",
    m.HoldAdvantage: "{holder} Holds the Advantage over {foe}[: {cause}].",
    m.CheckAdvantage: "{foe} Checks {holder}'s Advantage[: {cause}].",
    m.EraseAdvantage: "{foe} takes all of {holder}'s Combat Advantage away[: {cause}].",
    m.ChangeFoe: "{character} turns to {foe}.",
}
_CHOICES: Mapping[type[object], Phrase] = {
    ch.Agree: "Agreed.",
    ch.Decline: "Not this time.",
    ch.SpeakFor: whether(
        "agreed",
        "A Gamemaster says yes for the Player: “{reason}”",
        "A Gamemaster says no for the Player: “{reason}”",
    ),
    d.Oppose: deeds.opposing,
    d.StayPassive: "Nothing is done against it.",
    o.Consequences: deeds.lasts,
}
#: By the first word of what is asked for.
_QUESTIONS: Mapping[str, str] = {
    "mib": "{who} rolls two ten-sided dice for the MIB.",
    "reaction": "{who} rolls two ten-sided dice to notice in time.",
    "experience": "What does the Experience Die show?",
    "plot-device": "What do the Experience Dice of the plot device show?",
    "development": "What do the Experience Dice show?",
    "consequences": "What lasting consequences does it have?",
    "response": "{purpose}",
    "free-action": "Do you agree? {purpose}.",
    "challenge": "Do you take it? {purpose}",
    "cash-in": "Do you grant it? {purpose}.",
    "coup": "Do you grant it? {purpose}",
    "gimme": "Do you grant it? {purpose}.",
    "payback": "Do you grant the Payback?",
    "limit": "Do you agree? {purpose}.",
    "listing": "Do you allow it? {purpose}.",
    "protection": "Do you allow it? {purpose}.",
    "act": "Do you rule so? {purpose}.",
    "part": "Do you play this Character in this Action?",
    "end": "Is this to be the end of Mechanical Play?",
}
#: Where numbers tell more than the rule.
_STEPS: Mapping[str, str] = {
    "scattershot.rating.skill": "{skill}: {base} for its difficulty, {out} with the points in it.",
    "scattershot.rating.special-ability": "{skill}: {base} for its difficulty, {out} with the points in it.",
    "scattershot.rating.total": "All of it costs {out:Development Point|Development Points}.",
    "scattershot.default.related": "{ability} is Defaulted by way of {related}: {out} or less.",
    "scattershot.default.untrained": "{ability} is Defaulted untrained: {out} or less.",
    "scattershot.default.scope": "Defaulting between {own} and {scope} Scope is an extra {out}.",
    "scattershot.resolve.modifiers": "A Rating of {rating}, modified by {modifiers}: {out} or less.",
    "scattershot.engage.off-guard": (
        "Reaction {reaction}, modified by {modifiers}, and by -2 for being Off-Guard: a MIB of {out}."
    ),
    "scattershot.contest.rmib": "Against {resistor} that makes an RMIB of {out}.",
    "scattershot.advantage.penalty": "Combat Advantage held on {subject} takes {out} off all rolls.",
    "scattershot.result.factor": "{remaining} times the Multiplier of {magnitude}: {out}.",
    "scattershot.damage.formula": (
        "{remaining}, and {weapon} for the weapon, times the Multiplier, less {protection} for protection:"
        " {out} of damage."
    ),
    "scattershot.resource.reduce": "{before} less {loss}: {out} left.",
    "scattershot.xd.develop": "A total of {total} makes {out:Development Point|Development Points}.",
    "scattershot.xd.payback": (
        "For {spent:die|dice} spent, {out:die|dice} of Payback, {interest:die|dice} of it as interest."
    ),
    "scattershot.listing.ability": "Using {ability} costs {out} Power.",
}
#: What the table moves by hand.
_UNITS: Mapping[str, str] = {
    "xd": "{amount:Experience Die|Experience Dice}",
    "karmic": "{amount:Loaner|Loaners}",
    "spent": "{amount:spent die|spent dice}",
    "payback": "{amount:Payback|Paybacks}",
    "gift": "{amount:die|dice} that can be replaced",
    "dp": "{amount:Development Point|Development Points}",
    "resource": "{amount} {detail}",
    "shortfall": "{amount:point|points} of {detail} below zero",
    "action": "{amount:Action|Actions}",
    "advantage": "{amount:Combat Advantage|Combat Advantages}",
}

PHRASES = Phrases(
    inputs={**spoken({**_PLAY, **_CHARACTERS, **_REWARDS, **_DEEDS, **_FIGHTS}), Adjust: moving(_UNITS)},
    choices=spoken(_CHOICES),
    facts=FACTS,
    questions=_QUESTIONS,
    refusals=REFUSALS,
    steps=_STEPS,
    headlines=(
        fd.PartDeclined,
        fc.ProtectionDeclined,
        ff.ActDeclined,
        fp.ListingUpheld,
        fc.ResourceReduced,
        fd.JunctureConsequenceNamed,
        fd.OutcomeReached,
        fd.ChallengeOffered,
        fd.DecisionClosed,
        fd.OffGuardReactionRolled,
        fd.RollReported,
        fd.MibRolled,
        fd.OpportunityClosed,
        fd.PlotDeviceRolled,
        fd.ExperienceDieRolled,
        ff.MechanicalPlayGoesOn,
        ff.MechanicalPlayEnded,
        ff.TurnStarted,
        ff.FreeActionAccepted,
        ff.FreeActionDeclined,
        fp.ChartRead,
        fc.DevelopmentRolled,
        fc.CharacteristicCashedIn,
        fc.DamageListed,
        fc.LimitDeclined,
        fc.PointLimitSet,
        fc.PersonaCreated,
        fd.ResistorAnswered,
        fd.ActionDeclared,
        fc.ResourceRestored,
        fc.PowerSpent,
        fc.TraitBought,
        ff.FlurryStarted,
        fr.GimmeTaken,
        fr.GimmeDeclined,
        fr.PaybackPaid,
        fr.CoupCounted,
        fr.DiceDeclined,
    ),
    people=PEOPLE,
    seats=SEATS,
    words={**{one: called(one) for one in STATISTICS}, **{one: one.title() for one in SCOPES}},
)
