"""A scene: its resolutions and its Mechanical Play, how facts change them, and how MIBs are calculated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import Protocol, TypeAlias, TypeVar

from ledger.rules.kernel.kit import CharacterId, SeatId, changed, changing, quick
from ledger.rules.scattershot.state import Adrift, Campaign, Character, Seat
from ledger.rules.scattershot.words import (
    ACTOR,
    Adjusting,
    AllOutMode,
    DieKind,
    FlurryEnd,
    JunctureKind,
    Mode,
    Phase,
    SideName,
    Stance,
)

# --- a resolution -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Juncture:
    """A Critical Juncture. `side`: the side whose MIB made it. `author`: the seat that invents the consequences.
    `sufferer`: the Character that suffers them, or None.
    """

    kind: JunctureKind
    side: SideName
    author: SeatId
    sufferer: CharacterId | None
    gainer: CharacterId | None
    points: int
    excess: int
    #: Whether the consequences have been named.
    named: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Side:
    """One roll of a resolution: the Actor's, or that of a Resistor who opposes.

    `nature`: the nature of the Resistor's Action. The nature of the Actor's Action is in the `Deed`.
    """

    player: str
    rating: int
    modifier: int = 0
    dice: tuple[int, ...] = ()
    replaced: bool = False
    experience: int = 0
    dice_rolled: int = 0
    challenges: int = 0
    benefits: int = 0
    nature: str = "other"


@dataclass(frozen=True, slots=True)
class Die:
    """An Experience Die on the table. `final`: the account that the die goes to when the totals are called out."""

    id: str
    by: str
    kind: DieKind
    face: int
    borrower: str | None
    final: str


@dataclass(frozen=True, slots=True)
class Reached:
    """The outcome against one Resistor. `resistor`: None if nobody opposes."""

    resistor: str | None
    adjusted: int
    remaining: int
    auto_benefits: int
    resistor_number: int | None
    resistor_auto_benefits: int


@dataclass(frozen=True, slots=True)
class Deed:
    """The declared Action or plot device. `actor`: a Character; None for a plot device, whose `target` is a seat."""

    actor: str | None
    player: str
    subject: str | None
    magnitude: str = "strength"
    nature: str = "other"
    target: str | None = None
    flurry: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """The Reaction of a Character that is Off-Guard. Experience Dice can change the Reaction until it is answered or
    the Phase ends.
    """

    player: str
    mib: int
    answered: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolution.

    `reactions`: the Reactions by Character. `situation`: by side, the modifier from Combat Advantage and reduced
    Resources. `freebies`: by Advantage or Expectation. `held`: the Players who want to do something between totals and
    outcome.
    """

    deed: Deed
    phase: Phase
    engaged: Mapping[str, Stance] = field(default_factory=dict)
    sides: Mapping[str, Side] = field(default_factory=dict)
    reactions: Mapping[str, Reaction] = field(default_factory=dict)
    situation: Mapping[str, int] = field(default_factory=dict)
    dice: tuple[Die, ...] = ()
    freebies: tuple[str, ...] = ()
    reached: tuple[Reached, ...] = ()
    junctures: tuple[Juncture, ...] = ()
    held: tuple[str, ...] = ()

    @property
    def actor(self) -> str | None:
        return self.deed.actor

    @property
    def player(self) -> str:
        return self.deed.player

    @property
    def subject(self) -> str | None:
        return self.deed.subject

    @property
    def target(self) -> str | None:
        return self.deed.target


# --- Mechanical Play --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """A Persona in Mechanical Play: its acts in this Round, and the Actions that it forfeited from its next Turn."""

    forfeited: int = 0
    free: tuple[str, ...] = ()
    refreshed: bool = False
    taken: bool = False
    all_out: AllOutMode | None = None
    foe: str | None = None


@dataclass(frozen=True, slots=True)
class Flurry:
    persona: str
    foe: str
    script: tuple[str, ...]
    limit: int
    steps: int = 0
    #: How many Actions and answers were declared since the last step was counted. At 0, that step is still to come.
    #: The foe's defenses do not count.
    deeds: int = 0
    ended: FlurryEnd | None = None

    @property
    def is_announced(self) -> bool:
        """Return whether the last counted step still has to be played out."""
        return self.steps > 0 and self.deeds == 0

    @property
    def is_last_due(self) -> bool:
        """Return whether the last step that the limit allows is announced and still to be played out."""
        return self.ended is None and self.is_announced and self.steps >= self.limit

    @property
    def is_flowing(self) -> bool:
        """Return whether the Flurry goes on, or its last counted step is still to be played out."""
        return self.ended is None or (self.ended == "limit" and self.deeds == 0)


@dataclass(frozen=True, slots=True)
class Fight:
    """Mechanical Play.

    `turn`: the Persona whose Turn is open. `away`: the Personae that left it, each with the state that counts again if
    it comes back.
    """

    caller: str
    order: tuple[str, ...]
    scope: str
    melee: bool
    standing: Mapping[str, Standing]
    round: int = 1
    turn: str | None = None
    flurry: Flurry | None = None
    away: Mapping[str, Standing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene. `resolutions`: the resolutions that have not been removed. `fights`: Mechanical Play, by its Scope."""

    mode: Mode = "specific"
    speaker: str | None = None
    resolutions: Mapping[str, Resolution] = field(default_factory=dict)
    fights: Mapping[str, Fight] = field(default_factory=dict)
    adrift: Adrift = ()

    @property
    def fight(self) -> Fight | None:
        """The first Mechanical Play in the scene, or None. There is rarely a second one."""
        return next(iter(self.fights.values()), None)

    def find_scope_of(self, char_id: str) -> str | None:
        """Return the Scope of the Mechanical Play that a Character takes part in, or None."""
        return next((scope for scope, fight in self.fights.items() if char_id in fight.standing), None)


State: TypeAlias = Character | Scene | Campaign | Seat


# --- Characters that are gone -----------------------------------------------------------------------------------------


V = TypeVar("V")


def leave_out_absent(scene: Scene, is_character: Callable[[str], bool]) -> Scene:
    """Return the scene without Characters that are gone, and without their resolutions, Flurries, Turns and
    Engagements.

    A Character can be in two fights, if the ruling that took it out of one was overturned. It then stays in the first.
    """
    if not scene.fights and not scene.resolutions:
        return scene
    absent_ids = frozenset(id for id in dict.fromkeys(_list_named_ids(scene)) if not is_character(id))
    fights: dict[str, Fight] = {}
    ids_to_remove = absent_ids
    for scope, fight in scene.fights.items():
        fights[scope] = (
            fight if ids_to_remove.isdisjoint(_list_fighters(fight)) else _leave_out_of_fight(fight, ids_to_remove)
        )
        ids_to_remove = ids_to_remove.union(fight.standing)
    resolutions = scene.resolutions
    if absent_ids:
        resolutions = {
            id: _leave_out_of_resolution(resolution, absent_ids)
            for id, resolution in resolutions.items()
            if resolution.actor not in absent_ids
        }
    elif all(fight_left is scene.fights[scope] for scope, fight_left in fights.items()):
        return scene
    after: Scene = changed(scene, resolutions=resolutions, fights=fights)
    return after


def _list_fighters(fight: Fight) -> Iterator[str]:
    yield from fight.standing
    if fight.flurry is not None:
        yield from (fight.flurry.persona, fight.flurry.foe)


def _list_named_ids(scene: Scene) -> Iterator[str]:
    for fight in scene.fights.values():
        yield from _list_fighters(fight)
    for resolution in scene.resolutions.values():
        if resolution.actor is not None:
            yield resolution.actor
        yield from resolution.engaged
        yield from (char_id for char_id in resolution.sides if char_id != ACTOR)


def _leave_out_of_fight(fight: Fight, absent_ids: frozenset[str]) -> Fight:
    flurry = fight.flurry
    turn = fight.turn if fight.turn not in absent_ids else None
    is_flurry_broken = flurry is not None and not absent_ids.isdisjoint((flurry.persona, flurry.foe))
    after: Fight = changed(
        fight, standing=_leave_out(fight.standing, absent_ids), turn=turn, flurry=None if is_flurry_broken else flurry
    )
    return after


def _leave_out_of_resolution(resolution: Resolution, absent_ids: frozenset[str]) -> Resolution:
    after: Resolution = changed(
        resolution,
        engaged=_leave_out(resolution.engaged, absent_ids),
        sides=_leave_out(resolution.sides, absent_ids),
        reactions=_leave_out(resolution.reactions, absent_ids),
        reached=tuple(reached for reached in resolution.reached if reached.resistor not in absent_ids),
    )
    return after


def _leave_out(items_by_id: Mapping[str, V], absent_ids: frozenset[str]) -> dict[str, V]:
    return {id: item for id, item in items_by_id.items() if id not in absent_ids}


# --- how facts change a scene -----------------------------------------------------------------------------------------


P = TypeVar("P")
F = TypeVar("F")


class OfAScope(Protocol):
    @property
    def scope(self) -> str: ...


class OfAPersona(Protocol):
    @property
    def persona(self) -> str: ...


with_fights = changing(Scene, "fights")
OneScope = TypeVar("OneScope", bound=OfAScope)
OnePersona = TypeVar("OnePersona", bound=OfAPersona)


def widen_to_scene(
    part_change: Callable[[P, F], P | None], scene_change: Callable[[Scene, F], Scene | None]
) -> Callable[[Scene, F], Scene | None]:
    """Return `scene_change` with the name and annotations of `part_change`, except that it changes a Scene."""
    state_name, *_ = part_change.__annotations__
    update_wrapper(scene_change, part_change)
    scene_change.__annotations__ = {**part_change.__annotations__, state_name: Scene, "return": Scene | None}
    return scene_change


def in_its_scope(change: Callable[[Fight, OneScope], Fight | None]) -> Callable[[Scene, OneScope], Scene | None]:
    """Return a function that applies the change to the Mechanical Play at the Scope that the fact names."""

    def change_scene(state: Scene, fact: OneScope) -> Scene | None:
        fight = state.fights.get(fact.scope)
        after = change(fight, fact) if fight is not None else None
        return keep_fight(state, fact.scope, after) if after is not None else None

    return widen_to_scene(change, change_scene)


def in_its_fight(change: Callable[[Fight, OnePersona], Fight | None]) -> Callable[[Scene, OnePersona], Scene | None]:
    """Return a function that applies the change to the Mechanical Play that the Persona takes part in."""

    def change_scene(state: Scene, fact: OnePersona) -> Scene | None:
        scope = state.find_scope_of(fact.persona)
        after = change(state.fights[scope], fact) if scope is not None else None
        return keep_fight(state, scope, after) if scope is not None and after is not None else None

    return widen_to_scene(change, change_scene)


def in_its_standing(change: Callable[[Standing, OnePersona], Standing]) -> Callable[[Scene, OnePersona], Scene | None]:
    """Return a function that applies the change to the Persona's own part in Mechanical Play."""

    def change_scene(state: Scene, fact: OnePersona) -> Scene | None:
        scope = state.find_scope_of(fact.persona)
        if scope is None:
            return None
        fight = state.fights[scope]
        standing = change(fight.standing[fact.persona], fact)
        return keep_fight(state, scope, changed(fight, standing={**fight.standing, fact.persona: standing}))

    return widen_to_scene(change, change_scene)


def keep_fight(state: Scene, scope: str, fight: Fight) -> Scene:
    return with_fights(state, {**state.fights, scope: fight})


def put_reaction(resolution: Resolution, char_id: str, reaction: Reaction) -> Resolution:
    stance: Stance = "obliged" if reaction.mib >= 0 else "passive"
    return changed(
        resolution,
        reactions={**resolution.reactions, char_id: reaction},
        engaged={**resolution.engaged, char_id: stance},
    )


def remove_resolution(state: Scene, resolution_id: str) -> Scene:
    return changed(
        state,
        resolutions={
            other_id: resolution for other_id, resolution in state.resolutions.items() if other_id != resolution_id
        },
    )


class OfAResolution(Protocol):
    @property
    def resolution(self) -> str: ...


OneResolution = TypeVar("OneResolution", bound=OfAResolution)
_with_resolutions = changing(Scene, "resolutions")
_with_sides = changing(Resolution, "sides")


def in_its_resolution(
    change: Callable[[Resolution, OneResolution], Resolution | None],
) -> Callable[[Scene, OneResolution], Scene | None]:
    """Return a function that applies the change to the resolution that the fact names, while it is open."""

    def change_scene(state: Scene, fact: OneResolution) -> Scene | None:
        resolution = state.resolutions.get(fact.resolution)
        after = change(resolution, fact) if resolution is not None else None
        return keep_resolution(state, fact.resolution, after) if after is not None else None

    return widen_to_scene(change, change_scene)


def keep_resolution(state: Scene, resolution_id: str, resolution: Resolution) -> Scene:
    return _with_resolutions(state, {**state.resolutions, resolution_id: resolution})


def put_side(resolution: Resolution, name: str, side: Side) -> Resolution:
    return _with_sides(resolution, {**resolution.sides, name: side})


# --- calculating MIBs -------------------------------------------------------------------------------------------------


def list_opposers(resolution: Resolution) -> tuple[str, ...]:
    return tuple(name for name in resolution.sides if name != ACTOR)


def find_modified_rating(resolution: Resolution, side_name: str) -> int:
    """Return the Rating with all modifiers that were fixed at the end of the Opportunity Phase."""
    side = resolution.sides[side_name]
    return side.rating + side.modifier + resolution.situation.get(side_name, 0)


def find_basic_mib(resolution: Resolution, side_name: str) -> int:
    """Return the basic MIB. For a plot device or a replaced roll, that is the Experience Dice alone."""
    side = resolution.sides[side_name]
    if resolution.actor is None or side.replaced:
        return side.experience
    return find_modified_rating(resolution, side_name) - sum(side.dice) + side.experience


def find_resultant(actor_mib: int, resistor_mib: int) -> int:
    """Return the RMIB: the Actor's MIB minus the Resistor's. A Resistor's MIB below 0 is not subtracted."""
    return actor_mib - resistor_mib if resistor_mib >= 0 else actor_mib


def find_raised_mib(resolution: Resolution, side_name: str) -> int:
    """Return the basic MIB with its Challenges."""
    return find_basic_mib(resolution, side_name) + resolution.sides[side_name].challenges


def find_altered_mib(resolution: Resolution, side_name: str) -> int:
    """Return the basic MIB with its Challenges and Benefits."""
    return find_raised_mib(resolution, side_name) - resolution.sides[side_name].benefits


def find_lead(resolution: Resolution, resistor: str, adjusting: Adjusting) -> int:
    """Return the RMIB against this Resistor after all Challenges, before any Benefit."""
    if adjusting == "rmib":
        challenge_lead = resolution.sides[ACTOR].challenges - resolution.sides[resistor].challenges
        return find_resultant(find_basic_mib(resolution, ACTOR), find_basic_mib(resolution, resistor)) + challenge_lead
    return find_resultant(find_raised_mib(resolution, ACTOR), find_raised_mib(resolution, resistor))


def find_final_mib(resolution: Resolution, resistor: str | None, adjusting: Adjusting) -> int:
    """Return the MIB, or the RMIB against this Resistor, after Challenges and Benefits (`apply.contested`)."""
    if resistor is None:
        return find_altered_mib(resolution, ACTOR)
    if adjusting == "rmib":
        return (
            find_lead(resolution, resistor, adjusting)
            - resolution.sides[ACTOR].benefits
            + resolution.sides[resistor].benefits
        )
    return find_resultant(find_altered_mib(resolution, ACTOR), find_altered_mib(resolution, resistor))


def work_out_reached_outcome(
    resolution: Resolution, resistor: str | None, cj: int, adjusting: Adjusting, has_resistor_results: bool
) -> Reached:
    """Return the capped outcome, and a Resistor's own outcome (`apply.automatic-benefit`, `contest.resistor-results`).

    `has_resistor_results`: whether Resistors have results of their own.
    """
    adjusted = find_final_mib(resolution, resistor, adjusting)
    resistor_number, resistor_benefits = None, 0
    if resistor is not None and adjusted < 0 and has_resistor_results:
        own_mib = (
            find_basic_mib(resolution, resistor) if adjusting == "rmib" else find_altered_mib(resolution, resistor)
        )
        if own_mib >= 0:
            resistor_number, resistor_benefits = min(-adjusted, cj), max(0, -adjusted - cj)
    return Reached(resistor, adjusted, min(adjusted, cj), max(0, adjusted - cj), resistor_number, resistor_benefits)
