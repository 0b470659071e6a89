"""The fold of a fight: initiative, hits and their damage, counted from the dice and the cards on them.

So a card that is overturned changes no more than the points of its roll, whether it was laid before or after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ledger.rules.moc import facts as f
from ledger.rules.moc.counting import damage_points, groups_of, standings
from ledger.rules.moc.state import Damage, Hit, Initiative, Play, Scene
from ledger.rules.record import changed, changing

_hitting = changing(Scene, "hits")
_counting = changing(Scene, "hits", "damage")
_ordering = changing(Scene, "order", "initiative")
_pointed = changing(Hit, "resistible", "unresistible", "stage")


def _hit(was: Scene, hit: Hit) -> Scene:
    return _hitting(was, {**was.hits, hit.id: hit})


def _on_hit(was: Scene, id: str, **new: Any) -> Scene | None:
    hit = was.hits.get(id)
    return _hit(was, changed(hit, **new)) if hit is not None else None


def _located(was: Scene, done: f.LocationSet) -> Scene | None:
    return _on_hit(was, done.hit, location=done.location, severity=done.severity)


def _damage(was: Scene, done: f.DamageRolled) -> Scene | None:
    hit = was.hits.get(done.hit)
    if hit is None:
        return None
    plays = was.damage[done.hit].plays if done.hit in was.damage else ()
    dice = Damage(done.threshold, done.faces, done.bonus, done.raise_faces, done.raise_bonus, plays)
    return _counted(was, hit, done.hit, dice, "rolled")


def _counted(was: Scene, hit: Hit, id: str, dice: Damage, stage: str) -> Scene:
    resistible, unresistible = damage_points(dice)
    now = _pointed(hit, resistible, unresistible + hit.flat, stage)
    return _counting(was, {**was.hits, id: now}, {**was.damage, id: dice})


def on_dice(was: Scene, done: f.CardPlayedOnDice) -> Scene | None:
    """A card on dice that are no action's."""
    if done.what.use == "initiative":
        return _on_initiative(was, done)
    hit = was.hits.get(done.hit)
    if hit is None:
        return None
    before = was.damage.get(done.hit, Damage())
    dice = changed(before, plays=(*before.plays, done.what))
    if hit.stage == "scored":  # nothing is rolled yet
        return changed(was, damage={**was.damage, done.hit: dice})
    return _counted(was, hit, done.hit, dice, hit.stage)


def _on_initiative(was: Scene, done: f.CardPlayedOnDice) -> Scene:
    before = was.initiative
    if done.waits:
        return changed(was, initiative=changed(before, waiting=_with(before.waiting, done)))
    return _ordered(was, changed(before, plays=_with(before.plays, done)))


def _with(plays: Mapping[str, tuple[Play, ...]], done: f.CardPlayedOnDice) -> Mapping[str, tuple[Play, ...]]:
    return {**plays, done.whose: (*plays.get(done.whose, ()), done.what)}


def _initiative(was: Scene, done: f.InitiativeRolled) -> Scene:
    return _ordered(was, Initiative(done.tn, done.faces, done.bonus, was.initiative.waiting))


def _ordered(was: Scene, now: Initiative) -> Scene:
    return _ordering(was, groups_of(was.cast, standings(now)), now)


DICE: dict[type, Callable[[Scene, Any], Scene | None]] = {
    f.InitiativeRolled: _initiative,
    f.HitScored: lambda was, done: _hit(was, done.what),
    f.LocationSet: _located,
    f.DamageRolled: _damage,
    f.DamageResisted: lambda was, done: _on_hit(was, done.hit, stage="applied"),
}
