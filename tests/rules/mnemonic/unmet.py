"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

ASKED_SELDOM = "Who joins must ask for it (`rate_importance`) where dramatic checks are on: twice in ten evenings."
DRIFT = "A number agreed on must drift from the one before, with no reason given; it came to it in half of the runs."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {
        "mnemonic.ladder-set": "It follows a dial whose values are not listed: none of 37 turned was it.",
        "mnemonic.importance-ruled": "A dial must be turned so that each check asks for it, and one be ruled on.",
    },
    "questions": {"reason": DRIFT},
    "choices": {"explain": DRIFT, "name-rating": ASKED_SELDOM},
}
