"""Facts of cards, chips and beads outside actions, and of period dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason
from ledger.rules.moc.domains import (
    ActionId,
    AudienceName,
    CardName,
    CardNames,
    ColourName,
    DiceAdvantage,
    ElementName,
    PeriodName,
    SessionId,
    TraitId,
)


@fact("cards-drawn")
class CardsDrawn:
    """Secret. `seen_by`: who can see the hand."""

    session: SessionId
    cards: CardNames
    seen_by: tuple[AudienceName, ...]


@fact("cards-kept")
class CardsKept:
    """Secret. The other cards are discarded unseen."""

    cards: CardNames


@fact("hand-discarded")
class HandDiscarded:
    cards: CardNames


@fact("card-discarded")
class CardDiscarded:
    card: CardName


@fact("card-exchanged-for-beads")
class CardExchangedForBeads:
    card: CardName
    element: ElementName
    beads: int


@fact("card-shifted-beads")
class CardShiftedBeads:
    card: CardName
    source: ElementName
    target: ElementName
    beads: int


@fact("villains-drew")
class VillainsDrew:
    """About the scene: the villains drew cards. Only game masters can see which."""

    cards: CardNames


@fact("villain-card-used")
class VillainCardUsed:
    card: CardName


@fact("beads-replenished")
class BeadsReplenished:
    """Beads that were used come back at a turn's end, by an Advantage."""

    element: ElementName
    number: int


@fact("discard-forced")
class DiscardForced:
    """An Advantage (`trait`) makes these characters discard cards."""

    trait: TraitId
    targets: tuple[CharacterId, ...]
    number: int


@fact("villain-card-exchanged")
class VillainCardExchanged:
    """A card that the villains shared became beads of one villain."""

    card: CardName
    element: ElementName
    beads: int


@fact("chips-traded-up")
class ChipsTradedUp:
    given: Mapping[ColourName, int]
    taken: ColourName


@fact("chips-traded-down")
class ChipsTradedDown:
    given: ColourName
    taken: Mapping[ColourName, int]


@fact("chips-given-back")
class ChipsGivenBack:
    given: Mapping[ColourName, int]


@fact("chip-spent-on-cards")
class ChipSpentOnCards:
    chip: ColourName
    cards: int


@fact("chip-exchanged-for-cards")
class ChipExchangedForCards:
    """Secret. `seen_by`: who can see the hand."""

    cards: CardNames
    seen_by: tuple[AudienceName, ...]


@fact("chip-exchanged-for-beads")
class ChipExchangedForBeads:
    chip: ColourName
    beads: Mapping[ElementName, int]


@fact("chip-became-point")
class ChipBecamePoint:
    pass


@fact("chip-awarded")
class ChipAwarded:
    chips: Mapping[ColourName, int]
    reason: Reason
    value: int


@fact("chips-penalised")
class ChipsPenalised:
    chips: Mapping[ColourName, int]
    reason: Reason


@fact("beads-allocated")
class BeadsAllocated:
    """`pools`: all beads by Element, including the archetype's. `cost`: beads of the allowance spent on moving beads.

    `by_default`: nobody allocated, so all are in the primary Element. This can change until the first bead is used.
    """

    allowance: int
    cost: int
    pools: Mapping[ElementName, int]
    by_default: bool = False


@fact("beads-ended")
class BeadsEnded:
    pass


@fact("beads-trumped")
class BeadsTrumped:
    """Beads that were trumped and did not go back."""

    number: int


@fact("session-bead-used")
class SessionBeadUsed:
    element: ElementName


@fact("period-dice-given")
class PeriodDiceGiven:
    advantage: DiceAdvantage
    number: int


@fact("period-dice-used")
class PeriodDiceUsed:
    advantage: DiceAdvantage
    number: int
    action: ActionId


@fact("period-dice-returned")
class PeriodDiceReturned:
    period: PeriodName


@fact("vortex-forced")
class VortexForced:
    target: CharacterId


ModifierFact: TypeAlias = (
    CardsDrawn | CardsKept | HandDiscarded | CardDiscarded | CardExchangedForBeads | CardShiftedBeads
    | VillainsDrew | VillainCardUsed | ChipsTradedUp | ChipsTradedDown | ChipsGivenBack | ChipSpentOnCards
    | ChipExchangedForCards | ChipExchangedForBeads | ChipBecamePoint | ChipAwarded | ChipsPenalised
    | BeadsAllocated | BeadsEnded | BeadsTrumped | SessionBeadUsed | PeriodDiceGiven | PeriodDiceUsed
    | PeriodDiceReturned | VortexForced | VillainCardExchanged
    | BeadsReplenished | DiscardForced
)  # fmt: skip
