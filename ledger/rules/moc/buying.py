"""Purchases and their prices (headings "Character Generation", "Backgrounds", "Bits")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    Asking,
    CharacterId,
    Names,
    Refusal,
    Says,
    SharedRefusal,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    listed,
    rule,
    words,
)
from ledger.rules.moc import beads, hands, holdings, own_dice, turns
from ledger.rules.moc.draft import Draft, ask_approval, decline, nobody_acts
from ledger.rules.moc.pools import TokensFilled
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import AnyElement, Approval, Cost, PurchaseKind, PurchaseName, SkillName
from ledger.rules.moc.words import (
    ADVANTAGE_WORDS,
    FLOATING,
    GM_APPROVAL_NEEDED,
    MASTER,
    MOST_GROUPS,
    NEGATIVE_DICE,
    PERIODS,
    POINT,
    POOL_KINDS,
    PRIMARIES,
    SECONDARIES,
    UNKNOWN_CHARACTERISTIC,
    UNKNOWN_ELEMENT,
    UNKNOWN_POOL,
    UNKNOWN_PURCHASE,
    UNKNOWN_SKILL,
    VALUE_NOT_POSITIVE,
    read_characteristic,
    read_element,
    read_fraction,
    read_points,
    read_whole,
    say_count,
    say_who,
    say_whom,
    say_word,
)

EXTRA_BEADS: Mapping[str, str] = {
    "extra-bead-scene": "extra beads per scene",
    "extra-bead-session": "extra beads per session",
}
NEGATIVE_LEVEL = SharedRefusal("negative-level", "Enter a whole number as the level: 0 or more[, not {given}].")
SKILLS_NAMED = Refusal(
    own_dice.WEAPONS_MASTER, "skills-named", "The related skills for these dice have been named already: {skills}."
)
MULTIPLIER_OUT_OF_RANGE = SharedRefusal(
    "multiplier-out-of-range",
    "An Advantage that affects dice costs 3/2 to 2 times as much as a skill[, not {multiplier}][, not {given}].",
)
NEGATIVE_BITS = SharedRefusal("negative-bits", "Enter a whole number of Bits: {least} or more[, not {given}].")
ADVANTAGE_NOT_REPEATABLE = Refusal(
    hands.CARD_HAND, "advantage-not-repeatable", "At this table, {advantage} can be bought only once."
)
MOVEMENT_NEEDS_NAME = Refusal(
    turns.MOVING, "movement-needs-name", "Name the way to move. The name cannot be “primary” or “secondary”."
)


def say_costs(given: Mapping[str, Any]) -> str:
    """Return the levels that are paid for. A characteristic has its full name."""
    what, name = str(given.get("what")), str(given.get("name") or "")
    known = say_word(name) if what == "characteristic" else ""
    raised = known or EXTRA_BEADS.get(what) or ("{name}" if name else "{what}")
    return f"Raising {raised} from {{old}} to {{to}} costs {{out:point|points}}."


NEGOTIATE = rule(
    "moc.adv.negotiate",
    "For any other trait, the player proposes an effect and a cost. The game master approves the proposal "
    "or makes a counter-offer.",
    "Putting It All Together",
)
BUDGET = rule(
    "moc.char.budget",
    "The power level sets the points for building a character: 100 (standard), 125 (heroic), 200 or more "
    "(superheroic).",
    "Character Generation",
)
OVER_BUDGET = Refusal(
    BUDGET,
    "over-budget",
    "[A budget of {budget} does not fit the power level][That costs {cost} points][, and {character} has not enough][: "
    "{short} more than there are. Choose something cheaper].",
)
COST = rule(
    "moc.char.cost",
    "Levels are bought in order. A level costs its number, multiplied by 5 for a Primary, by 3 for another"
    " characteristic or by 1 for a skill. Level 1 of each characteristic is free.",
    "Character Generation",
    step=say_costs,
)
LEVEL_TOO_LOW = Refusal(COST, "level-too-low", "{characteristic} must be at least 1, not {level}.")
LEVEL_TOO_HIGH = Refusal(COST, "level-too-high", "At this table, {characteristic} can be at most 5, not {level}.")
RAISE = rule(
    "moc.char.raise", "To raise a rating later, a player pays for each level that is added.", "Character Generation"
)
NOT_A_RAISE = Refusal(
    RAISE,
    "not-a-raise",
    "That raises nothing[: it is {old} now, so choose more][: the character already has {element}, so choose another]"
    "[: {what} is already approved].",
)
DICE_PRICE = rule(
    "moc.adv.dice",
    "An Advantage that affects dice costs 1 1/2 to 2 times as much as a skill of the same level.",
    "Dice affecting Advantages/Disadvantages",
)
CONTACTS_RULE = rule(
    "moc.adv.contacts",
    "Contacts cost more if they are more loyal, or if they are worth many points compared with the character's own.",
    "Backgrounds",
)


def say_bought(fact: LevelBought, names: Names) -> str:
    """Return what was bought, and for how much."""
    what = _say_purchase(fact.what, fact.name, fact.to, fact.element, fact.instead)
    skills = f" (for {listed(fact.skills)})" if fact.skills else ""
    return f"{say_whom(names)} buys {what}{skills} for {holdings.say_points(fact.cost)}."


def _say_purchase(what: str, name: str, to: object, element: str, instead: str) -> str:
    match what:
        case "characteristic" | "skill":
            return f"{say_word(name)} {to}"
        case "action-hero" | "weapons-master" | "floating-dice":
            return f"{say_count(to, *own_dice.say_dice(what))} per {name.partition(':')[0]}"
        case "dice":
            return f"{f'dice for {say_word(name)}' if name else 'an Advantage that affects dice'} (level {to})"
        case "martial-arts":
            return f"Martial Arts{f' ({name})' if name else ''} {to}"
        case "superhuman":
            return f"Superhuman {say_word(name)} {to} (with {say_word(element)} beads)"
        case "extra-secondary":
            return f"{say_word(element)} as another secondary Element"
        case "change-secondary":
            return f"{say_word(element)} as a secondary Element{f' instead of {say_word(instead)}' if instead else ''}"
        case "extra-primary":
            return f"{say_word(element)} as another primary Element"
        case "extra-bead-scene" | "extra-bead-session":
            return f"{say_count(to, 'extra bead', 'extra beads')} per {what.rpartition('-')[2]}"
        case "movement":
            return f"a way to move ({name}, {say_count(to, 'metre', 'metres')} a turn)"
        case "bits":
            return f"{say_count(to, 'Bit', 'Bits')}{f' in {name}' if name else ''}"
        case "contacts":
            return f"contacts{f' ({name})' if name else ''}"
        case "money":
            return f"income level {to}"
        case "hand-of-fate":
            return "a Hand of Fate"
        case _:
            return f"{words(what).title()}{f' {to}' if to not in (None, 1) else ''}"


@fact("level-bought", says=say_bought, headline=38)
class LevelBought:
    """A character bought something. `cost`: the price in points, as text that can be a fraction. `from`, `to`: the
    level or number before and after. `element`: the Element of a Superhuman bead, or the new Element. `skills`: the
    related skills of Weapons Master dice.
    """

    what: PurchaseKind
    name: PurchaseName
    from_: int
    to: int
    cost: Cost
    element: AnyElement = ""
    instead: AnyElement = ""
    skills: tuple[SkillName, ...] = ()


@changes
def raise_level(state: Character, fact: LevelBought) -> Character | None:
    match fact.what:
        case "characteristic":
            return changed(state, ratings={**state.ratings, fact.name: fact.to}) if state.ratings else None
        case "skill":
            return changed(state, skills={**state.skills, fact.name: fact.to})
        case "extra-primary":
            return changed(state, primaries=(*state.primaries, fact.element))
        case "extra-secondary":
            return changed(state, secondaries=(*state.secondaries, fact.element))
        case "change-secondary":
            kept = tuple(element for element in state.secondaries if element != fact.instead)
            return changed(state, secondaries=(*kept, fact.element))
        case _:
            key = holdings.find_key(fact.what, fact.name)
            after = changed(state, counts={**state.counts, key: fact.to})
            if fact.skills:
                after = changed(after, related={**state.related, key: fact.skills})
            return changed(after, elements={**state.elements, key: fact.element}) if fact.element else after


def say_buying(fact: Buy, names: Names) -> str:
    want: holdings.Purchase = fact.purchase
    name = want.period if want.what in ADVANTAGE_WORDS else want.name
    what = _say_purchase(want.what, name, want.level, want.element, want.instead)
    return f"{say_who(names, fact.character)} buys {what}."


@nobody_acts
@declares("buy", either("character"), says=say_buying, records=(LevelBought, own_dice.PeriodDiceGiven, TokensFilled))
class Buy:
    """Raise one of a character's levels, or buy something new for the character.

    `approved`: whether the game master agrees. Leave it out to ask a game master.
    """

    character: CharacterId
    purchase: Annotated[holdings.Purchase, Says("What is bought")]
    approved: Approval = None


@decides
def buy(draft: Draft, do: Buy) -> Asking[None]:
    """Buy one thing. A higher level costs the difference."""
    id = do.character
    before = dict(draft.get_character(id).ratings)
    cost = buy_level(draft, id, do.purchase, making=False)
    left = draft.balance(holdings.point(id))
    if cost > 0 and left < 0:
        raise OVER_BUDGET(character=id, cost=str(cost), short=str(Fraction(-left, POINT)))
    for primary in PRIMARIES:
        more = draft.get_character(id).ratings[primary] - before[primary]
        if more > 0:
            moved = holdings.move(holdings.TOKENS, holdings.token(id, primary), more)
            draft.about(id, TokensFilled(primary, more), moved)
    wanted = ", ".join(part for part in (do.purchase.what, do.purchase.name) if part)
    yield from require_approval(draft, do.approved, f"a purchase for {holdings.say_points(str(cost))}: {wanted}")


def require_approval(draft: Draft, approved: bool | None, purpose: str) -> Asking[None]:
    """Ask a game master to approve a purchase. Refuses `gm-approval-needed`."""
    if not (yield from ask_approval(draft, approved, purpose)):
        raise decline(GM_APPROVAL_NEEDED.under(NEGOTIATE, purpose=purpose), approved)


def buy_level(draft: Draft, id: str, want: holdings.Purchase, *, making: bool) -> Fraction:
    """Make one purchase and return its cost. When a character is created, a level that is free or already there is
    not one.
    """
    if want.what == "characteristic":
        return _buy_characteristic(draft, id, want, making)
    if want.what == "skill":
        return _buy_skill(draft, id, want, making)
    if want.what in (*holdings.PERIOD_DICE, FLOATING):
        return _buy_period_dice(draft, id, want)
    if want.what in holdings.ELEMENTS_COST:
        return _buy_element(draft, id, want)
    return _buy_other(draft, id, want)


def _buy_other(draft: Draft, id: str, want: holdings.Purchase) -> Fraction:
    """Buy an Advantage with levels or numbers, a Background or Bits; return the cost."""
    rule, who = COST, draft.get_character(id)
    key = holdings.find_key(want.what, want.name)
    old = who.counts.get(key, 0)
    known = (*holdings.FLAT, "movement", "dice", "martial-arts", "superhuman", "bits", "contacts")
    if want.what not in known:
        if any(trait.stage == "approved" and want.what == trait.name for trait in who.traits.values()):
            raise NOT_A_RAISE(what=want.what)
        raise UNKNOWN_PURCHASE.under(NEGOTIATE, what=want.what)
    level = read_whole(want.level, NEGATIVE_BITS if want.what == "bits" else NEGATIVE_LEVEL, rule)
    if want.what == "contacts":
        return _buy_contacts(draft, id, want, key)
    _is_raise(old, level, False)
    if want.what == "movement":
        return _buy_movement(draft, id, want, old, level)
    if want.what in ("hand-of-fate", "fortune", "vortex"):
        if level > 1 and not draft.dials.card_advantages_repeatable:
            raise ADVANTAGE_NOT_REPEATABLE(advantage=want.what)
        return pay(draft, id, want, old, level, Fraction(holdings.FLAT[want.what] * (level - old)), hands.CARD_HAND)
    if want.what in holdings.FLAT:
        return pay(draft, id, want, old, level, Fraction(holdings.FLAT[want.what] * (level - old)), rule)
    if want.what == "bits":
        others = sum(holdings.BITS.list_levels(who.counts).values()) - old
        cost = Fraction(holdings.price_bits(others + level) - holdings.price_bits(others + old))
        return pay(draft, id, want, old, level, cost, own_dice.BITS_RULE)
    if want.what == "dice":
        rate, rule = _read_multiplier(want), DICE_PRICE
        pools = (*POOL_KINDS, *draft.get_campaign().skills)
        if want.name not in pools:
            raise UNKNOWN_POOL.under(rule, name=want.name, choices=list(pools))
    elif want.what == "martial-arts":
        rate = Fraction(2)
    else:
        rate = Fraction(5)
        if want.name not in SECONDARIES:
            raise UNKNOWN_CHARACTERISTIC.under(rule, characteristic=want.name)
        want = replace(want, element=_read_bead_chosen(who.elements.get(key, ""), want.element))
    cost = rate * (holdings.price_steps(1, level, free=0) - holdings.price_steps(1, old, free=0))
    return pay(draft, id, want, old, level, cost, rule)


def _is_raise(old: int, to: int, making: bool) -> bool:
    """Return whether the level rises. Refuses `not-a-raise`."""
    if to > old:
        return True
    if making and to == old:
        return False
    raise NOT_A_RAISE(old=old, to=to)


def pay(draft: Draft, id: str, want: holdings.Purchase, old: int, to: int, cost: Fraction, rule: str) -> Fraction:
    counted = read_points(cost, rule)
    fact = LevelBought(want.what, want.name, old, to, str(cost), want.element, want.instead, tuple(want.skills))
    draft.about(id, fact, holdings.move(holdings.point(id), holdings.PAID, counted))
    draft.by(rule, str(cost), what=want.what, name=want.name, old=old, to=to)
    return cost


def _buy_contacts(draft: Draft, id: str, want: holdings.Purchase, key: str) -> Fraction:
    who = draft.get_character(id)
    loyalty = read_whole(want.loyalty, NEGATIVE_LEVEL, CONTACTS_RULE)
    worth = read_fraction(want.worth, CONTACTS_RULE, VALUE_NOT_POSITIVE)
    if worth < 1:
        raise VALUE_NOT_POSITIVE.under(CONTACTS_RULE, worth=str(worth))
    value = Fraction(who.budget + who.earned, POINT)
    level = holdings.price_contacts(value, worth, loyalty, draft.dials.contacts_geometry == "doubling")
    old = who.counts.get(key, 0)
    _is_raise(old, level, False)
    return pay(draft, id, want, old, level, Fraction(level - old), CONTACTS_RULE)


def _buy_movement(draft: Draft, id: str, want: holdings.Purchase, old: int, metres: int) -> Fraction:
    """Buy a way to move, by its name and metres a turn, for the points agreed; return the cost."""
    if want.name in ("", "primary", "secondary"):
        raise MOVEMENT_NEEDS_NAME(name=want.name)
    cost = read_fraction(want.worth, turns.MOVING, VALUE_NOT_POSITIVE)
    if cost < 0:
        raise VALUE_NOT_POSITIVE.under(turns.MOVING, worth=str(cost))
    return pay(draft, id, want, old, metres, cost, turns.MOVING)


def _read_multiplier(want: holdings.Purchase) -> Fraction:
    """Return the price of dice as a multiple of a skill's price. Refuses `multiplier-out-of-range`."""
    rate = read_fraction(want.multiplier, DICE_PRICE, MULTIPLIER_OUT_OF_RANGE)
    if not Fraction(3, 2) <= rate <= 2:
        raise MULTIPLIER_OUT_OF_RANGE.under(DICE_PRICE, multiplier=str(rate))
    return rate


def _read_bead_chosen(before: str, named: str) -> str:
    """Return the Element of Superhuman beads, which cannot change. Refuses `unknown-element`, `not-a-raise`."""
    new = read_element(named or before, COST)
    if before and new != before:
        raise NOT_A_RAISE(old=before, to=new)
    return new


def _buy_characteristic(draft: Draft, id: str, want: holdings.Purchase, making: bool) -> Fraction:
    name = read_characteristic(want.name, COST)
    if type(want.level) is not int:
        raise NEGATIVE_LEVEL.under(COST, given=str(want.level))
    if want.level < 1:
        raise LEVEL_TOO_LOW(characteristic=name, level=want.level)
    if name in PRIMARIES and draft.dials.primary_max == 5 and want.level > 5:
        raise LEVEL_TOO_HIGH(characteristic=name, level=want.level)
    old = draft.get_character(id).ratings[name]
    if not _is_raise(old, want.level, making):
        return Fraction(0)
    each = 5 if name in PRIMARIES else 3
    cost = holdings.price_steps(each, want.level, free=1) - holdings.price_steps(each, old, free=1)
    return pay(draft, id, replace(want, name=name), old, want.level, Fraction(cost), COST)


def _buy_skill(draft: Draft, id: str, want: holdings.Purchase, making: bool) -> Fraction:
    level = read_whole(want.level, NEGATIVE_LEVEL, COST)
    if want.name not in draft.get_campaign().skills:
        raise UNKNOWN_PURCHASE.under(NEGOTIATE, what="skill", name=want.name)
    old = draft.get_character(id).skills.get(want.name, 0)
    if not _is_raise(old, level, making):
        return Fraction(0)
    cost = holdings.price_steps(1, level, free=0) - holdings.price_steps(1, old, free=0)
    return pay(draft, id, want, old, level, Fraction(cost), COST)


def _buy_period_dice(draft: Draft, id: str, want: holdings.Purchase) -> Fraction:
    if want.period not in PERIODS:
        raise own_dice.UNKNOWN_PERIOD(period=want.period)
    number = read_whole(want.level, NEGATIVE_DICE, own_dice.PERIOD_DICE_RULE)
    key = _find_group(draft, id, want) if want.what == MASTER else f"{want.what}:{want.period}"
    old = draft.get_character(id).counts.get(key, 0)
    naming = want.skills and number == old and not draft.get_character(id).related.get(key)
    if not naming:
        _is_raise(old, number, False)
    if want.what == FLOATING:
        cost = _read_multiplier(want) * (holdings.price_steps(1, number, free=0) - holdings.price_steps(1, old, free=0))
    else:
        cost = holdings.PERIOD_DICE[want.what][want.period] * (number - old)
    paid = replace(want, name=key.partition(":")[2], skills=_read_related_skills(draft, id, key, want))
    pay(draft, id, paid, old, number, cost, own_dice.PERIOD_DICE_RULE)
    moved = holdings.move(f"bank/die:{want.period}", holdings.die(id, key), number - old)
    draft.about(id, own_dice.PeriodDiceGiven(key, number - old), moved)
    return cost


def _find_group(draft: Draft, id: str, want: holdings.Purchase) -> str:
    """Return the key of the Weapons Master dice for these skills. Other skills are another purchase.

    If no skills are named, return the first group. Refuses `skills-named` if another group has some of them, or if
    there are too many groups.
    """
    who, first, named = draft.get_character(id), f"{MASTER}:{want.period}", set(want.skills)
    groups = [key for key in who.counts if key.startswith(first)]
    for key in groups:
        own = set(who.related.get(key, ()))
        if not (named and own) or own == named:
            return key
    had = {skill for key in groups for skill in who.related[key]}
    if had & named or len(groups) == MOST_GROUPS:
        raise SKILLS_NAMED(skills=sorted(had))
    return f"{first}:{len(groups) + 1}" if groups else first


def _read_related_skills(draft: Draft, id: str, key: str, want: holdings.Purchase) -> tuple[str, ...]:
    """Return the related skills, which are named once; without them, the dice cannot be used. Refuses
    `unknown-skill`.
    """
    if want.what != MASTER:
        return ()
    known = draft.get_campaign().skills
    before, named = draft.get_character(id).related.get(key, ()), tuple(dict.fromkeys(want.skills))
    for skill in named:
        if skill not in known:
            raise UNKNOWN_SKILL.under(own_dice.WEAPONS_MASTER, skill=skill, choices=sorted(known))
    named = before or named
    draft.by(own_dice.WEAPONS_MASTER, list(named))
    return named


def _buy_element(draft: Draft, id: str, want: holdings.Purchase) -> Fraction:
    who = draft.get_character(id)
    new = read_element(want.element, beads.BEAD_ALLOCATE)
    if new in who.primaries or (new in who.secondaries and want.what != "extra-primary"):
        raise NOT_A_RAISE(element=new)
    instead = ""
    if want.what == "change-secondary":
        instead = read_element(want.instead or (who.secondaries[0] if who.secondaries else ""), beads.BEAD_ALLOCATE)
        if instead not in who.secondaries:
            raise UNKNOWN_ELEMENT.under(beads.BEAD_ALLOCATE, element=instead)
    paid = replace(want, element=new, instead=instead)
    return pay(draft, id, paid, 0, 1, Fraction(holdings.ELEMENTS_COST[want.what]), beads.BEAD_ALLOCATE)
