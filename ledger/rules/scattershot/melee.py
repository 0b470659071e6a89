"""Mechanical Play: who stands in it, Turns and Rounds. 3.12."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import OffGuardSet
from ledger.rules.scattershot.facts_of_fights import (
    FlurryEnded,
    MechanicalPlayCalled,
    MechanicalPlayJoined,
    MechanicalPlayLeft,
    RoundEnded,
    ScopeShifted,
    TurnEnded,
    TurnStarted,
)
from ledger.rules.scattershot.facts_of_play import PlayModeShifted
from ledger.rules.scattershot.game import counted, end_fight, lull, may_end
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.inputs_of_fights import (
    CallMechanicalPlay,
    EndMechanicalPlay,
    EndRound,
    EndTurn,
    JoinMechanicalPlay,
    LeaveMechanicalPlay,
    ShiftScope,
    StartTurn,
)
from ledger.rules.scattershot.state import Fight, Standing
from ledger.rules.scattershot.tables import ACTIONS_A_TURN, SCOPES
from ledger.rules.scattershot.terms import Mode


def call(draft: Draft, do: CallMechanicalPlay) -> None:
    """`mech.initiative`, `mech.order`, `mech.scope`: one in each Scope, one beside another."""
    caller = draft.player(do.caller)
    scene = draft.scene()
    scope = _scope(do.scope)
    if scope in scene.fights:
        raise no("mech.initiative", "not-in-mechanical-play", scope=scope)
    if scene.mode == "solo":
        raise no("play.solo", "not-in-solo-play")
    for id in do.characters:
        _check_free(draft, id, "mech.scope")
    if not do.characters or len(set(do.characters)) != len(do.characters):
        raise no("mech.scope", "not-in-this-scene", characters=list(do.characters))
    too_small = _check_scope(draft, scope, len(do.characters))
    order = to_the_right(draft.group(), caller)
    draft.here(MechanicalPlayCalled(caller, do.characters, order, scope, do.melee, too_small))
    draft.by("mech.initiative", caller)
    draft.by("mech.order", list(order))
    draft.by("play.mechanical", "mechanical", before=scene.mode)


def shift_scope(draft: Draft, do: ShiftScope) -> None:
    """`mech.scope`: by its caller. Refuses `not-proprietor`, `not-in-mechanical-play`, `scope-too-small`."""
    fight, to = fight_at(draft, do.scope, "mech.scope"), _scope(do.to)
    if draft.table.by.role != "gm" and draft.table.by.seat != fight.caller:
        raise no("mech.scope", "not-proprietor", author=fight.caller)
    if to in draft.fights():
        raise no("mech.scope", "not-in-mechanical-play", scope=to)
    too_small = _check_scope(draft, to, len(fight.standing))
    draft.here(ScopeShifted(fight.scope, to, too_small))


def _scope(name: str) -> str:
    scope = name.strip().lower()
    if scope not in SCOPES:
        raise no("mech.scope", "bad-number", scope=name)
    return scope


def _check_free(draft: Draft, id: str, rule: str) -> None:
    """Refuses `unknown-character`, `not-in-this-scene` of who is retired, `already-in-mechanical-play`."""
    draft.who(id)
    if not draft.is_open_character(id):
        raise no(rule, "not-in-this-scene", character=id)
    if draft.fight(id) is not None:
        raise no(rule, "already-in-mechanical-play", character=id)


def _check_scope(draft: Draft, scope: str, characters: int) -> bool:
    """`mech.scope`: whether they are too many for single persons. Refuses `scope-too-small` where that is no advice."""
    players = len(draft.group())
    too_small = characters >= 2 * players and scope == "individual"
    if too_small and draft.dials.scope_shift == "required":
        raise no("mech.scope", "scope-too-small", characters=characters, players=players)
    draft.by("mech.scope", scope, characters=characters, players=players)
    return too_small


def to_the_right(clockwise: tuple[str, ...], caller: str) -> tuple[str, ...]:
    """The caller, then each to the right of the one before: counter-clockwise."""
    place = clockwise.index(caller) if caller in clockwise else 0
    return tuple(clockwise[(place - step) % len(clockwise)] for step in range(len(clockwise)))


def fight_at(draft: Draft, scope: str | None, rule: str) -> Fight:
    """Of this Scope, or the only one. Refuses `which-scope`, `not-your-turn` where there is none."""
    fights = draft.fights()
    if scope is None and len(fights) > 1:
        raise no(rule, "which-scope", scopes=list(fights))
    found = fights.get(_scope(scope)) if scope is not None else next(iter(fights.values()), None)
    if found is None:
        raise no(rule, "not-your-turn", scope=scope)
    return found


def fight_of(draft: Draft, id: str, rule: str = "mech.order") -> Fight:
    """In which the Character stands. Refuses `not-your-turn` outside Mechanical Play, `not-in-this-scene`."""
    if not draft.fights():
        raise no(rule, "not-your-turn", character=id)
    fight = draft.fight(id)
    if fight is None:
        raise no(rule, "not-in-this-scene", character=id)
    return fight


def standing_of(draft: Draft, id: str, rule: str = "mech.order") -> Standing:
    """Refuses as `fight_of`."""
    return fight_of(draft, id, rule).standing[id]


def is_anothers_turn(draft: Draft, id: str) -> bool:
    """Whether somebody else's Turn is open, in whatever Scope, and not one's own."""
    turns = {fight.turn for fight in draft.fights().values() if fight.turn is not None}
    return bool(turns) and id not in turns


# --- joining and leaving ---------------------------------------------------------------------------------------------


def join(draft: Draft, do: JoinMechanicalPlay) -> None:
    """`mech.join`: its Player's place is where it would have been from the beginning; has it passed, it waits.

    A Persona that comes back keeps the Turn it took in this Round, its Free Actions, its forfeits and its All-Out mode.
    """
    rule = "mech.join"
    owner = draft.must_play(do.character, rule)
    if draft.fight(do.character) is not None:
        raise no(rule, "already-in-mechanical-play", character=do.character)
    fight = fight_at(draft, do.scope, rule)
    _check_free(draft, do.character, rule)
    _check_scope(draft, fight.scope, len(fight.standing) + 1)
    order = fight.order
    if owner not in order:
        order = to_the_right(tuple(id for id in draft.players() if id in (*order, owner)), fight.caller)
    later = order[order.index(owner) + 1 :]
    kept = fight.away.get(do.character, Standing())
    waits = kept.taken or any(one.taken and draft.owner(id) in later for id, one in fight.standing.items())
    draft.here(MechanicalPlayJoined(do.character, fight.scope, order, waits))
    if kept.all_out == "focusing" and kept.foe is not None:
        draft.about(do.character, OffGuardSet((), kept.foe))
    draft.by(rule, list(order), character=do.character, waits=waits)


def leave(draft: Draft, do: LeaveMechanicalPlay) -> None:
    """`mech.join`: its Actions and Advantages go with it; for who leaves it is a lull. With the last one it ends."""
    rule, id = "mech.join", do.character
    draft.must_play(id, rule)
    fight = fight_of(draft, id, rule)
    if any(one.engaged.get(id) in ("asked", "obliged") for one in draft.scene().resolutions.values()):
        raise no("engage.player", "resistor-has-not-answered", character=id)
    flurry = fight.flurry
    if flurry is not None and flurry.ended is None and id in (flurry.persona, flurry.foe):
        draft.here(FlurryEnded("interruption", fight.scope))
    others = [other for other in fight.standing if other != id]
    if not others:
        end_in(draft, fight, "specific")
        return
    gone = counted(draft, (id,), others)
    if fight.standing[id].all_out == "focusing":
        draft.about(id, OffGuardSet((), None))
    draft.here(MechanicalPlayLeft(id, fight.scope), *gone)
    lull(draft, id)
    draft.by(rule, others, character=id)


# --- Turns and Rounds ------------------------------------------------------------------------------------------------


def next_player(draft: Draft, fight: Fight) -> str | None:
    """Whose Turn it is: the first in the order with a Persona that had no Turn this Round."""
    waiting = [draft.owner(id) for id, one in fight.standing.items() if not one.taken and draft.is_open_character(id)]
    return next((player for player in (*fight.order, *waiting) if player in waiting), None)


def start_turn(draft: Draft, do: StartTurn) -> None:
    """`mech.order`: the Player whose it is, with any of their Personae; `mech.actions`: 2, less what was forfeited."""
    owner = draft.must_play(do.character, "mech.order")
    fight = fight_of(draft, do.character)
    standing = fight.standing[do.character]
    if fight.turn is not None:
        raise no("mech.order", "another-turn-is-open", turn=fight.turn)
    if standing.taken:
        raise no("mech.order", "turn-already-taken", character=do.character)
    whose = next_player(draft, fight)
    if whose != owner:
        raise no("mech.order", "not-your-turn", player=owner, whose=whose)
    actions = max(0, ACTIONS_A_TURN - standing.forfeited)
    account = accounts.actions(draft.place().id, do.character)
    draft.here(TurnStarted(do.character, owner, actions), accounts.gained(account, actions))
    if standing.all_out == "focusing":
        draft.about(do.character, OffGuardSet((), None))
    draft.by("mech.order", owner, persona=do.character)
    draft.by("mech.actions", actions, forfeited=standing.forfeited)


def end_turn(draft: Draft, do: EndTurn) -> None:
    """Refuses `last-step-outstanding` while the last step of a Flurry is announced and not played out."""
    draft.must_play(do.character, "mech.order")
    fight = fight_of(draft, do.character)
    if fight.turn != do.character:
        raise no("mech.order", "not-your-turn", character=do.character)
    if last_step_of(draft, fight) is not None:
        raise no("mech.flurry", "last-step-outstanding", character=last_step_of(draft, fight))
    account = accounts.actions(draft.place().id, do.character)
    left = draft.balance(account)
    draft.here(TurnEnded(do.character), accounts.lost(account, left))
    draft.by("mech.actions", 0, lost=left)


def last_step_of(draft: Draft, fight: Fight) -> str | None:
    """Return who has announced the last step of its Flurry and is still to play it out; nobody who has left play."""
    flurry = fight.flurry
    is_due = flurry is not None and flurry.is_last_due and draft.is_open_character(flurry.persona)
    return flurry.persona if flurry is not None and is_due else None


def end_round(draft: Draft, do: EndRound) -> None:
    fight = fight_at(draft, do.scope, "mech.order")
    if fight.turn is not None:
        raise no("mech.order", "another-turn-is-open", turn=fight.turn)
    if next_player(draft, fight) is not None:
        raise no("mech.order", "turns-outstanding", whose=next_player(draft, fight))
    draft.here(RoundEnded(fight.round, fight.scope))
    draft.by("mech.order", fight.round)


def end(draft: Draft, do: EndMechanicalPlay) -> Asking[None]:
    """`mech.end`: by the Group, or the caller; a lull, for its Scope only."""
    if do.mode not in ("general", "specific"):
        raise no("mech.end", "not-in-mechanical-play", mode=do.mode)
    fight = fight_at(draft, do.scope, "mech.end")
    if (yield from may_end(draft, (fight,), do)):
        end_in(draft, fight, "general" if do.mode == "general" else "specific")


def end_in(draft: Draft, fight: Fight, mode: Mode) -> None:
    """It goes on in no other Scope: what is played from then on."""
    end_fight(draft, fight)
    if not draft.fights():
        draft.here(PlayModeShifted("mechanical", mode, "a lull"))
