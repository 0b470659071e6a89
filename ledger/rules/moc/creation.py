"""Characters: what they begin with, what levels and advantages cost, what is negotiated.

Headings "Character Generation", "Advantages/Disadvantages", "Backgrounds", "Bits", "Putting It All Together".
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts_of_bodies, facts_of_modifiers, facts_of_people, inputs, numbers, terms
from ledger.rules.moc.beads import award_newcomer
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.purchases import bits_cost, bits_of, key_of
from ledger.rules.moc.sayings import points
from ledger.rules.moc.sheet import Purchase, Sheet
from ledger.rules.moc.tables import BUDGETS
from ledger.rules.moc.terms import ARCHETYPES, MOST_GROUPS, PERIODS, POINT, POOL_KINDS, PRIMARIES, SECONDARIES, Number

PERIOD_DICE = {
    "action-hero": {"scene": Fraction(2), "session": Fraction(1), "arc": Fraction(1, 4)},
    "weapons-master": {"scene": Fraction(1), "session": Fraction(1, 2), "arc": Fraction(1, 8)},
}
#: advantages at so many points each
FLAT = {
    "swiftness": 5, "extra-bead-scene": 2, "extra-bead-session": 2, "hand-of-fate": 10, "fortune": 5, "vortex": 5,
    "money": 2,
}  # fmt: skip
FLOATING, MASTER = "floating-dice", "weapons-master"
ELEMENTS_COST = {"extra-secondary": 5, "change-secondary": 2, "extra-primary": 15}


def enrol(draft: Draft, do: Enrol[Sheet]) -> Asking[None]:
    """`moc.char.budget`: a new character. What is bought or given back beyond levels, a game master approves."""
    id, sheet, faults = str(draft.table.number), do.sheet, Faults()
    draft.begin(character(id))
    with faults.at("sheet", "archetype"):
        _check_archetype(sheet.archetype)
    primaries, secondaries = ARCHETYPES.get(sheet.archetype, ((), ()))
    budget = BUDGETS[draft.dials.power_level]
    with faults.at("sheet", "budget"):
        budget = _budget(draft, sheet)
    created = facts_of_people.CharacterCreated(sheet.archetype, sheet.villain, primaries, secondaries, budget * POINT)
    draft.about(id, created, accounts.move(accounts.BUDGET, accounts.point(id), budget * POINT))
    draft.by("moc.char.budget", budget)
    _spend(draft, id, sheet, faults)
    faults.tell()
    left = draft.balance(accounts.point(id))
    if left < 0:
        cost, short = str(budget - Fraction(left, POINT)), str(Fraction(-left, POINT))
        faults.note(Refused("moc.char.budget", "over-budget", cost=cost, short=short), "sheet")
    faults.tell()
    draft.by("moc.char.budget", str(Fraction(left, POINT)), left=True)
    for primary in PRIMARIES:
        rating = draft.who(id).ratings[primary]
        moved = accounts.move(accounts.TOKENS, accounts.token(id, primary), rating)
        draft.about(id, facts_of_bodies.TokensFilled(primary, rating), moved)
    draft.by("moc.char.derived", numbers.pain_capacity(draft.who(id).ratings), character=id)
    award_newcomer(draft, id)
    if sheet.purchases or sheet.disadvantages or sheet.villain or sheet.budget is not None:
        yield from _approved(draft, None, f"the character {do.name}")


def _check_archetype(archetype: str) -> None:
    if archetype not in ARCHETYPES:
        raise Refused("moc.bead.allocate", "unknown-archetype", archetype=archetype)


def _budget(draft: Draft, sheet: Sheet) -> int:
    """As the sheet has it, else the table. Refuses `value-not-positive`, `over-budget`, `budget-too-low`."""
    usual = BUDGETS[draft.dials.power_level]
    if sheet.budget is None:
        return usual
    budget = terms.whole(sheet.budget, "value-not-positive", "moc.char.budget", 1)
    if draft.dials.power_level != "superheroic" and budget != usual:
        raise Refused("moc.char.budget", "over-budget", budget=budget)
    if draft.dials.power_level == "superheroic" and budget < 200:
        raise Refused("moc.char.budget", "budget-too-low", budget=budget)
    return budget


def _spend(draft: Draft, id: str, sheet: Sheet, faults: Faults) -> None:
    """All that is given back and bought. Which Elements can be had is not guessed, once one of them has a fault."""
    for name, given in sheet.disadvantages.items():
        with faults.at("sheet", "disadvantages", name):
            _refund(draft, id, name, given)
    for name, level in sheet.characteristics.items():
        with faults.at("sheet", "characteristics", name):
            buy_one(draft, id, Purchase("characteristic", name, level), making=True)
    for name, level in sheet.skills.items():
        with faults.at("sheet", "skills", name):
            buy_one(draft, id, Purchase("skill", name, level), making=True)
    known = sheet.archetype in ARCHETYPES
    for place, purchase in enumerate(sheet.purchases):
        of_element, before = purchase.what in ELEMENTS_COST, len(faults.found)
        if known or not of_element:
            with faults.at("sheet", "purchases", place):
                buy_one(draft, id, purchase, making=True)
            known = known and not (of_element and len(faults.found) > before)


def _approved(draft: Draft, said: bool | None, purpose: str) -> Asking[None]:
    """`moc.adv.negotiate`: what a player buys exists once a game master approves. Refuses `gm-approval-needed`."""
    if not (yield from draft.approved(said, purpose)):
        raise draft.no("moc.adv.negotiate", "gm-approval-needed", said, purpose=purpose)


def _refund(draft: Draft, id: str, name: str, given: Number) -> None:
    """A disadvantage, as agreed: points come back."""
    back = terms.fraction(given, "moc.char.budget")
    if back < 0:
        raise Refused("moc.char.budget", "value-not-positive", disadvantage=name)
    trait = draft.table.new_id()
    draft.about(id, facts_of_people.TraitProposed(trait, "disadvantage", name, "", str(-back)))
    moved = accounts.move(accounts.BUDGET, accounts.point(id), terms.points(back, "moc.char.budget"))
    draft.about(id, facts_of_people.TraitApproved(trait, str(-back)), moved)
    draft.by("moc.adv.negotiate", str(-back), name=name)


def buy(draft: Draft, do: inputs.Buy) -> Asking[None]:
    """`moc.char.raise`: later levels cost the difference."""
    id = do.character
    before = dict(draft.who(id).ratings)
    cost = buy_one(draft, id, do.purchase, making=False)
    left = draft.balance(accounts.point(id))
    if cost > 0 and left < 0:
        raise Refused("moc.char.budget", "over-budget", character=id, cost=str(cost), short=str(Fraction(-left, POINT)))
    for primary in PRIMARIES:
        more = draft.who(id).ratings[primary] - before[primary]
        if more > 0:
            moved = accounts.move(accounts.TOKENS, accounts.token(id, primary), more)
            draft.about(id, facts_of_bodies.TokensFilled(primary, more), moved)
    wanted = ", ".join(part for part in (do.purchase.what, do.purchase.name) if part)
    yield from _approved(draft, do.approved, f"a purchase for {points(str(cost))}: {wanted}")


def buy_one(draft: Draft, id: str, want: Purchase, *, making: bool) -> Fraction:
    """One purchase; its cost. A level that is free or already there is no purchase while a character is made."""
    if want.what == "characteristic":
        return _characteristic(draft, id, want, making)
    if want.what == "skill":
        return _skill(draft, id, want, making)
    if want.what in (*PERIOD_DICE, FLOATING):
        return _period_dice(draft, id, want)
    if want.what in ELEMENTS_COST:
        return _element(draft, id, want)
    return _other(draft, id, want)


def _pay(draft: Draft, id: str, want: Purchase, old: int, to: int, cost: Fraction, rule: str) -> Fraction:
    counted = terms.points(cost, rule)
    done = facts_of_people.LevelBought(
        want.what, want.name, old, to, str(cost), want.element, want.instead, tuple(want.skills)
    )
    draft.about(id, done, accounts.move(accounts.point(id), accounts.PAID, counted))
    draft.by(rule, str(cost), what=want.what, name=want.name, old=old, to=to)
    return cost


def _raised(old: int, to: int, making: bool) -> bool:
    """Refuses `not-a-raise`."""
    if to > old:
        return True
    if making and to == old:
        return False
    raise Refused("moc.char.raise", "not-a-raise", old=old, to=to)


def _characteristic(draft: Draft, id: str, want: Purchase, making: bool) -> Fraction:
    rule = "moc.char.cost"
    name = terms.characteristic(want.name, rule)
    if type(want.level) is not int:
        raise Refused(rule, "negative-level", given=str(want.level))
    if want.level < 1:
        raise Refused(rule, "level-too-low", characteristic=name, level=want.level)
    if name in PRIMARIES and draft.dials.primary_max == 5 and want.level > 5:
        raise Refused(rule, "level-too-high", characteristic=name, level=want.level)
    old = draft.who(id).ratings[name]
    if not _raised(old, want.level, making):
        return Fraction(0)
    each = 5 if name in PRIMARIES else 3
    cost = numbers.steps_cost(each, want.level, free=1) - numbers.steps_cost(each, old, free=1)
    return _pay(draft, id, replace(want, name=name), old, want.level, Fraction(cost), rule)


def _skill(draft: Draft, id: str, want: Purchase, making: bool) -> Fraction:
    rule = "moc.char.cost"
    level = terms.whole(want.level, "negative-level", rule)
    if want.name not in draft.campaign().skills:
        raise Refused("moc.adv.negotiate", "unknown-purchase", what="skill", name=want.name)
    old = draft.who(id).skills.get(want.name, 0)
    if not _raised(old, level, making):
        return Fraction(0)
    cost = numbers.steps_cost(1, level, free=0) - numbers.steps_cost(1, old, free=0)
    return _pay(draft, id, want, old, level, Fraction(cost), rule)


def _period_dice(draft: Draft, id: str, want: Purchase) -> Fraction:
    rule = "moc.adv.period-dice"
    if want.period not in PERIODS:
        raise Refused(rule, "unknown-period", period=want.period)
    number = terms.whole(want.level, "negative-dice", rule)
    key = _group(draft, id, want) if want.what == MASTER else f"{want.what}:{want.period}"
    old = draft.who(id).counts.get(key, 0)
    naming = want.skills and number == old and not draft.who(id).related.get(key)
    if not naming:
        _raised(old, number, False)
    if want.what == FLOATING:
        cost = _multiplier(want) * (numbers.steps_cost(1, number, free=0) - numbers.steps_cost(1, old, free=0))
    else:
        cost = PERIOD_DICE[want.what][want.period] * (number - old)
    paid = replace(want, name=key.partition(":")[2], skills=_related(draft, id, key, want))
    _pay(draft, id, paid, old, number, cost, rule)
    moved = accounts.move(f"bank/die:{want.period}", accounts.die(id, key), number - old)
    draft.about(id, facts_of_modifiers.PeriodDiceGiven(key, number - old), moved)
    return cost


def _group(draft: Draft, id: str, want: Purchase) -> str:
    """The key of the Weapons Master for these skills. Other skills are another purchase; none named: the first one.

    Refuses `skills-named` where some of them are another group's, or there are too many groups.
    """
    who, first, named = draft.who(id), f"{MASTER}:{want.period}", set(want.skills)
    groups = [key for key in who.counts if key.startswith(first)]
    for key in groups:
        own = set(who.related.get(key, ()))
        if not (named and own) or own == named:
            return key
    had = {skill for key in groups for skill in who.related[key]}
    if had & named or len(groups) == MOST_GROUPS:
        raise Refused("moc.adv.weapons-master", "skills-named", skills=sorted(had))
    return f"{first}:{len(groups) + 1}" if groups else first


def _multiplier(want: Purchase) -> Fraction:
    """Dice-affecting advantages cost a little more than skills do. Refuses `multiplier-out-of-range`."""
    rate = terms.fraction(want.multiplier, "moc.adv.dice", "multiplier-out-of-range")
    if not Fraction(3, 2) <= rate <= 2:
        raise Refused("moc.adv.dice", "multiplier-out-of-range", multiplier=str(rate))
    return rate


def _related(draft: Draft, id: str, key: str, want: Purchase) -> tuple[str, ...]:
    """`moc.adv.weapons-master`: the few related skills, named once; without them its dice are for nothing.

    Refuses `unknown-skill`.
    """
    if want.what != MASTER:
        return ()
    rule, known = "moc.adv.weapons-master", draft.campaign().skills
    before, named = draft.who(id).related.get(key, ()), tuple(dict.fromkeys(want.skills))
    for skill in named:
        if skill not in known:
            raise Refused(rule, "unknown-skill", skill=skill, choices=sorted(known))
    named = before or named
    draft.by(rule, list(named))
    return named


def _element(draft: Draft, id: str, want: Purchase) -> Fraction:
    rule, who = "moc.bead.allocate", draft.who(id)
    new = terms.element(want.element, rule)
    if new in who.primaries or (new in who.secondaries and want.what != "extra-primary"):
        raise Refused("moc.char.raise", "not-a-raise", element=new)
    instead = ""
    if want.what == "change-secondary":
        instead = terms.element(want.instead or (who.secondaries[0] if who.secondaries else ""), rule)
        if instead not in who.secondaries:
            raise Refused(rule, "unknown-element", element=instead)
    paid = replace(want, element=new, instead=instead)
    return _pay(draft, id, paid, 0, 1, Fraction(ELEMENTS_COST[want.what]), rule)


def _other(draft: Draft, id: str, want: Purchase) -> Fraction:
    """Advantages with levels or numbers, Backgrounds and Bits."""
    rule, who = "moc.char.cost", draft.who(id)
    key = key_of(want.what, want.name)
    old = who.counts.get(key, 0)
    known = (*FLAT, "movement", "dice", "martial-arts", "superhuman", "bits", "contacts")
    if want.what not in known:
        if any(one.stage == "approved" and want.what == one.name for one in who.traits.values()):
            raise Refused("moc.char.raise", "not-a-raise", what=want.what)
        raise Refused("moc.adv.negotiate", "unknown-purchase", what=want.what)
    level = terms.whole(want.level, "negative-bits" if want.what == "bits" else "negative-level", rule)
    if want.what == "contacts":
        return _contacts(draft, id, want, key)
    _raised(old, level, False)
    if want.what == "movement":
        return _movement(draft, id, want, old, level)
    if want.what in ("hand-of-fate", "fortune", "vortex"):
        if level > 1 and not draft.dials.card_advantages_repeatable:
            raise Refused("moc.card.hand", "advantage-not-repeatable", advantage=want.what)
        return _pay(draft, id, want, old, level, Fraction(FLAT[want.what] * (level - old)), "moc.card.hand")
    if want.what in FLAT:
        return _pay(draft, id, want, old, level, Fraction(FLAT[want.what] * (level - old)), rule)
    if want.what == "bits":
        others = sum(bits_of(who.counts).values()) - old
        cost = Fraction(bits_cost(others + level) - bits_cost(others + old))
        return _pay(draft, id, want, old, level, cost, "moc.adv.bits")
    if want.what == "dice":
        rate, rule = _multiplier(want), "moc.adv.dice"
        pools = (*POOL_KINDS, *draft.campaign().skills)
        if want.name not in pools:
            raise Refused(rule, "unknown-pool", name=want.name, choices=list(pools))
    elif want.what == "martial-arts":
        rate = Fraction(2)
    else:
        rate = Fraction(5)
        if want.name not in SECONDARIES:
            raise Refused(rule, "unknown-characteristic", characteristic=want.name)
        want = replace(want, element=_bead_chosen(who.elements.get(key, ""), want.element))
    cost = rate * (numbers.steps_cost(1, level, free=0) - numbers.steps_cost(1, old, free=0))
    return _pay(draft, id, want, old, level, cost, rule)


def _bead_chosen(before: str, said: str) -> str:
    """`moc.adv.superhuman`: of the type chosen at first. Refuses `unknown-element`, `not-a-raise` for another one."""
    new = terms.element(said or before, "moc.char.cost")
    if before and new != before:
        raise Refused("moc.char.raise", "not-a-raise", old=before, to=new)
    return new


def _movement(draft: Draft, id: str, want: Purchase, old: int, metres: int) -> Fraction:
    """`moc.move.rate`: a further mode by its name and its metres a turn, for the points agreed."""
    rule = "moc.move.rate"
    if want.name in ("", "primary", "secondary"):
        raise Refused(rule, "movement-needs-name", name=want.name)
    cost = terms.fraction(want.worth, rule, "value-not-positive")
    if cost < 0:
        raise Refused(rule, "value-not-positive", worth=str(cost))
    return _pay(draft, id, want, old, metres, cost, rule)


def _contacts(draft: Draft, id: str, want: Purchase, key: str) -> Fraction:
    rule, who = "moc.adv.contacts", draft.who(id)
    loyalty = terms.whole(want.loyalty, "negative-level", rule)
    worth = terms.fraction(want.worth, rule, "value-not-positive")
    if worth < 1:
        raise Refused(rule, "value-not-positive", worth=str(worth))
    value = Fraction(who.budget + who.earned, POINT)
    level = numbers.contacts_cost(value, worth, loyalty, draft.dials.contacts_geometry == "doubling")
    old = who.counts.get(key, 0)
    _raised(old, level, False)
    return _pay(draft, id, want, old, level, Fraction(level - old), rule)
