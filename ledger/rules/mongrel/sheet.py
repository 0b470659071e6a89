"""A character sheet, and other parts of inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.rules.kernel.domains import CharacterId, Story, Title
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
    """A Vow. `object`: to whom or to what. `about`: whether that is a `person`, a `house` or a `goal`."""

    object: VowObject
    about: VowAbout = "goal"


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin flipped for two complete ties: `first` goes before `second`."""

    first: CharacterId
    second: CharacterId


@dataclass(frozen=True, slots=True)
class Sheet:
    """A new character.

    `attributes`: all six as chosen. `lowered`: all six again, if any of them is lowered. `body`: the form of the body.
    `unnatural`: what is visibly unnatural about a primary Demon. `plus_three`, `plus_two`, `plus_one`: the two
    Expertises picked in step 2, in step 3 and in step 4. `power`: points for each option of the Power. `expertise`: the
    levels printed on a sheet that you import, instead of what the picks give.
    `npc`: a game master plays the character. `description`: what the character looks like, in your own words.
    """

    house: HouseName
    man: Natural
    beast: Natural
    demon: Natural
    primary: IdentityName
    body: BodyForm
    sex: SexName
    age: AgeName
    attributes: Mapping[AttributeName, Natural]
    plus_three: tuple[ExpertiseName, ...] = ()
    plus_two: tuple[ExpertiseName, ...] = ()
    plus_one: tuple[ExpertiseName, ...] = ()
    unnatural: tuple[Title, ...] = ()
    lowered: Mapping[AttributeName, Natural] | None = None
    power: Mapping[OptionName, Natural] = field(default_factory=dict)
    vows: tuple[VowLine, ...] = ()
    expertise: Mapping[ExpertiseName, Natural] | None = None
    npc: bool = False
    description: Story = ""
