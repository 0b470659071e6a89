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
    """A conflict begins. `queue`: the order of the participants."""

    queue: tuple[CharacterId, ...]


@fact("coin-flipped")
class CoinFlipped:
    """A coin decides which of two tied characters goes first."""

    first: CharacterId
    second: CharacterId


@fact("participant-joined")
class ParticipantJoined:
    """A character joins the conflict, last in the order."""

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
    """A declared action is cancelled."""

    actor: CharacterId


@fact("defence-chosen")
class DefenceChosen:
    """The target of an action chooses whether to defend."""

    target: CharacterId
    defends: bool
    side: Side
    armour_worn: Annotated[str, Ref("possession", of="target")] | None


@fact("turn-passed")
class TurnPassed:
    """A character passes. `text`: what they do instead, in words."""

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
    """A character spends Action Points."""

    character: CharacterId
    amount: int
    reason: Payment


@fact("action-points-lost")
class ActionPointsLost:
    """A character loses Action Points."""

    character: CharacterId
    amount: int
    cause: ApLoss


@fact("action-points-recovered")
class ActionPointsRecovered:
    """A character recovers Action Points. `counted`: whether this counts towards fatigue. `refresh`: whether the
    character had 1 or more before.
    """

    character: CharacterId
    amount: int
    refresh: bool
    counted: bool
    minute: int | None
    by: ApSource


@fact("action-points-gained")
class ActionPointsGained:
    """A character gains Action Points for Infernal Resolve."""

    character: CharacterId
    amount: int


@fact("action-point-maximum-imposed")
class ActionPointMaximumImposed:
    """A character's Action Point maximum is lowered, because they have no Infernal Resolve."""

    character: CharacterId
    maximum: int


@fact("action-point-maximum-lifted")
class ActionPointMaximumLifted:
    """A character's Action Point maximum is back to normal."""

    character: CharacterId


@fact("recovery-ended")
class RecoveryEnded:
    """A character is no longer recovering and can defend again."""

    character: CharacterId


@fact("character-exhausted")
class CharacterExhausted:
    """A character is exhausted. `minute`: the minute of the clock."""

    character: CharacterId
    minute: int


@fact("rested")
class Rested:
    """A character rests. `required`: how many hours of rest end exhaustion."""

    character: CharacterId
    hours: int
    required: int


@fact("clock-moved")
class ClockMoved:
    """Subject: the campaign. Its fictional clock moves forward, or a game master sets it."""

    minute: int
    before: int
    reason: Reason


@fact("fatigue-cleared")
class FatigueCleared:
    """A character is no longer exhausted, and earlier refreshes no longer count."""

    character: CharacterId


# --- damage ----------------------------------------------------------------------------------------------------------


@fact("damage-rolled")
class DamageRolled:
    """A physical hit. `net`: the damage, after the weapon is added and the armour is taken off. `ruling`: the task that
    caused the hit.
    """

    character: CharacterId
    effect: int
    weapon: int
    armour: int
    net: int
    reason: Reason
    ruling: HittingTask | None


@fact("damage-shunted")
class DamageShunted:
    """Damage goes to Beauty. `shunted`: how much. `permanent`, `temporary`: how much Beauty is lost for good, and how
    much for a time.
    """

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
    """A character loses Physique to a wound."""

    character: CharacterId
    amount: int


@fact("character-collapsed")
class CharacterCollapsed:
    """A character collapses."""

    character: CharacterId
    cause: CollapseCause


@fact("character-stood-up")
class CharacterStoodUp:
    """A collapsed character gets up."""

    character: CharacterId


@fact("terminal-damage-taken")
class TerminalDamageTaken:
    """A character takes terminal damage. `decision`: whether the character has Infernal Resolve left with which to
    avoid death.
    """

    character: CharacterId
    cause: TerminalCause
    decision: bool


@fact("character-died")
class CharacterDied:
    """A character dies."""

    character: CharacterId
    cause: DeathCause


@fact("wounds-healed")
class WoundsHealed:
    """A character heals. `damage`, `physique`, `beauty`: how much. `terminal_ended`: whether the terminal
    stage ends.
    """

    character: CharacterId
    damage: int
    physique: int
    beauty: int
    terminal_ended: bool
    reason: Reason


# --- Infernal Resolve and sorcery ------------------------------------------------------------------------------------


@fact("infernal-resolve-spent")
class InfernalResolveSpent:
    """A character spends Infernal Resolve."""

    character: CharacterId
    amount: int
    purpose: ResolveUse


@fact("resolve-damaged")
class ResolveDamaged:
    """A character takes a spiritual hit. `lost`: how much Infernal Resolve they lose."""

    character: CharacterId
    effect: int
    lost: int


@fact("task-hit")
class TaskHit:
    """A recorded task causes a spiritual hit. For a physical hit, `damage-rolled` names the task instead."""

    character: CharacterId
    ruling: HittingTask


@fact("infernal-resolve-refreshed")
class InfernalResolveRefreshed:
    """A character regains Infernal Resolve."""

    character: CharacterId
    amount: int
    reason: Reason


@fact("ritual-timed")
class RitualTimed:
    """A character's sorcery takes time. `hours`: how many hours."""

    character: CharacterId
    hours: int


@fact("occult-resisted")
class OccultResisted:
    """Occult or Chill is resisted. `taken_off`: by how much its Effect falls. `cancelled`: whether the Occult fails."""

    character: CharacterId
    against: Resisted
    taken_off: int
    cancelled: bool
