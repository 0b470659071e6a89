"""The state of a fight and its bodies: initiative, hits and their dice, harm, healing."""

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
    """The last hit, and the body before it. It is undone if a play on the resisting dice is trumped later.

    `lost`: tokens that the hit took.
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
    """The last try to heal: its dice, the `plays` on them and the damage before it. `id`: its ruling."""

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
    """A hit and the progress of its damage. `resistible`, `unresistible`: its points, after the roll.

    `element`: of the `action` (or its sub-pool, `part`) that hit; empty if the hit was entered by its numbers.
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
    """The dice that resisted a hit. `ignored`: dice that removed a point. `pain`: direct pain of the hit."""

    tn: int
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    pain: int = 0


@dataclass(frozen=True, slots=True)
class Damage:
    """The dice of a hit, which give its points. `plays`: the plays on them and on the resisting dice."""

    threshold: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    raise_faces: tuple[int, ...] = ()
    raise_bonus: tuple[int, ...] = ()
    plays: tuple[Play, ...] = ()
    resisting: Resisting | None = None


@dataclass(frozen=True, slots=True)
class Initiative:
    """The last initiative roll, which gives the order: dice and the cards on them, by character.

    `waiting`: plays on the next initiative roll. `dice`: further dice for it.
    """

    tn: int = 0
    faces: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    bonus: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    plays: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    waiting: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    dice: Mapping[str, int] = field(default_factory=dict)


NOT_ROLLED = Initiative()
