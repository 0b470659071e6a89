"""Buying and selling, possessions, and Credit.

Credit offered beforehand (`sacrifice`) is no move: how much there is depends on buyer and House together, and who leaves
it out is asked when it comes to that. Nor does a Power buy anything by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.inputs_of_dealings import (
    AdjustCredit,
    Barter,
    ChangeSocial,
    GainItem,
    OccultPurchase,
    PartWithItem,
    Purchase,
    TransferCredit,
)
from ledger.rules.mongrel.moves_of_tasks import UNPAID, casting
from ledger.rules.mongrel.sight import AUGMENTING, NONE, Fields, Sight, grouped
from ledger.rules.mongrel.tables import OPTIONS
from ledger.rules.mongrel.terms import HOUSES


def dealings(sight: Sight) -> Iterator[Move]:
    yield from _purchases(sight)
    yield from _occult_purchases(sight)
    yield from _possessions(sight)
    yield from _credit(sight)


# --- buying ----------------------------------------------------------------------------------------------------------


def _purchases(sight: Sight) -> Iterator[Move]:
    """`mongrel.credit.purchase`: by who is in no conflict, of anybody."""
    buyers = tuple(id for id in sight.free if sight.rolls(id))
    using: Fields = {"expertise": Among(tuple(name for name in UNPAID if name not in OPTIONS))}
    for primary, alike in grouped(buyers, lambda id: sight.people[id].primary):
        yield Move(Purchase, {"buyer": alike, **using, "power": AUGMENTING[primary], **_of_nobody(sight)})
    for id in buyers:
        sellers = tuple(other for other in sight.alive if other != id)
        mine: Fields = {"buyer": Among((id,)), **using, "power": AUGMENTING[sight.people[id].primary]}
        if sellers:
            yield Move(Purchase, {**mine, **_of_somebody(sight, sellers)})
        for had in _of_what_they_have(sight, sellers):
            yield Move(Purchase, {**mine, **had})


def deals(sight: Sight, buyer: str, sellers: tuple[str, ...], names: tuple[str, ...]) -> Iterator[Fields]:
    """What somebody can buy in a turn, of nobody or of these."""
    using: Fields = {
        "buyer": Among((buyer,)),
        "expertise": Among(tuple(name for name in names if name not in OPTIONS)),
        "power": AUGMENTING[sight.people[buyer].primary],
    }
    yield {**using, **_of_nobody(sight)}
    if sellers:
        yield {**using, **_of_somebody(sight, sellers)}
    for had in _of_what_they_have(sight, sellers):
        yield {**using, **had}


def _deal(sight: Sight) -> Fields:
    """`agreed`: only a game master takes the seller to agree."""
    said: Fields = {"agreed": OPEN} if sight.seen.seat.role == "gm" else {}
    return {"house": OPEN, "difficulty": OPEN, **said}


def _values(sight: Sight) -> Fields:
    return {"weapon": Either((NONE, sight.weapon())), "armour": OPEN}


def _of_nobody(sight: Sight) -> Fields:
    return {**_deal(sight), **_values(sight), "social": Between(0)}


def _of_somebody(sight: Sight, sellers: tuple[str, ...]) -> Fields:
    return {**_deal(sight), **_values(sight), "seller": Among(sellers), "social": OPEN}


def _of_what_they_have(sight: Sight, sellers: tuple[str, ...]) -> Iterator[Fields]:
    for id in sellers:
        if had := tuple(sight.people[id].possessions):
            yield {**_deal(sight), "seller": Among((id,)), "social": OPEN, "possession": Among(had)}


def _occult_purchases(sight: Sight) -> Iterator[Move]:
    """`mongrel.sorcery.occult`: for Infernal Resolve."""
    buyers = casting(sight)
    for id in buyers:
        paid: Fields = {
            "buyer": Among((id,)),
            "points": Between(1, sight.draft.resolve(id)),
            "imitates": Among(UNPAID),
            "power": AUGMENTING[sight.people[id].primary],
        }
        sellers = tuple(other for other in sight.alive if other != id)
        yield Move(OccultPurchase, {**paid, **_of_nobody(sight)})
        if sellers:
            yield Move(OccultPurchase, {**paid, **_of_somebody(sight, sellers)})
        for had in _of_what_they_have(sight, sellers):
            yield Move(OccultPurchase, {**paid, **had})


# --- possessions -----------------------------------------------------------------------------------------------------


def _possessions(sight: Sight) -> Iterator[Move]:
    """`mongrel.item.had`"""
    if sight.alive:
        yield Move(GainItem, {"character": Among(sight.alive), **_values(sight)})
    for id, who in sight.people.items():
        if who.possessions:
            to = (None, *(other for other in sight.alive if other != id))
            had = Among(tuple(who.possessions))
            yield Move(PartWithItem, {"character": Among((id,)), "possession": had, "to": Among(to)})


# --- Credit ----------------------------------------------------------------------------------------------------------


def _credit(sight: Sight) -> Iterator[Move]:
    """`mongrel.credit.transfer`, `mongrel.credit.adjust`, `mongrel.credit.social`"""
    if not sight.alive:
        return
    everybody = Among(sight.alive)
    yield Move(Barter, {"character": everybody})
    yield Move(ChangeSocial, {"character": everybody, "social": Between(0)})
    yield Move(AdjustCredit, {"character": everybody, "house": OPEN, "change": Between(1)})
    for house in HOUSES:
        own: Domain = Among((house,))
        others = Among(tuple(other for other in HOUSES if other != house))
        for held, those in grouped(sight.alive, lambda id, house=house: _held(sight, id, house)):  # type: ignore[misc]
            yield Move(AdjustCredit, {"character": those, "house": own, "change": Between(-held, -1)})
            if held > 1:
                credited = Between(1, held // 2)
                yield Move(
                    TransferCredit, {"character": those, "source": own, "target": others, "credited": credited}
                )


def _held(sight: Sight, id: str, house: str) -> int | None:
    """Credit with a House, where there is any."""
    held = sight.draft.balance(accounts.credit(id, house))
    return held if held > 0 else None
