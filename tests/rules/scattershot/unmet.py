"""What of this game's words did not occur in nine evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

REPLACED = "A roll must wait outside Mechanical Play while the dial `preempt` is turned to `replace`."
PENALTY = "It follows a dial whose values are not listed, and which is seldom turned while a Resource is used."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "inputs": {"replace-roll": REPLACED},
    "facts": {
        "scattershot.chart-adopted": "It follows a dial whose values are not listed, and none of them is a number.",
        "scattershot.penalty-deferred": PENALTY,
        "scattershot.penalty-took-effect": PENALTY,
        "scattershot.roll-replaced": REPLACED,
        "scattershot.advantage-converted": "Who gains by a Critical Juncture must hold Advantages and give them up.",
    },
}
