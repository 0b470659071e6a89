"""Facts. About the character named, unless stated otherwise. Facts of conflicts are about the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Story, Title
from ledger.rules.mongrel import facts_of_dealings as dealings
from ledger.rules.mongrel import facts_of_strife as strife
from ledger.rules.mongrel.domains import (
    AttributeName,
    BodyForm,
    ExpertiseName,
    FeatureName,
    HouseName,
    IdentityName,
    OptionName,
    SessionId,
    TaskNumber,
    VowObject,
)
from ledger.rules.mongrel.terms import (
    Age,
    DiceSource,
    Grade,
    House,
    Identity,
    Sex,
    Side,
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
    """A character is created.

    `chosen`: attributes before lowering. `deviations`: codes of the rules that the sheet breaks.
    """

    character: CharacterId
    house: House
    sex: Sex
    age: Age
    identity: Mapping[IdentityName, int]
    primary: Identity
    body: BodyForm
    unnatural: tuple[Title, ...]
    chosen: Mapping[AttributeName, int]
    attributes: Mapping[AttributeName, int]
    plus_three: tuple[ExpertiseName, ...]
    plus_two: tuple[ExpertiseName, ...]
    plus_one: tuple[ExpertiseName, ...]
    expertise: Mapping[ExpertiseName, int]
    power: Mapping[OptionName, int]
    action_points: int
    infernal_resolve: int
    wound_threshold: WoundThreshold
    npc: bool
    status: int | None
    deviations: tuple[Title, ...]


@fact("credit-accounts-opened")
class CreditAccountsOpened:
    """A character's Credit accounts are opened. `credit`: the Credit with each House."""

    credit: Mapping[HouseName, int]


@fact("vow-made")
class VowMade:
    """A character makes a Vow."""

    character: CharacterId
    object: VowObject
    about: VowKind


@fact("vow-ended")
class VowEnded:
    """A Vow ends. `session`: the last session in which the character kept it."""

    character: CharacterId
    object: VowObject
    outcome: VowEnd
    session: SessionId | None
    reason: Reason


@fact("described")
class Described:
    """A character's looks are described, in addition to what their scores say about the body."""

    character: CharacterId
    text: Story


@fact("status-set")
class StatusSet:
    """A character's status within their House is set."""

    character: CharacterId
    status: int
    reason: Reason


@fact("features-used")
class FeaturesUsed:
    """A character used features. `session`: the number of the session it counts for."""

    character: CharacterId
    features: tuple[FeatureName, ...]
    session: int


# --- tasks -----------------------------------------------------------------------------------------------------------


@fact("task-declared")
class TaskDeclared:
    """A task is declared. `target` or `thing`: what the task is aimed at. `side`: whose attribute counts; empty for a
    purchase, where both sides count. `purpose`: what the task is for, in words.
    """

    actor: CharacterId
    expertise: ExpertiseName
    power: tuple[OptionName, ...]
    side: Side | None
    attribute: AttributeName
    target: CharacterId | None
    thing: Title
    difficulty: int
    reason: Reason
    taken_off: int
    purpose: Reason


@fact("targets-added")
class TargetsAdded:
    """More targets of an Occult are named. They do not change the target number. Each of them may resist."""

    actor: CharacterId
    targets: tuple[CharacterId, ...]


@fact("dice-rolled")
class DiceRolled:
    """Dice are rolled. `source`: `typed` if a seat entered them with the declaration, `asked` if the ruling asked for
    them.
    """

    actor: CharacterId
    expertise: ExpertiseName
    faces: tuple[int, ...]
    source: DiceSource
    entered_by: SeatId | None


@fact("task-resolved")
class TaskResolved:
    """A task is resolved. `base`: the Effect of the dice. `effect`: the final Effect, after points of Occult are added
    and any reduction is taken off.
    """

    actor: CharacterId
    expertise: ExpertiseName
    tn: int
    successes: int
    success: bool
    special: Special | None
    base: int
    effect: int
    grade: Grade


@fact("proposal-declined")
class ProposalDeclined:
    """A game master did not allow what was declared for the character. Nothing else happens."""

    character: CharacterId
    reason: Reason


@fact("effect-adjusted")
class EffectAdjusted:
    """The Effect of a success is lowered. `amount`: by how much, at most the whole Effect. `effect`: what is left."""

    actor: CharacterId
    amount: int
    effect: int
    reason: Reason


@fact("revealed")
class Revealed:
    """A character learns something from a game master. `ruling`: the task that revealed it."""

    character: CharacterId
    text: Story
    ruling: TaskNumber | None


Fact: TypeAlias = (
    CharacterCreated | CreditAccountsOpened | VowMade | StatusSet | FeaturesUsed | TaskDeclared | DiceRolled
    | TaskResolved | EffectAdjusted | strife.ConflictOpened | strife.CoinFlipped | strife.ParticipantJoined
    | strife.ParticipantLeft | strife.ConflictClosed | strife.FrontTaken | strife.ActionDeclared
    | strife.DeclarationLapsed | strife.DefenceChosen | strife.TurnPassed | strife.TurnEnded | strife.ActionPointsSpent
    | strife.ActionPointsLost | strife.ActionPointsRecovered | strife.ActionPointsGained
    | strife.ActionPointMaximumImposed | strife.ActionPointMaximumLifted | strife.RecoveryEnded
    | strife.CharacterExhausted | strife.Rested | strife.FatigueCleared | strife.DamageRolled | strife.DamageShunted
    | strife.DamageCounted | strife.PhysiqueReduced | strife.CharacterCollapsed | strife.CharacterStoodUp
    | strife.TerminalDamageTaken | strife.CharacterDied | strife.WoundsHealed | strife.InfernalResolveSpent
    | strife.ResolveDamaged | strife.InfernalResolveRefreshed | strife.RitualTimed | strife.OccultResisted
    | strife.TaskHit
    | dealings.PurchaseRolled | dealings.CreditSacrificed | dealings.ItemAcquired | dealings.CreditTransferred
    | dealings.SocialChanged | dealings.CreditFollowedSocial | dealings.CreditAdjusted | dealings.Bartered
    | dealings.SessionNumbered | dealings.CharacterPointsAwarded | dealings.CharacterPointsSpent
    | dealings.ExpertiseRaised | dealings.IdentityRaised | dealings.IdentityReduced | dealings.AttributeRaised
    | dealings.PowerAllocated | VowEnded | Described | Revealed | dealings.ItemPartedWith | dealings.SessionPlayed
    | dealings.SessionAwarded | dealings.SaleDeclined | ProposalDeclined
    | TargetsAdded | strife.TargetAttributeNamed
    | strife.ClockMoved | dealings.PurchaseResisted | dealings.ItemSold | dealings.SaleCalledOff
)  # fmt: skip
FACTS: tuple[type[Fact], ...] = get_args(Fact)
