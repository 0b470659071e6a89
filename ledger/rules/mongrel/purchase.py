"""Buying, with Credit or for it, by Occult too, and in a conflict. Heading: Character wealth and social status."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused, must_say
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.attacks import SLOW, check_dice_may_fall, defence
from ledger.rules.mongrel.bargains import Bargain, bargain
from ledger.rules.mongrel.conflict import check_can_act, end_turn, pay
from ledger.rules.mongrel.consent import (
    SACRIFICE,
    check_agreed,
    check_sacrifice,
    for_sale,
    named,
    offered,
    price_agreed,
)
from ledger.rules.mongrel.credit import check_house
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import TaskDeclared
from ledger.rules.mongrel.facts_of_dealings import (
    CreditSacrificed,
    ItemAcquired,
    PurchaseResisted,
    PurchaseRolled,
)
from ledger.rules.mongrel.facts_of_strife import ActionDeclared
from ledger.rules.mongrel.guards import (
    Strife,
    check_alive,
    check_rolls,
    check_stands,
    conflict_of,
    takes_part,
    the_turn,
)
from ledger.rules.mongrel.inputs_of_dealings import OccultPurchase, Purchase, Sale
from ledger.rules.mongrel.possessions import USE, check_values, part, possession_of
from ledger.rules.mongrel.resolution import target_number
from ledger.rules.mongrel.sorcery import OCCULT, check_sorcery, pay_resolve, resisted, take_time
from ledger.rules.mongrel.tables import SPOKEN
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
    """A purchase that may be rolled for. `tn`: against the seller's Social; `held`: the buyer's Credit. `typed`: dice.

    `weapon`, `armour`: what the item is worth as one. `extra`: what further Resolve adds to the Effect.
    """

    pool: Pool
    typed: tuple[int, ...] | None
    house: House
    difficulty: int
    tn: int
    held: int
    weapon: int | None
    armour: int | None
    extra: int = 0


# --- who may buy -----------------------------------------------------------------------------------------------------


def purchase(draft: Draft, do: Purchase) -> Asking[None]:
    """One roll over the other's Social and under one's own Credit; in a conflict an action in its order."""
    check_alive(draft, do.buyer)
    check_rolls(draft, do.buyer)
    check_paid(do.expertise)
    if conflict_of(draft, do.buyer) is not None:
        yield from _in_turn(draft, do)
        return
    check_stands(draft, do.buyer, speaks=do.expertise in SPOKEN)
    deal = _check_deal(draft, do, do.expertise)
    do = named(draft, do)
    if (yield from for_sale(draft, do)):
        yield from _carry_out(draft, do, deal, None)


def occult_purchase(draft: Draft, do: OccultPurchase) -> Asking[None]:
    """`mongrel.sorcery.occult`: Infernal Resolve, hours, and then the purchase."""
    points = check_sorcery(draft, do.buyer, do.points, do.imitates)
    deal = _check_deal(draft, do, "occult", points - 1)
    do = named(draft, do)
    begun = draft.begun(do.since)
    if not (yield from for_sale(draft, do)):
        return
    pay_resolve(draft, do.buyer, points)
    if draft.who(do.buyer).dead:
        return
    take_time(draft, deal.pool, OCCULT, begun)
    yield from _carry_out(draft, do, deal, None)


def _in_turn(draft: Draft, do: Purchase) -> Asking[None]:
    """As an attack: whoever sells there may defend, and a miss costs a point. Whoever is elsewhere sells nothing."""
    strife = the_turn(draft, do.buyer, PURCHASE)
    if do.seller is not None and not takes_part(draft, strife, do.seller):
        raise Refused("mongrel.conflict.attack", "bad-target", target=do.seller)
    check_can_act(draft, do.buyer)
    if do.expertise in SLOW:
        raise Refused(f"mongrel.sorcery.{do.expertise}", "too-slow", expertise=do.expertise)
    deal = _check_deal(draft, do, do.expertise)
    if do.faces is not None and do.seller is not None:
        check_dice_may_fall(draft)
    do = named(draft, do)
    if not (yield from for_sale(draft, do)):
        return
    draft.under_way = True
    draft.end_recovery(do.buyer)
    if do.seller is not None:
        declared = ActionDeclared(
            do.buyer, do.seller, do.expertise, "social", do.power, deal.difficulty, do.reason, 0, "", "none", 0, 0, "",
            do.item, None, None,
        )  # fmt: skip
        draft.tell(strife.scene, declared)
        yield from defence(draft, strife, declared, None)
    yield from _carry_out(draft, do, deal, strife)
    end_turn(draft, strife, do.buyer)


def _check_deal(draft: Draft, do: Sale, expertise: str, extra: int = 0) -> Deal:
    """All that can be refused of a purchase, in the order of the rule."""
    if not do.available:
        raise Refused(PURCHASE, "not-available", item=do.item)
    if do.possession is None:
        must_say(PURCHASE, item=do.item)
    house = check_house(do.house, PURCHASE)
    pool = pool_of(draft, do.buyer, expertise, do.power)
    social = _social(draft, do)
    difficulty = check_difficulty(do.difficulty)
    typed = check_typed(do.faces, pool.dice)
    weapon, armour = _values(draft, do)
    held = draft.balance(accounts.credit(do.buyer, house))
    if do.sacrifice is not None:
        check_sacrifice(do.sacrifice, held)
    check_agreed(draft, do)
    tn = target_number(social + draft.dials.purchase_social_strict, difficulty, "target", draft.dials)
    return Deal(pool, typed, house, difficulty, tn, held, weapon, armour, extra)


def _social(draft: Draft, do: Sale) -> int:
    """The seller's. Refuses `bad-target` for buying from oneself, the dead, the collapsed, and `bad-score`."""
    if do.seller is None:
        (social,) = check_natural(PURCHASE, "bad-score", social=do.social)
        return social
    if do.seller == do.buyer:
        raise Refused(PURCHASE, "bad-target", seller=do.seller)
    check_alive(draft, do.seller)
    check_stands(draft, do.seller, speaks=True)
    return draft.score(do.seller, "social")


def _values(draft: Draft, do: Sale) -> tuple[int | None, int | None]:
    """Of what is bought. Refuses `possession-unknown`, `number-and-possession`, `bad-score`, `weapon-cap`."""
    if do.possession is None:
        return check_values(draft, do.weapon, do.armour)
    if do.seller is None:
        raise Refused(USE, "possession-unknown", possession=do.possession, character=None)
    item = possession_of(draft, do.seller, do.possession)
    if do.weapon is not None or do.armour is not None:
        raise Refused(USE, "number-and-possession", possession=do.possession)
    return item.weapon, item.armour


# --- the roll --------------------------------------------------------------------------------------------------------


def _carry_out(draft: Draft, do: Sale, deal: Deal, strife: Strife | None) -> Asking[None]:
    pool = deal.pool
    draft.end_recovery(do.buyer)
    declared = TaskDeclared(
        do.buyer, pool.expertise, do.power, None, "social", do.seller, do.item, deal.difficulty, do.reason, 0, ""
    )  # fmt: skip
    draft.about(do.buyer, declared)
    faces = yield from faces_of(draft, pool, deal.typed)
    found = bargain(faces, pool, deal.tn, deal.held, draft.dials)
    effect = _effect(draft, deal, found)
    done = PurchaseRolled(
        do.buyer, do.item, deal.house, do.seller, found.outcome, deal.tn, deal.held, found.good, found.social.special,
        found.credit.special, effect,
    )  # fmt: skip
    draft.about(do.buyer, done)
    draft.by(PURCHASE, found.outcome, tn=deal.tn, credit=deal.held, faces=list(faces), good=found.good)
    if strife is not None and found.outcome != "acquired":
        pay(draft, do.buyer, "missed")
    if found.outcome == "acquired":
        yield from _acquire(draft, do, deal, effect)
    elif found.outcome == "sacrifice-offered":
        yield from _sacrifice(draft, do, deal)
    _mark(draft, do, pool)


def _effect(draft: Draft, deal: Deal, found: Bargain) -> int:
    if found.outcome != "acquired":
        return 0
    pool, identity = deal.pool, 0
    effect = 1
    if not found.flat:
        identity = draft.who(pool.actor).identity.get(pool.identity, 0)
        effect = found.good + identity + (deal.tn if draft.dials.effect_adds_tn else 0)
        draft.by("mongrel.effect.base", effect, good=found.good, identity=identity)
    if deal.extra:
        draft.by("mongrel.effect.change", effect + deal.extra, raised=effect, occult=deal.extra)
    return effect + deal.extra


def _acquire(draft: Draft, do: Sale, deal: Deal, effect: int) -> Asking[None]:
    """The seller may resist a purchase by Occult. It takes an Effect of 1 to succeed."""
    if isinstance(do, OccultPurchase) and do.seller is not None:
        left = yield from resisted(draft, do.seller, effect, "occult")
        if not left:
            draft.about(do.buyer, PurchaseResisted(do.buyer, do.item, do.seller))
            draft.by(PURCHASE, "resisted", effect=effect)
            return
    _hand_over(draft, do, deal, 0)


def _hand_over(draft: Draft, do: Sale, deal: Deal, credit: int) -> None:
    """`mongrel.item.had`: what is bought is had, and no longer by who sold it."""
    if do.possession is not None and do.seller is not None:
        part(draft, do.seller, do.possession, do.buyer, "sold")
    acquired = ItemAcquired(
        do.buyer, draft.table.new_id(), do.item, credit, deal.house if credit else None, deal.weapon, deal.armour, ""
    )  # fmt: skip
    draft.about(do.buyer, acquired)
    draft.by("mongrel.item.had", do.item, character=do.buyer, credit=credit)


def _mark(draft: Draft, do: Sale, pool: Pool) -> None:
    draft.mark(do.buyer, pool.expertise, pool.identity, *((pool.augmented,) if pool.augmented else ()))
    if do.seller is not None:
        draft.mark(do.seller, "social")
    draft.tell_used()


# --- giving Credit up ------------------------------------------------------------------------------------------------


def _sacrifice(draft: Draft, do: Sale, deal: Deal) -> Asking[None]:
    """What buyer and seller agree on moves between their accounts with the same House, one for one."""
    amount = yield from offered(draft, do, deal.house, deal.held)
    agreed = amount is not None and (yield from price_agreed(draft, do, deal.house, amount))
    if amount is None or not agreed:
        draft.by(SACRIFICE, "no deal", offered=amount)
        return
    house = deal.house
    target = accounts.credit(do.seller, house) if do.seller is not None else accounts.world(house)
    done = CreditSacrificed(do.buyer, house, amount, do.seller)
    draft.about(do.buyer, done, accounts.move(accounts.credit(do.buyer, house), target, amount))
    _hand_over(draft, do, deal, amount)
    spoken = {"agreed": do.agreed} if do.agreed else {}
    draft.by(SACRIFICE, amount, None, house=house, seller=do.seller, **spoken)
