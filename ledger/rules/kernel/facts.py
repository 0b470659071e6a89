"""Facts that every game can record. They are stored as `ledger.<kind>`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, TypeAlias, get_args

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import Between, CharacterId, Prose, Reason, Ref, SceneId, SeatId, Title
from ledger.rules.kernel.subjects import Role


@fact("campaign-opened")
class CampaignOpened:
    """The campaign was opened. `dials`: the options chosen. `defaults`: all other options with their defaults at that
    time.
    """

    name: Title
    system: Annotated[str, Ref("system")]
    edition: int
    dials: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)


@fact("campaign-forked")
class CampaignForked:
    """The campaign continues from ruling `at` of another campaign, under its own name.

    The first `events` sealed events of the origin, up to its `position`, are also the first events of this campaign.
    `root`: the root of the tree over these events, in hexadecimal. `checkpoint`: the origin's seal of these events,
    signed under `public_key`. `hidden`: whether any of these events is not for everybody.
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


@fact("seat-holds")
class SeatHolds:
    """The seat has paused automatic steps (`on`) or resumed them. While a seat pauses them, no step follows
    automatically."""

    on: bool


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
    """An enrolment as the campaign records it: who plays the character."""

    character: CharacterId
    seat: SeatId


@fact("character-reseated")
class CharacterReseated:
    """A hand-over as the campaign records it."""

    character: CharacterId
    seat: SeatId


@fact("scene-begun")
class SceneBegun:
    """An opened scene as the campaign records it."""

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
    """One half of a transfer, recorded for the owner of the other account. `of`: the fact with the posting, `147.3`
    (ruling.step).
    """

    of: Annotated[str, Ref("fact")]


Fact: TypeAlias = (
    CampaignOpened
    | CampaignForked
    | SeatTaken
    | SeatRenamed
    | SeatHolds
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
