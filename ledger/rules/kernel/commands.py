"""The declarations that every game has. Each becomes a ruling like any other."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeAlias, TypeVar, get_args, get_origin

from ledger.rules.kernel.declarations import GM, declares, either, named_seat
from ledger.rules.kernel.domains import AccountName, Between, CharacterId, Reason, Ref, SceneId, SeatId, Title

#: The seats that may see something. None means everybody to whom the game shows it.
AudienceOf: TypeAlias = tuple[Annotated[str, Ref("audience")], ...] | None
H = TypeVar("H")  # a character sheet


@declares(
    "enrol",
    named_seat("seat"),
    records=(
        "character-enrolled",
        "character-seated",
    ),
)
class Enrol(Generic[H]):
    """A character joins. `seat`: the seat that plays the character. `sheet`: its values, in the game's own form."""

    name: Title
    seat: SeatId
    sheet: H


@declares(
    "hand-over",
    either("character"),
    records=(
        "character-handed-over",
        "character-reseated",
    ),
)
class HandOver:
    """Give the character to another seat."""

    character: CharacterId
    seat: SeatId


@declares("retire", either("character"), records=("character-retired",))
class Retire:
    """Retire the character. Its record is kept."""

    character: CharacterId
    reason: Reason


@declares(
    "open-scene",
    GM,
    records=(
        "scene-opened",
        "scene-begun",
    ),
)
class OpenScene:
    """Open a scene. `cast`: the characters in the scene."""

    title: Title
    cast: tuple[CharacterId, ...] = ()


@declares(
    "close-scene",
    GM,
    records=(
        "scene-closed",
        "scene-ended",
    ),
)
class CloseScene:
    scene: SceneId


@declares("open-session", GM, records=("session-opened",))
class OpenSession:
    """Open a session."""

    title: Title = ""


@declares("close-session", GM, records=("session-closed",))
class CloseSession:
    session: Annotated[str, Ref("session")]


@declares("set-dial", GM, records=("dial-set",))
class SetDial:
    """Change an option for later rulings."""

    name: Annotated[str, Ref("dial")]
    value: Annotated[Any, Ref("dial-value", of="name")]
    reason: Reason


@declares("amend", GM, records=("amended",))
class Amend:
    """Change a value in a subject's state. `field`: a JSON Pointer into the state (`traits/0/base`).

    `seen_by`: who can see the change (`gm`, ids of seats, `character:<id>`). Default: everybody who can see the value.
    You can't hide what the game also shows to others.
    """

    subject: Annotated[str, Ref("subject")]
    field: Annotated[str, Ref("field", of="subject")]
    value: Annotated[Any, Ref("field-value", of="field")]
    reason: Reason
    seen_by: AudienceOf = None


@declares("adjust", GM, records=("adjusted",))
class Adjust:
    """Move an amount between two accounts. `seen_by`: who can see the adjustment, if it is secret."""

    source: AccountName
    target: AccountName
    unit: Annotated[str, Ref("unit")]
    amount: Annotated[int, Between(1)]
    reason: Reason
    seen_by: AudienceOf = None


Input: TypeAlias = (
    Enrol[Any] | HandOver | Retire | OpenScene | CloseScene | OpenSession | CloseSession | SetDial | Amend | Adjust
)
INPUTS: tuple[type[object], ...] = tuple(get_origin(member) or member for member in get_args(Input))
