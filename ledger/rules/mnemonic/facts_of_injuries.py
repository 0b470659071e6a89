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
    """What the referee decided, seeing what, before the victim rolled. `check`: the resisting check.

    `rolled`: the roll of the `cause_check`; None where no roll caused it.
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
    """About the victim: the injury's own result, which meets the Status as `combine` says. `word`: None for failure.

    `check`: the resisting check, None for a death that was narrated. `rolled`: the roll it rests on. `at_once`: decided
    in the ruling that entered it.
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
    """About the character: how fast its Status improves, in words, until it is Fine. `replaces`: what was said before.

    Without words nothing is said of it any more.
    """

    rate: Story
    replaces: Story
    reason: Reason


@fact("recovery-ruled", 2)
class RecoveryRuled:
    """What the referee judged a recovery check by, before the roll.

    `treated_by`: the check that treated the injury, with its result and its roll.
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
    """About the character: Status rises to `to`, if that is higher.

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


@fact("recovery-checked", 2)
class RecoveryChecked:
    """About the character. After success `to`, the level counted or named, or `step`: one up; after failure neither.

    `rolled`: the roll it rests on, `at_once`: decided in the ruling that entered it. Where the referee named the level,
    `result` is what the referee saw.
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
    """The referee, seeing this `result` of a recovery check, named the level."""

    check: CheckId
    to: int
    result: CameOut | None = None


@fact("status-changed")
class StatusChanged:
    """About the character: how its Status moved then. `posting`: levels gained (lost: below zero).

    `cause`: `injury/<id>` or `recovery/<id>`. The Status itself is the fold of injuries and recoveries, never of this.
    """

    from_level: int
    from_condition: Condition | None
    to_level: int
    to_condition: Condition | None
    posting: int
    cause: Title
