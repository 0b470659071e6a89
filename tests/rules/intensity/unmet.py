"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why.

43 facts of 47 and 6 questions of 7, after the program went straight for what is rare; before that 42 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping

OUT = "Somebody must be taken out by a fatal in the middle of a round: 27 were used in ten evenings, one to take out."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "intensity.fatal-lapsed": "Who holds one must be taken out, or whom it is held against.",
        "intensity.returned-to-play": "Who is out for the scene must still be so when it ends: one was taken out.",
        "intensity.round-left": OUT,
        "intensity.action-lapsed": OUT,
    },
    "questions": {
        "reroll": "An advantage point must buy it with no die typed in, and one was spent in ten evenings.",
    },
}
