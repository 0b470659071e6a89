"""Facts of the story, in a scene or between scenes, and of cards that change hands."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Ref, SeatId, Story
from ledger.rules.moc.domains import CardName, ChangeId, ScopeName
from ledger.rules.moc.state_of_actions import Play


@fact("story-changed")
class StoryChanged:
    """Beads, or a card used creatively (`what`), change the story. `tier`: how far the beads reach.

    If a game master agreed to the beads, `what` names their Element and `tier` is 0.
    """

    change: ChangeId
    character: CharacterId
    beads: int
    tier: int
    scope: ScopeName
    text: Story
    what: Play | None = None


@fact("story-vetoed")
class StoryVetoed:
    """The game master vetoed part of the story."""

    change: ChangeId
    reason: Reason


@fact("story-amended")
class StoryAmended:
    """The game master amended part of the story. `text`: what happened instead."""

    change: ChangeId
    text: Story


@fact("narrated")
class Narrated:
    """A description without beads or numbers. `change`: its id. `character`: the character it is about, if any."""

    change: ChangeId
    seat: SeatId
    character: CharacterId
    text: Story


@fact("cards-traded")
class CardsTraded:
    """Two characters traded a card. `by`: the id of the Advantage that allows it."""

    other: CharacterId
    by: Annotated[str, Ref("trait")]


@fact("card-swapped")
class CardSwapped:
    """Secret: what one of the two characters gave and got."""

    given: CardName
    gained: CardName


@fact("trade-declined")
class TradeDeclined:
    """The `other` character does not trade."""

    other: CharacterId


@fact("proposal-vetoed")
class ProposalVetoed:
    """The game master did not approve the use of a bead, card or chip. It is not spent."""

    text: Story


ToldFact: TypeAlias = (
    StoryChanged | StoryVetoed | StoryAmended | Narrated | CardsTraded | CardSwapped | TradeDeclined | ProposalVetoed
)
