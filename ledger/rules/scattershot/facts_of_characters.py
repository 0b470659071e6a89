"""Facts of Characters; and what a seat's new Personae are limited to."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.scattershot.sheet import Advantage, PersonaSheet, Protection, Rated
from ledger.rules.scattershot.terms import Trait


@fact("persona-created")
class PersonaCreated:
    """`net`: Development Points it cost, the implied 12 not counted."""

    character: str
    sheet: PersonaSheet
    net: int


@fact("effect-indexed")
class EffectIndexed:
    """How much a Special Ability does, read from the UE Chart when the Persona was made or changed."""

    character: str
    ability: str
    facet: str
    rating: int
    numerator: int
    denominator: int


@fact("trait-bought")
class TraitBought:
    """With unspent points. `advantage`, `rated` (of a Free Skill), `protection`: the one that was bought."""

    character: str
    trait: Trait
    name: str
    points: int
    advantage: Advantage | None
    rated: Rated | None
    protection: Protection | None


@fact("sheet-deviates")
class SheetDeviates:
    """Faults of a sheet that was taken all the same."""

    character: str
    faults: tuple[str, ...]


@fact("point-limit-set")
class PointLimitSet:
    """On the seat's new Personae: by itself, or by consensus. `reason`: of a Gamemaster who records what they said."""

    seat: str
    limit: int
    agreed: bool
    reason: str


@fact("limit-declined")
class LimitDeclined:
    seat: str
    limit: int


@fact("development-points-allocated")
class DevelopmentPointsAllocated:
    """Unspent points into a Rating."""

    rating: str
    points: int


@fact("rating-raised")
class RatingRaised:
    """`new`: the Rating as it begins, where there was none."""

    rating: str
    points: int
    talent: bool
    new: Rated | None


@fact("characteristic-cashed-in")
class CharacteristicCashedIn:
    """`left`: points still in it; `dice`: Experience Dice for them."""

    rating: str
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
    character: str
    name: str
    value: int


@fact("residual-placed")
class ResidualPlaced:
    """A continuing modifier for stated situations. `residual`: its id."""

    residual: str
    character: str
    amount: int
    scope: str
    source: str
    until: str


@fact("residual-ended")
class ResidualEnded:
    residual: str


@fact("off-guard-set")
class OffGuardSet:
    """Towards `towards`; or, where `but` is given, against all but that one. Neither: on guard again."""

    towards: tuple[str, ...]
    but: str | None


@fact("resource-reduced")
class ResourceReduced:
    """`losses`: at Squad Scope and above the same number is losses to the unit."""

    character: str
    resource: str
    loss: int
    before: int
    after: int
    losses: bool
    wound: str


@fact("resource-used")
class ResourceUsed:
    """A Rating some ability drains becomes a Resource."""

    resource: str
    maximum: int


@fact("resource-restored")
class ResourceRestored:
    character: str
    resource: str
    amount: int
    ruling: str


@fact("fight-left-ruled")
class FightLeftRuled:
    """Without Hit Points, until there are some again."""

    character: str
    reason: str


@fact("damage-listed")
class DamageListed:
    """For every number from 0 to the Critical Juncture."""

    character: str
    weapon: int
    damages: tuple[int, ...]


@fact("power-spent")
class PowerSpent:
    character: str
    amount: int
    why: str


@fact("penalty-deferred")
class PenaltyDeferred:
    """Waits for the next lull."""

    character: str
    amount: int


@fact("penalty-took-effect")
class PenaltyTookEffect:
    """`deferred`: it had waited for the lull."""

    character: str
    amount: int
    deferred: bool


Fact: TypeAlias = (
    PersonaCreated | EffectIndexed | TraitBought | SheetDeviates | PointLimitSet | LimitDeclined |
    DevelopmentPointsAllocated | RatingRaised | CharacteristicCashedIn | DevelopmentRolled | DisadvantageGained |
    ResidualPlaced | ResidualEnded | OffGuardSet | ResourceReduced | ResourceUsed | ResourceRestored |
    FightLeftRuled | PowerSpent | DamageListed | PenaltyDeferred | PenaltyTookEffect
)  # fmt: skip
