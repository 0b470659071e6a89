"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

TRUMPED = "A trump that gave something back must be trumped itself, which few hands can."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "moc.deck-cut": "Nobody at the table may see it.",
        "moc.beads-trumped": "The dial `trumped_beads_regenerate` is on, and few beads are trumped where it is turned.",
        "moc.automatic-success-returned": "A white chip must be claimed on a roll that is a Success after all.",
        "moc.effect-modifier-restored": TRUMPED,
        "moc.plays-returned": TRUMPED,
    },
    "choices": {"agree-for": "A game master must answer for one of two who trade cards, and few do."},
}
