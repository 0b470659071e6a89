"""What becomes true at every table, whatever it plays. Stored as `ledger.<kind>`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, TypeAlias, get_args

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.subjects import Role


@fact("campaign-opened")
class CampaignOpened:
    """`dials`: those chosen. `defaults`: all the others as they were on that day, whatever a later edition says."""

    name: str
    system: str
    edition: int
    dials: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)


@fact("seat-taken")
class SeatTaken:
    name: str
    role: Role


@fact("seat-renamed")
class SeatRenamed:
    name: str


@fact("seat-removed")
class SeatRemoved:
    pass


@fact("character-enrolled")
class CharacterEnrolled:
    name: str
    seat: str


@fact("character-handed-over")
class CharacterHandedOver:
    seat: str


@fact("character-retired")
class CharacterRetired:
    reason: str


@fact("scene-opened")
class SceneOpened:
    title: str
    cast: tuple[str, ...]


@fact("scene-closed")
class SceneClosed:
    pass


@fact("character-seated")
class CharacterSeated:
    """The campaign's side of enrolling: who plays whom."""

    character: str
    seat: str


@fact("character-reseated")
class CharacterReseated:
    """The campaign's side of handing over a character that was enrolled."""

    character: str
    seat: str


@fact("scene-begun")
class SceneBegun:
    """The campaign's side of opening a scene."""

    scene: str


@fact("scene-ended")
class SceneEnded:
    scene: str


@fact("session-opened")
class SessionOpened:
    session: str
    title: str


@fact("session-closed")
class SessionClosed:
    session: str


@fact("dial-set")
class DialSet:
    name: str
    value: Any
    reason: str


@fact("amended")
class Amended:
    field: str
    value: Any
    reason: str


@fact("adjusted")
class Adjusted:
    reason: str


@fact("leg")
class Leg:
    """The other owner's half of a fact that moved something: `of` is the posting's fact, `147.3` (ruling.step)."""

    of: str


Fact: TypeAlias = (
    CampaignOpened
    | SeatTaken
    | SeatRenamed
    | SeatRemoved
    | CharacterEnrolled
    | CharacterHandedOver
    | CharacterRetired
    | SceneOpened
    | SceneClosed
    | CharacterSeated
    | CharacterReseated
    | SceneBegun
    | SceneEnded
    | SessionOpened
    | SessionClosed
    | DialSet
    | Amended
    | Adjusted
    | Leg
)
FACTS: tuple[type[Any], ...] = get_args(Fact)
