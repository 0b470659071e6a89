"""Buying and selling, possessions, and Credit.

Credit offered beforehand (`sacrifice`) is no move: how much there is depends on buyer and House together, and who does
not say it is asked when it comes to that. Nor does a Power buy anything by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.consent import GAME_MASTER, whose
from ledger.rules.mongrel.inputs_of_dealings import (
    AdjustCredit,
    Barter,
    ChangeSocial,
    GainItem,
    MoveItem,
    OccultPurchase,
    PartWithItem,
    Purchase,
    SellItem,
    TransferCredit,
)
from ledger.rules.mongrel.moves_of_tasks import UNPAID, means, speaking
from ledger.rules.mongrel.sight import AUGMENTING, NONE, Fields, Sight, grouped
from ledger.rules.mongrel.tables import OPTIONS, SPOKEN
from ledger.rules.mongrel.terms import HOUSES


def dealings(sight: Sight) -> Iterator[Move]:
    yield from _purchases(sight)
    yield from _occult_purchases(sight)
    yield from _possessions(sight)
    yield from _credit(sight)


# --- buying ----------------------------------------------------------------------------------------------------------


def _purchases(sight: Sight) -> Iterator[Move]:
    """`mongrel.credit.purchase`: by who is in no conflict, of anybody else."""
    able = tuple(id for id in sight.mine if sight.rolls(id))
    there = sight.standing(sight.alive, speaks=True)
    for buyers, names in ((sight.standing(able), UNPAID), (speaking(sight, able), SPOKEN)):
        for alike, using in _using(sight, buyers, names):
            yield Move(Purchase, {"buyer": alike, **using, **_of_nobody(sight)})
        for id in buyers:
            for own, using in _using(sight, (id,), names):
                if sellers := tuple(other for other in there if other != id):
                    yield Move(Purchase, {"buyer": own, **using, **_of_somebody(sight, sellers)})
        for seller, had in _of_what_they_have(sight, there):
            for alike, using in _using(sight, (id for id in buyers if id != seller), names):
                yield Move(Purchase, {"buyer": alike, **using, **had})


def in_turn(sight: Sight, buyer: str, sellers: tuple[str, ...], names: tuple[str, ...]) -> Iterator[Move]:
    """What somebody can buy in a conflict, of nobody or of these."""
    for own, using in _using(sight, (buyer,), names):
        yield Move(Purchase, {"buyer": own, **using, **_of_nobody(sight)})
        if sellers:
            yield Move(Purchase, {"buyer": own, **using, **_of_somebody(sight, sellers)})
        for _, had in _of_what_they_have(sight, sellers):
            yield Move(Purchase, {"buyer": own, **using, **had})


def _using(sight: Sight, ids: Iterable[str], names: Iterable[str]) -> Iterator[tuple[Among, Fields]]:
    expertise = Among(tuple(name for name in names if name not in OPTIONS))
    for primary, alike in grouped(ids, lambda id: sight.people[id].primary):
        yield alike, {"expertise": expertise, "power": AUGMENTING[primary]}


def _occult_purchases(sight: Sight) -> Iterator[Move]:
    """`mongrel.sorcery.occult`: for Infernal Resolve."""
    paid, there = list(means(sight)), sight.standing(sight.alive, speaks=True)
    for casters, using in paid:
        yield Move(OccultPurchase, {"buyer": casters, **using, **_of_nobody(sight)})
        for id in casters.values:
            if sellers := tuple(other for other in there if other != id):
                yield Move(OccultPurchase, {"buyer": Among((id,)), **using, **_of_somebody(sight, sellers)})
    for seller, had in _of_what_they_have(sight, there):
        for casters, using in paid:
            if buyers := tuple(id for id in casters.values if id != seller):
                yield Move(OccultPurchase, {"buyer": Among(buyers), **using, **had})


def _deal(sight: Sight) -> Fields:
    """`agreed`: only a game master takes the seller to agree."""
    said: Fields = {"agreed": OPEN} if sight.seen.seat.role == "gm" else {}
    return {"house": OPEN, "difficulty": OPEN, **said}


def _values(sight: Sight) -> Fields:
    return {"weapon": Either((NONE, sight.weapon())), "armour": OPEN}


def _of_nobody(sight: Sight) -> Fields:
    return {**_deal(sight), **_values(sight), "social": sight.known()}


def _of_somebody(sight: Sight, sellers: tuple[str, ...]) -> Fields:
    return {**_deal(sight), **_values(sight), "seller": Among(sellers), "social": OPEN}


def _of_what_they_have(sight: Sight, sellers: tuple[str, ...]) -> Iterator[tuple[str, Fields]]:
    """By its own name."""
    for id in sellers:
        if had := tuple(sight.people[id].possessions):
            own: Fields = {"item": Among(("",)), "possession": Among(had)}
            yield id, {**_deal(sight), "seller": Among((id,)), "social": OPEN, **own}


# --- possessions -----------------------------------------------------------------------------------------------------


def _possessions(sight: Sight) -> Iterator[Move]:
    """`mongrel.item.had`"""
    if sight.alive:
        yield Move(GainItem, {"character": Among(sight.alive), **_values(sight)})
    dealers = _dealers(sight)
    for id, who in sight.people.items():
        if not who.possessions:
            continue
        to = (None, *(other for other in sight.alive if other != id))
        had: Fields = {"character": Among((id,)), "possession": Among(tuple(who.possessions))}
        yield Move(MoveItem, {**had, "to": Among(to)})
        if id in sight.alive and sight.stands(id) and _deals(sight, id):
            yield Move(PartWithItem, {**had, "to": Among(to)})
        if id in dealers and sight.declares_for(id):
            yield Move(SellItem, {**had, "house": OPEN, "price": Between(1), "buyer": NONE})
            yield from _customers(sight, id, had)


def _dealers(sight: Sight) -> tuple[str, ...]:
    """Those who can speak, and whose turn it is where dealings are actions."""
    return tuple(id for id in sight.standing(sight.alive, speaks=True) if _deals(sight, id))


def _deals(sight: Sight, id: str) -> bool:
    """`mongrel.conflict.dealings`"""
    if id not in sight.strife or sight.draft.dials.dealings_in_conflict == "free":
        return True
    return sight.has_turn(id) and sight.can_act(id)


def _customers(sight: Sight, seller: str, had: Fields) -> Iterator[Move]:
    """`mongrel.credit.sell`: characters whom no player plays, with as much Credit as they have."""
    buyers = tuple(id for id in sight.alive if id != seller and whose(sight.draft, id) == GAME_MASTER)
    for house in HOUSES:
        for held, those in grouped(buyers, lambda id, house=house: _held(sight, id, house)):  # type: ignore[misc]
            yield Move(SellItem, {**had, "house": Among((house,)), "price": Between(1, held), "buyer": those})


# --- Credit ----------------------------------------------------------------------------------------------------------


def _credit(sight: Sight) -> Iterator[Move]:
    """`mongrel.credit.transfer`, `mongrel.credit.adjust`, `mongrel.credit.social`"""
    if not sight.alive:
        return
    everybody = Among(sight.alive)
    dealers = _dealers(sight)
    if dealers:
        yield Move(Barter, {"character": Among(dealers)})
    yield Move(ChangeSocial, {"character": everybody, "social": Between(0)})
    yield Move(AdjustCredit, {"character": everybody, "house": OPEN, "change": Between(1)})
    for house in HOUSES:
        own: Domain = Among((house,))
        others = Among(tuple(other for other in HOUSES if other != house))
        for held, those in grouped(sight.alive, lambda id, house=house: _held(sight, id, house)):  # type: ignore[misc]
            yield Move(AdjustCredit, {"character": those, "house": own, "change": Between(-held, -1)})
            if held > 1:
                able = tuple(id for id in dealers if id in those.values)
                credited = Between(1, held // 2)
                if able:
                    yield Move(
                        TransferCredit,
                        {"character": Among(able), "source": own, "target": others, "credited": credited},
                    )


def _held(sight: Sight, id: str, house: str) -> int | None:
    """Credit with a House, where there is any."""
    held = sight.draft.balance(accounts.credit(id, house))
    return held if held > 0 else None
