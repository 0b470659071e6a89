"""What people do with cards, chips and beads outside of actions: hands, exchanges, trades, awards, allocation."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import GM, declares, either, named_seat, owner
from ledger.rules.kernel.domains import CharacterId, Reason, Says, SeatId
from ledger.rules.moc.acting import acts, nobody_acts
from ledger.rules.moc.domains import (
    BeadCounts,
    CardName,
    CardNames,
    ChipCounts,
    ColourName,
    ElementName,
    HowMany,
    OwnTrait,
    Positive,
    SuitName,
)

# --- cards ---


@acts("character")
@declares("draw-hand", owner("character"), records=("cards-drawn", "deck-cut", "cards-kept"))
class DrawHand:
    """A session's hand. `drawn` and `kept`: both left out, the ruling draws and asks."""

    character: CharacterId
    drawn: CardNames | None = None
    kept: CardNames | None = None


@nobody_acts
@declares("draw-villains", GM, records=("villains-drew", "deck-cut"))
class DrawVillains:
    """Cards the most powerful villains of the scene share."""

    size: Annotated[Positive, Says("How many")]
    drawn: CardNames | None = None


@acts("character")
@declares(
    "exchange-card",
    owner("character"),
    records=("card-exchanged-for-beads", "card-shown", "villain-card-used", "villain-card-exchanged"),
)
class ExchangeCard:
    """A card becomes beads of its Element. `element`: named by a Wildcard. A villain exchanges the villains' cards."""

    character: CharacterId
    card: CardName
    element: SuitName | None = None


@acts("character")
@declares("shift-beads", owner("character"), records=("card-shifted-beads", "card-shown"))
class ShiftBeads:
    """In the interval, a card moves beads from one Element to another."""

    character: CharacterId
    card: CardName
    source: Annotated[ElementName, Says("From")]
    target: Annotated[ElementName, Says("To")]
    count: HowMany


@acts("character")
@declares("force-vortex", either("character"), records=("vortex-forced", "card-discarded"))
class ForceVortex:
    """Once a session an opponent who holds cards throws one of its choice away."""

    character: CharacterId
    target: CharacterId


@acts("character")
@declares("force-discard", either("character"), records=("discard-forced", "card-discarded"))
class ForceDiscard:
    """Once a session an approved Advantage makes others throw cards of their choice away, as many as were agreed.

    `target`: who, where the Advantage is for one; left out where it is for everybody else.
    """

    character: CharacterId
    trait: OwnTrait
    target: Annotated[CharacterId, Says("Who", "Where the Advantage is for one.")] = ""


@acts("character")
@declares("trade-cards", either("character"), records=("cards-traded", "card-swapped", "trade-declined"))
class TradeCards:
    """Who has an approved Advantage for it trades a card for one of another's.

    The player of the `target` is asked first; then each names the card it gives, which only the two get to know.
    """

    character: CharacterId
    target: CharacterId


# --- chips ---


@acts("character")
@declares("trade-up", either("character"), records=("chips-traded-up",))
class TradeUp:
    """`given`: colour -> number; `taken`: the colour of the one chip."""

    character: CharacterId
    given: ChipCounts
    taken: ColourName


@acts("character")
@declares("trade-down", either("character"), records=("chips-traded-down",))
class TradeDown:
    character: CharacterId
    given: ColourName
    taken: ChipCounts


@nobody_acts
@declares("give-back", either("character"), records=("chips-given-back",))
class GiveBack:
    """Chips go back to the bank for nothing."""

    character: CharacterId
    given: ChipCounts


@acts("character")
@declares(
    "exchange-chip",
    either("character"),
    records=("chip-spent-on-cards", "deck-cut", "chip-exchanged-for-cards", "chip-exchanged-for-beads"),
)
class ExchangeChip:
    """A chip becomes twice its value in `beads` (Element -> number); left out, as many cards as its value.

    Cards of the table's own deck are the answer to what it asks then.
    """

    character: CharacterId
    chip: ColourName
    beads: BeadCounts | None = None


@acts("character")
@declares("chip-to-point", either("character"), records=("chip-became-point",))
class ChipToPoint:
    """At an arc's end, a blue chip becomes a character point."""

    character: CharacterId
    chip: ColourName = "blue"


@nobody_acts
@declares("award-chip", GM, records=("chip-awarded", "purse-enlarged"))
class AwardChip:
    """`enlarge`: the arc's purse is made larger where it does not suffice."""

    character: CharacterId
    chips: ChipCounts
    reason: Reason = ""
    enlarge: Annotated[bool, Says("Enlarge the purse", "Where the arc's purse does not suffice.")] = False


@nobody_acts
@declares("penalise", GM, records=("chips-penalised",))
class Penalise:
    """`chips`: left out, one white."""

    character: CharacterId
    reason: Reason
    chips: ChipCounts | None = None


@nobody_acts
@declares("nominate", named_seat("seat"), records=("nomination-made",))
class Nominate:
    """Secret: the player of this seat names another player's character for an experience chip."""

    seat: SeatId
    nominee: CharacterId


@nobody_acts
@declares("tally-nominations", GM, records=("nominations-tallied", "chip-awarded", "purse-enlarged"))
class TallyNominations:
    """`chip`: the colour each winner gets, if not the usual one."""

    chip: ColourName | None = None
    enlarge: Annotated[bool, Says("Enlarge the purse", "Where the arc's purse does not suffice.")] = False


# --- beads ---


@acts("character")
@declares("allocate-beads", either("character"), records=("beads-allocated",))
class AllocateBeads:
    """`beads`: number by Element, without the primary one, which gets the rest.

    In the interval; who said nothing until the scene began may still, once, before the first bead is used.
    """

    character: CharacterId
    beads: BeadCounts = field(default_factory=dict)


@nobody_acts
@declares("announce-scene", GM, records=("beads-allocated",))
class AnnounceScene:
    """A warning that a scene is beginning: who has not allocated is asked. `cast`: whom of; left out, everybody."""

    cast: tuple[CharacterId, ...] = ()


@acts("character")
@declares("use-session-bead", either("character"), records=("session-bead-used",))
class UseSessionBead:
    """A bought extra bead of any Element, once a session."""

    character: CharacterId
    element: ElementName


ModifierInput: TypeAlias = (
    DrawHand | DrawVillains | ExchangeCard | ShiftBeads | ForceVortex | TradeCards | TradeUp | TradeDown | GiveBack
    | ExchangeChip | ChipToPoint | AwardChip | Penalise | Nominate | TallyNominations | AllocateBeads
    | AnnounceScene | UseSessionBead
    | ForceDiscard
)  # fmt: skip
