"""What buyer and seller agree on: said by who is asked, never claimed for another but by a game master with a reason.

Heading: Character wealth and social status.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit, must_say
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.mongrel import answers
from ledger.rules.mongrel.choices import Accept, NoDeal, Sacrifice, SpeakFor
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_dealings import SaleDeclined
from ledger.rules.mongrel.inputs_of_dealings import Sale
from ledger.rules.mongrel.terms import House, Number, called, is_whole

PURCHASE = "mongrel.credit.purchase"
SACRIFICE = "mongrel.credit.sacrifice"
GAME_MASTER = "gm"
S = TypeVar("S", bound=Sale)


def check_sacrifice(amount: Number, held: int) -> int:
    """Refuses `bad-amount`, `credit-short`."""
    if not is_whole(amount) or amount < 1:
        raise Refused(SACRIFICE, "bad-amount", amount=repr(amount))
    if amount > held:
        raise Refused(SACRIFICE, "credit-short", amount=amount, credit=held)
    return amount


def check_agreed(draft: Draft, do: Sale) -> None:
    """Refuses `not-yours`, `agreed-blank`."""
    if do.agreed is not None:
        if draft.table.by.role != "gm":
            raise Refused(SACRIFICE, "not-yours", agreed=do.agreed)
        must_say(SACRIFICE, agreed=do.agreed)


def named(draft: Draft, do: S) -> S:
    """Return the purchase with the name of the possession, if it names none itself."""
    if do.item.strip() or do.possession is None or do.seller is None:
        return do
    return replace(do, item=draft.who(do.seller).possessions[do.possession].item)


def _thing(draft: Draft, do: Sale) -> str:
    """What the seller is asked for, by its own name: a buyer may call it something else."""
    if do.possession is None or do.seller is None:
        return do.item
    own = draft.who(do.seller).possessions[do.possession].item
    return own if do.item.strip() == own else f"{own} (which the buyer calls {do.item.strip()})"


def for_sale(draft: Draft, do: Sale) -> Asking[bool]:
    """`mongrel.credit.purchase`: whether what somebody has is to be had at all, before any dice are rolled for it."""
    if do.possession is None or do.seller is None:
        return True
    sold = f"Is {_thing(draft, do)} for sale to {draft.table.name(character(do.buyer))}?"
    if _consents(draft, do):
        return True
    agreed = yield from _ask_seller(draft, do, PURCHASE, f"sale:{do.possession}", sold)
    if not agreed:
        draft.about(do.buyer, SaleDeclined(do.buyer, do.item, do.seller, do.possession))
        draft.by(PURCHASE, "not for sale", item=do.item, seller=do.seller)
    return agreed


def offered(draft: Draft, do: Sale, house: House, held: int) -> Asking[int | None]:
    """What the buyer would give; None for nothing."""
    if do.sacrifice is not None:
        return check_sacrifice(do.sacrifice, held)
    asked, purpose = whose(draft, do.buyer), f"How much Credit with House {called(house)} is offered for {do.item}?"
    within = answers.offering(held)
    said = yield from ask(asked, Sacrifice, NoDeal, SpeakFor, slot=f"sacrifice:{house}", purpose=purpose, within=within)
    try:
        if isinstance(said, NoDeal) or (isinstance(said, SpeakFor) and not _speaks_for(draft, asked, SACRIFICE, said)):
            return None
        return check_sacrifice(said.amount, held)
    except Refused as no:
        raise Unfit(no.rule, no.code, **no.context) from None


def price_agreed(draft: Draft, do: Sale, house: House, amount: int) -> Asking[bool]:
    """`mongrel.credit.sacrifice`: a declaration consents to the price it names, never to one named later."""
    if do.sacrifice is not None and _consents(draft, do):
        return True
    buyer, price = draft.table.name(character(do.buyer)), f"{amount} Credit with House {called(house)}"
    purpose = f"Is {_thing(draft, do)} sold to {buyer} for {price}?"
    return (yield from _ask_seller(draft, do, SACRIFICE, f"price:{house}", purpose))


def _consents(draft: Draft, do: Sale) -> bool:
    """Return whether the declaration itself gives the seller's consent."""
    asked, by = whose(draft, do.seller), draft.table.by
    return do.agreed is not None or (by.role == "gm" if asked == GAME_MASTER else by.seat == asked)


def _ask_seller(draft: Draft, do: Sale, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """Return the seller's answer."""
    return (yield from agreed_by(draft, whose(draft, do.seller), rule, slot, purpose))


def agreed_by(draft: Draft, asked: str, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """Return whether the seat agrees. Unfit: `reason-blank`, `bad-amount` for the seller."""
    said = yield from ask(asked, Accept, NoDeal, SpeakFor, slot=slot, purpose=purpose, within=answers.speaking())
    if not isinstance(said, SpeakFor):
        return isinstance(said, Accept)
    if said.amount is not None:
        raise Unfit(rule, "bad-amount", amount=repr(said.amount))
    return _speaks_for(draft, asked, rule, said)


def _speaks_for(draft: Draft, asked: str, rule: str, said: SpeakFor) -> bool:
    """Unfit: `reason-blank`."""
    if not said.reason.strip():
        raise Unfit(rule, "reason-blank")
    draft.by(rule, "agreed" if said.agreed else "declined", asked=asked, spoken_for=said.reason)
    return said.agreed


def whose(draft: Draft, id: str | None) -> str:
    """The seat that is asked for a character: its player's while somebody sits there, else any game master's."""
    table = draft.table
    owner = seat(table.owner(character(id))) if id is not None else None
    if owner is not None and table.has(owner) and table.is_open(owner) and table.role(owner) == "player":
        return owner.id
    return GAME_MASTER
