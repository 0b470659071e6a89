"""What buyer and seller agree on: said by who is asked, never claimed for another but by a game master with a reason.

Heading: Character wealth and social status.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.chapters import (
    Question,
    Refusal,
    changes,
    choice,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.kernel.declarations import either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref, Says, Title
from ledger.rules.kernel.moves import OPEN, Among, Move, Shape
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.acting import check_alive, may_stand
from ledger.rules.mongrel.credit import CREDIT_SHORT, check_house
from ledger.rules.mongrel.draft import BAD_AMOUNT, GAME_MASTER, Draft, whose
from ledger.rules.mongrel.possessions import BAD_TARGET, ItemAcquired, ItemPartedWith, list_owned, part, possession_of
from ledger.rules.mongrel.sayings import spoken, whether
from ledger.rules.mongrel.sight import NONE, Fields, Sight, grouped, look
from ledger.rules.mongrel.state import Character, once_created
from ledger.rules.mongrel.terms import HOUSES, Amount, House, HouseName, called, is_whole
from ledger.rules.mongrel.turns import IN_TURN_FACTS, in_its_turn


@choice("accept", by="asked", says="Agreed.")
class Accept:
    """Agree to sell, or to the price."""


@choice("no-deal", by="asked", says="No deal.")
class NoDeal:
    """Do not agree. Nothing changes hands."""


@choice(
    "speak-for",
    by="gm",
    says=whether(
        "agreed",
        "A game master answers yes[, for {amount} Credit]: {reason}.",
        "A game master answers no: {reason}.",
    ),
)
class SpeakFor:
    """As a game master, answer yes or no for the player asked, and give a reason."""

    agreed: Annotated[bool, Says("The answer is yes")]
    reason: Reason
    amount: Annotated[
        Amount | None, Says("Credit offered", "Only if the question is how much Credit the buyer offers.")
    ] = None


def agreed_by(draft: Draft, asked: str, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """Return whether the seat agrees. Unfit: `reason-blank`, `bad-amount` for the seller."""
    answer = yield from ask(asked, Accept, NoDeal, SpeakFor, slot=slot, purpose=purpose, within=speaking())
    if not isinstance(answer, SpeakFor):
        return isinstance(answer, Accept)
    if answer.amount is not None:
        raise BAD_AMOUNT.unfit(rule, amount=repr(answer.amount))
    return speaks_for(draft, asked, rule, answer)


def speaks_for(draft: Draft, asked: str, rule: str, answer: SpeakFor) -> bool:
    """Unfit: `reason-blank`."""
    if not answer.reason.strip():
        raise Unfit(rule, "reason-blank")
    draft.by(rule, "agreed" if answer.agreed else "declined", asked=asked, spoken_for=answer.reason)
    return answer.agreed


def speaking() -> Iterator[Shape]:
    """By a game master for the seller, who names no price."""
    yield Shape(SpeakFor, {"agreed": Among((True, False)), "amount": NONE})


# --- selling to a buyer whom no player plays -------------------------------------------------------------------------

SELL = rule(
    "mongrel.credit.sell",
    "A character can sell a possession for Credit to a buyer who has no player. A game master must agree to the "
    "price (our reading).",
    "Character wealth and social status",
)
HAS_A_PLAYER = Refusal(
    SELL,
    "has-a-player",
    "{buyer} has a player, who decides what {buyer} buys. Declare a purchase instead.",
)
ASK_SELL = Question("sell", "{purpose}")


@fact(
    "item-sold",
    says=spoken("{character} sells {item}[ to {buyer}][ to {customer}] for {price} Credit with House {house}."),
    headline=9,
)
class ItemSold:
    """A possession is sold. `price`: in Credit with the House. `buyer`: a character, or `customer`: anybody else."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    house: House
    price: int
    buyer: CharacterId | None
    customer: Title


@fact("sale-called-off", says="{character} does not sell {item} after all.", headline=10)
class SaleCalledOff:
    """A sale is called off: the seller's side or a game master does not agree to the price."""

    character: CharacterId
    item: Title


@changes
@once_created
def note_sale(state: Character, fact: ItemSold | SaleCalledOff) -> Character:
    return state


@declares(
    "sell-item",
    either("character"),
    says=spoken(
        "{character} offers a possession for sale[: to {buyer}][: to {customer}], for {price} Credit with House"
        " {house}."
    ),
    records=(SaleCalledOff, ItemSold, ItemPartedWith, ItemAcquired, *IN_TURN_FACTS),
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


@decides
@in_its_turn
def sell_item(draft: Draft, do: SellItem) -> Asking[None]:
    """The seller's side and a game master both agree to the price."""
    check_alive(draft, do.character)
    require(may_stand(draft, do.character, speaks=True))
    item = possession_of(draft, do.character, do.possession)
    house = check_house(do.house, SELL)
    price = _check_price(draft, do, house)
    if not (yield from _ask_both(draft, do, item.item, house, price)):
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
            raise BAD_TARGET.under(SELL, target=do.buyer)
        check_alive(draft, do.buyer)
        if whose(draft, do.buyer) != GAME_MASTER:
            raise HAS_A_PLAYER(buyer=do.buyer)
    if not is_whole(do.price) or do.price < 1:
        raise BAD_AMOUNT.under(SELL, price=repr(do.price))
    held = draft.balance(accounts.credit(do.buyer, house)) if do.buyer is not None else do.price
    if do.price > held:
        raise CREDIT_SHORT.under(SELL, amount=do.price, credit=held)
    return do.price


def _ask_both(draft: Draft, do: SellItem, item: str, house: House, price: int) -> Asking[bool]:
    """Ask whichever side did not declare it: the seller's player, a game master for the buyer."""
    seller, by = whose(draft, do.character), draft.table.by
    purpose = (
        f"Does {draft.table.name(character(do.character))} sell {item} for {price} Credit with House {called(house)}?"
    )
    if seller not in (GAME_MASTER, by.seat) and not (
        yield from agreed_by(draft, seller, SELL, ASK_SELL("seller"), purpose)
    ):
        return False
    return by.role == GAME_MASTER or (yield from agreed_by(draft, GAME_MASTER, SELL, ASK_SELL("price"), purpose))


@offers
def offer_to_sell(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = look(seen, draft)
    dealers = sight.dealers
    for id, had in list_owned(sight):
        if id in dealers and sight.declares_for(id):
            yield Move(SellItem, {**had, "house": OPEN, "price": Between(1), "buyer": NONE})
            yield from _list_customers(sight, id, had)


def _list_customers(sight: Sight, seller: str, had: Fields) -> Iterator[Move]:
    """Characters whom no player plays, with as much Credit as they have."""
    buyers = tuple(id for id in sight.alive if id != seller and whose(sight.draft, id) == GAME_MASTER)
    for house in HOUSES:
        for held, able in grouped(buyers, lambda id, house=house: sight.held(id, house)):  # type: ignore[misc]
            yield Move(SellItem, {**had, "house": Among((house,)), "price": Between(1, held), "buyer": able})
