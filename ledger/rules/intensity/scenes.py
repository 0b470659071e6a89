"""Scenes: one at a time; what their end brings with it."""

from __future__ import annotations

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts import RestAllowed, ReturnedToPlay
from ledger.rules.intensity.fatal import lapse
from ledger.rules.intensity.ground import Place, Ruling, everybody, known
from ledger.rules.intensity.rest import take_rest
from ledger.rules.intensity.state import Scene
from ledger.rules.kernel.commands import CloseScene, OpenScene
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene


def open_scene(table: Table[Dials], ruling: Ruling, do: OpenScene) -> None:
    """A campaign has at most one open scene, open to all its characters."""
    rule = "intensity.scene.open"
    if table.subjects("scene"):
        raise Refused(rule, "scene-open", scene=table.subjects("scene")[0].id)
    ruling.by(rule, do.title)


def close_scene(table: Table[Dials], ruling: Ruling, do: CloseScene) -> None:
    """No round is open and no fatal held (or it lapses); who was out for the scene returns."""
    rule = "intensity.scene.close"
    place = Place(scene(do.scene), table.get(scene(do.scene), Scene))
    if place.scene.round is not None:
        raise Refused(rule, "round-open", round=place.scene.round.id)
    if place.scene.fatals and table.dials.held_fatal_at_scene_end == "must_settle":
        raise Refused("intensity.fatal.scene-end", "held-fatal-open", fatals=list(place.scene.fatals))
    for id, held in place.scene.fatals.items():
        lapse(ruling, place, id, held, "intensity.fatal.scene-end")
    for char in everybody(table):
        if known(table, char).out == "scene":
            ruling.tell(character(char), ReturnedToPlay(char))
            ruling.by("intensity.fatal.out", "returned", char=char)
    ruling.tell(CAMPAIGN, RestAllowed(do.scene))
    ruling.by(rule, do.scene)
    if table.dials.rest == "automatic_at_scene_end":
        take_rest(table, ruling)
