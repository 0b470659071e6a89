"""What can be bought: levels that are not had yet, as far as the points reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move, Shape, Some
from ledger.rules.moc import accounts, inputs, numbers
from ledger.rules.moc.creation import ELEMENTS_COST, FLAT, FLOATING, PERIOD_DICE
from ledger.rules.moc.offering import AGREED, Offering, one, together
from ledger.rules.moc.sheet import Purchase
from ledger.rules.moc.state import Character
from ledger.rules.moc.terms import ELEMENTS, PERIODS, POINT, PRIMARIES, SECONDARIES

MOST = 100  # of whatever is bought
HIGHEST = 5  # a Primary's rating, where a dial limits it
RATES: tuple[tuple[Fraction, object], ...] = ((Fraction(2), 2), (Fraction(3, 2), "3/2"))
ONCE = ("hand-of-fate", "fortune", "vortex")
#: What a level costs from one to another.
Price = Callable[[int], Fraction]


def purchases(now: Offering) -> Iterator[Move]:
    for alike in _alike(now):
        bought = _bought(now, now.who(alike[0]), now.table.balance(accounts.point(alike[0])))
        if bought:
            fields: dict[str, Domain] = {"character": Among(alike), "purchase": Either(tuple(bought))}
            yield Move(inputs.Buy, {**fields, "approved": AGREED})


def _alike(now: Offering) -> Iterator[tuple[str, ...]]:
    """Characters who can buy the same."""
    yield from together((id, repr(_matters(now, id))) for id in now.roster).values()


def _matters(now: Offering, id: str) -> tuple[object, ...]:
    who = now.who(id)
    had = (sorted(those.items()) for those in (who.ratings, who.skills, who.counts, who.related))
    return (
        *had, who.primaries, who.secondaries, who.budget, who.earned, now.table.balance(accounts.point(id)),
    )  # fmt: skip


def _bought(now: Offering, who: Character, left: int) -> list[Shape]:
    points = Fraction(left, POINT)
    return [
        *_levels(now, who, points), *_period_dice(now, who, points), *_of_elements(who, points),
        *_advantages(now, who, points),
    ]  # fmt: skip


def _reach(old: int, points: Fraction, price: Price, most: int = MOST) -> Domain | None:
    """Levels above the old one that are paid for; what costs nothing more always is."""
    highest = old
    while highest < most and (price(highest + 1) <= points or price(highest + 1) <= 0):
        highest += 1
    return Between(old + 1, highest) if highest > old else None


def _steps(each: Fraction | int, old: int, free: int = 0) -> Price:
    before = numbers.steps_cost(1, old, free=free)
    return lambda level: Fraction(each) * (numbers.steps_cost(1, level, free=free) - before)


def _levels(now: Offering, who: Character, points: Fraction) -> Iterator[Shape]:
    """moc.char.cost: characteristics and skills, those of the same price together."""
    named = ((name, (5 if name in PRIMARIES else 3, old)) for name, old in who.ratings.items())
    for (each, old), names in together(named).items():
        limited = each == 5 and now.dials.primary_max == 5
        level = _reach(old, points, _steps(each, old, 1), HIGHEST if limited else MOST)
        if level is not None:
            yield Shape(Purchase, {"what": one("characteristic"), "name": Among(names), "level": level})
    for old, names in together((name, who.skills.get(name, 0)) for name in now.campaign.skills).items():
        level = _reach(old, points, _steps(1, old))
        if level is not None:
            yield Shape(Purchase, {"what": one("skill"), "name": Among(names), "level": level})


def _period_dice(now: Offering, who: Character, points: Fraction) -> Iterator[Shape]:
    for what, costs in PERIOD_DICE.items():
        for period in PERIODS:
            key = f"{what}:{period}"
            old, named = who.counts.get(key, 0), who.related.get(key, ())
            fields: dict[str, Domain] = {"what": one(what), "period": one(period)}
            skills: Domain = Among(((), named)) if named else Some(Among(tuple(now.campaign.skills)))
            if what == "weapons-master":
                fields["skills"] = skills
                if not named and old:
                    few = Some(Among(tuple(now.campaign.skills)), 1)
                    yield Shape(Purchase, {**fields, "skills": few, "level": one(old)})
            level = _reach(old, points, lambda to, old=old, each=costs[period]: each * (to - old))  # type: ignore[misc]
            if level is not None:
                yield Shape(Purchase, {**fields, "level": level})
    for rate, said in RATES:
        for old, periods in together((each, who.counts.get(f"{FLOATING}:{each}", 0)) for each in PERIODS).items():
            level = _reach(old, points, _steps(rate, old))
            if level is not None:
                fields = {"what": one(FLOATING), "period": Among(periods), "multiplier": one(said)}
                yield Shape(Purchase, {**fields, "level": level})


def _of_elements(who: Character, points: Fraction) -> Iterator[Shape]:
    for what, cost in ELEMENTS_COST.items():
        had = who.primaries if what == "extra-primary" else (*who.primaries, *who.secondaries)
        new = tuple(element for element in ELEMENTS if element not in had)
        if not new or cost > points or (what == "change-secondary" and not who.secondaries):
            continue
        fields: dict[str, Domain] = {"what": one(what), "element": Among(new)}
        if what == "change-secondary":
            fields["instead"] = Among(("", *who.secondaries))
        yield Shape(Purchase, fields)


def _advantages(now: Offering, who: Character, points: Fraction) -> Iterator[Shape]:
    """Those with levels or numbers. What has a name of its own is begun anew under any other."""
    repeatable = now.dials.card_advantages_repeatable
    for what, each in FLAT.items():
        most = 1 if what in ONCE and not repeatable else MOST
        price = lambda old, each=each: lambda to: Fraction(each * (to - old))  # noqa: E731
        yield from _named(who, what, points, price, most)
    bits = lambda old: lambda to: Fraction(-(-to // 3) + (-old // 3))  # noqa: E731
    yield from _named(who, "bits", points, bits)
    yield from _named(who, "martial-arts", points, lambda old: _steps(2, old))
    for rate, said in RATES:
        yield from _named(who, "dice", points, lambda old, rate=rate: _steps(rate, old), multiplier=one(said))  # type: ignore[misc]
    for old, names in together((name, who.counts.get(f"superhuman:{name}", 0)) for name in SECONDARIES).items():
        level = _reach(old, points, _steps(5, old))
        if level is not None:
            fields = {"what": one("superhuman"), "name": Among(names), "element": Among(ELEMENTS)}
            yield Shape(Purchase, {**fields, "level": level})
    yield from _contacts(now, who, points)


def _named(
    who: Character, what: str, points: Fraction, price: Callable[[int], Price], most: int = MOST, **more: Domain
) -> Iterator[Shape]:
    """Under the names it is had by, and without one."""
    had = {key.partition(":")[2]: n for key, n in who.counts.items() if key.partition(":")[0] == what}
    for old, names in together({"": 0, **had}.items()).items():
        level = _reach(old, points, price(old), most)
        if level is not None:
            yield Shape(Purchase, {"what": one(what), "name": Among(names), "level": level, **more})


def _contacts(now: Offering, who: Character, points: Fraction) -> Iterator[Shape]:
    """moc.adv.contacts: up to a worth that is paid for, with no loyalty; or the least worth, with loyalty."""
    value, doubling = Fraction(who.budget + who.earned, POINT), now.dials.contacts_geometry == "doubling"
    if points < 1 or value <= 0:
        return
    worth = int(value * (2 ** (min(int(points), 20) - 1) if doubling else 2 ** min(int(points), 20) - 1))
    fields: dict[str, Domain] = {"what": one("contacts"), "name": OPEN}
    if worth >= 1:
        yield Shape(Purchase, {**fields, "worth": Between(1, worth)})
    if points >= 2 and value >= 1:
        cheap = int(value)
        yield Shape(Purchase, {**fields, "worth": Between(1, cheap), "loyalty": Between(1, int(points) - 1)})
