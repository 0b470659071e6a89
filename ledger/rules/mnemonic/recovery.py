"""Recovery: declared by the referee, or by a check. Heading: calculating status (last two paragraphs)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.refusals import Refused
from ledger.rules.mnemonic.boards import find_check
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.drama import readers_of_resistance
from ledger.rules.mnemonic.facts_of_injuries import (
    RecoveryChecked,
    RecoveryDeclared,
    RecoveryNamed,
    RecoveryRateRuled,
    RecoveryRuled,
)
from ledger.rules.mnemonic.guards import STEPS, must_be_referee
from ledger.rules.mnemonic.injuries import call, resisting_aptitude, resisting_check
from ledger.rules.mnemonic.inputs_of_injuries import (
    DeclareRecovery,
    NameRecovery,
    RuleRecoveryCheck,
    RuleRecoveryRate,
)
from ledger.rules.mnemonic.outcomes import recover
from ledger.rules.mnemonic.parts import Rolled
from ledger.rules.mnemonic.rolls import came_out
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.terms import FINE, RecoveryWay, is_whole

RATE = "mnemonic.recovery.rate"
DECLARED = "mnemonic.recovery.declared"
CHECK = "mnemonic.recovery.check"
INACTIVE = "mnemonic.recovery.inactive"


def rule_recovery_rate(draft: Draft, do: RuleRecoveryRate) -> None:
    """How fast the Status improves, said beforehand: in words, since there is no formula (`mnemonic.recovery.rate`)."""
    must_be_referee(draft)
    being = draft.character(do.character)
    _must_live(do.character, being)
    _must_be_hurt(do.character, being)
    rate = do.rate.strip()
    draft.about(do.character, RecoveryRateRuled(rate, being.recovery_rate, do.reason))
    draft.by(RATE, rate or "none", primary_role=being.primary_role)


def _must_be_hurt(id: str, being: Character) -> None:
    if being.level == FINE:
        raise Refused(CHECK, "already-fine", character=id)


def _said(being: Character) -> dict[str, Any]:
    """Return what a step of the derivation says of the rate of recovery that stands."""
    return {"rate": being.recovery_rate} if being.recovery_rate else {}


def declare_recovery(draft: Draft, do: DeclareRecovery) -> None:
    """After some time the Status is better: as sturdiness, injury and treatment suggest; no formula."""
    must_be_referee(draft)
    being = draft.character(do.character)
    _must_be_a_way(draft, "declared")
    _must_live(do.character, being)
    level = _better(do.character, being, do.level)
    treated = _treatment(draft, do.treated_by)
    done = RecoveryDeclared(
        draft.table.new_id(), level, do.elapsed, do.treatment, do.reason,
        do.treated_by, treated.successes, treated.failures, treated.rolled,
    )  # fmt: skip
    before, after = draft.status_moved_by(do.character, done, f"recovery/{done.recovery}")
    draft.by(
        RATE, level, elapsed=do.elapsed, treatment=do.treatment, **_said(being), **treated.given(do.treated_by)
    )  # fmt: skip
    draft.by(DECLARED, level, before=before.level)
    draft.by("mnemonic.status.posting", after.level - before.level)


@dataclass(frozen=True, slots=True)
class Treatment:
    """What the check of a treatment came to; nothing where there was none."""

    successes: int | None = None
    failures: int | None = None
    rolled: Rolled | None = None

    def given(self, check: str | None) -> dict[str, Any]:
        """Return what a step of the derivation says of it."""
        return {} if check is None else {"check": check, "successes": self.successes, "failures": self.failures}


def _treatment(draft: Draft, check: str | None) -> Treatment:
    """Return the result of the check that treated the injury: an action that came out (`mnemonic.recovery.rate`)."""
    if check is None:
        return Treatment()
    found = find_check(draft.table, check)
    if found is None or (result := found[1].resolved) is None or found[1].ruled.purpose != "action":
        raise Refused(RATE, "no-treatment", check=check)
    return Treatment(result.successes, result.failures, result.rolled)


def _must_be_a_way(draft: Draft, way: RecoveryWay) -> None:
    if way not in draft.dials.recovery_ways:
        raise Refused(INACTIVE, "way-not-allowed", way=way)


def _must_live(id: str, being: Character) -> None:
    """The inactive recover like all others; the dead do not (`mnemonic.recovery.inactive`)."""
    if being.condition == "dead":
        raise Refused(INACTIVE, "dead", character=id)


def _better(id: str, being: Character, level: object) -> int:
    """A level from 1 to 6, above the present one."""
    if not is_whole(level) or not 1 <= level <= FINE:
        raise Refused(DECLARED, "bad-status", level=level)
    if level <= being.level:
        raise Refused(DECLARED, "not-an-improvement", character=id, level=level, present=being.level)
    return level


def rule_recovery_check(draft: Draft, do: RuleRecoveryCheck) -> None:
    """The resisting check made anew, ruled before the roll, and as hidden as one."""
    must_be_referee(draft)
    being = draft.character(do.character)
    _must_be_a_way(draft, "check")
    _must_live(do.character, being)
    _must_be_hurt(do.character, being)
    with draft.secretly(readers_of_resistance(draft.dials, do.character, being)):
        found = resisting_aptitude(draft.dials, being, do)
        ruled = resisting_check(draft, do, do.character, found, "recovery", at_stake=do.life_or_death)
        where, treated = draft.place(), _treatment(draft, do.treated_by)
        role = being.primary_role
        judged = RecoveryRuled(
            ruled.check, do.character, do.elapsed, do.treatment, role, do.reason, ruled.seen_by,
            do.treated_by, treated.successes, treated.failures, treated.rolled,
        )  # fmt: skip
        draft.tell(where, judged)
        draft.by(
            RATE, ruled.chances_number, elapsed=do.elapsed, treatment=do.treatment, primary_role=role,
            **_said(being), **treated.given(do.treated_by),
        )  # fmt: skip
        draft.steps(found.because)
        draft.by(CHECK, "ruled", reading=ruled.readings.recovery)
        call(draft, where, being, ruled, found)


def name_recovery(draft: Draft, do: NameRecovery) -> None:
    """The referee, seeing that a recovery check succeeded, names the level it leads to."""
    must_be_referee(draft)
    found = find_check(draft.table, do.check)
    if found is None or (done := found[1].resolved) is None:
        raise Refused(STEPS, "out-of-order", check=do.check)
    where, check = found
    ruled = check.ruled
    waits = ruled.purpose == "recovery" and ruled.readings.recovery == "referee" and done.success
    if not waits or check.recovered:
        raise Refused(STEPS, "out-of-order", check=do.check)
    being = draft.character(ruled.character)
    _must_live(ruled.character, being)
    level = _better(ruled.character, being, do.level)
    result = came_out(done)
    draft.tell(where, RecoveryNamed(do.check, level, result), audience=ruled.seen_by)
    recover(draft, ruled, RecoveryChecked(do.check, done.rolled, result, "referee", level, False))
