"""The state of an action: its rolls and the plays on them. A play can be on anything that can be trumped."""

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
#: What beads do; or what a card, chip or fiat is on, or is for.
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
    """An EM played on a roll or on the story. `kind`: card, beads or chip; or fiat, the game master's own.

    `on`: the play that it trumps, or the roll (`roll` for an action's, damage, resisting, initiative, healing).
    `points`: (part, die, points) of a card. `rank`: suited, related or off. `origin`: the hand or the villains' pool
    that the card came from. `session`: when. `successes`: the level, if it decides the action (`determine`).
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
    """Successes declared on a target, and how many were taken off. `beads`: how many of them were not rolled."""

    target: CharacterId
    number: int
    beads: int = 0
    taken: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Roll:
    """A roll as it was declared: one action, or a sub-pool of a split.

    `tn`: including the difficulty for an untrained character. `level`: of the skill. `mode`: how a movement moves.
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
    """A roll and its progress. `dice`: its share of a split pool. `extra`: dice that are always its own. `beads`: how
    many of the dice came from beads.

    `spent`: rolled successes used so far. `spent_beads`: successes from beads used so far. `white`: the character whose
    white chip makes it a Success. `bits`: how many Bits were used on it.
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

    `tired`: fatigue from its own tokens, which does not lower its own pool.
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
