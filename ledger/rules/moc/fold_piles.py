"""The fold of what lies on things and what was told, wherever it is: in a scene, of who heals, between scenes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.fold import Change
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.moc import facts_of_dice, facts_of_scenes, facts_told
from ledger.rules.moc.fold_dice import counted_anew, lying_on_initiative
from ledger.rules.moc.fold_scenes import put
from ledger.rules.moc.piles import Kind
from ledger.rules.moc.state import Campaign, Character, Scene, Story, action_in
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.state_of_combat import Damage, Healing

#: What has things that plays lie on; and what has what was told.
Keeper: TypeAlias = Character | Scene | Campaign
Place: TypeAlias = Scene | Campaign

_telling = changing(Story, "plays")


def plays_on(state: Keeper, kind: Kind, id: str) -> tuple[Play, ...] | None:
    """What lies on the thing, the thing itself first where it is a play; None where there is no such thing."""
    match kind, state:
        case "action", Scene():
            action = action_in(state, id)
            return action.plays if action is not None else None
        case "hit", Scene():
            return state.damage.get(id, Damage()).plays if id in state.hits else None
        case "initiative", Scene():
            return state.initiative.plays.get(id, ())
        case "coming", Scene():
            return state.initiative.waiting.get(id, ())
        case "story", Scene() | Campaign():
            return state.story[id].plays if id in state.story else None
        case "healing", Character():
            return state.healing.plays if state.healing is not None and state.healing.id == id else None
        case _:
            return None


def _with(state: Keeper, kind: Kind, id: str, plays: tuple[Play, ...]) -> Keeper | None:
    match kind, state:
        case "action", Scene():
            action = action_in(state, id)
            return put(state, changed(action, plays=plays)) if action is not None else None
        case "hit", Scene():
            return counted_anew(state, id, plays)
        case "initiative" | "coming", Scene():
            return lying_on_initiative(state, id, plays, waits=kind == "coming")
        case "story", Scene() | Campaign():
            return _with_story(state, id, _telling(state.story[id], plays))
        case "healing", Character(healing=Healing() as healing):
            return changed(state, healing=changed(healing, plays=plays))
        case _:
            return None


def _trumped(was: Keeper, done: facts_of_scenes.PlayTrumped | facts_of_dice.BeadsPlayedOnDice) -> Keeper | None:
    return _laid(was, done.pile, done.action, done.what)


def _laid(was: Keeper, kind: Kind, id: str, play: Play) -> Keeper | None:
    plays = plays_on(was, kind, id)
    return _with(was, kind, id, (*plays, play)) if plays is not None else None


def _fiat(was: Keeper, done: facts_of_scenes.PlayTrumpedByFiat) -> Keeper | None:
    if done.what is not None:
        return _laid(was, done.pile, done.action, done.what)
    plays = plays_on(was, done.pile, done.action)
    if plays is None:
        return None
    back = tuple(changed(one, fiat=True, returned=True) if one.id == done.play else one for one in plays)
    return _with(was, done.pile, done.action, back)


def _returned(was: Keeper, done: facts_of_scenes.PlaysReturned) -> Keeper | None:
    plays = plays_on(was, done.pile, done.action)
    if plays is None:
        return None
    back = tuple(changed(one, returned=done.returned) if one.id in done.plays else one for one in plays)
    return _with(was, done.pile, done.action, back)


# --- what was told ---


def _with_story(was: Place, id: str, told: Story) -> Place:
    return changed(was, story={**was.story, id: told})


def _told(was: Place, done: facts_told.StoryChanged) -> Place:
    play = done.what or Play(done.change, done.character, "beads", "story", 0, done.beads, "storytelling")
    told = Story(done.character, done.beads, done.text, done.scope, plays=(play,))
    return _with_story(was, done.change, told)


def _narrated(was: Place, done: facts_told.Narrated) -> Place:
    return _with_story(was, done.change, Story(done.character, 0, done.text, "", seat=done.seat))


def _vetoed(was: Place, done: facts_told.StoryVetoed) -> Place | None:
    told = was.story.get(done.change)
    if told is None:
        return None
    first = tuple(changed(one, returned=True) if not one.on else one for one in told.plays)
    return _with_story(was, done.change, changed(told, vetoed=True, plays=first))


def _amended(was: Place, done: facts_told.StoryAmended) -> Place | None:
    told = was.story.get(done.change)
    return _with_story(was, done.change, changed(told, text=done.text)) if told is not None else None


PILES: Mapping[type, Change] = {
    facts_of_scenes.PlayTrumped: _trumped,
    facts_of_dice.BeadsPlayedOnDice: _trumped,
    facts_of_scenes.PlayTrumpedByFiat: _fiat,
    facts_of_scenes.PlaysReturned: _returned,
}
TOLD: Mapping[type, Change] = {
    facts_told.StoryChanged: _told,
    facts_told.StoryVetoed: _vetoed,
    facts_told.StoryAmended: _amended,
    facts_told.Narrated: _narrated,
}
