"""Dice that a character lays on its rolls as it likes: of an Action Hero, a Weapons Master, floating ones, Bits.

Heading "Dice affecting Advantages/Disadvantages". What was used comes back when the period that was paid for is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts, inputs, terms
from ledger.rules.moc.actions import before_roll
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.state import Roll

BIT_DICE = 3
RULE = "moc.adv.period-dice"
FLOATING = "floating-dice"


def use_period_dice(table: Table[Dials], do: inputs.UsePeriodDice) -> Verdict[Any]:
    """`moc.adv.period-dice`: on any Action skill, on the related skills agreed; floating ones on any roll."""
    ruling = Ruling(table)
    if do.whose is not None:
        return _on_initiative(ruling, do)
    number = terms.whole(do.number, "negative-dice", RULE)
    action = ruling.action(do.action)
    place, id = before_roll(ruling, do.action, do.part), action.character
    what = _what(do.advantage)
    if number == 0:
        raise Refused(RULE, "nothing-declared")
    _fits(ruling, id, do.advantage, what, action.parts[place].roll)
    _use(ruling, id, do.advantage, number, do.action)
    ruling.here(facts.OwnDiceAdded(do.action, place, number))
    return ruling.verdict()


def _what(advantage: str) -> str:
    what, _, period = advantage.partition(":")
    if period not in terms.PERIODS:
        raise Refused(RULE, "unknown-period", period=period)
    return what


def _fits(ruling: Ruling, id: str, advantage: str, what: str, roll: Roll) -> None:
    """Refuses `wrong-element`, and a skill that a Weapons Master did not name: `wrong-skill`."""
    if what == "action-hero" and roll.element != "action":
        raise Refused(RULE, "wrong-element", element=roll.element)
    if what == "weapons-master":
        rule, skills = "moc.adv.weapons-master", ruling.who(id).related.get(advantage, ())
        if not skills:
            raise Refused(rule, "no-skills-named", advantage=advantage)
        if roll.skill not in skills:
            raise Refused(rule, "wrong-skill", skill=roll.skill, skills=list(skills))
        ruling.by(rule, roll.skill, skills=list(skills))


def _use(ruling: Ruling, id: str, advantage: str, number: int, action: str) -> None:
    if ruling.balance(accounts.die(id, advantage)) < number:
        raise Refused(RULE, "not-enough-dice", advantage=advantage)
    moved = accounts.move(accounts.die(id, advantage), accounts.USED, number)
    ruling.about(id, facts.PeriodDiceUsed(advantage, number, action), moved)
    ruling.by(RULE, number, advantage=advantage)


def _on_initiative(ruling: Ruling, do: inputs.UsePeriodDice) -> Verdict[Any]:
    """Floating dice on the initiative that is rolled next."""
    id = do.whose or ""
    if id not in ruling.scene().cast:
        raise Refused("moc.combat.initiative", "unknown-character", character=id)
    number = laid(ruling, id, {do.advantage: do.number})
    if number == 0:
        raise Refused(RULE, "nothing-declared")
    ruling.here(facts.DiceLaid(id, number))
    return ruling.verdict()


def laid(ruling: Ruling, id: str, dice: Mapping[str, Any]) -> int:
    """Floating dice (advantage -> number) laid on a roll that is no action's. Refuses `not-floating`."""
    found = 0
    for advantage, given in dice.items():
        number = terms.whole(given, "negative-dice", RULE)
        if _what(advantage) != FLOATING:
            raise Refused(RULE, "not-floating", advantage=advantage)
        if number:
            ruling.in_play(id)
            _use(ruling, id, advantage, number, "")
        found += number
    return found


def use_bit(table: Table[Dials], do: inputs.UseBit) -> Verdict[Any]:
    """`moc.adv.bits`: three dots of a narrow skill."""
    ruling = Ruling(table)
    action = ruling.action(do.action)
    place = before_roll(ruling, do.action, do.part)
    if not any(key.startswith("bits") and n for key, n in ruling.who(action.character).counts.items()):
        raise Refused("moc.adv.bits", "unknown-purchase", what="bits")
    ruling.here(facts.OwnDiceAdded(do.action, place, BIT_DICE))
    ruling.by("moc.adv.bits", BIT_DICE)
    return ruling.verdict()
