"""The rolls of a ruling, to be shown as dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.rules.kernel.phrases import words
from ledger.rules.kernel.rolls import Die, Roll, plural
from ledger.rules.kernel.subjects import character
from ledger.rules.moc.facts_of_dice import (
    DamageHealed,
    DamageResisted,
    DamageRolled,
    HealingFailed,
    InitiativeRolled,
    LocationSet,
)
from ledger.rules.moc.facts_of_scenes import ActionResolved, DiceRolled

SIDES = 10


def rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """Dice are rolled in one ruling, and the action is resolved in a later one: it shows them again, counted.

    Points of cards and Effect Numbers change what dice are worth, so only rolls that nothing changes are marked.
    """
    for fact in facts:
        match fact:
            case DiceRolled():
                yield Roll(name="Action", dice=_dice(fact.faces, fact.bonus))
            case ActionResolved():
                yield Roll(
                    name="Action",
                    dice=_dice(fact.faces, fact.bonus),
                    target=fact.tn,
                    success=fact.passes,
                    word=fact.level.replace("_", " ").capitalize(),
                    effect=plural(fact.net, "success", "successes"),
                )
            case InitiativeRolled():
                for id, faces in fact.faces.items():
                    reached, total = fact.results.get(id, (0, 0))
                    effect = plural(reached, "success", "successes")
                    dice = _dice(faces, fact.bonus.get(id, ()))
                    yield Roll(character(id), "Initiative", dice, total=total, target=fact.tn, effect=effect)
            case LocationSet(face=int(face)):
                yield Roll(name="Hit location", dice=_dice((face,), ()), effect=words(fact.location))
            case DamageRolled():
                dice = (*_dice(fact.faces, fact.bonus), *_dice(fact.raise_faces, fact.raise_bonus, "Raise"))
                points = plural(fact.resistible + fact.unresistible, "point")
                yield Roll(name="Damage", dice=dice, target=fact.threshold, effect=f"{points} of damage")
            case DamageResisted():
                resisted = plural(fact.conversions + fact.removals, "point")
                dice = _dice(fact.faces, fact.bonus)
                yield Roll(name="Resisting damage", dice=dice, target=fact.tn, effect=f"{resisted} resisted")
            case DamageHealed() | HealingFailed() if fact.faces:
                healed = fact.successes if isinstance(fact, DamageHealed) else 0
                yield Roll(
                    name="Healing",
                    dice=_dice(fact.faces, fact.bonus),
                    target=fact.tn,
                    success=healed > 0,
                    word="Success" if healed else "Failure",
                    effect=plural(healed, "success", "successes") if healed else "",
                )
            case _:
                pass


def _dice(faces: Iterable[int], bonus: Iterable[int], name: str = "") -> tuple[Die, ...]:
    """`bonus`: dice that 10s opened."""
    opened = f"{name} bonus".strip().capitalize()
    return (*(Die(SIDES, face, name=name) for face in faces), *(Die(SIDES, face, name=opened) for face in bonus))
