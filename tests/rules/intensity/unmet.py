"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why.

Seeds 11 to 20: all 31 inputs, 45 facts of 47, 9 questions of 11, all choices, no refusal. It varies by the dice that
fall: the same ten came to 44 facts before.
"""

from __future__ import annotations

from collections.abc import Mapping

OUT = "Somebody must be taken out by a fatal in the middle of a round: of about 12 used in ten evenings few take out."
AGAIN = "An Advantage Point is seldom spent on a defender's die, and then its new face was said at once."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "intensity.round-left": OUT,
        "intensity.attack-lapsed": OUT,
    },
    "questions": {
        "reroll:intensity": AGAIN,
        "reroll:trait": AGAIN,
    },
}
