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
    """A Persona is ready to play. `net`: how many Development Points it cost, not counting the 12 that every Character
    has for free.
    """

    character: CharacterId
    sheet: PersonaSheet
    net: int


@fact("effect-indexed")
class EffectIndexed:
    """How strong the effect of a Special Ability is, read from the UE Chart when the Persona was made or changed."""

    character: CharacterId
    ability: Rating
    facet: Facet
    rating: int
    numerator: int
    denominator: int


@fact("trait-bought")
class TraitBought:
    """A trait was bought with unspent points. `advantage`, `rated` (a Free Skill), `protection`: what was bought, if it
    is one of these.
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
    """The Gamemaster did not allow a piece of static protection outside Solo Play."""

    character: CharacterId
    name: Title


@fact("sheet-deviates")
class SheetDeviates:
    """A sheet was accepted although something is wrong with it. `faults`: what is wrong."""

    character: CharacterId
    faults: tuple[Reason, ...]


@fact("point-limit-set")
class PointLimitSet:
    """A limit on the starting points of the seat's new Personae. `reason`: if a Gamemaster recorded that the Player
    agreed, why.
    """

    seat: SeatId
    limit: int
    agreed: bool
    reason: Reason


@fact("limit-declined")
class LimitDeclined:
    """A Player did not agree to a limit on the starting points of new Personae."""

    seat: SeatId
    limit: int


@fact("word-limit-set")
class WordLimitSet:
    """A limit in words on the seat's new Personae. `reason`: if a Gamemaster recorded that the Player agreed, why."""

    seat: SeatId
    words: Title
    agreed: bool
    reason: Reason


@fact("word-limit-declined")
class WordLimitDeclined:
    """A Player did not agree to a limit in words on new Personae."""

    seat: SeatId
    words: Title


@fact("limits-shown")
class LimitsShown:
    """The limits that applied when the Persona was made. `limit`: the number of points; empty if no number was set."""

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
    """A Rating was raised. `new`: for a new Rating, how it starts."""

    rating: Rating
    points: int
    talent: bool
    new: Rated | None


@fact("characteristic-cashed-in")
class CharacteristicCashedIn:
    """Points of a characteristic were exchanged for the same number of Experience Dice. `left`: how many points are
    still in it.
    """

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
    """A Character gained a Disadvantage as a consequence. `value`: its value in points."""

    character: CharacterId
    name: Title
    value: int


@fact("disadvantage-taken")
class DisadvantageTaken:
    """A Character gained a Disadvantage in Play. `disadvantage`: the entry on the Persona Sheet."""

    character: CharacterId
    disadvantage: Advantage
    reason: Reason


@fact("trait-struck")
class TraitStruck:
    """Something that happened in Play removed an entry from the Persona Sheet. The Player got nothing in return."""

    character: CharacterId
    trait: SheetPart
    name: Title
    reason: Reason


@fact("sheet-change-declined")
class SheetChangeDeclined:
    """The Persona Sheet was not changed. `against`: the seat that did not agree."""

    character: CharacterId
    name: Title
    against: SeatId


@fact("residual-placed")
class ResidualPlaced:
    """A Character got a lasting modifier. `residual`: its id. `scope`: the situations in which it counts."""

    residual: OwnResidual
    character: CharacterId
    amount: int
    scope: Situation
    source: Reason
    until: Ending


@fact("residual-ended")
class ResidualEnded:
    """A lasting modifier ended. `residual`: its id."""

    residual: ResidualId


@fact("off-guard-set")
class OffGuardSet:
    """The Character is Off-Guard towards the Characters in `towards`, or towards everybody except `but`. If both are
    empty, the Character is no longer Off-Guard.
    """

    towards: tuple[CharacterId, ...]
    but: CharacterId | None


@fact("resource-reduced")
class ResourceReduced:
    """A Resource was reduced. `losses`: true at Squad Scope and above, where the number means losses to a unit."""

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
    """The Gamemaster restored a Resource. `ruling`: the ruling in words, if there was one."""

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
    """The damage of a weapon for every RMIB from 0 to the Critical Juncture."""

    character: CharacterId
    weapon: int
    damages: tuple[int, ...]


@fact("power-spent")
class PowerSpent:
    """A Character spent Power."""

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
    """A penalty counts from now on. `deferred`: whether it had to wait for a lull."""

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
