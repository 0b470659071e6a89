"""Facts of Credit, possessions, sessions and character points. About the character, unless stated otherwise."""

from __future__ import annotations

from typing import Annotated

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Ref, Story, Title
from ledger.rules.mongrel.domains import ExpertiseName, FeatureName, HouseName, OptionName, SessionId
from ledger.rules.mongrel.terms import (
    Attribute,
    AwardReason,
    House,
    Identity,
    PurchaseOutcome,
    SocialCause,
    Special,
)

# --- Credit ----------------------------------------------------------------------------------------------------------


@fact("purchase-rolled")
class PurchaseRolled:
    """A purchase is rolled. `tn`: the target number from the seller's Social. `good`: how many dice count for
    the Effect."""

    buyer: CharacterId
    item: Title
    house: House
    seller: CharacterId | None
    outcome: PurchaseOutcome
    tn: int
    credit: int
    good: int
    special_social: Special | None
    special_credit: Special | None
    effect: int


@fact("purchase-resisted")
class PurchaseResisted:
    """A purchase by Occult fails because Resist left no Effect."""

    buyer: CharacterId
    item: Title
    seller: CharacterId


@fact("sale-declined")
class SaleDeclined:
    """The seller's side does not sell. Nothing was rolled."""

    buyer: CharacterId
    item: Title
    seller: CharacterId
    possession: Annotated[str, Ref("possession", of="seller")]


@fact("credit-sacrificed")
class CreditSacrificed:
    """A buyer gives up Credit to get an item."""

    buyer: CharacterId
    house: House
    amount: int
    seller: CharacterId | None


@fact("item-acquired")
class ItemAcquired:
    """A character gets a possession. `credit`: what was paid for it. `weapon`, `armour`: its values as a weapon and as
    armour.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    credit: int
    house: House | None
    weapon: int | None
    armour: int | None
    reason: Reason


@fact("item-parted-with")
class ItemPartedWith:
    """A character parts with a possession. `to`: the character who gets it, if anybody does."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    to: CharacterId | None
    reason: Reason


@fact("item-sold")
class ItemSold:
    """A possession is sold. `price`: in Credit with the House. `buyer`: a character, or `customer`: anybody else."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    house: House
    price: int
    buyer: CharacterId | None
    customer: Title


@fact("sale-called-off")
class SaleCalledOff:
    """A sale is called off: the seller's side or a game master does not agree to the price."""

    character: CharacterId
    item: Title


@fact("credit-transferred")
class CreditTransferred:
    """A character moves Credit from one House to another. `debited`: what the first account loses. `credited`: what the
    other gains.
    """

    character: CharacterId
    source: House
    target: HouseName
    debited: int
    credited: int


@fact("social-changed")
class SocialChanged:
    """A character's Social changes, because a game master says so or because it was raised with character points."""

    character: CharacterId
    old: int
    new: int
    change: int
    cause: SocialCause
    reason: Reason


@fact("credit-followed-social")
class CreditFollowedSocial:
    """Credit with a character's own House changes together with their Social."""

    character: CharacterId
    house: House
    change: int


@fact("credit-adjusted")
class CreditAdjusted:
    """A game master changes a character's Credit."""

    character: CharacterId
    house: House
    change: int
    reason: Reason


@fact("bartered")
class Bartered:
    """A character barters. `text`: what changes hands, in words."""

    character: CharacterId
    text: Story


# --- sessions and character points -----------------------------------------------------------------------------------


@fact("session-numbered")
class SessionNumbered:
    """Subject: the campaign. A session is closed and gets its number."""

    session: SessionId
    number: int


@fact("session-played")
class SessionPlayed:
    """A character played a session: they acted in it without a roll, or were recorded as present.

    `session`: the number of the session.
    """

    character: CharacterId
    session: int


@fact("session-awarded")
class SessionAwarded:
    """Subject: the campaign. The award for everybody who played the session."""

    session: SessionId
    points: int


@fact("character-points-awarded")
class CharacterPointsAwarded:
    """A character gets character points."""

    character: CharacterId
    amount: int
    reason: AwardReason
    session: SessionId
    why: Reason


@fact("character-points-spent")
class CharacterPointsSpent:
    """A character spends character points to raise a feature."""

    character: CharacterId
    cost: int
    feature: FeatureName


@fact("expertise-raised")
class ExpertiseRaised:
    """An Expertise is raised by one level."""

    character: CharacterId
    expertise: ExpertiseName


@fact("identity-raised")
class IdentityRaised:
    """An Identity is raised by one level."""

    character: CharacterId
    identity: Identity


@fact("identity-reduced")
class IdentityReduced:
    """An Identity falls by 1, so that another one costs less to raise."""

    character: CharacterId
    identity: Identity


@fact("attribute-raised")
class AttributeRaised:
    """An attribute is raised by one level."""

    character: CharacterId
    attribute: Attribute


@fact("power-allocated")
class PowerAllocated:
    """A character assigns points of their Power to one of its options."""

    character: CharacterId
    option: OptionName
    points: int
