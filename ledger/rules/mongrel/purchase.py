"""Buying, with Credit or for it, by Occult too, and in a conflict. Heading: Character wealth and social status."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.attacks import SLOW, defence
from ledger.rules.mongrel.bargains import Bargain, bargain
from ledger.rules.mongrel.conflict import check_can_act, end_recovery, end_turn, pay
from ledger.rules.mongrel.consent import (
    SACRIFICE,
    check_agreed,
    check_sacrifice,
    for_sale,
    offered,
    price_agreed,
)
from ledger.rules.mongrel.credit import check_house
from ledger.rules.mongrel.dealings import OccultPurchase, Purchase, Sale
from ledger.rules.mongrel.facts import CreditSacrificed, ItemAcquired, PurchaseRolled, TaskDeclared
from ledger.rules.mongrel.ground import (
    Place,
    Ruling,
    check_alive,
    check_rolls,
    check_told,
    conflict_of,
    takes_part,
    the_turn,
)
from ledger.rules.mongrel.possessions import USE, check_values, part, possession_of
from ledger.rules.mongrel.resolution import target_number
from ledger.rules.mongrel.sorcery import OCCULT, check_sorcery, pay_resolve, resisted, take_time
from ledger.rules.mongrel.strife import ActionDeclared
from ledger.rules.mongrel.tasks import (
    Pool,
    check_difficulty,
    check_natural,
    check_paid,
    check_typed,
    faces_of,
    pool_of,
)
from ledger.rules.mongrel.terms import House

PURCHASE = "mongrel.credit.purchase"


@dataclass(frozen=True, slots=True)
class Deal:
    """A purchase that may be rolled for. `tn`: against the seller's Social; `held`: the buyer's Credit.

    `weapon`, `armour`: what the item is worth as one. `extra`: what further Resolve adds to the Effect.
    """

    pool: Pool
    house: House
    tn: int
    held: int
    weapon: int | None
    armour: int | None
    extra: int = 0


# --- who may buy -----------------------------------------------------------------------------------------------------


def purchase(ruling: Ruling, do: Purchase) -> Asking[None]:
    """One roll over the other's Social and under one's own Credit; in a conflict an action in its order."""
    check_alive(ruling, do.buyer)
    check_rolls(ruling, do.buyer)
    check_paid(do.expertise)
    if conflict_of(ruling, do.buyer) is not None:
        yield from _in_turn(ruling, do)
        return
    deal = _check_deal(ruling, do, do.expertise)
    if (yield from for_sale(ruling, do)):
        yield from _carry_out(ruling, do, deal, None)


def occult_purchase(ruling: Ruling, do: OccultPurchase) -> Asking[None]:
    """`mongrel.sorcery.occult`: Infernal Resolve, hours, and then the purchase."""
    check_sorcery(ruling, do.buyer, do.points, do.imitates)
    deal = _check_deal(ruling, do, "occult", do.points - 1)
    if not (yield from for_sale(ruling, do)):
        return
    pay_resolve(ruling, do.buyer, do.points)
    if ruling.who(do.buyer).dead:
        return
    take_time(ruling, deal.pool, OCCULT)
    yield from _carry_out(ruling, do, deal, None)


def _in_turn(ruling: Ruling, do: Purchase) -> Asking[None]:
    """As an attack: whoever sells there may defend, and a miss costs a point. Whoever is elsewhere sells nothing."""
    place = the_turn(ruling, do.buyer, PURCHASE)
    if do.seller is not None and not takes_part(ruling, place, do.seller):
        raise Refused("mongrel.conflict.attack", "bad-target", target=do.seller)
    check_can_act(ruling, do.buyer)
    if do.expertise in SLOW:
        raise Refused(f"mongrel.sorcery.{do.expertise}", "too-slow", expertise=do.expertise)
    deal = _check_deal(ruling, do, do.expertise)
    if not (yield from for_sale(ruling, do)):
        return
    ruling.under_way = True
    end_recovery(ruling, do.buyer)
    if do.seller is not None:
        declared = ActionDeclared(
            do.buyer, do.seller, do.expertise, "social", do.power, do.difficulty, do.reason, 0, "", "none", 0, 0, "",
            do.item, None, None,
        )  # fmt: skip
        ruling.tell(place.subject, declared)
        yield from defence(ruling, place, declared, None)
    yield from _carry_out(ruling, do, deal, place)
    end_turn(ruling, place, do.buyer)


def _check_deal(ruling: Ruling, do: Sale, expertise: str, extra: int = 0) -> Deal:
    """All that can be refused of a purchase, in the order of the rule."""
    if not do.available:
        raise Refused(PURCHASE, "not-available", item=do.item)
    check_told(PURCHASE, item=do.item)
    house = check_house(do.house, PURCHASE)
    pool = pool_of(ruling, do.buyer, expertise, do.power)
    social = _social(ruling, do)
    check_difficulty(do.difficulty)
    check_typed(do.faces, pool.dice)
    weapon, armour = _values(ruling, do)
    held = ruling.balance(accounts.credit(do.buyer, house))
    if do.sacrifice is not None:
        check_sacrifice(do.sacrifice, held)
    check_agreed(ruling, do)
    tn = target_number(social + ruling.dials.purchase_social_strict, do.difficulty, "target", ruling.dials)
    return Deal(pool, house, tn, held, weapon, armour, extra)


def _social(ruling: Ruling, do: Sale) -> int:
    """The seller's. Refuses `bad-target` for buying from oneself, the dead, `bad-score` for who has no score."""
    if do.seller is None:
        check_natural(PURCHASE, "bad-score", social=do.social)
        social: int = do.social
        return social
    if do.seller == do.buyer:
        raise Refused(PURCHASE, "bad-target", seller=do.seller)
    check_alive(ruling, do.seller)
    return ruling.score(do.seller, "social")


def _values(ruling: Ruling, do: Sale) -> tuple[int | None, int | None]:
    """Of what is bought. Refuses `possession-unknown`, `number-and-possession`, `bad-score`, `weapon-cap`."""
    if do.possession is None:
        check_values(ruling, do.weapon, do.armour)
        return do.weapon, do.armour
    if do.seller is None:
        raise Refused(USE, "possession-unknown", possession=do.possession, character=None)
    item = possession_of(ruling, do.seller, do.possession)
    if do.weapon is not None or do.armour is not None:
        raise Refused(USE, "number-and-possession", possession=do.possession)
    return item.weapon, item.armour


# --- the roll --------------------------------------------------------------------------------------------------------


def _carry_out(ruling: Ruling, do: Sale, deal: Deal, place: Place | None) -> Asking[None]:
    pool = deal.pool
    declared = TaskDeclared(
        do.buyer, pool.expertise, do.power, None, "social", do.seller, do.item, do.difficulty, do.reason, 0, ""
    )  # fmt: skip
    ruling.about(do.buyer, declared)
    faces = yield from faces_of(ruling, pool, do.faces)
    found = bargain(faces, pool, deal.tn, deal.held, ruling.dials)
    effect = _effect(ruling, deal, found)
    done = PurchaseRolled(
        do.buyer, do.item, deal.house, do.seller, found.outcome, deal.tn, deal.held, found.good, found.social.special,
        found.credit.special, effect,
    )  # fmt: skip
    ruling.about(do.buyer, done)
    ruling.by(PURCHASE, found.outcome, tn=deal.tn, credit=deal.held, faces=list(faces), good=found.good)
    if place is not None and found.outcome != "acquired":
        pay(ruling, do.buyer, "missed")
    if found.outcome == "acquired":
        yield from _acquire(ruling, do, deal, effect)
    elif found.outcome == "sacrifice-offered":
        yield from _sacrifice(ruling, do, deal)
    _mark(ruling, do, pool)


def _effect(ruling: Ruling, deal: Deal, found: Bargain) -> int:
    if found.outcome != "acquired":
        return 0
    pool, identity = deal.pool, 0
    effect = 1
    if not found.flat:
        identity = ruling.who(pool.actor).identity.get(pool.identity, 0)
        effect = found.good + identity + (deal.tn if ruling.dials.effect_adds_tn else 0)
        ruling.by("mongrel.effect.base", effect, good=found.good, identity=identity)
    if deal.extra:
        ruling.by("mongrel.effect.change", effect + deal.extra, raised=effect, occult=deal.extra)
    return effect + deal.extra


def _acquire(ruling: Ruling, do: Sale, deal: Deal, effect: int) -> Asking[None]:
    """Whoever sells may resist a purchase by Occult: an Effect of nothing gets nothing."""
    if isinstance(do, OccultPurchase) and do.seller is not None:
        left = yield from resisted(ruling, do.seller, effect, "occult")
        if not left:
            ruling.by(PURCHASE, "resisted", effect=effect)
            return
    _hand_over(ruling, do, deal, 0)


def _hand_over(ruling: Ruling, do: Sale, deal: Deal, credit: int) -> None:
    """`mongrel.item.had`: what is bought is had, and no longer by who sold it."""
    if do.possession is not None and do.seller is not None:
        part(ruling, do.seller, do.possession, do.buyer, "sold")
    acquired = ItemAcquired(
        do.buyer, ruling.table.new_id(), do.item, credit, deal.house if credit else None, deal.weapon, deal.armour, ""
    )  # fmt: skip
    ruling.about(do.buyer, acquired)
    ruling.by("mongrel.item.had", do.item, character=do.buyer, credit=credit)


def _mark(ruling: Ruling, do: Sale, pool: Pool) -> None:
    ruling.mark(do.buyer, pool.expertise, pool.identity, *((pool.augmented,) if pool.augmented else ()))
    if do.seller is not None:
        ruling.mark(do.seller, "social")
    ruling.tell_used()


# --- giving Credit up ------------------------------------------------------------------------------------------------


def _sacrifice(ruling: Ruling, do: Sale, deal: Deal) -> Asking[None]:
    """What buyer and seller agree on moves between their accounts with the same House, one for one."""
    amount = yield from offered(ruling, do, deal.house, deal.held)
    agreed = amount is not None and (yield from price_agreed(ruling, do, deal.house, amount))
    if amount is None or not agreed:
        ruling.by(SACRIFICE, "no deal", offered=amount)
        return
    house = deal.house
    target = accounts.credit(do.seller, house) if do.seller is not None else accounts.world(house)
    done = CreditSacrificed(do.buyer, house, amount, do.seller)
    ruling.about(do.buyer, done, accounts.move(accounts.credit(do.buyer, house), target, amount))
    _hand_over(ruling, do, deal, amount)
    ruling.by(SACRIFICE, amount, house=house, seller=do.seller, **({"agreed": do.agreed} if do.agreed else {}))
