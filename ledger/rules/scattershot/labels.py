"""What people at the table call the fields of a state and the words in them, what matters most first; whom a field,
or a step of a derivation, names.
"""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "out_of_the_fight": "Out of the fight",
    "fights_on": "Fights on, because",
    "penalty": "Penalty",
    "pending": "Wounds not yet told",
    "mode": "Mode of play",
    "speaker": "Speaker",
    "kind": "Kind",
    "net": "Development Points of its traits",
    "begun": "Play has begun",
    "cj": "Critical Juncture",
    "ei": "Effective Intervention",
    "strength": "Strength",
    "agility": "Agility",
    "hit-points": "Hit Points",
    "reaction": "Reaction",
    "observation": "Observation",
    "power": "Power",
    "off_guard": "Off guard against",
    "off_guard_but": "Off guard but against",
    "mib": "Margin it began with",
    "declare-action": "Declare action",
    "call-mechanical-play": "Call for Mechanical Play",
    "roll-mib": "Roll for the MIB",
    "choose-results": "Choose results",
    "clockwise": "Around the table",
    "present": "Present",
    "n": "So many",
}
REFERS: Mapping[str, str] = {
    "speaker": "seat", "off_guard": "character", "off_guard_but": "character", "standing": "character",
    "actor": "character", "target": "character", "engaged": "character", "proprietor": "seat", "consents": "seat",
    "reactions": "character", "order": "seat", "caller": "seat", "player": "seat",
    "turn": "character", "away": "character", "persona": "character", "free_actions": "word",
    "affected": "character", "side": "character", "roll-target": "character", "expectation-scope": "character",
    "subject": "character", "gainer": "character", "sufferer": "character", "resistor": "character", "author": "seat",
}  # fmt: skip
STEPS: Mapping[str, str] = {
    "persona": "character", "side": "character", "roll": "character", "before": "character", "die": "id",
    "scattershot.mech.join": "character", "scattershot.advantage.switch": "character",
    "scattershot.engage.off-guard": "character", "scattershot.mech.engage": "character",
    "scattershot.contest.simultaneous": "character", "by": "seat", "to": "seat", "against": "seat", "giver": "seat",
    "voter": "seat", "offered_by": "seat", "owed_to": "seat", "catcher": "seat", "target": "character",
    "scattershot.mech.order": "seat", "scattershot.mech.initiative": "seat", "scattershot.play.general": "seat",
    "scattershot.proprietor.transfer": "seat", "scattershot.proprietor.own": "seat",
    "scattershot.proprietor.persona": "seat", "scattershot.xd.against": "seat",
    "scattershot.juncture.telling-blow": "seat",
}  # fmt: skip
