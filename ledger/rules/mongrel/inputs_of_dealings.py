"""What people do with what they have: Vows and words, features, Credit, possessions, character points.

Characters are named by id, possessions by theirs. A `Number` may be anything, as in `inputs`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref, Says, Story, Title
from ledger.rules.mongrel import outcomes
from ledger.rules.mongrel.domains import (
    Amount,
    Change,
    Difficulty,
    ExpertiseName,
    Faces,
    FeatureName,
    HouseName,
    IdentityName,
    Natural,
    OptionName,
    SessionId,
    TaskNumber,
    VowAbout,
    VowObject,
    VowOutcome,
)
from ledger.rules.mongrel.terms import Number

# --- characters ------------------------------------------------------------------------------------------------------


@declares("make-vow", either("character"), records=("vow-made",))
class MakeVow:
    """A Vow to a `person`, a `house` or a `goal` (`about`)."""

    character: CharacterId
    object: VowObject
    about: VowAbout = "goal"


@declares("end-vow", GM, records=("vow-ended",))
class EndVow:
    """The Vow with this object (`vow`) is `fulfilled`, or `ended` otherwise. What it gave stays."""

    character: CharacterId
    vow: Annotated[str, Ref("vow", of="character")]
    outcome: VowOutcome
    reason: Reason


@declares("describe", either("character"), records=("described",))
class Describe:
    """What the character looks like, in words of one's own."""

    character: CharacterId
    text: Story


@declares("reveal", GM, records=("revealed",))
class Reveal:
    """What a task (`ruling`) told the character, by Know above all."""

    character: CharacterId
    text: Story
    ruling: TaskNumber | None = None


@declares("mark-features", GM, records=("features-used",))
class MarkFeatures:
    """Features count as used in the session, though no roll said so. Between sessions `session` says in which."""

    character: CharacterId
    features: tuple[FeatureName, ...]
    reason: Reason = ""
    session: SessionId | None = None


@declares("allocate-power", either("character"), records=("power-allocated",))
class AllocatePower:
    """Points of the Power not yet allocated go to one of its options."""

    character: CharacterId
    option: OptionName
    points: Natural = 1


@declares("set-status", GM, records=("status-set",))
class SetStatus:
    """Where a table keeps status within a House: it changes by ruling only."""

    character: CharacterId
    status: Natural
    reason: Reason = ""


# --- Credit ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sale:
    """What every way to buy has in common; `purchase` says what it means."""

    __slots__ = ()  # those are made where a way to buy is declared
    buyer: CharacterId
    item: Title
    house: HouseName
    _: KW_ONLY
    power: tuple[OptionName, ...] = ()
    seller: CharacterId | None = None
    social: Annotated[
        Natural | None, Says("Social of who sells", "The attribute of a seller who is nobody's character.")
    ] = None
    difficulty: Difficulty = 0
    reason: Reason = ""
    available: bool = True
    faces: Faces | None = None
    sacrifice: Amount | None = None
    weapon: Natural | None = None
    armour: Natural | None = None
    possession: Annotated[str, Ref("possession", of="seller")] | None = None
    agreed: Reason | None = None


@declares(
    "purchase",
    either("buyer"),
    records=(*outcomes.PROPOSED, "action-declared", *outcomes.DEFENCE, *outcomes.PURCHASE, "turn-ended"),
)
class Purchase(Sale):
    """Something is bought with Credit of one House. `seller`: a character; or nobody, with their `social` score.

    `possession`: one of the seller's, whose seat says whether it is for sale. `sacrifice`: the Credit offered where it
    takes some; left out, the buyer's seat is asked then. The seller's seat has to agree, or for who is nobody's
    character a game master; a price named later is asked again. `weapon`, `armour`: what it is worth as one.
    `agreed`: why a game master takes the seller to agree to what is declared, unasked. In a conflict it is an action
    in its order, and a seller who is there may defend.
    """

    expertise: ExpertiseName = "negotiate"


@declares(
    "occult-purchase",
    either("buyer"),
    records=outcomes.once(*outcomes.PROPOSED, *outcomes.SPENT, *outcomes.RESIST, "task-resolved", *outcomes.PURCHASE),
)
class OccultPurchase(Sale):
    """A purchase carried out by Occult in place of the Expertise it `imitates`: for `points` of Infernal Resolve, and
    an hour for each die. The rest as in `purchase`.
    """

    points: Amount
    imitates: ExpertiseName = "negotiate"


@declares("gain-item", GM, records=("item-acquired",))
class GainItem:
    """Something is had that was not bought: found, given, always there."""

    character: CharacterId
    item: Title
    weapon: Natural | None = None
    armour: Natural | None = None
    reason: Reason = ""


@declares("part-with-item", either("character"), records=("item-parted-with", "item-acquired", *outcomes.IN_TURN))
class PartWithItem:
    """A possession is lost, used up, or given to another character (`to`)."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    to: CharacterId | None = None
    reason: Reason = ""


@declares("move-item", GM, records=("item-parted-with", "item-acquired"))
class MoveItem:
    """A possession goes to another character (`to`) or is gone, whatever its owner wants: of the dead above all."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    reason: Reason
    to: CharacterId | None = None


@declares(
    "sell-item",
    either("character"),
    records=("sale-called-off", "item-sold", "item-parted-with", "item-acquired", *outcomes.IN_TURN),
)
class SellItem:
    """A possession is sold for Credit with one House, to a buyer whom no player plays.

    A game master agrees to the price. `buyer`: a character; or nobody's, with a name in words (`customer`).
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    house: HouseName
    price: Amount
    buyer: CharacterId | None = None
    customer: Title = ""


@declares("transfer-credit", either("character"), records=("credit-transferred", *outcomes.IN_TURN))
class TransferCredit:
    """Between one's own accounts with two Houses: twice what is `credited` leaves the other."""

    character: CharacterId
    source: HouseName
    target: HouseName
    credited: Amount


@declares("adjust-credit", GM, records=("credit-adjusted",))
class AdjustCredit:
    """Credit changes by ruling: `change` up or down."""

    character: CharacterId
    house: HouseName
    change: Change
    reason: Reason = ""


@declares("change-social", GM, records=("social-changed", "credit-followed-social"))
class ChangeSocial:
    """The lasting Social score becomes `social`, by ruling."""

    character: CharacterId
    social: Natural
    reason: Reason = ""


@declares("barter", either("character"), records=("bartered", *outcomes.IN_TURN))
class Barter:
    """Cash or goods change hands, in words."""

    character: CharacterId
    text: Story


# --- character points ------------------------------------------------------------------------------------------------


@declares("note-present", GM, records=("session-played",))
class NotePresent:
    """These played the session (left out: the open one, else the last), whether or not they acted."""

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


@declares("award-session", GM, records=("session-awarded", "character-points-awarded"))
class AwardSession:
    """1 or 2 points, the same for everyone who played the session: who acted, and who was noted as present."""

    points: Annotated[Number, Between(1, 2)]
    session: SessionId | None = None
    reason: Reason = ""


@declares("award-vow", GM, records=("character-points-awarded",))
class AwardVow:
    """A point for a risk taken. `conforming`: to the standards of the Vow, or only about it."""

    character: CharacterId
    conforming: bool = True
    session: SessionId | None = None
    reason: Reason = ""


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

    character: CharacterId
    feature: FeatureName
    reduce: IdentityName | None = None
    option: OptionName | None = None


Dealing: TypeAlias = (
    MakeVow | EndVow | Describe | Reveal | MarkFeatures | AllocatePower | SetStatus | Purchase | OccultPurchase
    | GainItem | PartWithItem | MoveItem | SellItem | TransferCredit | AdjustCredit | ChangeSocial | Barter
    | NotePresent | AwardSession
    | AwardVow | RaiseFeature
)  # fmt: skip
