"""What can be declared about Experience Dice that come to the Players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Move, Some
from ledger.rules.kernel.subjects import CAMPAIGN, seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.at_hand import NO, NONE, AtHand, grouped
from ledger.rules.scattershot.inputs_of_rewards import (
    AwardDice,
    CastVote,
    ClaimGimme,
    ClaimPayback,
    CountCoup,
    GiveCoolBeans,
    ReplaceCoolBeans,
)
from ledger.rules.scattershot.state import Expectation
from ledger.rules.scattershot.tables import gimme_dice

GRADES = ("solid", "minor", "mediocre")


def of_rewards(at: AtHand) -> Iterator[Move]:
    keepers = tuple(one for one in at.players if not at.draft.is_gm(one))
    for one, said in at.players_spoken_for(at.group):
        yield Move(CastVote, {"player": said}, of=one)
    yield from _given(at, keepers)
    yield from _awarded(at, keepers)
    yield from _coups(at, keepers)
    yield from _gimmes(at)
    for one, said in at.players_spoken_for(at.players):
        yield from _paybacks(at, one, said)


def _given(at: AtHand, keepers: tuple[str, ...]) -> Iterator[Move]:
    """`xd.cool-beans`: one's own, to somebody else."""
    for giver, said in at.players_spoken_for(keepers):
        held = at.balance(accounts.purse(giver))
        others = tuple(one for one in at.players if one != giver)
        if held >= 1 and others:
            yield Move(GiveCoolBeans, {"to": Among(others), "n": Between(1, held), "player": said}, of=giver)


def _awarded(at: AtHand, keepers: tuple[str, ...]) -> Iterator[Move]:
    """`xd.instant`, `xd.cool-beans-replaced`: as far as the stock goes."""
    n = at.from_stock()
    to = keepers if at.rules else tuple(one for one in keepers if one != at.by)
    if n is not None and to:
        votes = tuple(map(str, at.seen.citable(CAMPAIGN)))
        cited = Some(Among(votes), repeats=True) if votes else Among(((),))
        yield Move(AwardDice, {"to": Among(to), "n": n, "votes": cited})
    if not at.seen.decides:
        return
    for giver in at.players:
        gifts = accounts.gift(giver, "")
        for account, left in at.seen.accounts(seat(giver)).items():
            n = at.from_stock(left)
            if account.startswith(gifts) and n is not None and left >= 1:
                yield Move(ReplaceCoolBeans, {"gift": Among((account.removeprefix(gifts),)), "n": n})


def _coups(at: AtHand, keepers: tuple[str, ...]) -> Iterator[Move]:
    """`xd.coup`: what was forgotten, and something for who caught it."""
    left = None if at.in_stock is None else at.in_stock - at.dials.coup_extra
    if left is not None and left < 1:
        return
    for catcher, said in at.players_spoken_for(keepers):
        yield Move(CountCoup, {"owed_to": Among(keepers), "owed": Between(1, left), "player": said}, of=catcher)


def _gimmes(at: AtHand) -> Iterator[Move]:
    """`xd.gimme`, `xd.gimme-genre`: as many dice as the stock has."""
    mine, who = at.mine(at.known), at.draft.who
    for held, those in grouped(mine, lambda id: tuple((one.name, one.value) for one in who(id).disadvantages) or None):
        values = {name: int(value) for name, value in reversed(held)}
        for grade in GRADES:
            dice = {name: gimme_dice(value, grade) for name, value in values.items()}
            names = tuple(name for name, n in dice.items() if n is not None and at.stock_has(n))
            if names:
                claimed: dict[str, Domain] = {"disadvantage": Among(names), "grade": Among((grade,))}
                yield Move(ClaimGimme, {"character": those, **claimed, "expectation": OPEN})
    listed = {name: one for name, one in at.draft.campaign().expectations.items() if one.kind == "gimme"}
    due = {name: one for name, one in listed.items() if at.stock_has(one.value)}
    for names, those in grouped(mine, lambda id: _meant_for(at, due, id) or None):
        yield Move(ClaimGimme, {"character": those, "expectation": Among(names), "grade": OPEN})


def _meant_for(at: AtHand, listed: dict[str, Expectation], id: str) -> tuple[str, ...]:
    return tuple(name for name, one in listed.items() if at.draft.is_for(one, at.draft.owner(id), id))


def _paybacks(at: AtHand, player: str, said: Domain) -> Iterator[Move]:
    """`xd.payback`: for what was rolled, once; or for an occasion, once."""
    held = at.seen.accounts(seat(player))
    spent, paid = accounts.spent(player, ""), accounts.payback(player, "")
    had = [account.removeprefix(paid) for account, n in held.items() if account.startswith(paid) and n > 0]
    dice = {account.removeprefix(spent): n for account, n in held.items() if account.startswith(spent) and n > 0}
    owed: list[tuple[int, dict[str, Domain]]] = [
        (n, {"resolution": Among((id,))}) for id, n in dice.items() if id not in had
    ]
    told = tuple(one.removeprefix("for ") for one in had if one.startswith("for "))
    owed.append((0, {"resolution": NONE, "occasion": Besides(("", *told))}))
    served = [
        (name, one.value) for name, one in at.draft.campaign().expectations.items() if at.draft.is_served(one, player)
    ]
    named = [(None, at.dials.payback_minimum), *served]
    for (n, each), (name, least) in product(owed, named):
        plain, what = max(n, least), {**each, "expectation": Among((name,))}
        if at.stock_has(plain + at.dials.payback_interest):
            yield Move(ClaimPayback, {**what, "interest": OPEN, "player": said}, of=player)
        elif at.stock_has(plain):
            yield Move(ClaimPayback, {**what, "interest": NO, "player": said}, of=player)
