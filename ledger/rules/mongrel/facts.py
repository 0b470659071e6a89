"""What can become true. About the character named, unless said otherwise; conflict facts are about the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.contract import fact
from ledger.rules.mongrel.terms import (
    Age,
    ApLoss,
    ApSource,
    Attribute,
    AwardReason,
    CollapseCause,
    DeathCause,
    DiceSource,
    Grade,
    HitKind,
    House,
    Identity,
    Payment,
    PurchaseOutcome,
    ResolveUse,
    Resisted,
    Sex,
    Side,
    SocialCause,
    Special,
    TerminalCause,
    VowKind,
    Zone,
)


@dataclass(frozen=True, slots=True)
class WoundThreshold:
    """Size, Size + Physique, Size + 2 x Physique."""

    size: int
    clear: int
    gray: int


# --- characters ----------------------------------------------------------------------------------------------------------


@fact("character-created")
class CharacterCreated:
    """`chosen` before, `attributes` after lowering. `deviations`: codes of creation rules an imported sheet breaks."""

    character: str
    house: House
    sex: Sex
    age: Age
    identity: Mapping[str, int]
    primary: Identity
    body: str
    unnatural: tuple[str, ...]
    chosen: Mapping[str, int]
    attributes: Mapping[str, int]
    plus_three: tuple[str, ...]
    plus_two: tuple[str, ...]
    plus_one: tuple[str, ...]
    expertise: Mapping[str, int]
    power: Mapping[str, int]
    action_points: int
    infernal_resolve: int
    wound_threshold: WoundThreshold
    npc: bool
    status: int | None
    deviations: tuple[str, ...]


@fact("credit-accounts-opened")
class CreditAccountsOpened:
    credit: Mapping[str, int]


@fact("vow-made")
class VowMade:
    character: str
    object: str
    about: VowKind


@fact("status-set")
class StatusSet:
    character: str
    status: int
    reason: str


@fact("features-used")
class FeaturesUsed:
    """`session`: the number of the session it counts for; between sessions, of the next one."""

    character: str
    features: tuple[str, ...]
    session: int


# --- tasks ---------------------------------------------------------------------------------------------------------------


@fact("task-declared")
class TaskDeclared:
    """`target`: the character whose attribute it is, `thing`: or the thing's. `side` None: a purchase has both."""

    actor: str
    expertise: str
    power: tuple[str, ...]
    side: Side | None
    attribute: str
    target: str | None
    thing: str
    difficulty: int
    reason: str
    taken_off: int


@fact("dice-rolled")
class DiceRolled:
    """`source`: typed with the input by a seat, or asked for by the ruling (the answer keeps whose dice they were)."""

    actor: str
    expertise: str
    faces: tuple[int, ...]
    source: DiceSource
    entered_by: str | None


@fact("task-resolved")
class TaskResolved:
    """`base`: the Effect of the dice; `effect`: after points of Occult and what the target's features take off."""

    actor: str
    expertise: str
    tn: int
    successes: int
    success: bool
    special: Special | None
    base: int
    effect: int
    grade: Grade


@fact("effect-adjusted")
class EffectAdjusted:
    """`amount` taken off a success, as far as there was Effect; `effect` is left."""

    actor: str
    amount: int
    effect: int
    reason: str


# --- conflicts: about the scene ----------------------------------------------------------------------------------------------


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
    """The dead and the retired leave the queue."""

    character: str


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


@fact("declaration-lapsed")
class DeclarationLapsed:
    actor: str


@fact("defence-chosen")
class DefenceChosen:
    target: str
    defends: bool
    side: Side


@fact("turn-passed")
class TurnPassed:
    character: str


@fact("turn-ended")
class TurnEnded:
    """To the tail of the queue. `queue`: as it then stood."""

    character: str
    queue: tuple[str, ...]


# --- Action Points -----------------------------------------------------------------------------------------------------------


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


# --- damage ------------------------------------------------------------------------------------------------------------------


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


# --- Infernal Resolve and sorcery ----------------------------------------------------------------------------------------------


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


# --- Credit --------------------------------------------------------------------------------------------------------------------


@fact("purchase-rolled")
class PurchaseRolled:
    """`tn`: against the seller's Social. `good`: dice that count for Effect."""

    buyer: str
    item: str
    house: House
    seller: str | None
    outcome: PurchaseOutcome
    tn: int
    credit: int
    good: int
    special_social: Special | None
    special_credit: Special | None
    effect: int


@fact("credit-sacrificed")
class CreditSacrificed:
    buyer: str
    house: House
    amount: int
    seller: str | None


@fact("item-acquired")
class ItemAcquired:
    buyer: str
    item: str


@fact("credit-transferred")
class CreditTransferred:
    character: str
    source: House
    target: House
    debited: int
    credited: int


@fact("social-changed")
class SocialChanged:
    """By ruling the score becomes `new`; by improvement the raised attribute already has."""

    character: str
    old: int
    new: int
    change: int
    cause: SocialCause
    reason: str


@fact("credit-followed-social")
class CreditFollowedSocial:
    character: str
    house: House
    change: int


@fact("credit-adjusted")
class CreditAdjusted:
    character: str
    house: House
    change: int
    reason: str


# --- sessions and character points ------------------------------------------------------------------------------------------------


@fact("session-numbered")
class SessionNumbered:
    """About the campaign: a session was closed, the `number`th."""

    session: str
    number: int


@fact("character-points-awarded")
class CharacterPointsAwarded:
    character: str
    amount: int
    reason: AwardReason
    session: str
    why: str


@fact("character-points-spent")
class CharacterPointsSpent:
    character: str
    cost: int
    feature: str


@fact("expertise-raised")
class ExpertiseRaised:
    character: str
    expertise: str


@fact("identity-raised")
class IdentityRaised:
    character: str
    identity: Identity


@fact("identity-reduced")
class IdentityReduced:
    character: str
    identity: Identity


@fact("attribute-raised")
class AttributeRaised:
    character: str
    attribute: Attribute


@fact("power-allocated")
class PowerAllocated:
    character: str
    option: str
    points: int


Fact: TypeAlias = (
    CharacterCreated | CreditAccountsOpened | VowMade | StatusSet | FeaturesUsed | TaskDeclared | DiceRolled
    | TaskResolved | EffectAdjusted | ConflictOpened | CoinFlipped | ParticipantJoined | ParticipantLeft
    | ConflictClosed | FrontTaken | ActionDeclared | DeclarationLapsed | DefenceChosen | TurnPassed | TurnEnded
    | ActionPointsSpent | ActionPointsLost | ActionPointsRecovered | ActionPointsGained | ActionPointMaximumImposed
    | ActionPointMaximumLifted | RecoveryEnded | CharacterExhausted | Rested | FatigueCleared | DamageRolled
    | DamageShunted | DamageCounted | PhysiqueReduced | CharacterCollapsed | CharacterStoodUp | TerminalDamageTaken
    | CharacterDied | WoundsHealed | InfernalResolveSpent | ResolveDamaged | InfernalResolveRefreshed | RitualTimed
    | OccultResisted | PurchaseRolled | CreditSacrificed | ItemAcquired | CreditTransferred | SocialChanged
    | CreditFollowedSocial | CreditAdjusted | SessionNumbered | CharacterPointsAwarded | CharacterPointsSpent
    | ExpertiseRaised | IdentityRaised | IdentityReduced | AttributeRaised | PowerAllocated
)  # fmt: skip
FACTS: tuple[type[Fact], ...] = (
    CharacterCreated, CreditAccountsOpened, VowMade, StatusSet, FeaturesUsed, TaskDeclared, DiceRolled, TaskResolved,
    EffectAdjusted, ConflictOpened, CoinFlipped, ParticipantJoined, ParticipantLeft, ConflictClosed, FrontTaken,
    ActionDeclared, DeclarationLapsed, DefenceChosen, TurnPassed, TurnEnded, ActionPointsSpent, ActionPointsLost,
    ActionPointsRecovered, ActionPointsGained, ActionPointMaximumImposed, ActionPointMaximumLifted, RecoveryEnded,
    CharacterExhausted, Rested, FatigueCleared, DamageRolled, DamageShunted, DamageCounted, PhysiqueReduced,
    CharacterCollapsed, CharacterStoodUp, TerminalDamageTaken, CharacterDied, WoundsHealed, InfernalResolveSpent,
    ResolveDamaged, InfernalResolveRefreshed, RitualTimed, OccultResisted, PurchaseRolled, CreditSacrificed,
    ItemAcquired, CreditTransferred, SocialChanged, CreditFollowedSocial, CreditAdjusted, SessionNumbered,
    CharacterPointsAwarded, CharacterPointsSpent, ExpertiseRaised, IdentityRaised, IdentityReduced, AttributeRaised,
    PowerAllocated,
)  # fmt: skip
