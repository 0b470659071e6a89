"""Who is there and what they can do, looked at once for all offers of an answer. Nothing is secret in this game."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from ledger.rules.kernel.kit import OPEN, Among, Between, Domain, Either, Seen, Some, Subject, character
from ledger.rules.mongrel import accounts, acting
from ledger.rules.mongrel.draft import Draft
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

NOTHING = Among(())


def look(seen: Seen, draft: Draft) -> Sight:
    """Return what this draft's offers look at."""
    if draft.sight is None:
        draft.sight = Sight(seen, draft)
    sight: Sight = draft.sight
    return sight


class Sight:
    """`people`: all characters there are. `alive`: who can be ruled on; `free` of these: who is in no conflict.

    `mine`: of the free those the seat declares for, all of them where it decides; what others could do at leisure
    would be cut away.
    """

    def __init__(self, seen: Seen, draft: Draft) -> None:
        self.seen, self.draft = seen, draft
        known = (id for id in seen.roster if draft.table.has(character(id)))
        self.people: dict[str, Character] = {id: draft.who(id) for id in known}
        self.roster = tuple(self.people)
        self.alive = tuple(id for id in self.people if acting.may_be_ruled_on(draft, id) is None)
        self.strife = self._find_strife()
        self.free = tuple(id for id in self.alive if id not in self.strife)
        self.mine = tuple(id for id in self.free if self.declares_for(id))
        self._resolve: dict[str, int] = {}
        self._settled: dict[Subject, bool] = {}

    def _find_strife(self) -> dict[str, acting.Strife]:
        """Return the conflict each character is in, or died in."""
        here, table = self.seen.scene, self.draft.table
        scenes = {*table.subjects("scene"), *((here,) if here is not None and table.has(here) else ())}
        if all(self.draft.scene(scene).conflict is None for scene in scenes):
            return {}
        conflicts = ((id, acting.conflict_of(self.draft, id)) for id in self.people)
        return {id: strife for id, strife in conflicts if strife is not None}

    @property
    def here(self) -> Subject | None:
        """Return the open scene in which this is declared."""
        here, table = self.seen.scene, self.draft.table
        return here if here is not None and table.has(here) and table.is_open(here) else None

    def settled(self, strife: acting.Strife) -> bool:
        """Return whether the conflict waits for no decision."""
        settled = self._settled.get(strife.scene)
        if settled is None:
            settled = self._settled[strife.scene] = acting.may_go_on(self.draft, strife) is None
        return settled

    def has_turn(self, id: str) -> bool:
        """Return whether the character is next, with no declared action open."""
        return acting.may_take_turn(self.draft, id, acting.QUEUE) is None

    def resolve(self, id: str) -> int:
        """Return the Infernal Resolve that is left."""
        left = self._resolve.get(id)
        if left is None:
            left = self._resolve[id] = self.draft.resolve(id)
        return left

    def rolls(self, id: str) -> bool:
        return acting.may_roll(self.draft, id) is None

    def declares_for(self, id: str) -> bool:
        return self.seen.decides or id in self.seen.seat.characters

    def stands(self, id: str, *, speaks: bool = False) -> bool:
        return acting.may_stand(self.draft, id, speaks=speaks) is None

    def standing(self, ids: Iterable[str], *, speaks: bool = False) -> tuple[str, ...]:
        """Return those who can act; with `speaks` those who can speak."""
        return tuple(id for id in ids if self.stands(id, speaks=speaks))

    def speaking(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return those who have collapsed and may speak."""
        return tuple(id for id in self.standing(ids, speaks=True) if not self.stands(id))

    def can_act(self, id: str) -> bool:
        return acting.may_act(self.draft, id) is None

    def says_for(self, id: str) -> bool:
        """Return whether the declaring seat may make this character's choices."""
        return self.seen.seat.role == "gm" or id in self.seen.seat.characters

    def deals(self, id: str) -> bool:
        """Return whether the character can barter or sell now (`mongrel.conflict.dealings`)."""
        if id not in self.strife or self.draft.dials.dealings_in_conflict == "free":
            return True
        return self.has_turn(id) and self.can_act(id)

    @property
    def dealers(self) -> tuple[str, ...]:
        """Return those who can speak, and have the turn where dealings are actions."""
        return tuple(id for id in self.standing(self.alive, speaks=True) if self.deals(id))

    def held(self, id: str, house: str) -> int | None:
        """Return the Credit with a House, or None without any."""
        held = self.draft.balance(accounts.credit(id, house))
        return held if held > 0 else None

    # --- parts of moves ----------------------------------------------------------------------------------------------

    def pools(self, ids: Iterable[str], names: Iterable[str]) -> Iterator[tuple[Among, Fields]]:
        """Yield what they can roll: any Expertise with what augments it, or a Power by itself."""
        rollers = tuple(ids)
        expertise = Among(tuple(name for name in names if name not in OPTIONS))
        for primary, alike in grouped(rollers, lambda id: self.people[id].primary):
            yield alike, {"expertise": expertise, "power": AUGMENTING[primary]}
        for (primary, options), alike in grouped(rollers, self._powers):
            yield alike, {"expertise": Among((POWERS[primary],)), "power": _by_itself(primary, options)}

    def _powers(self, id: str) -> tuple[Identity, tuple[str, ...]] | None:
        """Return the options that have points."""
        who = self.people[id]
        options = tuple(option for option in OPTIONS[POWERS[who.primary]] if who.power.get(option, 0) > 0)
        return (who.primary, options) if options else None

    def since(self) -> Fields:
        """Return when it can have begun: now, or any time before."""
        return {"since": Either((NONE, Between(0, self.draft.clock())))}

    def known(self) -> Domain:
        """Return a score that a game master gives, and a player may leave out."""
        return Between(0) if self.seen.seat.role == "gm" else Either((NONE, Between(0)))

    def weapon(self) -> Domain:
        """Return the weapon's number, up to `weapon_bonus_cap`."""
        cap = self.draft.dials.weapon_bonus_cap
        return OPEN if cap is None else Between(0, cap)

    def weapons(self, id: str) -> tuple[str, ...]:
        """Return the possessions that can be used as weapons."""
        cap, had = self.draft.dials.weapon_bonus_cap, self.people[id].possessions
        return tuple(
            name for name, item in had.items() if item.weapon is not None and (cap is None or item.weapon <= cap)
        )

    def armours(self, id: str) -> tuple[str, ...]:
        return tuple(name for name, item in self.people[id].possessions.items() if item.armour is not None)


def _by_itself(primary: Identity, options: tuple[str, ...]) -> Domain:
    """Return at least one of the options that have points."""
    known = Among(OPTIONS[POWERS[primary]])
    return Either(tuple(Some(known, 1, required=(option,), repeats=True) for option in options))


def expertise_but(*names: str) -> tuple[str, ...]:
    return tuple(name for name in EXPERTISE if name not in names)


def grouped(ids: Iterable[str], key: Callable[[str], K | None]) -> Iterator[tuple[K, Among]]:
    """Yield characters who have something in common, with that. Those with None are left out."""
    groups: dict[K, list[str]] = {}
    for id in ids:
        if (common := key(id)) is not None:
            groups.setdefault(common, []).append(id)
    for common, alike in groups.items():
        yield common, Among(tuple(alike))


UNPAID = expertise_but("occult")

ROLLED: Fields = {"attribute": OPEN, "difficulty": OPEN, "taken_off": OPEN}
SCORE = Either((NONE, Between(0)))


def at_nobody(sight: Sight) -> tuple[Fields, ...]:
    """Return the ways without a target: on the actor's side, or at a thing, whose score a player may leave out."""
    return (
        {"target": NONE, "side": Among(("own",)), "score": SCORE},
        {"target": NONE, "side": Among(("target",)), "score": sight.known()},
    )


def at_somebody(ids: tuple[str, ...]) -> Fields:
    return {"target": Among(ids), "side": OPEN, "score": SCORE}
