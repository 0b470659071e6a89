"""What of this game's words did not occur in six evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

ADVANTAGE = "Advantage against one person is seldom gathered up to a price before a scene ends."
FATAL = "A fatal takes a rating of 20; of the one or two of an evening hardly any comes to this end."
UNMET: Mapping[str, str] = {
    "spend-advantage": ADVANTAGE,
    "intensity.advantage-spent": ADVANTAGE,
    "intensity.defence-die-rerolled": ADVANTAGE,
    "release-fatal": FATAL,
    "intensity.fatal-withheld": FATAL,
    "intensity.fatal-released": FATAL,
    "intensity.fatal-lapsed": FATAL,
    "intensity.character-taken-out": FATAL,
    "intensity.returned-to-play": FATAL,
    "intensity.round-left": FATAL,
    "intensity.action-lapsed": FATAL,
    "intensity.attack-lapsed": FATAL,
}
