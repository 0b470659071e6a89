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
    Situation,
    Trait,
)


@fact("persona-created")
class PersonaCreated:
    """`net`: Development Points it cost, the implied 12 not counted."""

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
    """With unspent points. `advantage`, `rated` (of a Free Skill), `protection`: the one that was bought."""

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
    """Faults of a sheet that was taken all the same."""

    character: CharacterId
    faults: tuple[Reason, ...]


@fact("point-limit-set")
class PointLimitSet:
    """On the seat's new Personae: by itself, or by consensus. `reason`: of a Gamemaster who records what they said."""

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
    """On the seat's new Personae, in words. `reason`: of a Gamemaster who records what they said."""

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
    """The limits that the Persona was made under. `limit`: None where there is no number."""

    character: CharacterId
    limit: int | None
    words: tuple[Title, ...]


@fact("development-points-allocated")
class DevelopmentPointsAllocated:
    """Unspent points into a Rating."""

    rating: Rating
    points: int


@fact("rating-raised")
class RatingRaised:
    """`new`: the Rating as it begins, where there was none."""

    rating: Rating
    points: int
    talent: bool
    new: Rated | None


@fact("characteristic-cashed-in")
class CharacteristicCashedIn:
    """`left`: points still in it; `dice`: Experience Dice for them."""

    rating: Rating
    points: int
    left: int


@fact("development-rolled")
class DevelopmentRolled:
    """Own dice and Loaners rolled together for a Persona."""

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


@fact("residual-placed")
class ResidualPlaced:
    """A continuing modifier for stated situations. `residual`: its id."""

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
    """Towards `towards`; or, where `but` is given, against all but that one. Neither: on guard again."""

    towards: tuple[CharacterId, ...]
    but: CharacterId | None


@fact("resource-reduced")
class ResourceReduced:
    """`losses`: at Squad Scope and above the same number is losses to the unit."""

    character: CharacterId
    resource: OwnResource
    loss: int
    before: int
    after: int
    losses: bool
    wound: Reason


@fact("resource-used")
class ResourceUsed:
    """A Rating some ability drains becomes a Resource."""

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
    """Without Hit Points, until there are some again."""

    character: CharacterId
    reason: Reason


@fact("damage-listed")
class DamageListed:
    """For every number from 0 to the Critical Juncture."""

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
    """Waits for the next lull."""

    character: CharacterId
    amount: int


@fact("penalty-took-effect")
class PenaltyTookEffect:
    """`deferred`: it had waited for the lull."""

    character: CharacterId
    amount: int
    deferred: bool


Fact: TypeAlias = (
    PersonaCreated | EffectIndexed | TraitBought | ProtectionDeclined | SheetDeviates | PointLimitSet |
    LimitDeclined | WordLimitSet | WordLimitDeclined | LimitsShown | DevelopmentPointsAllocated | RatingRaised |
    CharacteristicCashedIn | DevelopmentRolled | DisadvantageGained | ResidualPlaced | ResidualEnded | OffGuardSet |
    ResourceReduced | ResourceUsed | ResourceRestored | FightLeftRuled | PowerSpent | DamageListed | PenaltyDeferred |
    PenaltyTookEffect
)  # fmt: skip
