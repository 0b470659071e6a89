"""What is kept twice: an account counts current Beauty.

Possessions are in two places only where something was given away that its giver did not have. That part goes adrift,
which is a finding for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.subjects import Subject
from ledger.rules.mongrel.state import Character


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    """Current Beauty: the lasting score less what is hurt for a time."""
    state = places.state(subject)
    if isinstance(state, Character):
        current = state.attributes.get("beauty", 0) - state.beauty_temp
        yield Twice("beauty", current, places.balance(subject, "beauty"), account="beauty")
