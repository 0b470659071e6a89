"""What can become true of the campaign, its Characters and its Players' dice. Facts of a resolution: `deeds`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.scattershot import deeds, strife
from ledger.rules.scattershot.sheet import Advantage, PersonaSheet, Protection, Rated
from ledger.rules.scattershot.terms import Claim, ExpectationKind, Mode, Trait

# --- the game and its elements ---------------------------------------------------------------------------------------


@fact("game-begun")
class GameBegun:
    cj: int
    ei: int


@fact("chart-adopted")
class ChartAdopted:
    """`rows`: `{from, to, facets}`; empty when the table goes back to ours."""

    rows: tuple[Mapping[str, Any], ...]


@fact("chart-read")
class ChartRead:
    """`numerator` / `denominator`: the facet, exactly; `rounded`: halves up."""

    rating: int
    facet: str
    numerator: int
    denominator: int
    rounded: int


@fact("genre-expectation-listed")
class GenreExpectationListed:
    name: str
    kind: ExpectationKind
    value: int
    scope: str


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """From a related Rating, with this modifier."""

    related: str
    modifier: int


@fact("ability-listed")
class AbilityListed:
    """A Skill or (`special`) Special Ability as the campaign has it. `may_default`: though it is a Special Ability."""

    name: str
    difficulty: str
    special: bool
    scope: str
    duration: str
    opportunity: str
    power_cost: int
    defaults: tuple[ListedDefault, ...]
    may_default: bool


@fact("advantage-listed")
class AdvantageListed:
    """An Advantage or Disadvantage as the campaign has it."""

    name: str
    value: int
    modifier: int
    scope: str
    bars: str | None


@fact("free-skill-listed")
class FreeSkillListed:
    """A Free Skill of the campaign's list, and where it starts."""

    name: str
    level: int


@fact("listing-upheld")
class ListingUpheld:
    """The Gamemaster allows nothing beyond the listing of this."""

    character: str
    name: str


@fact("players-seated")
class PlayersSeated:
    """Seats, clockwise."""

    clockwise: tuple[str, ...]


@fact("attendance-noted")
class AttendanceNoted:
    """Who is present in the Session."""

    session: str
    present: tuple[str, ...]


@fact("ruling-made")
class RulingMade:
    subject: str
    text: str


@fact("vote-cast")
class VoteCast:
    """By a seat, for somebody or something."""

    voter: str
    for_: str


@fact("element-introduced")
class ElementIntroduced:
    element: str
    proprietor: str


@fact("proprietorship-transferred")
class ProprietorshipTransferred:
    element: str
    from_: str
    to: str


@fact("consent-asked")
class ConsentAsked:
    element: str
    change: str
    asker: str


@fact("consent-given")
class ConsentGiven:
    element: str
    change: str
    consent: str


@fact("consent-refused")
class ConsentRefused:
    element: str
    change: str


@fact("element-changed")
class ElementChanged:
    element: str
    change: str
    by: str


@fact("play-mode-shifted")
class PlayModeShifted:
    """About the scene. `from`, `to`: the modes."""

    from_: Mode
    to: Mode
    reason: str


@fact("speaker-changed")
class SpeakerChanged:
    """About the scene."""

    from_: str | None
    to: str


# --- Characters ------------------------------------------------------------------------------------------------------


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


# --- dice ------------------------------------------------------------------------------------------------------------


@fact("experience-dice-awarded")
class ExperienceDiceAwarded:
    to: str
    n: int
    reason: str
    votes: tuple[str, ...]


@fact("cool-beans-given")
class CoolBeansGiven:
    """`gift`: its id, for the Gamemaster to replace it."""

    gift: str
    from_: str
    to: str
    n: int


@fact("cool-beans-replaced")
class CoolBeansReplaced:
    gift: str
    giver: str
    n: int


@fact("coup-counted")
class CoupCounted:
    catcher: str
    owed_to: str
    owed: int
    extra: int


@fact("gimme-taken")
class GimmeTaken:
    """`source`: a disadvantage or an Expectation; `grade`: of a disadvantage."""

    player: str
    source: str
    value: int
    grade: str | None
    n: int


@fact("gimme-declined")
class GimmeDeclined:
    player: str
    source: str


@fact("dice-declined")
class DiceDeclined:
    """A coup, a Payback or dice for points given up, that were not granted."""

    player: str
    claim: Claim
    source: str


@fact("payback-paid")
class PaybackPaid:
    """`for`: a resolution, or the occasion where no dice were rolled."""

    player: str
    for_: str
    spent: int
    interest: int
    n: int


@fact("loaner-lapsed")
class LoanerLapsed:
    """`kept`: it became the holder's own, where the table plays it so."""

    holder: str
    borrower: str
    n: int
    kept: bool


OWN: tuple[type[Any], ...] = (
    GameBegun, ChartAdopted, ChartRead, GenreExpectationListed, AbilityListed,
    AdvantageListed, FreeSkillListed, ListingUpheld, PlayersSeated, AttendanceNoted, RulingMade, VoteCast,
    ElementIntroduced, ProprietorshipTransferred, ConsentAsked, ConsentGiven, ConsentRefused, ElementChanged,
    PlayModeShifted, SpeakerChanged, PersonaCreated, EffectIndexed, TraitBought, SheetDeviates, PointLimitSet,
    LimitDeclined,
    DevelopmentPointsAllocated,
    RatingRaised, CharacteristicCashedIn, DevelopmentRolled, DisadvantageGained, ResidualPlaced, ResidualEnded,
    OffGuardSet, ResourceReduced, ResourceUsed, ResourceRestored, FightLeftRuled, PowerSpent, DamageListed,
    PenaltyDeferred,
    PenaltyTookEffect,
    ExperienceDiceAwarded, CoolBeansGiven, CoolBeansReplaced, CoupCounted, GimmeTaken, GimmeDeclined, DiceDeclined,
    PaybackPaid,
    LoanerLapsed,
)  # fmt: skip
FACTS: tuple[type[Any], ...] = (*OWN, *deeds.FACTS, *strife.FACTS)
Fact: TypeAlias = Any
