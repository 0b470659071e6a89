"""Scenes: one at a time; what their end brings with it."""

from __future__ import annotations

from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts import RestAllowed, ReturnedToPlay
from ledger.rules.intensity.fatal import lapse
from ledger.rules.intensity.guards import Place
from ledger.rules.intensity.rest import take_rest
from ledger.rules.intensity.state import Scene
from ledger.rules.kernel.commands import CloseScene, OpenScene
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import scene


def open_scene(draft: Draft, do: OpenScene) -> None:
    """A campaign has at most one open scene, open to all its characters."""
    rule = "intensity.scene.open"
    if draft.table.subjects("scene"):
        raise Refused(rule, "scene-open", scene=draft.table.subjects("scene")[0].id)
    draft.by(rule, do.title)


def close_scene(draft: Draft, do: CloseScene) -> None:
    """No round is open and no fatal held (or it lapses); who was out for the scene returns."""
    rule = "intensity.scene.close"
    place = Place(scene(do.scene), draft.table.get(scene(do.scene), Scene))
    if place.scene.round is not None:
        raise Refused(rule, "round-open", round=place.scene.round.id)
    if place.scene.fatals and draft.dials.held_fatal_at_scene_end == "must_settle":
        holders = list(dict.fromkeys(held.holder for held in place.scene.fatals.values()))
        raise Refused("intensity.fatal.scene-end", "held-fatal-open", fatals=list(place.scene.fatals), holder=holders)
    for id, held in place.scene.fatals.items():
        lapse(draft, place, id, held, "intensity.fatal.scene-end")
    for char in draft.everybody():
        if draft.known(char).out == "scene":
            draft.about(char, ReturnedToPlay(char))
            draft.by("intensity.fatal.out", "returned", char=char)
    draft.campaign_wide(RestAllowed(do.scene))
    draft.by(rule, do.scene)
    if draft.dials.rest == "automatic_at_scene_end":
        take_rest(draft)
