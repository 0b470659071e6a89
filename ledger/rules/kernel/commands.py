"""What every table declares, whatever it plays. Each is a ruling like any other."""

from __future__ import annotations

from typing import Any, Generic, TypeAlias, TypeVar, get_args, get_origin

from ledger.rules.kernel.declarations import GM, declares, either, named_seat
from ledger.rules.kernel.subjects import Audience

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
INPUTS: tuple[type[Any], ...] = tuple(get_origin(one) or one for one in get_args(Input))
