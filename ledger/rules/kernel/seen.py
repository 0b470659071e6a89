"""The game as one viewer sees it. Moves are made from it, so that nothing hidden can affect which moves are offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from ledger.rules.kernel import register
from ledger.rules.kernel.contract import AnyRuleset, Table, Underway
from ledger.rules.kernel.dials import Dials
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.shown import SeenTable, ShownTable
from ledger.rules.kernel.subjects import Subject, Viewer, character
from ledger.rules.kernel.table import Subjects, load_campaign_entry, load_dials

T = TypeVar("T", bound=ShownTable)


class Seen:
    """The current game as a viewer sees it. `scene`: the scene of the declaration, as for a ruling.

    `seat`: the seat whose moves are listed. A game master can list those of another seat. `underway`: returns the
    declarations that wait for answers. `begun`: returns the classes of waiting declarations that have an answer
    already. `by_scene`: whether the moves depend on the scene, so that each open scene can have its own.
    """

    def __init__(
        self,
        ruleset: AnyRuleset,
        subjects: Subjects,
        viewer: Viewer,
        scene: Subject | None = None,
        seat: Viewer | None = None,
        underway: Callable[[], tuple[Underway, ...]] = tuple,
        begun: Callable[[], frozenset[type[Any]]] = frozenset,
    ) -> None:
        self._subjects, self._ruleset, self._underway, self._begun = subjects, ruleset, underway, begun
        self._entry = load_campaign_entry(subjects)
        self._dials = load_dials(ruleset.dials, self._entry)
        self.viewer: Viewer = changed(viewer, dials=self._dials)
        self.seat = seat or viewer
        self._table = SeenTable(ruleset, subjects, 0, viewer, scene, underway)
        self._views: dict[Subject, Mapping[str, Any]] = {}
        self.by_scene = False

    # --- visible to everybody
    # ------------------------------------------------------------------------------------------

    @property
    def dials(self) -> Any:
        """The game's options in force."""
        return self._dials

    @property
    def session(self) -> str | None:
        return self._entry.session

    @property
    def scenes(self) -> tuple[str, ...]:
        """The open scenes."""
        return self._entry.scenes

    @property
    def scene(self) -> Subject | None:
        """The scene of the declaration: the scene that it names, else the only open scene, else None."""
        self.by_scene = True
        return self._table.scene

    @property
    def roster(self) -> tuple[str, ...]:
        """All characters, including former ones, in the order in which they joined."""
        return tuple(self._entry.roster)

    @cached_property
    def characters(self) -> tuple[str, ...]:
        """The characters still in play."""
        folded_characters = ((id, self._subjects.find(character(id))) for id in self._entry.roster)
        entries = (
            (id, folded_subject.entry)
            for id, folded_subject in folded_characters
            if folded_subject is not None and folded_subject.entry is not None
        )
        return tuple(id for id, entry in entries if not getattr(entry, "retired", False))

    def has(self, subject: Subject) -> bool:
        """Return whether the subject exists."""
        return self._table.has(subject)

    @cached_property
    def seats(self) -> Mapping[str, register.SeatEntry]:
        """All seats at the table, in the order in which they joined."""
        folded_seats = {seat.id: self._subjects.find(seat) for seat in self._subjects.seats()}
        return {
            id: folded_subject.entry
            for id, folded_subject in folded_seats.items()
            if folded_subject is not None
            and isinstance(folded_subject.entry, register.SeatEntry)
            and not folded_subject.entry.removed
        }

    @property
    def rolls_all(self) -> bool:
        """Whether the ledger rolls all dice, so that nobody enters any (option `dice`)."""
        return bool(load_dials(Dials, self._entry).dice == "ledger_only")

    def owner(self, id: str) -> str | None:
        """Return the seat that plays a character."""
        return self._entry.roster.get(id)

    def has_begun(self, do_class: type[Any]) -> bool:
        """Return whether a declaration of this class is waiting and has an answer, even if it is hidden from the
        viewer.

        Use it only if the rules meanwhile refuse such declarations to everybody. The refusal then reveals just as much.
        """
        return do_class in self._begun()

    # --- visible to the viewer
    # -----------------------------------------------------------------------------------------

    def view(self, subject: Subject) -> Mapping[str, Any]:
        """Return a subject's state as the viewer is shown it. If there is no such subject, return a blank state."""
        view = self._views.get(subject)
        if view is None:
            folded_subject = self._subjects.find(subject) or Folded(self._ruleset, subject)
            view = self._ruleset.view(subject, folded_subject.state, self.viewer)
            self._views[subject] = view
        return view

    def balance(self, account: str) -> int:
        """Return the balance of a subject's account, or 0 if the balance is hidden from the viewer."""
        return self._table.balance(account)

    def accounts(self, owner: Subject) -> Mapping[str, int]:
        """Return a subject's accounts that are not empty and that the viewer may know."""
        return self._table.accounts(owner)

    def list_citable_facts(self, subject: Subject) -> Mapping[int, tuple[object, ...]]:
        """Return the subject's facts that everybody may see and a declaration can cite, by ruling number."""
        folded_subject = self._subjects.find(subject)
        return folded_subject.citable_facts if folded_subject is not None else {}

    @property
    def table(self) -> Table[Any]:
        """Return the table that rules get. Raise AssertionError for a game with secrets."""
        assert not self._ruleset.secrets, f"{self._ruleset.name} has secrets: use `make_shown_table()`, not `table`"
        self.by_scene = True
        return self._table

    def make_shown_table(self) -> Table[Any]:
        """Return the table that rules get, with veils over what the viewer may not see.

        The declaring seat is the seat whose moves are listed.
        """
        return self.make_shown_table_as(ShownTable)

    def make_shown_table_as(self, kind: type[T]) -> T:
        """Return the shown table as an instance of the game's own class."""
        self.by_scene = True
        return kind(self._ruleset, self._subjects, self.seat, self.viewer, self._table.scene, self._underway)

    # --- the seat's moves
    # --------------------------------------------------------------------------------------------------

    @cached_property
    def decides(self) -> bool:
        """Return whether the seat may declare what a game master may."""
        return decides_for_table(self._subjects, self.seat)

    def find_player(self, id: str) -> str | None:
        """Return the seat of a character's player, or None if a game master or nobody plays the character."""
        owner = self.owner(id)
        entry = self.seats.get(owner) if owner is not None else None
        return owner if entry is not None and entry.role == "player" else None

    def in_scene(self, scene: Subject) -> Seen:
        """Return this view for declarations made in the given scene."""
        seen = Seen(self._ruleset, self._subjects, self.viewer, scene, self.seat, self._underway, self._begun)
        seen._views = self._views
        return seen


def decides_for_table(subjects: Subjects, viewer: Viewer) -> bool:
    """Return whether a seat may do what a game master may."""
    if viewer.role != "player":
        return viewer.role == "gm"
    return bool(load_dials(Dials, load_campaign_entry(subjects)).deciders == "all_players")
