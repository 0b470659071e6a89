"""What facts do to Mechanical Play: each Scope's by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ledger.rules.kernel.frozen import changed
from ledger.rules.scattershot.facts_of_deeds import AdvantageConverted
from ledger.rules.scattershot.facts_of_fights import (
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
    TurnEnded,
    TurnStarted,
)
from ledger.rules.scattershot.state import Fight, Flurry, Scene, Standing


def _keep(was: Scene, scope: str, fight: Fight) -> Scene:
    return changed(was, fights={**was.fights, scope: fight})


def played_out(was: Scene, id: str) -> Scene:
    """A step of this Character's Flurry, as an Action or an answer."""
    scope = was.scope_of(id)
    flurry = was.fights[scope].flurry if scope is not None else None
    if scope is None or flurry is None:
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


Change: TypeAlias = Callable[[Fight, Any], Fight | None]


def _in_scope(change: Change) -> Callable[[Scene, Any], Scene | None]:
    """To the Mechanical Play of the Scope the fact names."""

    def changes(was: Scene, done: Any) -> Scene | None:
        fight = was.fights.get(done.scope)
        after = change(fight, done) if fight is not None else None
        return _keep(was, done.scope, after) if after is not None else None

    return changes


def _with(whose: str, change: Change) -> Callable[[Scene, Any], Scene | None]:
    """To the Mechanical Play in which the Character stands whom the fact names so."""

    def changes(was: Scene, done: Any) -> Scene | None:
        scope = was.scope_of(getattr(done, whose))
        after = change(was.fights[scope], done) if scope is not None else None
        return _keep(was, scope, after) if scope is not None and after is not None else None

    return changes


def _stands(fight: Fight, id: str, **new: Any) -> Fight | None:
    standing = fight.standing.get(id)
    if standing is None:
        return None
    return changed(fight, standing={**fight.standing, id: changed(standing, **new)})


def _turn_started(was: Scene, done: TurnStarted) -> Scene | None:
    after = _with("persona", _takes_turn)(was, done)
    return changed(after, speaker=done.player) if after is not None else None


def _takes_turn(fight: Fight, done: TurnStarted) -> Fight:
    ready = changed(fight.standing[done.persona], forfeited=0, taken=True, all_out=None)
    return changed(fight, turn=done.persona, standing={**fight.standing, done.persona: ready})


def _joined(fight: Fight, done: MechanicalPlayJoined) -> Fight:
    new = Standing(taken=done.waits)
    return changed(fight, order=done.order, standing={**fight.standing, done.character: new})


def _left(fight: Fight, done: MechanicalPlayLeft) -> Fight:
    standing = {id: one for id, one in fight.standing.items() if id != done.character}
    return changed(fight, standing=standing, turn=None if fight.turn == done.character else fight.turn)


def _turn_ended(fight: Fight, done: TurnEnded) -> Fight | None:
    return changed(fight, turn=None) if fight.turn == done.persona else None


def _round_ended(fight: Fight, done: RoundEnded) -> Fight:
    standing = {id: changed(one, taken=False, free=(), refreshed=False) for id, one in fight.standing.items()}
    return changed(fight, standing=standing, round=fight.round + 1, turn=None)


def _same(fight: Fight, done: Any) -> Fight:
    return fight


def _forfeited(fight: Fight, done: ActionForfeited) -> Fight | None:
    standing = fight.standing.get(done.persona)
    return _stands(fight, done.persona, forfeited=standing.forfeited + 1) if standing is not None else None


def _free(fight: Fight, done: FreeActionTaken) -> Fight | None:
    standing = fight.standing.get(done.persona)
    return _stands(fight, done.persona, free=(*standing.free, done.kind)) if standing is not None else None


def _refreshed(fight: Fight, done: FreeCapacityRestored) -> Fight | None:
    return _stands(fight, done.persona, free=(), refreshed=True)


def _all_out(fight: Fight, done: AllOutDeclared) -> Fight | None:
    return _stands(fight, done.persona, all_out=done.mode)


def _flurry(fight: Fight, done: FlurryStarted) -> Fight:
    return changed(fight, flurry=Flurry(done.persona, done.foe, done.script, done.limit))


def _stepped(fight: Fight, done: FlurryStepped) -> Fight | None:
    flurry = fight.flurry
    return changed(fight, flurry=changed(flurry, steps=flurry.steps + 1, deeds=0)) if flurry is not None else None


def _flurry_ended(fight: Fight, done: FlurryEnded) -> Fight | None:
    return changed(fight, flurry=changed(fight.flurry, ended=done.by)) if fight.flurry is not None else None


def _foe(fight: Fight, done: FoeChanged) -> Fight | None:
    return _stands(fight, done.persona, foe=done.to)


BY_PERSONA: Mapping[type[Any], Change] = {
    TurnEnded: _turn_ended,
    ActionExpended: _same,
    ActionForfeited: _forfeited,
    FreeActionTaken: _free,
    FreeCapacityRestored: _refreshed,
    AllOutDeclared: _all_out,
    FlurryStarted: _flurry,
    FoeChanged: _foe,
}
BY_HOLDER = (
    AdvantageSeized, AdvantageHeld, AdvantageChecked, AdvantageErased,
    AdvantageConverted,
)  # fmt: skip
BY_SCOPE: Mapping[type[Any], Change] = {
    MechanicalPlayGoesOn: _same,
    MechanicalPlayJoined: _joined,
    MechanicalPlayLeft: _left,
    RoundEnded: _round_ended,
    FlurryStepped: _stepped,
    FlurryEnded: _flurry_ended,
}
TO_A_FIGHT: Mapping[type[Any], Callable[[Scene, Any], Scene | None]] = {
    MechanicalPlayCalled: _called,
    MechanicalPlayEnded: _ended,
    TurnStarted: _turn_started,
    **{kind: _with("persona", change) for kind, change in BY_PERSONA.items()},
    **{kind: _with("holder", _same) for kind in BY_HOLDER},
    **{kind: _in_scope(change) for kind, change in BY_SCOPE.items()},
}
