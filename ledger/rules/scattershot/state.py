"""The Persona Sheet, and the state of a Character, a seat and the campaign. Countable values are in accounts.

The numbers of a sheet are `Unchecked`, because the rules check them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from ledger.rules.kernel.kit import (
    CharacterId,
    Names,
    Reason,
    Story,
    Title,
    changed,
    changes,
    character,
    fact,
    listed,
    once_created,
    rule,
    words,
)
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
    name_rating,
    say_how_long,
    say_reason,
    show_sign,
)

if TYPE_CHECKING:
    from ledger.rules.scattershot.listings import ListAbility, ListAdvantage


# --- the Persona Sheet, as sent and as stored -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skill:
    """A Skill or Special Ability.

    `difficulty`: how difficult the ability is, which decides its base. `talent`, `training`: Development Points of this
    kind in the ability. Talent plus training must be at least 1. `ability_type`: the Type of the Rating. `use`: the
    Application of the Rating, if it has only one. `scope`: the Scope of the ability; leave it out to use the listed
    one, or `individual`. `duration`: how long an Action with the ability takes; leave it out to use the listed one, or
    `immediate`. `opportunity`: limits on when the ability can be used. `script`: the steps of the ability's Flurry.
    `facet`: the column of the UE Chart that gives the size of a Special Ability's effect. `magnitude`: the Rating for
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

    `value`: the Development Points that an Advantage costs or a Disadvantage is worth. `modifier`: the number that the
    trait adds to a roll in the situations of its scope. `scope`: the situations in which the modifier counts. `bars`:
    the ability for which the trait bars Defaults.
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
    bought with. The reduction is then the Bonus of that ability on the UE Chart.
    """

    name: Title
    static: Natural | None = None
    bought: Rating | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A Persona Sheet.

    `character`: whether this is a Persona or a Regular Character. `statistics`: the Statistics that are not 10.
    `free_skills`: the Free Skills, each with the Rating at which it starts. `raises`: by how much each Free Skill was
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
    """A Rating: the sum of base, talent and training. The points of a Statistic are its training. The base of a Free
    Skill is the Rating at which it starts.
    """

    kind: RatingKind
    base: int
    talent: int = 0
    training: int = 0
    scope: Scope = "individual"
    use: Use = ""
    script: tuple[FlurryStep, ...] = ()
    #: Only for a Special Ability: the values with which its effect is read from the chart when the Persona is created.
    magnitude: Rating | None = None
    facet: Facet | None = None
    #: The values that the ability's listing can limit.
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


def is_magnitude(name: str, rating: Rated) -> bool:
    """Return whether the UE Chart is read for this Rating: for some Statistics, and for abilities of the Type
    `magnitude`.
    """
    return name in MAGNITUDES if rating.kind == "statistic" else rating.type == "magnitude"


@dataclass(frozen=True, slots=True)
class PersonaSheet:
    """The sheet of a new Persona with all derived values: every Rating with its base, and every Resource by name."""

    kind: CharacterKind
    ratings: Mapping[Title, Rated]
    advantages: tuple[Advantage, ...]
    disadvantages: tuple[Advantage, ...]
    elements: tuple[Title, ...]
    protection: tuple[Protection, ...]
    resources: tuple[Rating, ...]
    description: Story = ""


# --- listings ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """A Default that uses a related Rating, with this modifier."""

    related: Rating
    modifier: int


LISTED_ABILITY = rule(
    "scattershot.listing.ability",
    "The campaign can list an ability with its difficulty, Scope, Duration, Power cost, Defaults and the"
    " steps of its Flurry. Only the Gamemaster can let a Character's ability go beyond its listing.",
    "Skills",
    step="Using {ability} costs {out} Power.",
)


def say_ability(do_or_fact: ListAbility | AbilityListed, names: Names) -> str:
    kind = "Special Ability" if do_or_fact.special else "Skill"
    default_phrases = [
        f"{name_rating(default.related)} at {show_sign(default.modifier)}" for default in do_or_fact.defaults
    ]
    default_clause = f", with a Default from {listed(default_phrases)}" if default_phrases else ""
    cost_clause = f", costing {do_or_fact.power_cost} Power" if do_or_fact.power_cost else ""
    difficulty_title = words(do_or_fact.difficulty).title()
    opportunity = say_reason(do_or_fact.opportunity)
    return (
        f"The campaign lists a {kind}: {do_or_fact.name}, {difficulty_title}{cost_clause}{default_clause}{opportunity}."
    )


@fact("ability-listed", says=say_ability, kw_only=True)
class AbilityListed:
    """A Skill of the campaign was listed, or a Special Ability if `special` is true. `may_default`: whether Characters
    can use a Default for the ability, although it is a Special Ability.
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


def say_ability_use(fact: AbilityUseListed, names: Names) -> str:
    type_clause = f"its Type is {fact.ability_type.title()}"
    use_clause = f", its Application is {fact.use.title()}" if fact.use else ""
    script_clause = f", and its Flurry has these steps: {listed(fact.script)}" if fact.script else ""
    return f"The campaign lists how {fact.name} is used: {type_clause}{use_clause}{script_clause}."


@fact("ability-use-listed", says=say_ability_use)
class AbilityUseListed:
    """The use of an ability of the campaign was listed: its Type, its Application, and the script of its Flurry."""

    name: Title
    ability_type: AbilityType
    use: Use
    script: tuple[FlurryStep, ...]


@changes
def put_ability_use(state: Campaign, fact: AbilityUseListed) -> Campaign:
    return changed(state, uses={**state.uses, fact.name: fact})


def say_advantage(do_or_fact: ListAdvantage | AdvantageListed, names: Names) -> str:
    modifier_clause = f", with a modifier of {show_sign(do_or_fact.modifier)}" if do_or_fact.modifier else ""
    scope_clause = say_reason(do_or_fact.scope)
    bar_clause = f", which prevents the use of {name_rating(do_or_fact.bars)} by Default" if do_or_fact.bars else ""
    point_phrase = "1 point" if do_or_fact.value == 1 else f"{do_or_fact.value} points"
    details = f"{point_phrase}{modifier_clause}{scope_clause}{bar_clause}"
    return f"The campaign lists a trait: {do_or_fact.name}, worth {details}."


@fact("advantage-listed", says=say_advantage, kw_only=True)
class AdvantageListed:
    """An Advantage or Disadvantage of the campaign was listed."""

    name: Title
    value: int
    modifier: int
    scope: Situation
    bars: Barred | None


@changes
def put_advantage(state: Campaign, fact: AdvantageListed) -> Campaign:
    return changed(state, advantages={**state.advantages, fact.name: fact})


def say_indexed(fact: EffectIndexed, names: Names) -> str:
    amount = f"{fact.numerator}/{fact.denominator}" if fact.denominator != 1 else str(fact.numerator)
    facet_title = words(fact.facet).title()
    name = names.name(character(fact.character))
    return f"{name}'s {name_rating(fact.ability)} has a {facet_title} of {amount}, for a Rating of {fact.rating}."


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
    scope_phrase = f" {scope.strip()}" if scope.strip() else ""
    return f"has a Residual modifier of {show_sign(amount)}{scope_phrase}, {say_how_long(until)}"


def say_placed(fact: ResidualPlaced, names: Names) -> str:
    return f"{names.name(character(fact.character))} {say_residual(fact.amount, fact.scope, fact.until)}."


@fact("residual-placed", says=say_placed, kw_only=True)
class ResidualPlaced:
    """A Character got a lasting modifier. `residual`: its id. `scope`: the situations in which the modifier counts."""

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


# --- states -----------------------------------------------------------------------------------------------------------


#: Facts without anything to change.
Adrift: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Character:
    """A Character. `kind`: None until the Character is created. `pending`: penalties waiting for a lull; `penalty`:
    those in effect.
    """

    kind: CharacterKind | None = None
    ratings: Mapping[str, Rated] = field(default_factory=dict)
    advantages: tuple[Advantage, ...] = ()
    disadvantages: tuple[Advantage, ...] = ()
    elements: tuple[str, ...] = ()
    description: str = ""
    protection: tuple[Protection, ...] = ()
    #: The effect of each Special Ability.
    effects: Mapping[str, EffectIndexed] = field(default_factory=dict)
    #: The listed damage, by the weapon's number.
    damages: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    #: The maximum of each Resource.
    resources: Mapping[str, int] = field(default_factory=dict)
    #: The remaining Hit Points. The account has the same number.
    hit_points: int = 0
    #: Why the Character can fight on without Hit Points, if it can.
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
    def is_created(self) -> bool:
        return self.kind is not None

    @property
    def is_out(self) -> bool:
        """Return whether the Character can no longer fight."""
        return self.is_created and self.hit_points <= 0 and self.fights_on is None


def list_entries(char_state: Character, part: SheetPart) -> tuple[str, ...]:
    """Return the names of the entries of this kind on the Persona Sheet."""
    match part:
        case "advantage":
            return tuple(advantage.name for advantage in char_state.advantages)
        case "disadvantage":
            return tuple(disadvantage.name for disadvantage in char_state.disadvantages)
        case "element":
            return char_state.elements
        case "protection":
            return tuple(piece.name for piece in char_state.protection)
        case "wound":
            return char_state.wounds
        case _:
            assert_never(part)


@dataclass(frozen=True, slots=True)
class Expectation:
    kind: ExpectationKind
    value: int
    scope: str


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the Game. `consents`: the state of each proposed change: `asked`, `explicit`,
    `tacit` or `refused`.
    """

    proprietor: str | None = None
    consents: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Campaign:
    """The campaign. `present`: the seats that are present, in the Session `present_in`. `elements`: the elements, in
    boxes, so that applying a fact does not copy all of them.
    """

    begun: bool = False
    cj: int = 0
    ei: int = 0
    expectations: Mapping[str, Expectation] = field(default_factory=dict)
    #: Listings, by name.
    abilities: Mapping[str, AbilityListed] = field(default_factory=dict)
    uses: Mapping[str, AbilityUseListed] = field(default_factory=dict)
    advantages: Mapping[str, AdvantageListed] = field(default_factory=dict)
    #: The level at which each Free Skill starts.
    free_skills: Mapping[str, int] = field(default_factory=dict)
    #: The Free Actions that the Group accepted.
    free_actions: tuple[str, ...] = ()
    #: The number that each listed weapon adds to an RMIB.
    weapons: Mapping[str, int] = field(default_factory=dict)
    #: What the Group agreed on, by subject.
    agreements: Mapping[str, str] = field(default_factory=dict)
    clockwise: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    present_in: str | None = None
    elements: Mapping[str, Mapping[str, Element]] = field(default_factory=dict)
    adrift: Adrift = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. `limit`: the limit on the starting points of new Personae. `words`: other limits on them."""

    limit: int | None = None
    words: tuple[str, ...] = ()
    adrift: Adrift = ()


BOX_COUNT = 64


def name_box(element_name: str) -> str:
    """Return the box that an element is stored in. It is the same in every process."""
    return str(int.from_bytes(element_name.encode("utf-8", "surrogatepass"), "big") % 8191 % BOX_COUNT)


def find_element(campaign: Campaign, name: str) -> Element | None:
    elements_by_name = campaign.elements.get(name_box(name))
    return elements_by_name.get(name) if elements_by_name is not None else None


def put_element(state: Campaign, name: str, element: Element) -> Campaign:
    box_key = name_box(name)
    return changed(state, elements={**state.elements, box_key: {**state.elements.get(box_key, {}), name: element}})
