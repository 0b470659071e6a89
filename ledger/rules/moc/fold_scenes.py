"""The fold of a scene: its cast and turns, its actions with what was played on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.rules.kernel.fold import Change, unchanged
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.moc import facts_of_dice, facts_of_modifiers, facts_of_scenes
from ledger.rules.moc.fold_dice import DICE, on_dice
from ledger.rules.moc.state import Scene, action_in
from ledger.rules.moc.state_of_actions import Action, Claim, Part

_acting = changing(Scene, "actions")
_shelving = changing(Scene, "older")
_parted = changing(Action, "parts")
_diced = changing(Part, "rolled", "faces", "bonus", "beads")
_claiming = changing(Part, "claims", "spent", "spent_beads")
_judged = changing(Part, "stage", "outcome", "net")
_closing = changing(Action, "parts", "stage")
_playing = changing(Action, "plays")


#: How many actions are kept together.
SHELF = 64


def put(was: Scene, action: Action | None) -> Scene | None:
    """The scene with the action in its place, or as its latest one."""
    if action is None:
        return None
    if action.id in was.actions or (not was.older and len(was.actions) < SHELF):
        return _acting(was, {**was.actions, action.id: action})
    for place, shelf in enumerate(was.older):
        if action.id in shelf:
            return _shelving(was, (*was.older[:place], {**shelf, action.id: action}, *was.older[place + 1 :]))
    if len(was.actions) < SHELF:
        return _acting(was, {**was.actions, action.id: action})
    return changed(was, older=(*was.older, was.actions), actions={action.id: action})


def with_part(action: Action | None, place: int, **new: Any) -> Action | None:
    """The action with one part anew; None where there is no such part."""
    if action is None or not 0 <= place < len(action.parts):
        return None
    return _in_place(action, place, changed(action.parts[place], **new))


def _in_place(action: Action, place: int, part: Part) -> Action:
    parts = action.parts
    return _parted(action, (part,) if len(parts) == 1 else (*parts[:place], part, *parts[place + 1 :]))


def _part_of(was: Scene, id: str, place: int) -> tuple[Action, Part] | None:
    action = was.actions.get(id) or action_in(was, id)
    return (action, action.parts[place]) if action is not None and 0 <= place < len(action.parts) else None


def _played(
    was: Scene,
    done: facts_of_scenes.BeadsPlayed
    | facts_of_dice.CardPlayedOnDice
    | facts_of_scenes.FailureShifted
    | facts_of_scenes.ActionDetermined,
) -> Scene | None:
    action = was.actions.get(done.action) or action_in(was, done.action)
    return put(was, _playing(action, (*action.plays, done.what))) if action is not None else None


def _activated(was: Scene, done: facts_of_scenes.CharacteristicActivated) -> Scene | None:
    action = action_in(was, done.action)
    if action is None:
        return None
    activated = {**action.activated, done.characteristic: done.primary}
    named = changed(action, activated=activated, tired=action.tired + done.tired)
    return put(was, _with_dice(named, done.part, done.dice))


def _with_dice(action: Action, place: int, dice: int) -> Action | None:
    """More dice for one part, or (below 0) for the whole pool."""
    if place < 0:
        return changed(action, dice=action.dice + dice)
    if place >= len(action.parts):
        return None
    return with_part(action, place, extra=action.parts[place].extra + dice)


def _granted(was: Scene, done: facts_of_scenes.GmDiceGranted) -> Scene | None:
    return _more_dice(was, done.action, done.part, done.n)


def _added(was: Scene, done: facts_of_scenes.OwnDiceAdded) -> Scene | None:
    return _more_dice(was, done.action, done.part, done.number)


def _bit_used(was: Scene, done: facts_of_scenes.BitUsed) -> Scene | None:
    """Who was untrained needs the number of the trained from now on."""
    found = _part_of(was, done.action, done.part)
    if found is None:
        return None
    action, part = found
    roll = part.roll
    if not roll.trained:
        roll = changed(roll, trained=True, tn=roll.tn - roll.difficulty)
    return put(was, _in_place(action, done.part, changed(part, roll=roll, bits=part.bits + 1)))


def _more_dice(was: Scene, id: str, place: int, number: int) -> Scene | None:
    action = action_in(was, id)
    return put(was, _with_dice(action, place, number)) if action is not None else None


def _split(was: Scene, done: facts_of_scenes.PoolSplit) -> Scene | None:
    action = action_in(was, done.action)
    if action is None or len(done.parts) != len(action.parts):
        return None
    parts = tuple(changed(part, dice=dice) for part, dice in zip(action.parts, done.parts, strict=True))
    return put(was, changed(action, parts=parts, penalty=done.penalty, split=True))


def _rolled(was: Scene, done: facts_of_scenes.DiceRolled) -> Scene | None:
    found = _part_of(was, done.action, done.part)
    if found is None:
        return None
    action, part = found
    return put(was, _in_place(action, done.part, _diced(part, True, done.faces, done.bonus, done.beads)))


def _claimed(was: Scene, done: facts_of_scenes.SuccessesDeclared) -> Scene | None:
    found = _part_of(was, done.action, done.part)
    if found is None:
        return None
    action, part = found
    claim = Claim(done.target, done.number + done.beads, done.beads)
    more = _claiming(part, (*part.claims, claim), part.spent + done.number, part.spent_beads + done.beads)
    return put(was, _in_place(action, done.part, more))


def _taken(was: Scene, done: facts_of_scenes.SuccessesTakenOff) -> Scene | None:
    found = _part_of(was, done.action, done.part)
    if found is None:
        return None
    action, part = found
    off, claims = max(0, done.number + done.beads - done.lowered), list(part.claims)
    for place in range(len(claims) - 1, -1, -1):
        if claims[place].target == done.target:
            claims[place] = changed(claims[place], taken=claims[place].taken + off)
            answered = (done.action, done.part, place)
            break
    else:
        return None
    known = changed(was, answered=(*(one for one in was.answered if one != answered), answered))
    after = put(known, with_part(action, done.part, claims=tuple(claims)))
    defence = action_in(after, done.defence) if after is not None else None
    if after is None or defence is None or not 0 <= done.defence_part < len(defence.parts):
        return after
    own = defence.parts[done.defence_part]
    spent, beads = own.spent + done.number, own.spent_beads + done.beads
    return put(after, with_part(defence, done.defence_part, spent=spent, spent_beads=beads))


def _resolved(was: Scene, done: facts_of_scenes.ActionResolved) -> Scene | None:
    found = _part_of(was, done.action, done.part)
    if found is None:
        return None
    action, part = found
    parts = list(action.parts)
    parts[done.part] = _judged(part, "resolved", done.number, done.net)
    left = tuple(one for one in was.answered if one[:2] != (done.action, done.part))
    return put(changed(was, answered=left), _closing(action, tuple(parts), _stage(parts)))


def _stage(parts: Iterable[Part]) -> str:
    """An action is closed when no part of it waits any more."""
    return "open" if any(part.stage == "declared" for part in parts) else "closed"


def _preempted(was: Scene, done: facts_of_scenes.ActionsPreempted) -> Scene | None:
    action = action_in(was, done.action)
    if action is None:
        return None
    parts = tuple(
        changed(part, stage="pre-empted") if place in done.parts else part for place, part in enumerate(action.parts)
    )
    plays = tuple(changed(one, returned=True) if one.id in done.returned else one for one in action.plays)
    return put(was, changed(action, parts=parts, plays=plays, stage=_stage(parts)))


def _villain_card(was: Scene, done: facts_of_modifiers.VillainCardUsed) -> Scene | None:
    if done.card not in was.pool:
        return None
    place = was.pool.index(done.card)
    return changed(was, pool=(*was.pool[:place], *was.pool[place + 1 :]))


SCENES: Mapping[type, Change] = {
    facts_of_scenes.CastSet: lambda was, done: changed(was, cast=done.cast, phase="running"),
    facts_of_scenes.SceneOver: lambda was, done: changed(was, phase="ended", pool=()),
    facts_of_scenes.TurnEnded: lambda was, done: changed(was, turn=was.turn + 1),
    facts_of_scenes.ActionDeclared: lambda was, done: put(was, done.what),
    facts_of_scenes.MartialArtNamed: lambda was, done: changed(was, arts={**was.arts, done.action: done.area}),
    facts_of_scenes.PoolSplit: _split,
    facts_of_scenes.GmDiceGranted: _granted,
    facts_of_scenes.OwnDiceAdded: _added,
    facts_of_scenes.BitUsed: _bit_used,
    facts_of_scenes.CharacteristicActivated: _activated,
    facts_of_scenes.BeadsPlayed: _played,
    facts_of_dice.CardPlayedOnDice: lambda was, done: (_played if done.action else on_dice)(was, done),
    facts_of_scenes.FailureShifted: _played,
    facts_of_scenes.ActionDetermined: _played,
    facts_of_scenes.DiceRolled: _rolled,
    facts_of_scenes.SuccessesDeclared: _claimed,
    facts_of_scenes.SuccessesTakenOff: _taken,
    facts_of_scenes.AutomaticSuccessClaimed: unchanged,
    facts_of_scenes.AutomaticSuccessApproved: lambda was, done: put(
        was, with_part(action_in(was, done.action), done.part, white=done.character)
    ),
    facts_of_scenes.AutomaticSuccessReturned: lambda was, done: put(
        was, with_part(action_in(was, done.action), done.part, white="")
    ),
    facts_of_scenes.ActionResolved: _resolved,
    facts_of_scenes.ActionsPreempted: _preempted,
    facts_of_scenes.PreemptionWaived: unchanged,
    facts_of_scenes.ConsequenceTold: unchanged,
    **DICE,
    facts_of_modifiers.VillainsDrew: lambda was, done: changed(was, pool=(*was.pool, *done.cards)),
    facts_of_modifiers.VillainCardUsed: _villain_card,
}
