"""The purchases on offer: levels that a character does not have and can afford, also while a character is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import TypeAlias

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Besides,
    Between,
    Budget,
    Domain,
    Either,
    Faults,
    Maker,
    Making,
    Move,
    Option,
    Seen,
    Shape,
    Some,
    json_types,
    listed,
    offers,
    words,
)
from ledger.rules.moc import buying, characters, holdings
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.shown import AGREED, Offering, fix, group_ids, look
from ledger.rules.moc.words import (
    ARCHETYPES,
    CASCADE,
    ELEMENTS,
    FLOATING,
    MASTER,
    MOST_GROUPS,
    PERIODS,
    POINT,
    POOL_KINDS,
    PRIMARIES,
    SECONDARIES,
    capitalise,
    say_word,
)

MOST_BOUGHT = 100  # the highest level or number
NAMED = 3  # the most names in a title
ANY_WORTH = 10_000  # above this, a title names no limit
FASTEST = 100  # metres a turn
HIGHEST = 5  # a Primary's highest rating, if an option limits it
RATES: tuple[tuple[Fraction, object], ...] = ((Fraction(2), 2), (Fraction(3, 2), "3/2"))
ONCE = ("hand-of-fate", "fortune", "vortex")
Pairs: TypeAlias = tuple[tuple[str, int], ...]


#: The price of a level from 0, in 120ths of a point.
Price: TypeAlias = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Buyer:
    """Everything that decides what a character can buy. `points`, `value`: in 120ths; `skills`: all of the campaign."""

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


@offers
def offer_purchases(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer purchases, one move for all characters who can buy the same."""
    now = look(seen, draft)
    for buyer, alike in group_ids((id, _make_buyer(now, id)) for id in now.roster).items():
        fields: dict[str, Domain] = {
            "character": Among(alike),
            "purchase": Either(_list_bought(buyer)),
            "approved": AGREED,
        }
        yield Move(buying.Buy, fields)


@lru_cache(maxsize=1000)
def _list_bought(buyer: Buyer) -> tuple[Shape, ...]:
    return (
        *_make_level_shapes(buyer),
        *_make_period_dice_shapes(buyer),
        *_make_element_shapes(buyer),
        *_make_advantage_shapes(buyer),
        *_make_contact_shapes(buyer),
    )


def _make_level_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield characteristics and skills, grouped by price."""
    named = ((name, (name in PRIMARIES, old)) for name, old in buyer.ratings)
    for (is_primary, old), names in group_ids(named).items():
        most = HIGHEST if is_primary and buyer.limited else MOST_BOUGHT
        level = _list_reached(old, buyer.points, _price_characteristic(is_primary=is_primary), most)
        if level is not None:
            fields = {"what": fix("characteristic"), "name": _title_names(names), "level": level}
            yield Shape(holdings.Purchase, fields, _say_way(level, old, *names))
    had = dict(buyer.skilled)
    for old, names in group_ids((name, had.get(name, 0)) for name in buyer.skills).items():
        level = _list_reached(old, buyer.points, _price_skill())
        if level is not None:
            fields = {"what": fix("skill"), "name": Among(names), "level": level}
            yield Shape(holdings.Purchase, fields, _say_way(level, old, *names))


def _list_reached(old: int, points: int, price: Price, most: int = MOST_BOUGHT) -> Among | None:
    """Return the affordable levels above the old one. A level that costs nothing more is always affordable."""
    before, highest = price(old), old
    while highest < most and price(highest + 1) - before <= max(0, points):
        highest += 1
    if highest == old:
        return None
    levels = range(old + 1, highest + 1)
    return Among(tuple(levels), tuple(f"{level}, for {_say_cost(price(level) - before)}" for level in levels))


@lru_cache(4096)
def _say_cost(price: int) -> str:
    """Return a price in 120ths of a point in words."""
    return holdings.say_points(str(Fraction(price, POINT)))


def _price_in_steps(each: Fraction | int, free: int = 0) -> Price:
    size = int(each * POINT)
    return lambda level: holdings.price_steps(size, level, free=free)


def _price_characteristic(*, is_primary: bool) -> Price:
    return _price_in_steps(5 if is_primary else 3, 1)


def _price_skill() -> Price:
    return _price_in_steps(1)


def _title_names(names: tuple[str, ...]) -> Among:
    return Among(names, tuple(capitalise(say_word(name)) or "Without a name" for name in names))


def _say_way(level: Among, old: int, *what: str, rate: object = "") -> str:
    """Return what is bought, how much the character has, and what the next level costs: "Mind or Spirit, now 1: the
    next for 10 points".

    `rate`: the price as a multiple of a skill's.
    """
    named = [capitalise(say_word(name)) for name in what if name]
    shown = [*named[: NAMED - 1], f"{len(named) - NAMED + 1} more"] if len(named) > NAMED else named
    words = [listed(shown).replace(" and ", " or ")] if shown else []
    words += [f"at {rate} times the price of a skill"] if rate else []
    words += [f"now {old}"] if old else []
    nth = "" if level.values == (1,) else "the next " if old else "the first "
    return ": ".join([*filter(None, [", ".join(words)]), f"{nth}{level.titles[0].partition(', ')[2]}"])


def _make_period_dice_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield dice that come back. Related skills are named once."""
    counts = dict(buyer.counts)
    for what, costs in holdings.PERIOD_DICE.items():
        for period in PERIODS:
            key = f"{what}:{period}"
            price = _price_flat(costs[period])
            fields: dict[str, Domain] = {"what": fix(what), "period": fix(period)}
            if what == MASTER:
                yield from _make_group_shapes(
                    buyer, fields, [each for each in counts if each.startswith(key)], period, price
                )
                continue
            level = _list_reached(counts.get(key, 0), buyer.points, price)
            if level is not None:
                yield Shape(
                    holdings.Purchase,
                    {**fields, "level": level},
                    _say_way(level, counts.get(key, 0), _say_period(period)),
                )
    for rate, multiple in RATES:
        for old, periods in group_ids((each, counts.get(f"{FLOATING}:{each}", 0)) for each in PERIODS).items():
            level = _list_reached(old, buyer.points, _price_in_steps(rate))
            if level is not None:
                fields = {"what": fix(FLOATING), "period": Among(periods), "multiplier": fix(multiple)}
                title = _say_way(level, old, *map(_say_period, periods), rate=multiple)
                yield Shape(holdings.Purchase, {**fields, "level": level}, title)


def _price_flat(each: Fraction | int) -> Price:
    size = int(each * POINT)
    return lambda level: size * level


def _make_group_shapes(
    buyer: Buyer, fields: dict[str, Domain], groups: list[str], period: str, price: Price
) -> Iterator[Shape]:
    """Yield a purchase for each group of related skills. `groups`: the keys of those the character has."""
    counts, related = dict(buyer.counts), dict(buyer.related)
    free = tuple(skill for skill in buyer.skills if not any(skill in related.get(key, ()) for key in groups))
    few = Some(Among(free), 1)
    for place, key in enumerate(groups):
        old, named = counts[key], related.get(key, ())
        skills_left: Domain = Among((named,) if place and named else ((), named))
        if not named:
            skills_left = Either((fix(()), few))
            yield Shape(
                holdings.Purchase,
                {**fields, "skills": few, "level": fix(old)},
                f"{_say_period(period)}: name the skills",
            )
        level = _list_reached(old, buyer.points, price)
        if level is not None:
            yield Shape(
                holdings.Purchase,
                {**fields, "skills": skills_left, "level": level},
                _say_way(level, old, _say_period(period), *named),
            )
    level = _list_reached(0, buyer.points, price)
    complete = all(related.get(key) for key in groups)
    if level is not None and free and complete and len(groups) < MOST_GROUPS:
        skills = few if groups else Either((fix(()), few))
        yield Shape(
            holdings.Purchase, {**fields, "skills": skills, "level": level}, _say_way(level, 0, _say_period(period))
        )


def _say_period(period: str) -> str:
    return f"per {period}"


def _make_element_shapes(buyer: Buyer) -> Iterator[Shape]:
    for what, cost in holdings.ELEMENTS_COST.items():
        had = buyer.primaries if what == "extra-primary" else (*buyer.primaries, *buyer.secondaries)
        new = tuple(element for element in ELEMENTS if element not in had)
        if not new or cost * POINT > buyer.points or (what == "change-secondary" and not buyer.secondaries):
            continue
        fields: dict[str, Domain] = {"what": fix(what), "element": Among(new)}
        if what == "change-secondary":
            fields["instead"] = Among(("", *buyer.secondaries))
        yield Shape(holdings.Purchase, fields, f"for {_say_cost(cost * POINT)}")


def _make_advantage_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield Advantages with levels or numbers. If they differ by name, each new name begins at the first level."""
    for what, each in holdings.FLAT.items():
        yield from _make_named_shapes(
            buyer, what, _price_flat(each), 1 if what in ONCE and not buyer.repeatable else MOST_BOUGHT
        )
    yield from _make_bit_shapes(buyer)
    yield from _make_movement_shapes(buyer)
    yield from _make_named_shapes(buyer, "martial-arts", _price_in_steps(2))
    pools = (*POOL_KINDS, *buyer.skills)
    for rate, multiple in RATES:
        for old, names in group_ids(
            (pool, dict(buyer.counts).get(holdings.POOL_DICE.find_key(pool), 0)) for pool in pools
        ).items():
            level = _list_reached(old, buyer.points, _price_in_steps(rate))
            if level is not None:
                of_pools = {"what": fix("dice"), "name": _title_names(names), "multiplier": fix(multiple)}
                yield Shape(
                    holdings.Purchase, {**of_pools, "level": level}, _say_way(level, old, *names, rate=multiple)
                )
    counts, chosen = dict(buyer.counts), dict(buyer.elements)
    had = (
        (name, (counts.get(key := holdings.SUPERHUMAN.find_key(name), 0), chosen.get(key, ""))) for name in SECONDARIES
    )
    for (old, element), names in group_ids(had).items():  # the Element cannot change
        level = _list_reached(old, buyer.points, _price_in_steps(5))
        if level is not None:
            choices = Among(("", element) if element else ELEMENTS)
            fields: dict[str, Domain] = {"what": fix("superhuman"), "name": _title_names(names), "element": choices}
            yield Shape(holdings.Purchase, {**fields, "level": level}, _say_way(level, old, *names))


def _price_bits(others: int) -> Price:
    return lambda level: POINT * holdings.price_bits(others + level)


def _make_bit_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield Bits: three for a point, over all names together."""
    had = holdings.BITS.list_levels(dict(buyer.counts))
    for old, names in group_ids({"": 0, **had}.items()).items():
        others = sum(had.values()) - old
        level = _list_reached(old, buyer.points, _price_bits(others))
        if level is not None:
            fields: dict[str, Domain] = {"what": fix("bits"), "name": _title_names(names), "level": level}
            yield Shape(holdings.Purchase, fields, _say_way(level, old, *names))


def _make_movement_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield another way to move, or a faster one, for the points agreed."""
    had = holdings.MOVEMENT.list_levels(dict(buyer.counts))
    worth = Between(0, max(0, buyer.points // POINT))
    fields: dict[str, Domain] = {"what": fix("movement"), "worth": worth}
    yield Shape(
        holdings.Purchase, {**fields, "name": Besides(("primary", "secondary", *had)), "level": Between(1, FASTEST)}
    )
    for old, names in group_ids(had.items()).items():
        if old < FASTEST:
            yield Shape(holdings.Purchase, {**fields, "name": Among(names), "level": Between(old + 1, FASTEST)})


def _make_named_shapes(
    buyer: Buyer, what: str, price: Price, most: int = MOST_BOUGHT, rate: object = ""
) -> Iterator[Shape]:
    """Yield levels under each name the character has, and without a name."""
    had = holdings.KINDS_BOUGHT[what].list_levels(dict(buyer.counts))
    for old, names in group_ids({"": 0, **had}.items()).items():
        level = _list_reached(old, buyer.points, price, most)
        if level is not None:
            fields: dict[str, Domain] = {"what": fix(what), "name": _title_names(names), "level": level}
            if rate:
                fields["multiplier"] = fix(rate)
            yield Shape(holdings.Purchase, fields, _say_way(level, old, *names, rate=rate))


def _make_contact_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield new contacts under a new name, and more of those the character has."""
    had = holdings.CONTACTS.list_levels(dict(buyer.counts))
    yield from _make_pool_shapes(buyer, 0, Besides(tuple(had)) if had else OPEN)
    for old, names in group_ids(had.items()).items():
        yield from _make_pool_shapes(buyer, old, Among(names))


def _make_pool_shapes(buyer: Buyer, old: int, name: Domain) -> Iterator[Shape]:
    """Yield contacts up to an affordable worth without loyalty, or of the least worth with loyalty."""
    most = min(old + buyer.points // POINT, 20)
    if most <= old or buyer.value <= 0:
        return
    fields: dict[str, Domain] = {"what": fix("contacts"), "name": name}
    least, worth = (_find_worth_of(buyer, old) if old else 0) + 1, _find_worth_of(buyer, most)
    if worth >= least:
        yield Shape(holdings.Purchase, {**fields, "worth": Between(least, worth)}, _say_pools(worth, most - old))
    if most > max(1, old) and buyer.value >= POINT:
        cheap = {"worth": Between(1, buyer.value // POINT), "loyalty": Between(max(1, old), most - 1)}
        title = f"{_say_pools(buyer.value // POINT, most - old)} (loyalty costs more)"
        yield Shape(holdings.Purchase, {**fields, **cheap}, title)


def _find_worth_of(buyer: Buyer, points: int) -> int:
    """Return the most that contacts for this many points are worth."""
    pools: int = 2 ** (points - 1) if buyer.doubling else 2**points - 1
    return buyer.value * pools // POINT


def _say_pools(worth: int, cost: int) -> str:
    worthy = f"worth up to {worth}" if worth <= ANY_WORTH else "of any worth"
    return f"{worthy}, for {'' if cost == 1 else 'up to '}{_say_cost(cost * POINT)}"


def _make_buyer(now: Offering, id: str) -> Buyer:
    who, dials = now.get_character(id), now.dials
    return Buyer(
        now.table.balance(holdings.point(id)),
        who.budget + who.earned,
        tuple(who.ratings.items()),
        tuple(who.skills.items()),
        tuple(who.counts.items()),
        tuple(who.related.items()),
        tuple(who.elements.items()),
        who.primaries,
        who.secondaries,
        tuple(now.campaign.skills),
        dials.primary_max == HIGHEST,
        dials.card_advantages_repeatable,
        dials.contacts_geometry == "doubling",
    )


# --- making a character step by step ----------------------------------------------------------------------------------


def _list_archetypes(making: Making) -> Iterator[Option]:
    for archetype, elements in ARCHETYPES.items():
        primary, secondary = (listed([say_word(element) for element in each]) for each in elements)
        about = f"{primary} beads first, then {secondary}" if elements[0] else "Beads of all Elements, and more cards"
        yield Option(capitalise(say_word(archetype)), {"archetype": archetype}, about)


def _say_next(price: Price, level: int, *more: str) -> str:
    return "; ".join([*more, f"the next for {_say_cost(price(level + 1) - price(level))}"])


#: What a characteristic does besides adding to rolls.
ABOUT_CHARACTERISTICS = {
    "body": "Dice for what the body does",
    "mind": "Dice for what the mind does",
    "spirit": "Dice for what the spirit does",
    "T": "You bear more pain, and resist damage",
    "Sp": "You move faster and act earlier",
    "L": "You bear more pain, and heal better",
}


def _list_characteristics(making: Making, names: tuple[str, ...]) -> Iterator[Option]:
    for name in names:
        level, price = (
            _read_level(making, "characteristics", name, 1),
            _price_characteristic(is_primary=name in PRIMARIES),
        )
        about = [ABOUT_CHARACTERISTICS[name]] if name in ABOUT_CHARACTERISTICS else []
        about += [f"under {listed([say_word(primary) for primary in CASCADE[name]])}"] if name in CASCADE else []
        yield Option(capitalise(say_word(name)), {f"characteristics/{name}": 1}, _say_next(price, level, *about))


def _list_skills(making: Making) -> Iterator[Option]:
    for name, skill in Draft(making.table).get_campaign().skills.items():
        about = f"{say_word(skill.element)}, {say_word(skill.primary)}"
        level = _read_level(making, "skills", name, 0)
        yield Option(name, {json_types.join_pointer(("skills", name)): 0}, _say_next(_price_skill(), level, about))


def _read_level(making: Making, part: str, name: str, start: int) -> int:
    level = making.sheet.get(part, {}).get(name, start)
    return level if isinstance(level, int) else start


#: What people get, in a sentence.
ABOUT_ADVANTAGES = {
    "swiftness": "You roll 2 more dice for running, even in a split pool.",
    "extra-bead-scene": "In each scene, you get 1 more bead of your primary Element.",
    "extra-bead-session": "In each session, you get 1 more bead of any Element.",
    "hand-of-fate": "In each session, you draw 1 more card and keep 1 more.",
    "fortune": "In each session, you draw 1 more card, then discard one.",
    "vortex": "Once a session, an opponent of your choice must discard a card.",
    "money": "You have a regular income. Each level is one level of income.",
}


def _list_advantages(making: Making) -> Iterator[Option]:
    """Yield the Advantages and Backgrounds that need nothing but a level."""
    for what, cost in holdings.FLAT.items():
        label = capitalise(buying.EXTRA_BEADS.get(what) or words(what))
        about = f"{ABOUT_ADVANTAGES[what]} It costs {_say_cost(cost * POINT)}."
        yield Option(label, {"purchases": {"what": what, "level": 1}}, about)
    for period, each in holdings.PERIOD_DICE["action-hero"].items():
        bought = {"what": "action-hero", "period": period, "level": 1}
        about = f"A die that you can add to any Action skill. It comes back after each {period}."
        about += f" It costs {_say_cost(int(each * POINT))}."
        yield Option(f"Action Hero, per {period}", {"purchases": bought}, about)


def _count_points(making: Making) -> Budget:
    """Return the points spent, as enrolling counts them."""
    if making.whole is None:
        return Budget("points", 0)
    draft = Draft(making.table)
    points, left = characters.build(draft, str(draft.table.number), making.whole, Faults())
    return Budget("points", str(points - Fraction(left, POINT)), points)


MAKER = Maker(
    lambda making: {"archetype": next(iter(ARCHETYPES)), **making.sheet},
    {
        "archetypes": _list_archetypes,
        "Primaries": partial(_list_characteristics, names=PRIMARIES),
        "other characteristics": partial(_list_characteristics, names=tuple(CASCADE)),
        "skills": _list_skills,
        "Advantages": _list_advantages,
    },
    {"points": _count_points},
)
