"""Characters: what they begin with, what levels and advantages cost, what is negotiated.

Headings "Character Generation", "Advantages/Disadvantages", "Backgrounds", "Bits", "Putting It All Together".
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.beads import award_newcomer
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.sheet import Purchase, Sheet
from ledger.rules.moc.tables import BUDGETS
from ledger.rules.moc.terms import ARCHETYPES, PERIODS, POINT, PRIMARIES, SECONDARIES

PERIOD_DICE = {
    "action-hero": {"scene": Fraction(2), "session": Fraction(1), "arc": Fraction(1, 4)},
    "weapons-master": {"scene": Fraction(1), "session": Fraction(1, 2), "arc": Fraction(1, 8)},
}
#: advantages at so many points each
FLAT = {
    "swiftness": 5, "extra-bead-scene": 2, "extra-bead-session": 2, "hand-of-fate": 10, "fortune": 5, "vortex": 5,
    "money": 2,
}  # fmt: skip
FLOATING = "floating-dice"
ELEMENTS_COST = {"extra-secondary": 5, "change-secondary": 2, "extra-primary": 15}


def enrol(table: Table[Dials], do: Enrol[Sheet]) -> Asking[Verdict[Any]]:
    """`moc.char.budget`: a new character. What is bought or given back beyond levels, a game master approves."""
    ruling, id, sheet = Ruling(table), str(table.number), do.sheet
    ruling.begin(id)
    if sheet.archetype not in ARCHETYPES:
        raise Refused("moc.bead.allocate", "unknown-archetype", archetype=sheet.archetype)
    primaries, secondaries = ARCHETYPES[sheet.archetype]
    budget = BUDGETS[table.dials.power_level]
    if sheet.budget is not None:
        budget = terms.whole(sheet.budget, "value-not-positive", "moc.char.budget", 1)
        if table.dials.power_level != "superheroic" and budget != BUDGETS[table.dials.power_level]:
            raise Refused("moc.char.budget", "over-budget", budget=budget)
        if table.dials.power_level == "superheroic" and budget < 200:
            raise Refused("moc.char.budget", "budget-too-low", budget=budget)
    created = facts.CharacterCreated(sheet.archetype, sheet.villain, primaries, secondaries, budget * POINT)
    ruling.about(id, created, accounts.move(accounts.BUDGET, accounts.point(id), budget * POINT))
    ruling.by("moc.char.budget", budget)
    for name, given in sheet.disadvantages.items():
        _refund(ruling, id, name, given)
    for name, level in sheet.characteristics.items():
        buy_one(ruling, id, Purchase("characteristic", name, level), making=True)
    for name, level in sheet.skills.items():
        buy_one(ruling, id, Purchase("skill", name, level), making=True)
    for purchase in sheet.purchases:
        buy_one(ruling, id, purchase, making=True)
    left = ruling.balance(accounts.point(id))
    if left < 0:
        raise Refused("moc.char.budget", "over-budget", short=str(Fraction(-left, POINT)))
    ruling.by("moc.char.budget", str(Fraction(left, POINT)), left=True)
    for primary in PRIMARIES:
        rating = ruling.who(id).ratings[primary]
        moved = accounts.move(accounts.TOKENS, accounts.token(id, primary), rating)
        ruling.about(id, facts.TokensFilled(primary, rating), moved)
    ruling.by("moc.char.derived", numbers.pain_capacity(ruling.who(id).ratings), character=id)
    award_newcomer(ruling, id)
    if sheet.purchases or sheet.disadvantages or sheet.villain or sheet.budget is not None:
        yield from _approved(ruling, None, f"the character {do.name}")
    return ruling.verdict()


def _approved(ruling: Ruling, said: bool | None, purpose: str) -> Asking[None]:
    """`moc.adv.negotiate`: what a player buys exists once a game master approves. Refuses `gm-approval-needed`."""
    if not (yield from ruling.approved(said, purpose)):
        raise Refused("moc.adv.negotiate", "gm-approval-needed", purpose=purpose)


def _refund(ruling: Ruling, id: str, name: str, given: Any) -> None:
    """A disadvantage, as agreed: points come back."""
    back = terms.fraction(given, "moc.char.budget")
    if back < 0:
        raise Refused("moc.char.budget", "value-not-positive", disadvantage=name)
    trait = ruling.table.new_id()
    ruling.about(id, facts.TraitProposed(trait, "disadvantage", name, "", str(-back)))
    moved = accounts.move(accounts.BUDGET, accounts.point(id), terms.points(back, "moc.char.budget"))
    ruling.about(id, facts.TraitApproved(trait, str(-back)), moved)
    ruling.by("moc.adv.negotiate", str(-back), name=name)


def buy(table: Table[Dials], do: inputs.Buy) -> Asking[Verdict[Any]]:
    """`moc.char.raise`: later levels cost the difference."""
    ruling, id = Ruling(table), do.character
    before = dict(ruling.who(id).ratings)
    cost = buy_one(ruling, id, do.purchase, making=False)
    left = ruling.balance(accounts.point(id))
    if cost > 0 and left < 0:
        raise Refused("moc.char.budget", "over-budget", cost=str(cost), short=str(Fraction(-left, POINT)))
    for primary in PRIMARIES:
        more = ruling.who(id).ratings[primary] - before[primary]
        if more > 0:
            moved = accounts.move(accounts.TOKENS, accounts.token(id, primary), more)
            ruling.about(id, facts.TokensFilled(primary, more), moved)
    wanted = " ".join(part for part in (do.purchase.what, do.purchase.name) if part)
    yield from _approved(ruling, do.approved, f"{wanted}, for {cost}")
    return ruling.verdict()


def buy_one(ruling: Ruling, id: str, want: Purchase, *, making: bool) -> Fraction:
    """One purchase; its cost. A level that is free or already there is no purchase while a character is made."""
    if want.what == "characteristic":
        return _characteristic(ruling, id, want, making)
    if want.what == "skill":
        return _skill(ruling, id, want, making)
    if want.what in (*PERIOD_DICE, FLOATING):
        return _period_dice(ruling, id, want)
    if want.what in ELEMENTS_COST:
        return _element(ruling, id, want)
    return _other(ruling, id, want)


def _pay(ruling: Ruling, id: str, want: Purchase, old: int, to: int, cost: Fraction, rule: str) -> Fraction:
    counted = terms.points(cost, rule)
    done = facts.LevelBought(want.what, want.name, old, to, str(cost), want.element, want.instead, tuple(want.skills))
    ruling.about(id, done, accounts.move(accounts.point(id), accounts.PAID, counted))
    ruling.by(rule, str(cost), what=want.what, name=want.name, old=old, to=to)
    return cost


def _raised(old: int, to: int, making: bool) -> bool:
    """Refuses `not-a-raise`."""
    if to > old:
        return True
    if making and to == old:
        return False
    raise Refused("moc.char.raise", "not-a-raise", old=old, to=to)


def _characteristic(ruling: Ruling, id: str, want: Purchase, making: bool) -> Fraction:
    rule = "moc.char.cost"
    name = terms.characteristic(want.name, rule)
    if type(want.level) is not int:
        raise Refused(rule, "negative-level", given=str(want.level))
    if want.level < 1:
        raise Refused(rule, "level-too-low", characteristic=name, level=want.level)
    if name in PRIMARIES and ruling.dials.primary_max == 5 and want.level > 5:
        raise Refused(rule, "level-too-high", characteristic=name, level=want.level)
    old = ruling.who(id).ratings[name]
    if not _raised(old, want.level, making):
        return Fraction(0)
    each = 5 if name in PRIMARIES else 3
    cost = numbers.steps_cost(each, want.level, free=1) - numbers.steps_cost(each, old, free=1)
    return _pay(ruling, id, replace(want, name=name), old, want.level, Fraction(cost), rule)


def _skill(ruling: Ruling, id: str, want: Purchase, making: bool) -> Fraction:
    rule = "moc.char.cost"
    level = terms.whole(want.level, "negative-level", rule)
    if want.name not in ruling.campaign().skills:
        raise Refused("moc.adv.negotiate", "unknown-purchase", what="skill", name=want.name)
    old = ruling.who(id).skills.get(want.name, 0)
    if not _raised(old, level, making):
        return Fraction(0)
    cost = numbers.steps_cost(1, level, free=0) - numbers.steps_cost(1, old, free=0)
    return _pay(ruling, id, want, old, level, Fraction(cost), rule)


def _period_dice(ruling: Ruling, id: str, want: Purchase) -> Fraction:
    rule = "moc.adv.period-dice"
    if want.period not in PERIODS:
        raise Refused(rule, "unknown-period", period=want.period)
    number = terms.whole(want.level, "negative-dice", rule)
    key = f"{want.what}:{want.period}"
    old = ruling.who(id).counts.get(key, 0)
    naming = want.skills and number == old and not ruling.who(id).related.get(key)
    if not naming:
        _raised(old, number, False)
    if want.what == FLOATING:
        cost = _multiplier(want) * (numbers.steps_cost(1, number, free=0) - numbers.steps_cost(1, old, free=0))
    else:
        cost = PERIOD_DICE[want.what][want.period] * (number - old)
    paid = replace(want, name=want.period, skills=_related(ruling, id, key, want))
    _pay(ruling, id, paid, old, number, cost, rule)
    moved = accounts.move(f"bank/die:{want.period}", accounts.die(id, key), number - old)
    ruling.about(id, facts.PeriodDiceGiven(key, number - old), moved)
    return cost


def _multiplier(want: Purchase) -> Fraction:
    """Dice-affecting advantages cost a little more than skills do. Refuses `multiplier-out-of-range`."""
    rate = terms.fraction(want.multiplier, "moc.adv.dice", "multiplier-out-of-range")
    if not Fraction(3, 2) <= rate <= 2:
        raise Refused("moc.adv.dice", "multiplier-out-of-range", multiplier=str(rate))
    return rate


def _related(ruling: Ruling, id: str, key: str, want: Purchase) -> tuple[str, ...]:
    """`moc.adv.weapons-master`: the few related skills, named once; without them its dice are for nothing.

    Refuses `unknown-skill`, `skills-named`.
    """
    if want.what != "weapons-master":
        return ()
    rule, known = "moc.adv.weapons-master", ruling.campaign().skills
    before, named = ruling.who(id).related.get(key, ()), tuple(dict.fromkeys(want.skills))
    if before and named and named != before:
        raise Refused(rule, "skills-named", skills=list(before))
    for skill in named:
        if skill not in known:
            raise Refused(rule, "unknown-skill", skill=skill, choices=sorted(known))
    named = named or before
    ruling.by(rule, list(named))
    return named


def _element(ruling: Ruling, id: str, want: Purchase) -> Fraction:
    rule, who = "moc.bead.allocate", ruling.who(id)
    new = terms.element(want.element, rule)
    if new in who.primaries or (new in who.secondaries and want.what != "extra-primary"):
        raise Refused("moc.char.raise", "not-a-raise", element=new)
    instead = ""
    if want.what == "change-secondary":
        instead = terms.element(want.instead or (who.secondaries[0] if who.secondaries else ""), rule)
        if instead not in who.secondaries:
            raise Refused(rule, "unknown-element", element=instead)
    paid = replace(want, element=new, instead=instead)
    return _pay(ruling, id, paid, 0, 1, Fraction(ELEMENTS_COST[want.what]), rule)


def _other(ruling: Ruling, id: str, want: Purchase) -> Fraction:
    """Advantages with levels or numbers, Backgrounds and Bits."""
    rule, who = "moc.char.cost", ruling.who(id)
    key = f"{want.what}:{want.name}" if want.name else want.what
    old = who.counts.get(key, 0)
    known = (*FLAT, "dice", "martial-arts", "superhuman", "bits", "contacts")
    if want.what not in known:
        if any(one.stage == "approved" and want.what == one.name for one in who.traits.values()):
            raise Refused("moc.char.raise", "not-a-raise", what=want.what)
        raise Refused("moc.adv.negotiate", "unknown-purchase", what=want.what)
    level = terms.whole(want.level, "negative-bits" if want.what == "bits" else "negative-level", rule)
    if want.what == "contacts":
        return _contacts(ruling, id, want, key)
    _raised(old, level, False)
    if want.what in ("hand-of-fate", "fortune", "vortex"):
        if level > 1 and not ruling.dials.card_advantages_repeatable:
            raise Refused("moc.card.hand", "advantage-not-repeatable", advantage=want.what)
        return _pay(ruling, id, want, old, level, Fraction(FLAT[want.what] * (level - old)), "moc.card.hand")
    if want.what in FLAT:
        return _pay(ruling, id, want, old, level, Fraction(FLAT[want.what] * (level - old)), rule)
    if want.what == "bits":
        return _pay(ruling, id, want, old, level, Fraction(-(-level // 3) + (-old // 3)), "moc.adv.bits")
    if want.what == "dice":
        rate, rule = _multiplier(want), "moc.adv.dice"
    elif want.what == "martial-arts":
        rate = Fraction(2)
    else:
        rate = Fraction(5)
        if want.name not in SECONDARIES:
            raise Refused(rule, "unknown-characteristic", characteristic=want.name)
        want = replace(want, element=terms.element(want.element, rule))
    cost = rate * (numbers.steps_cost(1, level, free=0) - numbers.steps_cost(1, old, free=0))
    return _pay(ruling, id, want, old, level, cost, rule)


def _contacts(ruling: Ruling, id: str, want: Purchase, key: str) -> Fraction:
    rule, who = "moc.adv.contacts", ruling.who(id)
    loyalty = terms.whole(want.loyalty, "negative-level", rule)
    worth = terms.fraction(want.worth, rule, "value-not-positive")
    if worth < 1:
        raise Refused(rule, "value-not-positive", worth=str(worth))
    value = Fraction(who.budget + who.earned, POINT)
    cost = numbers.contacts_cost(value, worth, loyalty, ruling.dials.contacts_geometry == "doubling")
    return _pay(ruling, id, want, who.counts.get(key, 0), cost, Fraction(cost), rule)
