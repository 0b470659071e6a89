"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

UNMET: Mapping[str, str] = {
    "allocate-power": "Of the ready people nobody has Power that is not allocated yet.",
    "mongrel.power-allocated": "As `allocate-power`.",
}
