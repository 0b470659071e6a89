"""What people at the table call the fields of a state and the words in them, what matters most first; whom a field
names.
"""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "out": "Out of it",
    "traits": "Traits",
    "impacts": "Impacts",
    "kind": "Kind",
    "base": "Die",
    "size": "Now",
    "by": "From",
    "holder": "Held by",
    "subject": "Over",
    "trait_used": "Won with",
    "fatals": "Fatals to use",
    "levels": "Levels of Intensity",
    "in_conflict": "In conflict with each other",
    "maximum": "At most",
    "ties_settled": "Ties, as settled",
    "bought": "Advantage bought",
}
REFERS: Mapping[str, str] = {
    "in_conflict": "character", "levels": "character", "order": "character", "ties_settled": "character",
    "holder": "character", "subject": "character", "target": "character", "attacker": "character",
    "defender": "character", "against": "character", "last_scene": "scene", "impact": "id", "fatal": "id",
    "round": "id", "cause": "id",
}  # fmt: skip
