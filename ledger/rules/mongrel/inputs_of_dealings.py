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
    Since,
    TaskNumber,
    VowAbout,
    VowObject,
    VowOutcome,
)
from ledger.rules.mongrel.terms import Number

# --- characters ------------------------------------------------------------------------------------------------------


@declares("make-vow", either("character"), records=("vow-made",))
class MakeVow:
    """Make a Vow. `object`: to whom or to what. `about`: whether that is a `person`, a `house` or a `goal`."""

    character: CharacterId
    object: VowObject
    about: VowAbout = "goal"


@declares("end-vow", GM, records=("vow-ended",))
class EndVow:
    """End a Vow. The character keeps what the Vow has already given them.

    `vow`: its object. `outcome`: `fulfilled`, or `ended` without being fulfilled.
    """

    character: CharacterId
    vow: Annotated[str, Ref("vow", of="character")]
    outcome: VowOutcome
    reason: Reason


@declares("describe", either("character"), records=("described",))
class Describe:
    """Describe in your own words what the character looks like."""

    character: CharacterId
    text: Story


@declares("reveal", GM, records=("revealed",))
class Reveal:
    """Record what a character learned, for example with Know. `ruling`: the roll that revealed it."""

    character: CharacterId
    text: Story
    ruling: TaskNumber | None = None


@declares("mark-features", GM, records=("features-used",))
class MarkFeatures:
    """Count features of a character as used in a session, without a roll. Character points can then raise them.

    `session`: leave it out for the open session.
    """

    character: CharacterId
    features: tuple[FeatureName, ...]
    reason: Reason = ""
    session: SessionId | None = None


@declares("allocate-power", either("character"), records=("power-allocated",))
class AllocatePower:
    """Put a character's unallocated Power points into one of the Power's options."""

    character: CharacterId
    option: OptionName
    points: Natural = 1


@declares("set-status", GM, records=("status-set",))
class SetStatus:
    """Set a character's status in their House, if the table uses it."""

    character: CharacterId
    status: Natural
    reason: Reason = ""


# --- Credit ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sale:
    """What both kinds of purchase have in common."""

    __slots__ = ()  # those are made where a way to buy is declared
    buyer: CharacterId
    item: Title
    house: HouseName
    _: KW_ONLY
    power: tuple[OptionName, ...] = ()
    seller: CharacterId | None = None
    social: Annotated[Natural | None, Says("Social of the seller", "For a seller who is not a character.")] = None
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
    """Buy something for Credit with one House. In a conflict this is an action in the order, and a seller who takes
    part may defend.

    `seller`: a character. For anybody else leave it out, and give their `social` score. A player who does not know that
    score leaves it out, too, and a game master is asked.
    `possession`: the seller's possession. The seller's player, or else a game master, decides whether it is for sale.
    You can then leave `item` empty: the possession keeps its name.
    `sacrifice`: the Credit that the buyer gives up if the roll demands it and the seller agrees. Leave it out to be
    asked then.
    `weapon`, `armour`: the item's value as a weapon or as armour.
    `agreed`: the reason why the seller agrees without being asked. Only a game master can give it.
    """

    expertise: ExpertiseName = "negotiate"


@declares(
    "occult-purchase",
    either("buyer"),
    records=outcomes.once(*outcomes.PROPOSED, *outcomes.SPENT, *outcomes.RESIST, "task-resolved", *outcomes.PURCHASE),
)
class OccultPurchase(Sale):
    """Buy something with Occult instead of another Expertise, for points of Infernal Resolve and an hour for each die.
    Otherwise this is like `purchase`.

    `points`: of Infernal Resolve, at least 1. `imitates`: the other Expertise.
    `since`: the minute of the clock at which the ritual began. Leave it out if the ritual begins now.
    """

    points: Amount
    imitates: ExpertiseName = "negotiate"
    since: Since | None = None


@declares("gain-item", GM, records=("item-acquired",))
class GainItem:
    """Give a character a possession that was not bought: found, given or always there.

    `weapon`, `armour`: its value as a weapon or as armour.
    """

    character: CharacterId
    item: Title
    weapon: Natural | None = None
    armour: Natural | None = None
    reason: Reason = ""


@declares("part-with-item", either("character"), records=("item-parted-with", "item-acquired", *outcomes.IN_TURN))
class PartWithItem:
    """Lose a possession, use it up, or give it to another character. `to`: the character who gets it."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    to: CharacterId | None = None
    reason: Reason = ""


@declares("move-item", GM, records=("item-parted-with", "item-acquired"))
class MoveItem:
    """Move a possession to another character, or remove it, without asking its owner: for example, from the dead.

    `to`: the character who gets it. Leave it out if nobody gets it.
    """

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
    """Sell a possession for Credit with one House, to a buyer without a player. A game master must agree to
    the price.

    `buyer`: a character. `customer`: a buyer who is not a character, in your own words.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    house: HouseName
    price: Amount
    buyer: CharacterId | None = None
    customer: Title = ""


@declares("transfer-credit", either("character"), records=("credit-transferred", *outcomes.IN_TURN))
class TransferCredit:
    """Transfer Credit between a character's accounts with two Houses.

    `credited`: the amount that goes to the `target` House. The `source` House loses twice as much.
    """

    character: CharacterId
    source: HouseName
    target: HouseName
    credited: Amount


@declares("adjust-credit", GM, records=("credit-adjusted",))
class AdjustCredit:
    """Change a character's Credit by ruling. `change`: how much Credit rises. A negative number
    lowers it.
    """

    character: CharacterId
    house: HouseName
    change: Change
    reason: Reason = ""


@declares("change-social", GM, records=("social-changed", "credit-followed-social"))
class ChangeSocial:
    """Change a character's lasting Social score by ruling. `social`: the new score."""

    character: CharacterId
    social: Natural
    reason: Reason = ""


@declares("barter", either("character"), records=("bartered", *outcomes.IN_TURN))
class Barter:
    """Record a barter of cash or goods, in words. No balance changes."""

    character: CharacterId
    text: Story


# --- character points ------------------------------------------------------------------------------------------------


@declares("note-present", GM, records=("session-played",))
class NotePresent:
    """Record that these characters played a session, whether or not they acted.

    `session`: leave it out for the open session, or for the last one if none is open.
    """

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


@declares("award-session", GM, records=("session-awarded", "character-points-awarded"))
class AwardSession:
    """Award 1 or 2 character points to each character who played the session: who acted in it, or was recorded as
    present. `session`: leave it out for the open session, or for the last one if none is open.
    """

    points: Annotated[Number, Between(1, 2)]
    session: SessionId | None = None
    reason: Reason = ""


@declares("award-vow", GM, records=("character-points-awarded",))
class AwardVow:
    """Award a character point for a risk that a character took for a Vow.

    `conforming`: the risk was taken to conform to the Vow. `session`: leave it out for the open session, or for the
    last one if none is open.
    """

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
    """Raise a feature by one level, for character points.

    `reduce`: for an Identity, another one that falls by 1, so that the raise is cheaper. `option`: for a Power, the
    option that gets the new point.
    """

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
