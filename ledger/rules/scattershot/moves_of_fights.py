"""What can be declared in Mechanical Play: who stands in it, Turns and Rounds, Actions, Flurries."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Move, Some
from ledger.rules.scattershot.actions import check_engaged
from ledger.rules.scattershot.acts import is_all_out
from ledger.rules.scattershot.at_hand import NO, SAID, YES, AtHand, grouped
from ledger.rules.scattershot.flurries import interrupts
from ledger.rules.scattershot.inputs_of_fights import (
    AcceptFreeAction,
    CallMechanicalPlay,
    EndMechanicalPlay,
    EndRound,
    EndTurn,
    ExpendAction,
    ForfeitAction,
    GoAllOut,
    InterruptFlurry,
    JoinMechanicalPlay,
    LeaveMechanicalPlay,
    RestoreFreeActions,
    ShiftScope,
    StartFlurry,
    StartTurn,
    StepFlurry,
    TakeFreeAction,
)
from ledger.rules.scattershot.means import able, fit, free_kinds, refuses
from ledger.rules.scattershot.melee import is_anothers_turn, last_step_of, next_player
from ledger.rules.scattershot.moves_of_advantage import of_advantage
from ledger.rules.scattershot.state import Fight, Flurry, Scene
from ledger.rules.scattershot.tables import ACTIONS_A_TURN, MOST_FORFEITS, SCOPES

TURN = "scattershot.mech.order"
CALLED_FOR = ("asked", "obliged", "opposing")


def of_fights(at: AtHand) -> Iterator[Move]:
    yield Move(AcceptFreeAction, {"action": SAID, "claimed": NO})
    if at.rules:
        yield Move(AcceptFreeAction, {"action": SAID, "claimed": YES, "reason": SAID})
    if at.scene is None:
        return
    yield from _called(at, at.scene)
    for fight in at.fights.values():
        yield from _turns(at, fight)
        yield from _ended(at, fight)
        yield from _shifted(at, fight)
        yield from _joined(at, fight)
        yield from _actions(at, fight)
        yield from _all_out(at, fight)
        yield from _flurries(at, at.scene, fight)
        yield from of_advantage(at, fight)


def _scope(at: AtHand, fight: Fight) -> Among:
    """It need not be said where there is but one."""
    return Among((None, fight.scope)) if len(at.fights) == 1 else Among((fight.scope,))


def _most(at: AtHand, scope: str) -> int | None:
    """`mech.scope`: how many may stand in it."""
    limited = scope == "individual" and at.dials.scope_shift == "required"
    return 2 * len(at.group) - 1 if limited else None


# --- who stands in it ------------------------------------------------------------------------------------------------


def _called(at: AtHand, scene: Scene) -> Iterator[Move]:
    """`mech.initiative`: of those who stand in no other, in a Scope in which nobody plays."""
    free = tuple(id for id in at.open if at.fight_of(id) is None)
    if scene.mode == "solo" or not free:
        return
    small = _most(at, "individual")
    wide = tuple(scope for scope in SCOPES if scope not in scene.fights and (scope != "individual" or small is None))
    for caller, said in at.players_spoken_for(at.group):
        fields: dict[str, Domain] = {"caller": said, "melee": OPEN}
        if small is not None and small >= 1 and "individual" not in scene.fights:
            among = Some(Among(free), 1, min(small, len(free)))
            yield Move(CallMechanicalPlay, {**fields, "scope": Among(("individual",)), "characters": among}, of=caller)
        if wide:
            among = Some(Among(free), 1)
            yield Move(CallMechanicalPlay, {**fields, "scope": Among(wide), "characters": among}, of=caller)


def _joined(at: AtHand, fight: Fight) -> Iterator[Move]:
    """`mech.join`: not who is still to answer."""
    most = _most(at, fight.scope)
    free = at.mine(id for id in at.open if at.fight_of(id) is None)
    if free and (most is None or len(fight.standing) < most):
        yield Move(JoinMechanicalPlay, {"character": Among(free), "scope": _scope(at, fight)})
    deeds = at.scene.resolutions.values() if at.scene is not None else ()
    asked = {id for one in deeds for id, stance in one.engaged.items() if stance in ("asked", "obliged")}
    if leaving := at.mine(id for id in fight.standing if id not in asked):
        yield Move(LeaveMechanicalPlay, {"character": Among(leaving)})


def _shifted(at: AtHand, fight: Fight) -> Iterator[Move]:
    """`mech.scope`: to a Scope in which nobody plays, large enough for who stands in it."""
    small = _most(at, "individual")
    fits = small is None or len(fight.standing) <= small
    free = tuple(one for one in SCOPES if one not in at.fights and (fits or one != "individual"))
    if free and (at.rules or fight.caller == at.by):
        yield Move(ShiftScope, {"to": Among(free), "scope": _scope(at, fight)})


def _ended(at: AtHand, fight: Fight) -> Iterator[Move]:
    """`mech.end`: what the others said a Gamemaster can record."""
    fields: dict[str, Domain] = {"mode": Among(("general", "specific")), "scope": _scope(at, fight)}
    yield Move(EndMechanicalPlay, {**fields, "claimed": NO})
    if at.rules:
        yield Move(EndMechanicalPlay, {**fields, "claimed": YES, "reason": SAID})


def _turns(at: AtHand, fight: Fight) -> Iterator[Move]:
    """`mech.order`: whose Turn it is, with any of their Personae; then the Round ends.

    While a resolution of theirs is open, that is what is waited for: the Turn can still be ended.
    """
    if fight.turn is not None:
        if last_step_of(at.draft, fight) is not None:
            return
        deeds = at.scene.resolutions.values() if at.scene is not None else ()
        awaits = None if any(one.actor == fight.turn and one.phase != "closed" for one in deeds) else TURN
        yield Move(EndTurn, {"character": Among((fight.turn,))}, awaits, fight.turn, at.speak_for(fight.turn))
        return
    whose = next_player(at.draft, fight)
    if whose is None:
        yield Move(EndRound, {"scope": _scope(at, fight)}, TURN)
        return
    for id, one in fight.standing.items():
        if not one.taken and at.draft.owner(id) == whose:
            yield Move(StartTurn, {"character": Among((id,))}, TURN, id, at.speak_for(id))


# --- Actions ---------------------------------------------------------------------------------------------------------


def _actions(at: AtHand, fight: Fight) -> Iterator[Move]:
    """`mech.actions`, `mech.free`, `mech.forfeit`"""
    mine = at.mine(fight.standing)
    if fight.turn is not None and fight.turn in mine:
        yield from _expended(at, fight, fight.turn)
    for kinds, those in grouped(mine, lambda id: free_kinds(at, fight.standing[id]) or None):
        yield Move(TakeFreeAction, {"character": those, "action": Among(kinds)})
    for id, one in at.scene.resolutions.items() if at.scene is not None else ():
        engaged = (who for who in mine if one.phase != "closed" and one.engaged.get(who) in CALLED_FOR)
        if able := tuple(who for who in engaged if _can_forfeit(at, fight, who)):
            yield Move(ForfeitAction, {"character": Among(able), "resolution": Among((id,))})


def _can_forfeit(at: AtHand, fight: Fight, id: str) -> bool:
    return is_anothers_turn(at.draft, id) and fight.standing[id].forfeited < MOST_FORFEITS


def _expended(at: AtHand, fight: Fight, id: str) -> Iterator[Move]:
    """Of one's own Turn: a running move, whatever else takes no roll; one for a second cycle of Free Actions."""
    left, standing = min(ACTIONS_A_TURN, at.actions_left(id)), fight.standing[id]
    if left < 1:
        return
    fields: dict[str, Domain] = {"character": Among((id,)), "cost": Between(1, left)}
    fitting = fit(standing, id, ("movement", "other"), "action")
    if "other" in fitting:
        yield Move(ExpendAction, fields)
    elif fitting:
        yield Move(ExpendAction, {**fields, "what": Among(("move",))})
    if not standing.refreshed:
        yield Move(RestoreFreeActions, {"character": Among((id,))})


def _all_out(at: AtHand, fight: Fight) -> Iterator[Move]:
    """`mech.all-out`: focusing on somebody."""
    foes = tuple(id for each in at.fights.values() for id in each.standing)
    for modes, those in grouped(at.mine(fight.standing), lambda id: _modes(fight, id) or None):
        yield Move(GoAllOut, {"character": those, "mode": Among(modes), "foe": Among((None, *foes))})
    focused = at.mine(id for id in fight.standing if fight.standing[id].all_out != "defense")
    if focused:
        yield Move(GoAllOut, {"character": Among(focused), "mode": Among(("focusing",)), "foe": Among(foes)})
    for id in at.mine(fight.standing):
        yield from _all_out_by_act(at, fight, id, foes)


def _all_out_by_act(at: AtHand, fight: Fight, id: str, foes: tuple[str, ...]) -> Iterator[Move]:
    """`mech.all-out`: with the open resolution in which it does so."""
    deeds = at.scene.resolutions if at.scene is not None else {}
    for mode in _modes(fight, id):
        acts = tuple(act for act, one in deeds.items() if is_all_out(one, id, mode, None))
        if acts:
            fields: dict[str, Domain] = {"character": Among((id,)), "mode": Among((mode,)), "act": Among(acts)}
            yield Move(GoAllOut, {**fields, "foe": Among((None, *foes))})
    for foe in foes if fight.standing[id].all_out != "defense" else ():
        acts = tuple(act for act, one in deeds.items() if is_all_out(one, id, "focusing", foe))
        if acts:
            focusing = {"character": Among((id,)), "mode": Among(("focusing",)), "act": Among(acts)}
            yield Move(GoAllOut, {**focusing, "foe": Among((foe,))})


def _modes(fight: Fight, id: str) -> tuple[str, ...]:
    return fit(fight.standing[id], id, ("attack", "defense"), "action")


# --- Flurries --------------------------------------------------------------------------------------------------------


def _flurries(at: AtHand, scene: Scene, fight: Fight) -> Iterator[Move]:
    """`mech.flurry`: begun by who can pay for it; a step of its script; interrupted by whoever does."""
    flurry = fight.flurry
    if flurry is not None and flurry.ended is None:
        scope = _scope(at, fight)
        if payers := tuple(id for id in at.mine(fight.standing) if _can_interrupt(at, scene, fight, flurry, id)):
            yield Move(InterruptFlurry, {"scope": scope, "character": Among(payers)})
        acted = [id for id, one in scene.resolutions.items() if interrupts(one, fight) and at.mine((one.actor or "",))]
        if acted:
            anybody: Domain = Among((None, *at.known))
            yield Move(InterruptFlurry, {"scope": scope, "character": anybody, "resolution": Among(tuple(acted))})
        if flurry.steps < flurry.limit and at.mine((flurry.persona,)):
            yield Move(StepFlurry, {"step": Among(tuple(dict.fromkeys(flurry.script))), "scope": scope})
    if not fight.melee or at.dials.epic_index == 0:
        return
    begin = tuple(id for id in at.mine(fight.standing) if _can_begin(at, scene, fight, id))
    for id in begin if len(fight.standing) > 1 else ():
        foes = Among(tuple(foe for foe in fight.standing if foe != id))
        fields: dict[str, Domain] = {"character": Among((id,)), "foe": foes}
        listed = () if at.rules else tuple(name for name, one in at.draft.campaign().uses.items() if one.script)
        yield Move(StartFlurry, {**fields, "ability": Besides(listed), "script": Some(OPEN, 1, repeats=True)})
        for name in listed:
            if own := _script_of(at, id, name):
                yield Move(StartFlurry, {**fields, "ability": Among((name,)), "script": Among((own,))})
        if abilities := _scripted(at, id):
            yield Move(StartFlurry, {**fields, "ability": Among(abilities), "script": Among(((),))})


def _can_interrupt(at: AtHand, scene: Scene, fight: Fight, flurry: Flurry, id: str) -> bool:
    """With an Action of its Turn; on another's, as one of the Flurry's two or Engaged, with one of the next."""
    if not fit(fight.standing[id], id, ("other",), "action"):
        return False
    if fight.turn == id:
        return at.actions_left(id) >= 1
    engaged = id in (flurry.persona, flurry.foe) or not refuses(check_engaged, id, *scene.resolutions.values())
    return engaged and _can_forfeit(at, fight, id)


def _script_of(at: AtHand, id: str, name: str) -> tuple[str, ...]:
    one = at.draft.who(id).ratings.get(name)
    return one.script if one is not None else ()


def _scripted(at: AtHand, id: str) -> tuple[str, ...]:
    return tuple(name for name, one in at.draft.who(id).ratings.items() if one.script)


def _can_begin(at: AtHand, scene: Scene, fight: Fight, id: str) -> bool:
    """With an Action of its Turn; on another's, Engaged, with one of the next."""
    standing = fight.standing[id]
    if "attack" not in able(at, id):
        return False
    if fight.turn == id:
        return bool(fit(standing, id, ("other",), "action")) and at.actions_left(id) >= 1
    engaged = not refuses(check_engaged, id, *scene.resolutions.values())
    return engaged and bool(fit(standing, id, ("defense",), "action")) and _can_forfeit(at, fight, id)
