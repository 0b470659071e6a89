"""What can become true of what people have: Credit, possessions, sessions and character points. About the character."""

from __future__ import annotations

from ledger.rules.kernel.declarations import fact
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

    buyer: str
    item: str
    house: House
    seller: str | None
    outcome: PurchaseOutcome
    tn: int
    credit: int
    good: int
    special_social: Special | None
    special_credit: Special | None
    effect: int


@fact("sale-declined")
class SaleDeclined:
    """The seller's side keeps what it has; nothing was rolled."""

    buyer: str
    item: str
    seller: str
    possession: str


@fact("credit-sacrificed")
class CreditSacrificed:
    buyer: str
    house: House
    amount: int
    seller: str | None


@fact("item-acquired")
class ItemAcquired:
    """`possession`: its id. `credit`: paid for it, with the House. `weapon`, `armour`: its value, where it is one."""

    character: str
    possession: str
    item: str
    credit: int
    house: House | None
    weapon: int | None
    armour: int | None
    reason: str


@fact("item-parted-with")
class ItemPartedWith:
    """`to`: the character that has it now, if one does."""

    character: str
    possession: str
    item: str
    to: str | None
    reason: str


@fact("credit-transferred")
class CreditTransferred:
    character: str
    source: House
    target: House
    debited: int
    credited: int


@fact("social-changed")
class SocialChanged:
    """By ruling the score becomes `new`; by improvement the raised attribute already has."""

    character: str
    old: int
    new: int
    change: int
    cause: SocialCause
    reason: str


@fact("credit-followed-social")
class CreditFollowedSocial:
    character: str
    house: House
    change: int


@fact("credit-adjusted")
class CreditAdjusted:
    character: str
    house: House
    change: int
    reason: str


@fact("bartered")
class Bartered:
    character: str
    text: str


# --- sessions and character points -----------------------------------------------------------------------------------


@fact("session-numbered")
class SessionNumbered:
    """About the campaign: a session was closed, the `number`th."""

    session: str
    number: int


@fact("session-played")
class SessionPlayed:
    """Acted without a roll, or was noted as there. `session`: its number, as in `features-used`."""

    character: str
    session: int


@fact("session-awarded")
class SessionAwarded:
    """About the campaign: what everybody gets who played the session."""

    session: str
    points: int


@fact("character-points-awarded")
class CharacterPointsAwarded:
    character: str
    amount: int
    reason: AwardReason
    session: str
    why: str


@fact("character-points-spent")
class CharacterPointsSpent:
    character: str
    cost: int
    feature: str


@fact("expertise-raised")
class ExpertiseRaised:
    character: str
    expertise: str


@fact("identity-raised")
class IdentityRaised:
    character: str
    identity: Identity


@fact("identity-reduced")
class IdentityReduced:
    character: str
    identity: Identity


@fact("attribute-raised")
class AttributeRaised:
    character: str
    attribute: Attribute


@fact("power-allocated")
class PowerAllocated:
    character: str
    option: str
    points: int
