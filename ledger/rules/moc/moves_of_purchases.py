"""What can be bought: levels that are not had yet, as far as the points reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move, Shape, Some
from ledger.rules.moc import accounts, inputs, numbers
from ledger.rules.moc.creation import ELEMENTS_COST, FLAT, FLOATING, PERIOD_DICE
from ledger.rules.moc.offering import AGREED, Offering, one, together
from ledger.rules.moc.sheet import Purchase
from ledger.rules.moc.terms import ELEMENTS, PERIODS, POINT, PRIMARIES, SECONDARIES

MOST = 100  # of whatever is bought
HIGHEST = 5  # a Primary's rating, where a dial limits it
RATES: tuple[tuple[Fraction, object], ...] = ((Fraction(2), 2), (Fraction(3, 2), "3/2"))
ONCE = ("hand-of-fate", "fortune", "vortex")
Pairs: TypeAlias = tuple[tuple[str, int], ...]
#: What a level costs, counted from none, in 120ths of a point.
Price: TypeAlias = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Buyer:
    """All that decides about what somebody can buy. `points`, `value`: in 120ths; `skills`: all of the campaign."""

    points: int
    value: int
    ratings: Pairs
    skilled: Pairs
    counts: Pairs
    related: tuple[tuple[str, tuple[str, ...]], ...]
    elements: tuple[tuple[str, str], ...]
    primaries: tuple[str, ...]
    secondaries: tuple[str, ...]
    skills: tuple[str, ...]
    limited: bool
    repeatable: bool
    doubling: bool


def purchases(now: Offering) -> Iterator[Move]:
    """Who can buy the same, in one move."""
    for buyer, alike in together((id, _buyer(now, id)) for id in now.roster).items():
        bought = _bought(buyer)
        if bought:
            fields: dict[str, Domain] = {"character": Among(alike), "purchase": Either(bought), "approved": AGREED}
            yield Move(inputs.Buy, fields)


def _buyer(now: Offering, id: str) -> Buyer:
    who, dials = now.who(id), now.dials
    return Buyer(
        now.table.balance(accounts.point(id)), who.budget + who.earned, tuple(who.ratings.items()),
        tuple(who.skills.items()), tuple(who.counts.items()), tuple(who.related.items()),
        tuple(who.elements.items()), who.primaries, who.secondaries, tuple(now.campaign.skills),
        dials.primary_max == HIGHEST, dials.card_advantages_repeatable, dials.contacts_geometry == "doubling",
    )  # fmt: skip


@lru_cache(maxsize=1000)
def _bought(buyer: Buyer) -> tuple[Shape, ...]:
    return (*_levels(buyer), *_period_dice(buyer), *_of_elements(buyer), *_advantages(buyer), *_contacts(buyer))


def _reach(old: int, points: int, price: Price, most: int = MOST) -> Domain | None:
    """Levels above the old one that are paid for; what costs nothing more always is."""
    before, highest = price(old), old
    while highest < most and price(highest + 1) - before <= max(0, points):
        highest += 1
    return Between(old + 1, highest) if highest > old else None


def _steps(each: Fraction | int, free: int = 0) -> Price:
    size = int(each * POINT)
    return lambda level: numbers.steps_cost(size, level, free=free)


def _flat(each: Fraction | int) -> Price:
    size = int(each * POINT)
    return lambda level: size * level


def _levels(buyer: Buyer) -> Iterator[Shape]:
    """moc.char.cost: characteristics and skills, those of the same price together."""
    named = ((name, (5 if name in PRIMARIES else 3, old)) for name, old in buyer.ratings)
    for (each, old), names in together(named).items():
        most = HIGHEST if each == 5 and buyer.limited else MOST
        level = _reach(old, buyer.points, _steps(each, 1), most)
        if level is not None:
            yield Shape(Purchase, {"what": one("characteristic"), "name": Among(names), "level": level})
    had = dict(buyer.skilled)
    for old, names in together((name, had.get(name, 0)) for name in buyer.skills).items():
        level = _reach(old, buyer.points, _steps(1))
        if level is not None:
            yield Shape(Purchase, {"what": one("skill"), "name": Among(names), "level": level})


def _period_dice(buyer: Buyer) -> Iterator[Shape]:
    """moc.adv.period-dice, moc.adv.weapons-master: the related skills are named once."""
    counts, related = dict(buyer.counts), dict(buyer.related)
    for what, costs in PERIOD_DICE.items():
        for period in PERIODS:
            key = f"{what}:{period}"
            old, named = counts.get(key, 0), related.get(key, ())
            fields: dict[str, Domain] = {"what": one(what), "period": one(period)}
            if what == "weapons-master":
                few = Some(Among(buyer.skills), 1)
                fields["skills"] = Among(((), named)) if named else Either((one(()), few))
                if not named and old:
                    yield Shape(Purchase, {**fields, "skills": few, "level": one(old)})
            level = _reach(old, buyer.points, _flat(costs[period]))
            if level is not None:
                yield Shape(Purchase, {**fields, "level": level})
    for rate, said in RATES:
        for old, periods in together((each, counts.get(f"{FLOATING}:{each}", 0)) for each in PERIODS).items():
            level = _reach(old, buyer.points, _steps(rate))
            if level is not None:
                fields = {"what": one(FLOATING), "period": Among(periods), "multiplier": one(said)}
                yield Shape(Purchase, {**fields, "level": level})


def _of_elements(buyer: Buyer) -> Iterator[Shape]:
    for what, cost in ELEMENTS_COST.items():
        had = buyer.primaries if what == "extra-primary" else (*buyer.primaries, *buyer.secondaries)
        new = tuple(element for element in ELEMENTS if element not in had)
        if not new or cost * POINT > buyer.points or (what == "change-secondary" and not buyer.secondaries):
            continue
        fields: dict[str, Domain] = {"what": one(what), "element": Among(new)}
        if what == "change-secondary":
            fields["instead"] = Among(("", *buyer.secondaries))
        yield Shape(Purchase, fields)


def _advantages(buyer: Buyer) -> Iterator[Shape]:
    """Those with levels or numbers. What has a name of its own is begun anew under any other."""
    for what, each in FLAT.items():
        yield from _named(buyer, what, _flat(each), 1 if what in ONCE and not buyer.repeatable else MOST)
    yield from _named(buyer, "bits", lambda level: POINT * -(-level // 3))
    yield from _named(buyer, "martial-arts", _steps(2))
    for rate, said in RATES:
        yield from _named(buyer, "dice", _steps(rate), multiplier=one(said))
    counts, chosen = dict(buyer.counts), dict(buyer.elements)
    keys = ((name, f"superhuman:{name}") for name in SECONDARIES)
    for (old, bead), names in together((name, (counts.get(key, 0), chosen.get(key, ""))) for name, key in keys).items():
        level = _reach(old, buyer.points, _steps(5))
        if level is not None:
            fields: dict[str, Domain] = {
                "what": one("superhuman"), "name": Among(names), "element": one(bead) if bead else Among(ELEMENTS),
            }  # fmt: skip
            yield Shape(Purchase, {**fields, "level": level})


def _named(buyer: Buyer, what: str, price: Price, most: int = MOST, **more: Domain) -> Iterator[Shape]:
    """Under the names it is had by, and without one."""
    had = {key.partition(":")[2]: n for key, n in buyer.counts if key.partition(":")[0] == what}
    for old, names in together({"": 0, **had}.items()).items():
        level = _reach(old, buyer.points, price, most)
        if level is not None:
            yield Shape(Purchase, {"what": one(what), "name": Among(names), "level": level, **more})


def _contacts(buyer: Buyer) -> Iterator[Shape]:
    """moc.adv.contacts: dearer than any that are had, whatever their name, up to a worth that is paid for, with no
    loyalty; or the least worth, with loyalty.
    """
    points = min(buyer.points // POINT, 20)
    had = max((n for key, n in buyer.counts if key.partition(":")[0] == "contacts"), default=0)
    if points <= had or buyer.value <= 0:
        return
    worth, known = (
        buyer.value * (2 ** (n - 1) if buyer.doubling else 2**n - 1) // POINT if n else 0 for n in (points, had)
    )
    fields: dict[str, Domain] = {"what": one("contacts"), "name": OPEN}
    if worth > known:
        yield Shape(Purchase, {**fields, "worth": Between(known + 1, worth)})
    if points >= 2 and buyer.value >= POINT:
        cheap = {"worth": Between(1, buyer.value // POINT), "loyalty": Between(max(1, had), points - 1)}
        yield Shape(Purchase, {**fields, **cheap})
