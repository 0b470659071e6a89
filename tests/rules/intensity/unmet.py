"""What of this game's words did not occur in four evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

RARE = "It takes a rating of 20, and an evening has about twenty attacks."
AFTER = "It follows a fatal, which does not come up."
UNMET: Mapping[str, str] = {
    "spend-advantage": "Advantage against one person is seldom gathered up to a price before a scene ends.",
    "intensity.advantage-spent": "As `spend-advantage`.",
    "intensity.defence-die-rerolled": "As `spend-advantage`.",
    "use-fatal": RARE,
    "release-fatal": RARE,
    "intensity.fatal-held": RARE,
    "intensity.fatal-used": AFTER,
    "intensity.fatal-withheld": AFTER,
    "intensity.fatal-released": AFTER,
    "intensity.fatal-lapsed": AFTER,
    "intensity.character-taken-out": AFTER,
    "intensity.trait-mutilated": AFTER,
    "intensity.returned-to-play": AFTER,
    "intensity.round-left": AFTER,
    "intensity.action-lapsed": AFTER,
    "intensity.attack-lapsed": AFTER,
    "intensity.healing-moment-closed": "Who is asked answers almost always before a game master closes the moment.",
    "close-moment": "As `intensity.healing-moment-closed`.",
}
