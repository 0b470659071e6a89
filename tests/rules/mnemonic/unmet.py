"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

UNASKED = "No sheet of the ready people asks for it (`rate_importance`)."
UNMET: Mapping[str, str] = {
    "mnemonic.ladder-set": "It follows a dial whose values are not listed; random play turns those whose values are.",
    "take-preset": UNASKED,
    "name-rating": UNASKED,
    "explain": "It is asked where no reason was given; random play writes down every reason.",
}
