"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {
    "facts": {"mongrel.attribute-raised": "A feature that is an attribute must be raised, with points enough for it."},
}
