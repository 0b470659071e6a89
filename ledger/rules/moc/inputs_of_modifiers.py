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
    """Draw the session's hand. `drawn`, `kept`: leave both out to draw from the ledger's deck and be asked which cards
    to keep.
    """

    character: CharacterId
    drawn: CardNames | None = None
    kept: CardNames | None = None


@nobody_acts
@declares("draw-villains", GM, records=("villains-drew", "deck-cut"))
class DrawVillains:
    """Draw cards for the most powerful villains of the scene, who share them."""

    size: Annotated[Positive, Says("Cards", "How many cards are drawn.")]
    drawn: CardNames | None = None


@acts("character")
@declares(
    "exchange-card",
    owner("character"),
    records=("card-exchanged-for-beads", "card-shown", "villain-card-used", "villain-card-exchanged"),
)
class ExchangeCard:
    """Exchange a card for beads of its Element. A villain exchanges one of the villains' cards.

    `element`: the Element that a Wildcard names for the card.
    """

    character: CharacterId
    card: CardName
    element: SuitName | None = None


@acts("character")
@declares("shift-beads", owner("character"), records=("card-shifted-beads", "card-shown"))
class ShiftBeads:
    """Use a card between scenes to move beads from one Element to another."""

    character: CharacterId
    card: CardName
    source: Annotated[ElementName, Says("From")]
    target: Annotated[ElementName, Says("To")]
    count: Annotated[HowMany, Says("Beads", "How many beads move.")]


@acts("character")
@declares("force-vortex", either("character"), records=("vortex-forced", "card-discarded"))
class ForceVortex:
    """Use a Vortex, once a session: an opponent who holds cards chooses one of them and discards it."""

    character: CharacterId
    target: CharacterId


@acts("character")
@declares("force-discard", either("character"), records=("discard-forced", "card-discarded"))
class ForceDiscard:
    """Use an approved Advantage, once a session, to make others discard the number of cards that was agreed. They
    choose which.

    `target`: the character who discards, if the Advantage affects one. Leave it out if it affects everybody else.
    """

    character: CharacterId
    trait: OwnTrait
    target: Annotated[CharacterId, Says("Who", "The character who discards, if the Advantage affects only one.")] = ""


@acts("character")
@declares("trade-cards", either("character"), records=("cards-traded", "card-swapped", "trade-declined"))
class TradeCards:
    """Trade a card with another character. This needs an approved Advantage that allows it.

    The player of the `target` is asked first. Then each of the two players names the card to give. Only these two see
    the cards.
    """

    character: CharacterId
    target: CharacterId


# --- chips ---


@acts("character")
@declares("trade-up", either("character"), records=("chips-traded-up",))
class TradeUp:
    """Trade lower chips for one higher chip. `given`: how many chips you give, by colour. `taken`: the colour of the
    chip you get.
    """

    character: CharacterId
    given: ChipCounts
    taken: ColourName


@acts("character")
@declares("trade-down", either("character"), records=("chips-traded-down",))
class TradeDown:
    """Trade a chip for lower chips with the same total value."""

    character: CharacterId
    given: ColourName
    taken: ChipCounts


@nobody_acts
@declares("give-back", either("character"), records=("chips-given-back",))
class GiveBack:
    """Give chips back to the bank for nothing."""

    character: CharacterId
    given: ChipCounts


@acts("character")
@declares(
    "exchange-chip",
    either("character"),
    records=("chip-spent-on-cards", "deck-cut", "chip-exchanged-for-cards", "chip-exchanged-for-beads"),
)
class ExchangeChip:
    """Exchange a chip for beads or cards.

    `beads`: how many beads of each Element. They must add up to twice the chip's value. Leave them out to draw as many
    cards as the chip's value. With a deck of your own, you are asked which cards you drew.
    """

    character: CharacterId
    chip: ColourName
    beads: BeadCounts | None = None


@acts("character")
@declares("chip-to-point", either("character"), records=("chip-became-point",))
class ChipToPoint:
    """Turn a blue chip into a character point at the end of an arc."""

    character: CharacterId
    chip: ColourName = "blue"


@nobody_acts
@declares("award-chip", GM, records=("chip-awarded", "purse-enlarged"))
class AwardChip:
    """Award chips. `enlarge`: add to the arc's purse if it does not have enough."""

    character: CharacterId
    chips: ChipCounts
    reason: Reason = ""
    enlarge: Annotated[bool, Says("Enlarge the purse", "If the arc's purse does not have enough.")] = False


@nobody_acts
@declares("penalise", GM, records=("chips-penalised",))
class Penalise:
    """Take chips away as a penalty. `chips`: leave them out for one white chip."""

    character: CharacterId
    reason: Reason
    chips: ChipCounts | None = None


@nobody_acts
@declares("nominate", named_seat("seat"), records=("nomination-made",))
class Nominate:
    """Nominate another player's character for an experience chip, in secret. `seat`: who nominates. `nominee`: the
    character nominated.
    """

    seat: SeatId
    nominee: CharacterId


@nobody_acts
@declares("tally-nominations", GM, records=("nominations-tallied", "chip-awarded", "purse-enlarged"))
class TallyNominations:
    """Count the nominations of the session. `chip`: the colour of each winner's chip, if not the usual one."""

    chip: ColourName | None = None
    enlarge: Annotated[bool, Says("Enlarge the purse", "If the arc's purse does not have enough.")] = False


# --- beads ---


@acts("character")
@declares("allocate-beads", either("character"), records=("beads-allocated",))
class AllocateBeads:
    """Allocate beads between scenes. `beads`: how many beads go to each Element. Leave out the primary Element, which
    gets the rest.

    If you did not allocate before the scene began, you still can, once, before you use your first bead.
    """

    character: CharacterId
    beads: BeadCounts = field(default_factory=dict)


@nobody_acts
@declares("announce-scene", GM, records=("beads-allocated",))
class AnnounceScene:
    """Announce the next scene. Players who have not allocated their beads are asked how to allocate them.

    `cast`: the characters of the scene. Leave it out for everybody.
    """

    cast: tuple[CharacterId, ...] = ()


@acts("character")
@declares("use-session-bead", either("character"), records=("session-bead-used",))
class UseSessionBead:
    """Take an extra bead that was bought for each session. The bead can be of any Element. Each such purchase gives one
    bead a session.
    """

    character: CharacterId
    element: ElementName


ModifierInput: TypeAlias = (
    DrawHand | DrawVillains | ExchangeCard | ShiftBeads | ForceVortex | TradeCards | TradeUp | TradeDown | GiveBack
    | ExchangeChip | ChipToPoint | AwardChip | Penalise | Nominate | TallyNominations | AllocateBeads
    | AnnounceScene | UseSessionBead
    | ForceDiscard
)  # fmt: skip
