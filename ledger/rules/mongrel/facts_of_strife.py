"""Facts of conflicts, about the scene, and of Action Points, damage and Infernal Resolve, about the character."""

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
    """A character leaves the conflict: dead, retired, or taken out of it by a game master (`reason`)."""

    character: CharacterId
    reason: Reason


@fact("conflict-closed")
class ConflictClosed:
    pass


@fact("front-taken")
class FrontTaken:
    """A character moves to the front. `before`, `after`: the order before and after that."""

    character: CharacterId
    before: tuple[CharacterId, ...]
    after: tuple[CharacterId, ...]


@fact("action-declared")
class ActionDeclared:
    """An action on a character is declared. `weapon_used`, `armour_worn`: possessions whose values count."""

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


@fact("target-attribute-named")
class TargetAttributeNamed:
    """An action names another attribute for the defence: the one that counts if its target defends."""

    actor: CharacterId
    target: CharacterId
    attribute: AttributeName


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
    """A character's turn ends. `queue`: the order after it."""

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
    """A character recovers Action Points. `counted`: it counts towards fatigue. `refresh`: the character had 1
    or more before.
    """

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
    """A character is no longer recovering and can defend again."""

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
    """About the campaign: its fictional clock moves forward, or a game master sets it."""

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
    """Damage is counted. `kept`: how much the lasting total grows; 0 if the table does not add hits together."""

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
    """A character takes terminal damage. `decision`: the character has Infernal Resolve left to avoid death."""

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
    """A recorded task causes a spiritual hit. For a physical one, `damage-rolled` names the task."""

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
    """Occult or Chill is resisted. `taken_off`: how much its Effect falls. `cancelled`: the Occult fails."""

    character: CharacterId
    against: Resisted
    taken_off: int
    cancelled: bool
