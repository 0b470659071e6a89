"""What is true of a fight and of the bodies in it: initiative, hits and their dice, harm, healing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from ledger.rules.kernel.domains import CharacterId, OneOf
from ledger.rules.kernel.frozen import quick
from ledger.rules.moc.domains import ActionId, AnyElement, HitId, LocationName
from ledger.rules.moc.state_of_actions import Play

HitStage: TypeAlias = Annotated[str, OneOf(("scored", "rolled", "applied"))]


@quick
@dataclass(frozen=True, slots=True)
class Harm:
    """The last hit, and the body before it: what is undone where a play on its resisting is trumped afterwards.

    `lost`: tokens it took.
    """

    hit: str
    damage: int
    pain: int
    pain_turn: int
    status: str
    dazed: bool
    recovering: bool
    healing_days: int = 0
    lost: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Healing:
    """The last try to heal: its dice, what lies on them (`plays`) and the damage before it. `id`: of its ruling."""

    id: str
    damage: int
    period: int
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    plays: tuple[Play, ...] = ()
    healed: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit, as far as its damage has come. `resistible`, `unresistible`: its points, counted once they are rolled.

    `element`: of the `action` (or sub-pool: its `part`) that hit; empty where it was given by its numbers.
    """

    id: HitId
    attacker: CharacterId
    target: CharacterId
    net: int
    chooses: bool
    dice: int
    raises: int
    sides: int
    lethality: int
    severity: int = 0
    location: LocationName = ""
    flat: int = 0
    resistible: int = 0
    unresistible: int = 0
    stage: HitStage = "scored"
    element: AnyElement = ""
    action: ActionId = ""
    part: int = 0


@dataclass(frozen=True, slots=True)
class Resisting:
    """The dice that resisted a hit. `ignored`: those that removed a point; `pain`: direct pain of the hit."""

    tn: int
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    pain: int = 0


@dataclass(frozen=True, slots=True)
class Damage:
    """The dice of a hit, from which its points are counted. `plays`: what lies on them, and on those that resist it."""

    threshold: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    raise_faces: tuple[int, ...] = ()
    raise_bonus: tuple[int, ...] = ()
    plays: tuple[Play, ...] = ()
    resisting: Resisting | None = None


@dataclass(frozen=True, slots=True)
class Initiative:
    """The initiative last rolled, from which the order is counted: dice and the cards on them by character.

    `waiting`: what lies on the initiative to come, `dice`: further dice for it.
    """

    tn: int = 0
    faces: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    bonus: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    plays: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    waiting: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    dice: Mapping[str, int] = field(default_factory=dict)


NOT_ROLLED = Initiative()
