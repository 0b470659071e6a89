"""Injuries: cause, Aptitude to resist, worst possibility, Chances; all ruled before the victim rolls.

Headings: calculating status, dramatic considerations, flukes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.contract import About, Step, Table, Verdict, step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, character
from ledger.rules.mnemonic import drama, ladders, randoms
from ledger.rules.mnemonic.aptitudes import Aptitude, primary_role, rated, summed
from ledger.rules.mnemonic.authority import must_be_referee, secretly
from ledger.rules.mnemonic.boards import find_action, find_check, here
from ledger.rules.mnemonic.checks import readings, ruling_steps, used_up
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import (
    CheckResolved,
    CheckRuled,
    ConsequenceNarrated,
    Fact,
    InjuryRuled,
    ResistanceCalled,
)
from ledger.rules.mnemonic.feather import assigned_aptitude, must_be_one_way, must_use_sheets
from ledger.rules.mnemonic.inputs import NarrateConsequence, RuleInjury, RuleRecoveryCheck
from ledger.rules.mnemonic.outcomes import injured, resolved_as
from ledger.rules.mnemonic.parts import RatedTrait
from ledger.rules.mnemonic.state import Action, Character, Check
from ledger.rules.mnemonic.status import Status
from ledger.rules.mnemonic.terms import INACTIVE, OTHER_WORDS, Cause, Condition, Purpose, is_cause, is_condition

CAUSE = "mnemonic.injury.cause"
APTITUDE = "mnemonic.injury.aptitude"
WORST = "mnemonic.injury.worst"


# --- what caused it -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Caused:
    """The cause, the check it is seen by (and where that is), and the size of its result."""

    kind: Cause
    where: Subject
    check: str | None = None
    successes: int | None = None
    failures: int | None = None


def cause_of(table: Table[Dials], do: RuleInjury) -> Caused:
    """An attack that succeeded, a failure to avoid, a Spectacular Failure, or the referee's word."""
    if not is_cause(do.cause):
        raise Refused(CAUSE, "unknown-cause", cause=do.cause)
    if do.cause == "referee":
        if not do.reason.strip():
            raise Refused(CAUSE, "reason-needed")
        return Caused(do.cause, here(table))
    if not do.cause_check:
        raise Refused(CAUSE, "cause-missing", cause=do.cause)
    check = find_check(table, do.cause_check)
    if check is not None:
        return _by_check(do, *check)
    action = find_action(table, do.cause_check)
    if action is not None and do.cause == "avoidance":
        return _by_impossible_dodge(do, *action)
    raise Refused(CAUSE, _unfit(do.cause), check=do.cause_check)


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
    seen = (result.successes, None) if do.cause == "attack" else (None, result.failures)
    return Caused(_kind(do), where, do.cause_check, *seen)


def _kind(do: RuleInjury) -> Cause:
    return do.cause if is_cause(do.cause) else "referee"


def _fits(cause: str, result: CheckResolved) -> bool:
    if cause == "attack":
        return result.success
    return not result.success if cause == "avoidance" else result.fluke == "spectacular_failure"


def _by_impossible_dodge(do: RuleInjury, where: Subject, action: Action) -> Caused:
    """A dodge the referee ruled impossible failed without a number: nothing was seen."""
    if action.character != do.victim:
        raise Refused(CAUSE, "cause-not-victim", check=do.cause_check)
    if action.stage != "impossible":
        raise Refused(CAUSE, "cause-not-failure", check=do.cause_check)
    if do.victim in action.injured:
        raise Refused(CAUSE, "already-injured", check=do.cause_check, victim=do.victim)
    return Caused("avoidance", where, do.cause_check)


# --- how well the victim resists ----------------------------------------------------------------------------------


def resisting_aptitude(table: Table[Dials], being: Character, do: RuleInjury | RuleRecoveryCheck) -> Aptitude:
    """Talent and Role; with script immunity, that and the Talent; or an assigned Aptitude, which is complete."""
    must_be_one_way(APTITUDE, do.assigned, do.role is not None or do.talent is not None or do.life_roles)
    drama.must_not_be_named(table.dials, being, do.importance, do.assigned)
    if do.assigned is not None:
        return assigned_aptitude(table, being, do.assigned)
    must_use_sheets(table.dials)
    usual = being.resist_talent or table.dials.resist_talent
    talent = rated(table, being, "talent", do.talent if do.talent is not None else usual)
    named = (do.role, *do.life_roles) if do.role is not None else do.life_roles
    roles = tuple(rated(table, being, "life", name) for name in named)
    if drama.source_of(table.dials, being) != "off":
        return drama.dramatic_aptitude(table, drama.importance_of(table, being, do.importance), talent, roles)
    role = _role(table, being, roles)
    found = summed(table, "traits", talent, role)
    because = (*found.because, step(APTITUDE, found.number, talent=talent.number, role=role.number, kind=role.kind))
    return Aptitude(found.number, "traits", found.traits, None, because)


def _role(table: Table[Dials], being: Character, roles: tuple[RatedTrait, ...]) -> RatedTrait:
    """The Life Role that helps; one below the Primary Role is no help and gives way to it, where the table says so."""
    primary = primary_role(table, being)
    best = max(roles, key=lambda role: role.number, default=primary)
    return primary if table.dials.resist_life_role_floor and best.number < primary.number else best


def worst_of(word: str) -> Condition:
    """What becomes of the victim who fails (`mnemonic.injury.worst`)."""
    condition = OTHER_WORDS.get(word, word)
    if not is_condition(condition):
        raise Refused(WORST, "unknown-condition", worst=word)
    return condition


# --- the rulings --------------------------------------------------------------------------------------------------


def rule_injury(table: Table[Dials], do: RuleInjury) -> Verdict[Fact]:
    """The referee's whole judgement of an injury, on record before the roll; hidden with script immunity."""
    must_be_referee(table)
    being = table.get(character(do.victim), Character)
    if being.condition == "dead":
        raise Refused("mnemonic.status.combine", "dead", character=do.victim)
    injury, check = table.new_id(), table.new_id()
    audience = drama.readers_of_resistance(table.dials, do.victim, being)
    with secretly(audience):
        caused = cause_of(table, do)
        worst = worst_of(do.worst)
        found = resisting_aptitude(table, being, do)
        ruled = resisting_check(table, do, do.victim, found, "resist", check, injury, worst)
    told = InjuryRuled(
        injury, check, do.victim, caused.kind, caused.check, caused.successes, caused.failures, worst,
        being.primary_role, table.dials.status_combine, do.reason, audience,
    )  # fmt: skip
    because = (
        step(CAUSE, caused.kind, audience, check=caused.check),
        step(WORST, worst, audience, successes=caused.successes, failures=caused.failures),
        *_for(audience, found.because),
        *ruling_steps(ruled, audience),
        step("mnemonic.injury.check", check, audience, injury=injury),
    )
    return Verdict((About(caused.where, told, (), audience), *called(table, caused.where, ruled, found)), because)


def resisting_check(
    table: Table[Dials], do: RuleInjury | RuleRecoveryCheck, id: str, found: Aptitude, purpose: Purpose,
    check: str, injury: str | None, worst: Condition | None,
) -> CheckRuled:  # fmt: skip
    """The check, ruled. Life is at stake where the worst possibility is death."""
    chances = ladders.chance(table.dials, do.chances)
    method = randoms.method_of(table.dials, do.method)
    return CheckRuled(
        check, purpose, id, found.traits, found.number, found.source, found.assigned, *chances, method,
        worst == "dead", readings(table.dials, method), do.reason, injury=injury,
        seen_by=drama.readers_of_resistance(table.dials, id, table.get(character(id), Character)),
    )  # fmt: skip


def called(table: Table[Dials], where: Subject, ruled: CheckRuled, found: Aptitude) -> tuple[About[Fact], ...]:
    """The facts of a resisting check, each as hidden as the check."""
    audience = ruled.seen_by
    return (
        *drama.ruled_anew(
            table, table.get(character(ruled.character), Character), ruled.character, ruled.check, found, audience
        ),
        About(where, ruled, (), audience),
        About(character(ruled.character), ResistanceCalled(ruled.check, ruled.injury), (), audience),
        *used_up(ruled, audience),
    )


def _for(audience: Audience, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple(Step(one.rule, one.given, one.out, audience) for one in steps)


def narrate_consequence(table: Table[Dials], do: NarrateConsequence) -> Verdict[Fact]:
    """What a spectacular result brings. A death it names must have been at stake; it comes at once."""
    must_be_referee(table)
    found = find_check(table, do.check)
    fluke = found[1].resolved.fluke if found is not None and found[1].resolved is not None else None
    if found is None or fluke not in ("spectacular_success", "spectacular_failure"):
        raise Refused("mnemonic.fluke.spectacular", "cause-not-spectacular", check=do.check)
    where, check = found
    because = [step("mnemonic.fluke.spectacular", fluke, check=do.check)]
    if do.death is None:
        narrated = ConsequenceNarrated(do.check, do.text, None, False)
        return Verdict((About(where, narrated),), tuple(because))
    victim = table.get(character(do.death), Character)
    marked = _must_be_at_stake(check, fluke)
    because.append(step("mnemonic.fluke.no-death", "marked" if marked else "allowed", death=do.death))
    about: About[Fact] = About(where, ConsequenceNarrated(do.check, do.text, do.death, marked))
    if victim.condition == "dead":
        return Verdict((about,), tuple(because))
    if do.death in check.injured:
        raise Refused(CAUSE, "already-injured", check=do.check, victim=do.death)
    died = resolved_as(table.new_id(), Status(INACTIVE, "dead"), table.dials.status_combine)
    facts, more = injured(table, do.death, died, None)
    return Verdict((about, *facts), (*because, *more))


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
