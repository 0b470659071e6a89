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
from ledger.rules.moc.draft import Draft, ask_approval, make_decline, nobody_acts
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
    read_characteristic,
    read_element,
    read_fraction,
    read_points,
    read_whole,
    say_count,
    say_subject,
    say_who,
    say_word,
)

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
MOVEMENT_PRICE = Refusal(
    turns.MOVING, "value-not-positive", "Enter the agreed price in points: 0 or more[, not {given}][, not {worth}]."
)


def say_costs(given: Mapping[str, Any]) -> str:
    """Put into words the levels that are paid for, with the full names of characteristics."""
    what, name = str(given.get("what")), str(given.get("name") or "")
    characteristic_name = say_word(name) if what == "characteristic" else ""
    raised_words = characteristic_name or holdings.EXTRA_BEADS.get(what) or ("{name}" if name else "{what}")
    return f"Raising {raised_words} from {{old}} to {{to}} costs {{out:point|points}}."


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
    "[A budget of {budget} does not fit the power level][That costs {cost} points in all]"
    "[, and {character} does not have enough][: {short} more than are left. Choose something cheaper].",
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
    "That would not raise anything[: it is {old} already, so choose more]"
    "[: the character already has {element}, so choose another][: {what} is already approved].",
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
CONTACTS_WORTH = Refusal(
    CONTACTS_RULE, "value-not-positive", "Enter a worth of 1 or more[, not {given}][, not {worth}]."
)


def say_bought(fact: LevelBought, names: Names) -> str:
    purchase_words = _say_purchase(fact.what, fact.name, fact.to, fact.element, fact.instead)
    skill_words = f" (for {listed(fact.skills)})" if fact.skills else ""
    return f"{say_subject(names)} buys {purchase_words}{skill_words} for {holdings.say_points(fact.cost)}."


def _say_purchase(what: str, name: str, to: object, element: str, replaced_element: str) -> str:
    match what:
        case "characteristic" | "skill":
            return f"{say_word(name)} {to}"
        case "action-hero" | "weapons-master" | "floating-dice":
            return f"{say_count(to, *own_dice.say_dice_forms(what))} per {name.partition(':')[0]}"
        case "dice":
            return f"{f'dice for {say_word(name)}' if name else 'an Advantage that affects dice'} (level {to})"
        case "martial-arts":
            return f"Martial Arts{f' ({name})' if name else ''} {to}"
        case "superhuman":
            return f"Superhuman {say_word(name)} {to} (with {say_word(element)} beads)"
        case "extra-secondary":
            return f"{say_word(element)} as another secondary Element"
        case "change-secondary":
            replaced_words = f" instead of {say_word(replaced_element)}" if replaced_element else ""
            return f"{say_word(element)} as a secondary Element{replaced_words}"
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
    """A character bought a level, an Advantage, a Background or Bits. `cost`: the price in points, as text that can be
    a fraction. `from`, `to`: the level or number before and after. `element`: the Element of a Superhuman bead, or the
    new Element. `skills`: the related skills of Weapons Master dice.
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
            kept_elements = tuple(element for element in state.secondaries if element != fact.instead)
            return changed(state, secondaries=(*kept_elements, fact.element))
        case _:
            key = holdings.make_key(fact.what, fact.name)
            after = changed(state, counts={**state.counts, key: fact.to})
            if fact.skills:
                after = changed(after, related={**state.related, key: fact.skills})
            return changed(after, elements={**state.elements, key: fact.element}) if fact.element else after


def say_buying(do: Buy, names: Names) -> str:
    purchase: holdings.Purchase = do.purchase
    name = purchase.period if purchase.what in ADVANTAGE_WORDS else purchase.name
    purchase_words = _say_purchase(purchase.what, name, purchase.level, purchase.element, purchase.instead)
    return f"{say_who(names, do.character)} buys {purchase_words}."


@nobody_acts
@declares("buy", either("character"), says=say_buying, records=(LevelBought, own_dice.PeriodDiceGiven, TokensFilled))
class Buy:
    """Raise one of a character's levels, or make a new purchase for the character.

    `approved`: whether the game master agrees. Leave it out to ask a game master.
    """

    character: CharacterId
    purchase: Annotated[holdings.Purchase, Says("What is bought")]
    approved: Approval = None


@decides
def buy(draft: Draft, do: Buy) -> Asking[None]:
    """Make one purchase. A higher level costs the difference."""
    buyer_id = do.character
    ratings_before = dict(draft.get_character(buyer_id).ratings)
    cost = buy_level(draft, buyer_id, do.purchase, is_making=False)
    points_left = draft.balance(holdings.name_point_account(buyer_id))
    if cost > 0 and points_left < 0:
        raise OVER_BUDGET(character=buyer_id, cost=str(cost), short=str(Fraction(-points_left, POINT)))
    for primary in PRIMARIES:
        added_levels = draft.get_character(buyer_id).ratings[primary] - ratings_before[primary]
        if added_levels > 0:
            posting = holdings.make_posting(
                holdings.TOKENS, holdings.name_token_account(buyer_id, primary), added_levels
            )
            draft.about(buyer_id, TokensFilled(primary, added_levels), posting)
    purchase_words = ", ".join(part for part in (do.purchase.what, do.purchase.name) if part)
    yield from require_approval(
        draft, do.approved, f"a purchase for {holdings.say_points(str(cost))}: {purchase_words}"
    )


def require_approval(draft: Draft, approval: bool | None, purpose: str) -> Asking[None]:
    """Ask a game master to approve a purchase. Refuses `gm-approval-needed`."""
    if not (yield from ask_approval(draft, approval, purpose)):
        raise make_decline(GM_APPROVAL_NEEDED.under(NEGOTIATE, purpose=purpose), approval)


def buy_level(draft: Draft, buyer_id: str, purchase: holdings.Purchase, *, is_making: bool) -> Fraction:
    """Make one purchase and return its cost. When a character is created, a level that is free or that the character
    already has costs nothing.
    """
    if purchase.what == "characteristic":
        return _buy_characteristic(draft, buyer_id, purchase, is_making)
    if purchase.what == "skill":
        return _buy_skill(draft, buyer_id, purchase, is_making)
    if purchase.what in (*holdings.PERIOD_DICE, FLOATING):
        return _buy_period_dice(draft, buyer_id, purchase)
    if purchase.what in holdings.ELEMENTS_COST:
        return _buy_element(draft, buyer_id, purchase)
    return _buy_levelled(draft, buyer_id, purchase)


def _buy_levelled(draft: Draft, buyer_id: str, purchase: holdings.Purchase) -> Fraction:
    """Buy an Advantage with levels or numbers, a Background or Bits, and return the cost."""
    rule, state = COST, draft.get_character(buyer_id)
    key = holdings.make_key(purchase.what, purchase.name)
    old_level = state.counts.get(key, 0)
    levelled_kinds = (*holdings.FLAT, "movement", "dice", "martial-arts", "superhuman", "bits", "contacts")
    if purchase.what not in levelled_kinds:
        if any(trait.stage == "approved" and purchase.what == trait.name for trait in state.traits.values()):
            raise NOT_A_RAISE(what=purchase.what)
        raise UNKNOWN_PURCHASE.under(NEGOTIATE, what=purchase.what)
    level = read_whole(purchase.level, NEGATIVE_BITS if purchase.what == "bits" else NEGATIVE_LEVEL, rule)
    if purchase.what == "contacts":
        return _buy_contacts(draft, buyer_id, purchase, key)
    _check_raise(old_level, level, False)
    if purchase.what == "movement":
        return _buy_movement(draft, buyer_id, purchase, old_level, level)
    if purchase.what in ("hand-of-fate", "fortune", "vortex"):
        if level > 1 and not draft.dials.card_advantages_repeatable:
            raise ADVANTAGE_NOT_REPEATABLE(advantage=purchase.what)
        cost = Fraction(holdings.FLAT[purchase.what] * (level - old_level))
        return pay(draft, buyer_id, purchase, old_level, level, cost, hands.CARD_HAND)
    if purchase.what in holdings.FLAT:
        cost = Fraction(holdings.FLAT[purchase.what] * (level - old_level))
        return pay(draft, buyer_id, purchase, old_level, level, cost, rule)
    if purchase.what == "bits":
        other_bits = sum(holdings.BITS.find_levels(state.counts).values()) - old_level
        cost = Fraction(holdings.price_bits(other_bits + level) - holdings.price_bits(other_bits + old_level))
        return pay(draft, buyer_id, purchase, old_level, level, cost, own_dice.BITS_RULE)
    if purchase.what == "dice":
        unit_price, rule = _read_multiplier(purchase), DICE_PRICE
        pool_names = (*POOL_KINDS, *draft.get_campaign().skills)
        if purchase.name not in pool_names:
            raise UNKNOWN_POOL.under(rule, name=purchase.name, choices=list(pool_names))
    elif purchase.what == "martial-arts":
        unit_price = Fraction(2)
    else:
        unit_price = Fraction(5)
        if purchase.name not in SECONDARIES:
            raise UNKNOWN_CHARACTERISTIC.under(rule, characteristic=purchase.name)
        purchase = replace(purchase, element=_read_bead_element(state.elements.get(key, ""), purchase.element))
    cost = unit_price * (
        holdings.price_steps(1, level, free_levels=0) - holdings.price_steps(1, old_level, free_levels=0)
    )
    return pay(draft, buyer_id, purchase, old_level, level, cost, rule)


def _check_raise(old_level: int, new_level: int, is_making: bool) -> bool:
    """Return whether the level rises. Refuses `not-a-raise` for a lower level and, unless the character is being
    created, for the same level.
    """
    if new_level > old_level:
        return True
    if is_making and new_level == old_level:
        return False
    raise NOT_A_RAISE(old=old_level, to=new_level)


def pay(
    draft: Draft, buyer_id: str, purchase: holdings.Purchase, old_level: int, new_level: int, cost: Fraction, rule: str
) -> Fraction:
    amount = read_points(cost, rule)
    fact = LevelBought(
        purchase.what,
        purchase.name,
        old_level,
        new_level,
        str(cost),
        purchase.element,
        purchase.instead,
        tuple(purchase.skills),
    )
    draft.about(buyer_id, fact, holdings.make_posting(holdings.name_point_account(buyer_id), holdings.PAID, amount))
    draft.by(rule, str(cost), what=purchase.what, name=purchase.name, old=old_level, to=new_level)
    return cost


def _buy_contacts(draft: Draft, buyer_id: str, purchase: holdings.Purchase, key: str) -> Fraction:
    state = draft.get_character(buyer_id)
    loyalty = read_whole(purchase.loyalty, NEGATIVE_LEVEL, CONTACTS_RULE)
    worth = read_fraction(purchase.worth, CONTACTS_RULE, CONTACTS_WORTH)
    if worth < 1:
        raise CONTACTS_WORTH(worth=str(worth))
    character_value = Fraction(state.budget + state.earned, POINT)
    level = holdings.price_contacts(character_value, worth, loyalty, draft.dials.contacts_geometry == "doubling")
    old_level = state.counts.get(key, 0)
    _check_raise(old_level, level, False)
    return pay(draft, buyer_id, purchase, old_level, level, Fraction(level - old_level), CONTACTS_RULE)


def _buy_movement(draft: Draft, buyer_id: str, purchase: holdings.Purchase, old_metres: int, metres: int) -> Fraction:
    """Buy a way to move, by its name and metres per turn, for the points agreed, and return the cost."""
    if purchase.name in ("", "primary", "secondary"):
        raise MOVEMENT_NEEDS_NAME(name=purchase.name)
    cost = read_fraction(purchase.worth, turns.MOVING, MOVEMENT_PRICE)
    if cost < 0:
        raise MOVEMENT_PRICE(worth=str(cost))
    return pay(draft, buyer_id, purchase, old_metres, metres, cost, turns.MOVING)


def _read_multiplier(purchase: holdings.Purchase) -> Fraction:
    """Return the price of dice as a multiple of a skill's price. Refuses `multiplier-out-of-range`."""
    multiplier = read_fraction(purchase.multiplier, DICE_PRICE, MULTIPLIER_OUT_OF_RANGE)
    if not Fraction(3, 2) <= multiplier <= 2:
        raise MULTIPLIER_OUT_OF_RANGE.under(DICE_PRICE, multiplier=str(multiplier))
    return multiplier


def _read_bead_element(old_element: str, named_element: str) -> str:
    """Return the Element of Superhuman beads, which cannot change. Refuses `unknown-element`, `not-a-raise`."""
    element = read_element(named_element or old_element, COST)
    if old_element and element != old_element:
        raise NOT_A_RAISE(old=old_element, to=element)
    return element


def _buy_characteristic(draft: Draft, buyer_id: str, purchase: holdings.Purchase, is_making: bool) -> Fraction:
    name = read_characteristic(purchase.name, COST)
    if type(purchase.level) is not int:
        raise NEGATIVE_LEVEL.under(COST, given=str(purchase.level))
    if purchase.level < 1:
        raise LEVEL_TOO_LOW(characteristic=name, level=purchase.level)
    if name in PRIMARIES and draft.dials.primary_max == 5 and purchase.level > 5:
        raise LEVEL_TOO_HIGH(characteristic=name, level=purchase.level)
    old_level = draft.get_character(buyer_id).ratings[name]
    if not _check_raise(old_level, purchase.level, is_making):
        return Fraction(0)
    unit_price = 5 if name in PRIMARIES else 3
    cost = holdings.price_steps(unit_price, purchase.level, free_levels=1) - holdings.price_steps(
        unit_price, old_level, free_levels=1
    )
    return pay(draft, buyer_id, replace(purchase, name=name), old_level, purchase.level, Fraction(cost), COST)


def _buy_skill(draft: Draft, buyer_id: str, purchase: holdings.Purchase, is_making: bool) -> Fraction:
    level = read_whole(purchase.level, NEGATIVE_LEVEL, COST)
    if purchase.name not in draft.get_campaign().skills:
        raise UNKNOWN_PURCHASE.under(NEGOTIATE, what="skill", name=purchase.name)
    old_level = draft.get_character(buyer_id).skills.get(purchase.name, 0)
    if not _check_raise(old_level, level, is_making):
        return Fraction(0)
    cost = holdings.price_steps(1, level, free_levels=0) - holdings.price_steps(1, old_level, free_levels=0)
    return pay(draft, buyer_id, purchase, old_level, level, Fraction(cost), COST)


def _buy_period_dice(draft: Draft, buyer_id: str, purchase: holdings.Purchase) -> Fraction:
    if purchase.period not in PERIODS:
        raise own_dice.UNKNOWN_PERIOD(period=purchase.period)
    dice_count = read_whole(purchase.level, NEGATIVE_DICE, own_dice.PERIOD_DICE_RULE)
    state, key = draft.get_character(buyer_id), f"{purchase.what}:{purchase.period}"
    if purchase.what == MASTER:
        key = _read_group_key(draft, buyer_id, purchase)
    old_count = state.counts.get(key, 0)
    only_names_skills = bool(purchase.skills) and dice_count == old_count and not state.related.get(key)
    if not only_names_skills:
        _check_raise(old_count, dice_count, False)
    if purchase.what == FLOATING:
        cost = _read_multiplier(purchase) * (
            holdings.price_steps(1, dice_count, free_levels=0) - holdings.price_steps(1, old_count, free_levels=0)
        )
    else:
        cost = holdings.PERIOD_DICE[purchase.what][purchase.period] * (dice_count - old_count)
    recorded_purchase = replace(
        purchase, name=key.partition(":")[2], skills=_read_related_skills(draft, buyer_id, key, purchase)
    )
    pay(draft, buyer_id, recorded_purchase, old_count, dice_count, cost, own_dice.PERIOD_DICE_RULE)
    posting = holdings.make_posting(
        f"bank/die:{purchase.period}", holdings.name_die_account(buyer_id, key), dice_count - old_count
    )
    draft.about(buyer_id, own_dice.PeriodDiceGiven(key, dice_count - old_count), posting)
    return cost


def _read_group_key(draft: Draft, buyer_id: str, purchase: holdings.Purchase) -> str:
    """Return the key of the Weapons Master dice for these skills. Dice for different skills are a separate purchase.

    If no skills are named, return the first group. Refuses `skills-named` if another group has some of them, or if
    there are too many groups.
    """
    state, named_skills = draft.get_character(buyer_id), set(purchase.skills)
    first_key = f"{MASTER}:{purchase.period}"
    group_keys = [key for key in state.counts if key.startswith(first_key)]
    for key in group_keys:
        group_skills = set(state.related.get(key, ()))
        if not (named_skills and group_skills) or group_skills == named_skills:
            return key
    taken_skills = {skill for key in group_keys for skill in state.related[key]}
    if taken_skills & named_skills or len(group_keys) == MOST_GROUPS:
        raise SKILLS_NAMED(skills=sorted(taken_skills))
    return f"{first_key}:{len(group_keys) + 1}" if group_keys else first_key


def _read_related_skills(draft: Draft, buyer_id: str, key: str, purchase: holdings.Purchase) -> tuple[str, ...]:
    """Return the related skills, which are named only once. Without them, the dice cannot be used. Refuses
    `unknown-skill`.
    """
    if purchase.what != MASTER:
        return ()
    campaign_skills = draft.get_campaign().skills
    skills_before = draft.get_character(buyer_id).related.get(key, ())
    named_skills = tuple(dict.fromkeys(purchase.skills))
    for skill in named_skills:
        if skill not in campaign_skills:
            raise UNKNOWN_SKILL.under(own_dice.WEAPONS_MASTER, skill=skill, choices=sorted(campaign_skills))
    named_skills = skills_before or named_skills
    draft.by(own_dice.WEAPONS_MASTER, list(named_skills))
    return named_skills


def _buy_element(draft: Draft, buyer_id: str, purchase: holdings.Purchase) -> Fraction:
    state = draft.get_character(buyer_id)
    element = read_element(purchase.element, beads.BEAD_ALLOCATE)
    if element in state.primaries or (element in state.secondaries and purchase.what != "extra-primary"):
        raise NOT_A_RAISE(element=element)
    replaced_element = ""
    if purchase.what == "change-secondary":
        replaced_element = read_element(
            purchase.instead or (state.secondaries[0] if state.secondaries else ""), beads.BEAD_ALLOCATE
        )
        if replaced_element not in state.secondaries:
            raise UNKNOWN_ELEMENT.under(beads.BEAD_ALLOCATE, element=replaced_element)
    recorded_purchase = replace(purchase, element=element, instead=replaced_element)
    return pay(
        draft, buyer_id, recorded_purchase, 0, 1, Fraction(holdings.ELEMENTS_COST[purchase.what]), beads.BEAD_ALLOCATE
    )
