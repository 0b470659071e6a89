"""What a table says of this game aloud: what is declared and chosen, what becomes true, what is asked and refused.

Where an input is told to all and its ruling may be hidden, its phrase leaves out what would tell of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.phrases import Phrase, Phrases, Step
from ledger.rules.kernel.sentences import moving
from ledger.rules.mnemonic import choices as c
from ledger.rules.mnemonic import facts as f
from ledger.rules.mnemonic import facts_of_aptitudes as light
from ledger.rules.mnemonic import facts_of_injuries as hurt
from ledger.rules.mnemonic import inputs as i
from ledger.rules.mnemonic import inputs_of_injuries as heal
from ledger.rules.mnemonic import sayings as tell
from ledger.rules.mnemonic.phrases_of_refusals import PEOPLE, REFUSALS

_INPUTS: Mapping[type[object], Phrase] = {
    Adjust: moving({"status": "{amount:level|levels} of Status"}),
    i.SeatReferee: "{seat} becomes the referee.",
    i.TakePart: "In this session: {characters}.",
    i.RateTrait: "{character}'s {trait} is rated {rating}[ (“{reason}”)].",
    i.RateTraits: tell.rating_together,
    i.RateImportance: "The referee rates {character}'s script immunity.",
    i.RuleImmunity: "The referee sets {character}'s script immunity and who may know it[ (“{reason}”)].",
    i.DescribeAbilities: "What {character} can do: “{text}”",
    i.AssignAptitude: "The referee judges {character}'s Aptitude for {task}[: {ref}][ (“{reason}”)].",
    i.DeclareAction: tell.tries,
    i.RuleOrder: tell.order,
    i.RuleImpossible: "The action is impossible[ (“{reason}”)].",
    i.RuleCertain: "The action succeeds without a roll[ (“{reason}”)].",
    i.RuleCheck: "{character} must make a Success Check with Chances {chances}[ (“{reason}”)].",
    i.EnterRoll: "The check is rolled[: {numbers}].",
    i.RuleFluke: tell.fluke_ruled,
    i.Resolve: "The result of the roll is worked out.",
    i.NarrateConsequence: tell.consequence,
    heal.RuleInjury: tell.injury,
    heal.RuleRecoveryRate: tell.rate,
    heal.DeclareRecovery: tell.recovery,
    heal.RuleRecoveryCheck: "{character} must make a recovery check.",
    heal.NameRecovery: tell.recovery_named,
}

_CHOICES: Mapping[type[object], Phrase] = {
    c.Judge: "The player judges the Aptitude to be {aptitude}.",
    c.ReportJudgement: "A game master reports that the player judges the Aptitude to be {aptitude}: “{reason}”",
    c.SettleOn: "After talking it over, the referee proposes an Aptitude of {aptitude}.",
    c.Explain: "The Aptitude has changed because: “{reason}”",
    c.Assent: "Agreed.",
    c.Object: "Declined.",
    c.SpeakFor: tell.spoken_for,
    c.TakePreset: tell.part,
    c.NameRating: "The rating is {rating}.",
}

_FACTS: Mapping[type[object], Phrase] = {
    f.RefereeSeated: "{seat} is the referee.",
    f.RefereeRose: "There is no referee now.",
    f.SceneLeft: "Anything started in the scene “{scene}” can still be finished.",
    f.BegunLate: "This ruling belongs to “{scene}”, a closed scene.",
    f.LadderSet: tell.ladder,
    f.CharacterCreated: "{subject} is Fine[. Primary Role: {primary_role}].",
    f.ShownAs: "{subject}'s levels of Status are called {status_names}.",
    f.TookPart: "{subject} takes part in this session.",
    f.TraitRated: tell.rated,
    f.ImportanceRated: tell.important,
    f.ImportanceRuled: "{subject} is {rating} {label} for this check.",
    f.ImmunityRuled: "{subject}'s script immunity is set[ to {source}][ (known to {known_to})][ (“{reason}”)].",
    f.ResistanceCalled: tell.called,
    f.ResistanceRolled: "{subject}'s check is rolled. Its result is worked out later.",
    f.RecoveryAwaited: "{subject}'s recovery check is rolled. The referee decides how much it helps.",
    hurt.RecoveryRuled: tell.tries_to_recover,
    f.AbilitiesDescribed: "It is agreed what {subject} can do: “{text}”",
    f.AbilitiesObjected: "{objected} does not agree with this description of {subject}: “{text}”",
    f.ActionDeclared: tell.tries,
    f.ActionOrderRuled: tell.order,
    f.ActionRuledImpossible: "The action is impossible[ (“{reason}”)].",
    f.ActionRuledCertain: "The action succeeds without a roll[ (“{reason}”)].",
    f.CheckRuled: tell.check,
    f.CheckRolled: tell.rolled,
    f.FlukeRuled: tell.fluke,
    f.CheckResolved: tell.resolved,
    f.ConsequenceNarrated: tell.consequence,
    hurt.InjuryRuled: "{victim} must resist an injury or end up {worst}[ (“{reason}”)].",
    hurt.InjuryResolved: tell.injured,
    hurt.RecoveryRateRuled: tell.rate_ruled,
    hurt.RecoveryDeclared: tell.recovered,
    hurt.RecoveryChecked: tell.recovers,
    hurt.RecoveryNamed: tell.named,
    hurt.StatusChanged: tell.status,
    light.AptitudeAssigned: "{subject}'s Aptitude for {task} is {final}[ (“{reason}”)].",
    light.AssignmentNoted: "{character}'s Aptitude for {task} is recorded as {final}[ (“{reason}”)].",
    light.AptitudeUsed: "{subject}'s assigned Aptitude is used for this check.",
}

_QUESTIONS: Mapping[str, str] = {
    "judgement": "Give {purpose}",
    "agreed": "Propose an Aptitude {purpose} that you both accept.",
    "assent": "Do you agree {purpose}",
    "reason": "Explain {purpose}.",
    "importance": "Say {purpose}.",
    "check": "{who} makes the check: {purpose}.",
}

#: Of rules that are cited for one thing only.
_STEPS: Mapping[str, Step] = {
    "mnemonic.check.total": tell.total,
    "mnemonic.check.outcome": tell.outcome,
    "mnemonic.chances.rating": tell.chances,
    "mnemonic.injury.aptitude": tell.resisting,
    "mnemonic.recovery.rate": tell.said_beforehand,
    "mnemonic.aptitude.bounds": "The Aptitude is {out}.",
    "mnemonic.random.three": "The {reading} of {faces} is {out}.",
    "mnemonic.status.combine": tell.combined,
    "mnemonic.status.default": "A new character is Fine.",
}

PHRASES = Phrases(
    facts=_FACTS,
    inputs=_INPUTS,
    choices=_CHOICES,
    questions=_QUESTIONS,
    refusals=REFUSALS,
    steps=_STEPS,
    headlines=(
        hurt.RecoveryDeclared,
        hurt.StatusChanged,
        hurt.InjuryResolved,
        f.CheckResolved,
        hurt.RecoveryChecked,
        f.ActionRuledImpossible,
        f.ActionRuledCertain,
        hurt.InjuryRuled,
        light.AptitudeAssigned,
        f.CheckRolled,
    ),
    people=PEOPLE,
)
