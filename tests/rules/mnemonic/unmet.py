"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why: none.

The question `reason` and its answer `explain` are the rarest: once in ten evenings.
"""

from __future__ import annotations

from collections.abc import Mapping

#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {}
