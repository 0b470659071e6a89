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
    """Rule an injury: everything that the referee decides before the victim rolls.

    `cause`: `attack` (that succeeded), `avoidance` (a dodge that failed) or `spectacular` (a Spectacular Failure), each
    with the `cause_check`; or `referee`, with a reason. `worst`: whether a victim who fails to resist is `immobilized`,
    `unconscious` or `dead`. `chances`: of staying active. `talent`: the Talent that resists; leave it out for the usual
    one. `role`, `life_roles`: Life Roles that help to resist; leave both out to use the Primary Role. `importance`: the
    rating of script immunity, if the table rates it for each check. `method`: how to roll; leave it out for the usual
    way.
    `reason`: why. Usually given.
    """

    victim: CharacterId
    cause: CauseWord
    worst: Annotated[ConditionWord, Says("Worst result", "What happens to a victim who fails to resist.")]
    chances: ChancesName
    cause_check: Annotated[
        CheckId | None, Says("Check that caused it", "Or the action, if it was ruled certain or impossible.")
    ] = None
    role: TraitOfVictim | None = None
    talent: TraitOfVictim | None = None
    life_roles: tuple[TraitOfVictim, ...] = ()
    importance: RatingName | None = None
    assigned: Annotated[AssignmentOfVictim | None, Says("Assigned Aptitude", "Instead of traits.")] = None
    method: MethodWord | None = None
    reason: Reason = ""


@declares("rule-recovery-rate", REFEREE, records=("recovery-rate-ruled",))
class RuleRecoveryRate:
    """Say in words how fast a character's Status will improve, such as “not before three days in hospital”.

    The `rate` is shown on the sheet, beside every recovery, until the character is Fine. Leave it empty to withdraw it.
    """

    character: CharacterId
    rate: Annotated[Story, Says("Rate of recovery", "In words. Leave it empty to withdraw it.")] = ""
    reason: Reason = ""


@declares("declare-recovery", REFEREE, records=("recovery-declared", "status-changed"))
class DeclareRecovery:
    """Declare that a character's Status has improved after some time, to a higher `level` (1 to 6)."""

    character: CharacterId
    level: Level
    elapsed: Annotated[Title, Says("Time passed", "In words, such as “a few moments”.")] = ""
    treatment: Story = ""
    reason: Reason = ""
    treated_by: Annotated[CheckId | None, Says("Check of the treatment", "If somebody rolled to treat the injury.")] = (
        None
    )


@declares(
    "rule-recovery-check",
    REFEREE,
    records=("recovery-ruled", "importance-ruled", "check-ruled", "resistance-called", "aptitude-used"),
)
class RuleRecoveryCheck:
    """Rule a recovery check: the character resists the injury again. Most fields are as in `rule-injury`; the time and
    the treatment are as in `declare-recovery`.

    `life_or_death`: life is at stake, so a Spectacular Failure can kill.
    """

    character: CharacterId
    chances: ChancesName
    role: TraitOfCharacter | None = None
    talent: TraitOfCharacter | None = None
    life_roles: tuple[TraitOfCharacter, ...] = ()
    importance: RatingName | None = None
    assigned: Annotated[AssignmentOfCharacter | None, Says("Assigned Aptitude", "Instead of traits.")] = None
    method: MethodWord | None = None
    reason: Reason = ""
    elapsed: Annotated[Title, Says("Time passed", "In words, such as “a few moments”.")] = ""
    treatment: Story = ""
    treated_by: Annotated[CheckId | None, Says("Check of the treatment", "If somebody rolled to treat the injury.")] = (
        None
    )
    life_or_death: bool = False


@declares("name-recovery", REFEREE, records=("recovery-named", "recovery-checked", "status-changed"))
class NameRecovery:
    """Name the level that a successful recovery check leads to, if the table leaves that to the referee."""

    check: CheckId
    level: Level | None = None
