"""What is kept twice, and what there is only one of."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.contract import Held, Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.subjects import Subject
from ledger.rules.mongrel.state import Character, State


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    """Current Beauty: the lasting score less what is hurt for a time."""
    state = places.state(subject)
    if isinstance(state, Character):
        current = state.attributes.get("beauty", 0) - state.beauty_temp
        yield Twice("beauty", current, places.balance(subject, "beauty"), account=True)


def things(subject: Subject, state: State, session: str | None) -> Iterator[Held]:
    """Possessions: each keeps its id, whoever has it."""
    if isinstance(state, Character):
        for id in state.possessions:
            yield Held(f"possession {id}")
