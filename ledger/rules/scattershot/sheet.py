"""The Persona Sheet as it is sent when a Character is created. Its numbers are `Unchecked`, for the rules to refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.rules.kernel.domains import Reason, Story, Title
from ledger.rules.scattershot.tables import MAGNITUDES
from ledger.rules.scattershot.terms import (
    AbilityType,
    Barred,
    CharacterKind,
    Difficulty,
    Duration,
    Facet,
    Natural,
    Rating,
    RatingKind,
    Scope,
    Situation,
    Statistic,
    Step,
    Use,
    Weapon,
    Whole,
)


@dataclass(frozen=True, slots=True)
class Skill:
    """A Skill or Special Ability.

    `difficulty`: how difficult the ability is; its base depends on this. `talent`, `training`: Development Points of
    this kind in the ability. Talent plus training must be at least 1. `ability_type`: the Type of the Rating.
    `use`: the Application of the Rating, if it has a single one. `scope`: the Scope of the ability; leave it out to use
    the listed one, or `individual`. `duration`: how long an Action with it takes; leave it out to use the listed one,
    or `immediate`. `opportunity`: limits on when the ability can be used. `script`: the steps of the ability's Flurry.
    `facet`: the column of the UE Chart that says how much a Special Ability does. `magnitude`: the Rating for which the
    UE Chart is read. `power_cost`: the Power that each use costs.
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
    script: tuple[Step, ...] = ()
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

    `static`: how much damage the piece takes off. `bought`: the Skill or Special Ability that it was bought with. Its
    Bonus on the UE Chart is then the amount.
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
    or by the number that each adds. The sheet then lists the damage with each.
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
    script: tuple[Step, ...] = ()
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
