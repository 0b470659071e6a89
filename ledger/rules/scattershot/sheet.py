"""The Persona Sheet as it is sent when a Character is created. Its numbers are `Unchecked`, for the rules to refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.rules.scattershot.tables import MAGNITUDES
from ledger.rules.scattershot.terms import CharacterKind, RatingKind, Unchecked


@dataclass(frozen=True, slots=True)
class Skill:
    """A Skill or Special Ability.

    `ability_type`: invoked, magnitude, resource; `use`: instantaneous, reactive, residual, or not said.
    `facet`: of a Special Ability: the UE facet of how much it does, indexed by `magnitude` (the Power Statistic).
    """

    name: str
    difficulty: str
    talent: Unchecked = 0
    training: Unchecked = 0
    ability_type: str = "invoked"
    use: str = ""
    scope: str = "individual"
    duration: str = "immediate"
    opportunity: str = ""
    script: tuple[str, ...] = ()
    facet: str | None = None
    magnitude: str = "power"
    power_cost: Unchecked = 0


@dataclass(frozen=True, slots=True)
class Advantage:
    """An Advantage or a Disadvantage. `modifier`: in the situations of `scope`. `bars`: an ability without Default."""

    name: str
    value: Unchecked
    modifier: Unchecked = 0
    scope: str = ""
    bars: str | None = None


@dataclass(frozen=True, slots=True)
class Protection:
    """`static`: a Rating noted in Solo Play, or `bought`: the Skill or Special Ability it was paid for with. One of the
    two."""

    name: str
    static: Unchecked = None
    bought: Unchecked = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """`statistics`: those that are not 10. `free_skills`: starting levels; `raises`: what they were raised by.

    `elements`: 'Character' elements. `resources`: Ratings that are Resources beside Hit Points and Power.
    `description`: whatever is noted in words.
    """

    character: CharacterKind = "persona"
    statistics: Mapping[str, Unchecked] = field(default_factory=dict)
    skills: tuple[Skill, ...] = ()
    special_abilities: tuple[Skill, ...] = ()
    free_skills: Mapping[str, Unchecked] = field(default_factory=dict)
    raises: Mapping[str, Unchecked] = field(default_factory=dict)
    advantages: tuple[Advantage, ...] = ()
    disadvantages: tuple[Advantage, ...] = ()
    elements: tuple[str, ...] = ()
    protection: tuple[Protection, ...] = ()
    resources: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Rated:
    """A Rating: base + talent + training. A Statistic's points are its training; a Free Skill's base its level."""

    kind: RatingKind
    base: int
    talent: int = 0
    training: int = 0
    scope: str = "individual"
    use: str = ""
    script: tuple[str, ...] = ()
    #: Of a Special Ability, indexed when the Persona is made.
    magnitude: str | None = None
    facet: str | None = None
    #: As it is listed.
    difficulty: str = ""
    type: str = "invoked"
    duration: str = "immediate"
    opportunity: str = ""
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
    ratings: Mapping[str, Rated]
    advantages: tuple[Advantage, ...]
    disadvantages: tuple[Advantage, ...]
    elements: tuple[str, ...]
    protection: tuple[Protection, ...]
    resources: tuple[str, ...]
    description: str = ""
