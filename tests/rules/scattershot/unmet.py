"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

PENALTY = "It follows a dial whose values are not listed, and which is seldom turned while a Resource is used."
LEFT = "Somebody must have no Hit Points left, and few blows come to damage."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "inputs": {"rule-fight-left": LEFT},
    "facts": {
        "scattershot.fight-left-ruled": LEFT,
        "scattershot.penalty-deferred": PENALTY,
        "scattershot.penalty-took-effect": PENALTY,
        "scattershot.advantage-converted": "Who gains by a Critical Juncture must hold Advantages and give them up.",
    },
    "questions": {"reaction": "Who is Off-Guard must react with no dice typed in: three reacted in ten evenings."},
}
