"""Labels of state fields and words, the most important first; and what a field or a step of a derivation refers to."""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "out": "Out of play",
    "traits": "Traits",
    "impacts": "Impacts",
    "kind": "Kind",
    "base": "Die",
    "size": "Current die",
    "by": "By",
    "holder": "Held by",
    "subject": "Subject",
    "trait_used": "Hit through",
    "fatals": "Held fatal impacts",
    "levels": "Levels of Intensity",
    "in_conflict": "In conflict with each other",
    "maximum": "Maximum",
    "ties_settled": "Resolved ties",
    "bought": "Bought effects",
    "char": "Character",
    "ap": "Advantage points",
    "attack4": "Bought for the attack",
    "defence4": "Bought for the defence",
    "scope": "Once a day",
    "out_for": "Out for",
}
REFERS: Mapping[str, str] = {
    "in_conflict": "character", "levels": "character", "order": "character", "ties_settled": "character",
    "holder": "character", "subject": "character", "target": "character", "attacker": "character",
    "defender": "character", "against": "character", "last_scene": "scene", "impact": "id", "fatal": "id",
    "round": "id", "cause": "id",
}  # fmt: skip
STEPS: Mapping[str, str] = {
    "participants": "character", "parties": "character", "attack": "id", "fatal": "id", "answers": "id",
    "intensity.round.declare": "character", "intensity.round.amend": "character", "intensity.order.basis": "character",
    "intensity.order.turn": "character", "intensity.order.full-tie": "character", "intensity.rest.taxes": "character",
    "intensity.heal.conflict": "character", "intensity.scene.close": "scene", "intensity.heal.moment": "id",
    "intensity.round.close": "id", "intensity.round.abandon": "id", "intensity.fatal.achieve": "id",
    "intensity.impact.tax": "id", "intensity.impact.damage": "id", "intensity.impact.wound": "id",
}  # fmt: skip
