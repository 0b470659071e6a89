"""Damage and initiative counted from their dice: once as they are rolled, anew when a card is laid on them later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.moc.numbers import as_read
from ledger.rules.moc.piles import roll_trumped, standing
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.state_of_combat import Damage, Healing, Initiative, Resisting

DAMAGE_DICE, RAISE_DICE = 0, 1


def raised(base: Iterable[int], bonus: Iterable[int], plays: Iterable[Play], part: int = 0) -> tuple[int, ...]:
    """The dice as they read with the points of cards on them: base dice first, then bonus dice.

    What was laid on a die that did not fall is lost. Natural faces alone open further dice, so nothing opens here.
    """
    values = list(as_read(tuple(base), tuple(bonus)))
    for play in standing(plays):
        for where, die, points in play.points:
            if where == part and 0 <= die < len(values):
                values[die] += points
    return tuple(values)


def added(plays: Iterable[Play]) -> int:
    """`moc.bead.use`: the successes that beads add, or take."""
    return sum(play.successes for play in standing(plays) if play.kind == "beads")


def damage_points(damage: Damage) -> tuple[int, int]:
    """`moc.combat.damage-roll`: points of the damage dice, and of the raise dice: one for each at the threshold."""
    if roll_trumped(damage.plays, "damage"):
        return 0, 0
    laid = [play for play in standing(damage.plays) if play.use == "damage"]
    rolled = raised(damage.faces, damage.bonus, laid, DAMAGE_DICE)
    raises = raised(damage.raise_faces, damage.raise_bonus, laid, RAISE_DICE)
    more = added(play for play in damage.plays if play.use != "resisting")
    return max(0, _reaching(rolled, damage.threshold) + more), _reaching(raises, damage.threshold)


def resisted(resisting: Resisting, plays: Iterable[Play], resistible: int, *, tens_take_all: bool) -> tuple[int, int]:
    """`moc.combat.resist`: points that become pain, and points that dice remove outright."""
    lying = tuple(plays)
    if roll_trumped(lying, "resisting"):
        return 0, 0
    laid = [play for play in standing(lying) if play.use == "resisting"]
    values, ignored = raised(resisting.faces, resisting.bonus, laid), resisting.ignored
    conversions = sum(1 for die, value in enumerate(values) if die not in ignored and value >= resisting.tn)
    conversions = max(0, conversions + added(play for play in lying if play.use != "damage"))
    return conversions, max(len(ignored), resistible) if ignored and tens_take_all else len(ignored)


def healed(healing: Healing) -> int:
    """`moc.recover.damage`: the successes of a try to heal."""
    if roll_trumped(healing.plays, "healing"):
        return 0
    return max(0, _reaching(raised(healing.faces, healing.bonus, healing.plays), healing.tn) + added(healing.plays))


def standings(initiative: Initiative) -> dict[str, tuple[int, int]]:
    """`moc.combat.initiative`: id -> (successes, sum of the dice)."""
    results = {}
    for id, faces in initiative.faces.items():
        lying = initiative.plays.get(id, ())
        if roll_trumped(lying, "initiative"):
            results[id] = (0, 0)
            continue
        values = raised(faces, initiative.bonus.get(id, ()), lying)
        results[id] = (max(0, _reaching(values, initiative.tn) + added(lying)), sum(values))
    return results


def groups_of(cast: Iterable[str], results: Mapping[str, tuple[int, int]]) -> tuple[tuple[str, ...], ...]:
    """Who acts together, first to last."""
    there = [id for id in cast if id in results]
    places = sorted(set(results.values()), reverse=True)
    return tuple(group for place in places if (group := tuple(id for id in there if results[id] == place)))


def _reaching(values: Iterable[int], number: int) -> int:
    return sum(1 for value in values if value >= number)
