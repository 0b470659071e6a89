"""What of this game's words did not occur in ten evenings of 500 rulings played at random over HTTP, and why: none.

Seeds 1 to 10, before `rate-traits`, `rule-certain` and `rule-recovery-rate` came, which are offered all the time: all
29 inputs, 34 facts, questions and choices, no refusal. The question `reason` and its answer `explain` are the rarest:
three times.
"""

from __future__ import annotations

from collections.abc import Mapping

#: By what they are.
UNMET: Mapping[str, Mapping[str, str]] = {}
