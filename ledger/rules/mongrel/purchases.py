"""Buying with Credit, including by Occult and in a conflict. Heading: Character wealth and social status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Move,
    Refusal,
    Refused,
    Says,
    Seen,
    decides,
    declares,
    either,
    must_say,
    offers,
    require,
)
from ledger.rules.mongrel import (
    accounts,
    acting,
    attacks,
    bargains,
    clock,
    counting,
    credit,
    hits,
    infernal,
    possessions,
    proposals,
    sorcery,
    tasks,
    turns,
)
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, check_natural
from ledger.rules.mongrel.sight import AUGMENTING, UNPAID, Fields, Sight, get_sight, group_ids
from ledger.rules.mongrel.state import ActionDeclared
from ledger.rules.mongrel.tables import OPTIONS, SLOW, SPOKEN
from ledger.rules.mongrel.terms import ExpertiseName, ResolvePoints, Since, drop_repeats, is_whole, whether

NOT_AVAILABLE = Refusal(
    bargains.PURCHASE,
    "not-available",
    "{item} is not available.",
)


@declares(
    "purchase",
    either("buyer"),
    says=whether(
        "item",
        "{buyer} wants to buy {item}[ from {seller}] using Credit with House {house}.",
        "{buyer} wants to buy one of {seller}'s possessions using Credit with House {house}.",
    ),
    records=(*proposals.PROPOSED, ActionDeclared, *hits.DEFENCE_FACTS, *bargains.PURCHASE_FACTS, turns.TurnEnded),
)
class Purchase(bargains.Sale):
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


@decides
@proposals.ask_about_numbers
def purchase(draft: Draft, do: Purchase) -> Asking[None]:
    """Roll for a purchase, over the seller's Social and under the buyer's Credit. In a conflict, this is an action in
    the order.
    """
    acting.check_alive(draft, do.buyer)
    require(acting.may_roll(draft, do.buyer))
    tasks.check_not_occult(do.expertise)
    if acting.find_strife(draft, do.buyer) is not None:
        yield from _buy_in_turn(draft, do)
        return
    require(acting.may_be_active(draft, do.buyer, by_words_only=do.expertise in SPOKEN))
    deal = _check_deal(draft, do, do.expertise)
    if (yield from bargains.ask_if_for_sale(deal)):
        yield from bargains.roll_bargain(deal, None)


@declares(
    "occult-purchase",
    either("buyer"),
    says=whether(
        "item",
        "{buyer} uses Occult instead of {imitates} to buy {item}[ from {seller}], for {points:point|points} of"
        " Infernal Resolve and Credit with House {house}.",
        "{buyer} uses Occult instead of {imitates} to buy one of {seller}'s possessions, for {points:point|points} of"
        " Infernal Resolve and Credit with House {house}.",
    ),
    records=drop_repeats(
        *proposals.PROPOSED, *infernal.SPENT_FACTS, *sorcery.RESIST_FACTS, tasks.TaskResolved, *bargains.PURCHASE_FACTS
    ),
)
class OccultPurchase(bargains.Sale):
    """Buy something with Occult, which imitates another Expertise. This costs points of Infernal Resolve and an hour
    for each die. All other fields are as in `purchase`.

    `points`: at least 1. `imitates`: the Expertise that Occult stands in for.
    """

    points: ResolvePoints
    imitates: Annotated[ExpertiseName, Says("Expertise imitated")] = "negotiate"
    since: Since | None = None


@decides
@proposals.ask_about_numbers
def purchase_by_occult(draft: Draft, do: OccultPurchase) -> Asking[None]:
    """Pay Infernal Resolve and spend hours, and then make the purchase (`mongrel.sorcery.occult`)."""
    require(sorcery.may_use_occult(draft, do.buyer, do.points, do.imitates))
    assert is_whole(do.points)
    deal = _check_deal(draft, do, "occult", do.points - 1)
    beginning = clock.read_beginning(draft, do.since)
    if not (yield from bargains.ask_if_for_sale(deal)):
        return
    sorcery.pay_resolve(draft, do.buyer, deal.extra + 1)
    if draft.read_character(do.buyer).dead:
        return
    sorcery.take_time(draft, deal.pool, sorcery.OCCULT, beginning)
    yield from bargains.roll_bargain(deal, None)


def _buy_in_turn(draft: Draft, do: Purchase) -> Asking[None]:
    """Make a purchase in a conflict. It works like an attack: a seller in the conflict may defend, and a miss costs 1
    Action Point. Characters outside the conflict cannot sell.
    """
    strife = acting.check_turn(draft, do.buyer, bargains.PURCHASE)
    if do.seller is not None and not acting.is_taking_part(draft, strife, do.seller):
        raise possessions.BAD_TARGET.under(hits.ATTACK, target=do.seller)
    acting.check_can_act(draft, do.buyer)
    if do.expertise in SLOW:
        raise sorcery.TOO_SLOW.under(sorcery.SORCERY[do.expertise], expertise=do.expertise)
    deal = _check_deal(draft, do, do.expertise)
    if do.faces is not None and do.seller is not None:
        require(hits.may_enter_dice_early(draft))
    if not (yield from bargains.ask_if_for_sale(deal)):
        return
    draft.is_under_way = True
    clock.end_recovery(draft, do.buyer)
    if do.seller is not None:
        declared = ActionDeclared(
            do.buyer,
            do.seller,
            do.expertise,
            "social",
            do.power,
            deal.difficulty,
            do.reason,
            0,
            "",
            "none",
            0,
            0,
            "",
            deal.do.item,
            None,
            None,
        )
        draft.tell(strife.scene, declared)
        yield from hits.choose_defence(draft, strife, declared, None)
    yield from bargains.roll_bargain(deal, strife)
    turns.end_turn(draft, strife, do.buyer)


# --- possible purchases ----------------------------------------------------------------------------------------------


def _check_deal(draft: Draft, do: bargains.Sale, expertise: str, extra: int = 0) -> bargains.Deal:
    """Return the purchase, after checking everything for which it can be refused, in the order of the rule."""
    if not do.available:
        raise NOT_AVAILABLE(item=do.item)
    if do.possession is None:
        must_say(bargains.PURCHASE, item=do.item)
    house = credit.check_house(do.house, bargains.PURCHASE)
    pool = tasks.check_pool(draft, do.buyer, expertise, do.power)
    social = _read_social(draft, do)
    difficulty = tasks.check_difficulty(do.difficulty)
    typed = tasks.check_typed(do.faces, pool.dice_count)
    weapon, armour = _read_values(draft, do)
    credit_held = draft.balance(accounts.name_credit(do.buyer, house))
    if do.sacrifice is not None:
        require(bargains.may_give_up(do.sacrifice, credit_held))
    require(bargains.may_declare_agreement(draft, do))
    tn = counting.work_out_target_number(social + draft.dials.purchase_social_strict, difficulty, "target", draft.dials)
    return bargains.Deal(
        draft, bargains.add_item_name(draft, do), pool, typed, house, difficulty, tn, credit_held, weapon, armour, extra
    )


def _read_social(draft: Draft, do: bargains.Sale) -> int:
    """Return the seller's Social, or the number given. Refuses `bad-score`."""
    if do.seller is None:
        (social,) = check_natural(bargains.PURCHASE, BAD_SCORE, social=do.social)
        return social
    require(may_sell(draft, do.seller, do.buyer))
    return draft.read_score(do.seller, "social")


def may_sell(draft: Draft, seller: str, buyer: str) -> Refused | None:
    """Refuse a seller who is the buyer, is dead or cannot speak."""
    if seller == buyer:
        return possessions.BAD_TARGET.under(bargains.PURCHASE, seller=seller)
    return acting.may_be_ruled_on(draft, seller) or acting.may_be_active(draft, seller, by_words_only=True)


def _read_values(draft: Draft, do: bargains.Sale) -> tuple[int | None, int | None]:
    """Return the item's values. Refuses `possession-unknown`, `number-and-possession`, `bad-score`, `weapon-cap`."""
    if do.possession is None:
        return possessions.check_values(draft, do.weapon, do.armour)
    if do.seller is None:
        raise possessions.POSSESSION_UNKNOWN.under(possessions.USE, possession=do.possession, character=None)
    possession = possessions.check_possession(draft, do.seller, do.possession)
    if do.weapon is not None or do.armour is not None:
        raise possessions.NUMBER_AND_POSSESSION(possession=do.possession)
    return possession.weapon, possession.armour


# --- offers ----------------------------------------------------------------------------------------------------------


@offers
def offer_purchases(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer purchases outside a conflict, from any other seller."""
    sight = get_sight(seen, draft)
    roller_ids = tuple(character_id for character_id in sight.mine if sight.can_roll(character_id))
    sellers = sight.list_active(sight.alive, by_words_only=True)
    for buyers, names in ((sight.list_active(roller_ids), UNPAID), (sight.list_speaking(roller_ids), SPOKEN)):
        for alike_buyers, pool_fields in _list_pools(sight, buyers, names):
            yield Move(Purchase, {"buyer": alike_buyers, **pool_fields, **_make_fields_without_seller(sight)})
        for character_id in buyers:
            for this_buyer, pool_fields in _list_pools(sight, (character_id,), names):
                if others := tuple(other for other in sellers if other != character_id):
                    yield Move(
                        Purchase, {"buyer": this_buyer, **pool_fields, **_make_fields_with_seller(sight, others)}
                    )
        for seller, possession_fields in _list_fields_of_possessions(sight, sellers):
            for alike_buyers, pool_fields in _list_pools(
                sight, (character_id for character_id in buyers if character_id != seller), names
            ):
                yield Move(Purchase, {"buyer": alike_buyers, **pool_fields, **possession_fields})


@offers
def offer_purchases_in_turn(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the next participant purchases from sellers in the conflict, or from a seller who is not a character."""
    sight = get_sight(seen, draft)
    for strife, buyer in turns.list_actors(sight):
        speakers = sight.list_active(sight.alive, by_words_only=True)
        sellers = tuple(
            character_id
            for character_id in speakers
            if character_id != buyer and acting.is_taking_part(draft, strife, character_id)
        )
        for this_buyer, pool_fields in _list_pools(sight, (buyer,), attacks.QUICK):
            yield Move(Purchase, {"buyer": this_buyer, **pool_fields, **_make_fields_without_seller(sight)})
            if sellers:
                yield Move(Purchase, {"buyer": this_buyer, **pool_fields, **_make_fields_with_seller(sight, sellers)})
            for _, possession_fields in _list_fields_of_possessions(sight, sellers):
                yield Move(Purchase, {"buyer": this_buyer, **pool_fields, **possession_fields})


@offers
def offer_occult_purchases(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    castings, sellers = list(sorcery.list_castings(sight)), sight.list_active(sight.alive, by_words_only=True)
    for casters, casting_fields in castings:
        yield Move(OccultPurchase, {"buyer": casters, **casting_fields, **_make_fields_without_seller(sight)})
        for character_id in casters.values:
            if others := tuple(other for other in sellers if other != character_id):
                yield Move(
                    OccultPurchase,
                    {"buyer": Among((character_id,)), **casting_fields, **_make_fields_with_seller(sight, others)},
                )
    for seller, possession_fields in _list_fields_of_possessions(sight, sellers):
        for casters, casting_fields in castings:
            if buyers := tuple(character_id for character_id in casters.values if character_id != seller):
                yield Move(OccultPurchase, {"buyer": Among(buyers), **casting_fields, **possession_fields})


def _list_pools(sight: Sight, ids: Iterable[str], names: Iterable[str]) -> Iterator[tuple[Among, Fields]]:
    expertise = Among(tuple(name for name in names if name not in OPTIONS))
    for primary, alike_buyers in group_ids(ids, lambda character_id: sight.people[character_id].primary):
        yield alike_buyers, {"expertise": expertise, "power": AUGMENTING[primary]}


def _make_term_fields(sight: Sight) -> Fields:
    """Return the fields for the terms of the purchase. Only a game master may declare that the seller agrees
    (`agreed`).
    """
    terms: Fields = {"agreed": OPEN} if sight.seen.seat.role == "gm" else {}
    return {"house": OPEN, "difficulty": OPEN, **terms}


def _make_fields_without_seller(sight: Sight) -> Fields:
    return {**_make_term_fields(sight), **possessions.make_value_fields(sight), "social": sight.make_score_domain()}


def _make_fields_with_seller(sight: Sight, sellers: tuple[str, ...]) -> Fields:
    return {
        **_make_term_fields(sight),
        **possessions.make_value_fields(sight),
        "seller": Among(sellers),
        "social": OPEN,
    }


def _list_fields_of_possessions(sight: Sight, sellers: tuple[str, ...]) -> Iterator[tuple[str, Fields]]:
    """Yield the sellers' possessions, by their own names."""
    for character_id in sellers:
        if possession_ids := tuple(sight.people[character_id].possessions):
            possession_fields: Fields = {"item": Among(("",)), "possession": Among(possession_ids)}
            yield (
                character_id,
                {**_make_term_fields(sight), "seller": Among((character_id,)), "social": OPEN, **possession_fields},
            )
