"""Scenes: one at a time; what their end brings with it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.intensity.draft import ROUND_OPEN, SCENE_OPEN, Draft, Place
from ledger.rules.intensity.fates import OUT, lapse
from ledger.rules.intensity.healing import take_rest
from ledger.rules.intensity.state import Campaign, Character, Scene, once_created
from ledger.rules.kernel.chapters import Refusal, changes, decides, fact, offers, require, rule
from ledger.rules.kernel.commands import CloseScene, OpenScene
from ledger.rules.kernel.domains import CharacterId, SceneId
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Move, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import scene

# --- opening ---------------------------------------------------------------------------------------------------------

OPEN_SCENE = rule(
    "intensity.scene.open",
    "Not in the source: only one scene is open at a time, and every character can take part in it.",
)


def may_open_scene(draft: Draft) -> Refused | None:
    scenes = draft.table.subjects("scene")
    return SCENE_OPEN.under(OPEN_SCENE, scene=scenes[0].id) if scenes else None


@decides
def open_scene(draft: Draft, do: OpenScene) -> None:
    """A campaign has at most one open scene, open to all its characters."""
    require(may_open_scene(draft))
    draft.by(OPEN_SCENE, do.title)


@offers(OpenScene)
def offer_to_open(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_open_scene(draft) is None:
        yield Move(OpenScene, {"cast": Some(Among(seen.roster))})


# --- closing ---------------------------------------------------------------------------------------------------------

CLOSE_SCENE = rule(
    "intensity.scene.close",
    "Not in the source: a scene can close when no round is open. Characters who were out for the scene return.",
    outcome="scene",
)
SCENE_END = rule(
    "intensity.fatal.scene-end",
    "Not in the source: a scene cannot close while a fatal impact is held, or closing it ends those still held.",
)
HELD_FATAL_OPEN = Refusal(
    SCENE_END,
    "held-fatal-open",
    "{holder} must use or give up every held fatal impact before the scene ends.",
)


@fact("returned-to-play", says="{char} is back in play.")
class ReturnedToPlay:
    """About the character: the scene that it was out of play for has closed."""

    char: CharacterId


@changes
@once_created
def return_after_scene(state: Character, fact: ReturnedToPlay) -> Character | None:
    return changed(state, out=None) if state.out == "scene" else None


@fact("rest-allowed", says="After “{scene}”, characters can rest.")
class RestAllowed:
    """About the campaign: a scene has closed, so characters can rest."""

    scene: SceneId


@changes
def allow_rest(state: Campaign, fact: RestAllowed) -> Campaign:
    return changed(state, last_scene=fact.scene)


def may_close_scene(draft: Draft, place: Place) -> Refused | None:
    """No round is open and no fatal held (or it lapses)."""
    if place.scene.round is not None:
        return ROUND_OPEN.under(CLOSE_SCENE, round=place.scene.round.id)
    if place.scene.fatals and draft.dials.held_fatal_at_scene_end == "must_settle":
        holders = list(dict.fromkeys(held.holder for held in place.scene.fatals.values()))
        return HELD_FATAL_OPEN(fatals=list(place.scene.fatals), holder=holders)
    return None


@decides
def close_scene(draft: Draft, do: CloseScene) -> None:
    """Who was out for the scene returns."""
    place = Place(scene(do.scene), draft.table.get(scene(do.scene), Scene))
    require(may_close_scene(draft, place))
    for id, held in place.scene.fatals.items():
        lapse(draft, place, id, held, SCENE_END)
    for char in draft.everybody():
        if draft.known(char).out == "scene":
            draft.about(char, ReturnedToPlay(char))
            draft.by(OUT, "returned", char=char)
    draft.campaign_wide(RestAllowed(do.scene))
    draft.by(CLOSE_SCENE, do.scene)
    if draft.dials.rest == "automatic_at_scene_end":
        take_rest(draft)


@offers(CloseScene)
def offer_to_close(seen: Seen, draft: Draft) -> Iterator[Move]:
    place = draft.open_place
    if place is not None and may_close_scene(draft, place) is None:
        yield Move(CloseScene, {"scene": Among((place.subject.id,))})
