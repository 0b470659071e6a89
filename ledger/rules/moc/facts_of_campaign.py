"""Facts of the campaign and its seats: tables, arcs, sessions, the deck, nominations."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, SceneId, Story, Title
from ledger.rules.moc.domains import ArcId, CardName, CardNames, RowName, SessionId, TableName
from ledger.rules.moc.tables import Location, Skill, Weapon

# --- about the campaign ---


@fact("table-row-set")
class TableRowSet:
    """A row of one of the campaign's tables was set. `table`: skills, weapons, locations, healing, ag or uses. Of the
    remaining fields, only the one for that table has a value.
    """

    table: TableName
    row: RowName
    skill: Skill | None = None
    weapon: Weapon | None = None
    location: Location | None = None
    number: int = 0
    text: Story = ""


@fact("arc-opened")
class ArcOpened:
    """An arc began. `xp`: the value of the chips that can be awarded in it."""

    arc: ArcId
    name: Title
    xp: int


@fact("purse-enlarged")
class PurseEnlarged:
    """The arc's purse was enlarged. `xp`: by how much."""

    arc: ArcId
    xp: int
    reason: Reason


@fact("arc-ended")
class ArcEnded:
    """The arc ended."""

    arc: ArcId


@fact("play-begun")
class PlayBegun:
    """A session begins: the deck is complete and shuffled."""

    session: SessionId


@fact("session-ended")
class SessionEnded:
    """A session ended: its cards are back in the deck."""

    session: SessionId


@fact("interval-opened")
class IntervalOpened:
    """The time between two scenes began. `after`: the scene that ended."""

    after: SceneId


@fact("interval-ended")
class IntervalEnded:
    """A scene begins."""

    scene: SceneId


@fact("deck-cut")
class DeckCut:
    """These cards left the deck. Nobody can see this. `by_ledger`: the ledger dealt them."""

    cards: CardNames
    by_ledger: bool = False


@fact("card-shown")
class CardShown:
    """Everybody has seen the card, so nobody can draw it again this session."""

    card: CardName


@fact("deck-counted")
class DeckCounted:
    """After the session: cards that were entered twice by mistake. Usually none."""

    twice: CardNames = ()


@fact("nominations-tallied")
class NominationsTallied:
    """The nominations of a session were counted. `winners`: the characters with enough of them."""

    session: SessionId
    winners: tuple[CharacterId, ...]


# --- about a seat ---


@fact("nomination-made")
class NominationMade:
    """Secret: who nominated whom in which session."""

    nominee: CharacterId
    session: SessionId


CampaignFact: TypeAlias = (
    TableRowSet | ArcOpened | PurseEnlarged | ArcEnded | PlayBegun | SessionEnded | IntervalOpened
    | IntervalEnded | DeckCut | CardShown | DeckCounted | NominationsTallied | NominationMade
)  # fmt: skip
