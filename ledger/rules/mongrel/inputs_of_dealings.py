"""What people do with what they have: Vows and words, features, Credit, possessions, character points.

Characters are named by id, possessions by theirs. A `Number` may be anything, as in `inputs`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.mongrel import outcomes
from ledger.rules.mongrel.terms import Number

# --- characters ------------------------------------------------------------------------------------------------------


@declares("make-vow", either("character"), records=("vow-made",))
class MakeVow:
    """A Vow to a `person`, a `house` or a `goal` (`about`)."""

    character: str
    object: str
    about: str = "goal"


@declares("end-vow", GM, records=("vow-ended",))
class EndVow:
    """The Vow with this object (`vow`) is `fulfilled`, or `ended` otherwise. What it gave stays."""

    character: str
    vow: str
    outcome: str
    reason: str


@declares("describe", either("character"), records=("described",))
class Describe:
    """What the character looks like, in words of one's own."""

    character: str
    text: str


@declares("reveal", GM, records=("revealed",))
class Reveal:
    """What a task (`ruling`) told the character, by Know above all."""

    character: str
    text: str
    ruling: str | None = None


@declares("mark-features", GM, records=("features-used",))
class MarkFeatures:
    """Features count as used in the session, though no roll said so."""

    character: str
    features: tuple[str, ...]
    reason: str = ""


@declares("allocate-power", either("character"), records=("power-allocated",))
class AllocatePower:
    """Points of the Power not yet allocated go to one of its options."""

    character: str
    option: str
    points: Number = 1


@declares("set-status", GM, records=("status-set",))
class SetStatus:
    """Where a table keeps status within a House: it changes by ruling only."""

    character: str
    status: Number
    reason: str = ""


# --- Credit ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sale:
    """What every way to buy has in common; `purchase` says what it means."""

    __slots__ = ()  # those are made where a way to buy is declared
    buyer: str
    item: str
    house: str
    _: KW_ONLY
    power: tuple[str, ...] = ()
    seller: str | None = None
    social: Number = None
    difficulty: Number = 0
    reason: str = ""
    available: bool = True
    faces: tuple[Number, ...] | None = None
    sacrifice: Number = None
    weapon: Number = None
    armour: Number = None
    possession: str | None = None
    agreed: str | None = None


@declares("purchase", either("buyer"), records=("action-declared", *outcomes.DEFENCE, *outcomes.PURCHASE, "turn-ended"))
class Purchase(Sale):
    """Something is bought with Credit of one House. `seller`: a character; or nobody, with their `social` score.

    `possession`: one of the seller's, whose seat says whether it is for sale. `sacrifice`: the Credit offered where it
    takes some; left out, the buyer's seat is asked then. The seller's seat has to agree, or for who is nobody's
    character a game master. `weapon`, `armour`: what it is worth as one. `agreed`: why a game master takes the seller
    to agree, unasked. In a conflict it is an action in its order, and a seller who is there may defend.
    """

    expertise: str = "negotiate"


@declares(
    "occult-purchase",
    either("buyer"),
    records=outcomes.once(*outcomes.SPENT, *outcomes.RESIST, "task-resolved", *outcomes.PURCHASE),
)
class OccultPurchase(Sale):
    """A purchase carried out by Occult in place of the Expertise it `imitates`: for `points` of Infernal Resolve, and
    an hour for each die. The rest as in `purchase`.
    """

    points: Number
    imitates: str = "negotiate"


@declares("gain-item", GM, records=("item-acquired",))
class GainItem:
    """Something is had that was not bought: found, given, always there."""

    character: str
    item: str
    weapon: Number = None
    armour: Number = None
    reason: str = ""


@declares("part-with-item", either("character"), records=("item-parted-with", "item-acquired"))
class PartWithItem:
    """A possession is lost, used up, or given to another character (`to`)."""

    character: str
    possession: str
    to: str | None = None
    reason: str = ""


@declares("transfer-credit", either("character"), records=("credit-transferred",))
class TransferCredit:
    """Between one's own accounts with two Houses: twice what is `credited` leaves the other."""

    character: str
    source: str
    target: str
    credited: Number


@declares("adjust-credit", GM, records=("credit-adjusted",))
class AdjustCredit:
    """Credit changes by ruling: `change` up or down."""

    character: str
    house: str
    change: Number
    reason: str = ""


@declares("change-social", GM, records=("social-changed", "credit-followed-social"))
class ChangeSocial:
    """The lasting Social score becomes `social`, by ruling."""

    character: str
    social: Number
    reason: str = ""


@declares("barter", either("character"), records=("bartered",))
class Barter:
    """Cash or goods change hands, in words."""

    character: str
    text: str


# --- character points ------------------------------------------------------------------------------------------------


@declares("note-present", GM, records=("session-played",))
class NotePresent:
    """These played the session (left out: the open one, else the last), whether or not they acted."""

    characters: tuple[str, ...]
    session: str | None = None


@declares("award-session", GM, records=("session-awarded", "character-points-awarded"))
class AwardSession:
    """1 or 2 points, the same for everyone who played the session: who acted, and who was noted as present."""

    points: Number
    session: str | None = None
    reason: str = ""


@declares("award-vow", GM, records=("character-points-awarded",))
class AwardVow:
    """A point for a risk taken. `conforming`: to the standards of the Vow, or only about it."""

    character: str
    conforming: bool = True
    session: str | None = None
    reason: str = ""


@declares(
    "raise-feature",
    either("character"),
    records=(
        "character-points-spent", "expertise-raised", "identity-raised", "identity-reduced", "attribute-raised",
        "power-allocated", "social-changed", "credit-followed-social",
    ),
)  # fmt: skip
class RaiseFeature:
    """One feature one level up. `reduce`: the Identity that falls instead. `option`: where a Power's new point goes."""

    character: str
    feature: str
    reduce: str | None = None
    option: str | None = None


Dealing: TypeAlias = (
    MakeVow | EndVow | Describe | Reveal | MarkFeatures | AllocatePower | SetStatus | Purchase | OccultPurchase
    | GainItem | PartWithItem | TransferCredit | AdjustCredit | ChangeSocial | Barter | NotePresent | AwardSession
    | AwardVow | RaiseFeature
)  # fmt: skip
