"""A character sheet, and other parts of inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.rules.mongrel.terms import Number


@dataclass(frozen=True, slots=True)
class VowLine:
    """A Vow. `about`: `person`, `house` or `goal`."""

    object: str
    about: str = "goal"


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin flipped for two complete ties: `first` goes before `second`."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A character as it is made. `attributes` as chosen; `lowered` all six again, where any was lowered.

    `body`: the form; `unnatural`: aspects of a primary Demon. `plus_three`, `plus_two`, `plus_one`: the picks of steps
    2 to 4. `power`: option -> points. `expertise`: printed levels to import, in place of what the picks give.
    `description`: in words of one's own, beside what the scores make of the body.
    """

    house: str
    man: Number
    beast: Number
    demon: Number
    primary: str
    body: str
    sex: str
    age: str
    attributes: Mapping[str, Number]
    plus_three: tuple[str, ...] = ()
    plus_two: tuple[str, ...] = ()
    plus_one: tuple[str, ...] = ()
    unnatural: tuple[str, ...] = ()
    lowered: Mapping[str, Number] | None = None
    power: Mapping[str, Number] = field(default_factory=dict)
    vows: tuple[VowLine, ...] = ()
    expertise: Mapping[str, Number] | None = None
    npc: bool = False
    description: str = ""
