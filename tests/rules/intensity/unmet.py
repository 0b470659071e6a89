"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why.

Seeds 11 to 20: 44 facts of 47, all questions, no refusal. Seeds 1 to 10: 43, and 5 questions of 7.
"""

from __future__ import annotations

from collections.abc import Mapping

OUT = "Somebody must be taken out by a fatal in the middle of a round: of about 27 used in ten evenings few take out."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "intensity.round-left": OUT,
        "intensity.action-lapsed": OUT,
        "intensity.fatal-withheld": "Its holder must say no when asked: few are held by another than who uses them.",
    },
}
