"""What is kept twice: Status is counted in accounts; boards and the campaign repeat what a character's state says."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character
from ledger.rules.mnemonic.rolls import came_out, the_roll
from ledger.rules.mnemonic.state import Board, Campaign, Character, Check, Scene
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
    """A resisting check stands on its board and with its character: the injury, the roll, the result, and its end.

    In edition 1 a character kept no roll that was resolved at once.
    """
    for id, check in board.checks.items():
        if check.ruled.purpose == "action":
            continue
        who: Character | None = places.state(character(check.ruled.character))
        own = who.resisting.find(id) if who is not None else None
        yield Twice(f"check {id}", True, own is not None)
        if own is None:
            continue
        yield Twice(f"injury of check {id}", check.ruled.injury, own.injury)
        yield Twice(f"end of check {id}", is_settled(check), own.settled)
        if own.rolled is not None:
            rolled = the_roll(check.rolled) if check.rolled is not None else None
            yield Twice(f"roll of check {id}", rolled, own.rolled)
        if own.awaited is not None:
            result = came_out(check.resolved) if check.resolved is not None else None
            yield Twice(f"result of check {id}", result, own.awaited)


def is_settled(check: Check) -> bool:
    """Return whether the board says that its character has what comes of a resisting check."""
    named_later = check.ruled.purpose == "recovery" and check.ruled.readings.recovery == "referee"
    return check.recovered if named_later else check.resolved is not None
