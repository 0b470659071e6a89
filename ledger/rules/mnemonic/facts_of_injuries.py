"""What becomes true of injuries, of recovery and of Status."""

from __future__ import annotations

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Story, Title
from ledger.rules.mnemonic.parts import CameOut, Rolled
from ledger.rules.mnemonic.terms import (
    Cause,
    CheckId,
    CheckReading,
    Combine,
    Condition,
    InjuryId,
    MnemonicWord,
    Readers,
    RecoveryId,
)


@fact("injury-ruled", 2)
class InjuryRuled:
    """What the referee decided about an injury before the victim rolled. `check`: the check to resist.
    `seen_successes`, `seen_failures`: the result of the `cause_check` at that time. `rolled`: the roll of the
    `cause_check`; empty if no roll caused the injury.
    """

    injury: InjuryId
    check: CheckId
    victim: CharacterId
    cause: Cause
    cause_check: CheckId | None
    seen_successes: int | None
    seen_failures: int | None
    worst: Condition
    primary_role: Story
    combine: Combine
    reason: Reason
    seen_by: Readers | None = None
    rolled: Rolled | None = None


@fact("injury-resolved", 2)
class InjuryResolved:
    """Subject: the victim. The result of an injury. `combine`: how it combines with the Status. `word`: the name of its
    level; empty if the victim failed to resist. `check`: the check to resist; empty for a death that was described as a
    consequence. `rolled`: the roll with this result. `at_once`: whether the result was worked out in the ruling that
    entered the roll.
    """

    injury: InjuryId
    check: CheckId | None
    rolled: Rolled | None
    word: MnemonicWord | None
    level: int
    condition: Condition | None
    combine: Combine
    at_once: bool = False


@fact("recovery-rate-ruled")
class RecoveryRateRuled:
    """Subject: the character. The referee described in words how fast its Status improves until it is Fine. `rate`:
    empty if the referee withdrew this. `replaces`: the previous rate.
    """

    rate: Story
    replaces: Story
    reason: Reason


@fact("recovery-ruled", 2)
class RecoveryRuled:
    """What the referee took into account for a recovery check before the roll. `treated_by`: the check that treated the
    injury, with its result and its roll.
    """

    check: CheckId
    character: CharacterId
    elapsed: Title
    treatment: Story
    primary_role: Story
    reason: Reason
    seen_by: Readers | None = None
    treated_by: CheckId | None = None
    seen_successes: int | None = None
    seen_failures: int | None = None
    rolled: Rolled | None = None


@fact("recovery-declared", 2)
class RecoveryDeclared:
    """Subject: the character. Its Status rises to level `to`, if that is higher. `treated_by`: the check that treated
    the injury, with its result and its roll.
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


@fact("recovery-checked", 2)
class RecoveryChecked:
    """Subject: the character. What its recovery check did. After a success, `to` is the level counted or named, or
    `step` is true and Status rises by one level. After a failure, `to` is empty and `step` is false. `rolled`: the roll
    with this result. `result`: what the referee saw when naming the level. `at_once`: whether the result was worked out
    in the ruling that entered the roll.
    """

    check: CheckId
    rolled: Rolled | None
    result: CameOut | None
    reading: CheckReading
    to: int | None
    step: bool
    at_once: bool = False


@fact("recovery-named", 2)
class RecoveryNamed:
    """The level that the referee named for this `result` of a recovery check."""

    check: CheckId
    to: int
    result: CameOut | None = None


@fact("status-changed")
class StatusChanged:
    """Subject: the character. Its Status changed. `posting`: how many levels were gained; negative if they were lost.
    `cause`: `injury/<id>` or `recovery/<id>`. The Status itself is worked out from injuries and recoveries, not from
    this fact.
    """

    from_level: int
    from_condition: Condition | None
    to_level: int
    to_condition: Condition | None
    posting: int
    cause: Title
