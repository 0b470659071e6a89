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
    """Secret: the cards that were drawn. `seen_by`: who can see the hand."""

    session: SessionId
    cards: CardNames
    seen_by: tuple[AudienceName, ...]


@fact("cards-kept")
class CardsKept:
    """Secret: the cards that were kept. The others were discarded unseen."""

    cards: CardNames


@fact("hand-discarded")
class HandDiscarded:
    """The cards that were left in a hand were discarded."""

    cards: CardNames


@fact("card-discarded")
class CardDiscarded:
    """A card was discarded."""

    card: CardName


@fact("card-exchanged-for-beads")
class CardExchangedForBeads:
    """A card was exchanged for beads."""

    card: CardName
    element: ElementName
    beads: int


@fact("card-shifted-beads")
class CardShiftedBeads:
    """A card was used to move beads from one Element to another."""

    card: CardName
    source: ElementName
    target: ElementName
    beads: int


@fact("villains-drew")
class VillainsDrew:
    """Subject: the scene. The villains drew cards. Only game masters can see which."""

    cards: CardNames


@fact("villain-card-used")
class VillainCardUsed:
    """A card that the villains share was used."""

    card: CardName


@fact("beads-replenished")
class BeadsReplenished:
    """Because of an Advantage, used beads came back at the end of a turn."""

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
    """A card that the villains shared was exchanged for beads of one villain."""

    card: CardName
    element: ElementName
    beads: int


@fact("chips-traded-up")
class ChipsTradedUp:
    """Several chips were traded for one of higher value."""

    given: Mapping[ColourName, int]
    taken: ColourName


@fact("chips-traded-down")
class ChipsTradedDown:
    """A chip was traded for several of lower value."""

    given: ColourName
    taken: Mapping[ColourName, int]


@fact("chips-given-back")
class ChipsGivenBack:
    """A player gave chips back to the bank."""

    given: Mapping[ColourName, int]


@fact("chip-spent-on-cards")
class ChipSpentOnCards:
    """A chip was exchanged for cards. `cards`: how many."""

    chip: ColourName
    cards: int


@fact("chip-exchanged-for-cards")
class ChipExchangedForCards:
    """Secret: the cards that were drawn for a chip. `seen_by`: who can see the hand."""

    cards: CardNames
    seen_by: tuple[AudienceName, ...]


@fact("chip-exchanged-for-beads")
class ChipExchangedForBeads:
    """A chip was exchanged for beads."""

    chip: ColourName
    beads: Mapping[ElementName, int]


@fact("chip-became-point")
class ChipBecamePoint:
    pass


@fact("chip-awarded")
class ChipAwarded:
    """Chips were awarded. `value`: their total value, which counts against the arc's purse."""

    chips: Mapping[ColourName, int]
    reason: Reason
    value: int


@fact("chips-penalised")
class ChipsPenalised:
    """Chips were taken away as a penalty."""

    chips: Mapping[ColourName, int]
    reason: Reason


@fact("beads-allocated")
class BeadsAllocated:
    """A character's beads were allocated. `pools`: all beads by Element, including the archetype's. `cost`: how many
    beads of the allowance were spent on moving beads. `by_default`: whether nobody allocated the beads, so that all of
    them are in the primary Element. The allocation can change until the first bead is used.
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
    """Beads that were trumped and did not go back to the player."""

    number: int


@fact("session-bead-used")
class SessionBeadUsed:
    """A bead that an Advantage gives once a session was used."""

    element: ElementName


@fact("period-dice-given")
class PeriodDiceGiven:
    """A character got period dice: dice that come back after a scene, a session or an arc."""

    advantage: DiceAdvantage
    number: int


@fact("period-dice-used")
class PeriodDiceUsed:
    """Period dice were used. `action`: the action, if they were used in one."""

    advantage: DiceAdvantage
    number: int
    action: ActionId


@fact("period-dice-returned")
class PeriodDiceReturned:
    """Used dice came back at the end of a scene, a session or an arc."""

    period: PeriodName


@fact("vortex-forced")
class VortexForced:
    """The character's Vortex made another character discard a card."""

    target: CharacterId


ModifierFact: TypeAlias = (
    CardsDrawn | CardsKept | HandDiscarded | CardDiscarded | CardExchangedForBeads | CardShiftedBeads
    | VillainsDrew | VillainCardUsed | ChipsTradedUp | ChipsTradedDown | ChipsGivenBack | ChipSpentOnCards
    | ChipExchangedForCards | ChipExchangedForBeads | ChipBecamePoint | ChipAwarded | ChipsPenalised
    | BeadsAllocated | BeadsEnded | BeadsTrumped | SessionBeadUsed | PeriodDiceGiven | PeriodDiceUsed
    | PeriodDiceReturned | VortexForced | VillainCardExchanged
    | BeadsReplenished | DiscardForced
)  # fmt: skip
