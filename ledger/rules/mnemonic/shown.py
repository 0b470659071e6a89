"""The table as it is shown to a viewer. The parts and the result of a hidden check are behind veils.

A rating of script immunity is hidden by its field (`SeenBy` in `state`). Everybody sees that a hidden check was ruled,
how it is rolled and what the dice show. An assigned Aptitude that it used is shown as if it had not been used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from ledger.rules.kernel.kit import VEIL, BaseShownTable, SeatEntry, Seen, Subject, Table, Viewer, changed, changing
from ledger.rules.mnemonic.records import InjuryRuled
from ledger.rules.mnemonic.shelves import Shelf
from ledger.rules.mnemonic.state import Board, Campaign, Character, Check, Ready, Scene

_VEIL: Any = VEIL
#: The fields of the ruling on a hidden check that only its readers see, and then those of an injury.
HIDDEN = ("traits", "aptitude", "aptitude_source", "assigned", "chances", "chances_number", "life_or_death", "reason")

HIDDEN_OF_INJURIES = ("seen_successes", "seen_failures", "primary_role", "reason", "rolled")
T = TypeVar("T")
_with_shown = changing(Board, "checks", "injuries", "recoveries")


class ShownTable(BaseShownTable):
    #: All seats at the table.
    seats: Mapping[str, SeatEntry]

    def _hide_fields(self, subject: Subject, state: Any) -> Any:
        """Return the state with veils over hidden fields, including those of checks and injuries, and over the use of
        Aptitudes.
        """
        state = super()._hide_fields(subject, state)
        if isinstance(state, Scene | Campaign):
            return changed(state, board=self._show_board(state.board))
        if isinstance(state, Character) and state.secretly:
            return _hide_use(state, self.viewer)
        return state

    def _show_board(self, board: Board) -> Board:
        checks: Any = ShownShelf(board.checks, _show_check, self.viewer)
        injuries: Any = ShownShelf(board.injuries, _show_injury, self.viewer)
        return _with_shown(board, checks, injuries, _VEIL)


def _hide_use(state: Character, viewer: Viewer) -> Character:
    """Return the character with assigned Aptitudes shown as ready if the viewer may not know that they were used."""
    hidden_ids = {assignment_id for assignment_id, readers in state.secretly.items() if not viewer.may_see(readers)}
    ready_by_id = {
        assigned.id: Ready(key, assigned.task, assigned.final)
        for key, log in state.tasks.items()
        for assigned in log
        if assigned.id in hidden_ids
    }
    return changed(state, ready={**state.ready, **ready_by_id}, secretly=_VEIL)


class ShownShelf(Generic[T]):
    """A shelf that returns its items as they are shown to this viewer."""

    def __init__(self, shelf: Shelf[T], show: Callable[[T, Viewer], T], viewer: Viewer) -> None:
        self._shelf, self._show, self._viewer = shelf, show, viewer

    def find(self, name: str) -> T | None:
        item = self._shelf.find(name)
        return self._show(item, self._viewer) if item is not None else None

    def in_order(self) -> list[T]:
        return [self._show(item, self._viewer) for item in self._shelf.in_order()]


def _show_check(check: Check, viewer: Viewer) -> Check:
    readers = check.ruled.seen_by
    if readers is None or viewer.may_see(readers):
        return check
    ruled_check = changed(check.ruled, **dict.fromkeys(HIDDEN, _VEIL))
    return changed(check, ruled=ruled_check, resolved=_VEIL if check.resolved is not None else None, recovered=_VEIL)


def _show_injury(injury: InjuryRuled, viewer: Viewer) -> InjuryRuled:
    if viewer.may_see(injury.seen_by):
        return injury
    return changed(injury, **dict.fromkeys(HIDDEN_OF_INJURIES, _VEIL))


def is_whole_shown(check: Check) -> bool:
    recovered: object = check.recovered
    return recovered is not VEIL


def show_table(seen: Seen) -> Table[Any]:
    """Return the table on which offers are based. The same table serves every open scene."""
    by_scene = seen.by_scene
    table = seen.make_shown_table_as(ShownTable)
    table.seats, seen.by_scene = seen.seats, by_scene
    return table
