"""Possessions: characters buy, find or get them, use them by name, and part with them.

Headings: Character wealth and social status; Physical damage. The source has no rules for possessions; the rules here
fill the gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Either,
    Move,
    Names,
    Question,
    Reason,
    Ref,
    Refusal,
    Says,
    Seen,
    SharedRefusal,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    must_say,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.mongrel import accounts, acting, credit, damage, turns
from ledger.rules.mongrel.draft import BAD_AMOUNT, GAME_MASTER, Draft, find_asked_seat
from ledger.rules.mongrel.sight import NONE, Fields, Sight, get_sight, group_ids
from ledger.rules.mongrel.state import Character, Possession
from ledger.rules.mongrel.terms import (
    HOUSES,
    Amount,
    House,
    HouseName,
    Number,
    WorthAsArmour,
    WorthAsWeapon,
    is_whole,
    say,
    whether,
    write_word,
)

# --- using possessions -----------------------------------------------------------------------------------------------

USE = rule(
    "mongrel.item.use",
    "If a possession is used as a weapon or as armour, the value recorded for it counts (our reading).",
    "Physical damage",
)
NO_ARMOUR = Refusal(
    USE,
    "no-armour",
    "{item} is not armour. Choose a possession that is, or give a number.",
)
NO_WEAPON = Refusal(
    USE,
    "no-weapon",
    "{item} is not a weapon. Choose a possession that is, or give a number.",
)
NUMBER_AND_POSSESSION = Refusal(
    USE,
    "number-and-possession",
    "Name a possession or give a number, not both.",
)


def read_value(
    draft: Draft, character_id: str, possession_id: str | None, use: Literal["weapon", "armour"], number: int
) -> int:
    """Return the value of the possession, or else the number (`mongrel.item.use`).

    Refuses `possession-unknown`, `number-and-possession`, `no-weapon` or `no-armour`.
    """
    if possession_id is None:
        return number
    possession = check_possession(draft, character_id, possession_id, USE)
    if number != 0:
        raise NUMBER_AND_POSSESSION(number=number, possession=possession_id)
    value = possession.weapon if use == "weapon" else possession.armour
    if value is None:
        raise (NO_WEAPON if use == "weapon" else NO_ARMOUR)(possession=possession_id, item=possession.item)
    draft.by(USE, value, item=possession.item, use=use)
    return value


def check_values(draft: Draft, weapon: Number, armour: Number) -> tuple[int | None, int | None]:
    """Return the values of an item as a weapon and as armour; each is None if the item is not one. Refuses `bad-score`,
    `weapon-cap`.
    """
    numbers = (0 if weapon is None else weapon, 0 if armour is None else armour)
    weapon_bonus, armour_value = damage.check_weapon(draft, *numbers)
    return None if weapon is None else weapon_bonus, None if armour is None else armour_value


# --- getting possessions ---------------------------------------------------------------------------------------------

HAD = rule(
    "mongrel.item.had",
    "Characters keep whatever they bought, found or were given, until they part with it (our reading). Dead or"
    " collapsed characters cannot part with anything, but a game master may move any possession.",
    "Character wealth and social status",
)
ITEM_BLANK = SharedRefusal(
    "item-blank",
    "Name the item.",
)
BAD_TARGET = SharedRefusal(
    "bad-target",
    "Choose another character who is present[, not {target}][, not {to}][, not {seller}].",
)
POSSESSION_UNKNOWN = SharedRefusal(
    "possession-unknown",
    "[{character} has no such possession. ]Name the owner and one of their possessions.",
)


def check_possession(draft: Draft, character_id: str, possession_id: str, rule: str = HAD) -> Possession:
    """Return the possession. Refuses `possession-unknown`."""
    possessions = draft.read_character(character_id).possessions
    if possession_id not in possessions:
        raise POSSESSION_UNKNOWN.under(rule, possession=possession_id, character=character_id, has=list(possessions))
    return possessions[possession_id]


def say_gained(do_or_fact: GainItem | ItemAcquired, names: Names) -> str:
    """Put into words what a character gains, and its values."""
    price_phrase = (
        f", for {do_or_fact.credit} Credit"
        if isinstance(do_or_fact, ItemAcquired) and do_or_fact.house is not None
        else ""
    )
    values_phrase = ", ".join(
        f"{use} {value}" for use, value in (("weapon", do_or_fact.weapon), ("armour", do_or_fact.armour)) if value
    )
    return say(
        f"{{character}} now has {{item}}{f' ({values_phrase})' if values_phrase else ''}{price_phrase}[: {{reason}}].",
        do_or_fact,
        names,
    )


@fact("item-acquired", says=say_gained, headline=6)
class ItemAcquired:
    """A character got a possession. `credit`: the Credit paid for it. `weapon`, `armour`: its values as a weapon and as
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


@changes
@once_created
def add_possession(state: Character, fact: ItemAcquired) -> Character:
    possession = Possession(fact.item, fact.credit, fact.house, fact.weapon, fact.armour)
    return changed(state, possessions={**state.possessions, fact.possession: possession})


def acquire(draft: Draft, character_id: str, possession: Possession, reason: str = "") -> None:
    name, values = possession.item, (possession.weapon, possession.armour)
    possession_id = draft.table.new_id()
    draft.about(
        character_id,
        ItemAcquired(character_id, possession_id, name, possession.credit, possession.house, *values, reason),
    )


@declares("gain-item", GM, says=say_gained, records=(ItemAcquired,))
class GainItem:
    """Give a character a possession that they did not buy, but found, were given or always had."""

    character: CharacterId
    item: Title
    weapon: WorthAsWeapon | None = None
    armour: WorthAsArmour | None = None
    reason: Reason = ""


@decides
def gain_item(draft: Draft, do: GainItem) -> None:
    """Give a character an item, as a game master decides. Refuses `item-blank`, `bad-score`, `weapon-cap`."""
    acting.check_alive(draft, do.character)
    must_say(HAD, item=do.item)
    weapon, armour = check_values(draft, do.weapon, do.armour)
    acquire(draft, do.character, Possession(do.item, 0, None, weapon, armour), do.reason)
    draft.by(HAD, do.item, character=do.character, reason=do.reason)


# --- parting with possessions ----------------------------------------------------------------------------------------


@fact(
    "item-parted-with",
    says=whether("to", "{item} goes from {character} to {to}.", "{character} parts with {item}[: {reason}]."),
    headline=13,
)
class ItemPartedWith:
    """A character parted with a possession. `to`: the character who got it, if any."""

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    to: CharacterId | None
    reason: Reason


@changes
@once_created
def remove_possession(state: Character, fact: ItemPartedWith) -> Character | None:
    if fact.possession not in state.possessions:
        return None
    return changed(
        state,
        possessions={
            possession_id: item for possession_id, item in state.possessions.items() if possession_id != fact.possession
        },
    )


@declares(
    "part-with-item",
    either("character"),
    says=whether(
        "to", "{character} gives a possession to {to}[: {reason}].", "{character} parts with a possession[: {reason}]."
    ),
    records=(ItemPartedWith, ItemAcquired, *turns.IN_TURN_FACTS),
)
class PartWithItem:
    """Lose a possession, use it up, or give it to another character.

    `to`: the character who gets it, if any.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    to: Annotated[CharacterId | None, Says("New owner")] = None
    reason: Reason = ""


@decides
@turns.in_its_turn
def part_with_item(draft: Draft, do: PartWithItem) -> None:
    """Lose an item, or give it to `to`. Dead and collapsed characters cannot give anything away.

    Refuses `dead`, `collapsed`, `possession-unknown`; and `bad-target` if the giver and receiver are the same.
    """
    acting.check_alive(draft, do.character)
    require(acting.may_be_active(draft, do.character))
    _move_possession(draft, do)


@declares(
    "move-item",
    GM,
    says=whether(
        "to",
        "One of {character}'s possessions goes to {to}: {reason}.",
        "One of {character}'s possessions is gone: {reason}.",
    ),
    records=(ItemPartedWith, ItemAcquired),
)
class MoveItem:
    """Give a character's possession to another character, or remove it, without asking its owner. This is also possible
    if the owner is dead.

    `to`: the character who gets it. Leave it out to remove the possession.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    reason: Reason
    to: Annotated[CharacterId | None, Says("New owner")] = None


@decides
def move_item(draft: Draft, do: MoveItem) -> None:
    """Move an item, even from a dead character, as a game master decides. Refuses `possession-unknown`, `bad-target`,
    `reason-blank`.
    """
    draft.read_character(do.character)
    must_say(HAD, reason=do.reason)
    _move_possession(draft, do)


def _move_possession(draft: Draft, do: PartWithItem | MoveItem) -> None:
    possession = check_possession(draft, do.character, do.possession)
    if do.to is not None:
        if do.to == do.character:
            raise BAD_TARGET.under(HAD, to=do.to)
        acting.check_alive(draft, do.to)
    part_with(draft, do.character, do.possession, do.to, do.reason)
    if do.to is not None:
        acquire(draft, do.to, Possession(possession.item, 0, None, possession.weapon, possession.armour), do.reason)
    draft.by(HAD, possession.item, was=do.character, character=do.to, reason=do.reason)


def part_with(draft: Draft, character_id: str, possession_id: str, to: str | None, reason: str) -> None:
    possession = check_possession(draft, character_id, possession_id)
    draft.about(character_id, ItemPartedWith(character_id, possession_id, possession.item, to, reason))


@offers
def offer_possessions(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    if sight.alive:
        yield Move(GainItem, {"character": Among(sight.alive), **make_value_fields(sight)})
    for character_id, possession_fields in list_possession_fields(sight):
        receivers = (None, *(receiver_id for receiver_id in sight.alive if receiver_id != character_id))
        yield Move(MoveItem, {**possession_fields, "to": Among(receivers)})
        if character_id in sight.alive and sight.can_be_active(character_id) and sight.can_deal(character_id):
            yield Move(PartWithItem, {**possession_fields, "to": Among(receivers)})


def list_possession_fields(sight: Sight) -> Iterator[tuple[str, Fields]]:
    """Yield the characters who have possessions, with the fields that name them."""
    for character_id, state in sight.people.items():
        if state.possessions:
            yield character_id, {"character": Among((character_id,)), "possession": Among(tuple(state.possessions))}


def make_value_fields(sight: Sight) -> Fields:
    return {"weapon": Either((NONE, sight.make_weapon_domain())), "armour": OPEN}


# --- selling to a buyer without a player -----------------------------------------------------------------------------

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
    says="{character} sells {item}[ to {buyer}][ to {customer}] for {price} Credit with House {house}.",
    headline=9,
    changes=None,
)
class ItemSold:
    """A possession was sold. `price`: how much Credit with the House it brought. `buyer`: the buyer, if that is a
    character. `customer`: any other buyer.
    """

    character: CharacterId
    possession: Annotated[str, Ref("possession", of="character")]
    item: Title
    house: House
    price: int
    buyer: CharacterId | None
    customer: Title


@fact("sale-called-off", says="{character} does not sell {item} after all.", headline=10, changes=None)
class SaleCalledOff:
    """A sale was called off: the seller's side or a game master did not agree to the price."""

    character: CharacterId
    item: Title


@declares(
    "sell-item",
    either("character"),
    says=(
        "{character} offers a possession for sale[: to {buyer}][: to {customer}], for {price} Credit with House"
        " {house}."
    ),
    records=(SaleCalledOff, ItemSold, ItemPartedWith, ItemAcquired, *turns.IN_TURN_FACTS),
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
    customer: Annotated[Title, Says("Buyer who is not a character")] = ""


@decides
@turns.in_its_turn
def sell_item(draft: Draft, do: SellItem) -> Asking[None]:
    """Sell an item, if the seller's side and a game master both agree to the price."""
    acting.check_alive(draft, do.character)
    require(acting.may_be_active(draft, do.character, by_words_only=True))
    possession = check_possession(draft, do.character, do.possession)
    house = credit.check_house(do.house, SELL)
    price = _check_price(draft, do, house)
    if not (yield from _ask_both_sides(draft, do, possession.item, house, price)):
        draft.about(do.character, SaleCalledOff(do.character, possession.item))
        draft.by(SELL, "no deal", price=price, house=house)
        return
    source_account = accounts.name_credit(do.buyer, house) if do.buyer is not None else accounts.name_world(house)
    item_sold = ItemSold(do.character, do.possession, possession.item, house, price, do.buyer, do.customer)
    draft.about(
        do.character, item_sold, accounts.make_posting(source_account, accounts.name_credit(do.character, house), price)
    )
    part_with(draft, do.character, do.possession, do.buyer, "sold")
    if do.buyer is not None:
        acquire(draft, do.buyer, Possession(possession.item, price, house, possession.weapon, possession.armour))
    draft.by(SELL, price, house=house, buyer=do.buyer)


def _check_price(draft: Draft, do: SellItem, house: House) -> int:
    """Return the price, after checking it and the buyer. Refuses `bad-target`, dead characters, `has-a-player`,
    `bad-amount`, `credit-short`.
    """
    if do.buyer is not None:
        if do.buyer == do.character:
            raise BAD_TARGET.under(SELL, target=do.buyer)
        acting.check_alive(draft, do.buyer)
        if find_asked_seat(draft, do.buyer) != GAME_MASTER:
            raise HAS_A_PLAYER(buyer=do.buyer)
    if not is_whole(do.price) or do.price < 1:
        raise BAD_AMOUNT.under(SELL, price=repr(do.price))
    credit_held = draft.balance(accounts.name_credit(do.buyer, house)) if do.buyer is not None else do.price
    if do.price > credit_held:
        raise credit.CREDIT_SHORT.under(SELL, amount=do.price, credit=credit_held)
    return do.price


def _ask_both_sides(draft: Draft, do: SellItem, item: str, house: House, price: int) -> Asking[bool]:
    """Return whether both sides agree. Each side that did not declare the sale is asked: the seller's player, and a
    game master for the buyer.
    """
    seller, declarer = find_asked_seat(draft, do.character), draft.table.by
    seller_name = draft.table.name(character(do.character))
    purpose = f"Does {seller_name} sell {item} for {price} Credit with House {write_word(house)}?"
    if seller not in (GAME_MASTER, declarer.seat) and not (
        yield from credit.ask_for_consent(draft, seller, SELL, ASK_SELL("seller"), purpose)
    ):
        return False
    return declarer.role == GAME_MASTER or (
        yield from credit.ask_for_consent(draft, GAME_MASTER, SELL, ASK_SELL("price"), purpose)
    )


@offers
def offer_to_sell(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    dealer_ids = sight.dealers
    for character_id, possession_fields in list_possession_fields(sight):
        if character_id in dealer_ids and sight.can_declare_for(character_id):
            yield Move(SellItem, {**possession_fields, "house": OPEN, "price": Between(1), "buyer": NONE})
            yield from _list_customers(sight, character_id, possession_fields)


def _list_customers(sight: Sight, seller: str, possession_fields: Fields) -> Iterator[Move]:
    """Offer to sell to characters whom no player plays, for up to as much Credit as they have."""
    buyers = tuple(
        character_id
        for character_id in sight.alive
        if character_id != seller and find_asked_seat(sight.draft, character_id) == GAME_MASTER
    )
    for house in HOUSES:
        for credit_held, alike_buyers in group_ids(
            buyers,
            lambda character_id, house=house: sight.find_credit(character_id, house),  # type: ignore[misc]
        ):
            yield Move(
                SellItem,
                {
                    **possession_fields,
                    "house": Among((house,)),
                    "price": Between(1, credit_held),
                    "buyer": alike_buyers,
                },
            )
