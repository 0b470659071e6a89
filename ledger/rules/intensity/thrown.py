"""Whose the dice are that were typed in with an input."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.intensity.facts_of_attacks import AttackOpened, DefenceDieRerolled, DefenceRolled
from ledger.rules.intensity.facts_of_rounds import DiceRolled, TieSettled
from ledger.rules.intensity.inputs_of_attacks import Defend, SpendAdvantage
from ledger.rules.intensity.inputs_of_rounds import RollDice, SettleTie
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.kernel.thrown import Thrown, Told, made

#: What each die of a participant showed in the round: its size by name.
Sizes = dict[str, dict[str, int]]


def thrown(do: object, told: Told) -> Iterator[Thrown]:
    """Dice of a roll, of a defence, of a reroll and of a roll-off."""
    facts = [about.fact for about in told.facts]
    match do:
        case RollDice():
            typed = {entry.char for entry in do.faces}
            for fact in facts:
                if isinstance(fact, DiceRolled) and fact.char in typed:
                    yield Thrown(character(fact.char), fact.intensity.size, (fact.intensity.face,))
                    if fact.trait is not None:
                        yield Thrown(character(fact.char), fact.trait.size, (fact.trait.face,))
        case Defend():
            typed = {entry.die for entry in do.dice if entry.face is not None}
            for fact in facts:
                if isinstance(fact, DefenceRolled):
                    who = _defender(told, fact.attack)
                    yield from (Thrown(who, die.size, (die.face,)) for die in fact.faces if die.die in typed)
        case SpendAdvantage() if do.face is not None:
            for fact in facts:
                if isinstance(fact, DefenceDieRerolled):
                    yield Thrown(_defender(told, fact.attack), _size(told, fact), (fact.new,))
        case SettleTie() if do.faces:
            for fact in facts:
                if isinstance(fact, TieSettled):
                    yield from _roll_off(told, fact)
        case _:
            pass


def _defender(told: Told, attack: str) -> Subject | None:
    opened = (about.fact for about in made(told, attack))
    return next((character(fact.defender) for fact in opened if isinstance(fact, AttackOpened)), None)


def _size(told: Told, rerolled: DefenceDieRerolled) -> int:
    """Of the die that was rolled in defence before."""
    for fact in _since(told, rerolled.attack):
        if isinstance(fact, DefenceRolled) and fact.attack == rerolled.attack:
            for die in fact.faces:
                if die.die == rerolled.die:
                    return die.size
    return 0


def _roll_off(told: Told, settled: TieSettled) -> Iterator[Thrown]:
    sizes: dict[str, DiceRolled] = {}
    for fact in _since(told, settled.round):
        if isinstance(fact, DiceRolled) and fact.round == settled.round:
            sizes.setdefault(fact.char, fact)
    for throw in settled.faces:
        for dice in throw:
            rolled = sizes.get(dice.char)
            if rolled is not None:
                if dice.intensity:
                    yield Thrown(character(dice.char), rolled.intensity.size, (dice.intensity,))
                if rolled.trait is not None and dice.trait is not None:
                    yield Thrown(character(dice.char), rolled.trait.size, (dice.trait,))


def _since(told: Told, id: str) -> Iterator[object]:
    """What was recorded since the ruling that made this id, the last first."""
    first = id.partition("-")[0]
    for number in range(told.number - 1, int(first) - 1 if first.isdecimal() else told.number, -1):
        yield from (about.fact for about in told.earlier(number))
