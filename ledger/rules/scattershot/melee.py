"""Mechanical Play: Turns and Rounds, Actions, Free Actions, forfeits, Flurries, All-Out. 3.12."""

from __future__ import annotations

from ledger.rules.scattershot import accounts, facts, strife
from ledger.rules.scattershot import strifeinputs as inputs
from ledger.rules.scattershot.game import end_fight
from ledger.rules.scattershot.ground import Ruling, no
from ledger.rules.scattershot.state import Fight, Resolution, Standing
from ledger.rules.scattershot.tables import ACTIONS_A_TURN, LAST_DITCH_DODGE, MOST_FORFEITS, SCOPES


def call(ruling: Ruling, do: inputs.CallMechanicalPlay) -> None:
    """`mech.initiative`, `mech.order`, `mech.scope`."""
    caller = ruling.player(do.caller)
    scene = ruling.scene()
    if scene.fight is not None:
        raise no("mech.initiative", "not-in-mechanical-play")
    if scene.mode == "solo":
        raise no("play.solo", "not-in-solo-play")
    for id in do.characters:
        ruling.who(id)
        if not ruling.is_open_character(id):
            raise no("mech.scope", "not-in-this-scene", character=id)
    if not do.characters or len(set(do.characters)) != len(do.characters):
        raise no("mech.scope", "not-in-this-scene", characters=list(do.characters))
    scope = do.scope.strip().lower()
    if scope not in SCOPES:
        raise no("mech.scope", "bad-number", scope=do.scope)
    players = tuple(id for id in ruling.players() if ruling.present(id))
    too_small = len(do.characters) >= 2 * len(players) and scope == "individual"
    if too_small and ruling.dials.scope_shift == "required":
        raise no("mech.scope", "scope-too-small", characters=len(do.characters), players=len(players))
    order = to_the_right(players, caller)
    ruling.here(strife.MechanicalPlayCalled(caller, do.characters, order, scope, do.melee, too_small))
    ruling.by("mech.initiative", caller)
    ruling.by("mech.order", list(order))
    ruling.by("mech.scope", scope, characters=len(do.characters), players=len(players))
    ruling.by("play.mechanical", "mechanical", before=scene.mode)


def to_the_right(clockwise: tuple[str, ...], caller: str) -> tuple[str, ...]:
    """The caller, then each to the right of the one before: counter-clockwise."""
    place = clockwise.index(caller) if caller in clockwise else 0
    return tuple(clockwise[(place - step) % len(clockwise)] for step in range(len(clockwise)))


def fight_of(ruling: Ruling, rule: str = "mech.order") -> Fight:
    """Refuses `not-your-turn` outside Mechanical Play: nobody has a Turn there."""
    fight = ruling.fight()
    if fight is None:
        raise no(rule, "not-your-turn")
    return fight


def standing_of(ruling: Ruling, id: str, rule: str = "mech.order") -> Standing:
    """Refuses `not-your-turn` outside Mechanical Play, `not-in-this-scene`."""
    standing = fight_of(ruling, rule).standing.get(id)
    if standing is None:
        raise no(rule, "not-in-this-scene", character=id)
    return standing


# --- Turns and Rounds ------------------------------------------------------------------------------------------------


def next_player(ruling: Ruling, fight: Fight) -> str | None:
    """Whose Turn it is: the first in the order with a Persona that had no Turn this Round."""
    waiting = [ruling.owner(id) for id, one in fight.standing.items() if not one.taken and ruling.is_open_character(id)]
    return next((player for player in (*fight.order, *waiting) if player in waiting), None)


def start_turn(ruling: Ruling, do: inputs.StartTurn) -> None:
    """`mech.order`: the Player whose it is, with any of their Personae; `mech.actions`: 2, less what was forfeited."""
    owner = ruling.must_play(do.character, "mech.order")
    standing = standing_of(ruling, do.character)
    fight = fight_of(ruling)
    if fight.turn is not None:
        raise no("mech.order", "another-turn-is-open", turn=fight.turn)
    if standing.taken:
        raise no("mech.order", "turn-already-taken", character=do.character)
    whose = next_player(ruling, fight)
    if whose != owner:
        raise no("mech.order", "not-your-turn", player=owner, whose=whose)
    actions = max(0, ACTIONS_A_TURN - standing.forfeited)
    account = accounts.actions(ruling.place().id, do.character)
    ruling.here(strife.TurnStarted(do.character, owner, actions), accounts.gained(account, actions))
    if standing.all_out == "focusing":
        ruling.about(do.character, facts.OffGuardSet((), None))
    ruling.by("mech.order", owner, persona=do.character)
    ruling.by("mech.actions", actions, forfeited=standing.forfeited)


def end_turn(ruling: Ruling, do: inputs.EndTurn) -> None:
    ruling.must_play(do.character, "mech.order")
    standing_of(ruling, do.character)
    if fight_of(ruling).turn != do.character:
        raise no("mech.order", "not-your-turn", character=do.character)
    account = accounts.actions(ruling.place().id, do.character)
    left = ruling.balance(account)
    ruling.here(strife.TurnEnded(do.character), accounts.lost(account, left))
    ruling.by("mech.actions", 0, lost=left)


def end_round(ruling: Ruling, do: inputs.EndRound) -> None:
    fight = fight_of(ruling)
    if fight.turn is not None:
        raise no("mech.order", "another-turn-is-open", turn=fight.turn)
    if next_player(ruling, fight) is not None:
        raise no("mech.order", "turns-outstanding", whose=next_player(ruling, fight))
    ruling.here(strife.RoundEnded(fight.round))
    ruling.by("mech.order", fight.round)


def end(ruling: Ruling, do: inputs.EndMechanicalPlay) -> None:
    """`mech.end`: by the Group, or the caller; a lull."""
    if do.mode not in ("general", "specific"):
        raise no("mech.end", "not-in-mechanical-play", mode=do.mode)
    fight_of(ruling, "mech.end")
    end_fight(ruling)
    ruling.here(facts.PlayModeShifted("mechanical", "general" if do.mode == "general" else "specific", "a lull"))


# --- Actions ---------------------------------------------------------------------------------------------------------


def expend(ruling: Ruling, id: str, cost: object, what: str, nature: str = "other") -> None:
    """Actions of one's own Turn. Refuses `not-your-turn`, `all-out`, `bad-number`, `no-actions-left`."""
    standing = standing_of(ruling, id)
    fight = fight_of(ruling)
    if fight.turn != id:
        raise no("mech.instantaneous", "not-your-turn", character=id)
    check_all_out(standing, id, nature)
    if type(cost) is not int or not 1 <= cost <= ACTIONS_A_TURN:
        raise no("mech.actions", "bad-number", cost=str(cost))
    account = accounts.actions(ruling.place().id, id)
    if ruling.balance(account) < cost:
        raise no("mech.actions", "no-actions-left", left=ruling.balance(account))
    ruling.here(strife.ActionExpended(id, cost, what), accounts.lost(account, cost))
    ruling.by("mech.actions", ruling.balance(account), cost=cost)


def check_all_out(standing: Standing, id: str, nature: str) -> None:
    """`mech.all-out`: no defense after All-Out Attack; nothing else but movement after All-Out Defense."""
    if standing.all_out == "defense" and nature not in ("defense", "movement"):
        raise no("mech.all-out", "all-out", character=id)
    if standing.all_out == "attack" and nature == "defense":
        raise no("mech.all-out", "all-out", character=id)


def expend_action(ruling: Ruling, do: inputs.ExpendAction) -> None:
    """A running move, among others: as far as the table's Characters run."""
    ruling.must_play(do.character, "mech.actions")
    moves = do.what == "move"
    expend(ruling, do.character, do.cost, do.what, "movement" if moves else "other")
    if moves:
        ruling.by("mech.actions", ruling.dials.move_yards, yards=ruling.dials.move_yards)


def take_free(ruling: Ruling, id: str, kind: str) -> None:
    """`mech.free`: at any time in Mechanical Play. Refuses `free-action-limit`, `free-action-kind-limit`."""
    standing = standing_of(ruling, id, "mech.free")
    if len(standing.free) >= ruling.dials.epic_index:
        raise no("mech.free", "free-action-limit", taken=len(standing.free))
    if kind == LAST_DITCH_DODGE:
        check_all_out(standing, id, "defense")
    if kind in standing.free and not ruling.dials.cinematic:
        raise no("mech.free", "free-action-kind-limit", kind=kind)
    ruling.here(strife.FreeActionTaken(id, kind))
    ruling.by("mech.free", kind, character=id)


def take_free_action(ruling: Ruling, do: inputs.TakeFreeAction) -> None:
    ruling.must_play(do.character, "mech.free")
    take_free(ruling, do.character, do.action)


def restore_free(ruling: Ruling, do: inputs.RestoreFreeActions) -> None:
    """`mech.free-refresh`: 1 Action of one's Turn, once a Round."""
    ruling.must_play(do.character, "mech.free-refresh")
    standing = standing_of(ruling, do.character, "mech.free-refresh")
    if fight_of(ruling).turn != do.character:
        raise no("mech.free-refresh", "not-your-turn", character=do.character)
    if standing.refreshed:
        raise no("mech.free-refresh", "refresh-already-used", character=do.character)
    expend(ruling, do.character, 1, "restoring Free Actions", "movement")
    ruling.here(strife.FreeCapacityRestored(do.character))
    ruling.by("mech.free-refresh", 0, character=do.character)


def forfeit(ruling: Ruling, id: str, resolution: str) -> None:
    """`mech.forfeit`: on another's Turn, at most 2 before one's own."""
    standing = standing_of(ruling, id, "mech.forfeit")
    fight = fight_of(ruling)
    if fight.turn is None or fight.turn == id:
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=id)
    if standing.forfeited >= MOST_FORFEITS:
        raise no("mech.forfeit", "forfeits-exhausted", character=id)
    ruling.here(strife.ActionForfeited(id, resolution))
    ruling.by("mech.forfeit", standing.forfeited + 1, character=id)


def check_engaged(id: str, *resolutions: Resolution) -> None:
    """Refuses `not-engaged-on-anothers-turn` unless one of these that is open calls for the Persona's response."""
    stances = [one.engaged.get(id) for one in resolutions if one.phase != "closed"]
    if not {"asked", "obliged", "opposing"}.intersection(stances):
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=id)


def forfeit_action(ruling: Ruling, do: inputs.ForfeitAction) -> None:
    """Beside an answer: for another Reactive Action against the same resolution."""
    ruling.must_play(do.character, "mech.forfeit")
    standing_of(ruling, do.character, "mech.forfeit")
    check_engaged(do.character, ruling.resolution(do.resolution))
    forfeit(ruling, do.character, do.resolution)


def go_all_out(ruling: Ruling, do: inputs.GoAllOut) -> None:
    """`mech.all-out`: until one's next Turn. Focusing leaves one Off-Guard to all but the foe."""
    ruling.must_play(do.character, "mech.all-out")
    standing = standing_of(ruling, do.character, "mech.all-out")
    check_all_out(standing, do.character, do.mode)
    if do.mode == "focusing" and do.foe is None:
        raise no("mech.all-out", "not-in-this-scene")
    if do.foe is not None:
        standing_of(ruling, do.foe, "mech.all-out")
    ruling.here(strife.AllOutDeclared(do.character, do.mode, do.foe))
    if do.mode == "focusing":
        ruling.about(do.character, facts.OffGuardSet((), do.foe))
    elif standing.all_out == "focusing":
        ruling.about(do.character, facts.OffGuardSet((), None))
    ruling.by("mech.all-out", do.mode, character=do.character)


# --- Flurries --------------------------------------------------------------------------------------------------------


def start_flurry(ruling: Ruling, do: inputs.StartFlurry) -> None:
    """`mech.flurry`: one Involved Action; on another's Turn it opens with a Reactive Action, forfeited."""
    ruling.must_play(do.character, "mech.flurry")
    fight = ruling.fight()
    if fight is None or not fight.melee:
        raise no("mech.flurry", "not-in-melee")
    standing_of(ruling, do.character, "mech.flurry")
    standing_of(ruling, do.foe, "mech.flurry")
    if ruling.dials.epic_index == 0:
        raise no("mech.flurry", "flurry-ended", index=0)
    listed = ruling.who(do.character).ratings.get(do.ability)
    script = do.script or (listed.script if listed is not None else ())
    if not script:
        raise no("mech.flurry", "unknown-step", ability=do.ability)
    if fight.turn == do.character:
        expend(ruling, do.character, 1, do.ability)
    else:
        check_all_out(standing_of(ruling, do.character), do.character, "defense")
        check_engaged(do.character, *ruling.scene().resolutions.values())
        forfeit(ruling, do.character, do.ability)
    ruling.here(strife.FlurryStarted(do.character, do.foe, do.ability, script, ruling.dials.epic_index))
    ruling.by("mech.flurry", ruling.dials.epic_index, ability=do.ability)


def step_flurry(ruling: Ruling, do: inputs.StepFlurry) -> None:
    """An attack, a defense or a move of the script: after as many as the Epic Index it is over."""
    flurry = fight_of(ruling, "mech.flurry").flurry
    if flurry is None or flurry.ended is not None:
        raise no("mech.flurry", "flurry-ended")
    ruling.must_play(flurry.persona, "mech.flurry")
    if do.step not in flurry.script:
        raise no("mech.flurry", "unknown-step", step=do.step)
    n = flurry.steps + 1
    ruling.here(strife.FlurryStepped(n, do.step))
    if n >= flurry.limit:
        ruling.here(strife.FlurryEnded("limit"))
    ruling.by("mech.flurry", n, step=do.step)


def interrupt_flurry(ruling: Ruling, do: inputs.InterruptFlurry) -> None:
    flurry = fight_of(ruling, "mech.flurry").flurry
    if flurry is None or flurry.ended is not None:
        raise no("mech.flurry", "flurry-ended")
    ruling.here(strife.FlurryEnded("interruption"))
    ruling.by("mech.flurry", "interruption", what=do.what)
