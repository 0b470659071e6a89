"""The fold of what lies on things and what was told, wherever it is: in a scene, of who heals, between scenes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.moc import facts as f
from ledger.rules.moc.folding_dice import counted_anew, lying_on_initiative
from ledger.rules.moc.folding_scenes import put
from ledger.rules.moc.piles import Kind
from ledger.rules.moc.state import Campaign, Character, Damage, Play, Scene, Story, action_in

_telling = changing(Story, "plays")


def plays_on(state: Any, kind: Kind, id: str) -> tuple[Play, ...] | None:
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


def _with(state: Any, kind: Kind, id: str, plays: tuple[Play, ...]) -> Any:
    match kind:
        case "action":
            action = action_in(state, id)
            return put(state, changed(action, plays=plays)) if action is not None else None
        case "hit":
            return counted_anew(state, id, plays)
        case "initiative" | "coming":
            return lying_on_initiative(state, id, plays, waits=kind == "coming")
        case "story":
            return changed(state, story={**state.story, id: _telling(state.story[id], plays)})
        case "healing":
            return changed(state, healing=changed(state.healing, plays=plays))


def _trumped(was: Any, done: f.PlayTrumped) -> Any:
    plays = plays_on(was, done.pile, done.action)
    return _with(was, done.pile, done.action, (*plays, done.what)) if plays is not None else None


def _each(was: Any, done: Any, ids: tuple[str, ...], **new: Any) -> Any:
    plays = plays_on(was, done.pile, done.action)
    if plays is None:
        return None
    return _with(was, done.pile, done.action, tuple(changed(one, **new) if one.id in ids else one for one in plays))


def _fiat(was: Any, done: f.PlayTrumpedByFiat) -> Any:
    if done.what is None:
        return _each(was, done, (done.play,), fiat=True, returned=True)
    return _trumped(was, f.PlayTrumped(done.action, done.what.id, done.what, done.pile))


def _returned(was: Any, done: f.PlaysReturned) -> Any:
    return _each(was, done, done.plays, returned=done.returned)


# --- what was told ---


def _story(was: Any, id: str, **new: Any) -> Any:
    told = was.story.get(id)
    return changed(was, story={**was.story, id: changed(told, **new)}) if told is not None else None


def _told(was: Any, done: f.StoryChanged) -> Any:
    play = done.what or Play(
        done.change, done.character, "beads", "story", 0, done.beads, "storytelling"
    )  # fmt: skip
    told = Story(done.character, done.beads, done.text, done.scope, plays=(play,))
    return changed(was, story={**was.story, done.change: told})


def _narrated(was: Any, done: f.Narrated) -> Any:
    told = Story(done.character, 0, done.text, "", seat=done.seat)
    return changed(was, story={**was.story, done.change: told})


def _vetoed(was: Any, done: f.StoryVetoed) -> Any:
    told = was.story.get(done.change)
    if told is None:
        return None
    first = tuple(changed(one, returned=True) if not one.on else one for one in told.plays)
    return _story(was, done.change, vetoed=True, plays=first)


PILES: dict[type, Callable[[Any, Any], Any]] = {
    f.PlayTrumped: _trumped,
    f.PlayTrumpedByFiat: _fiat,
    f.PlaysReturned: _returned,
}
TOLD: dict[type, Callable[[Any, Any], Any]] = {
    f.StoryChanged: _told,
    f.StoryVetoed: _vetoed,
    f.StoryAmended: lambda was, done: _story(was, done.change, text=done.text),
    f.Narrated: _narrated,
}
__all__ = ["PILES", "TOLD", "plays_on"]
