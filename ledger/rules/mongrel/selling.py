"""Selling a possession to a buyer whom no player plays. Heading: Character wealth and social status.

The source has buyers only; this fills the gap. A player's character buys by a purchase of its own.
"""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.consent import GAME_MASTER, agreed_by, whose
from ledger.rules.mongrel.credit import check_house
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_dealings import ItemAcquired, ItemSold, SaleCalledOff
from ledger.rules.mongrel.guards import check_alive, check_stands
from ledger.rules.mongrel.inputs_of_dealings import SellItem
from ledger.rules.mongrel.possessions import part, possession_of
from ledger.rules.mongrel.terms import House, called, is_whole

SELL = "mongrel.credit.sell"


def sell_item(draft: Draft, do: SellItem) -> Asking[None]:
    """The seller's side and a game master both agree to the price."""
    check_alive(draft, do.character)
    check_stands(draft, do.character, speaks=True)
    item = possession_of(draft, do.character, do.possession)
    house = check_house(do.house, SELL)
    price = _check_price(draft, do, house)
    if not (yield from _agreed(draft, do, item.item, house, price)):
        draft.about(do.character, SaleCalledOff(do.character, item.item))
        draft.by(SELL, "no deal", price=price, house=house)
        return
    source = accounts.credit(do.buyer, house) if do.buyer is not None else accounts.world(house)
    sold = ItemSold(do.character, do.possession, item.item, house, price, do.buyer, do.customer)
    draft.about(do.character, sold, accounts.move(source, accounts.credit(do.character, house), price))
    part(draft, do.character, do.possession, do.buyer, "sold")
    if do.buyer is not None:
        bought = ItemAcquired(
            do.buyer, draft.table.new_id(), item.item, price, house, item.weapon, item.armour, ""
        )  # fmt: skip
        draft.about(do.buyer, bought)
    draft.by(SELL, price, house=house, buyer=do.buyer)


def _check_price(draft: Draft, do: SellItem, house: House) -> int:
    """Refuses `bad-target`, the dead, `has-a-player`, `bad-amount`, `credit-short`."""
    if do.buyer is not None:
        if do.buyer == do.character:
            raise Refused(SELL, "bad-target", target=do.buyer)
        check_alive(draft, do.buyer)
        if whose(draft, do.buyer) != GAME_MASTER:
            raise Refused(SELL, "has-a-player", buyer=do.buyer)
    if not is_whole(do.price) or do.price < 1:
        raise Refused(SELL, "bad-amount", price=repr(do.price))
    held = draft.balance(accounts.credit(do.buyer, house)) if do.buyer is not None else do.price
    if do.price > held:
        raise Refused(SELL, "credit-short", amount=do.price, credit=held)
    return do.price


def _agreed(draft: Draft, do: SellItem, item: str, house: House, price: int) -> Asking[bool]:
    """Ask whichever side did not declare it: the seller's player, a game master for the buyer."""
    seller, by = whose(draft, do.character), draft.table.by
    purpose = (
        f"Does {draft.table.name(character(do.character))} sell {item} for {price} Credit with House {called(house)}?"
    )
    if seller not in (GAME_MASTER, by.seat) and not (yield from agreed_by(draft, seller, SELL, "sell:seller", purpose)):
        return False
    return by.role == GAME_MASTER or (yield from agreed_by(draft, GAME_MASTER, SELL, "sell:price", purpose))
