"""Mnemonic, whole: what is declared goes to the chapter that rules on it."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Account, Ruleset
from ledger.rules.kernel.dispatch import Dispatch
from ledger.rules.mnemonic import (
    aptitudes,
    checks,
    drama,
    feather,
    injuries,
    inputs,
    inputs_of_injuries,
    outcomes,
    recovery,
    rulebook,
    sessions,
    setting_dials,
    twice,
    view,
)
from ledger.rules.mnemonic.authority import CHAIRS
from ledger.rules.mnemonic.choices import CHOICES
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import FACTS, Fact
from ledger.rules.mnemonic.facts_of_injuries import StatusChanged
from ledger.rules.mnemonic.fold import FOLD
from ledger.rules.mnemonic.inputs import INPUTS, Input, Sheet
from ledger.rules.mnemonic.labels import LABELS, REFERS, STEPS
from ledger.rules.mnemonic.moves import moves
from ledger.rules.mnemonic.people import PEOPLE
from ledger.rules.mnemonic.phrases import PHRASES
from ledger.rules.mnemonic.rolled import rolls
from ledger.rules.mnemonic.secrets import SECRETS
from ledger.rules.mnemonic.state import State
from ledger.rules.mnemonic.thrown import thrown

ACCOUNTS: tuple[Account, ...] = (
    Account("character:<id>/status:lost", "status", "Levels of Status lost, recorded when each loss happened."),
    Account("character:<id>/status:regained", "status", "Levels of Status regained, recorded when each gain happened."),
    Account("world/status:injury-<id>", "status", "The levels of Status that one injury took away."),
    Account("world/status:recovery-<id>", "status", "The levels of Status that one recovery gave back."),
)  # fmt: skip

#: What a campaign's own words and records refer to, and where they are listed.
REFERENCES: Mapping[str, str] = {
    "rating": "The name of a rating. The option `traits.ladder` lists them from low to high.",
    "chances": "The name of a level of Chances. The option `chances.ladder` lists them from low to high.",
    "trait": "The name of a Talent or Life Role. The character's `ratings` list them.",
    "action": "The id of a declared action. The scene or the campaign lists it under `actions`.",
    "check": "The id of a check. The scene or the campaign lists it under `checks`.",
    "injury": "The id of an injury. The scene or the campaign lists it under `injuries`.",
    "recovery": "The id of a recovery that was declared.",
    "ruling": "The number of a ruling of this campaign.",
    "assignment": "The id of an assigned Aptitude. The character's state lists it under `tasks`.",
}

DISPATCH = Dispatch(
    Draft,
    INPUTS,
    {
        commands.Enrol: sessions.enrol,
        commands.OpenScene: sessions.open_scene,
        commands.CloseScene: sessions.close_scene,
        commands.CloseSession: sessions.close_session,
        commands.SetDial: setting_dials.set_dial,
        inputs.SeatReferee: sessions.seat_referee,
        inputs.TakePart: sessions.take_part,
        inputs.RateTrait: aptitudes.rate_trait,
        inputs.RateTraits: aptitudes.rate_traits,
        inputs.RateImportance: drama.rate_importance,
        inputs.RuleImmunity: drama.rule_immunity,
        inputs.DescribeAbilities: feather.describe_abilities,
        inputs.AssignAptitude: feather.assign_aptitude,
        inputs.DeclareAction: checks.declare_action,
        inputs.RuleOrder: checks.rule_order,
        inputs.RuleImpossible: checks.rule_impossible,
        inputs.RuleCertain: checks.rule_certain,
        inputs.RuleCheck: checks.rule_check,
        inputs.EnterRoll: checks.enter_roll,
        inputs.RuleFluke: checks.rule_fluke,
        inputs.Resolve: checks.resolve,
        inputs.NarrateConsequence: injuries.narrate_consequence,
        inputs_of_injuries.RuleInjury: injuries.rule_injury,
        inputs_of_injuries.RuleRecoveryRate: recovery.rule_recovery_rate,
        inputs_of_injuries.DeclareRecovery: recovery.declare_recovery,
        inputs_of_injuries.RuleRecoveryCheck: recovery.rule_recovery_check,
        inputs_of_injuries.NameRecovery: recovery.name_recovery,
    },
)

RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="mnemonic",
    title="Mnemonic",
    source="Mnemonic, Referee's Guide page 2, Alpha-Zulu Games (1997-2004, Kizig)",
    edition=3,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=CHOICES,
    facts=FACTS,
    accounts=ACCOUNTS,
    rules=rulebook.RULES,
    references=REFERENCES,
    people=PEOPLE,
    phrases=PHRASES,
    labels=LABELS,
    refers=REFERS,
    steps=STEPS,
    blank=FOLD.blank,
    adjudicate=DISPATCH.adjudicate,
    apply=FOLD.apply,
    view=view.view,
    moves=moves,
    secrets=SECRETS,
    chairs=CHAIRS,
    derived=frozenset({StatusChanged}),
    follows=outcomes.follows,
    bears_on=outcomes.BEARS_ON,
    bad_dial="bad-dial",
    check_dials=setting_dials.check_dials,
    kept_twice=twice.kept_twice,
    thrown=thrown,
    rolls=rolls,
)
