"""The kernel's own words: what every table declares whatever it plays, and what then becomes true.

Facts here are stored as `ledger.<kind>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Generic, TypeAlias, TypeVar

from ledger.rules.kernel.contract import GM, Audience, Role, declares, either, fact, named_seat

H = TypeVar("H")  # a character sheet

# --- inputs -------------------------------------------------------------------------------------------------------


@declares(
    "enrol",
    named_seat("seat"),
    records=(
        "character-enrolled",
        "character-seated",
    ),
)
class Enrol(Generic[H]):
    """A character joins: its name, the seat that plays it, its sheet in the system's own form."""

    name: str
    seat: str
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
    """Another seat plays the character from now on."""

    character: str
    seat: str


@declares("retire", either("character"), records=("character-retired",))
class Retire:
    """The character leaves play; its record stays."""

    character: str
    reason: str


@declares(
    "open-scene",
    GM,
    records=(
        "scene-opened",
        "scene-begun",
    ),
)
class OpenScene:
    """A scene begins. `cast`: ids of the characters in it."""

    title: str
    cast: tuple[str, ...] = ()


@declares(
    "close-scene",
    GM,
    records=(
        "scene-closed",
        "scene-ended",
    ),
)
class CloseScene:
    scene: str


@declares("open-session", GM, records=("session-opened",))
class OpenSession:
    """A session of play begins."""

    title: str = ""


@declares("close-session", GM, records=("session-closed",))
class CloseSession:
    session: str


@declares("set-dial", GM, records=("dial-set",))
class SetDial:
    """An optional rule or reading is chosen anew, for rulings from now on."""

    name: str
    value: Any
    reason: str


@declares("amend", GM, records=("amended",))
class Amend:
    """A piece of a subject's state is set by the table. `field`: a JSON Pointer into the state (`traits/0/base`).

    `seen_by`: who alone may see what was set (`gm`, ids of seats, `character:<id>`); left out, whoever the system shows
    the piece to. What the system shows to others as well cannot be hidden by it.
    """

    subject: str
    field: str
    value: Any
    reason: str
    seen_by: Audience = None


@declares("adjust", GM, records=("adjusted",))
class Adjust:
    """The table moves something countable between two accounts. `seen_by`: who alone may see it, if it is a secret."""

    source: str
    target: str
    unit: str
    amount: int
    reason: str
    seen_by: Audience = None


Input: TypeAlias = (
    Enrol[Any] | HandOver | Retire | OpenScene | CloseScene | OpenSession | CloseSession | SetDial | Amend | Adjust
)
INPUTS: tuple[type[Any], ...] = (
    Enrol, HandOver, Retire, OpenScene, CloseScene, OpenSession, CloseSession, SetDial, Amend, Adjust,
)  # fmt: skip

# --- facts --------------------------------------------------------------------------------------------------------


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


FACTS: tuple[type[Any], ...] = (
    CampaignOpened, SeatTaken, SeatRenamed, SeatRemoved, CharacterEnrolled, CharacterHandedOver, CharacterRetired,
    CharacterSeated, CharacterReseated, SceneOpened, SceneClosed, SceneBegun, SceneEnded, SessionOpened, SessionClosed,
    DialSet, Amended, Adjusted, Leg,
)  # fmt: skip
