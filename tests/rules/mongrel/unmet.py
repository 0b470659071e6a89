"""What of this game's words did not occur in five evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

POINTS = "Raisings at random were all of Identities."
UNMET: Mapping[str, str] = {
    "allocate-power": "Of the ready people nobody has Power that is not allocated yet.",
    "mongrel.power-allocated": "As `allocate-power`.",
    "set-status": "The dial `house_status` is off, and seldom turned.",
    "mongrel.status-set": "As `set-status`.",
    "mongrel.expertise-raised": POINTS,
    "mongrel.attribute-raised": POINTS,
}
