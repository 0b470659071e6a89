"""Mechanical Play: Turns and Rounds, Actions, Free Actions, forfeits, Flurries, All-Out. 3.12."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import claimed, who_declines
from ledger.rules.scattershot.facts_of_characters import OffGuardSet
from ledger.rules.scattershot.facts_of_fights import (
    ActionExpended,
    ActionForfeited,
    AllOutDeclared,
    FlurryEnded,
    FreeActionAccepted,
    FreeActionDeclined,
    FreeActionTaken,
    FreeCapacityRestored,
    MechanicalPlayCalled,
    MechanicalPlayJoined,
    MechanicalPlayLeft,
    RoundEnded,
    TurnEnded,
    TurnStarted,
)
from ledger.rules.scattershot.facts_of_play import PlayModeShifted
from ledger.rules.scattershot.foes import turn_to
from ledger.rules.scattershot.game import counted, end_fight, lull, may_end
from ledger.rules.scattershot.ground import Ruling, no
from ledger.rules.scattershot.inputs_of_fights import (
    AcceptFreeAction,
    CallMechanicalPlay,
    EndMechanicalPlay,
    EndRound,
    EndTurn,
    ExpendAction,
    ForfeitAction,
    GoAllOut,
    JoinMechanicalPlay,
    LeaveMechanicalPlay,
    RestoreFreeActions,
    StartTurn,
    TakeFreeAction,
)
from ledger.rules.scattershot.state import Fight, Resolution, Standing
from ledger.rules.scattershot.tables import ACTIONS_A_TURN, FREE_ACTIONS, LAST_DITCH_DODGE, MOST_FORFEITS, SCOPES
from ledger.rules.scattershot.terms import Mode


def call(ruling: Ruling, do: CallMechanicalPlay) -> None:
    """`mech.initiative`, `mech.order`, `mech.scope`: one in each Scope, one beside another."""
    caller = ruling.player(do.caller)
    scene = ruling.scene()
    scope = _scope(do.scope)
    if scope in scene.fights:
        raise no("mech.initiative", "not-in-mechanical-play", scope=scope)
    if scene.mode == "solo":
        raise no("play.solo", "not-in-solo-play")
    for id in do.characters:
        _check_free(ruling, id, "mech.scope")
    if not do.characters or len(set(do.characters)) != len(do.characters):
        raise no("mech.scope", "not-in-this-scene", characters=list(do.characters))
    too_small = _check_scope(ruling, scope, len(do.characters))
    order = to_the_right(ruling.group(), caller)
    ruling.here(MechanicalPlayCalled(caller, do.characters, order, scope, do.melee, too_small))
    ruling.by("mech.initiative", caller)
    ruling.by("mech.order", list(order))
    ruling.by("play.mechanical", "mechanical", before=scene.mode)


def _scope(name: str) -> str:
    scope = name.strip().lower()
    if scope not in SCOPES:
        raise no("mech.scope", "bad-number", scope=name)
    return scope


def _check_free(ruling: Ruling, id: str, rule: str) -> None:
    """Refuses `unknown-character`, `not-in-this-scene` of who is retired, `already-in-mechanical-play`."""
    ruling.who(id)
    if not ruling.is_open_character(id):
        raise no(rule, "not-in-this-scene", character=id)
    if ruling.fight(id) is not None:
        raise no(rule, "already-in-mechanical-play", character=id)


def _check_scope(ruling: Ruling, scope: str, characters: int) -> bool:
    """`mech.scope`: whether they are too many for single persons. Refuses `scope-too-small` where that is no advice."""
    players = len(ruling.group())
    too_small = characters >= 2 * players and scope == "individual"
    if too_small and ruling.dials.scope_shift == "required":
        raise no("mech.scope", "scope-too-small", characters=characters, players=players)
    ruling.by("mech.scope", scope, characters=characters, players=players)
    return too_small


def to_the_right(clockwise: tuple[str, ...], caller: str) -> tuple[str, ...]:
    """The caller, then each to the right of the one before: counter-clockwise."""
    place = clockwise.index(caller) if caller in clockwise else 0
    return tuple(clockwise[(place - step) % len(clockwise)] for step in range(len(clockwise)))


def fight_at(ruling: Ruling, scope: str | None, rule: str) -> Fight:
    """Of this Scope, or the only one. Refuses `which-scope`, `not-your-turn` where there is none."""
    fights = ruling.fights()
    if scope is None and len(fights) > 1:
        raise no(rule, "which-scope", scopes=list(fights))
    found = fights.get(_scope(scope)) if scope is not None else next(iter(fights.values()), None)
    if found is None:
        raise no(rule, "not-your-turn", scope=scope)
    return found


def fight_of(ruling: Ruling, id: str, rule: str = "mech.order") -> Fight:
    """In which the Character stands. Refuses `not-your-turn` outside Mechanical Play, `not-in-this-scene`."""
    if not ruling.fights():
        raise no(rule, "not-your-turn")
    fight = ruling.fight(id)
    if fight is None:
        raise no(rule, "not-in-this-scene", character=id)
    return fight


def standing_of(ruling: Ruling, id: str, rule: str = "mech.order") -> Standing:
    """Refuses as `fight_of`."""
    return fight_of(ruling, id, rule).standing[id]


def is_anothers_turn(ruling: Ruling, id: str) -> bool:
    """Whether somebody else's Turn is open, in whatever Scope, and not one's own."""
    turns = {fight.turn for fight in ruling.fights().values() if fight.turn is not None}
    return bool(turns) and id not in turns


# --- joining and leaving ---------------------------------------------------------------------------------------------


def join(ruling: Ruling, do: JoinMechanicalPlay) -> None:
    """`mech.join`: its Player's place is where it would have been from the beginning; has it passed, it waits."""
    rule = "mech.join"
    owner = ruling.must_play(do.character, rule)
    if ruling.fight(do.character) is not None:
        raise no(rule, "already-in-mechanical-play", character=do.character)
    fight = fight_at(ruling, do.scope, rule)
    _check_free(ruling, do.character, rule)
    _check_scope(ruling, fight.scope, len(fight.standing) + 1)
    order = fight.order
    if owner not in order:
        order = to_the_right(tuple(id for id in ruling.players() if id in (*order, owner)), fight.caller)
    later = order[order.index(owner) + 1 :]
    waits = any(one.taken and ruling.owner(id) in later for id, one in fight.standing.items())
    ruling.here(MechanicalPlayJoined(do.character, fight.scope, order, waits))
    ruling.by(rule, list(order), character=do.character, waits=waits)


def leave(ruling: Ruling, do: LeaveMechanicalPlay) -> None:
    """`mech.join`: what was counted of it goes with it; for who leaves it is a lull. With the last one it ends."""
    rule, id = "mech.join", do.character
    ruling.must_play(id, rule)
    fight = fight_of(ruling, id, rule)
    if any(one.engaged.get(id) in ("asked", "obliged") for one in ruling.scene().resolutions.values()):
        raise no("engage.player", "resistor-has-not-answered", character=id)
    flurry = fight.flurry
    if flurry is not None and flurry.ended is None and id in (flurry.persona, flurry.foe):
        ruling.here(FlurryEnded("interruption", fight.scope))
    others = [other for other in fight.standing if other != id]
    if not others:
        end_in(ruling, fight, "specific")
        return
    gone = counted(ruling, (id,), others)
    if fight.standing[id].all_out == "focusing":
        ruling.about(id, OffGuardSet((), None))
    ruling.here(MechanicalPlayLeft(id, fight.scope), *gone)
    lull(ruling, id)
    ruling.by(rule, others, character=id)


# --- Turns and Rounds ------------------------------------------------------------------------------------------------


def next_player(ruling: Ruling, fight: Fight) -> str | None:
    """Whose Turn it is: the first in the order with a Persona that had no Turn this Round."""
    waiting = [ruling.owner(id) for id, one in fight.standing.items() if not one.taken and ruling.is_open_character(id)]
    return next((player for player in (*fight.order, *waiting) if player in waiting), None)


def start_turn(ruling: Ruling, do: StartTurn) -> None:
    """`mech.order`: the Player whose it is, with any of their Personae; `mech.actions`: 2, less what was forfeited."""
    owner = ruling.must_play(do.character, "mech.order")
    fight = fight_of(ruling, do.character)
    standing = fight.standing[do.character]
    if fight.turn is not None:
        raise no("mech.order", "another-turn-is-open", turn=fight.turn)
    if standing.taken:
        raise no("mech.order", "turn-already-taken", character=do.character)
    whose = next_player(ruling, fight)
    if whose != owner:
        raise no("mech.order", "not-your-turn", player=owner, whose=whose)
    actions = max(0, ACTIONS_A_TURN - standing.forfeited)
    account = accounts.actions(ruling.place().id, do.character)
    ruling.here(TurnStarted(do.character, owner, actions), accounts.gained(account, actions))
    if standing.all_out == "focusing":
        ruling.about(do.character, OffGuardSet((), None))
    ruling.by("mech.order", owner, persona=do.character)
    ruling.by("mech.actions", actions, forfeited=standing.forfeited)


def end_turn(ruling: Ruling, do: EndTurn) -> None:
    ruling.must_play(do.character, "mech.order")
    if fight_of(ruling, do.character).turn != do.character:
        raise no("mech.order", "not-your-turn", character=do.character)
    account = accounts.actions(ruling.place().id, do.character)
    left = ruling.balance(account)
    ruling.here(TurnEnded(do.character), accounts.lost(account, left))
    ruling.by("mech.actions", 0, lost=left)


def end_round(ruling: Ruling, do: EndRound) -> None:
    fight = fight_at(ruling, do.scope, "mech.order")
    if fight.turn is not None:
        raise no("mech.order", "another-turn-is-open", turn=fight.turn)
    if next_player(ruling, fight) is not None:
        raise no("mech.order", "turns-outstanding", whose=next_player(ruling, fight))
    ruling.here(RoundEnded(fight.round, fight.scope))
    ruling.by("mech.order", fight.round)


def end(ruling: Ruling, do: EndMechanicalPlay) -> Asking[None]:
    """`mech.end`: by the Group, or the caller; a lull, for its Scope only."""
    if do.mode not in ("general", "specific"):
        raise no("mech.end", "not-in-mechanical-play", mode=do.mode)
    fight = fight_at(ruling, do.scope, "mech.end")
    if (yield from may_end(ruling, (fight,), do)):
        end_in(ruling, fight, "general" if do.mode == "general" else "specific")


def end_in(ruling: Ruling, fight: Fight, mode: Mode) -> None:
    """It goes on in no other Scope: what is played from then on."""
    end_fight(ruling, fight)
    if not ruling.fights():
        ruling.here(PlayModeShifted("mechanical", mode, "a lull"))


# --- Actions ---------------------------------------------------------------------------------------------------------


def expend(ruling: Ruling, id: str, cost: object, what: str, nature: str = "other") -> None:
    """Actions of one's own Turn. Refuses `not-your-turn`, `all-out`, `bad-number`, `no-actions-left`."""
    fight = fight_of(ruling, id)
    standing = fight.standing[id]
    if fight.turn != id:
        raise no("mech.instantaneous", "not-your-turn", character=id)
    check_all_out(standing, id, nature)
    if type(cost) is not int or not 1 <= cost <= ACTIONS_A_TURN:
        raise no("mech.actions", "bad-number", cost=str(cost))
    account = accounts.actions(ruling.place().id, id)
    if ruling.balance(account) < cost:
        raise no("mech.actions", "no-actions-left", left=ruling.balance(account))
    ruling.here(ActionExpended(id, cost, what), accounts.lost(account, cost))
    ruling.by("mech.actions", ruling.balance(account), cost=cost)


def check_instantaneous(ruling: Ruling, id: str, name: str, pays: str) -> None:
    """`mech.instantaneous`: a Rating listed so is for one's own Turn, or for a Flurry, whatever else would pay."""
    listed = ruling.who(id).ratings.get(name)
    if listed is not None and listed.use == "instantaneous" and pays != "flurry" and fight_of(ruling, id).turn != id:
        raise no("mech.instantaneous", "not-your-turn", character=id, rating=name)
    ruling.by("mech.instantaneous", True, rating=name)


def check_all_out(standing: Standing, id: str, nature: str, pays: str = "action") -> None:
    """`mech.all-out`: no defense after All-Out Attack; nothing else but movement after All-Out Defense. What is free
    is no Action."""
    if standing.all_out == "defense" and pays != "free" and nature not in ("defense", "movement"):
        raise no("mech.all-out", "all-out", character=id)
    if standing.all_out == "attack" and nature == "defense":
        raise no("mech.all-out", "all-out", character=id)


def expend_action(ruling: Ruling, do: ExpendAction) -> None:
    """A running move, among others: as far as the table's Characters run."""
    ruling.must_play(do.character, "mech.actions")
    moves = do.what == "move"
    expend(ruling, do.character, do.cost, do.what, "movement" if moves else "other")
    if moves:
        ruling.by("mech.actions", ruling.dials.move_yards, yards=ruling.dials.move_yards)


def take_free(ruling: Ruling, id: str, kind: str, nature: str = "other") -> None:
    """`mech.free`: at any time in Mechanical Play; one the source lists, or the Group accepted.

    Refuses `not-a-free-action`, `free-action-limit`, `free-action-kind-limit`.
    """
    standing = standing_of(ruling, id, "mech.free")
    accepted = ruling.campaign().free_actions
    if kind not in accepted and (kind not in FREE_ACTIONS or nature == "attack"):
        raise no("mech.free", "not-a-free-action", kind=kind, accepted=[*FREE_ACTIONS, *accepted])
    if len(standing.free) >= ruling.dials.epic_index:
        raise no("mech.free", "free-action-limit", taken=len(standing.free))
    if kind == LAST_DITCH_DODGE:
        check_all_out(standing, id, "defense")
    if kind in standing.free and not ruling.dials.cinematic:
        raise no("mech.free", "free-action-kind-limit", kind=kind)
    ruling.here(FreeActionTaken(id, kind))
    ruling.by("mech.free", kind, character=id)


def accept_free_action(ruling: Ruling, do: AcceptFreeAction) -> Asking[None]:
    """`mech.free`: "any other act accepted" by the Group is one from then on. Refuses `not-a-free-action`."""
    rule, action = "mech.free", do.action.strip()
    if not action:
        raise no(rule, "not-a-free-action", kind=do.action)
    against = None
    if not claimed(ruling, rule, do):
        purpose = f"A Free Action from now on: {action}"
        against = yield from who_declines(ruling, ruling.group(), rule, "free-action", purpose)
    if against is None:
        ruling.campaign_wide(FreeActionAccepted(action, do.reason.strip() if do.claimed else ""))
    else:
        ruling.campaign_wide(FreeActionDeclined(action, against))
    ruling.by(rule, against is None, action=action)


def take_free_action(ruling: Ruling, do: TakeFreeAction) -> None:
    ruling.must_play(do.character, "mech.free")
    take_free(ruling, do.character, do.action)


def restore_free(ruling: Ruling, do: RestoreFreeActions) -> None:
    """`mech.free-refresh`: 1 Action of one's Turn, once a Round."""
    ruling.must_play(do.character, "mech.free-refresh")
    standing = standing_of(ruling, do.character, "mech.free-refresh")
    if fight_of(ruling, do.character).turn != do.character:
        raise no("mech.free-refresh", "not-your-turn", character=do.character)
    if standing.refreshed:
        raise no("mech.free-refresh", "refresh-already-used", character=do.character)
    expend(ruling, do.character, 1, "restoring Free Actions", "movement")
    ruling.here(FreeCapacityRestored(do.character))
    ruling.by("mech.free-refresh", 0, character=do.character)


def forfeit(ruling: Ruling, id: str, resolution: str) -> None:
    """`mech.forfeit`: on another's Turn, at most 2 before one's own."""
    standing = standing_of(ruling, id, "mech.forfeit")
    if not is_anothers_turn(ruling, id):
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=id)
    if standing.forfeited >= MOST_FORFEITS:
        raise no("mech.forfeit", "forfeits-exhausted", character=id)
    ruling.here(ActionForfeited(id, resolution))
    ruling.by("mech.forfeit", standing.forfeited + 1, character=id)


def check_engaged(id: str, *resolutions: Resolution) -> None:
    """Refuses `not-engaged-on-anothers-turn` unless one of these that is open calls for the Persona's response."""
    stances = [one.engaged.get(id) for one in resolutions if one.phase != "closed"]
    if not {"asked", "obliged", "opposing"}.intersection(stances):
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=id)


def forfeit_action(ruling: Ruling, do: ForfeitAction) -> None:
    """Beside an answer: for another Reactive Action against the same resolution."""
    ruling.must_play(do.character, "mech.forfeit")
    standing_of(ruling, do.character, "mech.forfeit")
    check_engaged(do.character, ruling.resolution(do.resolution))
    forfeit(ruling, do.character, do.resolution)


def go_all_out(ruling: Ruling, do: GoAllOut) -> None:
    """`mech.all-out`: until one's next Turn. Focusing leaves one Off-Guard to all but the foe."""
    ruling.must_play(do.character, "mech.all-out")
    standing = standing_of(ruling, do.character, "mech.all-out")
    check_all_out(standing, do.character, do.mode)
    if do.mode == "focusing" and do.foe is None:
        raise no("mech.all-out", "not-in-this-scene")
    if do.foe is not None:
        standing_of(ruling, do.foe, "mech.all-out")
    ruling.here(AllOutDeclared(do.character, do.mode, do.foe))
    if do.mode == "focusing" and do.foe is not None:
        ruling.about(do.character, OffGuardSet((), do.foe))
        turn_to(ruling, do.character, do.foe)
    elif standing.all_out == "focusing":
        ruling.about(do.character, OffGuardSet((), None))
    ruling.by("mech.all-out", do.mode, character=do.character)
