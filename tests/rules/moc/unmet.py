"""Words of this game that did not occur in ten evenings of 500 random rulings over HTTP, and why.

Seeds 1 to 10: all 78 declarations, 102 facts of 108, all questions and choices, no refusal.
"""

from __future__ import annotations

from collections.abc import Mapping

TRUMPED = "A trump that gave something back must be trumped itself, which few hands can."
#: By kind.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "moc.deck-cut": "Nobody at the table may see it.",
        "moc.beads-trumped": "The dial `trumped_beads_regenerate` is on, and few beads are trumped where it is turned.",
        "moc.automatic-success-returned": "A white chip must be claimed on a roll that is a Success after all.",
        "moc.card-played-on-healing": "Who tries to heal must hold a card then: few have damage and a hand at a time.",
        "moc.effect-modifier-restored": TRUMPED,
        "moc.plays-returned": TRUMPED,
    },
}
