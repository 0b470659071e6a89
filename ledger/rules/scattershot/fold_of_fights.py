"""What facts do to Mechanical Play: each Scope's by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import Protocol, TypeVar

from ledger.rules.kernel.fold import Change
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.scattershot.facts_of_deeds import AdvantageConverted
from ledger.rules.scattershot.facts_of_fights import (
    ActDeclined,
    ActionExpended,
    ActionForfeited,
    AdvantageChecked,
    AdvantageErased,
    AdvantageHeld,
    AdvantageSeized,
    AllOutDeclared,
    FlurryEnded,
    FlurryStarted,
    FlurryStepped,
    FoeChanged,
    FreeActionTaken,
    FreeCapacityRestored,
    MechanicalPlayCalled,
    MechanicalPlayEnded,
    MechanicalPlayGoesOn,
    MechanicalPlayJoined,
    MechanicalPlayLeft,
    RoundEnded,
    ScopeShifted,
    TurnEnded,
    TurnStarted,
)
from ledger.rules.scattershot.state import Fight, Flurry, Scene, Standing

P = TypeVar("P")
F = TypeVar("F")


class OfAScope(Protocol):
    @property
    def scope(self) -> str: ...


class OfAPersona(Protocol):
    @property
    def persona(self) -> str: ...


_fighting = changing(Scene, "fights")
OneScope = TypeVar("OneScope", bound=OfAScope)
OnePersona = TypeVar("OnePersona", bound=OfAPersona)

# --- of which Mechanical Play ----------------------------------------------------------------------------------------


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

    def whole(was: Scene, done: OneScope) -> Scene | None:
        fight = was.fights.get(done.scope)
        after = change(fight, done) if fight is not None else None
        return _keep(was, done.scope, after) if after is not None else None

    return of_the_scene(change, whole)


def in_its_fight(change: Callable[[Fight, OnePersona], Fight | None]) -> Callable[[Scene, OnePersona], Scene | None]:
    """To the Mechanical Play in which the Persona stands."""

    def whole(was: Scene, done: OnePersona) -> Scene | None:
        scope = was.scope_of(done.persona)
        after = change(was.fights[scope], done) if scope is not None else None
        return _keep(was, scope, after) if scope is not None and after is not None else None

    return of_the_scene(change, whole)


def of_its_standing(change: Callable[[Standing, OnePersona], Standing]) -> Callable[[Scene, OnePersona], Scene | None]:
    """To what the Persona did and owes in the Mechanical Play in which it stands."""

    def whole(was: Scene, done: OnePersona) -> Scene | None:
        scope = was.scope_of(done.persona)
        if scope is None:
            return None
        fight = was.fights[scope]
        standing = change(fight.standing[done.persona], done)
        return _keep(was, scope, changed(fight, standing={**fight.standing, done.persona: standing}))

    return of_the_scene(change, whole)


def _keep(was: Scene, scope: str, fight: Fight) -> Scene:
    return _fighting(was, {**was.fights, scope: fight})


# --- beginning, ending, Turns ----------------------------------------------------------------------------------------


def played_out(was: Scene, id: str, nature: str) -> Scene:
    """A step of this Character's Flurry, as an Action or an answer; a defense of the foe is part of what it answers."""
    scope = was.scope_of(id)
    flurry = was.fights[scope].flurry if scope is not None else None
    if scope is None or flurry is None or (id == flurry.foe and nature != "attack"):
        return was
    return _keep(was, scope, changed(was.fights[scope], flurry=changed(flurry, deeds=flurry.deeds + 1)))


def _called(was: Scene, done: MechanicalPlayCalled) -> Scene:
    standing = {id: Standing() for id in done.characters}
    called = Fight(done.caller, done.order, done.scope, done.melee, standing)
    return changed(_keep(was, done.scope, called), mode="mechanical")


def _ended(was: Scene, done: MechanicalPlayEnded) -> Scene | None:
    if done.scope not in was.fights:
        return None
    return changed(was, fights={scope: fight for scope, fight in was.fights.items() if scope != done.scope})


@in_its_scope
def _goes_on(fight: Fight, done: MechanicalPlayGoesOn) -> Fight:
    return fight


@in_its_scope
def _joined(fight: Fight, done: MechanicalPlayJoined) -> Fight:
    kept = fight.away.get(done.character, Standing())
    standing = {**fight.standing, done.character: changed(kept, taken=done.waits)}
    away = {id: one for id, one in fight.away.items() if id != done.character}
    return changed(fight, order=done.order, standing=standing, away=away)


@in_its_scope
def _left(fight: Fight, done: MechanicalPlayLeft) -> Fight:
    standing = {id: one for id, one in fight.standing.items() if id != done.character}
    away = {**fight.away, done.character: fight.standing[done.character]}
    turn = None if fight.turn == done.character else fight.turn
    return changed(fight, standing=standing, away=away, turn=turn)


def _turn_started(was: Scene, done: TurnStarted) -> Scene | None:
    after = _takes_turn(was, done)
    return changed(after, speaker=done.player) if after is not None else None


@in_its_fight
def _takes_turn(fight: Fight, done: TurnStarted) -> Fight:
    ready = changed(fight.standing[done.persona], forfeited=0, taken=True, all_out=None)
    return changed(fight, turn=done.persona, standing={**fight.standing, done.persona: ready})


@in_its_fight
def _turn_ended(fight: Fight, done: TurnEnded) -> Fight | None:
    return changed(fight, turn=None) if fight.turn == done.persona else None


@in_its_scope
def _round_ended(fight: Fight, done: RoundEnded) -> Fight:
    standing = {id: changed(one, taken=False, free=(), refreshed=False) for id, one in fight.standing.items()}
    away = {id: changed(one, taken=False, free=(), refreshed=False) for id, one in fight.away.items()}
    return changed(fight, standing=standing, away=away, round=fight.round + 1, turn=None)


# --- Actions, Flurries, Combat Advantage -----------------------------------------------------------------------------


def _expended(was: Scene, done: ActionExpended) -> Scene | None:
    """Actions are counted in accounts."""
    return was if was.scope_of(done.persona) is not None else None


@of_its_standing
def _forfeited(standing: Standing, done: ActionForfeited) -> Standing:
    return changed(standing, forfeited=standing.forfeited + 1)


@of_its_standing
def _free(standing: Standing, done: FreeActionTaken) -> Standing:
    return changed(standing, free=(*standing.free, done.kind))


@of_its_standing
def _refreshed(standing: Standing, done: FreeCapacityRestored) -> Standing:
    return changed(standing, free=(), refreshed=True)


@of_its_standing
def _all_out(standing: Standing, done: AllOutDeclared) -> Standing:
    return changed(standing, all_out=done.mode)


@of_its_standing
def _foe(standing: Standing, done: FoeChanged) -> Standing:
    return changed(standing, foe=done.to)


@in_its_fight
def _flurry(fight: Fight, done: FlurryStarted) -> Fight:
    return changed(fight, flurry=Flurry(done.persona, done.foe, done.script, done.limit))


@in_its_scope
def _stepped(fight: Fight, done: FlurryStepped) -> Fight | None:
    flurry = fight.flurry
    return changed(fight, flurry=changed(flurry, steps=flurry.steps + 1, deeds=0)) if flurry is not None else None


@in_its_scope
def _flurry_ended(fight: Fight, done: FlurryEnded) -> Fight | None:
    return changed(fight, flurry=changed(fight.flurry, ended=done.by)) if fight.flurry is not None else None


def _advantage(
    was: Scene, done: AdvantageSeized | AdvantageHeld | AdvantageChecked | AdvantageErased | AdvantageConverted
) -> Scene | None:
    """Combat Advantages are counted in accounts."""
    return was if was.scope_of(done.holder) is not None else None


def _unruled(was: Scene, done: ActDeclined) -> Scene:
    """Only testimony."""
    return was


def _scope_shifted(was: Scene, done: ScopeShifted) -> Scene | None:
    """In its place among the others."""
    if done.from_ not in was.fights or done.to in was.fights:
        return None
    fights = {
        (done.to if scope == done.from_ else scope): (changed(fight, scope=done.to) if scope == done.from_ else fight)
        for scope, fight in was.fights.items()
    }
    return _fighting(was, fights)


OF_FIGHTS: Mapping[type[object], Change] = {
    MechanicalPlayCalled: _called,
    ScopeShifted: _scope_shifted,
    MechanicalPlayEnded: _ended,
    MechanicalPlayGoesOn: _goes_on,
    MechanicalPlayJoined: _joined,
    MechanicalPlayLeft: _left,
    TurnStarted: _turn_started,
    TurnEnded: _turn_ended,
    RoundEnded: _round_ended,
    ActionExpended: _expended,
    ActionForfeited: _forfeited,
    FreeActionTaken: _free,
    FreeCapacityRestored: _refreshed,
    AllOutDeclared: _all_out,
    FoeChanged: _foe,
    FlurryStarted: _flurry,
    FlurryStepped: _stepped,
    FlurryEnded: _flurry_ended,
    AdvantageSeized: _advantage,
    AdvantageHeld: _advantage,
    AdvantageChecked: _advantage,
    AdvantageErased: _advantage,
    AdvantageConverted: _advantage,
    ActDeclined: _unruled,
}
