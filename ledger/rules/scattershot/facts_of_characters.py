"""Facts of Characters; and what a seat's new Personae are limited to."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Title
from ledger.rules.scattershot.sheet import Advantage, PersonaSheet, Protection, Rated
from ledger.rules.scattershot.terms import (
    Ending,
    Facet,
    OwnResidual,
    OwnResource,
    Rating,
    ResidualId,
    Resource,
    SheetPart,
    Situation,
    Trait,
)


@fact("persona-created")
class PersonaCreated:
    """A Persona is ready to play. `net`: Development Points it cost, without the implied 12."""

    character: CharacterId
    sheet: PersonaSheet
    net: int


@fact("effect-indexed")
class EffectIndexed:
    """How much a Special Ability does, read from the UE Chart when the Persona was made or changed."""

    character: CharacterId
    ability: Rating
    facet: Facet
    rating: int
    numerator: int
    denominator: int


@fact("trait-bought")
class TraitBought:
    """A trait was bought with unspent points. `advantage`, `rated` (of a Free Skill), `protection`: the one that was
    bought.
    """

    character: CharacterId
    trait: Trait
    name: Title
    points: int
    advantage: Advantage | None
    rated: Rated | None
    protection: Protection | None


@fact("protection-declined")
class ProtectionDeclined:
    """Static protection that the Gamemaster did not allow outside Solo Play."""

    character: CharacterId
    name: Title


@fact("sheet-deviates")
class SheetDeviates:
    """Faults of a sheet that was accepted anyway."""

    character: CharacterId
    faults: tuple[Reason, ...]


@fact("point-limit-set")
class PointLimitSet:
    """A limit on the starting points of the seat's new Personae. `reason`: why a Gamemaster recorded that they agreed,
    if one did.
    """

    seat: SeatId
    limit: int
    agreed: bool
    reason: Reason


@fact("limit-declined")
class LimitDeclined:
    seat: SeatId
    limit: int


@fact("word-limit-set")
class WordLimitSet:
    """A limit in words on the seat's new Personae. `reason`: why a Gamemaster recorded that they agreed, if one did."""

    seat: SeatId
    words: Title
    agreed: bool
    reason: Reason


@fact("word-limit-declined")
class WordLimitDeclined:
    seat: SeatId
    words: Title


@fact("limits-shown")
class LimitsShown:
    """The limits that the Persona was made under. `limit`: None if no number was set."""

    character: CharacterId
    limit: int | None
    words: tuple[Title, ...]


@fact("development-points-allocated")
class DevelopmentPointsAllocated:
    """Unspent points were put into a Rating."""

    rating: Rating
    points: int


@fact("rating-raised")
class RatingRaised:
    """A Rating rose. `new`: the Rating as it begins, if it is new."""

    rating: Rating
    points: int
    talent: bool
    new: Rated | None


@fact("characteristic-cashed-in")
class CharacteristicCashedIn:
    """Points of a characteristic were exchanged for as many Experience Dice. `left`: points still in it."""

    rating: Rating
    points: int
    left: int


@fact("development-rolled")
class DevelopmentRolled:
    """A Player's own dice and Loaners were rolled together to develop a Persona."""

    faces: tuple[int, ...]
    own: int
    loaners: int
    total: int
    points: int


@fact("disadvantage-gained")
class DisadvantageGained:
    character: CharacterId
    name: Title
    value: int


@fact("disadvantage-taken")
class DisadvantageTaken:
    """A Disadvantage that arose from Play, as it stands on the Persona Sheet."""

    character: CharacterId
    disadvantage: Advantage
    reason: Reason


@fact("trait-struck")
class TraitStruck:
    """Play took this from the Persona Sheet. Nothing was paid for it."""

    character: CharacterId
    trait: SheetPart
    name: Title
    reason: Reason


@fact("sheet-change-declined")
class SheetChangeDeclined:
    """A change of the Persona Sheet that `against` did not agree to."""

    character: CharacterId
    name: Title
    against: SeatId


@fact("residual-placed")
class ResidualPlaced:
    """A lasting modifier for stated situations. `residual`: its id."""

    residual: OwnResidual
    character: CharacterId
    amount: int
    scope: Situation
    source: Reason
    until: Ending


@fact("residual-ended")
class ResidualEnded:
    residual: ResidualId


@fact("off-guard-set")
class OffGuardSet:
    """Off-Guard towards `towards`, or towards everybody but `but`. With neither, on guard again."""

    towards: tuple[CharacterId, ...]
    but: CharacterId | None


@fact("resource-reduced")
class ResourceReduced:
    """A Resource was reduced. `losses`: at Squad Scope and above, the number is losses to the unit."""

    character: CharacterId
    resource: OwnResource
    loss: int
    before: int
    after: int
    losses: bool
    wound: Reason


@fact("resource-used")
class ResourceUsed:
    """A Rating that an ability drains became a Resource."""

    resource: Resource
    maximum: int


@fact("resource-restored")
class ResourceRestored:
    character: CharacterId
    resource: OwnResource
    amount: int
    ruling: Reason


@fact("fight-left-ruled")
class FightLeftRuled:
    """The Character may attack without Hit Points, until it has some again."""

    character: CharacterId
    reason: Reason


@fact("damage-listed")
class DamageListed:
    """The damage for every number from 0 to the Critical Juncture."""

    character: CharacterId
    weapon: int
    damages: tuple[int, ...]


@fact("power-spent")
class PowerSpent:
    character: CharacterId
    amount: int
    why: Reason


@fact("penalty-deferred")
class PenaltyDeferred:
    """A penalty that waits for the next lull."""

    character: CharacterId
    amount: int


@fact("penalty-took-effect")
class PenaltyTookEffect:
    """A penalty counts from now on. `deferred`: it waited for the lull."""

    character: CharacterId
    amount: int
    deferred: bool


Fact: TypeAlias = (
    PersonaCreated | EffectIndexed | TraitBought | ProtectionDeclined | SheetDeviates | PointLimitSet |
    LimitDeclined | WordLimitSet | WordLimitDeclined | LimitsShown | DevelopmentPointsAllocated | RatingRaised |
    CharacteristicCashedIn | DevelopmentRolled | DisadvantageGained |
    DisadvantageTaken | TraitStruck | SheetChangeDeclined | ResidualPlaced | ResidualEnded | OffGuardSet |
    ResourceReduced | ResourceUsed | ResourceRestored | FightLeftRuled | PowerSpent | DamageListed | PenaltyDeferred |
    PenaltyTookEffect
)  # fmt: skip
