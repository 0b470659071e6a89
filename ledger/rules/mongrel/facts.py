"""What can become true. About the character named, unless said otherwise; conflict facts are about the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.mongrel.strife import (
    ActionDeclared,
    ActionPointMaximumImposed,
    ActionPointMaximumLifted,
    ActionPointsGained,
    ActionPointsLost,
    ActionPointsRecovered,
    ActionPointsSpent,
    CharacterCollapsed,
    CharacterDied,
    CharacterExhausted,
    CharacterStoodUp,
    CoinFlipped,
    ConflictClosed,
    ConflictOpened,
    DamageCounted,
    DamageRolled,
    DamageShunted,
    DeclarationLapsed,
    DefenceChosen,
    FatigueCleared,
    FrontTaken,
    InfernalResolveRefreshed,
    InfernalResolveSpent,
    OccultResisted,
    ParticipantJoined,
    ParticipantLeft,
    PhysiqueReduced,
    RecoveryEnded,
    ResolveDamaged,
    Rested,
    RitualTimed,
    TerminalDamageTaken,
    TurnEnded,
    TurnPassed,
    WoundsHealed,
)
from ledger.rules.mongrel.terms import (
    Age,
    Attribute,
    AwardReason,
    DiceSource,
    Grade,
    House,
    Identity,
    PurchaseOutcome,
    Sex,
    Side,
    SocialCause,
    Special,
    VowEnd,
    VowKind,
)


@dataclass(frozen=True, slots=True)
class WoundThreshold:
    """Size, Size + Physique, Size + 2 x Physique."""

    size: int
    clear: int
    gray: int


# --- characters ------------------------------------------------------------------------------------------------------


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


@fact("vow-ended")
class VowEnded:
    """`session`: the one it was last kept in."""

    character: str
    object: str
    outcome: VowEnd
    session: str | None
    reason: str


@fact("described")
class Described:
    """What one looks like, in words, beside what the scores make of the body."""

    character: str
    text: str


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


# --- tasks -----------------------------------------------------------------------------------------------------------


@fact("task-declared")
class TaskDeclared:
    """`target`: the character whose attribute it is, `thing`: or the thing's. `side` None: a purchase has both.

    `purpose`: what it is for, in words.
    """

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
    purpose: str


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


@fact("revealed")
class Revealed:
    """What a game master told of it. `ruling`: of the task that revealed it."""

    character: str
    text: str
    ruling: str | None


# --- Credit ----------------------------------------------------------------------------------------------------------


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


@fact("sale-declined")
class SaleDeclined:
    """The seller's side keeps what it has; nothing was rolled."""

    buyer: str
    item: str
    seller: str
    possession: str


@fact("credit-sacrificed")
class CreditSacrificed:
    buyer: str
    house: House
    amount: int
    seller: str | None


@fact("item-acquired")
class ItemAcquired:
    """`possession`: its id. `credit`: paid for it, with the House. `weapon`, `armour`: its value, where it is one."""

    character: str
    possession: str
    item: str
    credit: int
    house: House | None
    weapon: int | None
    armour: int | None
    reason: str


@fact("item-parted-with")
class ItemPartedWith:
    """`to`: the character that has it now, if one does."""

    character: str
    possession: str
    item: str
    to: str | None
    reason: str


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


@fact("bartered")
class Bartered:
    character: str
    text: str


# --- sessions and character points -----------------------------------------------------------------------------------


@fact("session-numbered")
class SessionNumbered:
    """About the campaign: a session was closed, the `number`th."""

    session: str
    number: int


@fact("session-played")
class SessionPlayed:
    """Acted without a roll, or was noted as there. `session`: its number, as in `features-used`."""

    character: str
    session: int


@fact("session-awarded")
class SessionAwarded:
    """About the campaign: what everybody gets who played the session."""

    session: str
    points: int


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
    | CreditFollowedSocial | CreditAdjusted | Bartered | SessionNumbered | CharacterPointsAwarded | CharacterPointsSpent
    | ExpertiseRaised | IdentityRaised | IdentityReduced | AttributeRaised | PowerAllocated | VowEnded | Described
    | Revealed | ItemPartedWith | SessionPlayed | SessionAwarded | SaleDeclined
)  # fmt: skip
FACTS: tuple[type[Fact], ...] = (
    CharacterCreated, CreditAccountsOpened, VowMade, StatusSet, FeaturesUsed, TaskDeclared, DiceRolled, TaskResolved,
    EffectAdjusted, ConflictOpened, CoinFlipped, ParticipantJoined, ParticipantLeft, ConflictClosed, FrontTaken,
    ActionDeclared, DeclarationLapsed, DefenceChosen, TurnPassed, TurnEnded, ActionPointsSpent, ActionPointsLost,
    ActionPointsRecovered, ActionPointsGained, ActionPointMaximumImposed, ActionPointMaximumLifted, RecoveryEnded,
    CharacterExhausted, Rested, FatigueCleared, DamageRolled, DamageShunted, DamageCounted, PhysiqueReduced,
    CharacterCollapsed, CharacterStoodUp, TerminalDamageTaken, CharacterDied, WoundsHealed, InfernalResolveSpent,
    ResolveDamaged, InfernalResolveRefreshed, RitualTimed, OccultResisted, PurchaseRolled, CreditSacrificed,
    ItemAcquired, CreditTransferred, SocialChanged, CreditFollowedSocial, CreditAdjusted, Bartered, SessionNumbered,
    CharacterPointsAwarded, CharacterPointsSpent, ExpertiseRaised, IdentityRaised, IdentityReduced, AttributeRaised,
    PowerAllocated, VowEnded, Described, Revealed, ItemPartedWith, SessionPlayed, SessionAwarded, SaleDeclined,
)  # fmt: skip
