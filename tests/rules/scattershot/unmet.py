"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

UNLISTED = "It follows a dial whose values are not listed, and none of them is a number."
DEVIATES = "The ready people's sheets have no fault that a table could let pass."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {"scattershot.chart-adopted": UNLISTED, "scattershot.sheet-deviates": DEVIATES},
}
