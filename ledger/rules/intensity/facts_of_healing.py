"""The facts of rest, healing and conflicts."""

from __future__ import annotations

from dataclasses import dataclass
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
    """About the campaign: the table ruled that two characters were in conflict. Their order has no meaning."""

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
    """About the campaign: a game master stopped waiting for a player. `passed_over`: the player's characters."""

    day: int
    reason: Reason
    passed_over: tuple[CharacterId, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    a: CharacterId
    b: CharacterId


@fact("conflicts-counted")
class ConflictsCounted:
    """About the campaign: the pairs in conflict at a healing moment."""

    pairs: tuple[Pair, ...]


@fact("impact-healed")
class ImpactHealed:
    """About the character."""

    impact: ImpactId
    char: CharacterId
    day: int


@fact("healing-declined")
class HealingDeclined:
    """About the character, who was hurt and healed nothing."""

    char: CharacterId


@fact("healing-passed-over")
class HealingPassedOver:
    """About the character: its player was asked, and a game master answered that it heals nothing."""

    char: CharacterId
    day: int
    reason: Reason


@fact("conflict-links-cleared")
class ConflictLinksCleared:
    """About the campaign."""


HealingFact: TypeAlias = (
    RestTaken | TaxEnded | ConflictNoted | ConflictsCounted | HealingMomentHeld | HealingMomentClosed | ImpactHealed
    | HealingDeclined | HealingPassedOver | ConflictLinksCleared
)  # fmt: skip
