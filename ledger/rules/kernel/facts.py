"""What becomes true at every table, whatever it plays. Stored as `ledger.<kind>`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, TypeAlias, get_args

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import Between, CharacterId, Prose, Reason, Ref, SceneId, SeatId, Title
from ledger.rules.kernel.subjects import Role


@fact("campaign-opened")
class CampaignOpened:
    """`dials`: those chosen. `defaults`: all the others as they were on that day, whatever a later edition says."""

    name: Title
    system: Annotated[str, Ref("system")]
    edition: int
    dials: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)


@fact("campaign-forked")
class CampaignForked:
    """It goes on from another campaign's ruling `at`, under a name of its own.

    The `events` sealed events of the origin's saves up to its `position` are this one's first: `root` is that of the
    tree over them, hexadecimal, and `checkpoint` the origin's seal of so many, signed under `public_key`. `hidden`:
    whether any of them is not for everybody.
    """

    name: Title
    campaign: Annotated[str, Ref("campaign")]
    campaign_name: Title
    at: Annotated[int, Ref("ruling")]
    position: Annotated[int, Between(1)]
    events: Annotated[int, Between(1)]
    root: Annotated[str, Prose(64)]
    checkpoint: Annotated[str, Prose()]
    public_key: Annotated[str, Prose(64)]
    hidden: bool


@fact("seat-taken")
class SeatTaken:
    name: Title
    role: Role


@fact("seat-renamed")
class SeatRenamed:
    name: Title


@fact("seat-removed")
class SeatRemoved:
    pass


@fact("character-enrolled")
class CharacterEnrolled:
    name: Title
    seat: SeatId


@fact("character-handed-over")
class CharacterHandedOver:
    seat: SeatId


@fact("character-retired")
class CharacterRetired:
    reason: Reason


@fact("scene-opened")
class SceneOpened:
    title: Title
    cast: tuple[CharacterId, ...]


@fact("scene-closed")
class SceneClosed:
    pass


@fact("character-seated")
class CharacterSeated:
    """The campaign's side of enrolling: who plays whom."""

    character: CharacterId
    seat: SeatId


@fact("character-reseated")
class CharacterReseated:
    """The campaign's side of handing over a character that was enrolled."""

    character: CharacterId
    seat: SeatId


@fact("scene-begun")
class SceneBegun:
    """The campaign's side of opening a scene."""

    scene: SceneId


@fact("scene-ended")
class SceneEnded:
    scene: SceneId


@fact("session-opened")
class SessionOpened:
    session: Annotated[str, Ref("session")]
    title: Title


@fact("session-closed")
class SessionClosed:
    session: Annotated[str, Ref("session")]


@fact("dial-set")
class DialSet:
    name: Annotated[str, Ref("dial")]
    value: Any
    reason: Reason


@fact("amended")
class Amended:
    field: Annotated[str, Ref("field")]
    value: Any
    reason: Reason


@fact("adjusted")
class Adjusted:
    reason: Reason


@fact("leg")
class Leg:
    """The other owner's half of a fact that moved something: `of` is the posting's fact, `147.3` (ruling.step)."""

    of: Annotated[str, Ref("fact")]


Fact: TypeAlias = (
    CampaignOpened
    | CampaignForked
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
FACTS: tuple[type[object], ...] = get_args(Fact)
