"""A scene: its resolutions and its Mechanical Play, what a fact changes in them, and the arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import Protocol, TypeAlias, TypeVar

from ledger.rules.kernel.domains import CharacterId, SeatId
from ledger.rules.kernel.frozen import changed, changing, quick
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
    """`side`: whose MIB it was. `author`: the seat that invents the consequences; `sufferer`: a Character, or None."""

    kind: JunctureKind
    side: SideName
    author: SeatId
    sufferer: CharacterId | None
    gainer: CharacterId | None
    points: int
    excess: int
    #: Its consequences are named.
    named: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Side:
    """One roll of a resolution: the Actor's, or a Resistor's who opposes. Its MIB: `reckoning`.

    `nature`: of the Resistor's Action; the Actor's stands in the `Deed`.
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
    """On the table. `final`: the account it goes to when the totals are called."""

    id: str
    by: str
    kind: DieKind
    face: int
    borrower: str | None
    final: str


@dataclass(frozen=True, slots=True)
class Reached:
    """The outcome, against one Resistor or (None) unopposed."""

    resistor: str | None
    adjusted: int
    remaining: int
    auto_benefits: int
    resistor_number: int | None
    resistor_auto_benefits: int


@dataclass(frozen=True, slots=True)
class Deed:
    """What was declared. `actor`: a Character; None for a plot device, whose `target` is a seat."""

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
    """Of who is Off-Guard: open to dice until it is answered, or the Opportunity Phase closes."""

    player: str
    mib: int
    answered: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Resolution:
    """`reactions`: by Character. `situation`: by side, what its roll suffers by itself. `freebies`: by Advantage or
    Expectation."""

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
    """A Persona in Mechanical Play: what it did this Round, what it owes its next Turn."""

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
    #: How many Actions and answers were declared since the last step was counted: none, while it is to be played out.
    #: What the foe defends with is none of them.
    deeds: int = 0
    ended: FlurryEnd | None = None

    @property
    def is_announced(self) -> bool:
        """Whether the step that was counted last is still to be played out."""
        return self.steps > 0 and self.deeds == 0

    @property
    def is_last_due(self) -> bool:
        """Whether the last step there may be is announced, and still to be played out."""
        return self.ended is None and self.is_announced and self.steps >= self.limit

    @property
    def flows(self) -> bool:
        """It goes on, or the last step that was counted is still to be played out."""
        return self.ended is None or (self.ended == "limit" and self.deeds == 0)


@dataclass(frozen=True, slots=True)
class Fight:
    """Mechanical Play. `turn`: the Persona whose Turn is open. `away`: who left it, with what still counts for them."""

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
    """`resolutions`: those not closed. `fights`: Mechanical Play, by the Scope it is played in."""

    mode: Mode = "specific"
    speaker: str | None = None
    resolutions: Mapping[str, Resolution] = field(default_factory=dict)
    fights: Mapping[str, Fight] = field(default_factory=dict)
    adrift: Adrift = ()

    @property
    def fight(self) -> Fight | None:
        """The first of them: mostly there is no other."""
        return next(iter(self.fights.values()), None)

    def scope_of(self, id: str) -> str | None:
        """The Scope in whose Mechanical Play a Character stands."""
        return next((scope for scope, fight in self.fights.items() if id in fight.standing), None)


State: TypeAlias = Character | Scene | Campaign | Seat


# --- who is there -----------------------------------------------------------------------------------------------------


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


# --- what a fact changes ----------------------------------------------------------------------------------------------


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


def of_the_scene(
    part: Callable[[P, F], P | None], whole: Callable[[Scene, F], Scene | None]
) -> Callable[[Scene, F], Scene | None]:
    """`whole` changes a scene as `part` changes one of its parts: it is called and annotated so."""
    name, *_ = part.__annotations__
    update_wrapper(whole, part)
    whole.__annotations__ = {**part.__annotations__, name: Scene, "return": Scene | None}
    return whole


def in_its_scope(change: Callable[[Fight, OneScope], Fight | None]) -> Callable[[Scene, OneScope], Scene | None]:
    """To the Mechanical Play of the Scope the fact names."""

    def whole(state: Scene, fact: OneScope) -> Scene | None:
        fight = state.fights.get(fact.scope)
        after = change(fight, fact) if fight is not None else None
        return keep_fight(state, fact.scope, after) if after is not None else None

    return of_the_scene(change, whole)


def in_its_fight(change: Callable[[Fight, OnePersona], Fight | None]) -> Callable[[Scene, OnePersona], Scene | None]:
    """To the Mechanical Play in which the Persona stands."""

    def whole(state: Scene, fact: OnePersona) -> Scene | None:
        scope = state.scope_of(fact.persona)
        after = change(state.fights[scope], fact) if scope is not None else None
        return keep_fight(state, scope, after) if scope is not None and after is not None else None

    return of_the_scene(change, whole)


def in_its_standing(change: Callable[[Standing, OnePersona], Standing]) -> Callable[[Scene, OnePersona], Scene | None]:
    """To what the Persona did and owes in the Mechanical Play in which it stands."""

    def whole(state: Scene, fact: OnePersona) -> Scene | None:
        scope = state.scope_of(fact.persona)
        if scope is None:
            return None
        fight = state.fights[scope]
        standing = change(fight.standing[fact.persona], fact)
        return keep_fight(state, scope, changed(fight, standing={**fight.standing, fact.persona: standing}))

    return of_the_scene(change, whole)


def keep_fight(state: Scene, scope: str, fight: Fight) -> Scene:
    return with_fights(state, {**state.fights, scope: fight})


def notice(one: Resolution, id: str, reaction: Reaction) -> Resolution:
    stance: Stance = "obliged" if reaction.mib >= 0 else "passive"
    return changed(one, reactions={**one.reactions, id: reaction}, engaged={**one.engaged, id: stance})


def without_resolution(state: Scene, id: str) -> Scene:
    return changed(state, resolutions={other: one for other, one in state.resolutions.items() if other != id})


class OfAResolution(Protocol):
    @property
    def resolution(self) -> str: ...


OneResolution = TypeVar("OneResolution", bound=OfAResolution)
_with_resolutions = changing(Scene, "resolutions")
_with_sides = changing(Resolution, "sides")


def in_its_resolution(
    change: Callable[[Resolution, OneResolution], Resolution | None],
) -> Callable[[Scene, OneResolution], Scene | None]:
    """To the resolution the fact names, while it is open."""

    def whole(state: Scene, fact: OneResolution) -> Scene | None:
        one = state.resolutions.get(fact.resolution)
        after = change(one, fact) if one is not None else None
        return keep_resolution(state, fact.resolution, after) if after is not None else None

    return of_the_scene(change, whole)


def keep_resolution(state: Scene, id: str, one: Resolution) -> Scene:
    return _with_resolutions(state, {**state.resolutions, id: one})


def put_side(one: Resolution, name: str, side: Side) -> Resolution:
    return _with_sides(one, {**one.sides, name: side})


# --- arithmetic -------------------------------------------------------------------------------------------------------


def opposers(one: Resolution) -> tuple[str, ...]:
    """The Resistors who roll."""
    return tuple(name for name in one.sides if name != ACTOR)


def modified(one: Resolution, name: str) -> int:
    """The Rating with everything that was fixed with the Opportunity Phase."""
    side = one.sides[name]
    return side.rating + side.modifier + one.situation.get(name, 0)


def basic(one: Resolution, name: str) -> int:
    """A plot device, or dice in place of the roll, are Experience Dice alone."""
    side = one.sides[name]
    if one.actor is None or side.replaced:
        return side.experience
    return modified(one, name) - sum(side.dice) + side.experience


def resultant(actor: int, resistor: int) -> int:
    """A Resistor who missed is not subtracted."""
    return actor - resistor if resistor >= 0 else actor


def raised(one: Resolution, name: str) -> int:
    """The basic MIB with its Challenges."""
    return basic(one, name) + one.sides[name].challenges


def altered(one: Resolution, name: str) -> int:
    """And without its Benefits."""
    return raised(one, name) - one.sides[name].benefits


def lead(one: Resolution, resistor: str, adjusting: Adjusting) -> int:
    """The RMIB against this Resistor after all Challenges, before any Benefit."""
    if adjusting == "rmib":
        bought = one.sides[ACTOR].challenges - one.sides[resistor].challenges
        return resultant(basic(one, ACTOR), basic(one, resistor)) + bought
    return resultant(raised(one, ACTOR), raised(one, resistor))


def final(one: Resolution, resistor: str | None, adjusting: Adjusting) -> int:
    """The MIB, or the RMIB against this Resistor, after everything: `apply.contested`."""
    if resistor is None:
        return altered(one, ACTOR)
    if adjusting == "rmib":
        return lead(one, resistor, adjusting) - one.sides[ACTOR].benefits + one.sides[resistor].benefits
    return resultant(altered(one, ACTOR), altered(one, resistor))


def reached(one: Resolution, resistor: str | None, cj: int, adjusting: Adjusting, resistors: bool) -> Reached:
    """The cap, and what a Resistor has of it: `apply.automatic-benefit`, `contest.resistor-results`.

    `resistors`: whether Resistors have results of their own at all.
    """
    adjusted = final(one, resistor, adjusting)
    number, extra = None, 0
    if resistor is not None and adjusted < 0 and resistors:
        own = basic(one, resistor) if adjusting == "rmib" else altered(one, resistor)
        if own >= 0:
            number, extra = min(-adjusted, cj), max(0, -adjusted - cj)
    return Reached(resistor, adjusted, min(adjusted, cj), max(0, adjusted - cj), number, extra)
