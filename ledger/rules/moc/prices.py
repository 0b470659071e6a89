"""The purchases that a character can make: levels that the character does not have yet and can afford. They are also
offered while a character is being created.
"""

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
)
from ledger.rules.moc import buying, characters, holdings
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.shown import AGREED, Offering, fix, get_offering, group_ids
from ledger.rules.moc.words import (
    ARCHETYPES,
    CASCADE,
    ELEMENTS,
    FLOATING,
    MASTER,
    MOST_GROUPS,
    NAMED,
    NAMELESS,
    PERIODS,
    POINT,
    POOL_KINDS,
    PRIMARIES,
    SECONDARIES,
    capitalise,
    say_word,
)

MOST_BOUGHT = 100  # the highest level or number
FEW = 3  # the most names in a title
ANY_WORTH = 10_000  # above this, a title does not state a limit
FASTEST = 100  # metres per turn
HIGHEST = 5  # a Primary's highest rating, if an option limits it
RATES: tuple[tuple[Fraction, object], ...] = ((Fraction(2), 2), (Fraction(3, 2), "3/2"))
ONCE = ("hand-of-fate", "fortune", "vortex")
Pairs: TypeAlias = tuple[tuple[str, int], ...]


#: The price of a level from 0, in 120ths of a point.
Price: TypeAlias = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Buyer:
    """The values that decide which purchases a character can make. `points`, `value`: in 120ths; `skills`: all skills
    of the campaign.
    """

    points: int
    value: int
    ratings: Pairs
    skill_levels: Pairs
    counts: Pairs
    related: tuple[tuple[str, tuple[str, ...]], ...]
    elements: tuple[tuple[str, str], ...]
    primaries: tuple[str, ...]
    secondaries: tuple[str, ...]
    skills: tuple[str, ...]
    is_limited: bool
    is_repeatable: bool
    is_doubling: bool


@offers
def offer_purchases(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer purchases, with one move for all characters who can make the same purchases."""
    offering = get_offering(seen, draft)
    for buyer, ids in group_ids((char_id, _make_buyer(offering, char_id)) for char_id in offering.roster).items():
        fields: dict[str, Domain] = {
            "character": Among(ids),
            "purchase": Either(_list_purchase_shapes(buyer)),
            "approved": AGREED,
        }
        yield Move(buying.Buy, fields)


@lru_cache(maxsize=1000)
def _list_purchase_shapes(buyer: Buyer) -> tuple[Shape, ...]:
    return (
        *_make_level_shapes(buyer),
        *_make_period_dice_shapes(buyer),
        *_make_element_shapes(buyer),
        *_make_advantage_shapes(buyer),
        *_make_contact_shapes(buyer),
    )


def _make_level_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield characteristics and skills, grouped by price."""
    pairs = ((name, (name in PRIMARIES, old_level)) for name, old_level in buyer.ratings)
    for (is_primary, old_level), names in group_ids(pairs).items():
        most_levels = HIGHEST if is_primary and buyer.is_limited else MOST_BOUGHT
        level_domain = _make_level_domain(
            old_level, buyer.points, _make_characteristic_price(is_primary=is_primary), most_levels
        )
        if level_domain is not None:
            fields = {"what": fix("characteristic"), "name": _make_names_domain(names), "level": level_domain}
            yield Shape(holdings.Purchase, fields, _say_way(level_domain, old_level, *names))
    level_by_skill = dict(buyer.skill_levels)
    for old_level, names in group_ids((name, level_by_skill.get(name, 0)) for name in buyer.skills).items():
        level_domain = _make_level_domain(old_level, buyer.points, _make_skill_price())
        if level_domain is not None:
            fields = {"what": fix("skill"), "name": Among(names), "level": level_domain}
            yield Shape(holdings.Purchase, fields, _say_way(level_domain, old_level, *names))


def _make_level_domain(old_level: int, points: int, price: Price, most_levels: int = MOST_BOUGHT) -> Among | None:
    """Return the affordable levels above the old one. A level that costs nothing more is always affordable."""
    old_price, highest = price(old_level), old_level
    while highest < most_levels and price(highest + 1) - old_price <= max(0, points):
        highest += 1
    if highest == old_level:
        return None
    levels = range(old_level + 1, highest + 1)
    return Among(tuple(levels), tuple(f"{level}, for {_say_cost(price(level) - old_price)}" for level in levels))


@lru_cache(4096)
def _say_cost(price: int) -> str:
    """Put into words a price in 120ths of a point."""
    return holdings.say_points(str(Fraction(price, POINT)))


def _make_step_price(unit_price: Fraction | int, free_levels: int = 0) -> Price:
    unit_size = int(unit_price * POINT)
    return lambda level: holdings.price_steps(unit_size, level, free_levels=free_levels)


def _make_characteristic_price(*, is_primary: bool) -> Price:
    return _make_step_price(5 if is_primary else 3, 1)


def _make_skill_price() -> Price:
    return _make_step_price(1)


def _make_names_domain(names: tuple[str, ...]) -> Among:
    return Among(names, tuple(capitalise(say_word(name)) or "Without a name" for name in names))


def _say_way(level_domain: Among, old_level: int, *names: str, rate: object = "") -> str:
    """Put into words the purchase, the current level, and the price of the next level: "Mind or Spirit, now 1: the next
    for 10 points".

    `rate`: the price as a multiple of a skill's.
    """
    labels = [capitalise(say_word(name)) for name in names if name]
    shown_labels = [*labels[: FEW - 1], f"{len(labels) - FEW + 1} more"] if len(labels) > FEW else labels
    phrases = [listed(shown_labels).replace(" and ", " or ")] if shown_labels else []
    phrases += [f"at {rate} times the price of a skill"] if rate else []
    phrases += [f"now {old_level}"] if old_level else []
    next_words = "" if level_domain.values == (1,) else "the next " if old_level else "the first "
    return ": ".join([*filter(None, [", ".join(phrases)]), f"{next_words}{level_domain.titles[0].partition(', ')[2]}"])


def _make_period_dice_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield dice that come back. Related skills are named once."""
    counts = dict(buyer.counts)
    for what, cost_by_period in holdings.PERIOD_DICE.items():
        for period in PERIODS:
            key = f"{what}:{period}"
            price = _make_flat_price(cost_by_period[period])
            fields: dict[str, Domain] = {"what": fix(what), "period": fix(period)}
            if what == MASTER:
                group_keys = [group_key for group_key in counts if group_key.startswith(key)]
                yield from _make_group_shapes(buyer, fields, group_keys, period, price)
                continue
            level_domain = _make_level_domain(counts.get(key, 0), buyer.points, price)
            if level_domain is not None:
                yield Shape(
                    holdings.Purchase,
                    {**fields, "level": level_domain},
                    _say_way(level_domain, counts.get(key, 0), _say_period(period)),
                )
    for rate, multiple in RATES:
        for old_level, periods in group_ids((each, counts.get(f"{FLOATING}:{each}", 0)) for each in PERIODS).items():
            level_domain = _make_level_domain(old_level, buyer.points, _make_step_price(rate))
            if level_domain is not None:
                fields = {"what": fix(FLOATING), "period": Among(periods), "multiplier": fix(multiple)}
                title = _say_way(level_domain, old_level, *map(_say_period, periods), rate=multiple)
                yield Shape(holdings.Purchase, {**fields, "level": level_domain}, title)


def _make_flat_price(unit_price: Fraction | int) -> Price:
    unit_size = int(unit_price * POINT)
    return lambda level: unit_size * level


def _make_group_shapes(
    buyer: Buyer, fields: dict[str, Domain], keys: list[str], period: str, price: Price
) -> Iterator[Shape]:
    """Yield a purchase for each group of related skills. `keys`: the keys of the groups that the character has."""
    counts, related = dict(buyer.counts), dict(buyer.related)
    free_skills = tuple(skill for skill in buyer.skills if not any(skill in related.get(key, ()) for key in keys))
    few_domain = Some(Among(free_skills), 1)
    for index, key in enumerate(keys):
        old_count, named_skills = counts[key], related.get(key, ())
        skills_domain: Domain = Among((named_skills,) if index and named_skills else ((), named_skills))
        if not named_skills:
            skills_domain = Either((fix(()), few_domain))
            yield Shape(
                holdings.Purchase,
                {**fields, "skills": few_domain, "level": fix(old_count)},
                f"{_say_period(period)}: name the skills",
            )
        level_domain = _make_level_domain(old_count, buyer.points, price)
        if level_domain is not None:
            yield Shape(
                holdings.Purchase,
                {**fields, "skills": skills_domain, "level": level_domain},
                _say_way(level_domain, old_count, _say_period(period), *named_skills),
            )
    level_domain = _make_level_domain(0, buyer.points, price)
    is_complete = all(related.get(key) for key in keys)
    if level_domain is not None and free_skills and is_complete and len(keys) < MOST_GROUPS:
        new_skills_domain = few_domain if keys else Either((fix(()), few_domain))
        yield Shape(
            holdings.Purchase,
            {**fields, "skills": new_skills_domain, "level": level_domain},
            _say_way(level_domain, 0, _say_period(period)),
        )


def _say_period(period: str) -> str:
    return f"per {period}"


def _make_element_shapes(buyer: Buyer) -> Iterator[Shape]:
    for what, cost in holdings.ELEMENTS_COST.items():
        had_elements = buyer.primaries if what == "extra-primary" else (*buyer.primaries, *buyer.secondaries)
        new_elements = tuple(element for element in ELEMENTS if element not in had_elements)
        if not new_elements or cost * POINT > buyer.points or (what == "change-secondary" and not buyer.secondaries):
            continue
        fields: dict[str, Domain] = {"what": fix(what), "element": Among(new_elements)}
        if what == "change-secondary":
            fields["instead"] = Among(("", *buyer.secondaries))
        yield Shape(holdings.Purchase, fields, f"for {_say_cost(cost * POINT)}")


def _make_advantage_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield Advantages with levels or numbers. If Advantages differ by name, each new name begins
    at the first level.
    """
    for what, unit_price in holdings.FLAT.items():
        yield from _make_named_shapes(
            buyer, what, _make_flat_price(unit_price), 1 if what in ONCE and not buyer.is_repeatable else MOST_BOUGHT
        )
    yield from _make_bit_shapes(buyer)
    yield from _make_movement_shapes(buyer)
    yield from _make_named_shapes(buyer, "martial-arts", _make_step_price(2))
    pool_names = (*POOL_KINDS, *buyer.skills)
    for rate, multiple in RATES:
        for old_level, names in group_ids(
            (pool, dict(buyer.counts).get(holdings.POOL_DICE.make_key(pool), 0)) for pool in pool_names
        ).items():
            level_domain = _make_level_domain(old_level, buyer.points, _make_step_price(rate))
            if level_domain is not None:
                pool_fields = {"what": fix("dice"), "name": _make_names_domain(names), "multiplier": fix(multiple)}
                yield Shape(
                    holdings.Purchase,
                    {**pool_fields, "level": level_domain},
                    _say_way(level_domain, old_level, *names, rate=multiple),
                )
    counts, element_by_key = dict(buyer.counts), dict(buyer.elements)
    pairs = (
        (name, (counts.get(key := holdings.SUPERHUMAN.make_key(name), 0), element_by_key.get(key, "")))
        for name in SECONDARIES
    )
    for (old_level, element), names in group_ids(pairs).items():  # the Element cannot change
        level_domain = _make_level_domain(old_level, buyer.points, _make_step_price(5))
        if level_domain is not None:
            element_domain = Among(("", element) if element else ELEMENTS)
            fields: dict[str, Domain] = {
                "what": fix("superhuman"),
                "name": _make_names_domain(names),
                "element": element_domain,
            }
            yield Shape(holdings.Purchase, {**fields, "level": level_domain}, _say_way(level_domain, old_level, *names))


def _make_bits_price(other_bits: int) -> Price:
    return lambda level: POINT * holdings.price_bits(other_bits + level)


def _make_bit_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield Bits. Three Bits cost a point, counting the Bits of all names together."""
    number_by_name = holdings.BITS.find_levels(dict(buyer.counts))
    for old_number, names in group_ids({"": 0, **number_by_name}.items()).items():
        other_bits = sum(number_by_name.values()) - old_number
        level_domain = _make_level_domain(old_number, buyer.points, _make_bits_price(other_bits))
        if level_domain is not None:
            fields: dict[str, Domain] = {"what": fix("bits"), "name": _make_names_domain(names), "level": level_domain}
            yield Shape(holdings.Purchase, fields, _say_way(level_domain, old_number, *names))


def _make_movement_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield purchases of a new way to move, or of more metres per turn, for the points agreed."""
    metres_by_name = holdings.MOVEMENT.find_levels(dict(buyer.counts))
    worth_domain = Between(0, max(0, buyer.points // POINT))
    fields: dict[str, Domain] = {"what": fix("movement"), "worth": worth_domain}
    yield Shape(
        holdings.Purchase,
        {**fields, "name": Besides(("primary", "secondary", *metres_by_name)), "level": Between(1, FASTEST)},
    )
    for old_metres, names in group_ids(metres_by_name.items()).items():
        if old_metres < FASTEST:
            yield Shape(holdings.Purchase, {**fields, "name": Among(names), "level": Between(old_metres + 1, FASTEST)})


def _make_named_shapes(
    buyer: Buyer, what: str, price: Price, most_levels: int = MOST_BOUGHT, rate: object = ""
) -> Iterator[Shape]:
    """Yield a purchase of levels for each name that the character already has, and a purchase without a name."""
    level_by_name = holdings.KINDS_BOUGHT[what].find_levels(dict(buyer.counts))
    for old_level, names in group_ids({"": 0, **level_by_name}.items()).items():
        level_domain = _make_level_domain(old_level, buyer.points, price, most_levels)
        if level_domain is not None:
            fields: dict[str, Domain] = {"what": fix(what), "name": _make_names_domain(names), "level": level_domain}
            if rate:
                fields["multiplier"] = fix(rate)
            yield Shape(holdings.Purchase, fields, _say_way(level_domain, old_level, *names, rate=rate))


def _make_contact_shapes(buyer: Buyer) -> Iterator[Shape]:
    """Yield new contacts under a new name, and raises of contacts that the character has."""
    points_by_name = holdings.CONTACTS.find_levels(dict(buyer.counts))
    yield from _make_contact_price_shapes(buyer, 0, Besides(tuple(points_by_name)) if points_by_name else OPEN)
    for old_points, names in group_ids(points_by_name.items()).items():
        yield from _make_contact_price_shapes(buyer, old_points, Among(names))


def _make_contact_price_shapes(buyer: Buyer, old_points: int, name_domain: Domain) -> Iterator[Shape]:
    """Yield contacts up to an affordable worth without loyalty, or of the lowest worth with loyalty."""
    most_points = min(old_points + buyer.points // POINT, 20)
    if most_points <= old_points or buyer.value <= 0:
        return
    fields: dict[str, Domain] = {"what": fix("contacts"), "name": name_domain}
    least_worth, most_worth = (
        (_find_contacts_worth(buyer, old_points) if old_points else 0) + 1,
        _find_contacts_worth(buyer, most_points),
    )
    if most_worth >= least_worth:
        yield Shape(
            holdings.Purchase,
            {**fields, "worth": Between(least_worth, most_worth)},
            _say_contacts_worth(most_worth, most_points - old_points),
        )
    if most_points > max(1, old_points) and buyer.value >= POINT:
        cheap_fields = {
            "worth": Between(1, buyer.value // POINT),
            "loyalty": Between(max(1, old_points), most_points - 1),
        }
        title = f"{_say_contacts_worth(buyer.value // POINT, most_points - old_points)} (loyalty costs more)"
        yield Shape(holdings.Purchase, {**fields, **cheap_fields}, title)


def _find_contacts_worth(buyer: Buyer, points: int) -> int:
    """Return the highest worth of contacts that this many points can buy."""
    multiple: int = 2 ** (points - 1) if buyer.is_doubling else 2**points - 1
    return buyer.value * multiple // POINT


def _say_contacts_worth(worth: int, cost: int) -> str:
    worth_words = f"worth up to {worth}" if worth <= ANY_WORTH else "of any worth"
    return f"{worth_words}, for {'' if cost == 1 else 'up to '}{_say_cost(cost * POINT)}"


def _make_buyer(offering: Offering, char_id: str) -> Buyer:
    state, dials = offering.get_character(char_id), offering.dials
    return Buyer(
        offering.table.balance(holdings.name_point_account(char_id)),
        state.budget + state.earned,
        tuple(state.ratings.items()),
        tuple(state.skills.items()),
        tuple(state.counts.items()),
        tuple(state.related.items()),
        tuple(state.elements.items()),
        state.primaries,
        state.secondaries,
        tuple(offering.campaign.skills),
        dials.primary_max == HIGHEST,
        dials.card_advantages_repeatable,
        dials.contacts_geometry == "doubling",
    )


# --- making a character step by step ----------------------------------------------------------------------------------


def _list_archetypes(making: Making) -> Iterator[Option]:
    for archetype, elements in ARCHETYPES.items():
        primary, secondary = (listed([say_word(element) for element in group]) for group in elements)
        about = f"{primary} beads first, then {secondary}" if elements[0] else "Beads of all Elements, and more cards"
        yield Option(capitalise(say_word(archetype)), {"archetype": archetype}, about)


def _say_next(price: Price, level: int, *notes: str) -> str:
    return "; ".join([*notes, f"the next for {_say_cost(price(level + 1) - price(level))}"])


#: The uses of a characteristic besides adding to rolls.
ABOUT_CHARACTERISTICS = {
    "body": "Dice for what the body does",
    "mind": "Dice for what the mind does",
    "spirit": "Dice for what the spirit does",
    "T": "You can take more pain, and resist damage",
    "Sp": "You move faster and act earlier",
    "L": "You can take more pain, and heal better",
}


def _list_characteristics(making: Making, names: tuple[str, ...]) -> Iterator[Option]:
    skills = Draft(making.table).get_campaign().skills
    for name in names:
        level = _read_level(making, "characteristics", name, 1)
        price = _make_characteristic_price(is_primary=name in PRIMARIES)
        about = [ABOUT_CHARACTERISTICS[name]] if name in ABOUT_CHARACTERISTICS else []
        if name in CASCADE:
            helped_skills = [skill for skill, entry in skills.items() if name in entry.others]
            primary_words = listed([say_word(primary) for primary in CASCADE[name]])
            about += [f"under {primary_words}", f"for {listed(helped_skills)}" if helped_skills else "no skill uses it"]
        yield Option(capitalise(say_word(name)), {f"characteristics/{name}": 1}, _say_next(price, level, *about))


def _list_skills(making: Making) -> Iterator[Option]:
    for name, skill in Draft(making.table).get_campaign().skills.items():
        used = listed([say_word(characteristic) for characteristic in (skill.primary, *skill.others)])
        about = [say_word(skill.element), f"uses {used}", ("easy", "normal", "difficult")[skill.difficulty]]
        level = _read_level(making, "skills", name, 0)
        price_text = _say_next(_make_skill_price(), level, *about)
        yield Option(name, {json_types.join_pointer(("skills", name)): 0}, price_text)


def _read_level(making: Making, section: str, name: str, default: int) -> int:
    level = making.sheet.get(section, {}).get(name, default)
    return level if isinstance(level, int) else default


#: The use of each Advantage, in a sentence.
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
    """Yield the Advantages and Backgrounds for which only a level has to be chosen."""
    for what, cost in holdings.FLAT.items():
        about = f"{ABOUT_ADVANTAGES[what]} It costs {_say_cost(cost * POINT)}."
        yield Option(holdings.PURCHASE_NAMES[what], {"purchases": {"what": what, "level": 1}}, about)
    for period, unit_price in holdings.PERIOD_DICE["action-hero"].items():
        purchase = {"what": "action-hero", "period": period, "level": 1}
        about = f"A die that you can add to any Action skill. It comes back after each {period}."
        about += f" It costs {_say_cost(int(unit_price * POINT))}."
        yield Option(holdings.PURCHASE_NAMES[f"action-hero:{period}"], {"purchases": purchase}, about)


def _make_budget(making: Making) -> Budget:
    """Return the points spent, counted as when a character is created."""
    if making.whole is None:
        return Budget("points", 0)
    draft = Draft(making.table)
    points, points_left = characters.build(draft, str(draft.table.number), making.whole, Faults())
    return Budget("points", str(points - Fraction(points_left, POINT)), points)


MAKER = Maker(
    lambda making: {"archetype": next(iter(ARCHETYPES)), **making.sheet},
    {
        "archetypes": _list_archetypes,
        "Primaries": partial(_list_characteristics, names=PRIMARIES),
        "other characteristics": partial(_list_characteristics, names=NAMED),
        "nameless characteristics": partial(_list_characteristics, names=NAMELESS),
        "skills": _list_skills,
        "Advantages": _list_advantages,
    },
    {"points": _make_budget},
)
