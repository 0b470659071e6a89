"""What can become true by telling, in a scene or between scenes; and of cards that change hands."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.moc.state import Play


@fact("story-changed")
class StoryChanged:
    """By beads, or (`what`) by a card that was used creatively. `tier`: of the beads; of a card 0."""

    change: str
    character: str
    beads: int
    tier: int
    scope: str
    text: str
    what: Play | None = None


@fact("story-vetoed")
class StoryVetoed:
    change: str
    reason: str


@fact("story-amended")
class StoryAmended:
    change: str
    text: str


@fact("narrated")
class Narrated:
    """Told without beads, and without numbers. `change`: its id. `character`: whom it is told of, if anybody."""

    change: str
    seat: str
    character: str
    text: str


@fact("cards-traded")
class CardsTraded:
    """`by`: the id of the Advantage that allows it."""

    other: str
    by: str


@fact("card-swapped")
class CardSwapped:
    """Secret: what one of the two gave and got."""

    given: str
    gained: str


@fact("trade-declined")
class TradeDeclined:
    """The `other` does not trade."""

    other: str


@fact("proposal-vetoed")
class ProposalVetoed:
    """The game master did not agree to what an EM was to do: it is not spent."""

    text: str


ToldFact: TypeAlias = (
    StoryChanged | StoryVetoed | StoryAmended | Narrated | CardsTraded | CardSwapped | TradeDeclined | ProposalVetoed
)
