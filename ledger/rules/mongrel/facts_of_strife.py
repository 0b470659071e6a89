"""What can become true in a conflict and to those who get hurt in it. About the character, or first about the scene."""

from __future__ import annotations

from typing import Annotated

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Ref, Story
from ledger.rules.mongrel.domains import AttributeName, ExpertiseName, HittingTask, OptionName
from ledger.rules.mongrel.terms import (
    ApLoss,
    ApSource,
    CollapseCause,
    DeathCause,
    HitKind,
    Payment,
    Resisted,
    ResolveUse,
    Side,
    TerminalCause,
    Zone,
)

# --- conflicts: about the scene --------------------------------------------------------------------------------------


@fact("conflict-opened")
class ConflictOpened:
    queue: tuple[CharacterId, ...]


@fact("coin-flipped")
class CoinFlipped:
    first: CharacterId
    second: CharacterId


@fact("participant-joined")
class ParticipantJoined:
    character: CharacterId


@fact("participant-left")
class ParticipantLeft:
    """The dead and the retired leave the queue, and whom a game master takes out of it (`reason`)."""

    character: CharacterId
    reason: Reason


@fact("conflict-closed")
class ConflictClosed:
    pass


@fact("front-taken")
class FrontTaken:
    """To the head of the queue. `before`, `after`: as it was told at the table."""

    character: CharacterId
    before: tuple[CharacterId, ...]
    after: tuple[CharacterId, ...]


@fact("action-declared")
class ActionDeclared:
    """`weapon_used`, `armour_worn`: possessions whose values `weapon` and `armour` are."""

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: tuple[OptionName, ...]
    difficulty: int
    reason: Reason
    taken_off: int
    taken_off_reason: Reason
    hit_kind: HitKind
    weapon: int
    armour: int
    command: Reason
    purpose: Reason
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None


@fact("declaration-lapsed")
class DeclarationLapsed:
    actor: CharacterId


@fact("defence-chosen")
class DefenceChosen:
    target: CharacterId
    defends: bool
    side: Side
    armour_worn: Annotated[str, Ref("possession", of="target")] | None


@fact("turn-passed")
class TurnPassed:
    character: CharacterId
    text: Story


@fact("turn-ended")
class TurnEnded:
    """To the tail of the queue. `queue`: as it then stood."""

    character: CharacterId
    queue: tuple[CharacterId, ...]


# --- Action Points ---------------------------------------------------------------------------------------------------


@fact("action-points-spent")
class ActionPointsSpent:
    character: CharacterId
    amount: int
    reason: Payment


@fact("action-points-lost")
class ActionPointsLost:
    character: CharacterId
    amount: int
    cause: ApLoss


@fact("action-points-recovered")
class ActionPointsRecovered:
    """`counted`: towards fatigue. By `recover` the character is recovering, by avoiding death not."""

    character: CharacterId
    amount: int
    refresh: bool
    counted: bool
    minute: int | None
    by: ApSource


@fact("action-points-gained")
class ActionPointsGained:
    character: CharacterId
    amount: int


@fact("action-point-maximum-imposed")
class ActionPointMaximumImposed:
    character: CharacterId
    maximum: int


@fact("action-point-maximum-lifted")
class ActionPointMaximumLifted:
    character: CharacterId


@fact("recovery-ended")
class RecoveryEnded:
    """No longer recovering: may defend again."""

    character: CharacterId


@fact("character-exhausted")
class CharacterExhausted:
    character: CharacterId
    minute: int


@fact("rested")
class Rested:
    character: CharacterId
    hours: int
    required: int


@fact("clock-moved")
class ClockMoved:
    """About the campaign: its fictional clock goes on to `minute`, or a game master sets it."""

    minute: int
    before: int
    reason: Reason


@fact("fatigue-cleared")
class FatigueCleared:
    character: CharacterId


# --- damage ----------------------------------------------------------------------------------------------------------


@fact("damage-rolled")
class DamageRolled:
    character: CharacterId
    effect: int
    weapon: int
    armour: int
    net: int
    reason: Reason
    ruling: HittingTask | None


@fact("damage-shunted")
class DamageShunted:
    character: CharacterId
    shunted: int
    permanent: int
    temporary: int


@fact("damage-counted")
class DamageCounted:
    """`kept`: what the lasting total grows by (nothing where hits do not add up)."""

    character: CharacterId
    counted: int
    kept: int
    before: int
    after: int
    zone: Zone
    size: int
    physique: int


@fact("physique-reduced")
class PhysiqueReduced:
    character: CharacterId
    amount: int


@fact("character-collapsed")
class CharacterCollapsed:
    character: CharacterId
    cause: CollapseCause


@fact("character-stood-up")
class CharacterStoodUp:
    character: CharacterId


@fact("terminal-damage-taken")
class TerminalDamageTaken:
    """`decision`: whether there is Infernal Resolve to avoid death with."""

    character: CharacterId
    cause: TerminalCause
    decision: bool


@fact("character-died")
class CharacterDied:
    character: CharacterId
    cause: DeathCause


@fact("wounds-healed")
class WoundsHealed:
    character: CharacterId
    damage: int
    physique: int
    beauty: int
    terminal_ended: bool
    reason: Reason


# --- Infernal Resolve and sorcery ------------------------------------------------------------------------------------


@fact("infernal-resolve-spent")
class InfernalResolveSpent:
    character: CharacterId
    amount: int
    purpose: ResolveUse


@fact("resolve-damaged")
class ResolveDamaged:
    character: CharacterId
    effect: int
    lost: int


@fact("task-hit")
class TaskHit:
    """A task came to a spiritual hit. (What a physical one comes from, is told with its damage.)"""

    character: CharacterId
    ruling: HittingTask


@fact("infernal-resolve-refreshed")
class InfernalResolveRefreshed:
    character: CharacterId
    amount: int
    reason: Reason


@fact("ritual-timed")
class RitualTimed:
    character: CharacterId
    hours: int


@fact("occult-resisted")
class OccultResisted:
    """`taken_off` the Effect; `cancelled`: nothing of it is left to happen."""

    character: CharacterId
    against: Resisted
    taken_off: int
    cancelled: bool
