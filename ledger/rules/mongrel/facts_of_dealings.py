"""What can become true of what people have: Credit, possessions, sessions and character points. About the character."""

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
    """`tn`: against the seller's Social. `good`: dice that count for Effect."""

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
    """Resist left no Effect of the Occult that was to buy it: the purchase failed."""

    buyer: CharacterId
    item: Title
    seller: CharacterId


@fact("sale-declined")
class SaleDeclined:
    """The seller's side keeps what it has; nothing was rolled."""

    buyer: CharacterId
    item: Title
    seller: CharacterId
    possession: Annotated[str, Ref("possession", of="seller")]


@fact("credit-sacrificed")
class CreditSacrificed:
    buyer: CharacterId
    house: House
    amount: int
    seller: CharacterId | None


@fact("item-acquired")
class ItemAcquired:
    """`possession`: its id. `credit`: paid for it, with the House. `weapon`, `armour`: its value, where it is one."""

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
    """`to`: the character that has it now, if one does."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    to: CharacterId | None
    reason: Reason


@fact("item-sold")
class ItemSold:
    """`price`: in Credit with the House. `buyer`: the character, where it is one; else `customer` in words."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    house: House
    price: int
    buyer: CharacterId | None
    customer: Title


@fact("sale-called-off")
class SaleCalledOff:
    """The seller's side or a game master does not agree to the price."""

    character: CharacterId
    item: Title


@fact("credit-transferred")
class CreditTransferred:
    character: CharacterId
    source: House
    target: HouseName
    debited: int
    credited: int


@fact("social-changed")
class SocialChanged:
    """By ruling the score becomes `new`; by improvement the raised attribute already has."""

    character: CharacterId
    old: int
    new: int
    change: int
    cause: SocialCause
    reason: Reason


@fact("credit-followed-social")
class CreditFollowedSocial:
    character: CharacterId
    house: House
    change: int


@fact("credit-adjusted")
class CreditAdjusted:
    character: CharacterId
    house: House
    change: int
    reason: Reason


@fact("bartered")
class Bartered:
    character: CharacterId
    text: Story


# --- sessions and character points -----------------------------------------------------------------------------------


@fact("session-numbered")
class SessionNumbered:
    """About the campaign: a session was closed, the `number`th."""

    session: SessionId
    number: int


@fact("session-played")
class SessionPlayed:
    """Acted without a roll, or was noted as there. `session`: its number, as in `features-used`."""

    character: CharacterId
    session: int


@fact("session-awarded")
class SessionAwarded:
    """About the campaign: what everybody gets who played the session."""

    session: SessionId
    points: int


@fact("character-points-awarded")
class CharacterPointsAwarded:
    character: CharacterId
    amount: int
    reason: AwardReason
    session: SessionId
    why: Reason


@fact("character-points-spent")
class CharacterPointsSpent:
    character: CharacterId
    cost: int
    feature: FeatureName


@fact("expertise-raised")
class ExpertiseRaised:
    character: CharacterId
    expertise: ExpertiseName


@fact("identity-raised")
class IdentityRaised:
    character: CharacterId
    identity: Identity


@fact("identity-reduced")
class IdentityReduced:
    character: CharacterId
    identity: Identity


@fact("attribute-raised")
class AttributeRaised:
    character: CharacterId
    attribute: Attribute


@fact("power-allocated")
class PowerAllocated:
    character: CharacterId
    option: OptionName
    points: int
