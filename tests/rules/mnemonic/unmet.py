"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

UNLISTED = "It follows a dial whose values are not listed; few evenings turn that one."
#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {"facts": {"mnemonic.ladder-set": UNLISTED}}
