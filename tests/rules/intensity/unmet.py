"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why.

In thirty evenings all but `FATAL` did; some of ten evenings lack those of `OUT`, too.
"""

from __future__ import annotations

from collections.abc import Mapping

FATAL = "A fatal is held in a few of ten evenings, and hardly ever is one let go or left before it is settled."
OUT = "It takes a fatal that is used or released on somebody, which ten evenings come to a few times."
UNMET: Mapping[str, str] = {
    "intensity.fatal-withheld": FATAL,
    "intensity.fatal-lapsed": FATAL,
    "intensity.round-left": FATAL,
    "intensity.attack-lapsed": FATAL,
    "intensity.action-lapsed": OUT,
    "intensity.character-taken-out": OUT,
    "intensity.returned-to-play": OUT,
    "intensity.trait-mutilated": OUT,
}
