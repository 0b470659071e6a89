"""A scene without the Characters that are not there any more, because what enrolled them was overturned.

What the table played with them still stands until it is settled; it goes on with everybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from ledger.rules.kernel.frozen import changed
from ledger.rules.scattershot.state import Fight, Resolution, Scene
from ledger.rules.scattershot.terms import ACTOR

V = TypeVar("V")


def with_those_there(scene: Scene, is_there: Callable[[str], bool]) -> Scene:
    """What somebody who is gone began is gone; who is gone stands in no fight, and is engaged in nothing.

    Who stands in two fights, since it was overturned that the first was left, stands in the first.
    """
    if not scene.fights and not scene.resolutions:
        return scene
    gone = frozenset(id for id in dict.fromkeys(_named(scene)) if not is_there(id))
    fights: dict[str, Fight] = {}
    elsewhere = gone
    for scope, one in scene.fights.items():
        fights[scope] = one if elsewhere.isdisjoint(_fighters(one)) else _fought(one, elsewhere)
        elsewhere = elsewhere.union(one.standing)
    resolutions = scene.resolutions
    if gone:
        resolutions = {id: _resolved(one, gone) for id, one in resolutions.items() if one.actor not in gone}
    elif all(one is scene.fights[scope] for scope, one in fights.items()):
        return scene
    after: Scene = changed(scene, resolutions=resolutions, fights=fights)
    return after


def _fighters(fight: Fight) -> Iterator[str]:
    yield from fight.standing
    if fight.flurry is not None:
        yield from (fight.flurry.persona, fight.flurry.foe)


def _named(scene: Scene) -> Iterator[str]:
    for fight in scene.fights.values():
        yield from _fighters(fight)
    for one in scene.resolutions.values():
        if one.actor is not None:
            yield one.actor
        yield from one.engaged
        yield from (id for id in one.sides if id != ACTOR)


def _fought(fight: Fight, gone: frozenset[str]) -> Fight:
    flurry = fight.flurry
    turn = fight.turn if fight.turn not in gone else None
    broken = flurry is not None and not gone.isdisjoint((flurry.persona, flurry.foe))
    after: Fight = changed(fight, standing=_without(fight.standing, gone), turn=turn, flurry=None if broken else flurry)
    return after


def _resolved(one: Resolution, gone: frozenset[str]) -> Resolution:
    after: Resolution = changed(
        one,
        engaged=_without(one.engaged, gone),
        sides=_without(one.sides, gone),
        reactions=_without(one.reactions, gone),
        reached=tuple(each for each in one.reached if each.resistor not in gone),
    )
    return after


def _without(named: Mapping[str, V], gone: frozenset[str]) -> dict[str, V]:
    return {id: one for id, one in named.items() if id not in gone}
