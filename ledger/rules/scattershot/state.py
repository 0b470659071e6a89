"""The Persona Sheet, and what is true of a Character, a seat and the campaign. What is countable stands in accounts.

The numbers of a sheet are `Unchecked`, for the rules to refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, assert_never

from ledger.rules.kernel.chapters import changes, fact, rule
from ledger.rules.kernel.domains import CharacterId, Reason, Story, Title
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.phrases import Names, listed, words
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot.words import (
    MAGNITUDES,
    AbilityType,
    Barred,
    CharacterKind,
    Difficulty,
    Duration,
    Ending,
    ExpectationKind,
    Facet,
    FlurryStep,
    Natural,
    OwnResidual,
    Rating,
    RatingKind,
    Scope,
    SheetPart,
    Situation,
    Statistic,
    Use,
    Weapon,
    Whole,
    because,
    called,
    lasting,
    signed,
)

if TYPE_CHECKING:
    from ledger.rules.scattershot.listings import ListAbility, ListAdvantage

F = TypeVar("F")


def once_created(change: Callable[[Character, F], Character | None]) -> Callable[[Character, F], Character | None]:
    """Only to a Character that was created."""

    @wraps(change)
    def changes(state: Character, fact: F) -> Character | None:
        return change(state, fact) if state.kind is not None else None

    return changes


# --- the Persona Sheet, as it is sent and as it is kept ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skill:
    """A Skill or Special Ability.

    `difficulty`: how difficult the ability is; its base depends on this. `talent`, `training`: Development Points of
    this kind in the ability. Talent plus training must be at least 1. `ability_type`: the Type of the Rating. `use`:
    the Application of the Rating, if it has only one. `scope`: the Scope of the ability; leave it out to use the
    listed one, or `individual`. `duration`: how long an Action with the ability takes; leave it out to use the listed
    one, or `immediate`. `opportunity`: limits on when the ability can be used. `script`: the steps of the ability's
    Flurry. `facet`: the column of the UE Chart that says how much a Special Ability does. `magnitude`: the Rating for
    which the UE Chart is read. `power_cost`: the Power that each use costs.
    """

    name: Title
    difficulty: Difficulty
    talent: Natural = 0
    training: Natural = 0
    ability_type: AbilityType = "invoked"
    use: Use = ""
    scope: Scope | None = None
    duration: Duration | None = None
    opportunity: Reason = ""
    script: tuple[FlurryStep, ...] = ()
    facet: Facet | None = None
    magnitude: Rating = "power"
    power_cost: Natural = 0


@dataclass(frozen=True, slots=True)
class Advantage:
    """An Advantage or a Disadvantage.

    `value`: the Development Points that an Advantage costs, or what a Disadvantage is worth. `modifier`: what the trait
    adds to a roll in the situations of its scope. `scope`: the situations in which the modifier counts. `bars`: the
    ability on which this bars Defaults.
    """

    name: Title
    value: Whole
    modifier: Whole = 0
    scope: Situation = ""
    bars: Barred | None = None


@dataclass(frozen=True, slots=True)
class Protection:
    """A piece of protection. Give either `static` or `bought`.

    `static`: by how much the piece of protection reduces damage. `bought`: the Skill or Special Ability that it was
    bought with. Its Bonus on the UE Chart is then the amount.
    """

    name: Title
    static: Natural | None = None
    bought: Rating | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A Persona Sheet.

    `character`: whether this is a Persona or a Regular Character. `statistics`: the Statistics that are not 10.
    `free_skills`: the Free Skills, each with the Rating at which it starts. `raises`: by how much Free Skills were
    raised. `elements`: elements of 'Character', such as habits. `resources`: Ratings that are Resources, besides Hit
    Points and Power. `description`: anything else, in words. `weapons`: the weapons that the Character carries, by name
    or by the number that each adds to damage. The sheet then lists the damage with each.
    """

    character: CharacterKind = "persona"
    statistics: Mapping[Statistic, Whole] = field(default_factory=dict)
    skills: tuple[Skill, ...] = ()
    special_abilities: tuple[Skill, ...] = ()
    free_skills: Mapping[Title, Whole] = field(default_factory=dict)
    raises: Mapping[Title, Natural] = field(default_factory=dict)
    advantages: tuple[Advantage, ...] = ()
    disadvantages: tuple[Advantage, ...] = ()
    elements: tuple[Title, ...] = ()
    protection: tuple[Protection, ...] = ()
    resources: tuple[Rating, ...] = ()
    description: Story = ""
    weapons: tuple[Weapon, ...] = ()


@dataclass(frozen=True, slots=True)
class Rated:
    """A Rating: base + talent + training. The points of a Statistic are its training. The base of a Free Skill is the
    Rating at which it starts.
    """

    kind: RatingKind
    base: int
    talent: int = 0
    training: int = 0
    scope: Scope = "individual"
    use: Use = ""
    script: tuple[FlurryStep, ...] = ()
    #: Of a Special Ability, indexed when the Persona is made.
    magnitude: Rating | None = None
    facet: Facet | None = None
    #: As it is listed.
    difficulty: Difficulty = ""
    type: AbilityType = "invoked"
    duration: Duration = "immediate"
    opportunity: Reason = ""
    power_cost: int = 0

    @property
    def points(self) -> int:
        return self.talent + self.training

    @property
    def value(self) -> int:
        return self.base + self.talent + self.training


def is_magnitude(name: str, one: Rated) -> bool:
    """Whether the UE Chart is read by it: raw power, how much is searched, and what is listed so."""
    return name in MAGNITUDES if one.kind == "statistic" else one.type == "magnitude"


@dataclass(frozen=True, slots=True)
class PersonaSheet:
    """The sheet of a new Persona with everything worked out: every Rating with its base, every Resource by name."""

    kind: CharacterKind
    ratings: Mapping[Title, Rated]
    advantages: tuple[Advantage, ...]
    disadvantages: tuple[Advantage, ...]
    elements: tuple[Title, ...]
    protection: tuple[Protection, ...]
    resources: tuple[Rating, ...]
    description: Story = ""


# --- what is listed, and kept as it was said --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """A Default from a related Rating, with this modifier."""

    related: Rating
    modifier: int


LISTED_ABILITY = rule(
    "scattershot.listing.ability",
    "The campaign can list an ability with its difficulty, Scope, Duration, Power cost, Defaults and the"
    " steps of its Flurry. Only the Gamemaster can let a Character's ability go beyond its listing.",
    "Skills",
    step="Using {ability} costs {out} Power.",
)


def say_ability(done: ListAbility | AbilityListed, names: Names) -> str:
    kind = "Special Ability" if done.special else "Skill"
    near = [f"{called(default.related)} at {signed(default.modifier)}" for default in done.defaults]
    defaults = f", with a Default from {listed(near)}" if near else ""
    costs = f", costing {done.power_cost} Power" if done.power_cost else ""
    level = words(done.difficulty).title()
    return f"Listed {kind}: {done.name}, {level}{costs}{defaults}{because(done.opportunity)}."


@fact("ability-listed", says=say_ability, kw_only=True)
class AbilityListed:
    """A Skill of the campaign, or a Special Ability if `special` is true. `may_default`: whether Characters can use a
    Default for it, although it is a Special Ability.
    """

    name: Title
    difficulty: Difficulty
    special: bool
    scope: Scope
    duration: Duration
    opportunity: Reason
    power_cost: int
    defaults: tuple[ListedDefault, ...]
    may_default: bool


@changes
def put_ability(state: Campaign, fact: AbilityListed) -> Campaign:
    return changed(state, abilities={**state.abilities, fact.name: fact})


def say_ability_use(done: AbilityUseListed, names: Names) -> str:
    kind = f"its Type is {done.ability_type.title()}"
    use = f", its Application is {done.use.title()}" if done.use else ""
    flurry = f", and its Flurry has these steps: {listed(done.script)}" if done.script else ""
    return f"Listed use of {done.name}: {kind}{use}{flurry}."


@fact("ability-use-listed", says=say_ability_use)
class AbilityUseListed:
    """How an ability of the campaign is used: its Type, its Application, and the script of its Flurry."""

    name: Title
    ability_type: AbilityType
    use: Use
    script: tuple[FlurryStep, ...]


@changes
def put_ability_use(state: Campaign, fact: AbilityUseListed) -> Campaign:
    return changed(state, uses={**state.uses, fact.name: fact})


def say_advantage(done: ListAdvantage | AdvantageListed, names: Names) -> str:
    adds = f", with a modifier of {signed(done.modifier)}" if done.modifier else ""
    where = because(done.scope)
    bars = f", which prevents the use of {called(done.bars)} by Default" if done.bars else ""
    points = "1 point" if done.value == 1 else f"{done.value} points"
    return f"Listed trait: {done.name}, worth {points}{adds}{where}{bars}."


@fact("advantage-listed", says=say_advantage, kw_only=True)
class AdvantageListed:
    """An Advantage or Disadvantage of the campaign."""

    name: Title
    value: int
    modifier: int
    scope: Situation
    bars: Barred | None


@changes
def put_advantage(state: Campaign, fact: AdvantageListed) -> Campaign:
    return changed(state, advantages={**state.advantages, fact.name: fact})


def say_indexed(done: EffectIndexed, names: Names) -> str:
    amount = f"{done.numerator}/{done.denominator}" if done.denominator != 1 else str(done.numerator)
    facet = words(done.facet).title()
    who = names.name(character(done.character))
    return f"{who}'s {called(done.ability)} has a {facet} of {amount}, for a Rating of {done.rating}."


@fact("effect-indexed", says=say_indexed, kw_only=True)
class EffectIndexed:
    """How strong the effect of a Special Ability is, read from the UE Chart when the Persona was made or changed."""

    character: CharacterId
    ability: Rating
    facet: Facet
    rating: int
    numerator: int
    denominator: int


@changes
@once_created
def put_effect(state: Character, fact: EffectIndexed) -> Character:
    return changed(state, effects={**state.effects, fact.ability: fact})


def say_residual(amount: object, scope: str, until: str) -> str:
    where = f" {scope.strip()}" if scope.strip() else ""
    return f"has a Residual modifier of {signed(amount)}{where}, {lasting(until)}"


def say_placed(done: ResidualPlaced, names: Names) -> str:
    return f"{names.name(character(done.character))} {say_residual(done.amount, done.scope, done.until)}."


@fact("residual-placed", says=say_placed, kw_only=True)
class ResidualPlaced:
    """A Character got a lasting modifier. `residual`: its id. `scope`: the situations in which it counts."""

    residual: OwnResidual
    character: CharacterId
    amount: int
    scope: Situation
    source: Reason
    until: Ending


@changes
@once_created
def add_residual(state: Character, fact: ResidualPlaced) -> Character:
    return changed(state, residuals=(*state.residuals, fact))


# --- what is true -----------------------------------------------------------------------------------------------------


#: Facts that found nothing they could change.
Adrift: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Character:
    """`kind`: None until it is created. `pending`: penalties waiting for a lull; `penalty`: those in effect."""

    kind: CharacterKind | None = None
    ratings: Mapping[str, Rated] = field(default_factory=dict)
    advantages: tuple[Advantage, ...] = ()
    disadvantages: tuple[Advantage, ...] = ()
    elements: tuple[str, ...] = ()
    description: str = ""
    protection: tuple[Protection, ...] = ()
    #: How much each Special Ability does; the damages listed, by what the weapon adds.
    effects: Mapping[str, EffectIndexed] = field(default_factory=dict)
    damages: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    #: Resources with their maxima.
    resources: Mapping[str, int] = field(default_factory=dict)
    #: What is left of them, as its account says; and why it fights on without any.
    hit_points: int = 0
    fights_on: str | None = None
    residuals: tuple[ResidualPlaced, ...] = ()
    pending: int = 0
    penalty: int = 0
    off_guard: tuple[str, ...] = ()
    off_guard_but: str | None = None
    wounds: tuple[str, ...] = ()
    net: int = 0
    deviations: tuple[str, ...] = ()
    adrift: Adrift = ()

    @property
    def is_out(self) -> bool:
        """No fight left."""
        return self.kind is not None and self.hit_points <= 0 and self.fights_on is None


def entries(who: Character, trait: SheetPart) -> tuple[str, ...]:
    """Return the names of the entries of this kind on the Persona Sheet."""
    match trait:
        case "advantage":
            return tuple(one.name for one in who.advantages)
        case "disadvantage":
            return tuple(one.name for one in who.disadvantages)
        case "element":
            return who.elements
        case "protection":
            return tuple(piece.name for piece in who.protection)
        case "wound":
            return who.wounds
        case _:
            assert_never(trait)


@dataclass(frozen=True, slots=True)
class Expectation:
    kind: ExpectationKind
    value: int
    scope: str


@dataclass(frozen=True, slots=True)
class Element:
    """`consents`: of each proposed change: asked, explicit, tacit, refused."""

    proprietor: str | None = None
    consents: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Campaign:
    """`present`: who is in the Session of that id. `elements`: in boxes, so that no fact copies all of them."""

    begun: bool = False
    cj: int = 0
    ei: int = 0
    expectations: Mapping[str, Expectation] = field(default_factory=dict)
    #: Listings, by name.
    abilities: Mapping[str, AbilityListed] = field(default_factory=dict)
    uses: Mapping[str, AbilityUseListed] = field(default_factory=dict)
    advantages: Mapping[str, AdvantageListed] = field(default_factory=dict)
    #: Free Skills with the levels they start at; what the Group accepted as Free Actions.
    free_skills: Mapping[str, int] = field(default_factory=dict)
    free_actions: tuple[str, ...] = ()
    #: What listed weapons add to an RMIB; what the Group agreed on, by subject.
    weapons: Mapping[str, int] = field(default_factory=dict)
    agreements: Mapping[str, str] = field(default_factory=dict)
    clockwise: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    present_in: str | None = None
    elements: Mapping[str, Mapping[str, Element]] = field(default_factory=dict)
    adrift: Adrift = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """`limit`: on the starting points of its new Personae; `words`: other limits on them."""

    limit: int | None = None
    words: tuple[str, ...] = ()
    adrift: Adrift = ()


BOXES = 64


def box_of(element: str) -> str:
    """The box an element is kept in: the same in every process."""
    return str(int.from_bytes(element.encode("utf-8", "surrogatepass"), "big") % 8191 % BOXES)


def element_of(campaign: Campaign, element: str) -> Element | None:
    box = campaign.elements.get(box_of(element))
    return box.get(element) if box is not None else None


def put_element(state: Campaign, name: str, element: Element) -> Campaign:
    box = box_of(name)
    return changed(state, elements={**state.elements, box: {**state.elements.get(box, {}), name: element}})
