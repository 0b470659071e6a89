"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why.

Of three times ten evenings this is the one that came to most: 43 facts of 47, the others to 42.
"""

from __future__ import annotations

from collections.abc import Mapping

OUT = "Somebody must be taken out by a held fatal in the middle of a round: fatals are used six times in ten evenings."
ASKED = "A fatal must be used by its holder's own word, and few are held; a game master says so for all of them."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "intensity.fatal-lapsed": "Who holds one must be taken out, or whom it is held against.",
        "intensity.fatal-withheld": ASKED,
        "intensity.attack-lapsed": OUT,
        "intensity.action-lapsed": OUT,
    },
    "questions": {
        "use": ASKED,
        "reroll": "An advantage point must buy it with no die typed in, and one is spent in ten evenings.",
    },
}
