"""The labels of fields and words, the most important first, and what fields and steps refer to."""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "out_of_the_fight": "Out of the fight",
    "fights_on": "Fights on, because",
    "penalty": "Penalty",
    "pending": "Penalty from the next lull",
    "mode": "Mode of Play",
    "speaker": "Speaker",
    "kind": "Kind",
    "net": "Development Points spent at creation",
    "begun": "The Game has begun",
    "cj": "Critical Juncture",
    "ei": "Epic Index",
    "strength": "Strength",
    "agility": "Agility",
    "hit-points": "Hit Points",
    "reaction": "Reaction",
    "observation": "Observation",
    "power": "Power",
    "off_guard": "Off-Guard towards",
    "off_guard_but": "Off-Guard towards everybody but",
    "mib": "Basic MIB",
    "declare-action": "Declare action",
    "call-mechanical-play": "Call for Mechanical Play",
    "roll-mib": "Roll for the MIB",
    "choose-results": "Choose results",
    "pass-word": "Change the Speaker",
    "clockwise": "Around the table",
    "act": "Action that allows this",
    "all_but": "Towards everybody but",
    "owed": "Dice owed",
    "owed_to": "Owed to",
    "claimed": "Recorded for the others",
    "may_default": "Allows Defaults",
    "adds": "Adds to damage",
    "present": "Present",
    "agreements": "What the Group agreed on",
    "n": "Number",
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
