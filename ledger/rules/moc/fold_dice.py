"""The fold of a fight: initiative, hits and their damage, counted from the dice and the cards on them.

So a card that is overturned changes no more than the points of its roll, whether it was laid before or after it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.fold import Change
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.moc import facts_of_dice
from ledger.rules.moc.counting import damage_points, groups_of, standings
from ledger.rules.moc.state import Scene
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.state_of_combat import Damage, Hit, Initiative, Resisting

_hitting = changing(Scene, "hits")
_counting = changing(Scene, "hits", "damage")
_ordering = changing(Scene, "order", "initiative")
_pointed = changing(Hit, "resistible", "unresistible", "stage")


def _hit(was: Scene, hit: Hit) -> Scene:
    return _hitting(was, {**was.hits, hit.id: hit})


def _located(was: Scene, done: facts_of_dice.LocationSet) -> Scene | None:
    hit = was.hits.get(done.hit)
    if hit is None:
        return None
    return _hit(was, changed(hit, location=done.location, severity=done.severity))


def _damage(was: Scene, done: facts_of_dice.DamageRolled) -> Scene | None:
    hit = was.hits.get(done.hit)
    if hit is None:
        return None
    plays = was.damage[done.hit].plays if done.hit in was.damage else ()
    dice = Damage(done.threshold, done.faces, done.bonus, done.raise_faces, done.raise_bonus, plays)
    return _counted(was, hit, done.hit, dice, "rolled")


def _resisted(was: Scene, done: facts_of_dice.DamageResisted) -> Scene | None:
    hit = was.hits.get(done.hit)
    if hit is None:
        return None
    own = Resisting(done.tn, done.faces, done.bonus, done.ignored, done.pain)
    dice = changed(was.damage.get(done.hit, Damage()), resisting=own)
    return _counting(was, {**was.hits, done.hit: changed(hit, stage="applied")}, {**was.damage, done.hit: dice})


def counted_anew(was: Scene, id: str, plays: tuple[Play, ...]) -> Scene | None:
    """The hit with what lies on its dice."""
    hit = was.hits.get(id)
    if hit is None:
        return None
    dice = changed(was.damage.get(id, Damage()), plays=plays)
    if hit.stage == "scored":  # nothing is rolled yet
        return changed(was, damage={**was.damage, id: dice})
    return _counted(was, hit, id, dice, hit.stage)


def _counted(was: Scene, hit: Hit, id: str, dice: Damage, stage: str) -> Scene:
    resistible, unresistible = damage_points(dice)
    now = _pointed(hit, resistible, unresistible + hit.flat, stage)
    return _counting(was, {**was.hits, id: now}, {**was.damage, id: dice})


def on_dice(was: Scene, done: facts_of_dice.CardPlayedOnDice) -> Scene | None:
    """A card on dice that are no action's."""
    if done.what.use == "initiative":
        return _on_initiative(was, done)
    return counted_anew(was, done.hit, (*was.damage.get(done.hit, Damage()).plays, done.what))


def _on_initiative(was: Scene, done: facts_of_dice.CardPlayedOnDice) -> Scene:
    lying = was.initiative.waiting if done.waits else was.initiative.plays
    return lying_on_initiative(was, done.whose, (*lying.get(done.whose, ()), done.what), waits=done.waits)


def lying_on_initiative(was: Scene, id: str, plays: tuple[Play, ...], *, waits: bool) -> Scene:
    """What lies on somebody's dice, of the initiative to come or of the last one, whose groups are made anew."""
    before = was.initiative
    if waits:
        return changed(was, initiative=changed(before, waiting={**before.waiting, id: plays}))
    return _ordered(was, changed(before, plays={**before.plays, id: plays}))


def _laid(was: Scene, done: facts_of_dice.DiceLaid) -> Scene:
    before = was.initiative
    dice = {**before.dice, done.character: before.dice.get(done.character, 0) + done.number}
    return changed(was, initiative=changed(before, dice=dice))


def _initiative(was: Scene, done: facts_of_dice.InitiativeRolled) -> Scene:
    return _ordered(was, Initiative(done.tn, done.faces, done.bonus, was.initiative.waiting))


def _ordered(was: Scene, now: Initiative) -> Scene:
    return _ordering(was, groups_of(was.cast, standings(now)), now)


DICE: Mapping[type, Change] = {
    facts_of_dice.InitiativeRolled: _initiative,
    facts_of_dice.HitScored: lambda was, done: _hit(was, done.what),
    facts_of_dice.LocationSet: _located,
    facts_of_dice.DamageRolled: _damage,
    facts_of_dice.DamageResisted: _resisted,
    facts_of_dice.DiceLaid: _laid,
}
