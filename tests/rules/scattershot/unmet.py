"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

LISTED = "It follows a dial whose values are not listed; random play turns those whose values are."
BEATEN = "Nobody's Hit Points are used up: an evening has a dozen results that take some."
DEVIATES = "The ready people's sheets have no fault that a table could let pass."
UNMET: Mapping[str, str] = {
    "scattershot.chart-adopted": LISTED,
    "scattershot.penalty-deferred": LISTED,
    "scattershot.penalty-took-effect": LISTED,
    "scattershot.sheet-deviates": DEVIATES,
    "rule-fight-left": BEATEN,
    "scattershot.fight-left-ruled": BEATEN,
    "replace-roll": "A roll must wait outside Mechanical Play while the dial `preempt` is turned to `replace`.",
    "scattershot.roll-replaced": "As `replace-roll`.",
}
