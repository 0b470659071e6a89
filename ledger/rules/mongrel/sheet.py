"""A character sheet, and other parts of inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from ledger.rules.kernel.domains import CharacterId, Says, Story, Title
from ledger.rules.mongrel.domains import (
    AgeName,
    AttributeName,
    BodyForm,
    ExpertiseName,
    HouseName,
    IdentityName,
    Natural,
    OptionName,
    SexName,
    VowAbout,
    VowObject,
)


@dataclass(frozen=True, slots=True)
class VowLine:
    """A Vow to a person or a House, or to reach a goal."""

    object: VowObject
    about: VowAbout = "goal"


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin flip between two participants who are completely tied: `first` goes before `second`."""

    first: Annotated[CharacterId, Says("Goes first")]
    second: Annotated[CharacterId, Says("Goes second")]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A new character.

    `attributes`: all six attributes, before any of them is lowered. `lowered`: all six attributes after lowering, if
    any of them is lowered.
    `unnatural`: what is visibly unnatural about the body, if the primary Identity is Demon. `power`: how many points
    each option of the Power has.
    `plus_three`: the two Expertises picked in step 2. `plus_two`: the two Expertises picked in step 3. `plus_one`: the
    two Expertises picked in step 4. `expertise`: the levels printed on a sheet that you import, instead of those that
    the steps give.
    `description`: what the character looks like, in your own words.
    """

    house: HouseName
    man: Natural
    beast: Natural
    demon: Natural
    primary: Annotated[IdentityName, Says("Primary Identity")]
    body: BodyForm
    sex: SexName
    age: AgeName
    attributes: Mapping[AttributeName, Natural]
    plus_three: Annotated[tuple[ExpertiseName, ...], Says("Raised by 3")] = ()
    plus_two: Annotated[tuple[ExpertiseName, ...], Says("Raised by 2")] = ()
    plus_one: Annotated[tuple[ExpertiseName, ...], Says("Raised by 1")] = ()
    unnatural: Annotated[tuple[Title, ...], Says("Unnatural features")] = ()
    lowered: Annotated[Mapping[AttributeName, Natural] | None, Says("Attributes after lowering")] = None
    power: Annotated[Mapping[OptionName, Natural], Says("Points of the Power")] = field(default_factory=dict)
    vows: tuple[VowLine, ...] = ()
    expertise: Annotated[Mapping[ExpertiseName, Natural] | None, Says("Levels of an imported sheet")] = None
    npc: Annotated[bool, Says("Played by the game master")] = False
    description: Story = ""
