"""Credit with the Houses: buying, giving it up, moving it. Heading: Character wealth and social status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.rules.contract import Asking, Refused, Unfit, character
from ledger.rules.dice import ask
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.choices import NoDeal, Sacrifice
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.facts import (
    Bartered,
    CreditAdjusted,
    CreditFollowedSocial,
    CreditSacrificed,
    CreditTransferred,
    ItemAcquired,
    PurchaseRolled,
    SocialChanged,
    TaskDeclared,
)
from ledger.rules.mongrel.ground import Ruling, check_alive, check_rolls
from ledger.rules.mongrel.inputs import (
    AdjustCredit,
    Barter,
    ChangeSocial,
    Purchase,
    TransferCredit,
)
from ledger.rules.mongrel.resolution import Count, count, meets, target_number
from ledger.rules.mongrel.tasks import Pool, check_difficulty, check_natural, check_typed, faces_of, pool_of
from ledger.rules.mongrel.terms import House, PurchaseOutcome, is_house, is_natural, is_whole

PURCHASE = "mongrel.credit.purchase"
SACRIFICE = "mongrel.credit.sacrifice"
TRANSFER = "mongrel.credit.transfer"
ADJUST = "mongrel.credit.adjust"
SOCIAL = "mongrel.credit.social"


@dataclass(frozen=True, slots=True)
class Bargain:
    """How the dice of a purchase came out. `flat`: an Effect of 1 whatever the Identity."""

    outcome: PurchaseOutcome
    good: int
    social: Count
    credit: Count
    flat: bool


# --- buying ----------------------------------------------------------------------------------------------------------


def purchase(ruling: Ruling, do: Purchase) -> Asking[None]:
    """One roll over the other's Social and under one's own Credit."""
    check_alive(ruling, do.buyer)
    check_rolls(ruling, do.buyer)
    if not do.available:
        raise Refused(PURCHASE, "not-available", item=do.item)
    house = check_house(do.house, PURCHASE)
    pool = pool_of(ruling, do.buyer, do.expertise, do.power)
    social = _social(ruling, do)
    check_difficulty(do.difficulty)
    check_typed(do.faces, pool.dice)
    held = ruling.balance(accounts.credit(do.buyer, house))
    if do.sacrifice is not None:
        _check_sacrifice(do.sacrifice, held)
    tn = target_number(social + ruling.dials.purchase_social_strict, do.difficulty, "target", ruling.dials)
    declared = TaskDeclared(
        do.buyer, do.expertise, do.power, None, "social", do.seller, do.item, do.difficulty, do.reason, 0
    )  # fmt: skip
    ruling.about(do.buyer, declared)
    faces = yield from faces_of(ruling, pool, do.faces)
    found = bargain(faces, pool, tn, held, ruling.dials)
    effect = _effect(ruling, pool, found, tn)
    done = PurchaseRolled(
        do.buyer, do.item, house, do.seller, found.outcome, tn, held, found.good, found.social.special,
        found.credit.special, effect,
    )  # fmt: skip
    ruling.about(do.buyer, done)
    ruling.by(PURCHASE, found.outcome, tn=tn, credit=held, faces=list(faces), good=found.good)
    if found.outcome == "acquired":
        ruling.about(do.buyer, ItemAcquired(do.buyer, do.item))
    elif found.outcome == "sacrifice-offered":
        yield from _sacrifice(ruling, do, house, held)
    _mark(ruling, do, pool)


def _social(ruling: Ruling, do: Purchase) -> int:
    """The seller's. Refuses `bad-target` for buying from oneself, the dead, `bad-score` for who has no score."""
    if do.seller is None:
        check_natural(PURCHASE, "bad-score", social=do.social)
        social: int = do.social
        return social
    if do.seller == do.buyer:
        raise Refused(PURCHASE, "bad-target", seller=do.seller)
    check_alive(ruling, do.seller)
    return ruling.score(do.seller, "social")


def bargain(faces: tuple[int, ...], pool: Pool, tn: int, credit: int, dials: Dials) -> Bargain:
    """`mongrel.credit.purchase`: both tests with their special cases, and the dice that meet both numbers."""
    if pool.value:
        return _one_roll(faces, tn, credit, dials)
    rolls = [_one_roll((face,), tn, credit, dials) for face in faces]
    outcome: PurchaseOutcome = "refused-by-seller"
    if all(one.outcome == "acquired" for one in rolls):
        outcome = "acquired"
    elif all(one.credit.success for one in rolls):
        outcome = "sacrifice-offered"
    flat = Count(outcome == "acquired", 0, "zero-expertise", flat=True)
    kept = Count(outcome != "refused-by-seller", 0, "zero-expertise", flat=True)
    return Bargain(outcome, sum(one.good for one in rolls), flat, kept, flat=True)


def _one_roll(faces: tuple[int, ...], tn: int, credit: int, dials: Dials) -> Bargain:
    social, own = count(faces, tn, "target", dials), count(faces, credit, "own", dials)
    over = [face for face in faces if meets(face, tn, "target")]
    good = len([face for face in over if meets(face, credit, "own")])
    both = social.success and own.success
    flat = social.flat or own.flat
    if not dials.purchase_same_die:
        good = len(over)
        acquired = both
    else:
        acquired = both and good > 0
    outcome: PurchaseOutcome = "acquired" if acquired else "sacrifice-offered" if own.success else "refused-by-seller"
    return Bargain(outcome, good, social, own, flat)


def _effect(ruling: Ruling, pool: Pool, found: Bargain, tn: int) -> int:
    if found.outcome != "acquired":
        return 0
    if found.flat:
        return 1
    identity = ruling.who(pool.actor).identity.get(pool.identity, 0)
    effect = found.good + identity + (tn if ruling.dials.effect_adds_tn else 0)
    ruling.by("mongrel.effect.base", effect, good=found.good, identity=identity)
    return effect


def _mark(ruling: Ruling, do: Purchase, pool: Pool) -> None:
    ruling.mark(do.buyer, pool.expertise, pool.identity, *((pool.augmented,) if pool.augmented else ()))
    if do.seller is not None:
        ruling.mark(do.seller, "social")
    ruling.tell_used()


def check_house(house: str, rule: str) -> House:
    if not is_house(house):
        raise Refused(rule, "house-unknown", house=house)
    return house


# --- giving Credit up ------------------------------------------------------------------------------------------------


def _check_sacrifice(amount: Any, held: int) -> int:
    """Refuses `bad-amount`, `credit-short`."""
    if not is_whole(amount) or amount < 1:
        raise Refused(SACRIFICE, "bad-amount", amount=repr(amount))
    if amount > held:
        raise Refused(SACRIFICE, "credit-short", amount=amount, credit=held)
    return amount


def _sacrifice(ruling: Ruling, do: Purchase, house: House, held: int) -> Asking[None]:
    """What buyer and seller agree on moves between their accounts with the same House, one for one."""
    amount = do.sacrifice
    if amount is None:
        owner = ruling.table.owner(character(do.buyer))
        chosen = yield from ask(owner, Sacrifice, NoDeal, purpose=f"give up Credit with {house} for {do.item}?")
        if isinstance(chosen, NoDeal):
            return
        try:
            amount = _check_sacrifice(chosen.amount, held)
        except Refused as no:
            raise Unfit(no.rule, no.code, **no.context) from None
    target = accounts.credit(do.seller, house) if do.seller is not None else accounts.world(house)
    done = CreditSacrificed(do.buyer, house, amount, do.seller)
    ruling.about(do.buyer, done, accounts.move(accounts.credit(do.buyer, house), target, amount))
    ruling.about(do.buyer, ItemAcquired(do.buyer, do.item))
    ruling.by(SACRIFICE, amount, house=house, seller=do.seller)


# --- moving it -------------------------------------------------------------------------------------------------------


def transfer(ruling: Ruling, do: TransferCredit) -> None:
    """Two for one, between one's own accounts with two Houses."""
    id = do.character
    check_alive(ruling, id)
    if do.source == do.target:
        raise Refused(TRANSFER, "same-account", house=do.source)
    right = is_whole(do.credited) and do.credited >= 1
    held = ruling.balance(accounts.credit(id, do.source)) if is_house(do.source) else None
    if right and held is not None and 2 * do.credited > held:
        raise Refused(TRANSFER, "credit-short", needed=2 * do.credited, credit=held)
    if not right:
        raise Refused(TRANSFER, "bad-amount", credited=repr(do.credited))
    source, target = check_house(do.source, TRANSFER), check_house(do.target, TRANSFER)
    ruling.about(
        id,
        CreditTransferred(id, source, target, 2 * do.credited, do.credited),
        accounts.move(accounts.credit(id, source), accounts.issuer(source), 2 * do.credited),
        accounts.move(accounts.issuer(target), accounts.credit(id, target), do.credited),
    )
    ruling.by(TRANSFER, do.credited, debited=2 * do.credited)


def adjust_credit(ruling: Ruling, do: AdjustCredit) -> None:
    """By ruling, with its reason. Refuses `house-unknown`, `bad-amount`, `credit-short`."""
    id = do.character
    check_alive(ruling, id)
    house = check_house(do.house, ADJUST)
    if not is_whole(do.change) or do.change == 0:
        raise Refused(ADJUST, "bad-amount", change=repr(do.change))
    held = ruling.balance(accounts.credit(id, house))
    if held + do.change < 0:
        raise Refused(ADJUST, "credit-short", change=do.change, credit=held)
    ruling.about(id, CreditAdjusted(id, house, do.change, do.reason), *_moved(id, house, do.change))
    ruling.by(ADJUST, held + do.change, change=do.change, reason=do.reason)


def _moved(id: str, house: str, change: int) -> tuple[Any, ...]:
    """Up from the House, down back to it."""
    own, issuer = accounts.credit(id, house), accounts.issuer(house)
    return (accounts.move(issuer, own, change), accounts.move(own, issuer, -change))


def change_social(ruling: Ruling, do: ChangeSocial) -> None:
    """The lasting score, by ruling. Refuses `bad-score`."""
    id = do.character
    old = check_alive(ruling, id).attributes.get("social", 0)
    if not is_natural(do.social):
        raise Refused(SOCIAL, "bad-score", social=repr(do.social))
    ruling.about(id, SocialChanged(id, old, do.social, do.social - old, "ruling", do.reason))
    follow_social(ruling, id, do.social - old)


def follow_social(ruling: Ruling, id: str, change: int) -> None:
    """`mongrel.credit.social`: Credit with one's own House goes along, not below 0."""
    house = ruling.who(id).house
    if house is None:
        return
    held = ruling.balance(accounts.credit(id, house))
    actual = max(change, -max(0, held))
    ruling.by(SOCIAL, held + actual, change=change, house=house)
    if actual:
        ruling.about(id, CreditFollowedSocial(id, house, actual), *_moved(id, house, actual))


def barter(ruling: Ruling, do: Barter) -> None:
    """`mongrel.credit.cash`: no numbers."""
    check_alive(ruling, do.character)
    ruling.about(do.character, Bartered(do.character, do.text))
    ruling.by("mongrel.credit.cash", do.text)
