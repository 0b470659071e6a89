"""What can become true in a conflict and to those who get hurt in it. About the character, or first about the scene."""

from __future__ import annotations

from ledger.rules.kernel.declarations import fact
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
    queue: tuple[str, ...]


@fact("coin-flipped")
class CoinFlipped:
    first: str
    second: str


@fact("participant-joined")
class ParticipantJoined:
    character: str


@fact("participant-left")
class ParticipantLeft:
    """The dead and the retired leave the queue, and whom a game master takes out of it (`reason`)."""

    character: str
    reason: str


@fact("conflict-closed")
class ConflictClosed:
    pass


@fact("front-taken")
class FrontTaken:
    """To the head of the queue. `before`, `after`: as it was told at the table."""

    character: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@fact("action-declared")
class ActionDeclared:
    """`weapon_used`, `armour_worn`: possessions whose values `weapon` and `armour` are."""

    actor: str
    target: str
    expertise: str
    attribute: str
    power: tuple[str, ...]
    difficulty: int
    reason: str
    taken_off: int
    taken_off_reason: str
    hit_kind: HitKind
    weapon: int
    armour: int
    command: str
    purpose: str
    weapon_used: str | None
    armour_worn: str | None


@fact("declaration-lapsed")
class DeclarationLapsed:
    actor: str


@fact("defence-chosen")
class DefenceChosen:
    target: str
    defends: bool
    side: Side
    armour_worn: str | None


@fact("turn-passed")
class TurnPassed:
    character: str
    text: str


@fact("turn-ended")
class TurnEnded:
    """To the tail of the queue. `queue`: as it then stood."""

    character: str
    queue: tuple[str, ...]


# --- Action Points ---------------------------------------------------------------------------------------------------


@fact("action-points-spent")
class ActionPointsSpent:
    character: str
    amount: int
    reason: Payment


@fact("action-points-lost")
class ActionPointsLost:
    character: str
    amount: int
    cause: ApLoss


@fact("action-points-recovered")
class ActionPointsRecovered:
    """`counted`: towards fatigue. By `recover` the character is recovering, by avoiding death not."""

    character: str
    amount: int
    refresh: bool
    counted: bool
    minute: int | None
    by: ApSource


@fact("action-points-gained")
class ActionPointsGained:
    character: str
    amount: int


@fact("action-point-maximum-imposed")
class ActionPointMaximumImposed:
    character: str
    maximum: int


@fact("action-point-maximum-lifted")
class ActionPointMaximumLifted:
    character: str


@fact("recovery-ended")
class RecoveryEnded:
    """No longer recovering: may defend again."""

    character: str


@fact("character-exhausted")
class CharacterExhausted:
    character: str
    minute: int


@fact("rested")
class Rested:
    character: str
    hours: int
    required: int


@fact("fatigue-cleared")
class FatigueCleared:
    character: str


# --- damage ----------------------------------------------------------------------------------------------------------


@fact("damage-rolled")
class DamageRolled:
    character: str
    effect: int
    weapon: int
    armour: int
    net: int
    reason: str
    ruling: str | None


@fact("damage-shunted")
class DamageShunted:
    character: str
    shunted: int
    permanent: int
    temporary: int


@fact("damage-counted")
class DamageCounted:
    """`kept`: what the lasting total grows by (nothing where hits do not add up)."""

    character: str
    counted: int
    kept: int
    before: int
    after: int
    zone: Zone
    size: int
    physique: int


@fact("physique-reduced")
class PhysiqueReduced:
    character: str
    amount: int


@fact("character-collapsed")
class CharacterCollapsed:
    character: str
    cause: CollapseCause


@fact("character-stood-up")
class CharacterStoodUp:
    character: str


@fact("terminal-damage-taken")
class TerminalDamageTaken:
    """`decision`: whether there is Infernal Resolve to avoid death with."""

    character: str
    cause: TerminalCause
    decision: bool


@fact("character-died")
class CharacterDied:
    character: str
    cause: DeathCause


@fact("wounds-healed")
class WoundsHealed:
    character: str
    damage: int
    physique: int
    beauty: int
    terminal_ended: bool
    reason: str


# --- Infernal Resolve and sorcery ------------------------------------------------------------------------------------


@fact("infernal-resolve-spent")
class InfernalResolveSpent:
    character: str
    amount: int
    purpose: ResolveUse


@fact("resolve-damaged")
class ResolveDamaged:
    character: str
    effect: int
    lost: int


@fact("infernal-resolve-refreshed")
class InfernalResolveRefreshed:
    character: str
    amount: int
    reason: str


@fact("ritual-timed")
class RitualTimed:
    character: str
    hours: int


@fact("occult-resisted")
class OccultResisted:
    """`taken_off` the Effect; `cancelled`: nothing of it is left to happen."""

    character: str
    against: Resisted
    taken_off: int
    cancelled: bool
