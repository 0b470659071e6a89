"""What becomes true when people rest and heal, and of who is in conflict."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact


@fact("rest-taken")
class RestTaken:
    """About the campaign."""

    characters: tuple[str, ...]


@fact("tax-ended")
class TaxEnded:
    """About the character."""

    impact: str
    char: str


@fact("conflict-noted")
class ConflictNoted:
    """About the campaign: an unordered pair the table ruled to be in conflict."""

    a: str
    b: str
    reason: str


@fact("healing-moment-held")
class HealingMomentHeld:
    """About the campaign."""

    day: int
    requested_by: str
    fiction: str


@fact("healing-moment-closed")
class HealingMomentClosed:
    """About the campaign: a game master waited no longer. `passed_over`: who had not said what to heal."""

    day: int
    reason: str
    passed_over: tuple[str, ...]


@fact("impact-healed")
class ImpactHealed:
    """About the character."""

    impact: str
    char: str
    day: int


@fact("healing-declined")
class HealingDeclined:
    """About the character, which was hurt and healed nothing."""

    char: str


@fact("conflict-links-cleared")
class ConflictLinksCleared:
    """About the campaign."""


HealingFact: TypeAlias = (
    RestTaken | TaxEnded | ConflictNoted | HealingMomentHeld | HealingMomentClosed | ImpactHealed | HealingDeclined
    | ConflictLinksCleared
)  # fmt: skip
