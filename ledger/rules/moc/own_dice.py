"""Dice that a character lays on its rolls as it likes: of an Action Hero, a Weapons Master, floating ones, Bits.

Heading "Dice affecting Advantages/Disadvantages". What was used comes back when the period that was paid for is over.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import (
    accounts,
    facts_of_dice,
    facts_of_modifiers,
    facts_of_scenes,
    guards,
    inputs_of_actions,
    terms,
)
from ledger.rules.moc.actions import before_roll
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.purchases import bits_of, bits_serving, period_of
from ledger.rules.moc.state_of_actions import Roll
from ledger.rules.moc.terms import Number

BIT_DICE = 3
RULE = "moc.adv.period-dice"
FLOATING = "floating-dice"


def use_period_dice(draft: Draft, do: inputs_of_actions.UsePeriodDice) -> None:
    """`moc.adv.period-dice`: on any Action skill, on the related skills agreed; floating ones on any roll."""
    if do.whose is not None:
        _on_initiative(draft, do)
        return
    number = terms.whole(do.number, "negative-dice", RULE)
    action = draft.action(do.action)
    place, id = before_roll(draft, do.action, do.part), action.character
    what = _what(do.advantage)
    if number == 0:
        raise Refused(RULE, "nothing-declared")
    _fits(draft, id, do.advantage, what, action.parts[place].roll)
    _use(draft, id, do.advantage, number, do.action)
    draft.here(facts_of_scenes.OwnDiceAdded(do.action, place, number))


def _what(advantage: str) -> str:
    what, period = advantage.partition(":")[0], period_of(advantage)
    if period not in terms.PERIODS:
        raise Refused(RULE, "unknown-period", period=period)
    return what


def _fits(draft: Draft, id: str, advantage: str, what: str, roll: Roll) -> None:
    """Refuses `wrong-element`, and a skill that a Weapons Master did not name: `wrong-skill`."""
    if what == "action-hero" and roll.element != "action":
        raise Refused(RULE, "wrong-element", element=roll.element)
    if what == "weapons-master":
        rule, skills = "moc.adv.weapons-master", draft.who(id).related.get(advantage, ())
        if not skills:
            raise Refused(rule, "no-skills-named", advantage=advantage)
        if roll.skill not in skills:
            raise Refused(rule, "wrong-skill", skill=roll.skill, skills=list(skills))
        draft.by(rule, roll.skill, skills=list(skills))


def _use(draft: Draft, id: str, advantage: str, number: int, action: str) -> None:
    if draft.balance(accounts.die(id, advantage)) < number:
        raise Refused(RULE, "not-enough-dice", character=id, advantage=advantage)
    moved = accounts.move(accounts.die(id, advantage), accounts.USED, number)
    draft.about(id, facts_of_modifiers.PeriodDiceUsed(advantage, number, action), moved)
    draft.by(RULE, number, advantage=advantage)


def _on_initiative(draft: Draft, do: inputs_of_actions.UsePeriodDice) -> None:
    """Floating dice on the initiative that is rolled next."""
    id = do.whose or ""
    if id not in draft.scene().cast:
        raise Refused("moc.combat.initiative", "unknown-character", character=id)
    number = laid(draft, id, {do.advantage: do.number})
    if number == 0:
        raise Refused(RULE, "nothing-declared")
    draft.here(facts_of_dice.DiceLaid(id, number))


def laid(draft: Draft, id: str, dice: Mapping[str, Number]) -> int:
    """Floating dice (advantage -> number) laid on a roll that is no action's. Refuses `not-floating`."""
    found = 0
    for advantage, given in dice.items():
        number = terms.whole(given, "negative-dice", RULE)
        if _what(advantage) != FLOATING:
            raise Refused(RULE, "not-floating", advantage=advantage)
        if number:
            guards.in_play(draft, id)
            _use(draft, id, advantage, number, "")
        found += number
    return found


def use_bit(draft: Draft, do: inputs_of_actions.UseBit) -> None:
    """`moc.adv.bits`: three dots of a narrow skill."""
    action = draft.action(do.action)
    place = before_roll(draft, do.action, do.part)
    counts, roll = draft.who(action.character).counts, action.parts[place].roll
    if not any(bits_of(counts).values()):
        raise Refused("moc.adv.bits", "unknown-purchase", character=action.character, what="bits")
    serving = bits_serving(counts, draft.campaign().skills, roll.skill)
    if not serving:
        raise Refused("moc.adv.bits", "no-bit-for-skill", character=action.character, skill=roll.skill)
    if action.parts[place].bits >= serving:
        raise Refused("moc.adv.bits", "bits-used", character=action.character, most=serving)
    draft.here(facts_of_scenes.BitUsed(do.action, place))
    draft.here(facts_of_scenes.OwnDiceAdded(do.action, place, BIT_DICE))
    draft.by("moc.adv.bits", BIT_DICE)
