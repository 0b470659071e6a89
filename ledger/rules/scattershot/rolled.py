"""The rolls of a ruling, to be shown as dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.rules.kernel.rolls import Die, Roll, plural
from ledger.rules.kernel.subjects import Subject, character, seat
from ledger.rules.scattershot.facts_of_characters import DevelopmentRolled
from ledger.rules.scattershot.facts_of_deeds import (
    ExperienceDieRolled,
    MibRolled,
    OffGuardReactionRolled,
    RollReported,
)
from ledger.rules.scattershot.terms import ACTOR

MIB, EXPERIENCE = 10, 6
GOOD = ("success", "minimal-success", "telling-blow")


def rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """A MIB roll with what it amounts to so far; Experience Dice; a Reaction; the dice of Development."""
    fallen: dict[str, MibRolled] = {}
    for fact in facts:
        match fact:
            case MibRolled():
                fallen[fact.roll] = fact
            case RollReported():
                yield _reported(fact, fallen.pop(fact.roll, None))
            case ExperienceDieRolled():
                yield Roll(seat(fact.by), "Experience Die", (Die(EXPERIENCE, fact.face),), total=fact.sign * fact.face)
            case OffGuardReactionRolled():
                experience = tuple(Die(EXPERIENCE, abs(face), name="Experience Die") for face in fact.experience)
                dice = (*(Die(MIB, face) for face in fact.dice), *experience)
                word = "Engaged" if fact.engaged else "Off-Guard"
                yield Roll(character(fact.character), "Reaction", dice, success=fact.engaged, word=word)
            case DevelopmentRolled():
                dice = tuple(Die(EXPERIENCE, face) for face in fact.faces)
                effect = plural(fact.points, "Development Point")
                yield Roll(name="Development", dice=dice, total=fact.total, effect=effect)
            case _:
                pass
    for rolled in fallen.values():
        yield Roll(_roller(rolled.roll), _named(rolled.roll), _dice(rolled), total=sum(rolled.dice))


def _reported(fact: RollReported, rolled: MibRolled | None) -> Roll:
    """A number for the Actor alone is the result; against Resistors there may be one for each."""
    outcomes = set(fact.outcomes.values())
    outcome = outcomes.pop() if len(outcomes) == 1 else None
    made = fact.mib >= 0
    success = outcome in GOOD if outcome is not None else made
    by = f"Made by {fact.mib}" if made else f"Missed by {-fact.mib}"
    word = outcome.replace("-", " ").title() if outcome is not None else "Made" if made else "Missed"
    return Roll(
        _roller(fact.roll),
        _named(fact.roll),
        _dice(rolled),
        total=sum(rolled.dice) if rolled is not None else None,
        success=success,
        word=word,
        effect=by,
    )


def _dice(rolled: MibRolled | None) -> tuple[Die, ...]:
    return tuple(Die(MIB, face) for face in rolled.dice) if rolled is not None else ()


def _roller(side: str) -> Subject | None:
    return character(side) if side != ACTOR else None


def _named(side: str) -> str:
    return "The Actor’s roll" if side == ACTOR else "The Resistor’s roll"
