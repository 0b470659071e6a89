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
    """A Vow. `about`: `person`, `house` or `goal`."""

    object: VowObject
    about: VowAbout = "goal"


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin flipped for two complete ties: `first` goes before `second`."""

    first: CharacterId
    second: CharacterId


@dataclass(frozen=True, slots=True)
class Sheet:
    """A character as it is made. `attributes` as chosen; `lowered` all six again, where any was lowered.

    `body`: the form; `unnatural`: aspects of a primary Demon. `plus_three`, `plus_two`, `plus_one`: the picks of steps
    2 to 4. `power`: option -> points. `expertise`: printed levels to import, in place of what the picks give.
    `description`: in words of one's own, beside what the scores make of the body.
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
