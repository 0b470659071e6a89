"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

OUT = "Somebody must be taken out by a held fatal in the middle of a round: fatals are used six times in ten evenings."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "intensity.fatal-lapsed": "Who holds one must be taken out, or whom it is held against.",
        "intensity.round-left": OUT,
        "intensity.attack-lapsed": OUT,
        "intensity.action-lapsed": OUT,
    },
}
