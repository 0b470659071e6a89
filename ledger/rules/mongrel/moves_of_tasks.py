"""Tasks and Occult outside conflicts, and hits from elsewhere.

Dice typed in with a declaration are no move: how many there are depends on Expertise and Power together. Who leaves
them out is asked for as many as are rolled.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Either, Move
from ledger.rules.mongrel.inputs import Occult, RollTask, TakeHit
from ledger.rules.mongrel.sight import AUGMENTING, NONE, Fields, Sight, expertise_but, grouped
from ledger.rules.mongrel.tables import PHYSICAL

UNPAID = expertise_but("occult")
PEACEFUL = expertise_but("occult", "chill", *PHYSICAL)
ROLLED: Fields = {"attribute": OPEN, "difficulty": OPEN, "taken_off": OPEN}
SCORE = Either((NONE, Between(0)))


def tasks(sight: Sight) -> Iterator[Move]:
    """`mongrel.task.pool`, `mongrel.task.tn`: by who is in no conflict."""
    actors = [id for id in sight.free if sight.rolls(id)]
    for actor, pool in sight.pools(actors, UNPAID):
        for aim in (*_at_nobody(), _at_somebody(sight.roster)):
            yield Move(RollTask, {"actor": actor, **ROLLED, **pool, **aim})


def _at_nobody() -> tuple[Fields, ...]:
    """On one's own side, or at a thing, which needs a score."""
    return (
        {"target": NONE, "side": Among(("own",)), "score": SCORE},
        {"target": NONE, "side": Among(("target",)), "score": Between(0)},
    )


def _at_somebody(ids: tuple[str, ...]) -> Fields:
    return {"target": Among(ids), "side": OPEN, "score": SCORE}


# --- Occult ----------------------------------------------------------------------------------------------------------


def occult(sight: Sight) -> Iterator[Move]:
    """`mongrel.sorcery.occult`"""
    for (primary, resolve), casters in grouped(casting(sight), lambda id: _means(sight, id)):
        paid: Fields = {"actor": casters, **ROLLED, "points": Between(1, resolve), "power": AUGMENTING[primary]}
        numbers: Fields = {"weapon": sight.weapon(), "armour": OPEN}
        for aim in _aims(sight):
            yield Move(Occult, {**paid, **numbers, **aim})
        attack = {**_at_somebody(sight.alive), "hit_kind": OPEN, "imitates": Among(UNPAID)}
        for target in sight.alive:
            if worn := sight.armours(target):
                on: Fields = {"target": Among((target,)), "armour_worn": Among(worn), "weapon": sight.weapon()}
                yield Move(Occult, {**paid, **attack, **on})
    yield from _with_weapons(sight)


def casting(sight: Sight) -> list[str]:
    """Who can pay for Occult, and has the time."""
    return [id for id in sight.free if sight.rolls(id) and sight.draft.resolve(id) > 0]


def _means(sight: Sight, id: str) -> tuple[str, int]:
    return sight.people[id].primary, sight.draft.resolve(id)


def _aims(sight: Sight) -> Iterator[Fields]:
    """An attack needs somebody alive; whatever else it stands for can be at anybody, at a thing, or at nothing."""
    for aim in _at_nobody():
        yield {**aim, "hit_kind": Among((None, "none")), "imitates": Among(UNPAID)}
    if sight.alive:
        yield {**_at_somebody(sight.alive), "hit_kind": OPEN, "imitates": Among(UNPAID)}
    if gone := tuple(id for id in sight.roster if id not in sight.alive):
        yield {**_at_somebody(gone), "hit_kind": Among(("none",)), "imitates": Among(UNPAID)}
        yield {**_at_somebody(gone), "hit_kind": NONE, "imitates": Among(PEACEFUL)}


def _with_weapons(sight: Sight) -> Iterator[Move]:
    for id in casting(sight):
        if weapons := sight.weapons(id):
            primary, resolve = _means(sight, id)
            paid: Fields = {"actor": Among((id,)), "points": Between(1, resolve), "power": AUGMENTING[primary]}
            attack: Fields = {**_at_somebody(sight.alive), "hit_kind": OPEN, "imitates": Among(UNPAID)}
            yield Move(Occult, {**ROLLED, **paid, **attack, "weapon_used": Among(weapons), "armour": OPEN})


# --- hits from elsewhere ---------------------------------------------------------------------------------------------


def hits(sight: Sight) -> Iterator[Move]:
    """`mongrel.damage.hit`: so much goes to Beauty as the Effect alone allows, or as is said when it is asked."""
    if not sight.alive:
        return
    hit: Fields = {"effect": OPEN, "ruling": OPEN, "weapon": sight.weapon()}
    quiet: Fields = {"shunt": Among((None, 0)), "hit_kind": OPEN}
    yield Move(TakeHit, {"character": Among(sight.alive), **hit, **quiet, "armour": OPEN})
    most = max(sight.draft.score(id, "beauty") for id in sight.alive)
    for points in range(1, most + 1):
        fair = tuple(id for id in sight.alive if sight.draft.score(id, "beauty") >= points)
        shunted: Fields = {"effect": Between(points), "shunt": Among((points,))}
        yield Move(TakeHit, {"character": Among(fair), **hit, **shunted})
    for id in sight.alive:
        if worn := sight.armours(id):
            yield Move(TakeHit, {"character": Among((id,)), **hit, **quiet, "armour_worn": Among(worn)})
