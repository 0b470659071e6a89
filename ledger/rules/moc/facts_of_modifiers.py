"""What can become true of cards, chips and beads outside of actions, and of dice that come back with a period."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact


@fact("cards-drawn")
class CardsDrawn:
    """Secret. `seen_by`: who may see the hand."""

    session: str
    cards: tuple[str, ...]
    seen_by: tuple[str, ...]


@fact("cards-kept")
class CardsKept:
    """Secret: the rest is thrown away unseen."""

    cards: tuple[str, ...]


@fact("hand-discarded")
class HandDiscarded:
    cards: tuple[str, ...]


@fact("card-discarded")
class CardDiscarded:
    card: str


@fact("card-exchanged-for-beads")
class CardExchangedForBeads:
    card: str
    element: str
    beads: int


@fact("card-shifted-beads")
class CardShiftedBeads:
    card: str
    source: str
    target: str
    beads: int


@fact("villains-drew")
class VillainsDrew:
    """About the scene, for game masters only."""

    cards: tuple[str, ...]


@fact("villain-card-used")
class VillainCardUsed:
    card: str


@fact("chips-traded-up")
class ChipsTradedUp:
    given: Mapping[str, int]
    taken: str


@fact("chips-traded-down")
class ChipsTradedDown:
    given: str
    taken: Mapping[str, int]


@fact("chips-given-back")
class ChipsGivenBack:
    given: Mapping[str, int]


@fact("chip-spent-on-cards")
class ChipSpentOnCards:
    chip: str
    cards: int


@fact("chip-exchanged-for-cards")
class ChipExchangedForCards:
    """Secret: which cards. `seen_by`: who may see the hand."""

    cards: tuple[str, ...]
    seen_by: tuple[str, ...]


@fact("chip-exchanged-for-beads")
class ChipExchangedForBeads:
    chip: str
    beads: Mapping[str, int]


@fact("chip-became-point")
class ChipBecamePoint:
    pass


@fact("chip-awarded")
class ChipAwarded:
    chips: Mapping[str, int]
    reason: str
    value: int


@fact("chips-penalised")
class ChipsPenalised:
    chips: Mapping[str, int]
    reason: str


@fact("beads-allocated")
class BeadsAllocated:
    """`pools`: all beads by Element, with those of the archetype. `cost`: of the allowance, for shifts.

    `by_default`: nothing was said, so all are in the primary Element; until the first is used that may be changed.
    """

    allowance: int
    cost: int
    pools: Mapping[str, int]
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
    element: str


@fact("period-dice-given")
class PeriodDiceGiven:
    advantage: str
    number: int


@fact("period-dice-used")
class PeriodDiceUsed:
    advantage: str
    number: int
    action: str


@fact("period-dice-returned")
class PeriodDiceReturned:
    period: str


@fact("vortex-forced")
class VortexForced:
    target: str


ModifierFact: TypeAlias = (
    CardsDrawn | CardsKept | HandDiscarded | CardDiscarded | CardExchangedForBeads | CardShiftedBeads
    | VillainsDrew | VillainCardUsed | ChipsTradedUp | ChipsTradedDown | ChipsGivenBack | ChipSpentOnCards
    | ChipExchangedForCards | ChipExchangedForBeads | ChipBecamePoint | ChipAwarded | ChipsPenalised
    | BeadsAllocated | BeadsEnded | BeadsTrumped | SessionBeadUsed | PeriodDiceGiven | PeriodDiceUsed
    | PeriodDiceReturned | VortexForced
)  # fmt: skip
