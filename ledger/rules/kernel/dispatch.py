"""Find the rule that adjudicates a declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.draft import Draft
from ledger.rules.kernel.questions import Asking

W = TypeVar("W", bound=Draft[Any, Any, Any])
#: A rule gets the draft and the declaration, and records facts in the draft. If it asks questions, it is a generator.
Rule: TypeAlias = Callable[[W, Any], Asking[None] | None]


class Dispatch(Generic[W]):
    """The function `adjudicate` of a game. Raise TypeError for a declaration without a rule, or a rule without a
    declaration.

    `rules`: the game's rules by class of declaration, also for declarations of the kernel. `first`: a function that
    checks every declaration before its rule does.
    """

    def __init__(
        self,
        draft: Callable[[Table[Any]], W],
        inputs: tuple[type[object], ...],
        rules: Mapping[type[object], Rule[W]],
        first: Callable[[W, object], None] | None = None,
    ) -> None:
        inputs_without_rule = [input_type.__name__ for input_type in inputs if input_type not in rules]
        foreign_names = [
            input_type.__name__
            for input_type in rules
            if input_type not in inputs and input_type not in commands.INPUTS
        ]
        if inputs_without_rule or foreign_names:
            raise TypeError(
                f"inputs without a rule: {inputs_without_rule}; rules for classes that are not inputs of the game: "
                f"{foreign_names}"
            )
        self.rules = dict(rules)
        self._draft, self._check_first = draft, first

    def adjudicate(self, table: Table[object], do: object) -> Asking[Verdict[Any]]:
        """Adjudicate a declaration of the game or the kernel. Raise only Refused."""
        draft = self._draft(table)
        if self._check_first is not None:
            self._check_first(draft, do)
        rule = self.rules.get(type(do))
        asking = rule(draft, do) if rule is not None else None
        if asking is not None:
            yield from asking
        return draft.make_verdict()
