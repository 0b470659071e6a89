"""What of this game's words did not occur in five evenings of 500 rulings played at random over HTTP, and why: none."""

from __future__ import annotations

from collections.abc import Mapping

#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {}
