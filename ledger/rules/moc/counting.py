"""Damage and initiative counted from their dice: once as they are rolled, anew when a card is laid on them later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.moc.numbers import as_read
from ledger.rules.moc.state import Damage, Initiative, Play

DAMAGE_DICE, RAISE_DICE = 0, 1


def raised(base: Iterable[int], bonus: Iterable[int], plays: Iterable[Play], part: int = 0) -> tuple[int, ...]:
    """The dice as they read with the points of cards on them: base dice first, then bonus dice.

    What was laid on a die that did not fall is lost. Natural faces alone open further dice, so nothing opens here.
    """
    values = list(as_read(tuple(base), tuple(bonus)))
    for play in plays:
        for where, die, points in play.points:
            if where == part and 0 <= die < len(values):
                values[die] += points
    return tuple(values)


def damage_points(damage: Damage) -> tuple[int, int]:
    """`moc.combat.damage-roll`: points of the damage dice, and of the raise dice: one for each at the threshold."""
    laid = [play for play in damage.plays if play.use == "damage"]
    rolled = raised(damage.faces, damage.bonus, laid, DAMAGE_DICE)
    raises = raised(damage.raise_faces, damage.raise_bonus, laid, RAISE_DICE)
    return _reaching(rolled, damage.threshold), _reaching(raises, damage.threshold)


def standings(initiative: Initiative) -> dict[str, tuple[int, int]]:
    """`moc.combat.initiative`: id -> (successes, sum of the dice)."""
    results = {}
    for id, faces in initiative.faces.items():
        values = raised(faces, initiative.bonus.get(id, ()), initiative.plays.get(id, ()))
        results[id] = (_reaching(values, initiative.tn), sum(values))
    return results


def groups_of(cast: Iterable[str], results: Mapping[str, tuple[int, int]]) -> tuple[tuple[str, ...], ...]:
    """Who acts together, first to last."""
    there = [id for id in cast if id in results]
    places = sorted(set(results.values()), reverse=True)
    return tuple(group for place in places if (group := tuple(id for id in there if results[id] == place)))


def _reaching(values: Iterable[int], number: int) -> int:
    return sum(1 for value in values if value >= number)
