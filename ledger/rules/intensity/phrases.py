"""The sentences of this game: declarations and choices, results, questions and refusals."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.intensity import choices as c
from ledger.rules.intensity import facts, inputs_of_attacks, inputs_of_fatals, inputs_of_healing, inputs_of_rounds
from ledger.rules.intensity import facts_of_attacks as of_attacks
from ledger.rules.intensity import facts_of_fatals as of_fatals
from ledger.rules.intensity import facts_of_healing as of_healing
from ledger.rules.intensity import facts_of_rounds as of_rounds
from ledger.rules.intensity import sayings as tell
from ledger.rules.intensity.phrases_of_refusals import PEOPLE, REFUSALS
from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.phrases import Phrase, Phrases, Step
from ledger.rules.kernel.sentences import moving

_INPUTS: Mapping[type[object], Phrase] = {
    Adjust: moving({"ap": "{amount:advantage point|advantage points} against {who}"}),
    inputs_of_rounds.OpenRound: "A round begins[ with {participants}].",
    inputs_of_rounds.Declare: tell.declared,
    inputs_of_rounds.Raise: tell.raises,
    inputs_of_rounds.AmendDeclaration: tell.restates,
    inputs_of_rounds.AbandonRound: "The round is dropped.",
    inputs_of_rounds.RollDice: tell.roll,
    inputs_of_rounds.SettleTie: tell.settles,
    inputs_of_rounds.Pass: tell.passes,
    inputs_of_rounds.CloseRound: "The round ends.",
    inputs_of_attacks.Attack: tell.attacks,
    inputs_of_attacks.Defend: tell.defends,
    inputs_of_attacks.SpendAdvantage: tell.spends,
    inputs_of_attacks.Resolve: tell.resolves,
    inputs_of_attacks.ChooseImpact: tell.chooses,
    inputs_of_attacks.Waive: tell.waived,
    inputs_of_fatals.Negotiate: tell.offered,
    inputs_of_fatals.UseFatal: tell.uses,
    inputs_of_fatals.ReleaseFatal: tell.gives_up,
    inputs_of_fatals.BringBack: tell.back,
    inputs_of_healing.Rest: tell.rests,
    inputs_of_healing.NoteConflict: tell.in_conflict,
    inputs_of_healing.HealingMoment: tell.moment,
}

_CHOICES: Mapping[type[object], Phrase] = {
    c.Agree: "They agree.",
    c.Decline: "They do not agree.",
    c.SpeakFor: tell.spoken_for,
    c.Heal: tell.heals,
    c.CloseMoment: tell.no_longer,
}


_FACTS: Mapping[type[object], Phrase] = {
    facts.CharacterCreated: tell.created,
    facts.ReturnedToPlay: "{char} is back in play.",
    facts.RestAllowed: "After “{scene}”, characters can rest.",
    of_rounds.RoundOpened: "A round begins[ with {participants}].",
    of_rounds.ActionDeclared: tell.declared,
    of_rounds.IntensityRaised: tell.raised,
    of_rounds.DeclarationAmended: tell.restated,
    of_rounds.RoundAbandoned: "The round is dropped.",
    of_rounds.RoundLeft: "{char} is no longer in the round.",
    of_rounds.DiceRolled: tell.rolled,
    of_rounds.OrderEstablished: tell.order,
    of_rounds.ConflictLinked: "{a} and {b} are in conflict.",
    of_rounds.TieSettled: tell.settled,
    of_rounds.ActionPassed: tell.passes,
    of_rounds.ActionForfeited: "{char} picks up the last standing die and loses the action.",
    of_rounds.ActionLapsed: "{char}'s action is lost.",
    of_rounds.RoundClosed: "The round ends.",
    of_attacks.AttackOpened: tell.attacked,
    of_attacks.DefenceChosen: tell.defence_chosen,
    of_attacks.DefenceRolled: tell.defence_rolled,
    of_attacks.AdvantageSpent: tell.spent,
    of_attacks.DefenceDieRerolled: "The {die} die is rolled again: {new} instead of {old}.",
    of_attacks.AttackResolved: tell.resolved,
    of_attacks.AttackLapsed: "The attack ends without a result.",
    of_attacks.ImpactChosen: tell.chosen,
    of_attacks.ImpactWaived: tell.waived,
    of_attacks.OutcomeNegotiated: tell.agreed,
    of_attacks.BargainDeclined: tell.refused,
    of_attacks.TraitTaxed: "{by} taxes {char}'s {trait}.",
    of_attacks.TraitDamaged: "{by} damages {char}'s {trait}.",
    of_attacks.CharacterWounded: "{by} wounds {char}.",
    of_attacks.AdvantageGained: "{holder} gains {amount:advantage point|advantage points} against {against}.",
    of_fatals.FatalHeld: tell.held,
    of_fatals.FatalUsed: tell.used,
    of_fatals.FatalWithheld: "The fatal impact is not used. It is still held.",
    of_fatals.FatalReleased: tell.given_up,
    of_fatals.FatalLapsed: "A held fatal impact is lost.",
    of_fatals.CharacterTakenOut: tell.taken_out,
    of_fatals.BroughtBack: tell.back,
    of_fatals.TraitMutilated: tell.mutilated,
    of_healing.RestTaken: tell.rested,
    of_healing.TaxEnded: "A tax on {char} ends.",
    of_healing.ConflictNoted: tell.in_conflict,
    of_healing.ConflictsCounted: tell.conflicts_counted,
    of_healing.HealingMomentHeld: tell.moment_held,
    of_healing.HealingMomentClosed: tell.moment_closed,
    of_healing.ImpactHealed: "{char} heals on day {day}.",
    of_healing.HealingDeclined: "{char} heals nothing.",
    of_healing.HealingPassedOver: tell.passed_over,
    of_healing.ConflictLinksCleared: "Earlier conflicts no longer count.",
}

_QUESTIONS: Mapping[str, str] = {
    "round:intensity": "{who} rolls the intensity die for the round: a D{sides}.",
    "round:trait": "{who} rolls the trait die for the round: a D{sides}.",
    "roll-off:intensity": "{who} rolls the intensity die for who goes first: a D{sides}.",
    "roll-off:trait": "{who} rolls the trait die for who goes first: a D{sides}.",
    "defence:intensity": "{who} rolls the intensity die in defence: a D{sides}.",
    "defence:trait": "{who} rolls the trait die in defence: a D{sides}.",
    "reroll:intensity": "{who} rolls the intensity die again: a D{sides}.",
    "reroll:trait": "{who} rolls the trait die again: a D{sides}.",
    "bargain": "{purpose}",
    "use": "{purpose}",
    "heal": "{purpose}",
}

#: Not for rules with a dial: their statement is shown, because a step cites the rule for what the dial says.
_STEPS: Mapping[str, Step] = {
    "intensity.level.dice": "{level} is a D{out}.",
    "intensity.level.max-for-rating": "{defender}'s intensity maximum is {out}.",
    "intensity.trait.one": "{char}'s {trait} is currently a D{out}.",
    "intensity.round.roll": "{char} rolls {out}.",
    "intensity.order.key": "{char}'s dice for the order are {out}.",
    "intensity.order.pass": "{char} passes.",
    "intensity.action.attack": "The attack value is {out}.",
    "intensity.action.success": "The attack value is {attack} and the defence value is {defence}.",
    "intensity.defence.let-stand": "{defender} picks up no die, so the defence value is 0.",
    "intensity.defence.forfeit": "{char} picks up the last standing die and loses the action.",
    "intensity.impact.rating": tell.rating,
    "intensity.impact.damage": "Damage lowers {char}'s {trait} by one step.",
    "intensity.impact.wound": "A wound lowers every trait of {char} by one step.",
    "intensity.ap.pair": "{holder} gains {out:advantage point|advantage points} against {against}.",
    "intensity.fatal.achieve": "{holder} holds a fatal impact on {subject}.",
    "intensity.heal.opponents": "{unharmed} is unharmed and {healing} heals: {out:advantage point|advantage points}.",
}

PHRASES = Phrases(
    facts=_FACTS,
    inputs=_INPUTS,
    choices=_CHOICES,
    questions=_QUESTIONS,
    refusals=REFUSALS,
    steps=_STEPS,
    headlines=(
        of_attacks.OutcomeNegotiated,
        of_attacks.BargainDeclined,
        of_fatals.CharacterTakenOut,
        of_attacks.AttackResolved,
        of_fatals.TraitMutilated,
        of_attacks.CharacterWounded,
        of_attacks.TraitDamaged,
        of_attacks.TraitTaxed,
        of_healing.ImpactHealed,
        of_attacks.AdvantageGained,
        of_fatals.FatalUsed,
        of_fatals.FatalWithheld,
        of_fatals.FatalHeld,
        of_rounds.OrderEstablished,
        of_attacks.DefenceRolled,
        of_attacks.AttackOpened,
    ),
    people=PEOPLE,
)
