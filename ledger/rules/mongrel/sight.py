"""Who is there and what they can do, looked at once for all moves of an answer. Nothing is secret in this game."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.mongrel.attacks import can_hit
from ledger.rules.mongrel.conflict import check_can_act
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import TaskDeclared, TaskResolved
from ledger.rules.mongrel.guards import (
    Strife,
    check_nobody_decides,
    check_rolls,
    check_stands,
    conflict_of,
)
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import EXPERTISE, OPTIONS, POWERS
from ledger.rules.mongrel.terms import Identity

K = TypeVar("K", bound=Hashable)
Fields: TypeAlias = dict[str, Domain]

NONE = Among((None,))
#: How many tasks are offered to be cited for one character.
LATEST = 3
#: The options of a Power augment other Expertise, each once however often it is named.
AUGMENTING: Mapping[str, Domain] = {
    identity: Some(Among(OPTIONS[power]), repeats=True) for identity, power in POWERS.items()
}


class Sight:
    """`people`: all characters there are. `alive`: who can be ruled on; `free` of these: who is in no conflict.

    `mine`: of the free those the seat declares for, all of them where it decides; what others could do at leisure
    would be cut away.
    """

    def __init__(self, seen: Seen) -> None:
        self.seen, self.draft = seen, Draft(seen.table)
        there = (id for id in seen.roster if seen.table.has(character(id)))
        self.people: dict[str, Character] = {id: self.draft.who(id) for id in there}
        self.roster = tuple(self.people)
        self.alive = tuple(id for id, who in self.people.items() if not who.dead and not who.dying)
        self.strife = self._strife()
        self.free = tuple(id for id in self.alive if id not in self.strife)
        self.mine = tuple(id for id in self.free if self.declares_for(id))
        self._resolve: dict[str, int] = {}
        self._settled: dict[Subject, bool] = {}

    def _strife(self) -> dict[str, Strife]:
        """The conflict each is in, or died in."""
        here, table = self.seen.scene, self.seen.table
        scenes = {*table.subjects("scene"), *((here,) if here is not None and table.has(here) else ())}
        if all(self.draft.scene(one).conflict is None for one in scenes):
            return {}
        found = ((id, conflict_of(self.draft, id)) for id in self.people)
        return {id: strife for id, strife in found if strife is not None}

    def tasks_against(self, id: str) -> Iterator[tuple[str, int]]:
        """The latest tasks that had an Effect on the character, and hit nobody yet: each its number and the Effect."""
        found: list[tuple[int, int]] = []
        for actor in self.people:
            for number, facts in self.seen.citable(character(actor)).items():
                aimed = any(isinstance(one, TaskDeclared) and one.target == id for one in facts)
                aimed = aimed and can_hit(facts)
                effect = max((one.effect for one in facts if isinstance(one, TaskResolved)), default=0)
                if aimed and effect and not self.seen.table.times_cited(character(id), str(number)):
                    found.append((number, effect))
        return ((str(number), effect) for number, effect in sorted(found)[-LATEST:])

    def tasks_of(self, id: str) -> tuple[str, ...]:
        """The latest tasks that the character rolled: each its number."""
        rolled = self.seen.citable(character(id)).items()
        found = [number for number, facts in rolled if {TaskDeclared, TaskResolved} <= {type(one) for one in facts}]
        return tuple(str(number) for number in sorted(found)[-LATEST:])

    @property
    def here(self) -> Subject | None:
        """The open scene it is declared in."""
        here = self.seen.scene
        return here if here is not None and self.seen.table.has(here) and self.seen.table.is_open(here) else None

    def settled(self, strife: Strife) -> bool:
        """Nothing has to be answered first."""
        found = self._settled.get(strife.scene)
        if found is None:
            try:
                check_nobody_decides(self.draft, strife)
                found = True
            except Refused:
                found = False
            self._settled[strife.scene] = found
        return found

    def has_turn(self, id: str) -> bool:
        """Whether it is next, and nothing is open that was declared."""
        strife = self.strife.get(id)
        if strife is None or strife.conflict.action is not None or strife.conflict.queue[:1] != (id,):
            return False
        return self.settled(strife)

    def resolve(self, id: str) -> int:
        """Infernal Resolve that is left."""
        found = self._resolve.get(id)
        if found is None:
            found = self._resolve[id] = self.draft.resolve(id)
        return found

    def rolls(self, id: str) -> bool:
        try:
            check_rolls(self.draft, id)
        except Refused:
            return False
        return True

    def declares_for(self, id: str) -> bool:
        return self.seen.decides or id in self.seen.seat.characters

    def stands(self, id: str, *, speaks: bool = False) -> bool:
        try:
            check_stands(self.draft, id, speaks=speaks)
        except Refused:
            return False
        return True

    def standing(self, ids: Iterable[str], *, speaks: bool = False) -> tuple[str, ...]:
        """Those who can act; with `speaks` those who can speak."""
        return tuple(id for id in ids if self.stands(id, speaks=speaks))

    def can_act(self, id: str) -> bool:
        """`mongrel.conflict.act`"""
        try:
            check_can_act(self.draft, id)
        except Refused:
            return False
        return True

    def says_for(self, id: str) -> bool:
        """Whether who declares may say what is this character's to choose."""
        return self.seen.seat.role == "gm" or id in self.seen.seat.characters

    # --- parts of moves ----------------------------------------------------------------------------------------------

    def pools(self, ids: Iterable[str], names: Iterable[str]) -> Iterator[tuple[Among, Fields]]:
        """What they can roll: of this Expertise any, and with it what augments it; or a Power by itself."""
        those = tuple(ids)
        expertise = Among(tuple(name for name in names if name not in OPTIONS))
        for primary, alike in grouped(those, lambda id: self.people[id].primary):
            yield alike, {"expertise": expertise, "power": AUGMENTING[primary]}
        for (primary, options), alike in grouped(those, self._powers):
            yield alike, {"expertise": Among((POWERS[primary],)), "power": _by_itself(primary, options)}

    def _powers(self, id: str) -> tuple[Identity, tuple[str, ...]] | None:
        """The options that have points."""
        who = self.people[id]
        options = tuple(one for one in OPTIONS[POWERS[who.primary]] if who.power.get(one, 0) > 0)
        return (who.primary, options) if options else None

    def since(self) -> Fields:
        """When something began: now, or any time before."""
        return {"since": Either((NONE, Between(0, self.draft.clock())))}

    def known(self) -> Domain:
        """A score that a game master gives, and a player may leave out."""
        return Between(0) if self.seen.seat.role == "gm" else Either((NONE, Between(0)))

    def weapon(self) -> Domain:
        """`weapon_bonus_cap`"""
        cap = self.draft.dials.weapon_bonus_cap
        return OPEN if cap is None else Between(0, cap)

    def weapons(self, id: str) -> tuple[str, ...]:
        """Possessions that can be used as weapons."""
        cap = self.draft.dials.weapon_bonus_cap
        had = self.people[id].possessions
        return tuple(
            one for one, item in had.items() if item.weapon is not None and (cap is None or item.weapon <= cap)
        )

    def armours(self, id: str) -> tuple[str, ...]:
        return tuple(one for one, item in self.people[id].possessions.items() if item.armour is not None)


def _by_itself(primary: Identity, options: tuple[str, ...]) -> Domain:
    """At least one of the options that have points."""
    known = Among(OPTIONS[POWERS[primary]])
    return Either(tuple(Some(known, 1, required=(one,), repeats=True) for one in options))


def expertise_but(*names: str) -> tuple[str, ...]:
    return tuple(name for name in EXPERTISE if name not in names)


def grouped(ids: Iterable[str], key: Callable[[str], K | None]) -> Iterator[tuple[K, Among]]:
    """Those who have something in common, with that; who has None of it is left out."""
    found: dict[K, list[str]] = {}
    for id in ids:
        if (common := key(id)) is not None:
            found.setdefault(common, []).append(id)
    for common, alike in found.items():
        yield common, Among(tuple(alike))
