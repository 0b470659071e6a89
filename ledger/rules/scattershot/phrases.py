"""The sentences of Scattershot. Another language is another file like this."""

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
    p.ListFreeSkill: "Listed Free Skill: {name}, starting at {level}.",
    p.ListAdvantage: play.advantage,
    p.ListWeapon: "Listed weapon: {name}, which adds {adds} to an RMIB.",
    p.BeginGame: "The Game begins.",
    p.SeatPlayers: whether(
        "clockwise", "The Players sit clockwise: {clockwise}.", "The Players sit in the order in which they joined."
    ),
    p.Attend: play.present,
    p.ShiftMode: play.shifts,
    p.PassWord: "{to} becomes the Speaker.",
    p.ReadChart: "A Rating of {rating} is looked up on the UE Chart: {facet}.",
    p.MakeRuling: play.ruling,
    p.SeekConsensus: play.seeks_consensus,
    p.IntroduceElement: play.introduces,
    p.TransferProprietorship: "{element} is handed to {to}.",
    p.AskConsent: "The Proprietor of {element} is asked for consent: {change}.",
    p.AnswerConsent: play.consents,
    p.ChangeElement: "{element}: {change}.",
}
_CHARACTERS: Mapping[type[object], Phrase] = {
    c.LimitPoints: play.limits,
    c.LimitInWords: play.limits_in_words,
    c.RaiseRating: play.raises,
    c.BuyTrait: play.buys,
    c.TakeDisadvantage: play.takes_disadvantage,
    c.StrikeTrait: by("trait", play.STRUCK),
    c.CashIn: "{character} cashes in {points:point|points} of {characteristic}[: {reason}].",
    c.Develop: play.develops,
    c.UseResource: "{character}'s {rating} becomes a Resource.",
    c.ListDamage: play.lists_damage,
    c.SpendPower: play.spends_power,
    c.RestoreResource: "{character} regains {amount} {resource}[: {ruling}].",
    c.RuleFightLeft: "{character} may fight on: {reason}.",
    c.PlaceResidual: play.places,
    c.EndResidual: "One of {character}'s Residual modifiers ends.",
    c.SetOffGuard: play.guards,
}
_REWARDS: Mapping[type[object], Phrase] = {
    r.CastVote: rewards.vote,
    r.AwardDice: "{to} is awarded {n:Experience Die|Experience Dice}[: {reason}].",
    r.GiveCoolBeans: "{to} receives {n:Experience Die|Experience Dice}[ from {player}].",
    r.ReplaceCoolBeans: "The Gamemaster replaces {n:die|dice} of a gift.",
    r.CountCoup: rewards.coup,
    r.ClaimGimme: rewards.gimme,
    r.ClaimPayback: rewards.payback,
}
_DEEDS: Mapping[type[object], Phrase] = {
    d.DeclareAction: deeds.action,
    d.AnswerEngagement: deeds.answer,
    d.ReactOffGuard: "{character} is Off-Guard and makes a Reaction roll.",
    d.ApplyModifier: deeds.modifies,
    d.CloseOpportunity: "The Opportunity Phase ends.",
    d.RollMib: deeds.rolls,
    d.ReplaceRoll: "The Experience Dice replace {roll}'s ten-sided dice.",
    d.ContributeDie: deeds.contributes,
    d.CloseDecision: "The totals are called out.",
    d.PlotDevice: deeds.device,
    o.TakeChallenge: partial(deeds.taken, "Challenge", "challenge"),
    o.OfferChallenge: deeds.offers,
    o.TakeBenefit: partial(deeds.taken, "Benefit", "benefit"),
    o.ReachOutcome: "The outcome is determined.",
    o.NameConsequences: deeds.names_consequences,
    o.ChooseResults: deeds.results,
    o.CloseApplication: "The Application Phase ends.",
}
_FIGHTS: Mapping[type[object], Phrase] = {
    m.CallMechanicalPlay: fights.called_for,
    m.ShiftScope: "Mechanical Play shifts to {to} Scope.",
    m.StartTurn: "{character}'s Turn begins.",
    m.EndTurn: "{character}'s Turn ends.",
    m.EndRound: "The Round ends.",
    m.EndMechanicalPlay: fights.ends,
    m.JoinMechanicalPlay: "{character} joins Mechanical Play.",
    m.LeaveMechanicalPlay: "{character} leaves Mechanical Play.",
    m.ExpendAction: fights.expends,
    m.TakeFreeAction: fights.free,
    m.AcceptFreeAction: fights.proposed,
    m.RestoreFreeActions: "{character} spends an Action to restore all Free Actions.",
    m.ForfeitAction: "{character} forfeits an Action of the next Turn.",
    m.GoAllOut: by(
        "mode",
        {
            "attack": "{character} makes an All-Out Attack[ on {foe}].",
            "defense": "{character} chooses All-Out Defense[ against {foe}].",
            "focusing": "{character} is Focusing[ on {foe}].",
        },
    ),
    m.StartFlurry: "{character} starts a Flurry against {foe} with {ability}.",
    m.StepFlurry: "The next step of the Flurry: {step}.",
    m.InterruptFlurry: "The Flurry is interrupted: {what}.",
    m.SeizeAdvantage: "{holder} Seizes the Advantage over {foe}[: {cause}].",
    m.HoldAdvantage: "{holder} Holds the Advantage over {foe}[: {cause}].",
    m.CheckAdvantage: "{foe} Checks {holder}'s Advantage[: {cause}].",
    m.EraseAdvantage: "{foe} ends all of {holder}'s Combat Advantage[: {cause}].",
    m.ChangeFoe: "{character} turns to {foe}.",
}
_CHOICES: Mapping[type[object], Phrase] = {
    ch.Agree: "Agreed.",
    ch.Decline: "Declined.",
    ch.SpeakFor: whether(
        "agreed",
        "A Gamemaster agrees for the Player: “{reason}”",
        "A Gamemaster declines for the Player: “{reason}”",
    ),
    d.Oppose: deeds.opposing,
    d.StayPassive: "No opposition.",
    o.Consequences: deeds.lasts,
}
#: By the first word of the slot.
_QUESTIONS: Mapping[str, str] = {
    "mib": "{who} rolls two ten-sided dice for the MIB.",
    "reaction": "{who} rolls two ten-sided dice to notice in time.",
    "experience": "What does your Experience Die show?",
    "plot-device": "What do the Experience Dice of the plot device show?",
    "development": "What do the Experience Dice for development show?",
    "consequences": "{purpose}: you invent them. What are they?",
    "response": "{purpose}",
    "free-action": "{purpose}. Do you agree?",
    "challenge": "{purpose}. Do you take it?",
    "cash-in": "{purpose}. Do you grant it?",
    "coup": "{purpose}. Do you grant it?",
    "award": "{purpose}. Do you grant it?",
    "gimme": "{purpose}. Do you grant it?",
    "payback": "{purpose}. Do you grant it?",
    "limit": "{purpose}. Do you agree?",
    "listing": "{purpose}. Do you allow it?",
    "protection": "{purpose}. Do you allow it?",
    "consensus": "{purpose} Do you agree?",
    "sheet": "{purpose}. Do you agree?",
    "act": "{purpose}. Do you allow it?",
    "part": "{purpose}. Do you agree?",
    "end": "Do you agree to end Mechanical Play?",
}
#: Steps that show their numbers instead of the rule.
_STEPS: Mapping[str, str] = {
    "scattershot.rating.skill": "{skill} is {out}: {base} for its difficulty, plus its points.",
    "scattershot.rating.special-ability": "{skill} is {out}: {base} for its difficulty, plus its points.",
    "scattershot.rating.total": "The total cost is {out:Development Point|Development Points}.",
    "scattershot.default.related": "{ability} by Default from {related}: {out} or less.",
    "scattershot.default.untrained": "{ability} by Default, untrained: {out} or less.",
    "scattershot.default.scope": "A Default between {own} and {scope} Scope has an extra {out}.",
    "scattershot.resolve.modifiers": "A Rating of {rating}, modified by {modifiers}: {out} or less.",
    "scattershot.engage.off-guard": (
        "Reaction {reaction}, modified by {modifiers} and by -2 for being Off-Guard: a MIB of {out}."
    ),
    "scattershot.contest.rmib": "The RMIB against {resistor} is {out}.",
    "scattershot.advantage.penalty": "Combat Advantage over {subject}: -{out} to all rolls.",
    "scattershot.result.factor": "{remaining} times the Multiplier of {magnitude} is {out}.",
    "scattershot.damage.formula": (
        "Add {weapon} for the weapon to {remaining}, multiply by the Multiplier, and subtract {protection} for"
        " protection: {out} damage."
    ),
    "scattershot.resource.reduce": "A loss of {loss} from {before} leaves {out}.",
    "scattershot.xd.develop": "A total of {total} gives {out:Development Point|Development Points}.",
    "scattershot.xd.payback": (
        "For {spent:die|dice} spent, {out:die|dice} of Payback, including {interest} as interest."
    ),
    "scattershot.listing.ability": "Using {ability} costs {out} Power.",
}
#: Amounts that the table adjusts by hand.
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
    "advantage": "{amount:point|points} of Combat Advantage",
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
        fp.ConsensusReached,
        fp.ConsensusFailed,
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
        ff.ScopeShifted,
        ff.TurnStarted,
        ff.FreeActionAccepted,
        ff.FreeActionDeclined,
        fp.ChartRead,
        fc.DevelopmentRolled,
        fc.CharacteristicCashedIn,
        fc.LimitDeclined,
        fc.PointLimitSet,
        fc.PersonaCreated,
        fc.DamageListed,
        fd.ResistorAnswered,
        fd.ActionDeclared,
        fc.ResourceRestored,
        fc.PowerSpent,
        fc.TraitBought,
        fc.TraitStruck,
        fc.SheetChangeDeclined,
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
