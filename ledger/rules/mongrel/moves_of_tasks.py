"""Tasks and Occult outside conflicts, and hits from elsewhere.

Dice typed in with a declaration are no move: how many there are depends on Expertise and Power together. Who leaves
them out is asked for as many as are rolled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move, Some
from ledger.rules.mongrel.inputs import Occult, RollTask, TakeHit
from ledger.rules.mongrel.sight import AUGMENTING, NONE, Fields, Sight, expertise_but, grouped
from ledger.rules.mongrel.sorcery import attacks_only
from ledger.rules.mongrel.tables import OPTIONS, PHYSICAL, SPOKEN

UNPAID = expertise_but("occult")
PEACEFUL = expertise_but("occult", "chill", *PHYSICAL)
ROLLED: Fields = {"attribute": OPEN, "difficulty": OPEN, "taken_off": OPEN}
POWER_ALONE = tuple(Among((power,)) for power in OPTIONS)
SCORE = Either((NONE, Between(0)))


def tasks(sight: Sight) -> Iterator[Move]:
    """`mongrel.task.pool`, `mongrel.task.tn`: by who is in no conflict."""
    actors = [id for id in sight.mine if sight.rolls(id)]
    standing = sight.standing(actors)
    for those, names in ((standing, UNPAID), (speaking(sight, actors), SPOKEN)):
        for actor, pool in sight.pools(those, names):
            if names == UNPAID or pool["expertise"] not in POWER_ALONE:
                for aim in (*_at_nobody(sight), _at_somebody(sight.roster)):
                    yield Move(RollTask, {"actor": actor, **ROLLED, **pool, **aim})


def speaking(sight: Sight, ids: Iterable[str]) -> tuple[str, ...]:
    """Those who have collapsed and may speak."""
    return tuple(id for id in sight.standing(ids, speaks=True) if not sight.stands(id))


def _at_nobody(sight: Sight) -> tuple[Fields, ...]:
    """On one's own side, or at a thing, which needs a score: a player may leave it out, and a game master is asked."""
    return (
        {"target": NONE, "side": Among(("own",)), "score": SCORE},
        {"target": NONE, "side": Among(("target",)), "score": sight.known()},
    )


def _at_somebody(ids: tuple[str, ...]) -> Fields:
    return {"target": Among(ids), "side": OPEN, "score": SCORE}


# --- Occult ----------------------------------------------------------------------------------------------------------


def occult(sight: Sight) -> Iterator[Move]:
    """`mongrel.sorcery.occult`. Weapon and armour are numbers: no possession changes what Infernal Resolve loses."""
    for casters, paid in means(sight):
        for aim in _aims(sight):
            numbers: Fields = {"weapon": sight.weapon(), "armour": OPEN}
            yield Move(Occult, {"actor": casters, **ROLLED, **paid, **numbers, **aim})


def means(sight: Sight) -> Iterator[tuple[Among, Fields]]:
    """Who can pay for Occult and has the time, with how much, and with what augments it."""
    casters = (id for id in sight.mine if sight.rolls(id) and sight.stands(id) and sight.resolve(id) > 0)
    for (primary, resolve), alike in grouped(casters, lambda id: (sight.people[id].primary, sight.resolve(id))):
        yield (
            alike,
            {"points": Between(1, resolve), "power": AUGMENTING[primary], "imitates": Among(UNPAID), **sight.since()},
        )


def _aims(sight: Sight) -> Iterator[Fields]:
    """An attack needs somebody alive; whatever else it stands for can be at anybody, at a thing, or at nothing."""
    for aim in _at_nobody(sight):
        yield {**aim, "hit_kind": Among((None, "none"))}
    if sight.alive:
        for only, names in grouped(UNPAID, lambda name: (attacks_only(sight.draft, name),)):
            kinds: Domain = OPEN if only == (None,) else Among((None, *only, "none"))
            others: Fields = {"others": Some(Among(sight.alive))}
            yield {**_at_somebody(sight.alive), **others, "imitates": names, "hit_kind": kinds}
    if gone := tuple(id for id in sight.roster if id not in sight.alive):
        yield {**_at_somebody(gone), "hit_kind": Among(("none",))}
        yield {**_at_somebody(gone), "hit_kind": NONE, "imitates": Among(PEACEFUL)}


# --- hits from elsewhere ---------------------------------------------------------------------------------------------


def hits(sight: Sight) -> Iterator[Move]:
    """`mongrel.damage.hit`: so much goes to Beauty as the Effect alone allows, or as is said when it is asked."""
    if not sight.alive:
        return
    hit: Fields = {"effect": OPEN, "ruling": NONE, "weapon": sight.weapon()}
    quiet: Fields = {"shunt": Among((None, 0)), "hit_kind": OPEN}
    yield Move(TakeHit, {"character": Among(sight.alive), **hit, **quiet, "armour": OPEN})
    for id in sight.alive:
        for number, effect in sight.tasks_against(id):
            task: Fields = {"character": Among((id,)), "ruling": Among((number,)), "effect": Among((effect,))}
            yield Move(TakeHit, {**hit, **quiet, **task, "armour": OPEN})
    beauty = {id: sight.draft.score(id, "beauty") for id in sight.alive}
    for points in range(1, max(beauty.values()) + 1):
        fair = Among(tuple(id for id in sight.alive if beauty[id] >= points))
        yield Move(TakeHit, {"character": fair, **hit, "effect": Between(points), "shunt": Among((points,))})
    for id in sight.alive:
        if worn := sight.armours(id):
            yield Move(TakeHit, {"character": Among((id,)), **hit, **quiet, "armour_worn": Among(worn)})
    wielded: Fields = {"character": Among(sight.alive), "effect": OPEN, "ruling": NONE, **quiet, "armour": OPEN}
    for id in sight.people:
        if weapons := sight.weapons(id):
            yield Move(TakeHit, {**wielded, "wielder": Among((id,)), "weapon_used": Among(weapons)})
