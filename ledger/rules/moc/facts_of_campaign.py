"""What can become true of the campaign, and what of seats: its tables, arcs, sessions, the deck, nominations."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.moc.tables import Location, Skill, Weapon

# --- about the campaign ---


@fact("table-row-set")
class TableRowSet:
    """`table`: skills, weapons, locations, healing, ag or uses. Only the value of that table is given."""

    table: str
    row: str
    skill: Skill | None = None
    weapon: Weapon | None = None
    location: Location | None = None
    number: int = 0
    text: str = ""


@fact("arc-opened")
class ArcOpened:
    arc: str
    name: str
    xp: int


@fact("purse-enlarged")
class PurseEnlarged:
    arc: str
    xp: int
    reason: str


@fact("arc-ended")
class ArcEnded:
    arc: str


@fact("play-begun")
class PlayBegun:
    """A session begins: the deck is whole and shuffled."""

    session: str


@fact("session-ended")
class SessionEnded:
    session: str


@fact("interval-opened")
class IntervalOpened:
    """The time between two scenes begins."""

    after: str


@fact("interval-ended")
class IntervalEnded:
    """A scene begins."""

    scene: str


@fact("deck-cut")
class DeckCut:
    """These cards left the deck. Nobody sees it. `by_ledger`: it dealt them."""

    cards: tuple[str, ...]
    by_ledger: bool = False


@fact("deck-counted")
class DeckCounted:
    """Once the session is over: cards that were typed in twice, so that somebody mistyped. None, as a rule."""

    twice: tuple[str, ...] = ()


@fact("nominations-tallied")
class NominationsTallied:
    session: str
    winners: tuple[str, ...]


# --- about a seat ---


@fact("nomination-made")
class NominationMade:
    """Secret: who nominates whom in which session."""

    nominee: str
    session: str


CampaignFact: TypeAlias = (
    TableRowSet | ArcOpened | PurseEnlarged | ArcEnded | PlayBegun | SessionEnded | IntervalOpened
    | IntervalEnded | DeckCut | DeckCounted | NominationsTallied | NominationMade
)  # fmt: skip
