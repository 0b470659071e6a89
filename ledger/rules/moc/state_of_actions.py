"""What is true of an action: its rolls, and what was played on them. A play can lie on anything that can be trumped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from ledger.rules.kernel.domains import CharacterId, OneOf, Story
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.subjects import Audience
from ledger.rules.moc.domains import (
    ActionId,
    AnyCard,
    AnyColour,
    AnyElement,
    AnyRank,
    CharacteristicName,
    ElementName,
    MovementMode,
    PlayId,
    PlayOrRoll,
    PrimaryName,
    RollKind,
    SessionId,
    SkillName,
)
from ledger.rules.moc.terms import USES

PlayKind: TypeAlias = Annotated[str, OneOf(("beads", "card", "chip", "fiat"))]
#: What beads do; or of a card, chip or fiat what it is on, or what it is for.
PlayUse: TypeAlias = Annotated[
    str,
    OneOf(
        (
            *USES,
            "dice",
            "damage",
            "resisting",
            "initiative",
            "healing",
            "story",
            "trump",
            "determine",
            "shift",
        )
    ),
]
CardOrigin: TypeAlias = Annotated[str, OneOf(("", "hand", "villains"))]
PartStage: TypeAlias = Annotated[str, OneOf(("declared", "resolved", "pre-empted"))]
ActionStage: TypeAlias = Annotated[str, OneOf(("open", "closed"))]


@dataclass(frozen=True, slots=True)
class Play:
    """An EM on something that is told or rolled. `kind`: card, beads, chip; or fiat, the game master's own.

    `on`: the play it trumps, or the roll (`roll` an action's, damage, resisting, initiative, healing). `points`: (part,
    die, points) of a card. `rank`: suited, related or off; `origin`: the hand or the villains' pool a card came from;
    `session`: when. `successes`: of one that decides the action (`determine`) the level.
    """

    id: PlayId
    by: CharacterId
    kind: PlayKind
    use: PlayUse
    part: int
    number: int = 0
    element: AnyElement = ""
    card: AnyCard = ""
    rank: AnyRank = ""
    colour: AnyColour = ""
    dice: int = 0
    successes: int = 0
    on: PlayOrRoll = ""
    points: tuple[tuple[int, int, int], ...] = ()
    session: SessionId = ""
    returned: bool = False
    fiat: bool = False
    origin: CardOrigin = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Successes declared on a target, and how many were taken off. `beads`: those of the number that are not rolled."""

    target: CharacterId
    number: int
    beads: int = 0
    taken: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Roll:
    """What was said of a roll when it was declared: one action, or a sub-pool of a split.

    `tn`: with the difficulty of who is untrained. `level`: of the skill.
    `mode`: how a movement moves.
    """

    text: Story
    kind: RollKind
    element: ElementName
    primary: PrimaryName
    tn: int
    required: int
    skill: SkillName = ""
    level: int = 0
    difficulty: int = 0
    trained: bool = True
    opposed: bool = False
    defence: bool = False
    mode: MovementMode = "primary"


@quick
@dataclass(frozen=True, slots=True)
class Part:
    """A roll and how far it has come. `dice`: its share of a split pool; `extra`: dice that are its own in any case;
    `beads`: those of the dice rolled that came from beads.

    `spent`: rolled successes used so far, `spent_beads`: those of beads. `white`: whose white chip makes it a Success.
    `bits`: how many Bits were used on it.
    """

    roll: Roll
    dice: int = 0
    extra: int = 0
    rolled: bool = False
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    beads: int = 0
    claims: tuple[Claim, ...] = ()
    spent: int = 0
    spent_beads: int = 0
    white: CharacterId = ""
    stage: PartStage = "declared"
    outcome: int | None = None
    net: int = 0
    bits: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Action:
    """`dice`: bonus dice of the whole pool. `activated`: characteristic -> Primary whose token was spent.

    `tired`: fatigue its own tokens brought, which does not lower its own pool.
    """

    id: ActionId
    character: CharacterId
    text: Story
    split: bool
    penalty: int
    parts: tuple[Part, ...]
    dice: int = 0
    activated: Mapping[CharacteristicName, PrimaryName] = field(default_factory=dict)
    tired: int = 0
    plays: tuple[Play, ...] = ()
    stage: ActionStage = "open"
    villains: bool = False


def hidden(action: Action, place: int) -> Audience:
    """`moc.opposed.net`: who sees a part's dice: of an opposed roll who rolls and the game master, until it is told."""
    part = action.parts[place]
    return ("gm", f"character:{action.character}") if part.roll.opposed and part.stage == "declared" else None
