"""Mnemonic, whole: what is declared goes to the chapter that rules on it."""

from __future__ import annotations

from typing import Any, TypeAlias, assert_never

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Account, Ruleset, Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.mnemonic import (
    aptitudes,
    checks,
    drama,
    feather,
    folding,
    housekeeping,
    injuries,
    inputs,
    outcomes,
    recovery,
    rulebook,
    view,
)
from ledger.rules.mnemonic.authority import CHAIRS
from ledger.rules.mnemonic.choices import CHOICES
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import FACTS, Fact, StatusChanged
from ledger.rules.mnemonic.inputs import INPUTS, Input, Sheet
from ledger.rules.mnemonic.secrets import SECRETS
from ledger.rules.mnemonic.state import State

Declared: TypeAlias = Input | commands.Input


def adjudicate(table: Table[Dials], do: Declared) -> Asking[Verdict[Fact]]:
    """Any input, the kernel's too. Raises Refused, nothing else."""
    match do:
        case inputs.EnterRoll():
            return (yield from checks.enter_roll(table, do))
        case inputs.AssignAptitude():
            return (yield from feather.assign_aptitude(table, do))
        case inputs.DescribeAbilities():
            return (yield from feather.describe_abilities(table, do))
        case commands.Enrol():
            return (yield from housekeeping.enrol(table, do))
    return _of_the_kernel(table, do) if isinstance(do, commands.INPUTS) else _ruled(table, do)


def _of_the_kernel(table: Table[Dials], do: Any) -> Verdict[Fact]:
    match do:
        case commands.OpenScene():
            return housekeeping.open_scene(table, do)
        case commands.CloseScene():
            return housekeeping.close_scene(table, do)
        case commands.CloseSession():
            return housekeeping.close_session(table, do)
        case commands.SetDial():
            return housekeeping.set_dial(table, do)
        case _:
            return Verdict(())


def _ruled(table: Table[Dials], do: Any) -> Verdict[Fact]:
    asked: Input = do
    match asked:
        case inputs.SeatReferee():
            return housekeeping.seat_referee(table, asked)
        case inputs.TakePart():
            return housekeeping.take_part(table, asked)
        case inputs.RateTrait():
            return aptitudes.rate_trait(table, asked)
        case inputs.RuleImmunity():
            return drama.rule_immunity(table, asked)
        case inputs.RateImportance():
            return drama.rate_importance(table, asked)
        case inputs.DeclareAction():
            return checks.declare_action(table, asked)
        case inputs.RuleOrder():
            return checks.rule_order(table, asked)
        case inputs.RuleImpossible():
            return checks.rule_impossible(table, asked)
        case inputs.RuleCheck():
            return checks.rule_check(table, asked)
        case inputs.RuleFluke():
            return checks.rule_fluke(table, asked)
        case inputs.Resolve():
            return checks.resolve(table, asked)
        case inputs.NarrateConsequence():
            return injuries.narrate_consequence(table, asked)
        case inputs.RuleInjury():
            return injuries.rule_injury(table, asked)
        case inputs.DeclareRecovery():
            return recovery.declare_recovery(table, asked)
        case inputs.RuleRecoveryCheck():
            return recovery.rule_recovery_check(table, asked)
        case inputs.NameRecovery():
            return recovery.name_recovery(table, asked)
        case inputs.EnterRoll() | inputs.AssignAptitude() | inputs.DescribeAbilities():
            raise AssertionError("these are conversations")
        case _:
            assert_never(asked)


ACCOUNTS: tuple[Account, ...] = (
    Account("character:<id>/status:lost", "status", "Levels of Status lost, as each loss stood then."),
    Account("character:<id>/status:regained", "status", "Levels of Status regained, as each gain stood then."),
    Account("world/status:injury-<id>", "status", "What one injury took."),
    Account("world/status:recovery-<id>", "status", "What one recovery gave back."),
)  # fmt: skip

RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="mnemonic",
    title="Mnemonic",
    source="Mnemonic, Referee's Guide page 2, Alpha-Zulu Games (1997-2004, Kizig)",
    edition=1,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=CHOICES,
    facts=FACTS,
    accounts=ACCOUNTS,
    rules=rulebook.RULES,
    blank=folding.blank,
    adjudicate=adjudicate,
    apply=folding.apply,
    view=view.view,
    secrets=SECRETS,
    chairs=CHAIRS,
    derived=frozenset({StatusChanged}),
    follows=outcomes.follows,
    bears_on=outcomes.BEARS_ON,
    bad_dial="bad-dial",
    check_dials=housekeeping.check_dials,
)
