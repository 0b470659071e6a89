"""Injuries: cause, Aptitude to resist, worst possibility, Chances; all ruled before the victim rolls.

Headings: calculating status, dramatic considerations, flukes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject
from ledger.rules.mnemonic import drama, ladders, randoms
from ledger.rules.mnemonic.aptitudes import Aptitude, primary_role, rated, summed
from ledger.rules.mnemonic.boards import find_action, find_check
from ledger.rules.mnemonic.checks import readings, stand_ruled, use_up
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import CheckResolved, CheckRuled, ConsequenceNarrated, ResistanceCalled
from ledger.rules.mnemonic.facts_of_injuries import InjuryRuled
from ledger.rules.mnemonic.feather import assigned_aptitude
from ledger.rules.mnemonic.guards import must_be_one_way, must_be_referee, must_use_sheets
from ledger.rules.mnemonic.inputs import NarrateConsequence
from ledger.rules.mnemonic.inputs_of_injuries import RuleInjury, RuleRecoveryCheck
from ledger.rules.mnemonic.outcomes import injure, resolved_as
from ledger.rules.mnemonic.parts import RatedTrait, Rolled
from ledger.rules.mnemonic.state import Action, Character, Check
from ledger.rules.mnemonic.status import Status
from ledger.rules.mnemonic.tables import Ladder
from ledger.rules.mnemonic.terms import (
    INACTIVE,
    OTHER_WORDS,
    ActionStage,
    Cause,
    Condition,
    Purpose,
    is_cause,
    is_condition,
)

CAUSE = "mnemonic.injury.cause"
APTITUDE = "mnemonic.injury.aptitude"
WORST = "mnemonic.injury.worst"
#: How an action was ruled that causes an injury without a roll.
_WITHOUT_A_ROLL: Mapping[str, ActionStage] = {"attack": "certain", "avoidance": "impossible"}


# --- what caused it -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Caused:
    """The cause, the check it is seen by (and where that is), the size of its result, and the roll."""

    kind: Cause
    where: Subject
    check: str | None = None
    successes: int | None = None
    failures: int | None = None
    rolled: Rolled | None = None


def cause_of(draft: Draft, do: RuleInjury) -> Caused:
    """An attack that succeeded, a failure to avoid, a Spectacular Failure, or the referee's word."""
    if not is_cause(do.cause):
        raise Refused(CAUSE, "unknown-cause", cause=do.cause)
    if do.cause == "referee":
        if not do.reason.strip():
            raise Refused(CAUSE, "reason-needed", reason=do.reason)
        if do.cause_check is not None and not _stands(draft, do.cause_check):
            raise Refused(CAUSE, "cause-missing", check=do.cause_check)
        return Caused(do.cause, draft.place())
    if not do.cause_check:
        raise Refused(CAUSE, "cause-missing", cause=do.cause)
    check = find_check(draft.table, do.cause_check)
    if check is not None:
        return _by_check(do, *check)
    action = find_action(draft.table, do.cause_check)
    if action is not None and do.cause in _WITHOUT_A_ROLL:
        return _by_action(do, *action)
    raise Refused(CAUSE, _unfit(do.cause), check=do.cause_check)


def _stands(draft: Draft, id: str) -> bool:
    """Whether this names a check or an action that stands."""
    return find_check(draft.table, id) is not None or find_action(draft.table, id) is not None


def _unfit(cause: Cause) -> str:
    return {"attack": "cause-not-success", "avoidance": "cause-not-failure"}.get(cause, "cause-not-spectacular")


def _by_check(do: RuleInjury, where: Subject, check: Check) -> Caused:
    result = check.resolved
    fits = result is not None and _fits(do.cause, result)
    if do.cause == "avoidance" and check.ruled.character != do.victim:
        raise Refused(CAUSE, "cause-not-victim", check=do.cause_check)
    if not fits or result is None:
        raise Refused(CAUSE, _unfit(_kind(do)), check=do.cause_check)
    if do.victim in check.injured:
        raise Refused(CAUSE, "already-injured", check=do.cause_check, victim=do.victim)
    successes = result.successes if do.cause == "attack" else None
    failures = result.failures if do.cause != "attack" else None
    return Caused(_kind(do), where, do.cause_check, successes, failures, result.rolled)


def _kind(do: RuleInjury) -> Cause:
    return do.cause if is_cause(do.cause) else "referee"


def _fits(cause: str, result: CheckResolved) -> bool:
    if cause == "attack":
        return result.success
    return not result.success if cause == "avoidance" else result.fluke == "spectacular_failure"


def _by_action(do: RuleInjury, where: Subject, action: Action) -> Caused:
    """A dodge ruled impossible failed, and an attack ruled certain succeeded, without a number: nothing was seen."""
    if do.cause == "avoidance" and action.character != do.victim:
        raise Refused(CAUSE, "cause-not-victim", check=do.cause_check)
    if action.stage != _WITHOUT_A_ROLL[do.cause]:
        raise Refused(CAUSE, _unfit(_kind(do)), check=do.cause_check)
    if do.victim in action.injured:
        raise Refused(CAUSE, "already-injured", check=do.cause_check, victim=do.victim)
    return Caused(_kind(do), where, do.cause_check)


# --- how well the victim resists ----------------------------------------------------------------------------------


def resisting_aptitude(dials: Dials, being: Character, do: RuleInjury | RuleRecoveryCheck) -> Aptitude:
    """Talent and Role; with script immunity, that and the Talent; or an assigned Aptitude, which is complete."""
    must_be_one_way(APTITUDE, do.assigned, do.role is not None or do.talent is not None or do.life_roles)
    drama.must_not_be_named(dials, being, do.importance, do.assigned)
    if do.assigned is not None:
        return assigned_aptitude(dials, being, do.assigned)
    must_use_sheets(dials)
    usual = being.resist_talent or dials.resist_talent
    ladder = ladders.ratings(dials)
    talent = rated(dials, ladder, being, "talent", do.talent if do.talent is not None else usual)
    named = (do.role, *do.life_roles) if do.role is not None else do.life_roles
    roles = tuple(rated(dials, ladder, being, "life", name) for name in named)
    if drama.source_of(dials, being) != "off":
        return drama.dramatic_aptitude(ladder, drama.importance_of(dials, ladder, being, do.importance), talent, roles)
    role, lower = _role(dials, ladder, being, roles)
    found = summed(ladder, "traits", talent, role)
    replaced: dict[str, Any] = {"instead_of": lower.name} if lower is not None else {}
    chosen = step(APTITUDE, found.number, talent=talent.number, role=role.number, kind=role.kind, **replaced)
    because = (*found.because, chosen)
    return Aptitude(found.number, "traits", found.traits, None, because)


def _role(
    dials: Dials, ladder: Ladder, being: Character, roles: tuple[RatedTrait, ...]
) -> tuple[RatedTrait, RatedTrait | None]:
    """Return the Role that counts, and the lower Life Role that it replaces, where the table prefers the better one.

    The referee's choice stands: the best of the Life Roles named, or the Primary Role where none is named.
    """
    primary = primary_role(dials, ladder, being)
    best = max(roles, key=lambda role: role.number, default=primary)
    if dials.resist_life_role_floor and best.number < primary.number:
        return primary, best
    return best, None


def worst_of(word: str) -> Condition:
    """What becomes of the victim who fails (`mnemonic.injury.worst`)."""
    condition = OTHER_WORDS.get(word, word)
    if not is_condition(condition):
        raise Refused(WORST, "unknown-condition", worst=word)
    return condition


# --- the rulings --------------------------------------------------------------------------------------------------


def rule_injury(draft: Draft, do: RuleInjury) -> None:
    """The referee's whole judgement of an injury, on record before the roll; hidden with script immunity."""
    must_be_referee(draft)
    being = draft.character(do.victim)
    if being.condition == "dead":
        raise Refused("mnemonic.status.combine", "dead", character=do.victim)
    injury = draft.table.new_id()
    with draft.secretly(drama.readers_of_resistance(draft.dials, do.victim, being)):
        caused = cause_of(draft, do)
        worst = worst_of(do.worst)
        found = resisting_aptitude(draft.dials, being, do)
        ruled = resisting_check(draft, do, do.victim, found, "resist", injury, at_stake=worst == "dead")
        told = InjuryRuled(
            injury, ruled.check, do.victim, caused.kind, caused.check, caused.successes, caused.failures, worst,
            being.primary_role, draft.dials.status_combine, do.reason, ruled.seen_by, caused.rolled,
        )  # fmt: skip
        draft.put_on(caused.where, told)
        draft.by(CAUSE, caused.kind, check=caused.check)
        draft.by(WORST, worst, successes=caused.successes, failures=caused.failures)
        draft.steps(found.because)
        call(draft, caused.where, being, ruled, found)
        draft.by("mnemonic.injury.check", ruled.check, injury=injury)


def resisting_check(
    draft: Draft, do: RuleInjury | RuleRecoveryCheck, id: str, found: Aptitude, purpose: Purpose,
    injury: str | None = None, *, at_stake: bool,
) -> CheckRuled:  # fmt: skip
    """The check, ruled. `at_stake`: it is a matter of life and death."""
    dials, check = draft.dials, draft.table.new_id()
    chances = ladders.chance(dials, do.chances)
    method = randoms.method_of(dials, do.method)
    return CheckRuled(
        check, purpose, id, found.traits, found.number, found.source, found.assigned, *chances, method,
        at_stake, readings(dials, method), do.reason, injury=injury, seen_by=draft.readers,
    )  # fmt: skip


def call(draft: Draft, where: Subject, being: Character, ruled: CheckRuled, found: Aptitude) -> None:
    """A resisting check is called: the facts of it, and that it stands ruled."""
    drama.rule_anew(draft, ruled.character, being, ruled.check, found.importance)
    draft.tell(where, ruled)
    draft.about(ruled.character, ResistanceCalled(ruled.check, ruled.injury))
    use_up(draft, ruled)
    stand_ruled(draft, ruled)


def narrate_consequence(draft: Draft, do: NarrateConsequence) -> None:
    """What a spectacular result brings. A death it names must have been at stake; it comes at once."""
    must_be_referee(draft)
    found = find_check(draft.table, do.check)
    result = found[1].resolved if found is not None else None
    fluke = result.fluke if result is not None else None
    if found is None or result is None or fluke not in ("spectacular_success", "spectacular_failure"):
        raise Refused("mnemonic.fluke.spectacular", "cause-not-spectacular", check=do.check)
    where, check = found
    draft.by("mnemonic.fluke.spectacular", fluke, check=do.check)
    if do.death is None:
        draft.tell(where, ConsequenceNarrated(do.check, do.text, None, False, result.rolled))
        return
    victim = draft.character(do.death)
    marked = _must_be_at_stake(check, fluke)
    draft.by("mnemonic.fluke.no-death", "marked" if marked else "allowed", death=do.death)
    draft.tell(where, ConsequenceNarrated(do.check, do.text, do.death, marked, result.rolled))
    if victim.condition == "dead":
        return
    if do.death in check.injured:
        raise Refused(CAUSE, "already-injured", check=do.check, victim=do.death)
    death, combine = Status(INACTIVE, "dead"), draft.dials.status_combine
    died = resolved_as(draft.table.new_id(), death, combine, None, result.rolled)
    injure(draft, do.death, died, None)


def _must_be_at_stake(check: Check, fluke: str) -> bool:
    """Whether the death is marked: it was not at stake, and the table only warns (`mnemonic.fluke.no-death`)."""
    if fluke != "spectacular_failure":
        raise Refused(CAUSE, "cause-not-spectacular", check=check.ruled.check)
    guard = check.ruled.readings.death_guard
    if check.ruled.life_or_death or guard == "off":
        return False
    if guard == "refuse":
        raise Refused("mnemonic.fluke.no-death", "death-not-at-stake", check=check.ruled.check)
    return True
