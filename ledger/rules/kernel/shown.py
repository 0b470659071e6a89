"""The table as a viewer may see it. The guards of the rules use it to decide which moves are offered.

A field of a state that is not for everybody is marked in its type: `hand: Annotated[tuple[Card, ...], SeenBy(holder)]`.
If the viewer may not see it, a veil takes its place. A guard that looks behind a veil does not refuse
(`chapters.guards`), so that a missing offer reveals no secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, cached_property
from typing import Annotated, Any, NoReturn, TypeVar, cast, get_args, get_origin

from ledger.rules.kernel.contract import AnyRuleset, Underway
from ledger.rules.kernel.domains import SeenBy, load_marked_hints
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.purses import list_openly_counted_units, owner_of
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.kernel.table import RulingTable, Subjects

S = TypeVar("S")


class Veiled(Exception):
    """Code looked at a value that is hidden from the viewer."""


class Veil:
    """Stands for a hidden value. Any use of it raises Veiled."""

    __slots__ = ()

    def _refuse_look(self, *_: object, **__: object) -> NoReturn:
        raise Veiled

    __getattr__ = __getitem__ = __contains__ = __iter__ = __len__ = __bool__ = __call__ = _refuse_look
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse_look
    __neg__ = __abs__ = __int__ = __index__ = __float__ = __str__ = __format__ = _refuse_look
    __eq__ = __ne__ = _refuse_look
    __hash__ = _refuse_look


VEIL = Veil()


class SeenTable(RulingTable):
    """The table that rules get, with 0 for each balance that is hidden from the viewer.

    A subject whose creation was overturned can still be read, because other subjects may refer to it. It has no player.
    """

    @property
    def viewer(self) -> Viewer:
        """Return the viewer's seat."""
        return self.by

    @cached_property
    def openly_counted_units(self) -> frozenset[str]:
        return list_openly_counted_units(self._ruleset)

    def has(self, subject: Subject) -> bool:
        folded = self._subjects.find(subject)
        return folded is not None and folded.entry is not None

    def balance(self, account: str) -> int:
        owner_name, _, unit = account.partition("/")
        if owner_name.endswith(":"):
            return 0
        owner = owner_of(account)
        assert owner is not None, f"{account} is unlimited"
        folded = self._subjects.find(owner)
        if folded is None:
            return 0
        hidden_audiences = folded.audiences_by_account.get(account)
        if (
            hidden_audiences is not None
            and unit not in self.openly_counted_units
            and not all(map(self.viewer.may_see, hidden_audiences))
        ):
            return 0
        return folded.purse.get(account, 0)

    def owner(self, subject: Subject) -> str:
        return super().owner(subject) if self.has(subject) else ""

    def is_open(self, subject: Subject) -> bool:
        return self.has(subject) and super().is_open(subject)

    def _get_folded(self, subject: Subject) -> Folded[object]:
        return self._subjects.find(subject) or Folded(self._ruleset, subject)

    def accounts(self, owner: Subject) -> dict[str, int]:
        """Return a subject's accounts that are not empty and that the viewer may know."""
        folded = self._subjects.find(owner)
        balances = {account: self.balance(account) for account in (folded.purse if folded is not None else ())}
        return {account: amount for account, amount in balances.items() if amount}


class ShownTable(SeenTable):
    """The table that rules get, with veils over hidden fields, and 0 for hidden balances.

    `by`: the seat whose moves are listed. `viewer`: the seat that sees the table.
    """

    def __init__(
        self,
        ruleset: AnyRuleset,
        subjects: Subjects,
        by: Viewer,
        viewer: Viewer,
        scene: Subject | None,
        underway: Callable[[], tuple[Underway, ...]] = tuple,
    ) -> None:
        super().__init__(ruleset, subjects, 0, by, scene, underway)
        self._viewer = viewer
        self._veiled_states: dict[Subject, Any] = {}
        self._openness: dict[Subject, bool] = {}

    @property
    def viewer(self) -> Viewer:
        return self._viewer

    @cached_property
    def dials(self) -> Any:
        return super().dials

    def is_open(self, subject: Subject) -> bool:
        is_open = self._openness.get(subject)
        if is_open is None:
            is_open = self._openness[subject] = super().is_open(subject)
        return is_open

    def get(self, subject: Subject, state_class: type[S], /) -> S:
        """Return the subject's state, with a veil in each field that the viewer may not see."""
        veiled_state = self._veiled_states.get(subject)
        if veiled_state is None:
            veiled_state = self._veiled_states[subject] = self._hide_fields(subject, super().get(subject, state_class))
        assert isinstance(veiled_state, state_class), f"{subject} is not a {state_class.__name__}"
        return veiled_state

    def _hide_fields(self, subject: Subject, state: Any) -> Any:
        """Return the state with a veil in place of each field that the viewer may not see."""
        state_class: Any = type(state)
        hidden_names = [
            name
            for name, seen_by in list_audiences(state_class).items()
            if not self.viewer.may_see(seen_by.to(subject, state))
        ]
        return changed(state, **dict.fromkeys(hidden_names, VEIL)) if hidden_names else state


@cache
def list_audiences(state_class: type[object]) -> Mapping[str, SeenBy]:
    """Return the fields of a state that are not for everybody, with who may see them."""
    hints = load_marked_hints(state_class)
    audiences: dict[str, SeenBy] = {}
    for field in fields(cast(Any, state_class)):
        hint = hints[field.name]
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        audiences.update((field.name, mark) for mark in marks if isinstance(mark, SeenBy))
    return audiences
