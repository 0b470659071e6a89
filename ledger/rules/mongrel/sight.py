"""The characters and their possible actions, worked out once for all offers. Nothing is secret in this game."""

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
#: How many of a character's latest tasks an offer lists.
LATEST = 3
#: The options of each Power that can augment other Expertise. Each option counts once, even if it is named several
#: times.
AUGMENTING: Mapping[str, Domain] = {
    identity: Some(Among(OPTIONS[power]), repeats=True) for identity, power in POWERS.items()
}

NOTHING = Among(())


def get_sight(seen: Seen, draft: Draft) -> Sight:
    """Return the overview of characters that all offers of this draft share."""
    if draft.sight is None:
        draft.sight = Sight(seen, draft)
    sight: Sight = draft.sight
    return sight


class Sight:
    """An overview of all characters, for the offers. `people`: all characters. `alive`: the characters who can be ruled
    on. `free`: those of them who are not in a conflict.

    `mine`: the free characters for whom the seat can declare. Moves of other characters would be removed later.
    """

    def __init__(self, seen: Seen, draft: Draft) -> None:
        self.seen, self.draft = seen, draft
        known_ids = (character_id for character_id in seen.roster if draft.table.has(character(character_id)))
        self.people: dict[str, Character] = {
            character_id: draft.read_character(character_id) for character_id in known_ids
        }
        self.roster = tuple(self.people)
        self.alive = tuple(
            character_id for character_id in self.people if acting.may_be_ruled_on(draft, character_id) is None
        )
        self.strife_by_id = self._find_strife()
        self.free = tuple(character_id for character_id in self.alive if character_id not in self.strife_by_id)
        self.mine = tuple(character_id for character_id in self.free if self.can_declare_for(character_id))
        self._resolve: dict[str, int] = {}
        self._settled: dict[Subject, bool] = {}

    def _find_strife(self) -> dict[str, acting.Strife]:
        """Return the conflict that each character is in, or died in."""
        present_scene, table = self.seen.scene, self.draft.table
        scenes = {
            *table.subjects("scene"),
            *((present_scene,) if present_scene is not None and table.has(present_scene) else ()),
        }
        if all(self.draft.read_scene(scene).conflict is None for scene in scenes):
            return {}
        conflicts = ((character_id, acting.find_strife(self.draft, character_id)) for character_id in self.people)
        return {character_id: strife for character_id, strife in conflicts if strife is not None}

    @property
    def present_scene(self) -> Subject | None:
        """Return the open scene in which this would be declared, or None."""
        place, table = self.seen.scene, self.draft.table
        return place if place is not None and table.has(place) and table.is_open(place) else None

    def is_settled(self, strife: acting.Strife) -> bool:
        """Return whether the conflict is not waiting for a decision."""
        is_settled = self._settled.get(strife.scene)
        if is_settled is None:
            is_settled = self._settled[strife.scene] = acting.may_go_on(self.draft, strife) is None
        return is_settled

    def has_turn(self, character_id: str) -> bool:
        """Return whether the character is next, with no declared action open."""
        return acting.may_take_turn(self.draft, character_id, acting.QUEUE) is None

    def count_resolve(self, character_id: str) -> int:
        resolve = self._resolve.get(character_id)
        if resolve is None:
            resolve = self._resolve[character_id] = self.draft.count_resolve(character_id)
        return resolve

    def can_roll(self, character_id: str) -> bool:
        return acting.may_roll(self.draft, character_id) is None

    def can_declare_for(self, character_id: str) -> bool:
        return self.seen.decides or character_id in self.seen.seat.characters

    def can_be_active(self, character_id: str, *, by_words_only: bool = False) -> bool:
        """Return whether the character is not stopped by a collapse."""
        return acting.may_be_active(self.draft, character_id, by_words_only=by_words_only) is None

    def list_active(self, ids: Iterable[str], *, by_words_only: bool = False) -> tuple[str, ...]:
        """Return the characters who are not stopped by a collapse."""
        return tuple(
            character_id for character_id in ids if self.can_be_active(character_id, by_words_only=by_words_only)
        )

    def list_speaking(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the characters who have collapsed but may speak."""
        return tuple(
            character_id
            for character_id in self.list_active(ids, by_words_only=True)
            if not self.can_be_active(character_id)
        )

    def can_act(self, character_id: str) -> bool:
        return acting.may_act(self.draft, character_id) is None

    def can_choose_for(self, character_id: str) -> bool:
        """Return whether the declaring seat may make this character's choices."""
        return self.seen.seat.role == "gm" or character_id in self.seen.seat.characters

    def can_deal(self, character_id: str) -> bool:
        """Return whether the character can barter or sell now (`mongrel.conflict.dealings`)."""
        if character_id not in self.strife_by_id or self.draft.dials.dealings_in_conflict == "free":
            return True
        return self.has_turn(character_id) and self.can_act(character_id)

    @property
    def dealers(self) -> tuple[str, ...]:
        """Return the characters who can speak. If dealings are actions, return only those whose turn it is."""
        return tuple(
            character_id
            for character_id in self.list_active(self.alive, by_words_only=True)
            if self.can_deal(character_id)
        )

    def find_credit(self, character_id: str, house: str) -> int | None:
        credit = self.draft.balance(accounts.name_credit(character_id, house))
        return credit if credit > 0 else None

    # --- parts of moves ----------------------------------------------------------------------------------------------

    def list_pools(self, ids: Iterable[str], names: Iterable[str]) -> Iterator[tuple[Among, Fields]]:
        """Yield the pools that the characters can roll: any Expertise, with the Power that adds to it, or a Power by
        itself.
        """
        rollers = tuple(ids)
        expertise = Among(tuple(name for name in names if name not in OPTIONS))
        for primary, alike_rollers in group_ids(rollers, lambda character_id: self.people[character_id].primary):
            yield alike_rollers, {"expertise": expertise, "power": AUGMENTING[primary]}
        for (primary, options), alike_rollers in group_ids(rollers, self._find_power_options):
            yield alike_rollers, {"expertise": Among((POWERS[primary],)), "power": _make_power_domain(primary, options)}

    def _find_power_options(self, character_id: str) -> tuple[Identity, tuple[str, ...]] | None:
        """Return the primary Identity and the options of its Power that have points, or None."""
        state = self.people[character_id]
        options = tuple(option for option in OPTIONS[POWERS[state.primary]] if state.power.get(option, 0) > 0)
        return (state.primary, options) if options else None

    def make_since_field(self) -> Fields:
        """Return the field for the beginning of an activity: now, or any earlier minute."""
        return {"since": Either((NONE, Between(0, self.draft.read_clock())))}

    def make_score_domain(self) -> Domain:
        """Return the domain of a score, which a game master gives and a player may leave out."""
        return Between(0) if self.seen.seat.role == "gm" else Either((NONE, Between(0)))

    def make_weapon_domain(self) -> Domain:
        """Return the domain of a weapon's number, up to `weapon_bonus_cap`."""
        cap = self.draft.dials.weapon_bonus_cap
        return OPEN if cap is None else Between(0, cap)

    def list_weapons(self, character_id: str) -> tuple[str, ...]:
        cap, possessions = self.draft.dials.weapon_bonus_cap, self.people[character_id].possessions
        return tuple(
            name
            for name, item in possessions.items()
            if item.weapon is not None and (cap is None or item.weapon <= cap)
        )

    def list_armours(self, character_id: str) -> tuple[str, ...]:
        return tuple(name for name, item in self.people[character_id].possessions.items() if item.armour is not None)


def _make_power_domain(primary: Identity, options: tuple[str, ...]) -> Domain:
    """Return the domain of one or more of the options that have points."""
    option_domain = Among(OPTIONS[POWERS[primary]])
    return Either(tuple(Some(option_domain, 1, required=(option,), repeats=True) for option in options))


def list_expertise_but(*names: str) -> tuple[str, ...]:
    return tuple(name for name in EXPERTISE if name not in names)


def group_ids(ids: Iterable[str], key: Callable[[str], K | None]) -> Iterator[tuple[K, Among]]:
    """Yield each key with the characters who share it. Characters whose key is None are left out."""
    groups: dict[K, list[str]] = {}
    for character_id in ids:
        if (shared_key := key(character_id)) is not None:
            groups.setdefault(shared_key, []).append(character_id)
    for shared_key, sharing_ids in groups.items():
        yield shared_key, Among(tuple(sharing_ids))


UNPAID = list_expertise_but("occult")

ROLLED: Fields = {"attribute": OPEN, "difficulty": OPEN, "taken_off": OPEN}
SCORE = Either((NONE, Between(0)))


def list_aims_at_nobody(sight: Sight) -> tuple[Fields, ...]:
    """Return the ways to roll without a target: on the actor's side, or against a thing, whose score a player may leave
    out.
    """
    return (
        {"target": NONE, "side": Among(("own",)), "score": SCORE},
        {"target": NONE, "side": Among(("target",)), "score": sight.make_score_domain()},
    )


def make_aim_at_somebody(ids: tuple[str, ...]) -> Fields:
    return {"target": Among(ids), "side": OPEN, "score": SCORE}
