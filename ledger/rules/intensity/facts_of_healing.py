"""What becomes true when people rest and heal, and of who is in conflict."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.intensity.terms import Asker, ImpactId
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Story


@fact("rest-taken")
class RestTaken:
    """About the campaign."""

    characters: tuple[CharacterId, ...]


@fact("tax-ended")
class TaxEnded:
    """About the character."""

    impact: ImpactId
    char: CharacterId


@fact("conflict-noted")
class ConflictNoted:
    """About the campaign: an unordered pair the table ruled to be in conflict."""

    a: CharacterId
    b: CharacterId
    reason: Reason


@fact("healing-moment-held")
class HealingMomentHeld:
    """About the campaign."""

    day: int
    requested_by: Asker
    fiction: Story


@fact("healing-moment-closed")
class HealingMomentClosed:
    """About the campaign: a game master waited no longer. `passed_over`: who had not said what to heal."""

    day: int
    reason: Reason
    passed_over: tuple[CharacterId, ...]


@fact("impact-healed")
class ImpactHealed:
    """About the character."""

    impact: ImpactId
    char: CharacterId
    day: int


@fact("healing-declined")
class HealingDeclined:
    """About the character, which was hurt and healed nothing."""

    char: CharacterId


@fact("conflict-links-cleared")
class ConflictLinksCleared:
    """About the campaign."""


HealingFact: TypeAlias = (
    RestTaken | TaxEnded | ConflictNoted | HealingMomentHeld | HealingMomentClosed | ImpactHealed | HealingDeclined
    | ConflictLinksCleared
)  # fmt: skip
