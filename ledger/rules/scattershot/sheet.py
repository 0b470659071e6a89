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

    `ability_type`: invoked, magnitude, resource; `use`: instantaneous, reactive, residual, or not said.
    `scope`, `duration`: left out, as the ability is listed, or `individual` and `immediate`.
    `facet`: of a Special Ability: the UE facet of how much it does, indexed by `magnitude` (the Power Statistic).
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
    """An Advantage or a Disadvantage. `modifier`: in the situations of `scope`. `bars`: an ability without Default."""

    name: Title
    value: Whole
    modifier: Whole = 0
    scope: Situation = ""
    bars: Barred | None = None


@dataclass(frozen=True, slots=True)
class Protection:
    """`static`: a Rating noted in Solo Play, or `bought`: the Skill or Special Ability it was paid for with. One of the
    two."""

    name: Title
    static: Natural | None = None
    bought: Rating | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """`statistics`: those that are not 10. `free_skills`: starting levels; `raises`: what they were raised by.

    `weapons`: what it carries; the damages with each, and without, are noted.
    `elements`: 'Character' elements. `resources`: Ratings that are Resources beside Hit Points and Power.
    `description`: whatever is noted in words.
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
    """A Rating: base + talent + training. A Statistic's points are its training; a Free Skill's base its level."""

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
    """As the Persona begins, everything resolved: every Rating with its base, every Resource by name."""

    kind: CharacterKind
    ratings: Mapping[Title, Rated]
    advantages: tuple[Advantage, ...]
    disadvantages: tuple[Advantage, ...]
    elements: tuple[Title, ...]
    protection: tuple[Protection, ...]
    resources: tuple[Rating, ...]
    description: Story = ""
