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
    i.SeatReferee: "{seat} takes the referee's chair.",
    i.TakePart: "The session is played with {characters}.",
    i.RateTrait: "{character}'s {trait} is rated {rating}[ (“{reason}”)].",
    i.RateImportance: "The referee says how likely the story is to spare {character}.",
    i.RuleImmunity: "The referee says what spares {character}, and who may know[ (“{reason}”)].",
    i.DescribeAbilities: "What {character} can do: “{text}”",
    i.AssignAptitude: "{character}'s Aptitude for {task}, as the referee sees it[: {ref}][ (“{reason}”)].",
    i.DeclareAction: tell.tries,
    i.RuleOrder: tell.order,
    i.RuleImpossible: "What was tried is impossible[ (“{reason}”)].",
    i.RuleCheck: "{character} makes a Success Check, Chances {chances}[ (“{reason}”)].",
    i.EnterRoll: "The check is rolled[: {numbers}].",
    i.RuleFluke: tell.fluke_ruled,
    i.Resolve: "The result of the roll is worked out.",
    i.NarrateConsequence: tell.consequence,
    heal.RuleInjury: tell.injury,
    heal.DeclareRecovery: tell.recovery,
    heal.RuleRecoveryCheck: "{character} makes a check to recover.",
    heal.NameRecovery: tell.recovery_named,
}

_CHOICES: Mapping[type[object], Phrase] = {
    c.Judge: "In the player's own judgement the Aptitude is {aptitude}.",
    c.ReportJudgement: "A game master says that the player judges the Aptitude to be {aptitude}: “{reason}”",
    c.SettleOn: "The referee puts the Aptitude at {aptitude}, now that it is talked over.",
    c.Explain: "It is not what it was: “{reason}”",
    c.Assent: "Agreed.",
    c.Object: "Not agreed.",
    c.SpeakFor: tell.spoken_for,
    c.TakePreset: tell.part,
    c.NameRating: "The rating is {rating}.",
}

_FACTS: Mapping[type[object], Phrase] = {
    f.RefereeSeated: "{seat} is the referee.",
    f.RefereeRose: "Nobody sits in the referee's chair any more.",
    f.SceneLeft: "What was begun in “{scene}” can still be finished.",
    f.BegunLate: "This belongs to “{scene}”, which is closed.",
    f.LadderSet: tell.ladder,
    f.CharacterCreated: "{subject} is Fine[, with the Primary Role {primary_role}].",
    f.ShownAs: "{subject}'s levels of Status are {status_names}.",
    f.TookPart: "{subject} plays in this session.",
    f.TraitRated: tell.rated,
    f.ImportanceRated: tell.important,
    f.ImportanceRuled: "{subject} counts as {rating} {label} this once.",
    f.ImmunityRuled: "What spares {subject} is settled[: being {source}][ (known to: {known_to})][ (“{reason}”)].",
    f.ResistanceCalled: tell.called,
    f.ResistanceRolled: "{subject}'s check is rolled, and the referee decides what comes of it.",
    f.RecoveryAwaited: "{subject}'s recovery check is made, and the referee says how far it helps.",
    hurt.RecoveryRuled: tell.tries_to_recover,
    f.AbilitiesDescribed: "What {subject} can do is agreed: “{text}”",
    f.AbilitiesObjected: "{objected} does not agree that {subject} can do this: “{text}”",
    f.ActionDeclared: tell.tries,
    f.ActionOrderRuled: tell.order,
    f.ActionRuledImpossible: "What was tried is impossible[ (“{reason}”)].",
    f.CheckRuled: tell.check,
    f.CheckRolled: tell.rolled,
    f.FlukeRuled: tell.fluke,
    f.CheckResolved: tell.resolved,
    f.ConsequenceNarrated: tell.consequence,
    hurt.InjuryRuled: "{victim} must resist an injury, or is {worst}[ (“{reason}”)].",
    hurt.InjuryResolved: tell.injured,
    hurt.RecoveryDeclared: tell.recovered,
    hurt.RecoveryChecked: tell.recovers,
    hurt.RecoveryNamed: tell.named,
    hurt.StatusChanged: tell.status,
    light.AptitudeAssigned: "{subject}'s Aptitude for {task} is {final}[ (“{reason}”)].",
    light.AssignmentNoted: "{character}'s Aptitude for {task} is on record as {final}[ (“{reason}”)].",
    light.AptitudeUsed: "The Aptitude that {subject} was given counts in this check.",
}

_QUESTIONS: Mapping[str, str] = {
    "judgement": "What is {purpose}?",
    "agreed": "Which number is it now, {purpose}?",
    "assent": "Say yes or no to this: {purpose}",
    "reason": "Say {purpose}.",
    "importance": "Say {purpose}.",
    "check": "{who} makes the check: {purpose}.",
}

#: Of rules that are cited for one thing only.
_STEPS: Mapping[str, Step] = {
    "mnemonic.check.total": tell.total,
    "mnemonic.check.outcome": tell.outcome,
    "mnemonic.chances.rating": tell.chances,
    "mnemonic.injury.aptitude": tell.resisting,
    "mnemonic.aptitude.bounds": "The Aptitude is {out}.",
    "mnemonic.random.three": "Of {faces} the {reading} is {out}.",
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
        hurt.InjuryRuled,
        light.AptitudeAssigned,
        f.CheckRolled,
    ),
    people=PEOPLE,
)
