"""What is true now of each subject: a character, a scene with its current round, the campaign, a seat.

The campaign's history is its record; a scene keeps the round being played and no other. Facts that find nothing to
change are kept in `adrift`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ledger.rules.intensity.facts import Fact, Trait
from ledger.rules.intensity.terms import DieName, Hurt, Kind, Level, Out, Turn
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.frozen import quick


@dataclass(frozen=True, slots=True)
class Weight:
    """An active impact. `trait`: None for a wound, which weighs on all."""

    kind: Hurt
    trait: str | None
    by: str
    cause: str


@dataclass(frozen=True, slots=True)
class Character:
    """`impacts`: the active ones by id, oldest first. `healed_on`: the in-fiction day it last healed.

    `out_for`: how long it is out, in words, where that is for a `time`.
    """

    kind: Kind | None = None
    traits: tuple[Trait, ...] = ()
    impacts: Mapping[str, Weight] = field(default_factory=dict)
    out: Out | None = None
    healed_on: int | None = None
    out_for: str = ""
    adrift: tuple[Fact, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Die:
    """A die of the round. `size`, `face`: as rolled at the start, and so for ever.

    `picked_up`: serves defence only. `defence`: the face it last showed in defence, `against` that attack.
    """

    size: int
    face: int
    picked_up: bool = False
    defence: int | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Participant:
    """`level`: None until declared. `dice`: empty until rolled; without `trait` when the intensity die is alone."""

    level: Level | None = None
    target: str | None = None
    trait: str | None = None
    text: str = ""
    dice: Mapping[DieName, Die] = field(default_factory=dict)
    turn: Turn = "none"


@dataclass(frozen=True, slots=True)
class OpenAttack:
    """`let_stand`: the choice was to roll nothing. `bought`: effects, in order.

    `success`: None until resolved, then True (a failed attack is gone).
    """

    id: str
    attacker: str
    defender: str
    answered: bool = False
    success: bool | None = None
    bought: tuple[str, ...] = ()
    let_stand: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """`groups`: None until all dice are in. `rankings`: ties settled, in order. `begun`: a face was recorded."""

    id: str
    participants: Mapping[str, Participant]
    groups: tuple[tuple[str, ...], ...] | None = None
    rankings: tuple[tuple[str, ...], ...] = ()
    attack: OpenAttack | None = None
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Fatal:
    """A fatal achieved and not yet used. `trait_used`: by the subject, in the round in which it was achieved."""

    holder: str
    subject: str
    trait_used: str | None
    attack: str


@dataclass(frozen=True, slots=True)
class Scene:
    """`fatals`: held ones by id. `levels`: the last level each character declared in this scene."""

    round: Round | None = None
    fatals: Mapping[str, Fatal] = field(default_factory=dict)
    levels: Mapping[str, Level] = field(default_factory=dict)
    adrift: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Campaign:
    """`healed_on`: the day of the last healing moment. `last_scene`: the last one that closed.

    `links`: pairs in conflict since the last healing moment, each with the lesser id first.
    """

    healed_on: int | None = None
    last_scene: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    adrift: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """The game knows nothing of seats."""

    adrift: tuple[Fact, ...] = ()


State: TypeAlias = Character | Scene | Campaign | Seat


def pair(a: str, b: str) -> tuple[str, str]:
    """The unordered pair of two characters, as `links` keeps it."""
    return (a, b) if a <= b else (b, a)


def scene_of(table: Table[object]) -> Scene | None:
    """The scene something is declared in, if there is one."""
    here = table.scene
    return table.get(here, Scene) if here is not None else None
