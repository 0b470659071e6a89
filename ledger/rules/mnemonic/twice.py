"""What is kept twice: Status is counted in accounts; boards and the campaign repeat what a character's state says."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character
from ledger.rules.mnemonic.rolls import the_roll
from ledger.rules.mnemonic.state import Board, Campaign, Character, Scene
from ledger.rules.mnemonic.terms import FINE


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    state = places.state(subject)
    if isinstance(state, Character) and state.kind is not None:
        moved = places.balances(subject, "status")
        yield Twice("status", state.level, FINE - moved.get("lost", 0) + moved.get("regained", 0), account="status")
        yield from _aptitudes(subject, state, places)
    if isinstance(state, Scene | Campaign):
        yield from _resisting(state.board, places)


def _aptitudes(subject: Subject, state: Character, places: Places) -> Iterator[Twice]:
    """The campaign keeps the latest number of each task."""
    campaign: Campaign = places.state(CAMPAIGN)
    for key, assigned in state.tasks.items():
        final = assigned.last.final if assigned.last is not None else None
        yield Twice(f"aptitude for {key}", final, campaign.tasks.find(f"{subject.id}/{key}"))


def _resisting(board: Board, places: Places) -> Iterator[Twice]:
    """A resisting check stands on its board and with its character."""
    for id, check in board.checks.items():
        who: Character | None = places.state(character(check.ruled.character))
        own = who.resisting.find(id) if who is not None else None
        if own is not None and own.rolled is not None:
            there = the_roll(check.rolled) if check.rolled is not None else None
            yield Twice(f"roll of check {id}", there, own.rolled)
