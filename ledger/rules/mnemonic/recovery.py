"""Recovery: how fast Status improves, and how the referee declares it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    Among,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Story,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    guards,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.mnemonic.boards import find_check
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.injuries import DEAD
from ledger.rules.mnemonic.records import Rolled, say_circumstances, say_treated
from ledger.rules.mnemonic.referee import REFEREE, may_rule, offer_to_referees
from ledger.rules.mnemonic.state import Character, Check
from ledger.rules.mnemonic.status import StatusChanged, cite_posting, move_status, put_status, read_status, rise_to
from ledger.rules.mnemonic.words import (
    FINE,
    CheckId,
    Level,
    RecoveryId,
    RecoveryWay,
    format_reason,
    is_whole,
    name_level,
    name_subject,
    quote,
)

# --- possible recoveries ----------------------------------------------------------------------------------------------

INACTIVE = rule(
    "mnemonic.recovery.inactive",
    "Immobilized and unconscious characters recover like everybody else. Dead characters do not recover.",
    "calculating status",
)
WAY_NOT_ALLOWED = Refusal(
    INACTIVE,
    "way-not-allowed",
    "This table does not use that way to recover. Its option `recovery.ways` lists the ways.",
)
CHECK = rule(
    "mnemonic.recovery.check",
    "A successful recovery check can raise Status. Depending on the table, Status rises by one level, to the"
    " level that the number of Successes gives, or to a level that the referee names. A recovery check never"
    " lowers Status.",
    "calculating status",
)
ALREADY_FINE = Refusal(CHECK, "already-fine", "{character} is already Fine, and has nothing to recover from.")
GUIDES = rule(
    "mnemonic.recovery.guides",
    "For example, a boxer who is knocked down gets up in moments and is Fine within a week. A character who is "
    "shot in the chest does not improve at all for days.",
    "calculating status",
)
#: Advice to the referee. No ruling cites it.
ADVICE = (GUIDES,)


@guards
def may_recover_by(draft: Draft, way: RecoveryWay) -> Refused | None:
    return WAY_NOT_ALLOWED(way=way) if way not in draft.dials.recovery_ways else None


@guards
def may_recover(draft: Draft, character_id: str) -> Refused | None:
    """Refuse dead characters. Other inactive characters recover like everybody else."""
    return DEAD.under(INACTIVE, character=character_id) if draft.character(character_id).condition == "dead" else None


@guards
def may_improve(draft: Draft, character_id: str) -> Refused | None:
    """Refuse characters who are dead or Fine."""
    refused = may_recover(draft, character_id)
    if refused is not None:
        return refused
    return ALREADY_FINE(character=character_id) if draft.character(character_id).level == FINE else None


# --- the rate of recovery ---------------------------------------------------------------------------------------------


def say_said_beforehand(given: Mapping[str, Any]) -> str:
    """Put into words the rate that was described beforehand, for comparison with the recovery."""
    return "The referee said beforehand how fast the character recovers: “{rate}”" if given.get("rate") else ""


RATE = rule(
    "mnemonic.recovery.rate",
    "The referee decides how fast Status improves, depending on the victim, the injury and the treatment.",
    "calculating status",
    step=say_said_beforehand,
)
NO_TREATMENT = Refusal(
    RATE,
    "no-treatment",
    "[Check {check} is not a resolved check for an action. ]Name the check in which the injury was treated.",
)


def say_rate(do: RuleRecoveryRate, names: Names) -> str:
    return _say_rate(names.name(character(do.character)), do.rate, do.reason)


def say_rate_ruled(fact: RecoveryRateRuled, names: Names) -> str:
    return _say_rate(name_subject(names), fact.rate, fact.reason)


def _say_rate(name: str, rate: str, reason: str) -> str:
    """Return how fast a character recovers, in the referee's words."""
    if not rate.strip():
        return f"The referee no longer says how fast {name} recovers{format_reason(reason)}."
    full_stop = "." if reason.strip() else ""
    return f"The referee says how fast {name} recovers: {quote(rate)}{format_reason(reason)}{full_stop}"


@fact("recovery-rate-ruled", says=say_rate_ruled)
class RecoveryRateRuled:
    """Subject: the character. The referee described in words how fast its Status improves until it is Fine. `rate`: the
    description; empty if the referee withdrew it. `replaces`: the previous rate.
    """

    rate: Story
    replaces: Story
    reason: Reason


@changes
@once_created
def put_rate(state: Character, fact: RecoveryRateRuled) -> Character | None:
    """Set the rate, unless the character is Fine because an injury was overturned."""
    return changed(state, recovery_rate=fact.rate) if state.level < FINE else state


@declares("rule-recovery-rate", REFEREE, says=say_rate, records=(RecoveryRateRuled,))
class RuleRecoveryRate:
    """Say in words how fast a character's Status will improve, such as “not before three days in hospital”. This is
    shown on the sheet, beside every recovery, until the character is Fine.
    """

    character: CharacterId
    rate: Annotated[
        Story,
        Says("Rate of recovery", "How fast Status improves, in words. Leave it empty to withdraw the previous rate."),
    ] = ""
    reason: Reason = ""


@decides
def rule_recovery_rate(draft: Draft, do: RuleRecoveryRate) -> None:
    """Record in words how fast the Status will improve. There is no formula for the rate."""
    require(may_rule(draft))
    state = draft.character(do.character)
    require(may_improve(draft, do.character))
    rate = do.rate.strip()
    draft.about(do.character, RecoveryRateRuled(rate, state.recovery_rate, do.reason))
    draft.by(RATE, rate or "none", primary_role=state.primary_role)


def describe_rate(state: Character) -> dict[str, Any]:
    """Return the values that a step of the derivation shows about the current rate of recovery."""
    return {"rate": state.recovery_rate} if state.recovery_rate else {}


# --- the check of a treatment -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Treatment:
    """The result of the check that treated an injury; every field is None if there was no such check."""

    check_id: str | None = None
    success_count: int | None = None
    failure_count: int | None = None
    rolled: Rolled | None = None

    def describe(self) -> dict[str, Any]:
        """Return the values that a step of the derivation shows about the treatment."""
        if self.check_id is None:
            return {}
        return {"check": self.check_id, "successes": self.success_count, "failures": self.failure_count}


@guards
def may_treat(check: Check) -> Refused | None:
    """Refuse a check that is not for an action or has no result."""
    if check.resolved is None or check.ruled.purpose != "action":
        return NO_TREATMENT(check=check.ruled.check)
    return None


def read_treatment(draft: Draft, check_id: str | None) -> Treatment:
    """Return the result of the check that treated the injury. Refuses `no-treatment`."""
    if check_id is None:
        return Treatment()
    place_and_check = find_check(draft.table, check_id)
    if place_and_check is None:
        raise NO_TREATMENT(check=check_id)
    _, check = place_and_check
    require(may_treat(check))
    result = check.resolved
    assert result is not None, "`may_treat` has checked this"
    return Treatment(check_id, result.successes, result.failures, result.rolled)


def make_treatment_fields(draft: Draft) -> dict[str, Domain]:
    check_ids = (check.ruled.check for check in draft.boards.resolved_checks if may_treat(check) is None)
    return {"treated_by": Among((None, *check_ids))}


# --- declaring a recovery ---------------------------------------------------------------------------------------------

DECLARED = rule(
    "mnemonic.recovery.declared",
    "After some time in the story, the referee can declare that a character's Status has improved to a higher level.",
    "calculating status",
)
BAD_STATUS = Refusal(DECLARED, "bad-status", "There is no such level. Choose a level from 1 to 6.")
NO_IMPROVEMENT = Refusal(
    DECLARED,
    "not-an-improvement",
    "{character} is already at level {present}. Level {level} is not an improvement.",
)


def say_recovered(fact: RecoveryDeclared, names: Names) -> str:
    recovery_phrase = _say_recovery_to(name_subject(names), fact.to, fact.elapsed, fact.treatment)
    treatment = say_treated(fact.treated_by, fact.seen_successes, fact.seen_failures)
    return f"{recovery_phrase}{treatment}{format_reason(fact.reason)}."


def _say_recovery_to(name: str, level: object, elapsed: str, treatment: str) -> str:
    circumstances = say_circumstances(elapsed, treatment)
    return f"{name} recovers to {name_level(level) if isinstance(level, int) else f'level {level}'}{circumstances}"


@fact("recovery-declared", 2, says=say_recovered, headline=1)
class RecoveryDeclared:
    """Subject: the character. The referee declared a recovery: its Status rises to level `to`, if that is higher.
    `treated_by`: the check that treated the injury, with its result and its roll.
    """

    recovery: RecoveryId
    to: int
    elapsed: Title
    treatment: Story
    reason: Reason
    treated_by: CheckId | None = None
    seen_successes: int | None = None
    seen_failures: int | None = None
    rolled: Rolled | None = None


@changes
@once_created
def recover(state: Character, fact: RecoveryDeclared) -> Character | None:
    return put_status(state, rise_to(read_status(state), fact.to))


def say_recovery(do: DeclareRecovery, names: Names) -> str:
    return f"{_say_recovery_to(names.name(character(do.character)), do.level, do.elapsed, do.treatment)}."


@declares("declare-recovery", REFEREE, says=say_recovery, records=(RecoveryDeclared, StatusChanged))
class DeclareRecovery:
    """Declare that, after some time, a character's Status has improved to a higher level."""

    character: CharacterId
    level: Annotated[Level, Says("New level", "A level of Status, where 6 is Fine.")]
    elapsed: Annotated[Title, Says("Time passed", "In words, such as “a few moments”.")] = ""
    treatment: Annotated[Story, Says("Treatment", "How the injury was treated, in words.")] = ""
    reason: Reason = ""
    treated_by: Annotated[
        CheckId | None, Says("Treatment check", "The check that somebody made to treat the injury, if there was one.")
    ] = None


@guards
def may_rise_to(draft: Draft, character_id: str, level: object) -> Refused | None:
    """Refuse anything except a level from 1 to 6 that is above the current one."""
    if not is_whole(level) or not 1 <= level <= FINE:
        return BAD_STATUS(level=level)
    present_level = draft.character(character_id).level
    return (
        NO_IMPROVEMENT(character=character_id, level=level, present=present_level) if level <= present_level else None
    )


def read_level(draft: Draft, character_id: str, level: object) -> int:
    """Return the level if the character can rise to it. Refuses `bad-status`, `not-an-improvement`."""
    require(may_rise_to(draft, character_id, level))
    assert is_whole(level), "`may_rise_to` has checked this"
    return level


@decides
def declare_recovery(draft: Draft, do: DeclareRecovery) -> None:
    """Improve the Status after some time. The referee judges sturdiness, injury and treatment; there is no formula."""
    require(may_rule(draft))
    state = draft.character(do.character)
    require(may_recover_by(draft, "declared"))
    require(may_recover(draft, do.character))
    level = read_level(draft, do.character, do.level)
    treatment = read_treatment(draft, do.treated_by)
    recovery = RecoveryDeclared(
        draft.table.new_id(),
        level,
        do.elapsed,
        do.treatment,
        do.reason,
        do.treated_by,
        treatment.success_count,
        treatment.failure_count,
        treatment.rolled,
    )
    before, after = move_status(draft, do.character, recovery, f"recovery/{recovery.recovery}")
    draft.by(RATE, level, elapsed=do.elapsed, treatment=do.treatment, **describe_rate(state), **treatment.describe())
    draft.by(DECLARED, level, before=before.level)
    cite_posting(draft, before, after)


@offers
def offer_recovery(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None:
        yield from offer_to_referees(draft, _list_moves(draft))


def _list_moves(draft: Draft) -> Iterator[Move]:
    treatment_fields = make_treatment_fields(draft)
    for beings in draft.groups_with_same_rulings:
        if may_improve(draft, beings[0].id) is None:
            characters = Among(tuple(being.id for being in beings))
            yield Move(RuleRecoveryRate, {"character": characters})
            if may_recover_by(draft, "declared") is None:
                higher_levels = Between(beings[0].state.level + 1, FINE)
                yield Move(DeclareRecovery, {**treatment_fields, "character": characters, "level": higher_levels})
