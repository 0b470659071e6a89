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
    DifficultyReason,
    ExpertiseName,
    Faces,
    FeatureName,
    HouseName,
    IdentityName,
    Natural,
    OptionName,
    PowerOptions,
    ResolvePoints,
    SessionId,
    Since,
    TaskNumber,
    VowAbout,
    VowObject,
    VowOutcome,
    WorthAsArmour,
    WorthAsWeapon,
)
from ledger.rules.mongrel.terms import Number

# --- characters ------------------------------------------------------------------------------------------------------


@declares("make-vow", either("character"), records=("vow-made",))
class MakeVow:
    """Make a Vow to a person or a House, or to reach a goal."""

    character: CharacterId
    object: VowObject
    about: VowAbout = "goal"


@declares("end-vow", GM, records=("vow-ended",))
class EndVow:
    """End a Vow. The character keeps what the Vow has already given them.

    `outcome`: `fulfilled`, or `ended` if the Vow was not fulfilled.
    """

    character: CharacterId
    vow: Annotated[str, Ref("vow", of="character")]
    outcome: VowOutcome
    reason: Reason


@declares("describe", either("character"), records=("described",))
class Describe:
    """Describe what the character looks like."""

    character: CharacterId
    text: Annotated[Story, Says("Description")]


@declares("reveal", GM, records=("revealed",))
class Reveal:
    """Record what a character learned, for example with Know. `ruling`: the roll that revealed it."""

    character: CharacterId
    text: Annotated[Story, Says("Discovery", "What the character learns.")]
    ruling: TaskNumber | None = None


@declares("mark-features", GM, records=("features-used",))
class MarkFeatures:
    """Record that a character used features in a session without rolling for them. Character points can then raise
    these features.

    `session`: leave it out for the open session.
    """

    character: CharacterId
    features: tuple[FeatureName, ...]
    reason: Reason = ""
    session: SessionId | None = None


@declares("allocate-power", either("character"), records=("power-allocated",))
class AllocatePower:
    """Assign a character's spare Power points to one of the Power's options."""

    character: CharacterId
    option: Annotated[OptionName, Says("Power option")]
    points: Natural = 1


@declares("set-status", GM, records=("status-set",))
class SetStatus:
    """Set a character's status in their House, at a table that uses status."""

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
    power: PowerOptions = ()
    seller: CharacterId | None = None
    social: Annotated[
        Natural | None,
        Says(
            "Social of the seller",
            "For a seller who is not a character. If you do not know it, leave it out: a game master is asked.",
        ),
    ] = None
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    available: Annotated[bool, Says("Available", "The item can be bought at all.")] = True
    faces: Faces | None = None
    sacrifice: Annotated[Amount | None, Says("Credit to give up")] = None
    weapon: WorthAsWeapon | None = None
    armour: WorthAsArmour | None = None
    possession: Annotated[str, Ref("possession", of="seller")] | None = None
    agreed: Annotated[Reason | None, Says("Seller's reason")] = None


@declares(
    "purchase",
    either("buyer"),
    records=(*outcomes.PROPOSED, "action-declared", *outcomes.DEFENCE, *outcomes.PURCHASE, "turn-ended"),
)
class Purchase(Sale):
    """Buy something with the buyer's Credit. In a conflict, this is an action, and a seller who is in the conflict may
    defend.

    `seller`: a character who sells. For any other seller, give the Social score instead. `house`: the House whose
    Credit the buyer uses.
    `possession`: the seller's possession that you want to buy. The seller's player decides whether it is for sale, or a
    game master if there is no player. You can then leave `item` empty.
    `sacrifice`: how much Credit the buyer gives up, if the roll makes that necessary and the seller agrees. Leave it
    out to be asked when it becomes necessary.
    `agreed`: a reason, if the seller agrees without being asked. Only a game master can give it.
    """

    expertise: ExpertiseName = "negotiate"


@declares(
    "occult-purchase",
    either("buyer"),
    records=outcomes.once(*outcomes.PROPOSED, *outcomes.SPENT, *outcomes.RESIST, "task-resolved", *outcomes.PURCHASE),
)
class OccultPurchase(Sale):
    """Buy something with Occult, which imitates another Expertise. This costs points of Infernal Resolve and an hour
    for each die. All other fields are as in `purchase`.

    `points`: at least 1. `imitates`: the Expertise that Occult stands in for.
    """

    points: ResolvePoints
    imitates: Annotated[ExpertiseName, Says("Expertise imitated")] = "negotiate"
    since: Since | None = None


@declares("gain-item", GM, records=("item-acquired",))
class GainItem:
    """Give a character a possession that they did not buy, but found, were given or always had."""

    character: CharacterId
    item: Title
    weapon: WorthAsWeapon | None = None
    armour: WorthAsArmour | None = None
    reason: Reason = ""


@declares("part-with-item", either("character"), records=("item-parted-with", "item-acquired", *outcomes.IN_TURN))
class PartWithItem:
    """Lose a possession, use it up, or give it to another character.

    `to`: the character who gets it, if anybody does.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    to: Annotated[CharacterId | None, Says("New owner")] = None
    reason: Reason = ""


@declares("move-item", GM, records=("item-parted-with", "item-acquired"))
class MoveItem:
    """Give a character's possession to another character, or remove it, without asking its owner. This is also possible
    if the owner is dead.

    `to`: the character who gets it. Leave it out if nobody does.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    reason: Reason
    to: Annotated[CharacterId | None, Says("New owner")] = None


@declares(
    "sell-item",
    either("character"),
    records=("sale-called-off", "item-sold", "item-parted-with", "item-acquired", *outcomes.IN_TURN),
)
class SellItem:
    """Sell a possession for Credit with one House, to a buyer who has no player. A game master must agree to the price.

    `buyer`: the buyer, if that is a character. `customer`: the buyer, if that is not a character.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    house: HouseName
    price: Amount
    buyer: CharacterId | None = None
    customer: Annotated[Title, Says("Other buyer")] = ""


@declares("transfer-credit", either("character"), records=("credit-transferred", *outcomes.IN_TURN))
class TransferCredit:
    """Move Credit between a character's accounts with two Houses."""

    character: CharacterId
    source: Annotated[HouseName, Says("From House")]
    target: Annotated[HouseName, Says("To House")]
    credited: Annotated[Amount, Says("Credit gained", "The account that gives Credit loses twice as much.")]


@declares("adjust-credit", GM, records=("credit-adjusted",))
class AdjustCredit:
    """Change a character's Credit with a House."""

    character: CharacterId
    house: HouseName
    change: Annotated[Change, Says("Change", "How much to add. A negative number lowers the Credit.")]
    reason: Reason = ""


@declares("change-social", GM, records=("social-changed", "credit-followed-social"))
class ChangeSocial:
    """Change a character's lasting Social score."""

    character: CharacterId
    social: Annotated[Natural, Says("New Social score")]
    reason: Reason = ""


@declares("barter", either("character"), records=("bartered", *outcomes.IN_TURN))
class Barter:
    """Record a trade in cash or goods. No account changes."""

    character: CharacterId
    text: Annotated[Story, Says("Trade", "What changes hands, in words.")]


# --- character points ------------------------------------------------------------------------------------------------


@declares("note-present", GM, records=("session-played",))
class NotePresent:
    """Record that these characters played in a session, even if they did not act.

    `session`: leave it out for the open session, or for the last one if none is open.
    """

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


@declares("award-session", GM, records=("session-awarded", "character-points-awarded"))
class AwardSession:
    """Award 1 or 2 character points to each character who acted in the session or was recorded as present.

    `session`: leave it out for the open session, or for the last one if none is open.
    """

    points: Annotated[Number, Between(1, 2)]
    session: SessionId | None = None
    reason: Reason = ""


@declares("award-vow", GM, records=("character-points-awarded",))
class AwardVow:
    """Award a character point for a risk that a character took for a Vow.

    `session`: leave it out for the open session, or for the last one if none is open.
    """

    character: CharacterId
    conforming: Annotated[bool, Says("Conforming", "The character took the risk to conform to the Vow.")] = True
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
    """Spend character points to raise an Identity, an attribute or an Expertise by one level.

    `reduce`: for an Identity, another Identity that falls by 1. Raising then costs less. `option`: for a Power, the
    option that gets the new point.
    """

    character: CharacterId
    feature: FeatureName
    reduce: Annotated[IdentityName | None, Says("Identity to lower")] = None
    option: Annotated[OptionName | None, Says("Power option")] = None


Dealing: TypeAlias = (
    MakeVow | EndVow | Describe | Reveal | MarkFeatures | AllocatePower | SetStatus | Purchase | OccultPurchase
    | GainItem | PartWithItem | MoveItem | SellItem | TransferCredit | AdjustCredit | ChangeSocial | Barter
    | NotePresent | AwardSession
    | AwardVow | RaiseFeature
)  # fmt: skip
