"""What is declared of injuries and recovery."""

from __future__ import annotations

from typing import Annotated

from ledger.rules.kernel.declarations import declares
from ledger.rules.kernel.domains import CharacterId, Reason, Says, Story, Title
from ledger.rules.mnemonic.authority import REFEREE
from ledger.rules.mnemonic.terms import (
    AssignmentOfCharacter,
    AssignmentOfVictim,
    CauseWord,
    ChancesName,
    CheckId,
    ConditionWord,
    Level,
    LifeOrDeath,
    MethodWord,
    RatingName,
    TraitOfCharacter,
    TraitOfVictim,
)


@declares(
    "rule-injury",
    REFEREE,
    records=("injury-ruled", "importance-ruled", "check-ruled", "resistance-called", "aptitude-used", "begun-late"),
)
class RuleInjury:
    """Rule on an injury: everything that the referee decides before the victim rolls.

    `cause`: an attack that succeeded (`attack`), a dodge that failed (`avoidance`) or a Spectacular Failure
    (`spectacular`). Also name the check that caused the injury. Or choose `referee` and give a reason.
    `method`: leave it out for the usual way to roll. `reason`: why you rule this. A reason is usually given.
    """

    victim: CharacterId
    cause: CauseWord
    worst: Annotated[ConditionWord, Says("Worst result", "What happens to a victim who fails to resist.")]
    chances: Annotated[ChancesName, Says("Chances", "How likely the victim is to stay active.")]
    cause_check: Annotated[
        CheckId | None,
        Says(
            "Check that caused it",
            "The check that caused the injury, or the action if it was ruled certain or impossible.",
        ),
    ] = None
    role: Annotated[
        TraitOfVictim | None,
        Says("Life Role", "A Life Role that helps to resist. Leave it out to use the Primary Role."),
    ] = None
    talent: Annotated[
        TraitOfVictim | None, Says("Talent", "Leave it out to use the Talent that usually resists injuries.")
    ] = None
    life_roles: Annotated[
        tuple[TraitOfVictim, ...], Says("Other Life Roles", "If several Life Roles help, the best of them counts.")
    ] = ()
    importance: Annotated[
        RatingName | None, Says("Script immunity", "Only if the table rates script immunity for each check.")
    ] = None
    assigned: Annotated[AssignmentOfVictim | None, Says("Assigned Aptitude", "Used instead of traits.")] = None
    method: MethodWord | None = None
    reason: Reason = ""


@declares("rule-recovery-rate", REFEREE, records=("recovery-rate-ruled",))
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


@declares("declare-recovery", REFEREE, records=("recovery-declared", "status-changed"))
class DeclareRecovery:
    """Declare that, after some time, a character's Status has improved to a higher level."""

    character: CharacterId
    level: Annotated[Level, Says("New level", "A level of Status from 1 to 6, where 6 is Fine.")]
    elapsed: Annotated[Title, Says("Time passed", "In words, such as “a few moments”.")] = ""
    treatment: Annotated[Story, Says("Treatment", "How the injury was treated, in words.")] = ""
    reason: Reason = ""
    treated_by: Annotated[
        CheckId | None, Says("Check of the treatment", "If somebody made a check to treat the injury.")
    ] = None


@declares(
    "rule-recovery-check",
    REFEREE,
    records=("recovery-ruled", "importance-ruled", "check-ruled", "resistance-called", "aptitude-used"),
)
class RuleRecoveryCheck:
    """Rule on a recovery check: the character resists the injury again.

    `method`: leave it out for the usual way to roll.
    """

    character: CharacterId
    chances: Annotated[ChancesName, Says("Chances", "How likely the character is to recover.")]
    role: Annotated[
        TraitOfCharacter | None,
        Says("Life Role", "A Life Role that helps to resist. Leave it out to use the Primary Role."),
    ] = None
    talent: Annotated[
        TraitOfCharacter | None, Says("Talent", "Leave it out to use the Talent that usually resists injuries.")
    ] = None
    life_roles: Annotated[
        tuple[TraitOfCharacter, ...], Says("Other Life Roles", "If several Life Roles help, the best of them counts.")
    ] = ()
    importance: Annotated[
        RatingName | None, Says("Script immunity", "Only if the table rates script immunity for each check.")
    ] = None
    assigned: Annotated[AssignmentOfCharacter | None, Says("Assigned Aptitude", "Used instead of traits.")] = None
    method: MethodWord | None = None
    reason: Reason = ""
    elapsed: Annotated[Title, Says("Time passed", "In words, such as “a few moments”.")] = ""
    treatment: Annotated[Story, Says("Treatment", "How the injury was treated, in words.")] = ""
    treated_by: Annotated[
        CheckId | None, Says("Check of the treatment", "If somebody made a check to treat the injury.")
    ] = None
    life_or_death: LifeOrDeath = False


@declares("name-recovery", REFEREE, records=("recovery-named", "recovery-checked", "status-changed"))
class NameRecovery:
    """Name the level that a successful recovery check leads to, at a table where the referee does this."""

    check: CheckId
    level: Annotated[Level | None, Says("New level", "A level of Status from 1 to 6, where 6 is Fine.")] = None
