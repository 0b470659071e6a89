"""Sentences for facts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ledger.rules.kernel.phrases import Phrase
from ledger.rules.mongrel import facts as f
from ledger.rules.mongrel import facts_of_dealings as d
from ledger.rules.mongrel import facts_of_strife as s
from ledger.rules.mongrel import sayings
from ledger.rules.mongrel.sayings import by, spoken, whether

_OF_CHARACTERS: Mapping[type[object], Phrase] = {
    f.CharacterCreated: ("{character} of House {house} is {age} and {sex}. Primary Identity: {primary}. Body: {body}."),
    f.CreditAccountsOpened: "{subject} has a Credit account with each of the seven Houses.",
    f.VowMade: sayings.vow,
    f.VowEnded: by(
        "outcome",
        {
            "fulfilled": "{character}'s Vow (“{object}”) is fulfilled: {reason}.",
            "ended": "{character}'s Vow (“{object}”) ends: {reason}.",
        },
    ),
    f.Described: whether("text", "{character}'s description: {text}.", "{character} has no description."),
    f.StatusSet: "{character}'s status in their House is {status}[: {reason}].",
    f.FeaturesUsed: "{character} used {features}.",
    f.Revealed: "{character} learns: {text}.",
}
_OF_TASKS: Mapping[type[object], Phrase] = {
    f.TaskDeclared: sayings.task,
    f.TargetsAdded: "{actor}'s Occult also targets {targets}.",
    f.DiceRolled: "{actor} rolls {faces} for {expertise}.",
    f.TaskResolved: sayings.roll,
    f.ProposalDeclined: "A game master does not allow what was declared for {character}[: {reason}].",
    f.EffectAdjusted: "{actor}'s Effect falls by {amount}, to {effect}[: {reason}].",
}
_OF_CONFLICTS: Mapping[type[object], Phrase] = {
    s.ConflictOpened: sayings.first_order,
    s.CoinFlipped: "The coin decides that {first} goes before {second}.",
    s.ParticipantJoined: "{character} joins the conflict, last in the order.",
    s.ParticipantLeft: "{character} leaves the conflict[: {reason}].",
    s.ConflictClosed: "The conflict is over.",
    s.FrontTaken: sayings.front,
    s.ActionDeclared: sayings.attack,
    s.TargetAttributeNamed: "If {target} defends, {attribute} counts.",
    s.DeclarationLapsed: "{actor}'s declared action is cancelled.",
    s.DefenceChosen: whether("defends", "{target} defends.", "{target} does not defend."),
    s.TurnPassed: "{character} passes[: {text}].",
    s.TurnEnded: sayings.turn_over,
}
_OF_ACTION_POINTS: Mapping[type[object], Phrase] = {
    s.ActionPointsSpent: by(
        "reason",
        {
            "defend": "{character} spends {amount:Action Point|Action Points} to defend.",
            "forced": "{character} must spend {amount:Action Point|Action Points} because the target defends.",
            "missed": "{character} loses {amount:Action Point|Action Points} because the action failed.",
            "front": "{character} spends {amount:Action Point|Action Points} to move to the front.",
        },
    ),
    s.ActionPointsLost: by(
        "cause",
        {
            "size reached": "{character} loses {amount:Action Point|Action Points}: the damage fills the Size row.",
            "collapse": "{character} loses {amount:Action Point|Action Points} by collapsing.",
            "death": "{character} loses {amount:Action Point|Action Points} by dying.",
        },
    ),
    s.ActionPointsRecovered: whether(
        "amount",
        "{character} recovers {amount:Action Point|Action Points}.",
        "{character} recovers, but gains no Action Points.",
    ),
    s.ActionPointsGained: "{character} gains {amount:Action Point|Action Points}.",
    s.ActionPointMaximumImposed: "While {character} has no Infernal Resolve, their Action Point maximum is {maximum}.",
    s.ActionPointMaximumLifted: "{character}'s Action Point maximum is back to normal.",
    s.RecoveryEnded: "{character} has finished recovering and can defend again.",
    s.CharacterExhausted: "{character} is exhausted.",
    s.Rested: "{character} rests for {hours:hour|hours}.",
    s.ClockMoved: "The clock is at minute {minute}[: {reason}].",
    s.FatigueCleared: "{character}'s fatigue is gone.",
}
_OF_DAMAGE: Mapping[type[object], Phrase] = {
    s.DamageRolled: sayings.blow,
    s.DamageShunted: whether(
        "temporary",
        "{character} shunts {shunted:point|points} of damage to Beauty. One point of Beauty is lost permanently, the"
        " others temporarily.",
        "{character} shunts {shunted:point|points} of damage to Beauty. The point of Beauty is lost permanently.",
    ),
    s.DamageCounted: sayings.wound,
    s.PhysiqueReduced: "{character}'s wounds cost {amount:point|points} of Physique.",
    s.CharacterCollapsed: by(
        "cause",
        {
            "damage": "{character} collapses from the damage.",
            "terminal": "{character} collapses from terminal damage.",
            "resolve": "{character} collapses because no Infernal Resolve is left.",
        },
    ),
    s.CharacterStoodUp: "{character} gets up again.",
    s.TerminalDamageTaken: whether(
        "decision",
        "{character} takes terminal damage and must spend Infernal Resolve or die.",
        "{character} takes terminal damage and has no Infernal Resolve left.",
    ),
    s.CharacterDied: by(
        "cause",
        {
            "terminal damage": "{character} dies of terminal damage.",
            "resolve": "{character} dies because no Infernal Resolve is left.",
        },
    ),
    s.WoundsHealed: sayings.healed,
    s.InfernalResolveSpent: by(
        "purpose",
        {
            "avoid death": "{character} spends {amount:point|points} of Infernal Resolve to stay alive.",
            "occult": "{character} spends {amount:point|points} of Infernal Resolve on Occult.",
            "action points": "{character} spends {amount:point|points} of Infernal Resolve to gain Action Points.",
        },
    ),
    s.TaskHit: "The task in ruling {ruling} hits {character}.",
    s.ResolveDamaged: "{character} takes a spiritual hit and loses {lost:point|points} of Infernal Resolve.",
    s.InfernalResolveRefreshed: "{character} regains {amount:point|points} of Infernal Resolve.",
    s.RitualTimed: "The sorcery takes {character} {hours:hour|hours}.",
    s.OccultResisted: whether(
        "cancelled",
        "{character} resists {against} completely.",
        "{character} resists {against}: its Effect falls by {taken_off}.",
    ),
}
_OF_DEALINGS: Mapping[type[object], Phrase] = {
    d.PurchaseRolled: sayings.bargain,
    d.PurchaseResisted: "{seller} resists, and {buyer} does not get {item}.",
    d.SaleDeclined: "{seller} does not sell {item} to {buyer}.",
    d.CreditSacrificed: "{buyer} gives up {amount} Credit with House {house}[ to {seller}].",
    d.ItemAcquired: sayings.gained,
    d.ItemPartedWith: whether(
        "to", "{item} goes from {character} to {to}.", "{character} parts with {item}[: {reason}]."
    ),
    d.ItemSold: "{character} sells {item}[ to {buyer}][ to {customer}] for {price} Credit with House {house}.",
    d.SaleCalledOff: "{character} does not sell {item} after all.",
    d.CreditTransferred: sayings.moved_at,
    d.SocialChanged: "{character}'s Social changes from {old} to {new}[: {reason}].",
    d.CreditFollowedSocial: partial(sayings.changed, " along with Social"),
    d.CreditAdjusted: partial(sayings.changed, "[: {reason}]"),
    d.Bartered: "{character} barters[: {text}].",
}
_OF_POINTS: Mapping[type[object], Phrase] = {
    d.SessionNumbered: "The session is over. It was session {number}.",
    d.SessionPlayed: "{character} takes part in session {session}.",
    d.SessionAwarded: "Everybody who played the session gets {points:character point|character points}.",
    d.CharacterPointsAwarded: by(
        "reason",
        {
            "session": "{character} gets {amount:character point|character points} for the session[: {why}].",
            "vow": "{character} gets {amount:character point|character points} for a Vow[: {why}].",
        },
    ),
    d.CharacterPointsSpent: "{character} spends {cost:character point|character points} on {feature}.",
    d.ExpertiseRaised: "{character}'s {expertise} rises by 1.",
    d.IdentityRaised: "{character}'s {identity} rises by 1.",
    d.IdentityReduced: "{character}'s {identity} falls by 1.",
    d.AttributeRaised: "{character}'s {attribute} rises by 1.",
    d.PowerAllocated: "{character} puts {points:point|points} of their Power into {option}.",
}
FACTS: Mapping[type[object], Phrase] = spoken({
    **_OF_CHARACTERS, **_OF_TASKS, **_OF_CONFLICTS, **_OF_ACTION_POINTS, **_OF_DAMAGE, **_OF_DEALINGS, **_OF_POINTS,
})  # fmt: skip
