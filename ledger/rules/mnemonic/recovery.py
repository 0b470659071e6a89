"""Recovery: declared by the referee, or by a check. Heading: calculating status (last two paragraphs)."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import About, Step, Table, Verdict, step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic.authority import must_be_referee, secretly
from ledger.rules.mnemonic.boards import find_check, here
from ledger.rules.mnemonic.checks import STEPS, ruling_steps
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.drama import readers_of_resistance
from ledger.rules.mnemonic.facts import Fact, RecoveryChecked, RecoveryDeclared, RecoveryNamed, RecoveryRuled
from ledger.rules.mnemonic.folding import status_of
from ledger.rules.mnemonic.injuries import called, resisting_aptitude, resisting_check
from ledger.rules.mnemonic.inputs import DeclareRecovery, NameRecovery, RuleRecoveryCheck
from ledger.rules.mnemonic.outcomes import came_out, recovered
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.status import posted, risen
from ledger.rules.mnemonic.terms import FINE, RecoveryWay, is_whole

DECLARED = "mnemonic.recovery.declared"
CHECK = "mnemonic.recovery.check"
INACTIVE = "mnemonic.recovery.inactive"


def declare_recovery(table: Table[Dials], do: DeclareRecovery) -> Verdict[Fact]:
    """After some time the Status is better: as sturdiness, injury and treatment suggest; no formula."""
    must_be_referee(table)
    being = table.get(character(do.character), Character)
    _must_be_a_way(table, "declared")
    _must_live(being)
    level = _better(being, do.level)
    before = status_of(being)
    after = risen(before, level)
    done = RecoveryDeclared(table.new_id(), level, do.elapsed, do.treatment, do.reason)
    because = (
        step("mnemonic.recovery.rate", level, elapsed=do.elapsed, treatment=do.treatment),
        step(DECLARED, level, before=before.level),
        step("mnemonic.status.posting", after.level - before.level),
    )
    moved = posted(do.character, before, after, f"recovery/{done.recovery}")
    return Verdict((About(character(do.character), done), *moved), because)


def _must_be_a_way(table: Table[Dials], way: RecoveryWay) -> None:
    if way not in table.dials.recovery_ways:
        raise Refused(INACTIVE, "way-not-allowed", way=way)


def _must_live(being: Character) -> None:
    """The inactive recover like all others; the dead do not (`mnemonic.recovery.inactive`)."""
    if being.condition == "dead":
        raise Refused(INACTIVE, "dead")


def _better(being: Character, level: Any) -> int:
    """A level from 1 to 6, above the present one."""
    if not is_whole(level) or not 1 <= level <= FINE:
        raise Refused(DECLARED, "bad-status", level=level)
    if level <= being.level:
        raise Refused(DECLARED, "not-an-improvement", level=level, present=being.level)
    return level


def rule_recovery_check(table: Table[Dials], do: RuleRecoveryCheck) -> Verdict[Fact]:
    """The resisting check made anew, ruled before the roll, and as hidden as one."""
    must_be_referee(table)
    being = table.get(character(do.character), Character)
    _must_be_a_way(table, "check")
    _must_live(being)
    if being.level == FINE:
        raise Refused(CHECK, "already-fine", character=do.character)
    with secretly(readers_of_resistance(table.dials, do.character, being)):
        found = resisting_aptitude(table, being, do)
        ruled = resisting_check(table, do, do.character, found, "recovery", table.new_id(), None, None)
    told = RecoveryRuled(
        ruled.check, do.character, do.elapsed, do.treatment, being.primary_role, do.reason, ruled.seen_by
    )
    weighed = {"elapsed": do.elapsed, "treatment": do.treatment, "primary_role": being.primary_role}
    steps = (
        Step("mnemonic.recovery.rate", weighed, ruled.chances_number),
        *found.because,
        step(CHECK, "ruled", reading=ruled.readings.recovery),
    )
    hidden = tuple(Step(one.rule, one.given, one.out, ruled.seen_by) for one in steps)
    where = here(table)
    about: About[Fact] = About(where, told, (), ruled.seen_by)
    return Verdict((about, *called(table, where, ruled, found)), (*hidden, *ruling_steps(ruled, ruled.seen_by)))


def name_recovery(table: Table[Dials], do: NameRecovery) -> Verdict[Fact]:
    """The referee, seeing that a recovery check succeeded, names the level it leads to."""
    must_be_referee(table)
    found = find_check(table, do.check)
    if found is None or (done := found[1].resolved) is None:
        raise Refused(STEPS, "out-of-order", check=do.check)
    where, check = found
    ruled = check.ruled
    waits = ruled.purpose == "recovery" and ruled.readings.recovery == "referee" and done.success
    if not waits or check.recovered:
        raise Refused(STEPS, "out-of-order", check=do.check)
    being = table.get(character(ruled.character), Character)
    _must_live(being)
    level = _better(being, do.level)
    facts, because = recovered(table, ruled, RecoveryChecked(do.check, None, came_out(done), "referee", level, False))
    named: About[Fact] = About(where, RecoveryNamed(do.check, level), (), ruled.seen_by)
    return Verdict((named, *facts), because)
